//! Opening statistics: what was played from a position, and how it went.
//!
//! Every game counts once for the position and once for each move that it played from there, wherever and how often it
//! was reached; games that end there count for the position. Ratings are those of the side that moves.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::variant::VariantPosition;
use shakmaty::{Color, Position};

use crate::error::Result;
use crate::index::{
    Aggregate, Continuation, DocId, MoveAggregate, Rated, SideSums, TOP_GAMES, highest_rated,
    sum_up,
};
use crate::model::fen::write_fen;
use crate::model::move_token::{Check, MoveToken};
use crate::model::playable::start_of;
use crate::model::variant::Variant;
use crate::notation::{OutputNotation, PlayedMove, Reading};
use crate::replay::{canonical_san, uci};
use crate::search::chess::{Scope, play_line, query_fen, wanted};
use crate::search::compile::{Plan, compile, plan};
use crate::search::hits::hit;
use crate::search::openings::{Opening, opening_after};
use crate::search::position::{Wanted, find};
use crate::search::{Hit, Pace, Searcher, performance};

/// A question to the opening statistics.
#[derive(Clone, Debug, Default)]
pub struct Explorer<'a> {
    /// The position to begin from; the start position of the variant that `filter` names when there is none.
    pub fen: Option<&'a str>,
    /// Moves to play from there, in any notation.
    pub play: Option<&'a str>,
    /// Only games that match this query.
    pub filter: Option<&'a str>,
    /// How moves in `play` and `filter` are written.
    pub reading: Reading,
    /// A notation in which moves are shown besides SAN.
    pub notation: Option<OutputNotation>,
}

/// What was played from a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exploration {
    /// The position.
    pub fen: String,
    /// Games that reached it.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Without a known result.
    pub unknown: u64,
    /// The opening's name.
    pub opening: Option<Opening>,
    /// Moves, most games first.
    pub moves: Vec<ExploredMove>,
    /// The games with the highest mean rating.
    pub top_games: Vec<Hit>,
}

/// One move of the statistics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExploredMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The move in the notation that was asked for.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Games that played it.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// Without a known result.
    pub unknown: u64,
    /// Games in which the mover has a rating.
    pub rated_games: u64,
    /// Average of those ratings, to one decimal.
    pub average_rating: Option<f64>,
    /// Rating performance of the mover over games with a result and a rated opponent.
    pub performance: Option<i64>,
    /// Latest year in which it was played.
    pub last_played: Option<u64>,
}

/// Sums over segments.
#[derive(Default)]
struct Sums {
    total: Aggregate,
    moves: BTreeMap<Continuation, MoveAggregate>,
    /// Highest rated games, with their segments.
    top: Vec<(Rated, usize)>,
}

impl Sums {
    fn merge(&mut self, other: Sums) {
        self.total.merge(other.total);
        for (next, of_move) in &other.moves {
            self.moves.entry(*next).or_default().merge(of_move);
        }
        self.top.extend(other.top);
    }
}

