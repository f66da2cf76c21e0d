//! The columns of a segment, gathered game by game: numbers that searches filter and sort by.

use std::io;

use tantivy::columnar::{ColumnType, ColumnarWriter};
use tantivy::directory::{TerminatingWrite, WritePtr};

use crate::index::games::DocId;
use crate::index::schema::COLUMNS;

/// The numbers of one game, by column.
pub(crate) type Numbers = [Option<u64>; COLUMNS.len()];

/// Gathers columns.
pub(crate) struct ColumnsWriter {
    columns: ColumnarWriter,
}

impl ColumnsWriter {
    pub(crate) fn new() -> ColumnsWriter {
        let mut columns = ColumnarWriter::default();
        for name in COLUMNS {
            columns.record_column_type(name, ColumnType::U64, false);
        }
        ColumnsWriter { columns }
    }

    /// Adds the numbers of a game.
    pub(crate) fn add(&mut self, doc: DocId, numbers: &Numbers) {
        for (name, number) in COLUMNS.iter().zip(numbers) {
            if let Some(number) = *number {
                self.columns.record_numerical(doc, name, number);
            }
        }
    }

    /// Bytes in use.
    pub(crate) fn mem_usage(&self) -> usize {
        self.columns.mem_usage()
    }

    /// Writes the columns of so many games.
    pub(crate) fn write(mut self, n_games: u32, mut out: WritePtr) -> io::Result<()> {
        self.columns.serialize(n_games, None, &mut out)?;
        out.terminate()
    }
}
