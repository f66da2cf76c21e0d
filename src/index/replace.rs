//! Takes out single games by their place in the order of import, when an import brings a longer version of them.
//!
//! A merge may run while an import adds segments, so games are named by their sequence, which a merge keeps, and not by
//! segment and doc, which it does not.

use std::sync::Arc;

use tantivy::SegmentReader;
use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};

use crate::error::Result;
use crate::index::IndexStore;
use crate::index::games::DocId;
use crate::index::games_query::scorer_of;
use crate::index::manifest::Manifest;
use crate::index::plugin::PlyReader;
use crate::index::schema::{Column, GAME_BITS};
use crate::index::segment::SegmentView;

/// Matches the games with these sequences.
#[derive(Clone, Debug)]
pub(crate) struct SequenceQuery(Arc<[u64]>);

impl SequenceQuery {
    /// A query for the last game of each of these sources, and `manifest` without what it counts of them.
    pub(crate) fn of_last_games(
        store: &IndexStore,
        sources: &[usize],
        manifest: &mut Manifest,
    ) -> Result<SequenceQuery> {
        let mut sequences: Vec<u64> = sources
            .iter()
            .filter_map(|&source| last_sequence(manifest, source))
            .collect();
        sequences.sort_unstable();
        sequences.dedup();
        let searcher = store.reader()?.searcher();
        for segment in searcher.segment_readers() {
            let view = SegmentView::open(segment, store.path())?;
            let (status, plies) = (view.column(Column::Status)?, view.column(Column::Plies)?);
            let docs = docs_of(&view.plies, &sequences).map_err(|e| view.damaged(e))?;
            for doc in docs.into_iter().filter(|&doc| view.is_alive(doc)) {
                let less = |n: u64, by: Option<u64>| n.saturating_sub(by.unwrap_or_default());
                manifest.n_games = less(manifest.n_games, Some(1));
                manifest.n_partial = less(manifest.n_partial, status.first(doc));
                manifest.n_plies = less(manifest.n_plies, plies.first(doc));
            }
        }
        Ok(SequenceQuery(sequences.into()))
    }
}

/// The sequence of the last game of a source, which a version before it may have brought.
fn last_sequence(manifest: &Manifest, mut source: usize) -> Option<u64> {
    loop {
        let entry = manifest.sources.get(source)?;
        if let Some(within) = entry.chunks.iter().rposition(|&n_games| n_games > 0) {
            let before = manifest.sources[..source].iter();
            let n_chunks = before.map(|s| s.chunks.len() as u64).sum::<u64>() + within as u64;
            return Some(n_chunks << GAME_BITS | u64::from(entry.chunks[within] - 1));
        }
        source = entry
            .continues
            .map(|before| before.source)
            .filter(|&s| s < source)?;
    }
}

/// The games of a segment with these sequences, ascending. Within a run games stand in the order of their sequences.
fn docs_of(plies: &PlyReader, sequences: &[u64]) -> Result<Vec<DocId>, String> {
    let table = plies.games.sequences()?;
    let mut docs = Vec::new();
    for run in plies.games.runs()? {
        for &sequence in sequences {
            let (mut low, mut high) = (run.start, run.end);
            while low < high {
                let middle = low + (high - low) / 2;
                if table.get(middle) < sequence {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if low < run.end && table.get(low) == sequence {
                docs.push(low);
            }
        }
    }
    docs.sort_unstable();
    Ok(docs)
}

impl Query for SequenceQuery {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for SequenceQuery {
    fn scorer(
        &self,
        reader: &SegmentReader,
        boost: tantivy::Score,
    ) -> tantivy::Result<Box<dyn Scorer>> {
        let docs = PlyReader::open(reader).and_then(|plies| docs_of(&plies, &self.0));
        let docs = docs.map_err(tantivy::TantivyError::InternalError)?;
        Ok(scorer_of(docs.into(), boost))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new(
            "the game has the sequence or has not",
            1.0,
        ))
    }
}
