//! The greatest few of many games.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::index::{Continuation, DocId};

/// A game and the move of it that counts, before moves have their names: segment, game, move.
pub(super) type Found = (usize, DocId, Continuation);

/// Keeps the greatest of what it is shown.
pub(super) struct Greatest<K: Ord> {
    most: usize,
    kept: BinaryHeap<Reverse<(K, Reverse<u64>, Found)>>,
}

impl<K: Ord + Copy> Greatest<K> {
    pub(super) fn new(most: usize) -> Greatest<K> {
        Greatest {
            most,
            kept: BinaryHeap::new(),
        }
    }

    /// Shows a game; among equal keys the one with the lower sequence is greater.
    pub(super) fn show(&mut self, key: K, sequence: impl FnOnce() -> u64, found: Found) {
        let is_less = |Reverse((least, ..)): &Reverse<(K, _, _)>| key < *least;
        let is_full = self.kept.len() >= self.most;
        if self.most == 0 || is_full && self.kept.peek().is_some_and(is_less) {
            return;
        }
        self.keep(Reverse((key, Reverse(sequence()), found)));
    }

    /// Is shown what another one has kept.
    pub(super) fn merge(&mut self, other: Greatest<K>) {
        for game in other.kept {
            self.keep(game);
        }
    }

    fn keep(&mut self, game: Reverse<(K, Reverse<u64>, Found)>) {
        self.kept.push(game);
        if self.kept.len() > self.most {
            self.kept.pop();
        }
    }

    /// What was kept, the greatest first.
    pub(super) fn into_games(self) -> Vec<Found> {
        let sorted = self.kept.into_sorted_vec().into_iter();
        sorted.map(|Reverse((.., found))| found).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_the_head_of_the_sorted_list() {
        let shown: Vec<(u32, u64)> = (0..200)
            .map(|i| (i * 7919 % 31, u64::from(i * 31 % 97)))
            .collect();
        for most in [0, 1, 5, 300] {
            let mut greatest = Greatest::new(most);
            let mut other = Greatest::new(most);
            for (doc, &(key, sequence)) in shown.iter().enumerate() {
                let shown_to = if doc % 3 == 0 {
                    &mut other
                } else {
                    &mut greatest
                };
                shown_to.show(key, || sequence, (0, doc as DocId, Continuation::END));
            }
            greatest.merge(other);
            let mut sorted: Vec<(Reverse<u32>, u64)> =
                shown.iter().map(|&(k, s)| (Reverse(k), s)).collect();
            sorted.sort_unstable();
            sorted.truncate(most);
            let kept = greatest.into_games().into_iter().map(|(_, doc, _)| {
                let (key, sequence) = shown[doc as usize];
                (Reverse(key), sequence)
            });
            assert_eq!(kept.collect::<Vec<_>>(), sorted);
        }
    }
}
