//! A document for tantivy's own writer threads, of which there never is one.

use tantivy::Document;
use tantivy::schema::{Field, OwnedValue};

/// What tantivy's own writer threads are given: nothing. Workers fill segments themselves, and the queue to these threads, of
/// which each commit makes a new one, has room for forty thousand documents: of games it took 18 MB.
#[derive(Debug)]
pub(crate) enum NoDocument {}

impl Document for NoDocument {
    type Value<'a> = &'a OwnedValue;
    type FieldsValuesIter<'a> = std::iter::Empty<(Field, &'a OwnedValue)>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        match *self {}
    }
}
