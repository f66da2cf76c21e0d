//! The quick way: sums that stand ready in a long list, put right by its notable games.
//!
//! Nothing here is an estimate. What the notable games do not suffice for is refused, and the list is read instead.

use std::cmp::Reverse;

use crate::error::Result;
use crate::index::{BEST_GAMES, Continuation, DenseList, DocId, LATE, Posting, SegmentView};
use crate::model::game_result::GameResult;
use crate::search::continuations::counter::Counter;
use crate::search::continuations::sums::Sums;
use crate::search::continuations::{Selection, Wishes};

/// Whether ready sums can answer at all: they know nothing of speeds, dates or players.
pub(super) fn is_plain(selection: &Selection, wishes: Wishes) -> bool {
    let Selection {
        most_plies,
        speeds,
        ratings,
        since,
        until,
        player,
        modes,
    } = selection;
    most_plies.is_none_or(|plies| plies >= u32::from(LATE))
        && (speeds.is_none() && ratings.is_none() && since.is_none() && until.is_none())
        && (player.is_none() && modes.is_none())
        && (!wishes.history && wishes.n_top <= BEST_GAMES)
}

impl Counter<'_> {
    /// Adds the games of a list by its sums. `false`, and nothing is added, when they do not suffice.
    pub(super) fn add_ready(
        &mut self,
        view: &SegmentView,
        list: &DenseList<'_>,
        notable: &[DocId],
    ) -> Result<bool> {
        let Some(ready) = list.sums().filter(|_| !view.reader.has_deletes()) else {
            return Ok(false);
        };
        let (facts, sequences) = (view.facts()?, view.sequences()?);
        let mut sums: Vec<(Continuation, Sums)> = ready
            .moves
            .iter()
            .filter(|(next, _)| next.is_move())
            .map(|(next, sums)| (*next, Sums::ready(sums, self.mover)))
            .collect();
        let mut best = Vec::new();
        for &doc in notable {
            let game = facts.get(doc);
            if game.result == GameResult::Unknown {
                continue;
            }
            let postings = list.postings_from(doc).take_while(|p| p.doc == doc);
            let postings: Vec<Posting> = postings.filter(|p| p.next.is_move()).collect();
            let last = postings
                .iter()
                .rfind(|p| self.is_counted(**p))
                .map(|p| p.next);
            let of_game = Sums::of_game(game, self.mover);
            for (next, sums) in &mut sums {
                if Some(*next) == last {
                    sums.game = sums.game.or(Some((self.segment, doc)));
                } else if postings.iter().any(|p| p.next == *next) {
                    sums.subtract(&of_game);
                }
            }
            if !postings.is_empty() {
                best.push((Reverse(game.elo_sum()), sequences.get(doc), doc, last));
            }
        }
        // The best games are the best of those that count only as far as none of them does not.
        best.sort_unstable();
        let of_whole_list = &best[..best.len().min(BEST_GAMES)];
        let n_lost = of_whole_list
            .iter()
            .filter(|(.., last)| last.is_none())
            .count();
        if of_whole_list.len() == BEST_GAMES && BEST_GAMES - n_lost < self.wishes.n_top {
            return Ok(false);
        }
        for (_, sequence, doc, last) in best {
            if let Some(next) = last {
                self.show_top((self.segment, doc, next), facts.get(doc), || sequence);
            }
        }
        for (next, sums) in &sums {
            self.sums.of(*next).add(sums);
        }
        self.show_recent(view, list)?;
        Ok(true)
    }

    /// Shows the games that were imported last. Within a run they are at its end.
    fn show_recent(&mut self, view: &SegmentView, list: &DenseList<'_>) -> Result<()> {
        if self.wishes.n_recent == 0 {
            return Ok(());
        }
        let (facts, sequences) = (view.facts()?, view.sequences()?);
        for run in view.runs()? {
            let mut last = None;
            let mut n_shown = 0;
            for posting in list.postings_back(run) {
                // The last posting of a game decides, and backwards it comes first.
                if last == Some(posting.doc) || !self.is_counted(posting) {
                    continue;
                }
                last = Some(posting.doc);
                if facts.get(posting.doc).result == GameResult::Unknown {
                    continue;
                }
                let found = (self.segment, posting.doc, posting.next);
                self.recent.show(sequences.get(posting.doc), || 0, found);
                n_shown += 1;
                if n_shown == self.wishes.n_recent {
                    break;
                }
            }
        }
        Ok(())
    }
}
