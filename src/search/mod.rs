//! Questions and answers: the query language, hits with their plies, and opening statistics.
//!
//! A query is parsed by tantivy's grammar. Header clauses become tantivy queries; chess clauses are answered by the ply
//! plugin, which says where in which games they match, and join the others as lists of games. Hits come in the order of
//! import, whatever the number of threads or segments was.

mod chess;
mod compile;
mod confirmed;
mod continuations;
mod dedupe;
mod explore;
mod fields;
mod hits;
mod latency;
mod limits;
mod lookup;
mod matches;
mod openings;
mod performance;
mod position;
mod position_view;
mod remove;
mod stored;
mod summary;
mod survey;

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use tantivy::index::SegmentId;

pub use chess::after as position_after;
pub use continuations::{Continuations, GameAt, Mode, MoveCount, Results, Selection, Wishes};
pub use dedupe::{DedupeMode, Duplicates, dedupe};
pub use explore::{Exploration, ExploredMove, Explorer};
pub use hits::{Hit, HitCount, HitList, SortKey, SortOrder};
pub use latency::{Latency, Question};
pub use limits::Limits;
pub use openings::{Opening, opening_after, opening_of, opening_on};
pub use performance::performance;
pub use position::LineScope;
pub use position_view::{LegalMove, LineMove, PositionView};
pub use remove::{Consent, Removal, remove};
pub use stored::{StoredGame, TagMap};
pub use summary::GameSummary;
pub use survey::{RatingCount, ResultCount, SourceCount, Survey, YearCount};

use crate::error::{Error, Result};
use crate::index::schema::Column;
use crate::index::{Addresses, DocId, GameAddress, IndexStore, SegmentView, undisturbed};
use crate::notation::GameReading;
use crate::search::confirmed::Confirmed;

/// An index opened for questions. It answers from the commit that it was opened on, whatever is imported meanwhile.
///
/// A clone is the same opened index and costs next to nothing.
#[derive(Clone, Debug)]
pub struct Searcher {
    store: Arc<IndexStore>,
    snapshot: tantivy::Searcher,
    pub(crate) views: Arc<[SegmentView]>,
    addresses: Arc<Addresses>,
    readings: Arc<[GameReading]>,
    confirmed: Arc<Confirmed>,
    limits: Limits,
}

/// How long a question takes in a segment. Waking other threads takes longer than a look at ready sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Some microseconds.
    Short,
    /// Milliseconds: lists are read from end to end.
    Long,
}

impl Searcher {
    /// Opens an index.
    ///
    /// # Errors
    ///
    /// When there is none, or a foreign, newer or damaged one.
    pub fn open(path: &Path) -> Result<Searcher> {
        undisturbed(path, || Searcher::open_once(path))
    }

    fn open_once(path: &Path) -> Result<Searcher> {
        let store = IndexStore::open(path)?;
        let snapshot = store.reader()?.searcher();
        let mut views = Vec::new();
        for segment in snapshot.segment_readers() {
            views.push(SegmentView::open(segment, path)?);
        }
        let addresses = Addresses::new(store.manifest());
        let readings = store
            .manifest()
            .sources
            .iter()
            .map(crate::index::SourceEntry::reading)
            .collect();
        Ok(Searcher {
            store: Arc::new(store),
            snapshot,
            views: views.into(),
            addresses: Arc::new(addresses),
            readings,
            confirmed: Arc::default(),
            limits: Limits::default(),
        })
    }

    /// The index.
    pub fn store(&self) -> &IndexStore {
        &self.store
    }

    pub(crate) fn tantivy(&self) -> &tantivy::Searcher {
        &self.snapshot
    }

    pub(crate) fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    pub(crate) fn segment_ids(&self) -> Vec<SegmentId> {
        self.views
            .iter()
            .map(|view| view.reader.segment_id())
            .collect()
    }

    /// What `of_segment` makes of each segment, in their order: on all cores if it takes long.
    pub(crate) fn of_segments<T: Send>(
        &self,
        pace: Pace,
        of_segment: impl Fn(usize) -> Result<T> + Sync + Send,
    ) -> Result<Vec<T>> {
        let segments = 0..self.views.len();
        match pace {
            Pace::Short => segments.map(of_segment).collect(),
            Pace::Long => segments.into_par_iter().map(of_segment).collect(),
        }
    }

    /// Where a game stands among all games.
    pub(crate) fn address_of(&self, segment: usize, doc: DocId) -> Result<GameAddress> {
        let view = &self.views[segment];
        self.addresses
            .get(view.sequences()?.get(doc))
            .ok_or_else(|| view.damaged(format!("game {doc} has no place in the manifest")))
    }

    /// How the moves of a game are written.
    pub(crate) fn reading_of(&self, segment: usize, doc: DocId) -> Result<GameReading> {
        if self
            .readings
            .iter()
            .all(|reading| *reading == GameReading::default())
        {
            return Ok(GameReading::default());
        }
        let address = self.address_of(segment, doc)?;
        Ok(self
            .readings
            .get(address.source)
            .copied()
            .unwrap_or_default())
    }

    /// Reads a stored game.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub(crate) fn stored(&self, segment: usize, doc: DocId) -> Result<StoredGame> {
        let view = &self.views[segment];
        let address = self.address_of(segment, doc)?;
        let offset = view.column(Column::Offset)?.first(doc).unwrap_or_default();
        let bytes = view.game_bytes(doc)?;
        let source = &self.store.manifest().sources[address.source];
        let reading = self
            .readings
            .get(address.source)
            .copied()
            .unwrap_or_default();
        StoredGame::new(bytes, reading, address, source.name.clone(), offset)
            .ok_or_else(|| view.damaged(format!("the bytes of game {doc} hold no game")))
    }

    /// Names damage found while searching.
    pub(crate) fn search_error(&self, error: tantivy::TantivyError) -> Error {
        crate::index::index_error(self.store.path(), error)
    }
}
