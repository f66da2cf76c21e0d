//! Chess clauses: what they look for, and where it is.

use shakmaty::variant::{Variant as Rules, VariantPosition};
use shakmaty::{Bitboard, Board, CastlingSide, Color, Position};

use crate::error::{Error, Result};
use crate::index::DocId;
use crate::model::fen::{FenUse, read_fen};
use crate::model::playable::{Playable, start_of};
use crate::model::variant::Variant;
use crate::notation::{self, MoveError, MovePattern, PlayedMove, Reading};
use crate::search::matches::{Matches, SegmentMatches};
use crate::search::position::{LineScope, Wanted, find};
use crate::search::{Pace, Searcher, matches::Place};

/// Which games and which of their lines a chess clause looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) variants: Vec<Variant>,
    pub(crate) lines: LineScope,
}

impl Scope {
    /// Main lines of standard games, where a question looks that says nothing else.
    pub(crate) fn standard() -> Scope {
        Scope {
            variants: vec![Variant::Standard],
            lines: LineScope::Main,
        }
    }

    /// What a text means by the rules of each variant of this scope; those in which it means nothing are left out.
    ///
    /// # Errors
    ///
    /// Why it means nothing in the first of them, if it does in none.
    pub(crate) fn under_each<T>(
        &self,
        read: impl Fn(Variant) -> Result<T>,
    ) -> Result<Vec<(Variant, T)>> {
        let mut found = Vec::new();
        let mut first_error = None;
        for &variant in &self.variants {
            match read(variant) {
                Ok(meant) => found.push((variant, meant)),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            Some(error) if found.is_empty() => Err(error),
            _ => Ok(found),
        }
    }
}

/// The positions to look for, each in the games of its variant.
pub(crate) type Sought = Vec<(Variant, VariantPosition)>;

/// What to look for to find a position of a variant in these lines.
pub(crate) fn wanted((variant, pos): &(Variant, VariantPosition), lines: LineScope) -> Vec<Wanted> {
    let main = lines.has_main().then_some(false);
    let variations = lines.has_variations().then_some(true);
    let lines = main.into_iter().chain(variations);
    lines
        .map(|in_variations| Wanted {
            pos: pos.clone(),
            variant: *variant,
            in_variations,
        })
        .collect()
}

/// Reads the FEN of a query by the rules of a variant.
pub(crate) fn query_fen(text: &str, variant: Variant) -> Result<VariantPosition> {
    read_fen(text, variant, FenUse::Query)
        .map(|read| read.pos)
        .map_err(|reason| Error::Position {
            class: "bad_fen",
            message: format!("`{}`: {reason}", text.trim()),
        })
}

/// All positions that have this placement and side to move, `PLACEMENT SIDE`: with each set of castling rights and
/// each en passant square that the board allows, in three-check with all checks that may be left.
///
/// In crazyhouse the pockets belong to the placement and must be said: what lies in them cannot be told from the board.
pub(crate) fn query_board(text: &str, variant: Variant) -> Result<Vec<VariantPosition>> {
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
    let rules = variant.rules();
    if rules == Rules::Crazyhouse && !board.ends_with(']') {
        let message = format!(
            "the pockets are wanted behind a crazyhouse board, also empty ones: `{board}[]`"
        );
        return Err(bad(message));
    }
    let checks: Vec<String> = if rules == Rules::ThreeCheck {
        let pairs = (0..16).map(|pair| format!(" {}+{} 0 1", pair / 4, pair % 4));
        pairs.skip(1).collect()
    } else {
        vec![String::new()]
    };
    let mut positions: Vec<VariantPosition> = Vec::new();
    let mut reason = String::new();
    for side in sides {
        let bare = read_fen(&format!("{board} {side} - -"), variant, FenUse::Query);
        let bare = match bare {
            Ok(read) => read.pos,
            Err(e) => {
                reason = e;
                continue;
            }
        };
        let rank = if *side == "w" { '6' } else { '3' };
        let squares = ('a'..='h').map(|file| format!("{file}{rank}"));
        let squares: Vec<String> = std::iter::once("-".to_owned()).chain(squares).collect();
        for castling in rights_on(bare.board()) {
            for ep in &squares {
                for checks in &checks {
                    let fen = format!("{board} {side} {castling} {ep}{checks}");
                    match read_fen(&fen, variant, FenUse::Query) {
                        Ok(read) if read.castling_dropped || read.ep_dropped => {}
                        Ok(read) if ep != "-" && read.pos.legal_ep_square().is_none() => {}
                        Ok(read) => positions.push(read.pos),
                        Err(e) => reason = e,
                    }
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

/// Every set of castling rights that a board may go with, by the files of the rooks: on each side of a king on its first
/// rank none, or any one of the rooks there.
fn rights_on(board: &Board) -> Vec<String> {
    let mut sets = vec![String::new()];
    for color in Color::ALL {
        let home = Bitboard::from_rank(color.backrank()) & board.by_color(color);
        let Some(king) = (home & board.kings()).single_square() else {
            continue;
        };
        for side in CastlingSide::ALL {
            let rooks = (home & board.rooks()).into_iter();
            let rooks = rooks.filter(|&rook| CastlingSide::from_king_side(rook > king) == side);
            let mut with = Vec::new();
            for rook in rooks {
                let file = rook.file().char();
                let letter = color.fold_wb(file.to_ascii_uppercase(), file);
                with.extend(sets.iter().map(|set| format!("{set}{letter}")));
            }
            sets.extend(with);
        }
    }
    if let Some(none) = sets.first_mut() {
        none.push('-');
    }
    sets
}

/// Plays moves that a person wrote, in any notation, and keeps all positions, the first one too.
///
/// # Errors
///
/// The first move that is not exactly one legal move, by class.
pub(crate) fn play_line(
    start: VariantPosition,
    text: &str,
    reading: Reading,
) -> Result<Vec<VariantPosition>> {
    let moves = play_moves(&start, text, reading)?;
    let positions = moves.into_iter().map(|(_, after)| after);
    Ok(std::iter::once(start).chain(positions).collect())
}

/// The same moves, each with the position that it leads to.
///
/// # Errors
///
/// Those of [`play_line`].
pub(crate) fn play_moves(
    start: &VariantPosition,
    text: &str,
    reading: Reading,
) -> Result<Vec<(PlayedMove, VariantPosition)>> {
    let mut moves: Vec<(PlayedMove, VariantPosition)> = Vec::new();
    for word in notation::split_line(text) {
        let ply = moves.len() + 1;
        let pos = moves.last().map_or(start, |(_, pos)| pos);
        let played = crate::replay::resolve(word.as_bytes(), pos, reading).map_err(|error| {
            Error::Position {
                class: if error == MoveError::NotAMove {
                    "illegal_move"
                } else {
                    error.class()
                },
                message: format!("`{word}` at ply {ply}: {error}"),
            }
        })?;
        let after = after(pos, played).ok_or_else(|| Error::Position {
            class: "illegal_move",
            message: format!("`{word}` at ply {ply}: a null move in check or after the end"),
        })?;
        moves.push((played, after));
    }
    Ok(moves)
}

/// The position after a legal move; there is none after a null move in check.
pub fn after(pos: &VariantPosition, played: PlayedMove) -> Option<VariantPosition> {
    match played {
        PlayedMove::Move(m) => {
            let mut after = pos.clone();
            after.play_legal(m);
            Some(after)
        }
        PlayedMove::Null => pos.passed(),
    }
}

/// The position that a line leads to from the start of its variant.
pub(crate) fn line_end(text: &str, variant: Variant, reading: Reading) -> Result<VariantPosition> {
    let start = start_of(variant);
    let end = play_line(start.clone(), text, reading)?.pop();
    Ok(end.unwrap_or(start))
}

/// Where any of some positions stands.
pub(crate) fn match_positions(
    searcher: &Searcher,
    sought: &[(Variant, VariantPosition)],
    lines: LineScope,
) -> Result<Matches> {
    let mut matches = Matches {
        segments: vec![SegmentMatches::new(); searcher.views.len()],
    };
    for wanted in sought.iter().flat_map(|sought| wanted(sought, lines)) {
        let mut segments = Vec::new();
        for segment in 0..searcher.views.len() {
            searcher.check_time()?;
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
    let of_segment = |segment: usize| {
        let view = &searcher.views[segment];
        let found = view.sequence_ends(
            patterns.len(),
            |i, token| patterns[i].matches(token),
            || searcher.check_time(),
        )?;
        let (starts, facts) = (view.starts()?, view.facts()?);
        let mut segment = SegmentMatches::new();
        let mut doc: DocId = 0;
        for slot in found {
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
        Ok(segment)
    };
    Ok(Matches {
        segments: searcher.of_segments(Pace::Long, of_segment)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_stands_for_every_set_of_rights_it_allows() {
        let n_of = |variant, text: &str| query_board(text, variant).map_or(0, |all| all.len());
        for (n, text) in [
            (16, "r3k2r/8/8/8/8/8/8/R3K2R w"),
            (1, "4k3/8/8/8/8/8/8/4K3 w"),
            (2, "4k3/8/8/3pP3/8/8/8/4K3 w"),
            (6, "4k3/8/8/8/8/8/8/R3KR1R w"),
            (2, "4k3/8/8/8/8/8/8/4K3"),
            (0, "4k3/8/8 w"),
        ] {
            assert_eq!(n_of(Variant::Standard, text), n, "{text}");
        }
        assert_eq!(n_of(Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w"), 15);
        assert_eq!(n_of(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[Qq] w"), 1);
        assert_eq!(n_of(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3 w"), 0);
        assert_eq!(n_of(Variant::Antichess, "8/8/8/8/8/8/8/4K3 w"), 1);
    }
}
