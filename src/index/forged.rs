//! Runs the decoders of the ply plugin over bytes that nobody wrote: the entrance for fuzzing, and nothing else.
//!
//! The checksums of pages stop chance damage before a decoder sees it, and so they would stop a fuzzer too. Here they
//! are set right first, as somebody could who wants to harm a reader of his index.

use tantivy::directory::FileSlice;

use crate::index::games::GamesReader;
use crate::index::moves::MovesReader;
use crate::index::pages::{Damage, PageFile, with_right_sums};
use crate::index::positions::PositionsReader;

/// Which table of a segment some bytes are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// `.games`
    Games,
    /// `.positions`
    Positions,
    /// `.moves`
    Moves,
}

/// Most games that a forged table may claim: what is decoded for each of them must end soon.
const MOST_GAMES: u32 = 1 << 16;

/// Reads everything that a table holds, after its checksums were set right, and returns the number of entries.
///
/// # Errors
///
/// What is wrong with the table, in one clause.
pub fn read_forged(table: Table, bytes: &[u8], n_games: u32) -> Result<u64, Damage> {
    let n_games = n_games.min(MOST_GAMES);
    let bytes = with_right_sums(bytes).ok_or("no file of pages")?;
    let file = PageFile::open(&FileSlice::from(bytes))?;
    match table {
        Table::Games => games(&GamesReader::open(file, n_games)?),
        Table::Positions => positions(&PositionsReader::open(file)?),
        Table::Moves => moves(&MovesReader::open(file)?),
    }
}

fn games(games: &GamesReader) -> Result<u64, Damage> {
    let (starts, facts, sequences) = (games.starts()?, games.facts()?, games.sequences()?);
    let n_games = games.n_games() as u32;
    for doc in 0..n_games {
        let _ = (starts.n_slots(doc), facts.get(doc), sequences.get(doc));
        games.checksum(doc)?;
        starts.doc_of(starts.get(doc as usize), doc);
    }
    for run in games.runs()? {
        if run.end > n_games {
            return Err("a run ends beyond the games".to_owned());
        }
    }
    Ok(u64::from(n_games))
}

fn positions(positions: &PositionsReader) -> Result<u64, Damage> {
    let mut n_postings = 0;
    let mut keys = Vec::new();
    positions.each_sparse(|key, _| {
        n_postings += 1;
        keys.push(key);
        Ok(())
    })?;
    positions.each_dense(|key, list| {
        n_postings += list.decode()?.len() as u64;
        let _ = list.sums();
        keys.push(key);
        Ok(())
    })?;
    // A lookup takes another way than a walk: it guesses where a key stands.
    keys.truncate(1000);
    let mut docs = Vec::new();
    for key in keys {
        docs.clear();
        positions.candidates(key, &mut docs)?;
        if let Some(list) = positions.dense(key)? {
            let _ = list.postings_from(1).take(1000).count();
        }
    }
    Ok(n_postings)
}

fn moves(moves: &MovesReader) -> Result<u64, Damage> {
    let mut n_slots = 0;
    let mut slots = Vec::new();
    for list in moves.lists()? {
        slots.clear();
        moves.slots(list, &mut slots)?;
        n_slots += slots.len() as u64;
    }
    Ok(n_slots)
}
