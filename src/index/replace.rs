//! Takes out games by their place in the order of import, when an import brings a longer version of one or reads a source
//! again.
//!
//! A merge may run while an import adds segments, so games are named by their sequence, which a merge keeps, and not by
//! segment and doc, which it does not.

use std::collections::BTreeSet;
use std::ops::Range;
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

/// Matches the games with sequences in these ranges, which are ascending and apart.
#[derive(Clone, Debug)]
pub(crate) struct SequenceQuery(Arc<[Range<u64>]>);

/// Games that are to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leaving {
    pub(crate) games: u64,
    pub(crate) partial: u64,
    /// Plies of their main lines.
    pub(crate) plies: u64,
}

impl SequenceQuery {
    /// A query for the last game of each of these sources.
    pub(crate) fn of_last_games(manifest: &Manifest, sources: &[usize]) -> SequenceQuery {
        let mut sequences: Vec<u64> = sources
            .iter()
            .filter_map(|&source| last_sequence(manifest, source))
            .collect();
        sequences.sort_unstable();
        sequences.dedup();
        let ranges = sequences.into_iter().map(|sequence| sequence..sequence + 1);
        SequenceQuery(ranges.collect())
    }

    /// A query for all games that these sources brought.
    pub(crate) fn of_sources(manifest: &Manifest, sources: &BTreeSet<usize>) -> SequenceQuery {
        let mut first = 0;
        let mut ranges = Vec::new();
        for (source, entry) in manifest.sources.iter().enumerate() {
            let end = first + entry.chunks.len() as u64;
            if sources.contains(&source) && first < end {
                ranges.push(first << GAME_BITS..end << GAME_BITS);
            }
            first = end;
        }
        SequenceQuery(ranges.into())
    }

    /// What would go with these games.
    pub(crate) fn leaving(&self, store: &IndexStore) -> Result<Leaving> {
        let mut leaving = Leaving::default();
        let searcher = store.reader()?.searcher();
        for segment in searcher.segment_readers() {
            let view = SegmentView::open(segment, store.path())?;
            let (status, plies) = (view.column(Column::Status)?, view.column(Column::Plies)?);
            let docs = docs_of(&view.plies, &self.0).map_err(|e| view.damaged(e))?;
            for doc in docs.into_iter().filter(|&doc| view.is_alive(doc)) {
                leaving.games += 1;
                leaving.partial += status.first(doc).unwrap_or_default();
                leaving.plies += plies.first(doc).unwrap_or_default();
            }
        }
        Ok(leaving)
    }
}

impl Leaving {
    /// Takes them from what the manifest counts.
    pub(crate) fn leave(self, manifest: &mut Manifest) {
        manifest.n_games = manifest.n_games.saturating_sub(self.games);
        manifest.n_partial = manifest.n_partial.saturating_sub(self.partial);
        manifest.n_plies = manifest.n_plies.saturating_sub(self.plies);
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

/// The games of a segment with sequences in these ranges, ascending. Within a run games stand in the order of their
/// sequences.
fn docs_of(plies: &PlyReader, ranges: &[Range<u64>]) -> Result<Vec<DocId>, String> {
    let table = plies.games.sequences()?;
    let mut docs = Vec::new();
    for run in plies.games.runs()? {
        // The first game of the run from a sequence on.
        let from = |sequence: u64| {
            let (mut low, mut high) = (run.start, run.end);
            while low < high {
                let middle = low + (high - low) / 2;
                if table.get(middle) < sequence {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        for range in ranges {
            docs.extend(from(range.start)..from(range.end));
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
