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
    let mut rated = Vec::new();
    for doc in docs {
        rated.push((Reverse(facts(doc).elo_sum()), sequence(doc), doc));
        if rated.len() > 64 * most {
            keep(&mut rated);
        }
    }
    keep(&mut rated);
    rated
}
