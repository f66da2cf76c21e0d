//! Chess clauses: what they look for, and where it is.

use shakmaty::{Chess, Color, Position};

use crate::error::{Error, Result};
use crate::index::DocId;
use crate::model::fen::{FenUse, read_fen};
use crate::model::move_token::MoveToken;
use crate::model::variant::Variant;
use crate::notation::{self, MoveError, MovePattern, PlayedMove, Reading};
use crate::search::matches::{Matches, SegmentMatches};
use crate::search::position::{LineScope, Wanted, find};
use crate::search::{Searcher, matches::Place};

/// Which games and which of their lines a chess clause looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) variants: Vec<Variant>,
    pub(crate) lines: LineScope,
}

impl Scope {
    /// The positions that `pos` is in this scope.
    pub(crate) fn wanted(&self, pos: &Chess) -> Vec<Wanted> {
        self.wanted_by_variant(pos).concat()
    }

    /// The same, those of one variant together: of them one game may have several.
    pub(crate) fn wanted_by_variant(&self, pos: &Chess) -> Vec<Vec<Wanted>> {
        let of_variant = |&variant: &Variant| {
            let main = self.lines.has_main().then_some(false);
            let variations = self.lines.has_variations().then_some(true);
            let lines = main.into_iter().chain(variations);
            lines
                .map(|in_variations| Wanted {
                    pos: pos.clone(),
                    variant,
                    in_variations,
                })
                .collect()
        };
        self.variants.iter().map(of_variant).collect()
    }
}

/// Reads the FEN of a query.
pub(crate) fn query_fen(text: &str) -> Result<Chess> {
    read_fen(text, FenUse::Query)
        .map(|read| read.pos)
        .map_err(|reason| Error::Position {
            class: "bad_fen",
            message: format!("`{}`: {reason}", text.trim()),
        })
}

/// All positions that have this placement and side to move, `PLACEMENT SIDE`: with each set of castling rights and
/// each en passant square that the board allows.
pub(crate) fn query_board(text: &str) -> Result<Vec<Chess>> {
    let text = text.replace('_', " ");
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let bad = |message: String| Error::Position {
        class: "bad_fen",
        message,
    };
    let (board, sides): (&str, &[&str]) = match fields[..] {
        [board] => (board, &["w", "b"]),
        [board, "w" | "W", ..] => (board, &["w"]),
        [board, "b" | "B", ..] => (board, &["b"]),
        [_, side, ..] => return Err(bad(format!("side to move is {side:?}, not w or b"))),
        [] => return Err(bad("a board is wanted, and w or b".to_owned())),
    };
    let mut positions: Vec<Chess> = Vec::new();
    let mut reason = String::new();
    for side in sides {
        for rights in 0..16u32 {
            let castling: String = "KQkq"
                .chars()
                .enumerate()
                .filter(|(i, _)| rights >> i & 1 == 1)
                .map(|(_, c)| c)
                .collect();
            let castling = if castling.is_empty() {
                "-".to_owned()
            } else {
                castling
            };
            let rank = if *side == "w" { '6' } else { '3' };
            let squares = ('a'..='h').map(|file| format!("{file}{rank}"));
            for ep in std::iter::once("-".to_owned()).chain(squares) {
                match read_fen(&format!("{board} {side} {castling} {ep}"), FenUse::Query) {
                    Ok(read) if read.castling_dropped || read.ep_dropped => {}
                    Ok(read) if ep != "-" && read.pos.legal_ep_square().is_none() => {}
                    Ok(read) => positions.push(read.pos),
                    Err(e) => reason = e,
                }
            }
        }
    }
    if positions.is_empty() {
        Err(bad(reason))
    } else {
        Ok(positions)
    }
}

/// Plays moves that a person wrote, in any notation.
///
/// # Errors
///
/// The first move that is not exactly one legal move, by class.
pub(crate) fn play_line(start: &Chess, text: &str, reading: Reading) -> Result<Vec<Chess>> {
    let mut positions = vec![start.clone()];
    for word in notation::split_line(text) {
        let pos = positions.last().cloned().unwrap_or_default();
        let played = crate::replay::resolve(word.as_bytes(), &pos, reading).map_err(|error| {
            Error::Position {
                class: if error == MoveError::NotAMove {
                    "illegal_move"
                } else {
                    error.class()
                },
                message: format!("`{word}` at ply {}: {error}", positions.len()),
            }
        })?;
        let after = match played {
            PlayedMove::Move(m) => {
                let mut after = pos;
                after.play_unchecked(m);
                after
            }
            PlayedMove::Null => pos.swap_turn().map_err(|_| Error::Position {
                class: "illegal_move",
                message: format!("`{word}` at ply {}: a null move in check", positions.len()),
            })?,
        };
        positions.push(after);
    }
    Ok(positions)
}

