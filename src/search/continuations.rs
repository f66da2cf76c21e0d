//! What was played from a position, counted as the Lichess opening explorer counts.
//!
//! The rules differ from those of [`explore`](crate::search::Explorer) in ways that change numbers. A game counts with
//! the **last** move that it played from the position and with no other, so that a repetition is one game of one move.
//! A game that ended there played no move and does not count, nor does a game without a known result, and nothing after
//! the first so many plies is looked at, if the asker says so.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::RangeInclusive;

use shakmaty::variant::VariantPosition;
use shakmaty::{Color, Move, Position};

use tantivy::query::{AllQuery, BooleanQuery, Occur, Query};

use crate::error::{Error, Result};
use crate::index::fold::{fold, words};
use crate::index::schema::Column;
use crate::index::{Continuation, DenseList, DocId, GameFacts, Posting, SegmentView};
use crate::model::game_result::GameResult;
use crate::model::move_token::{Check, MoveToken};
use crate::model::speed::Speed;
use crate::model::variant::Variant;
use crate::search::Searcher;
use crate::search::performance;
use crate::search::position::{Wanted, find};

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
    /// One of the games.
    pub game: GameAt,
}

/// A game that reached the position, and the move that it played there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameAt {
    pub(crate) segment: usize,
    pub(crate) doc: DocId,
    /// The move.
    pub played: Move,
}

/// A game and the move that counts, before moves have their names.
type Found = (usize, DocId, Continuation);

/// Sums of a move. Ratings are those of the side that moves and of its opponent.
#[derive(Clone, Copy)]
struct Sums {
    next: Continuation,
    results: Results,
    n_rated: u64,
    ratings: u64,
    n_opponents: u64,
    opponents: u64,
    half_points: u64,
    game: (usize, DocId),
}

/// Keeps the greatest of what it is shown.
struct Greatest<K: Ord> {
    most: usize,
    kept: BinaryHeap<Reverse<(K, Reverse<u64>, Found)>>,
}

impl<K: Ord + Copy> Greatest<K> {
    fn new(most: usize) -> Greatest<K> {
        Greatest {
            most,
            kept: BinaryHeap::new(),
        }
    }

    /// Shows a game; among equal keys the one with the lower sequence is greater.
    fn show(&mut self, key: K, sequence: impl FnOnce() -> u64, found: Found) {
        let is_full = self.kept.len() >= self.most;
        if self.most == 0
            || is_full
                && self
                    .kept
                    .peek()
                    .is_some_and(|Reverse((least, ..))| key < *least)
        {
            return;
        }
        self.kept.push(Reverse((key, Reverse(sequence()), found)));
        if self.kept.len() > self.most {
            self.kept.pop();
        }
    }

    /// What was kept, the greatest first.
    fn into_games(self) -> Vec<Found> {
        let sorted = self.kept.into_sorted_vec();
        sorted
            .into_iter()
            .map(|Reverse((.., found))| found)
            .collect()
    }
}

/// Adds games up.
struct Counter<'a> {
    wishes: Wishes,
    mover: Color,
    segment: usize,
    sums: Vec<Sums>,
    top: Greatest<u32>,
    recent: Greatest<u64>,
    history: BTreeMap<u32, Results>,
    selection: &'a Selection,
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
        let wanted = Wanted {
            pos: pos.clone(),
            variant,
            in_variations: false,
        };
        let listed = self.listed(selection)?;
        let mut counter = Counter {
            wishes,
            mover: pos.turn(),
            segment: 0,
            sums: Vec::new(),
            top: Greatest::new(wishes.n_top),
            recent: Greatest::new(wishes.n_recent),
            history: BTreeMap::new(),
            selection,
        };
        for (segment, view) in self.views.iter().enumerate() {
            counter.segment = segment;
            let found = find(self, segment, &wanted)?;
            let judge = Judge::new(view, selection, wishes.history)?;
            let listed = listed.as_ref().map(|listed| &listed[segment][..]);
            counter.add_segment(
                self,
                view,
                &judge,
                listed,
                found.sparse,
                found.dense.as_ref(),
            )?;
        }
        Ok(counter.finish(pos))
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

/// Says whether a game counts.
struct Judge<'a> {
    selection: &'a Selection,
    facts: crate::index::Facts<'a>,
    speed: Option<tantivy::columnar::Column<u64>>,
    dates: Option<[tantivy::columnar::Column<u64>; 2]>,
    since_year: u32,
    until_year: u32,
}