impl Searcher {
    /// Answers a question to the opening statistics.
    ///
    /// # Errors
    ///
    /// When FEN, moves or filter cannot be read, or the index is damaged.
    pub fn explore(&self, question: &Explorer<'_>) -> Result<Exploration> {
        let (scope, filter) = self.filter(question)?;
        let ways = scope.under_each(|variant| {
            let start = question
                .fen
                .map_or_else(|| Ok(start_of(variant)), |fen| query_fen(fen, variant))?;
            play_line(start, question.play.unwrap_or_default(), question.reading)
        })?;
        let mut sums = Sums::default();
        let mut ends: Vec<VariantPosition> = Vec::new();
        for (variant, way) in &ways {
            let Some(end) = way.last() else { continue };
            ends.push(end.clone());
            let wanted = wanted(&(*variant, end.clone()), scope.lines);
            let of_segment = |segment: usize| {
                let filter = filter.as_ref().map(|filter| &filter[segment][..]);
                self.sums_of_segment(segment, &wanted, filter)
            };
            // A filter has no use for ready sums.
            let pace = if filter.is_some() {
                Pace::Long
            } else {
                Pace::Short
            };
            for of_segment in self.of_segments(pace, of_segment)? {
                sums.merge(of_segment);
            }
        }
        let total = sums.total;
        let mut moves: Vec<ExploredMove> = Vec::new();
        for end in &ends {
            // What is legal in several variants was summed up over all of them.
            let rows = rows(end, &sums.moves, question.notation).into_iter();
            let new: Vec<_> = rows
                .filter(|row| moves.iter().all(|known| known.uci != row.uci))
                .collect();
            moves.extend(new);
        }
        moves.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.uci.cmp(&b.uci)));
        sums.top.sort_unstable();
        sums.top.dedup();
        let mut top_games = Vec::new();
        for &((.., doc), segment) in sums.top.iter().take(TOP_GAMES) {
            top_games.push(hit(&self.stored(segment, doc)?, None, None));
        }
        let standard = ways
            .iter()
            .find(|(variant, _)| *variant == Variant::Standard);
        Ok(Exploration {
            fen: ends.first().map(write_fen).unwrap_or_default(),
            games: total.games,
            white: total.white,
            draws: total.draws,
            black: total.black,
            unknown: total.unknown(),
            opening: standard.and_then(|(_, way)| opening_after(way.iter())),
            moves,
            top_games,
        })
    }

    /// The scope of a question and, when there is one, the games that its filter lets through.
    fn filter(&self, question: &Explorer<'_>) -> Result<(Scope, Option<Vec<Vec<DocId>>>)> {
        let Some(filter) = question.filter.filter(|f| !f.trim().is_empty()) else {
            return Ok((Scope::standard(), None));
        };
        if let Plan::Everything(scope) = plan(filter, question.reading)? {
            return Ok((scope, None));
        }
        let (ast, _) = crate::search::compile::parse(filter);
        let compiled = compile(self, filter, &ast, question.reading)?;
        Ok((compiled.scope, Some(self.matching(&*compiled.query)?)))
    }

    /// What one segment knows of a position in one variant: in main lines, in variations, or in both.
    fn sums_of_segment(
        &self,
        segment: usize,
        wanted: &[Wanted],
        filter: Option<&[DocId]>,
    ) -> Result<Sums> {
        let mut sums = Sums::default();
        let view = &self.views[segment];
        let (facts, sequences) = (view.facts()?, view.sequences()?);
        let mut rest = Vec::new();
        let mut top: Vec<DocId> = Vec::new();
        // Ready sums count the games of one list; a game that is in two of them must not count twice.
        let may_use_sums = wanted.len() == 1 && filter.is_none() && !view.reader.has_deletes();
        for wanted in wanted {
            let found = find(self, segment, wanted)?;
            rest.extend(found.sparse);
            let Some(list) = &found.dense else { continue };
            match list.sums().filter(|_| may_use_sums) {
                Some(ready) => {
                    sums.total.merge(ready.total);
                    for (next, of_move) in &ready.moves {
                        sums.moves.entry(*next).or_default().merge(of_move);
                    }
                    top.extend(&ready.top);
                }
                None => rest.extend(list.postings().filter(|p| view.is_alive(p.doc))),
            }
        }
        rest.sort_by_key(|p| (p.doc, p.ply));
        if let Some(docs) = filter {
            let mut allowed = vec![false; view.reader.max_doc() as usize];
            for &doc in docs {
                allowed[doc as usize] = true;
            }
            rest.retain(|p| allowed.get(p.doc as usize) == Some(&true));
        }
        let (total, moves) = sum_up(rest.iter().map(|&p| (p, facts.get(p.doc))));
        sums.total.merge(total);
        for (next, of_move) in &moves {
            sums.moves.entry(*next).or_default().merge(of_move);
        }
        top.extend(rest.iter().map(|p| p.doc));
        top.dedup();
        let rated = highest_rated(
            top,
            TOP_GAMES,
            |doc| facts.get(doc),
            |doc| sequences.get(doc),
        );
        sums.top
            .extend(rated.into_iter().map(|rated| (rated, segment)));
        Ok(sums)
    }
}

/// The moves of the statistics, in no order.
fn rows(
    pos: &VariantPosition,
    sums: &BTreeMap<Continuation, MoveAggregate>,
    notation: Option<OutputNotation>,
) -> Vec<ExploredMove> {
    let mut rows = Vec::new();
    for m in pos.legal_moves() {
        let Some(of_move) = sums.get(&Continuation::of(MoveToken::new(
            pos.turn(),
            m,
            Check::None,
        ))) else {
            continue;
        };
        let mut after = pos.clone();
        after.play_unchecked(m);
        let side: &SideSums = if pos.turn() == Color::White {
            &of_move.white
        } else {
            &of_move.black
        };
        let average =
            |sum: u64, n: u64| (n > 0).then(|| (sum as f64 / n as f64 * 10.0).round() / 10.0);
        rows.push(ExploredMove {
            uci: uci(pos, PlayedMove::Move(m)),
            san: canonical_san(pos, PlayedMove::Move(m), &after),
            text: notation.map(|to| to.write(PlayedMove::Move(m), pos)),
            games: of_move.results.games,
            white: of_move.results.white,
            draws: of_move.results.draws,
            black: of_move.results.black,
            unknown: of_move.results.unknown(),
            rated_games: side.rated,
            average_rating: average(side.rating, side.rated),
            performance: performance(side.half_points, side.scored, side.opponents),
            last_played: (of_move.last_year > 0).then_some(of_move.last_year),
        });
    }
    rows
}
