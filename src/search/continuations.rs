//! What was played from a position, counted as the Lichess opening explorer counts.
//!
//! The rules differ from those of [`explore`](crate::search::Explorer) in ways that change numbers. A game counts with
//! the **last** move that it played from the position and with no other, so that a repetition is one game of one move.
//! A game that ended there played no move and does not count, nor does a game without a known result, and nothing after
//! the first so many plies is looked at, if the asker says so.

mod counter;
mod greatest;
mod judge;
mod ready;
mod sums;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use shakmaty::variant::VariantPosition;
use shakmaty::{Color, Move, Position};
use tantivy::query::{AllQuery, BooleanQuery, Occur, Query};

use crate::error::{Error, Result};
use crate::index::DocId;
use crate::index::fold::{fold, words};
use crate::model::game_result::GameResult;
use crate::model::speed::Speed;
use crate::model::variant::Variant;
use crate::search::continuations::counter::Counter;
use crate::search::continuations::judge::Judge;
use crate::search::continuations::ready::is_plain;
use crate::search::position::{Wanted, find};
use crate::search::{Pace, Searcher};

/// Which games count, and how far into them.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only moves among the first so many plies.
    pub most_plies: Option<u32>,
    /// Only games of these speeds.
    pub speeds: Option<Vec<Speed>>,
    /// Only games whose mean rating, rounded down, is in one of these ranges.
    pub ratings: Option<Vec<RangeInclusive<u16>>>,
    /// Only games all of whose possible days (YYYYMMDD) are these or later.
    pub since: Option<u32>,
    /// Only games all of whose possible days are these or earlier.
    pub until: Option<u32>,
    /// Only games in which this player had this colour.
    pub player: Option<(String, Color)>,
    /// Only games of these modes; rated is what does not say that it is casual.
    pub modes: Option<Vec<Mode>>,
}

/// Whether a game changed ratings, as Lichess says it in the Event tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It did.
    Rated,
    /// It did not.
    Casual,
}

impl Mode {
    /// The word of the Event tag that says so: `Rated Blitz game`, `Casual Rapid game`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Mode::Rated => "rated",
            Mode::Casual => "casual",
        }
    }

    /// What an Event tag says.
    pub(crate) fn of_event(event: &str) -> Option<Mode> {
        let folded = fold(event);
        let says = |mode: &Mode| words(&folded).any(|word| word == mode.word());
        [Mode::Rated, Mode::Casual].into_iter().find(says)
    }
}

/// How much is wanted besides the counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    /// The highest rated games, at most so many.
    pub n_top: usize,
    /// Least mean rating of these.
    pub top_rating: u16,
    /// The games that were imported last, at most so many.
    pub n_recent: usize,
    /// Counts by month.
    pub history: bool,
}

/// What was played from a position.
#[derive(Clone, Debug, Default)]
pub struct Continuations {
    /// All games that count.
    pub results: Results,
    /// Moves, most games first; among equals by UCI.
    pub moves: Vec<MoveCount>,
    /// The highest rated games; among equals those that were imported first.
    pub top: Vec<GameAt>,
    /// The games that were imported last, the last one first.
    pub recent: Vec<GameAt>,
    /// Games by month (YYYYMM), those of no known month left out.
    pub history: BTreeMap<u32, Results>,
}

/// Games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
}

impl Results {
    /// All games.
    pub fn games(self) -> u64 {
        self.white + self.draws + self.black
    }

    fn add(&mut self, result: GameResult) {
        match result {
            GameResult::White => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Black => self.black += 1,
            GameResult::Unknown => {}
        }
    }

    fn merge(&mut self, other: Results) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
    }
}

/// The games that played a move.
#[derive(Clone, Debug)]
pub struct MoveCount {
    /// The move.
    pub played: Move,
    /// How they ended.
    pub results: Results,
    /// Mean rating of the side that made it; `None` without ratings.
    pub average_rating: Option<u64>,
    /// Mean rating of the other side.
    pub average_opponent_rating: Option<u64>,
    /// Rating performance of the side that made it.
    pub performance: Option<i64>,
    /// The game, if it is the only one.
    pub game: Option<GameAt>,
}

