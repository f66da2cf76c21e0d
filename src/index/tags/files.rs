//! The files of terms and postings of a segment: tantivy's, and most of them written by tantivy's serializer.
//!
//! That one writes terms, postings and positions together, and most of its time goes into the transducer of the terms. So
//! it is given short numbers in place of terms, which cost it next to nothing, and writes its dictionary of them into
//! memory. The transducer of the real terms is ours. What follows it in a dictionary, the places of each term's postings,
//! does not depend on the terms and is taken from there.

use std::io::Write;
use std::path::Path;

use tantivy::directory::{CompositeFile, CompositeWrite, Directory, RamDirectory};
use tantivy::index::SegmentComponent;
use tantivy::postings::FieldSerializer;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Segment, TantivyError};

use crate::index::games::DocId;
use crate::index::tags::fst::FstWriter;

/// Bytes at the end of a dictionary: how long the places of postings before them are, and two versions.
const FOOTER_BYTES: usize = 16;

/// Takes terms in order, and the postings of each.
pub(super) struct TermWriter<'a, 'b> {
    numbered: FieldSerializer<'a>,
    terms: FstWriter<&'b mut dyn Write>,
    n_terms: u32,
}

impl TermWriter<'_, '_> {
    /// Begins a term.
    pub(super) fn new_term(&mut self, term: &[u8], n_docs: u32) -> tantivy::Result<()> {
        self.terms.insert(term)?;
        let number = self.n_terms.to_be_bytes();
        self.n_terms += 1;
        Ok(self.numbered.new_term(&number, n_docs, true)?)
    }

    /// Adds the next game of the term: its first position, and the distances from each to the next.
    pub(super) fn write_doc(&mut self, doc: DocId, positions: &[u32]) {
        self.numbered
            .write_doc(doc, positions.len() as u32, positions);
    }

    /// Ends the term.
    pub(super) fn close_term(&mut self) -> tantivy::Result<()> {
        Ok(self.numbered.close_term()?)
    }
}

/// Writes the terms and postings of a field, the only one that has any.
pub(super) fn write_terms(
    segment: &Segment,
    field: Field,
    n_tokens: u64,
    write: impl FnOnce(&mut TermWriter<'_, '_>) -> tantivy::Result<()>,
) -> tantivy::Result<()> {
    let mut terms = create(segment, SegmentComponent::Terms)?;
    let mut postings = create(segment, SegmentComponent::Postings)?;
    let mut positions = create(segment, SegmentComponent::Positions)?;
    let memory = RamDirectory::create();
    let path = Path::new("numbered");
    let mut numbered = CompositeWrite::wrap(memory.open_write(path)?);

    let dictionary: &mut dyn Write = terms.for_field(field);
    let mut out = TermWriter {
        numbered: FieldSerializer::create(
            IndexRecordOption::WithFreqsAndPositions,
            n_tokens,
            numbered.for_field(field),
            postings.for_field(field),
            positions.for_field(field),
            None,
        )?,
        terms: FstWriter::new(dictionary),
        n_terms: 0,
    };
    write(&mut out)?;
    let dictionary = out.terms.finish()?;
    out.numbered.close()?;
    numbered.close()?;
    let numbered = CompositeFile::open(&memory.open_read(path)?)?
        .open_read(field)
        .ok_or_else(|| internal("no dictionary"))?
        .read_bytes()?;
    dictionary.write_all(after_transducer(&numbered).ok_or_else(|| internal("no footer"))?)?;
    terms.close()?;
    postings.close()?;
    Ok(positions.close()?)
}

fn create(segment: &Segment, component: SegmentComponent) -> tantivy::Result<CompositeWrite> {
    Ok(CompositeWrite::wrap(segment.open_write(component)?))
}

/// What stands in a dictionary after its transducer.
fn after_transducer(dictionary: &[u8]) -> Option<&[u8]> {
    let footer = dictionary.len().checked_sub(FOOTER_BYTES)?;
    let len = u64::from_le_bytes(dictionary[footer..].first_chunk().copied()?);
    let start = footer.checked_sub(usize::try_from(len).ok()?)?;
    Some(&dictionary[start..])
}

fn internal(what: impl std::fmt::Display) -> TantivyError {
    TantivyError::InternalError(what.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;
    use tantivy::Index;
    use tantivy::postings::InvertedIndexSerializer;
    use tantivy::schema::Schema;

    use crate::index::schema::{fields, schema};

    /// Terms, and the distances between positions in each game of a term.
    type Terms = BTreeMap<Vec<u8>, BTreeMap<DocId, Vec<u32>>>;

    const COMPONENTS: [SegmentComponent; 3] = [
        SegmentComponent::Terms,
        SegmentComponent::Postings,
        SegmentComponent::Positions,
    ];

    fn field(schema: &Schema) -> Field {
        fields(schema).expect("fields").tags
    }

    fn bytes(segment: &Segment) -> Vec<Vec<u8>> {
        COMPONENTS
            .map(|component| {
                let file = segment.open_read(component).expect("a file");
                file.read_bytes().expect("in memory").to_vec()
            })
            .to_vec()
    }

    fn of_tantivy(terms: &Terms, n_tokens: u64) -> Vec<Vec<u8>> {
        let index = Index::create_in_ram(schema());
        let segment = index.new_segment();
        let mut serializer = InvertedIndexSerializer::open(&segment).expect("files");
        let mut out = serializer
            .new_field(field(&index.schema()), n_tokens, None)
            .expect("a field");
        for (term, docs) in terms {
            out.new_term(term, docs.len() as u32, true).expect("a term");
            for (&doc, deltas) in docs {
                out.write_doc(doc, deltas.len() as u32, deltas);
            }
            out.close_term().expect("a term");
        }
        out.close().expect("a field");
        serializer.close().expect("files");
        bytes(&segment)
    }

    fn of_ours(terms: &Terms, n_tokens: u64) -> Vec<Vec<u8>> {
        let index = Index::create_in_ram(schema());
        let segment = index.new_segment();
        let field = field(&index.schema());
        write_terms(&segment, field, n_tokens, |out| {
            for (term, docs) in terms {
                out.new_term(term, docs.len() as u32)?;
                for (&doc, deltas) in docs {
                    out.write_doc(doc, deltas);
                }
                out.close_term()?;
            }
            Ok(())
        })
        .expect("written");
        bytes(&segment)
    }

    proptest! {
        #[test]
        fn files_are_those_of_tantivys_serializer(
            terms in prop::collection::btree_map(
                prop::collection::vec(97..101u8, 1..8),
                prop::collection::btree_map(0..1000u32, prop::collection::vec(0..9u32, 1..3), 1..5),
                0..600,
            ),
            n_tokens: u64,
        ) {
            prop_assert!(of_ours(&terms, n_tokens) == of_tantivy(&terms, n_tokens));
        }
    }

    #[test]
    fn files_of_many_games_are_those_of_tantivys_serializer() {
        let docs = |n: u32| (0..n).map(|doc| (doc * 3, vec![1; 1 + doc as usize % 3]));
        let terms = [127, 128, 129, 5000]
            .map(|n| (format!("a{n}").into_bytes(), docs(n).collect()))
            .into();
        assert!(of_ours(&terms, 7) == of_tantivy(&terms, 7));
    }
}
