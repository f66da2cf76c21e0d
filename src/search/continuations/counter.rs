//! Adding up the games of a position, posting by posting.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use shakmaty::variant::VariantPosition;
use shakmaty::{CastlingMode, Color, Move, Position};

use crate::error::Result;
use crate::index::{Continuation, DenseList, DocId, GameFacts, Posting, SegmentView};
use crate::model::move_token::{Check, MoveToken};
use crate::search::continuations::greatest::{Found, Greatest};
use crate::search::continuations::judge::Judge;
use crate::search::continuations::sums::{MoveSums, Sums};
use crate::search::continuations::{Continuations, GameAt, MoveCount, Results, Selection, Wishes};
use crate::search::{Searcher, performance};

/// A player's games are looked up one by one in a list that is so many times longer than they are.
const SEEK_FACTOR: usize = 64;
/// How many games are counted between two looks at the clock.
const CLOCK_EVERY: usize = 1 << 14;

/// Adds games up.
pub(super) struct Counter<'a> {
    pub(super) searcher: &'a Searcher,
    pub(super) selection: &'a Selection,
    pub(super) wishes: Wishes,
    pub(super) mover: Color,
    /// The segment whose games are being added.
    pub(super) segment: usize,
    pub(super) sums: MoveSums,
    pub(super) top: Greatest<u32>,
    pub(super) recent: Greatest<u64>,
    history: BTreeMap<u32, Results>,
}

impl<'a> Counter<'a> {
    pub(super) fn new(
        searcher: &'a Searcher,
        selection: &'a Selection,
        wishes: Wishes,
        mover: Color,
    ) -> Counter<'a> {
        Counter {
            searcher,
            selection,
            wishes,
            mover,
            segment: 0,
            sums: MoveSums::default(),
            top: Greatest::new(wishes.n_top),
            recent: Greatest::new(wishes.n_recent),
            history: BTreeMap::new(),
        }
    }

    /// Takes over what another one has added up.
    pub(super) fn merge(&mut self, other: Counter<'a>) {
        for (next, sums) in &other.sums.0 {
            self.sums.of(*next).add(sums);
        }
        self.top.merge(other.top);
        self.recent.merge(other.recent);
        for (month, results) in other.history {
            self.history.entry(month).or_default().merge(results);
        }
    }

    fn view(&self) -> &'a SegmentView {
        &self.searcher.views[self.segment]
    }

    /// Whether a posting is of a move that may count.
    pub(super) fn is_counted(&self, posting: Posting) -> bool {
        let most_plies = self.selection.most_plies.unwrap_or(u32::MAX);
        posting.next.is_move() && u32::from(posting.ply) < most_plies
    }

    /// Adds the games of a list, of which only `listed` ones count.
    pub(super) fn add_list(
        &mut self,
        judge: &Judge<'_>,
        listed: Option<&[DocId]>,
        list: &DenseList<'_>,
    ) -> Result<()> {
        match listed {
            None => self.add(judge, list.postings()),
            Some(docs) if docs.len() * SEEK_FACTOR < list.n_postings() => {
                let of_game =
                    |&doc: &DocId| list.postings_from(doc).take_while(move |p| p.doc == doc);
                self.add(judge, docs.iter().flat_map(of_game))
            }
            Some(docs) => {
                let mut allowed = vec![false; self.view().reader.max_doc() as usize];
                for &doc in docs {
                    allowed[doc as usize] = true;
                }
                let is_allowed = |p: &Posting| allowed.get(p.doc as usize) == Some(&true);
                self.add(judge, list.postings().filter(is_allowed))
            }
        }
    }

    /// Adds the games of some postings, which ascend by game and ply.
    pub(super) fn add(
        &mut self,
        judge: &Judge<'_>,
        postings: impl Iterator<Item = Posting>,
    ) -> Result<()> {
        let view = self.view();
        let sequences = view.sequences()?;
        let most_plies = self.selection.most_plies.unwrap_or(u32::MAX);
        let mut postings = postings
            .filter(|p| p.next.is_move() && u32::from(p.ply) < most_plies)
            .peekable();
        let mut n_games = 0usize;
        while let Some(Posting { doc, next, .. }) = postings.next() {
            // The last posting of a game decides.
            if postings.peek().is_some_and(|next| next.doc == doc) {
                continue;
            }
            n_games += 1;
            if n_games.is_multiple_of(CLOCK_EVERY) {
                self.searcher.check_time()?;
            }
            if !view.is_alive(doc) {
                continue;
            }
            let Some(facts) = judge.admit(doc) else {
                continue;
            };
            let found = (self.segment, doc, next);
            self.count(found, facts);
            self.show_top(found, facts, || sequences.get(doc));
            if self.wishes.n_recent > 0 {
                self.recent.show(sequences.get(doc), || 0, found);
            }
            if self.wishes.history
                && let Some(month) = judge.month(doc)
            {
                self.history.entry(month).or_default().add(facts.result);
            }
        }
        Ok(())
    }

    fn count(&mut self, (segment, doc, next): Found, facts: GameFacts) {
        self.sums.of(next).add(&Sums {
            game: Some((segment, doc)),
            ..Sums::of_game(facts, self.mover)
        });
    }

    /// Shows a game to the list of the highest rated ones.
    pub(super) fn show_top(
        &mut self,
        found: Found,
        facts: GameFacts,
        sequence: impl FnOnce() -> u64,
    ) {
        let rating = facts.elo_sum();
        let least = u32::from(self.wishes.top_rating);
        let is_rated = facts.white_elo > 0 && facts.black_elo > 0;
        if least == 0 || is_rated && rating >= 2 * least {
            self.top.show(rating, sequence, found);
        }
    }

    /// Gives moves their names. `None` when a move was played by one game only and nobody knows which.
    pub(super) fn finish(self, pos: &VariantPosition) -> Option<Continuations> {
        let token = |m: Move| MoveToken::new(pos.turn(), m, Check::None);
        let legal = pos.legal_moves().into_iter();
        let legal: BTreeMap<Continuation, Move> =
            legal.map(|m| (Continuation::of(token(m)), m)).collect();
        let named = |(segment, doc, next): Found| {
            let &played = legal.get(&next)?;
            Some(GameAt {
                segment,
                doc,
                played,
            })
        };
        let mean = |sum: u64, n: u64| (n > 0).then(|| (sum + n / 2) / n);
        let mut results = Results::default();
        let mut moves = Vec::new();
        for (next, sums) in &self.sums.0 {
            // A list of another position with the same key could name moves that are not legal here.
            let Some(&played) = legal.get(next).filter(|_| sums.results.games() > 0) else {
                continue;
            };
            results.merge(sums.results);
            let game = match (sums.results.games(), sums.game) {
                (1, None) => return None,
                (1, Some((segment, doc))) => named((segment, doc, *next)),
                _ => None,
            };
            moves.push(MoveCount {
                played,
                results: sums.results,
                average_rating: mean(sums.ratings, sums.n_rated),
                average_opponent_rating: mean(sums.opponents, sums.n_opponents),
                performance: performance(sums.half_points, sums.n_opponents, sums.opponents),
                game,
            });
        }
        moves.sort_by_cached_key(|m| {
            let uci = m.played.to_uci(CastlingMode::Chess960).to_string();
            (Reverse(m.results.games()), uci)
        });
        let games = |found: Vec<Found>| found.into_iter().filter_map(named).collect();
        Some(Continuations {
            results,
            moves,
            top: games(self.top.into_games()),
            recent: games(self.recent.into_games()),
            history: self.history,
        })
    }
}