/// A game that reached the position, and the move that it played there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameAt {
    pub(crate) segment: usize,
    pub(crate) doc: DocId,
    /// The move.
    pub played: Move,
}

/// How the games of a list are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By the sums that stand ready in it, where there are any.
    Ready,
    /// One by one.
    Scan,
}

impl Searcher {
    /// Counts what was played from a position in the main lines of the games of a variant.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn continuations(
        &self,
        pos: &VariantPosition,
        variant: Variant,
        selection: &Selection,
        wishes: Wishes,
    ) -> Result<Continuations> {
        let quick = if is_plain(selection, wishes) {
            self.count_continuations(pos, variant, selection, wishes, Way::Ready)?
        } else {
            None
        };
        match quick {
            Some(quick) => Ok(quick),
            None => Ok(self
                .count_continuations(pos, variant, selection, wishes, Way::Scan)?
                .unwrap_or_default()),
        }
    }

    /// `None` when ready sums do not suffice.
    fn count_continuations(
        &self,
        pos: &VariantPosition,
        variant: Variant,
        selection: &Selection,
        wishes: Wishes,
        way: Way,
    ) -> Result<Option<Continuations>> {
        let wanted = Wanted {
            pos: pos.clone(),
            variant,
            in_variations: false,
        };
        let listed = self.listed(selection)?;
        let count = |segment: usize| {
            let view = &self.views[segment];
            let mut counter = Counter::new(self, selection, wishes, pos.turn());
            counter.segment = segment;
            let mut found = find(self, segment, &wanted)?;
            let judge = Judge::new(view, selection, wishes.history)?;
            let listed = listed.as_ref().map(|listed| &listed[segment][..]);
            if let Some(docs) = listed {
                found.sparse.retain(|p| docs.binary_search(&p.doc).is_ok());
            }
            // These games were looked at already, so they are alive; no game is in both parts.
            counter.add(&judge, found.sparse.into_iter())?;
            let Some(list) = &found.dense else {
                return Ok(counter);
            };
            let notable = match way {
                Way::Ready => view.notable(wanted.key())?,
                Way::Scan => None,
            };
            let is_added = match notable {
                Some(notable) => counter.add_ready(view, list, &notable)?,
                None => false,
            };
            if !is_added {
                counter.add_list(&judge, listed, list)?;
            }
            Ok(counter)
        };
        let pace = match way {
            Way::Ready => Pace::Short,
            Way::Scan => Pace::Long,
        };
        let mut total = Counter::new(self, selection, wishes, pos.turn());
        for counter in self.of_segments(pace, count)? {
            total.merge(counter);
        }
        Ok(total.finish(pos))
    }

    /// The games of a player and a mode, segment by segment; `None` when neither is asked for.
    fn listed(&self, selection: &Selection) -> Result<Option<Vec<Vec<DocId>>>> {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        if let Some((name, color)) = &selection.player {
            let tag = if color.is_white() { "White" } else { "Black" };
            clauses.push((Occur::Must, self.valued(tag, name)));
        }
        match selection.modes.as_deref() {
            Some([]) => return Ok(Some(vec![Vec::new(); self.views.len()])),
            Some([mode]) => {
                let casual = self.text(&["Event"], Mode::Casual.word(), false);
                let occur = match mode {
                    Mode::Rated => Occur::MustNot,
                    Mode::Casual => Occur::Must,
                };
                clauses.push((occur, casual.map_err(Error::Index)?));
            }
            Some(_) | None => {}
        }
        if clauses.is_empty() {
            return Ok(None);
        }
        // What is only excluded is excluded from everything.
        clauses.push((Occur::Must, Box::new(AllQuery)));
        self.matching(&BooleanQuery::new(clauses)).map(Some)
    }
}
