//! The next texts of an order, fetched together.
//!
//! Texts stand in memory in the order in which they were first seen. To take them in another order, each with work to do
//! before the next, is to wait for memory each time; to copy a few at a time is to wait for many at once. That makes the
//! writing of tags a tenth faster.

use crate::index::tags::values::Values;

/// How many texts are fetched at a time.
pub(super) const BATCH: usize = 128;

/// Copies of texts.
#[derive(Debug, Default)]
pub(super) struct Batch {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Batch {
    /// Fetches the texts of these numbers in place of those that are there.
    pub(super) fn fill(&mut self, numbers: &[u32], values: &Values) {
        self.bytes.clear();
        self.ends.clear();
        for &number in numbers {
            self.bytes.extend_from_slice(values.bytes(number));
            self.ends.push(self.bytes.len());
        }
    }

    /// The texts, in the order of their numbers.
    pub(super) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let text = &self.bytes[start..end];
            start = end;
            text
        })
    }
}