impl<'a> Judge<'a> {
    fn new(view: &'a SegmentView, selection: &'a Selection, history: bool) -> Result<Judge<'a>> {
        let is_dated = history || selection.since.is_some() || selection.until.is_some();
        let column = |column| view.column(column);
        Ok(Judge {
            selection,
            facts: view.facts()?,
            speed: selection
                .speeds
                .as_ref()
                .map(|_| column(Column::Speed))
                .transpose()?,
            dates: if is_dated {
                Some([column(Column::DateFirst)?, column(Column::DateLast)?])
            } else {
                None
            },
            since_year: selection.since.map_or(0, |day| day / 10_000),
            until_year: selection.until.map_or(u32::MAX, |day| day / 10_000),
        })
    }

    /// The facts of a game that counts.
    fn admit(&self, doc: DocId) -> Option<GameFacts> {
        let facts = self.facts.get(doc);
        if facts.result == GameResult::Unknown {
            return None;
        }
        if let Some(ratings) = &self.selection.ratings {
            let mean = u16::midpoint(facts.white_elo, facts.black_elo);
            let is_rated = facts.white_elo > 0 && facts.black_elo > 0;
            if !is_rated || !ratings.iter().any(|range| range.contains(&mean)) {
                return None;
            }
        }
        if self.selection.since.is_some() || self.selection.until.is_some() {
            // Only in the first and the last year of the range the day has to be looked at.
            let year = u32::from(facts.year);
            if year == 0 || year < self.since_year || year > self.until_year {
                return None;
            }
            if year == self.since_year || year == self.until_year {
                let (first, last) = self.days(doc)?;
                if self.selection.since.is_some_and(|since| first < since)
                    || self.selection.until.is_some_and(|until| last > until)
                {
                    return None;
                }
            }
        }
        if let (Some(speeds), Some(column)) = (&self.selection.speeds, &self.speed) {
            let speed = column
                .first(doc)
                .and_then(|code| Speed::ALL.get(code as usize));
            if !speed.is_some_and(|speed| speeds.contains(speed)) {
                return None;
            }
        }
        Some(facts)
    }

    /// First and last day that the date of a game can mean.
    fn days(&self, doc: DocId) -> Option<(u32, u32)> {
        let [first, last] = self.dates.as_ref()?;
        Some((first.first(doc)? as u32, last.first(doc)? as u32))
    }

    /// The month of a game, YYYYMM.
    fn month(&self, doc: DocId) -> Option<u32> {
        let (first, last) = self.days(doc)?;
        (first / 100 == last / 100).then_some(first / 100)
    }
}

/// A player's games are looked up one by one in a list that is so many times longer than they are.
const SEEK_FACTOR: usize = 64;
/// How many games are counted between two looks at the clock.
const CLOCK_EVERY: usize = 1 << 14;

