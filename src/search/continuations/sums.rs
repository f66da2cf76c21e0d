//! Sums of the games that played one move.

use shakmaty::Color;

use crate::index::{Continuation, DocId, GameFacts, MoveAggregate};
use crate::model::game_result::GameResult;
use crate::search::continuations::Results;

/// Sums of a move over games with a result. Ratings are those of the side that moves and of its opponent.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) results: Results,
    pub(super) n_rated: u64,
    pub(super) ratings: u64,
    pub(super) n_opponents: u64,
    pub(super) opponents: u64,
    pub(super) half_points: u64,
    /// One of the games, as segment and game; the only one, if there is only one.
    pub(super) game: Option<(usize, DocId)>,
}

impl Sums {
    /// The sums that stand ready in a list. Those of the opponent's opponents are our own ratings, and they alone are
    /// kept for games with a result.
    pub(super) fn ready(sums: &MoveAggregate, mover: Color) -> Sums {
        let (own, other) = match mover {
            Color::White => (sums.white, sums.black),
            Color::Black => (sums.black, sums.white),
        };
        Sums {
            results: Results {
                white: sums.results.white,
                draws: sums.results.draws,
                black: sums.results.black,
            },
            n_rated: other.scored,
            ratings: other.opponents,
            n_opponents: own.scored,
            opponents: own.opponents,
            half_points: own.half_points,
            game: None,
        }
    }

    /// The sums of one game with a result.
    pub(super) fn of_game(facts: GameFacts, mover: Color) -> Sums {
        let (own, opponent) = match mover {
            Color::White => (facts.white_elo, facts.black_elo),
            Color::Black => (facts.black_elo, facts.white_elo),
        };
        let mut results = Results::default();
        results.add(facts.result);
        let half_points = match (facts.result, mover) {
            (GameResult::White, Color::White) | (GameResult::Black, Color::Black) => 2,
            (GameResult::Draw, _) => 1,
            _ => 0,
        };
        Sums {
            results,
            n_rated: u64::from(own > 0),
            ratings: u64::from(own),
            n_opponents: u64::from(opponent > 0),
            opponents: u64::from(opponent),
            half_points: if opponent > 0 { half_points } else { 0 },
            game: None,
        }
    }

    pub(super) fn add(&mut self, other: &Sums) {
        self.results.merge(other.results);
        self.n_rated += other.n_rated;
        self.ratings += other.ratings;
        self.n_opponents += other.n_opponents;
        self.opponents += other.opponents;
        self.half_points += other.half_points;
        self.game = self.game.or(other.game);
    }

    /// Takes a game out again. Sums that never held it are damage, of which nothing worse than a wrong number may come.
    pub(super) fn subtract(&mut self, other: &Sums) {
        let less = |ours: &mut u64, theirs: u64| *ours = ours.saturating_sub(theirs);
        less(&mut self.results.white, other.results.white);
        less(&mut self.results.draws, other.results.draws);
        less(&mut self.results.black, other.results.black);
        less(&mut self.n_rated, other.n_rated);
        less(&mut self.ratings, other.ratings);
        less(&mut self.n_opponents, other.n_opponents);
        less(&mut self.opponents, other.opponents);
        less(&mut self.half_points, other.half_points);
    }
}

/// Sums of each move. There are few moves, and the frequent ones come first, so that a list is quickest.
#[derive(Default)]
pub(super) struct MoveSums(pub(super) Vec<(Continuation, Sums)>);

impl MoveSums {
    pub(super) fn of(&mut self, next: Continuation) -> &mut Sums {
        let at = self.0.iter().position(|(have, _)| *have == next);
        let at = at.unwrap_or_else(|| {
            self.0.push((next, Sums::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}
