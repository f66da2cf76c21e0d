//! Finds games that an index holds more than once.
//!
//! What is the same game is a judgement (`evidence`), and what is done for it is not: the survivor of a group is the game
//! with the longer main line, then the one richer in comments and variations, then the one whose tags say more, then
//! the one that was imported first.

mod beginnings;
mod evidence;
mod face;
mod groups;
mod lines;
mod names;

use std::path::Path;

use serde::Serialize;

use crate::error::Result;
use crate::index::DocId;
use crate::search::remove::remove_chosen;
use crate::search::{Consent, Searcher};

/// Which games are duplicates. Each mode finds what the one before finds, and more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DedupeMode {
    /// The same moves, and the same players but for case, accents and punctuation; nothing that says they are two.
    Exact,
    /// The same moves, and players that can be the same: initials, order of names, transcription.
    Near,
    /// Also games that are the beginning of another.
    Embedded,
}

/// Duplicates in an index.
///
/// ```json
/// {"groups":[[17,3],[20,44,45]],"games":3,"left":97,"dry_run":true}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Duplicates {
    /// Numbers of the games of each group: the survivor first, the others ascending. Groups in the order of survivors.
    pub groups: Vec<Vec<u64>>,
    /// Games that were removed, or would be.
    pub games: u64,
    /// Games that the index has after that.
    pub left: u64,
    /// Whether nothing was changed.
    pub dry_run: bool,
}

/// Finds duplicates and removes all but the survivor of each group, unless it is a dry run.
///
/// # Errors
///
/// When the index is missing, damaged or being written, or the disk is full. Nothing is removed then.
pub fn dedupe(path: &Path, mode: DedupeMode, consent: Consent) -> Result<Duplicates> {
    let mut groups = Vec::new();
    let removal = remove_chosen(path, consent, |searcher| {
        let found = searcher.duplicates(mode)?;
        groups = found.groups;
        Ok(found.doomed)
    })?;
    Ok(Duplicates {
        groups,
        games: removal.games,
        left: removal.left,
        dry_run: removal.dry_run,
    })
}

/// Groups, and the games that would go, ascending in each segment.
pub(crate) struct Found {
    pub(crate) groups: Vec<Vec<u64>>,
    pub(crate) doomed: Vec<Vec<DocId>>,
}

impl Searcher {
    /// Finds duplicates.
    pub(crate) fn duplicates(&self, mode: DedupeMode) -> Result<Found> {
        let (mut candidates, texts) = face::read_all(self)?;
        lines::hash_lines(self, &mut candidates)?;
        let mut found = Found {
            groups: Vec::new(),
            doomed: vec![Vec::new(); self.views.len()],
        };
        for group in groups::find(self, &candidates, &texts, mode)? {
            let mut ids = Vec::new();
            for (nth, &member) in group.members.iter().enumerate() {
                let candidate = &candidates[member as usize];
                ids.push(candidate.id);
                if nth > 0 {
                    found.doomed[candidate.segment as usize].push(candidate.doc);
                }
            }
            ids[1..].sort_unstable();
            found.groups.push(ids);
        }
        found.groups.sort_unstable();
        for docs in &mut found.doomed {
            docs.sort_unstable();
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
