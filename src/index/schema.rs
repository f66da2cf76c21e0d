//! The fields of the tantivy schema. FORMAT.md describes them; a test compares the two.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};

use crate::error::{Error, Result};
use crate::index::fold::TAG_TOKENIZER;

/// Numeric columns, in the order of [`Fields::numbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Column {
    /// Order of import: chunk in the high bits, game within it in the low [`GAME_BITS`].
    Sequence,
    /// Offset in the source, bytes.
    Offset,
    /// White's rating; missing when unrated.
    WhiteElo,
    /// Black's rating; missing when unrated.
    BlackElo,
    /// Sum of both ratings; missing when either is.
    EloSum,
    /// First day of the date, YYYYMMDD.
    DateFirst,
    /// Last day of the date.
    DateLast,
    /// Code of the result.
    Result,
    /// ECO code: letter from A times 100 plus number; missing when the tag has none.
    Eco,
    /// Plies of the main line.
    Plies,
    /// Code of the variant.
    Variant,
    /// 0 for a whole game, 1 for a partial one.
    Status,
    /// Code of the speed.
    Speed,
}

/// Names of the columns in the schema.
pub(crate) const COLUMNS: [&str; 13] = [
    "sequence",
    "offset",
    "white_elo",
    "black_elo",
    "elo_sum",
    "date_first",
    "date_last",
    "result",
    "eco",
    "plies",
    "variant",
    "status",
    "speed",
];

/// Low bits of the sequence number that count games within a chunk.
pub(crate) const GAME_BITS: u32 = 32;

/// The fields, resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    /// All tags as terms.
    pub(crate) tags: Field,
    /// The game's bytes.
    pub(crate) game: Field,
    /// The columns.
    pub(crate) numbers: [Field; COLUMNS.len()],
}

impl Fields {
    pub(crate) fn column(&self, column: Column) -> Field {
        self.numbers[column as usize]
    }
}

/// Name of a column.
pub(crate) fn column_name(column: Column) -> &'static str {
    COLUMNS[column as usize]
}

/// The schema of a new index.
pub(crate) fn schema() -> Schema {
    let mut builder = Schema::builder();
    let terms = TextFieldIndexing::default()
        .set_tokenizer(TAG_TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions)
        .set_fieldnorms(false);
    builder.add_text_field("tags", TextOptions::default().set_indexing_options(terms));
    builder.add_bytes_field("game", STORED);
    for name in COLUMNS {
        builder.add_u64_field(name, FAST);
    }
    builder.build()
}

/// Finds the fields in the schema of an opened index.
pub(crate) fn fields(schema: &Schema) -> Result<Fields> {
    let field = |name: &str| {
        schema
            .get_field(name)
            .map_err(|e| Error::Index(e.to_string()))
    };
    let mut numbers = [field(COLUMNS[0])?; COLUMNS.len()];
    for (number, name) in numbers.iter_mut().zip(COLUMNS) {
        *number = field(name)?;
    }
    Ok(Fields {
        tags: field("tags")?,
        game: field("game")?,
        numbers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_md_lists_the_fields_of_the_schema() {
        let listed: Vec<&str> = include_str!("FORMAT.md")
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .filter_map(|line| line.split_once("` |"))
            .map(|(name, _)| name)
            .collect();
        let schema = schema();
        let fields: Vec<&str> = schema.fields().map(|(_, entry)| entry.name()).collect();
        assert_eq!(listed, fields);
    }
}
