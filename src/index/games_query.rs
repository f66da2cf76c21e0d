//! A query for tantivy that matches listed games: what the ply tables found joins header clauses so, and games that are
//! to be removed are named so.

use std::collections::HashMap;
use std::sync::Arc;

use tantivy::index::SegmentId;
use tantivy::query::{ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocSet, Score, SegmentReader, TERMINATED};

use crate::index::games::DocId;

/// A query that matches listed games.
#[derive(Clone)]
pub(crate) struct GamesQuery {
    docs: Arc<HashMap<SegmentId, Arc<[DocId]>>>,
}

impl GamesQuery {
    /// A query that matches these games of each segment, ascending.
    pub(crate) fn new(ids: &[SegmentId], docs: impl IntoIterator<Item = Vec<DocId>>) -> GamesQuery {
        let docs = ids.iter().zip(docs);
        let docs = docs.map(|(id, docs)| (*id, Arc::from(docs))).collect();
        GamesQuery {
            docs: Arc::new(docs),
        }
    }
}

impl std::fmt::Debug for GamesQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "GamesQuery({} games)",
            self.docs.values().map(|docs| docs.len()).sum::<usize>()
        )
    }
}

impl Query for GamesQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for GamesQuery {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let docs = self
            .docs
            .get(&reader.segment_id())
            .cloned()
            .unwrap_or_else(|| Arc::from([]));
        Ok(scorer_of(docs, boost))
    }

    fn explain(&self, _: &SegmentReader, _: tantivy::DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new("a chess clause matches or does not", 1.0))
    }
}

/// A scorer for these games of a segment, ascending.
pub(super) fn scorer_of(docs: Arc<[DocId]>, boost: Score) -> Box<dyn Scorer> {
    Box::new(ConstScorer::new(GameList { docs, at: 0 }, boost))
}

/// An ascending list of games.
struct GameList {
    docs: Arc<[DocId]>,
    at: usize,
}

impl DocSet for GameList {
    fn advance(&mut self) -> DocId {
        self.at = (self.at + 1).min(self.docs.len());
        self.doc()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        self.at += self.docs[self.at..].partition_point(|&doc| doc < target);
        self.doc()
    }

    fn doc(&self) -> DocId {
        self.docs.get(self.at).copied().unwrap_or(TERMINATED)
    }

    fn size_hint(&self) -> u32 {
        self.docs.len() as u32
    }
}