impl Counter<'_> {
    fn add_segment(
        &mut self,
        searcher: &Searcher,
        view: &SegmentView,
        judge: &Judge<'_>,
        listed: Option<&[DocId]>,
        mut sparse: Vec<Posting>,
        dense: Option<&DenseList<'_>>,
    ) -> Result<()> {
        if let Some(docs) = listed {
            sparse.retain(|p| docs.binary_search(&p.doc).is_ok());
        }
        // Sparse postings are of games that were looked at already, so they are alive; no game is in both parts.
        self.add(searcher, view, judge, sparse.into_iter())?;
        let Some(list) = dense else { return Ok(()) };
        match listed {
            None => self.add(searcher, view, judge, list.postings()),
            Some(docs) if docs.len() * SEEK_FACTOR < list.n_postings() => {
                let of_game =
                    |&doc: &DocId| list.postings_from(doc).take_while(move |p| p.doc == doc);
                self.add(searcher, view, judge, docs.iter().flat_map(of_game))
            }
            Some(docs) => {
                let mut allowed = vec![false; view.reader.max_doc() as usize];
                for &doc in docs {
                    allowed[doc as usize] = true;
                }
                let is_allowed = |p: &Posting| allowed.get(p.doc as usize) == Some(&true);
                self.add(searcher, view, judge, list.postings().filter(is_allowed))
            }
        }
    }

    /// Adds the games of some postings, which ascend by game and ply.
    fn add(
        &mut self,
        searcher: &Searcher,
        view: &SegmentView,
        judge: &Judge<'_>,
        postings: impl Iterator<Item = Posting>,
    ) -> Result<()> {
        let sequences = view.sequences()?;
        let most_plies = self.selection.most_plies.unwrap_or(u32::MAX);
        let mut postings = postings
            .filter(|p| u32::from(p.ply) < most_plies)
            .filter(|p| p.next != Continuation::END && p.next != Continuation::NULL)
            .peekable();
        let mut n_games = 0usize;
        while let Some(posting) = postings.next() {
            // The last posting of a game decides.
            if postings.peek().is_some_and(|next| next.doc == posting.doc) {
                continue;
            }
            n_games += 1;
            if n_games.is_multiple_of(CLOCK_EVERY) {
                searcher.check_time()?;
            }
            let Posting { doc, next, .. } = posting;
            if !view.is_alive(doc) {
                continue;
            }
            if let Some(facts) = judge.admit(doc) {
                self.count(next, doc, facts);
                let found = (self.segment, doc, next);
                let rating = u32::from(facts.white_elo) + u32::from(facts.black_elo);
                let is_top = rating >= 2 * u32::from(self.wishes.top_rating)
                    && (self.wishes.top_rating == 0 || facts.white_elo > 0 && facts.black_elo > 0);
                if is_top {
                    self.top.show(rating, || sequences.get(doc), found);
                }
                if self.wishes.n_recent > 0 {
                    self.recent.show(sequences.get(doc), || 0, found);
                }
                if self.wishes.history
                    && let Some(month) = judge.month(doc)
                {
                    self.history.entry(month).or_default().add(facts.result);
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, next: Continuation, doc: DocId, facts: GameFacts) {
        let (own, opponent) = match self.mover {
            Color::White => (facts.white_elo, facts.black_elo),
            Color::Black => (facts.black_elo, facts.white_elo),
        };
        // There are few moves, and the frequent ones come first.
        let at = self.sums.iter().position(|sums| sums.next == next);
        let at = at.unwrap_or_else(|| {
            self.sums.push(Sums {
                next,
                results: Results::default(),
                n_rated: 0,
                ratings: 0,
                n_opponents: 0,
                opponents: 0,
                half_points: 0,
                game: (self.segment, doc),
            });
            self.sums.len() - 1
        });
        let sums = &mut self.sums[at];
        sums.results.add(facts.result);
        if own > 0 {
            sums.n_rated += 1;
            sums.ratings += u64::from(own);
        }
        if opponent > 0 {
            sums.n_opponents += 1;
            sums.opponents += u64::from(opponent);
            sums.half_points += match (facts.result, self.mover) {
                (GameResult::White, Color::White) | (GameResult::Black, Color::Black) => 2,
                (GameResult::Draw, _) => 1,
                _ => 0,
            };
        }
    }

    fn finish(self, pos: &VariantPosition) -> Continuations {
        let legal: BTreeMap<Continuation, Move> = pos
            .legal_moves()
            .into_iter()
            .map(|m| {
                (
                    Continuation::of(MoveToken::new(pos.turn(), m, Check::None)),
                    m,
                )
            })
            .collect();
        let mean = |sum: u64, n: u64| (n > 0).then(|| (sum + n / 2) / n);
        let mut results = Results::default();
        let mut moves = Vec::new();
        for sums in &self.sums {
            // A list of another position with the same key could name moves that are not legal here.
            let Some(&played) = legal.get(&sums.next) else {
                continue;
            };
            results.merge(sums.results);
            moves.push(MoveCount {
                played,
                results: sums.results,
                average_rating: mean(sums.ratings, sums.n_rated),
                average_opponent_rating: mean(sums.opponents, sums.n_opponents),
                performance: performance(sums.half_points, sums.n_opponents, sums.opponents),
                game: GameAt {
                    segment: sums.game.0,
                    doc: sums.game.1,
                    played,
                },
            });
        }
        moves.sort_by_cached_key(|m| {
            let uci = m
                .played
                .to_uci(shakmaty::CastlingMode::Chess960)
                .to_string();
            (Reverse(m.results.games()), uci)
        });
        let games = |found: Vec<Found>| {
            let games = found.into_iter().filter_map(|(segment, doc, next)| {
                let &played = legal.get(&next)?;
                Some(GameAt {
                    segment,
                    doc,
                    played,
                })
            });
            games.collect()
        };
        Continuations {
            results,
            moves,
            top: games(self.top.into_games()),
            recent: games(self.recent.into_games()),
            history: self.history,
        }
    }
}
