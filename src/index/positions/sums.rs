//! Sums over the games of a position: results, ratings and scores, for the position and for each continuation.

use std::collections::BTreeMap;

use crate::index::games::{DocId, GameFacts};
use crate::index::positions::{Continuation, Posting};
use crate::model::game_result::GameResult;

/// Results of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Aggregate {
    /// Games.
    pub(crate) games: u64,
    /// Won by White.
    pub(crate) white: u64,
    /// Drawn.
    pub(crate) draws: u64,
    /// Won by Black.
    pub(crate) black: u64,
}

impl Aggregate {
    pub(crate) fn add(&mut self, result: GameResult) {
        self.games += 1;
        match result {
            GameResult::White => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Black => self.black += 1,
            GameResult::Unknown => {}
        }
    }

    pub(crate) fn merge(&mut self, other: Aggregate) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
    }

    /// Games without a known result.
    pub(crate) fn unknown(self) -> u64 {
        self.games
            .saturating_sub(self.white + self.draws + self.black)
    }
}

/// Ratings and scores of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideSums {
    /// Games in which this side has a rating, and the sum of those ratings.
    pub(crate) rated: u64,
    pub(crate) rating: u64,
    /// Games with a result in which the opponent has a rating, the sum of those ratings, and twice the points scored.
    pub(crate) scored: u64,
    pub(crate) opponents: u64,
    pub(crate) half_points: u64,
}

impl SideSums {
    fn add(&mut self, own: u16, opponent: u16, half_points: Option<u64>) {
        if own > 0 {
            self.rated += 1;
            self.rating += u64::from(own);
        }
        if let Some(half_points) = half_points.filter(|_| opponent > 0) {
            self.scored += 1;
            self.opponents += u64::from(opponent);
            self.half_points += half_points;
        }
    }

    fn merge(&mut self, other: SideSums) {
        self.rated += other.rated;
        self.rating += other.rating;
        self.scored += other.scored;
        self.opponents += other.opponents;
        self.half_points += other.half_points;
    }
}

/// What is known of one continuation. Which side moves is not known to a list of keys, so both sides are summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MoveAggregate {
    pub(crate) results: Aggregate,
    pub(crate) white: SideSums,
    pub(crate) black: SideSums,
    /// Latest year, 0 for none.
    pub(crate) last_year: u64,
}

impl MoveAggregate {
    pub(crate) fn add(&mut self, facts: GameFacts) {
        self.results.add(facts.result);
        let (white, black) = match facts.result {
            GameResult::White => (Some(2), Some(0)),
            GameResult::Draw => (Some(1), Some(1)),
            GameResult::Black => (Some(0), Some(2)),
            GameResult::Unknown => (None, None),
        };
        self.white.add(facts.white_elo, facts.black_elo, white);
        self.black.add(facts.black_elo, facts.white_elo, black);
        self.last_year = self.last_year.max(u64::from(facts.year));
    }

    pub(crate) fn merge(&mut self, other: &MoveAggregate) {
        self.results.merge(other.results);
        self.white.merge(other.white);
        self.black.merge(other.black);
        self.last_year = self.last_year.max(other.last_year);
    }

    pub(super) fn numbers(&self) -> [u64; 15] {
        let (r, w, b) = (&self.results, &self.white, &self.black);
        [
            r.games,
            r.white,
            r.draws,
            r.black,
            self.last_year,
            w.rated,
            w.rating,
            w.scored,
            w.opponents,
            w.half_points,
            b.rated,
            b.rating,
            b.scored,
            b.opponents,
            b.half_points,
        ]
    }

    pub(super) fn from_numbers(n: [u64; 15]) -> MoveAggregate {
        let side = |at: usize| SideSums {
            rated: n[at],
            rating: n[at + 1],
            scored: n[at + 2],
            opponents: n[at + 3],
            half_points: n[at + 4],
        };
        MoveAggregate {
            results: Aggregate {
                games: n[0],
                white: n[1],
                draws: n[2],
                black: n[3],
            },
            last_year: n[4],
            white: side(5),
            black: side(10),
        }
    }
}

/// Sums up postings with the facts of their games: each game once for the position and once for each of its continuations.
pub(crate) fn sum_up(
    postings: impl Iterator<Item = (Posting, GameFacts)>,
) -> (Aggregate, BTreeMap<Continuation, MoveAggregate>) {
    let mut total = Aggregate::default();
    // A position has few continuations, and the frequent ones come early: a list is quicker than a map.
    let mut moves: Vec<(Continuation, MoveAggregate)> = Vec::new();
    let mut current: Option<DocId> = None;
    let mut seen: Vec<Continuation> = Vec::new();
    for (posting, game) in postings {
        if current != Some(posting.doc) {
            current = Some(posting.doc);
            seen.clear();
            total.add(game.result);
        }
        if !seen.contains(&posting.next) {
            seen.push(posting.next);
            let at = moves.iter().position(|(next, _)| *next == posting.next);
            let at = at.unwrap_or_else(|| {
                moves.push((posting.next, MoveAggregate::default()));
                moves.len() - 1
            });
            moves[at].1.add(game);
        }
    }
    (total, moves.into_iter().collect())
}
