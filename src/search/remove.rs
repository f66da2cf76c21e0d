//! Takes games out of an index: which ones is a question to the search, so this stands here and not with the writers.
//!
//! The lock is taken first and the index is opened after it, so that what is counted and shown is what goes. The games
//! are only marked; their bytes and plies are left out of the next merge of their segment. Numbers and sources of the
//! games that stay are as they were. A source that games were removed from is still one that the index knows: importing
//! it again is `unchanged` and brings nothing back.

use std::path::Path;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::index::schema::Column;
use crate::index::writer::Import;
use crate::index::{DocId, GamesQuery, IndexStore};
use crate::notation::Reading;
use crate::search::Searcher;
use crate::search::compile::compile;

/// Whether games may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Only say which ones would.
    DryRun,
    /// If they are at most one in a hundred.
    Few,
    /// However many they are.
    All,
}

/// What was removed, or would be.
///
/// ```json
/// {"games":2,"left":98,"dry_run":false,"ids":[4,17]}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Removal {
    /// Games that went.
    pub games: u64,
    /// Games that the index has after that.
    pub left: u64,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// Numbers of the games in the index, ascending.
    pub ids: Vec<u64>,
    /// How ambiguous piece letters in the query were read.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// Removes the games that match a query.
///
/// # Errors
///
/// When the query cannot be read or is empty, more games match than there is consent for, the index is missing, damaged
/// or being written, or the disk is full. Nothing is removed then.
pub fn remove(path: &Path, query: &str, reading: Reading, consent: Consent) -> Result<Removal> {
    // A search may leave its query out. A script with an unset variable must not empty an index.
    if query.trim().is_empty() {
        return Err(Error::Query {
            column: 1,
            message: "an empty query; * removes all games".to_owned(),
        });
    }
    let mut notes = Vec::new();
    let mut removal = remove_chosen(path, consent, |searcher| {
        // Planning finds what compiling lets pass: errors of the grammar.
        crate::search::compile::plan(query, reading)?;
        let (ast, _) = crate::search::compile::parse(query);
        let compiled = compile(searcher, query, &ast, reading)?;
        notes = compiled.notes;
        searcher.matching(&*compiled.query)
    })?;
    removal.notes = notes;
    Ok(removal)
}

/// Removes the games that `choose` names, ascending in each segment.
pub(crate) fn remove_chosen(
    path: &Path,
    consent: Consent,
    choose: impl FnOnce(&Searcher) -> Result<Vec<Vec<DocId>>>,
) -> Result<Removal> {
    if consent == Consent::DryRun {
        let searcher = Searcher::open(path)?;
        let doomed = choose(&searcher)?;
        return searcher.removal(&doomed, consent);
    }
    let store = IndexStore::open(path)?;
    let writer = Import::new(&store)?;
    let searcher = Searcher::open(path)?;
    let doomed = choose(&searcher)?;
    let removal = searcher.removal(&doomed, consent)?;
    let n_games = searcher.store().manifest().n_games;
    if consent == Consent::Few && removal.games > n_games / 100 {
        return Err(Error::TooMany {
            games: removal.games,
            of: n_games,
        });
    }
    if removal.games == 0 {
        return Ok(removal);
    }
    let mut manifest = searcher.store().manifest().clone();
    env!("CARGO_PKG_VERSION").clone_into(&mut manifest.written_by);
    manifest.n_games = removal.left;
    for (view, docs) in searcher.views.iter().zip(&doomed) {
        let (status, plies) = (view.column(Column::Status)?, view.column(Column::Plies)?);
        for &doc in docs {
            let (n_partial, n_plies) = (status.first(doc), plies.first(doc));
            let less = |count: u64, by: Option<u64>| count.saturating_sub(by.unwrap_or_default());
            manifest.n_partial = less(manifest.n_partial, n_partial);
            manifest.n_plies = less(manifest.n_plies, n_plies);
        }
    }
    writer.remove(GamesQuery::new(&searcher.segment_ids(), doomed))?;
    // Readers keep files from being cleared away on some systems.
    drop(searcher);
    writer.commit(&manifest)?;
    Ok(removal)
}

impl Searcher {
    fn removal(&self, doomed: &[Vec<DocId>], consent: Consent) -> Result<Removal> {
        let mut ids = Vec::new();
        for (segment, docs) in doomed.iter().enumerate() {
            for &doc in docs {
                ids.push(self.address_of(segment, doc)?.id);
            }
        }
        ids.sort_unstable();
        let games = ids.len() as u64;
        Ok(Removal {
            games,
            left: self.store().manifest().n_games.saturating_sub(games),
            dry_run: consent == Consent::DryRun,
            ids,
            notes: Vec::new(),
        })
    }
}
