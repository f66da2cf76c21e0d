//! One column while it is gathered, and its index.
//!
//! Numbers that some games lack are kept without gaps, next to the list of those games: a game takes four bytes either
//! way until a number of the column needs eight.

use std::io;

use tantivy::columnar::column_index::{
    SerializableColumnIndex, SerializableOptionalIndex, serialize_column_index,
};

use crate::index::columns::numbers;
use crate::index::games::DocId;

/// The numbers of a column, game by game.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    numbers: Numbers,
    /// Games without a number.
    missing: Vec<DocId>,
}

#[derive(Debug)]
enum Numbers {
    Narrow(Vec<u32>),
    /// From the first number on that needs it: offsets in a big file, and sequences.
    Wide(Vec<u64>),
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Narrow(Vec::new())
    }
}

impl Gathered {
    /// Adds the number of the next game, `doc`.
    pub(super) fn add(&mut self, doc: DocId, number: Option<u64>) {
        let Some(number) = number else {
            return self.missing.push(doc);
        };
        match &mut self.numbers {
            Numbers::Narrow(numbers) => match u32::try_from(number) {
                Ok(number) => numbers.push(number),
                Err(_) => self.widen(number),
            },
            Numbers::Wide(numbers) => numbers.push(number),
        }
    }

    #[cold]
    fn widen(&mut self, number: u64) {
        if let Numbers::Narrow(numbers) = &self.numbers {
            let mut wide = Vec::with_capacity(numbers.capacity().max(numbers.len() + 1));
            wide.extend(numbers.iter().map(|&number| u64::from(number)));
            wide.push(number);
            self.numbers = Numbers::Wide(wide);
        }
    }

    /// Bytes in use.
    pub(super) fn mem_usage(&self) -> usize {
        let numbers = match &self.numbers {
            Numbers::Narrow(numbers) => numbers.capacity() * size_of::<u32>(),
            Numbers::Wide(numbers) => numbers.capacity() * size_of::<u64>(),
        };
        numbers + self.missing.capacity() * size_of::<DocId>()
    }

    /// Appends the column to `out`. Takes and returns memory for its numbers.
    pub(super) fn write(
        self,
        n_games: DocId,
        mut spare: Vec<u64>,
        out: &mut Vec<u8>,
    ) -> io::Result<Vec<u64>> {
        let start = out.len();
        if self.missing.is_empty() {
            serialize_column_index(SerializableColumnIndex::Full, out)?;
        } else {
            let docs = complement(&self.missing, n_games);
            let index = SerializableOptionalIndex {
                non_null_row_ids: Box::new(&docs[..]),
                num_rows: n_games,
            };
            serialize_column_index(SerializableColumnIndex::Optional(index), out)?;
        }
        let n_index_bytes = (out.len() - start) as u32;
        let mut numbers = match self.numbers {
            Numbers::Narrow(numbers) => {
                spare.clear();
                spare.extend(numbers.into_iter().map(u64::from));
                spare
            }
            Numbers::Wide(numbers) => numbers,
        };
        numbers::write(&mut numbers, out);
        out.extend_from_slice(&n_index_bytes.to_le_bytes());
        Ok(numbers)
    }
}

/// The games that `missing`, in ascending order, does not have.
fn complement(missing: &[DocId], n_games: DocId) -> Vec<DocId> {
    let mut docs = Vec::with_capacity(n_games as usize - missing.len());
    let mut from = 0;
    for &doc in missing {
        docs.extend(from..doc);
        from = doc + 1;
    }
    docs.extend(from..n_games);
    docs
}
