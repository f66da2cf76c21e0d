//! Where chess clauses match: places in games, segment by segment, and the same as a query for tantivy.

use tantivy::index::SegmentId;

use crate::index::{DocId, GamesQuery};

/// A place in a game: the ply in the main line; beyond that line's end, a move of a variation.
pub(crate) type Place = u32;

/// Matches of a clause in one segment, ascending by game and place.
pub(crate) type SegmentMatches = Vec<(DocId, Place)>;

/// Matches of a clause in all segments, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matches {
    pub(crate) segments: Vec<SegmentMatches>,
}

impl Matches {
    /// Adds the matches of another clause.
    pub(crate) fn union(&mut self, other: Matches) {
        for (mine, theirs) in self.segments.iter_mut().zip(other.segments) {
            if mine.is_empty() {
                *mine = theirs;
            } else if !theirs.is_empty() {
                mine.extend(theirs);
                mine.sort_unstable();
                mine.dedup();
            }
        }
    }

    /// The games of these matches as a query.
    pub(crate) fn as_query(&self, ids: &[SegmentId]) -> GamesQuery {
        let docs = self.segments.iter().map(|matches| {
            let mut docs: Vec<DocId> = matches.iter().map(|&(doc, _)| doc).collect();
            docs.dedup();
            docs
        });
        GamesQuery::new(ids, docs)
    }
}
