//! A replayed game on its way into a segment.
//!
//! A document type of our own spares an import the copies that tantivy's would make: the stored bytes are a slice of the
//! mapped or unpacked text, and the plugin takes tags, keys and moves out of it by downcast.

use std::ops::Range;

use tantivy::Document;
use tantivy::schema::Field;
use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf, Value};

use crate::index::games::GameFacts;
use crate::index::schema::{COLUMNS, Column, Fields};
use crate::model::move_token::MoveToken;
use crate::replay::VariationLine;
use crate::source::Part;

/// One game to be indexed.
#[derive(Debug)]
pub(crate) struct GameDoc {
    pub(crate) fields: Fields,
    /// Tags as `Name NUL value`, one after the other.
    pub(crate) tags: String,
    /// Ends of the tags in that string.
    pub(crate) tag_ends: Vec<u32>,
    pub(crate) numbers: [Option<u64>; COLUMNS.len()],
    pub(crate) part: Part,
    pub(crate) range: Range<usize>,
    pub(crate) facts: GameFacts,
    /// Place in the order of import.
    pub(crate) sequence: u64,
    /// Key of every ply from 0.
    pub(crate) keys: Vec<u64>,
    pub(crate) moves: Vec<MoveToken>,
    pub(crate) variations: Vec<VariationLine>,
}

impl GameDoc {
    /// A game of nothing, for tests that add tags to it.
    #[cfg(test)]
    pub(crate) fn of_tags(fields: Fields) -> GameDoc {
        GameDoc {
            fields,
            tags: String::new(),
            tag_ends: Vec::new(),
            numbers: [None; COLUMNS.len()],
            part: Part::owned(Vec::new(), 0),
            range: 0..0,
            facts: GameFacts::default(),
            sequence: 0,
            keys: vec![0],
            moves: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// Checksum of the game's bytes: the doc store has none of its own.
    pub(crate) fn checksum(&self) -> u32 {
        crc32fast::hash(&self.part[self.range.clone()])
    }

    /// The tags, each as `Name NUL value`.
    pub(crate) fn tags(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.tag_ends.iter().map(move |&end| {
            let tag = &self.tags[start..end as usize];
            start = end as usize;
            tag
        })
    }

    pub(crate) fn set(&mut self, column: Column, value: Option<u64>) {
        self.numbers[column as usize] = value;
    }
}

/// What tantivy's own writer threads are given: nothing. Workers fill segments themselves, and the queue to these threads, of
/// which each commit makes a new one, has room for forty thousand documents: of games it took 18 MB.
#[derive(Debug)]
pub(crate) enum NoDocument {}

impl Document for NoDocument {
    type Value<'a> = GameValue<'a>;
    type FieldsValuesIter<'a> = std::iter::Empty<(Field, GameValue<'a>)>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        match *self {}
    }
}

/// A value of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GameValue<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> for GameValue<'a> {
    type ArrayIter = std::iter::Empty<Self>;
    type ObjectIter = std::iter::Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            GameValue::Number(number) => ReferenceValueLeaf::U64(number),
            GameValue::Bytes(bytes) => ReferenceValueLeaf::Bytes(bytes),
        })
    }
}

/// The values of a game that tantivy's own writers take, one after the other: numbers for the columns, bytes for the store.
#[derive(Clone, Debug)]
pub(crate) struct GameValues<'a> {
    doc: &'a GameDoc,
    next: usize,
}

impl<'a> Iterator for GameValues<'a> {
    type Item = (Field, GameValue<'a>);

    fn next(&mut self) -> Option<(Field, GameValue<'a>)> {
        let doc = self.doc;
        loop {
            let idx = self.next;
            self.next += 1;
            match doc.numbers.get(idx) {
                Some(Some(number)) => {
                    return Some((doc.fields.numbers[idx], GameValue::Number(*number)));
                }
                Some(None) => {}
                None if idx == COLUMNS.len() => {
                    return Some((
                        doc.fields.game,
                        GameValue::Bytes(&doc.part[doc.range.clone()]),
                    ));
                }
                None => return None,
            }
        }
    }
}

impl Document for GameDoc {
    type Value<'a> = GameValue<'a>;
    type FieldsValuesIter<'a> = GameValues<'a>;

    fn iter_fields_and_values(&self) -> GameValues<'_> {
        GameValues { doc: self, next: 0 }
    }
}