/// Where any of some positions stands.
pub(crate) fn match_positions(
    searcher: &Searcher,
    positions: &[Chess],
    scope: &Scope,
) -> Result<Matches> {
    let mut matches = Matches {
        segments: vec![SegmentMatches::new(); searcher.views.len()],
    };
    for pos in positions {
        for wanted in scope.wanted(pos) {
            let mut segments = Vec::new();
            for segment in 0..searcher.views.len() {
                let view = &searcher.views[segment];
                let postings = find(searcher, segment, &wanted)?.postings();
                segments.push(
                    postings
                        .into_iter()
                        .filter(|p| view.is_alive(p.doc))
                        .map(|p| (p.doc, Place::from(p.ply)))
                        .collect(),
                );
            }
            matches.union(Matches { segments });
        }
    }
    Ok(matches)
}

/// Moves that follow each other, one pattern each; `side` made the first of them.
pub(crate) fn read_patterns(
    text: &str,
    side: Option<Color>,
    reading: Reading,
    notes: &mut Vec<String>,
) -> Result<Vec<MovePattern>, String> {
    let words = notation::split_line(text);
    let words = if words.is_empty() {
        vec![text.trim()]
    } else {
        words
    };
    let mut patterns = Vec::new();
    for (i, word) in words.into_iter().enumerate() {
        let read = notation::pattern(word, reading).map_err(|e| e.to_string())?;
        patterns.push(match side {
            Some(first) => read
                .pattern
                .for_side(if i % 2 == 0 { first } else { !first }),
            None => read.pattern,
        });
        notes.extend(read.note.filter(|note| !notes.contains(note)));
    }
    Ok(patterns)
}

/// Where moves follow each other; the place of a match is the one that the last of them led to.
pub(crate) fn match_moves(
    searcher: &Searcher,
    patterns: &[MovePattern],
    scope: &Scope,
) -> Result<Matches> {
    let mut matches = Matches::default();
    for view in &searcher.views {
        let mut found: Option<Vec<u32>> = None;
        for pattern in patterns {
            let slots = view.slots_of(|token: MoveToken| pattern.matches(token))?;
            found = Some(match found {
                None => slots,
                Some(before) => follow(&before, &slots),
            });
            if found.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        let (starts, facts) = (view.starts()?, view.facts()?);
        let mut segment = SegmentMatches::new();
        let mut doc: DocId = 0;
        for slot in found.unwrap_or_default() {
            doc = starts.doc_of(slot, doc);
            let game = facts.get(doc);
            let place = slot - starts.get(doc as usize);
            let in_line = if place <= u32::from(game.n_plies) {
                scope.lines.has_main()
            } else {
                scope.lines.has_variations()
            };
            if in_line && scope.variants.contains(&game.variant) {
                segment.push((doc, place));
            }
        }
        matches.segments.push(segment);
    }
    Ok(matches)
}

/// The slots of `after` that directly follow one of `before`; both ascend.
fn follow(before: &[u32], after: &[u32]) -> Vec<u32> {
    let mut followed = Vec::new();
    let mut rest = before.iter().copied().peekable();
    for &slot in after {
        while rest.next_if(|&b| b + 1 < slot).is_some() {}
        if rest.peek().is_some_and(|&b| b + 1 == slot) {
            followed.push(slot);
        }
    }
    followed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn following_is_the_intersection_of_shifted_lists() {
        assert_eq!(follow(&[1, 4, 5, 9], &[2, 3, 6, 10, 11]), [2, 6, 10]);
        assert_eq!(follow(&[], &[2]), [0u32; 0]);
    }

    #[test]
    fn a_board_stands_for_every_set_of_rights_it_allows() {
        assert_eq!(
            query_board("r3k2r/8/8/8/8/8/8/R3K2R w")
                .expect("a board")
                .len(),
            16
        );
        assert_eq!(
            query_board("4k3/8/8/8/8/8/8/4K3 w").expect("a board").len(),
            1
        );
        assert_eq!(
            query_board("4k3/8/8/3pP3/8/8/8/4K3 w")
                .expect("a board")
                .len(),
            2
        );
        assert_eq!(
            query_board("4k3/8/8/8/8/8/8/4K3").expect("a board").len(),
            2
        );
        assert!(query_board("4k3/8/8 w").is_err());
    }
}
