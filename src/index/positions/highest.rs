//! The highest rated of the games of a position.

use std::cmp::Reverse;

use crate::index::games::{DocId, GameFacts};

/// A game in the order of this list: by the sum of both ratings, the highest first, then in the order of import.
pub(crate) type Rated = (Reverse<u32>, u64, DocId);

/// The highest rated of some games, at most `most`, each once. A missing rating counts as 0.
pub(crate) fn highest_rated(
    docs: impl IntoIterator<Item = DocId>,
    most: usize,
    facts: impl Fn(DocId) -> GameFacts,
    sequence: impl Fn(DocId) -> u64,
) -> Vec<Rated> {
    let keep = |rated: &mut Vec<Rated>| {
        rated.sort_unstable();
        rated.dedup();
        rated.truncate(most);
    };
    let mut rated: Vec<Rated> = Vec::new();
    // The last one that would be kept, as far as is known. Nearly all games of a long list come after it, and to note down
    // and sort them all took 2 % of an import.
    let mut last: Option<Rated> = None;
    for doc in docs {
        let elo_sum = Reverse(facts(doc).elo_sum());
        if last.is_some_and(|last| last.0 < elo_sum) {
            continue;
        }
        let game = (elo_sum, sequence(doc), doc);
        if last.is_some_and(|last| last <= game) {
            continue;
        }
        rated.push(game);
        if rated.len() > 4 * most {
            keep(&mut rated);
            last = rated.last().copied().filter(|_| rated.len() == most);
        }
    }
    keep(&mut rated);
    rated
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_highest_are_the_first_of_all_in_order(
            games in prop::collection::vec((0..4u16, 0..50u64), 1..40),
            docs in prop::collection::vec(any::<prop::sample::Index>(), 0..400),
            most in 0..12usize,
        ) {
            let facts = |doc: DocId| GameFacts { white_elo: games[doc as usize].0, ..GameFacts::default() };
            let sequence = |doc: DocId| games[doc as usize].1;
            let docs: Vec<DocId> = docs.iter().map(|idx| idx.index(games.len()) as DocId).collect();
            let mut all: Vec<Rated> = docs
                .iter()
                .map(|&doc| (Reverse(facts(doc).elo_sum()), sequence(doc), doc))
                .collect();
            all.sort_unstable();
            all.dedup();
            all.truncate(most);
            prop_assert_eq!(highest_rated(docs, most, facts, sequence), all);
        }
    }
}
