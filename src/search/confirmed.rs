//! What was confirmed last.
//!
//! Who asks for a position mostly asks twice, for its count and for its games, and each time the candidates of the sparse part
//! would be read and replayed: half the time of an answer for positions of a few games (`pgndex bench`).

use std::sync::{Mutex, PoisonError};

use crate::index::Posting;
use crate::search::position::Wanted;

/// Most postings of a segment that are kept. Longer lists are rare, and looked through less often than they are counted.
const MOST_POSTINGS: usize = 1000;

/// The confirmed postings of the position that was last looked for, by segment.
#[derive(Debug, Default)]
pub(super) struct Confirmed(Mutex<Option<Last>>);

#[derive(Debug)]
struct Last {
    wanted: Wanted,
    /// Of each segment, if it was looked through.
    segments: Vec<Option<Vec<Posting>>>,
}

impl Confirmed {
    /// What was confirmed in a segment, if the position is the one that was last looked for.
    pub(super) fn get(&self, wanted: &Wanted, segment: usize) -> Option<Vec<Posting>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = last.as_ref().filter(|last| last.wanted == *wanted)?;
        last.segments.get(segment).cloned().flatten()
    }

    /// Keeps what was confirmed in a segment, and forgets any other position.
    pub(super) fn keep(&self, wanted: &Wanted, segment: usize, postings: &[Posting]) {
        if postings.len() > MOST_POSTINGS {
            return;
        }
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|last| last.wanted != *wanted) {
            *last = Some(Last {
                wanted: wanted.clone(),
                segments: Vec::new(),
            });
        }
        if let Some(last) = &mut *last {
            if last.segments.len() <= segment {
                last.segments.resize(segment + 1, None);
            }
            last.segments[segment] = Some(postings.to_vec());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Continuation;
    use crate::model::playable::start_of;
    use crate::model::variant::Variant;

    #[test]
    fn only_the_last_position_is_kept_segment_by_segment() {
        let wanted = |in_variations| Wanted {
            pos: start_of(Variant::Standard),
            variant: Variant::Standard,
            in_variations,
        };
        let (main, side) = (wanted(false), wanted(true));
        let posting = Posting {
            doc: 7,
            ply: 3,
            next: Continuation::END,
        };
        let confirmed = Confirmed::default();
        assert_eq!(confirmed.get(&main, 0), None);
        confirmed.keep(&main, 2, &[posting]);
        assert_eq!(confirmed.get(&main, 2), Some(vec![posting]));
        assert_eq!(confirmed.get(&main, 1), None, "not looked through yet");
        assert_eq!(confirmed.get(&side, 2), None);
        confirmed.keep(&side, 0, &[]);
        assert_eq!(confirmed.get(&side, 0), Some(Vec::new()));
        assert_eq!(confirmed.get(&main, 2), None, "forgotten");
        confirmed.keep(&side, 0, &vec![posting; MOST_POSTINGS + 1]);
        assert_eq!(
            confirmed.get(&side, 0),
            Some(Vec::new()),
            "too long to keep"
        );
    }
}
