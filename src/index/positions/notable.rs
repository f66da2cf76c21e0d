//! The games of a long list that its sums cannot speak for.
//!
//! Sums count a game once for each continuation that it chose, at whatever ply. Who wants only the last choice of each
//! game, or only the first plies, can still use them if he knows the few games of which that is not the same; and who
//! wants to see games can be shown the best ones and those that were alone with their choice. All others are as the sums
//! say, so that a position that a million games reached is answered by looking at some twenty.

use crate::index::games::{DocId, GamesWriter};
use crate::index::pages::{Damage, PageFile, PageWriter};
use crate::index::positions::highest::highest_rated;
use crate::index::positions::{Continuation, Posting};
use crate::model::game_result::GameResult;

/// A place from which on a game is late: what Lichess's database of online games does not look at.
pub(crate) const LATE: u16 = 50;
/// How many of the highest rated games with a result and a continuation are notable.
pub(crate) const BEST_GAMES: usize = 15;

/// Section numbers in the file, after those of the dense part.
const GAMES: usize = 6;
const DIRECTORY: usize = 7;
/// A row of the directory: a key, and the number of games of all rows up to its own.
const ROW_BYTES: usize = 16;

/// Gathers notable games, list by list, in the order of keys.
#[derive(Default)]
pub(super) struct NotableWriter {
    games: Vec<u8>,
    directory: Vec<u8>,
}

impl NotableWriter {
    /// Adds the notable games of a list; postings ascend by game and place.
    pub(super) fn list(&mut self, key: u64, postings: &[Posting], games: &GamesWriter) {
        for doc in notable(postings, games) {
            self.games.extend_from_slice(&doc.to_le_bytes());
        }
        let n_games = (self.games.len() / size_of::<DocId>()) as u64;
        self.directory.extend_from_slice(&key.to_le_bytes());
        self.directory.extend_from_slice(&n_games.to_le_bytes());
    }

    pub(super) fn write(&self, out: &mut PageWriter) -> std::io::Result<()> {
        out.write(&self.games)?;
        out.end_section();
        out.write(&self.directory)?;
        out.end_section();
        Ok(())
    }
}

/// The notable games of a list, ascending.
fn notable(postings: &[Posting], games: &GamesWriter) -> Vec<DocId> {
    let mut found = Vec::new();
    let mut with_move = Vec::new();
    // Of each continuation, the first game with a result, and whether there is another one.
    let mut alone: Vec<(Continuation, DocId, bool)> = Vec::new();
    for game in postings.chunk_by(|a, b| a.doc == b.doc) {
        let doc = game[0].doc;
        if game.len() > 1 || game[0].ply >= LATE {
            found.push(doc);
        }
        if games.facts(doc).result == GameResult::Unknown {
            continue;
        }
        for posting in game.iter().filter(|p| p.next.is_move()) {
            match alone.iter_mut().find(|(next, ..)| *next == posting.next) {
                Some((_, first, shared)) => *shared |= *first != doc,
                None => alone.push((posting.next, doc, false)),
            }
        }
        if game.iter().any(|p| p.next.is_move()) {
            with_move.push(doc);
        }
    }
    let best = highest_rated(
        with_move,
        BEST_GAMES,
        |doc| games.facts(doc),
        |doc| games.sequence(doc),
    );
    found.extend(best.into_iter().map(|(.., doc)| doc));
    found.extend(
        alone
            .into_iter()
            .filter(|(.., shared)| !shared)
            .map(|(_, doc, _)| doc),
    );
    found.sort_unstable();
    found.dedup();
    found
}

/// The notable games of the list of a key, ascending; `None` in a file that was written before there were any.
pub(super) fn lookup(file: &PageFile, key: u64) -> Result<Option<Vec<DocId>>, Damage> {
    let (games, directory) = (file.section(GAMES), file.section(DIRECTORY));
    let number = |at: usize| -> Result<u64, Damage> {
        let bytes = file.read(at..at + 8)?;
        Ok(u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
    };
    let row = |idx: usize| directory.start + idx * ROW_BYTES;
    let (mut low, mut high) = (0, directory.len() / ROW_BYTES);
    while low < high {
        let middle = low.midpoint(high);
        if number(row(middle))? < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if low == directory.len() / ROW_BYTES || number(row(low))? != key {
        return Ok(None);
    }
    let at = |n_games: u64| {
        let bytes = usize::try_from(n_games)
            .ok()?
            .checked_mul(size_of::<DocId>())?;
        games.start.checked_add(bytes).filter(|at| *at <= games.end)
    };
    let before = if low == 0 {
        0
    } else {
        number(row(low - 1) + 8)?
    };
    let range = at(before).zip(at(number(row(low) + 8)?));
    let (start, end) = range.ok_or("notable games are beyond their section")?;
    let bytes = file.read(start..end)?;
    let docs = bytes.chunks_exact(size_of::<DocId>());
    Ok(Some(
        docs.map(|doc| DocId::from_le_bytes(doc.try_into().unwrap_or_default()))
            .collect(),
    ))
}
