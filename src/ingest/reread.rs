//! Texts that the index has already, and that are read in another way now.
//!
//! Who imports a file again in other letters, in another notation or encoding wants its games read so, and not once more.
//! The games of the first reading go in the commit that brings those of the second, all of them and not only those that
//! were cut: then the index is the one that the second reading alone would have made. A reading that finds fewer moves
//! than the index has is refused, because the moves that are there would be lost by it.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::index::writer::Import;
use crate::index::{IndexStore, Manifest, SequenceQuery};
use crate::ingest::report::ChunkCount;

/// A source of this import, and those that have its text in another reading, by their places in the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reread {
    pub(super) source: usize,
    pub(super) old: Vec<usize>,
}

/// A source that was read again in another way.
///
/// ```json
/// {"source":"club.pgn","games":120,"replaced":120}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RereadSource {
    /// The source.
    pub source: String,
    /// Its games that are in the index now.
    pub games: u64,
    /// Games of the reading before, which are gone.
    pub replaced: u64,
}

impl Reread {
    /// Takes the games of the old readings out of the index and of what the manifest counts, given what was in the new
    /// chunks, whose sources count from `n_old_sources`. Nothing is done if other sources need those games.
    ///
    /// # Errors
    ///
    /// When moves would be lost, or the index is damaged.
    pub(super) fn replace(
        &self,
        store: &IndexStore,
        import: &Import,
        manifest: &mut Manifest,
        n_old_sources: usize,
        chunks: &[ChunkCount],
    ) -> Result<Option<RereadSource>> {
        let doomed = doomed(manifest, &self.old);
        if doomed.is_empty() {
            return Ok(None);
        }
        let new = chunks
            .iter()
            .filter(|chunk| n_old_sources + chunk.source_idx == self.source);
        let (mut n_games, mut n_rejected, mut n_plies) = (0, 0, 0);
        for chunk in new {
            n_games += u64::from(chunk.n_games);
            n_rejected += u64::from(chunk.n_rejected);
            n_plies += chunk.n_plies;
        }
        // A text whose beginning is known in this reading brought only its end.
        let before = |idx: usize| manifest.sources[idx].continues.map(|before| before.source);
        let chain = std::iter::successors(before(self.source), |&idx| before(idx)).collect();
        let known = SequenceQuery::of_sources(manifest, &chain).leaving(store)?;
        (n_games, n_plies) = (n_games + known.games, n_plies + known.plies);
        let name = manifest.sources[self.source].name.clone();
        let query = SequenceQuery::of_sources(manifest, &doomed);
        let leaving = query.leaving(store)?;
        if n_plies < leaving.plies {
            return Err(Error::FewerMoves {
                name,
                before: leaving.plies,
                now: n_plies,
            });
        }
        leaving.leave(manifest);
        // What was left out of the first reading is left out of the second: how letters are read makes no start position.
        let n_read: u64 = doomed
            .iter()
            .map(|&idx| manifest.sources[idx].n_games())
            .sum();
        let rejected_before = n_read.saturating_sub(leaving.games).min(n_rejected);
        manifest.n_rejected = manifest.n_rejected.saturating_sub(rejected_before);
        for idx in doomed {
            manifest.sources[idx].replaced_by = Some(self.source);
        }
        import.replace(query)?;
        Ok(Some(RereadSource {
            source: name,
            games: n_games - n_rejected,
            replaced: leaving.games,
        }))
    }
}

/// The sources whose games go with `old`: these, and those that they continue, unless other sources continue them, too.
fn doomed(manifest: &Manifest, old: &[usize]) -> BTreeSet<usize> {
    let before = |idx: usize| manifest.sources[idx].continues.map(|before| before.source);
    let is_there = |idx: &usize| manifest.sources[*idx].replaced_by.is_none();
    let mut doomed = BTreeSet::new();
    for &idx in old {
        // A source continues one that came earlier, so that this ends.
        let chain = std::iter::successors(Some(idx), |&idx| before(idx).filter(|&b| b < idx));
        doomed.extend(chain.filter(is_there));
    }
    loop {
        let all = 0..manifest.sources.len();
        let mut stay = all.filter(|idx| is_there(idx) && !doomed.contains(idx));
        match stay.find_map(|idx| before(idx).filter(|b| doomed.contains(b))) {
            Some(needed) => doomed.remove(&needed),
            None => return doomed,
        };
    }
}
