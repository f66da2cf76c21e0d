//! A text that arrives in blocks, cut into the chunks that it would be cut into as a whole.
//!
//! Holds no more of the text than the chunk that is being waited for and what came in the same block.

use crate::split::{Place, Rest, Splitter};

/// Blocks in, chunks out.
#[derive(Debug)]
pub struct Window {
    splitter: Splitter,
    /// The text from the end of the last chunk on, as far as it has arrived.
    bytes: Vec<u8>,
    rest: Rest,
}

impl Window {
    /// A window at the start of a text.
    pub fn new(splitter: Splitter) -> Window {
        Window {
            splitter,
            bytes: Vec::new(),
            rest: Rest::More,
        }
    }

    /// Takes the next block of the text.
    pub fn push(&mut self, block: Vec<u8>) {
        if self.bytes.is_empty() {
            self.bytes = block;
        } else {
            self.bytes.extend_from_slice(&block);
        }
    }

    /// There are no more blocks.
    pub fn end(&mut self) {
        self.rest = Rest::Nothing;
    }

    /// Whether all that has arrived was handed out.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The next chunk, and where it ends. `None` when it needs another block, or after the end.
    pub fn next_chunk(&mut self) -> Option<(Vec<u8>, Place)> {
        let cut = self.splitter.cut(&self.bytes, self.rest)?;
        let rest = self.bytes.split_off(cut.len);
        Some((std::mem::replace(&mut self.bytes, rest), cut.place))
    }
}
