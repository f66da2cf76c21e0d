//! A part of a text: bytes that are kept as long as somebody needs them, and where they begin.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::source::Source;

/// Bytes of a text. Cloning shares them.
#[derive(Clone, Debug)]
pub struct Part {
    source: Arc<Source>,
    range: Range<usize>,
    /// Where the source's bytes begin in the text, in bytes.
    base: u64,
}

impl Part {
    /// A part of a text that is at hand as a whole.
    pub fn of(source: &Arc<Source>, range: Range<usize>) -> Part {
        Part {
            source: Arc::clone(source),
            range,
            base: 0,
        }
    }

    /// Bytes that were taken out of a stream at `offset`.
    pub fn owned(bytes: Vec<u8>, offset: u64) -> Part {
        Part {
            range: 0..bytes.len(),
            source: Arc::new(Source::from_bytes("", bytes)),
            base: offset,
        }
    }

    /// Where the part begins in its text, in bytes.
    pub fn offset(&self) -> u64 {
        self.base + self.range.start as u64
    }

    /// Leaves out what comes after `len` bytes.
    pub fn shorten(&mut self, len: usize) {
        self.range.end = self.range.end.min(self.range.start + len);
    }

    /// Lets go of the memory behind a part that was read, so that a source larger than memory can be read to its end.
    pub fn release(&self) {
        self.source.release(self.range.clone());
    }
}

impl Deref for Part {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.source[self.range.clone()]
    }
}
