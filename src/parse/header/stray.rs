//! A position that stands somewhere else than in the FEN tag: in a tag of another name, or in the text before the moves.
//!
//! To begin such a game from the usual position would play its moves on a board on which nobody played them.

use crate::parse::{RawGame, WordKind};
use crate::split::lex;

/// The usual start, which changes nothing.
const USUAL: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Length of the shortest placement, `8/8/8/8/8/8/8/8`.
const MIN_LEN: usize = 15;

/// Whether the first word of a text is the placement of a position, other than the usual one (PGN standard, section 16.1.3.1).
pub(super) fn is_placement(text: &[u8]) -> bool {
    if text.len() < MIN_LEN || memchr::memchr(b'/', text).is_none() {
        return false;
    }
    let text = text.trim_ascii_start();
    let len = text
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'/')
        .count();
    let placement = &text[..len];
    let ranks = placement.split(|b| *b == b'/');
    ranks.clone().count() == 8 && ranks.clone().all(is_rank) && placement != USUAL
}

/// Whether a tag of this name tells where a game begins. Others tell where it ended, or where it is being shown.
pub(super) fn means_start(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let begins = |word: &[u8]| name.starts_with(word);
    // A letter of FEN is wrong, lost or doubled.
    let is_near =
        (2..=4).contains(&name.len()) && b"fen".iter().filter(|b| name.contains(b)).count() >= 2;
    is_near || begins(b"start") || begins(b"init") || begins(b"fen") || begins(b"setup")
}

/// Whether this is a rank: pieces, and numbers of empty squares.
fn is_rank(rank: &[u8]) -> bool {
    let n_squares: u32 = rank
        .iter()
        .map(|b| match b {
            b'1'..=b'8' => u32::from(b - b'0'),
            b if b"KQRBNPkqrbnp".contains(b) => 1,
            _ => 9,
        })
        .sum();
    n_squares == 8
}

/// Where a placement stands before the first move of a game: outside of comments, or in a comment that says it is a FEN.
pub(super) fn before_moves(bytes: &[u8], game: &RawGame) -> Option<usize> {
    let from = game
        .tags
        .last()
        .map_or(game.range.start, |tag| tag.value.end);
    let first = game.words.iter().find(|word| word.kind == WordKind::Move);
    let to = first.map_or(game.range.end, |first| first.start);
    let text = bytes.get(from..to)?;
    // Nearly all games have nothing there but the end of a tag and a number.
    if text.len() < MIN_LEN || memchr::memchr(b'/', text).is_none() {
        return None;
    }
    let mut at = from;
    while at < to {
        let is_start =
            at == from || !bytes[at - 1].is_ascii_alphanumeric() && bytes[at - 1] != b'/';
        at = match bytes[at] {
            b'{' => {
                let (end, _) = lex::comment_end(bytes, at);
                if let Some(fen) = said_to_be_fen(&bytes[at + 1..end.min(to)]) {
                    return Some(at + 1 + fen);
                }
                end
            }
            b';' => lex::line_end(bytes, at),
            b'%' if lex::is_line_start(bytes, at) => lex::line_end(bytes, at),
            _ if is_start && is_placement(&bytes[at..to]) => return Some(at),
            _ => at + 1,
        };
    }
    None
}

/// Where the placement stands in a comment that begins with the word FEN.
fn said_to_be_fen(comment: &[u8]) -> Option<usize> {
    let text = comment.trim_ascii_start();
    let rest = text
        .get(3..)
        .filter(|_| text[..3].eq_ignore_ascii_case(b"FEN"))?;
    let signs = rest
        .iter()
        .take_while(|b| !b.is_ascii_alphanumeric())
        .count();
    is_placement(&rest[signs..]).then_some(comment.len() - rest.len() + signs)
}

#[cfg(test)]
mod tests {
    use super::{is_placement, means_start};

    #[test]
    fn a_placement_has_eight_ranks_of_eight_squares_and_is_not_the_usual_one() {
        for yes in [
            "8/8/8/8/8/8/8/8",
            " 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3_w_-_-_0_1",
        ] {
            assert!(is_placement(yes.as_bytes()), "{yes}");
        }
        for no in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/7",
            "8/8/8/8/8/8/8/8/8",
            "https://lichess.org/a/b/c/d/e",
            "1/2/3/4/5/6/7/8",
        ] {
            assert!(!is_placement(no.as_bytes()), "{no}");
        }
    }

    #[test]
    fn a_name_that_is_nearly_fen_or_speaks_of_the_start_means_it() {
        for yes in [
            "FEM",
            "FN",
            "FENN",
            "EFN",
            "InitialFEN",
            "StartPosition",
            "FEN2",
            "SetupFEN",
        ] {
            assert!(means_start(yes.as_bytes()), "{yes}");
        }
        for no in [
            "CurrentPosition",
            "FinalFEN",
            "Site",
            "Link",
            "EndPosition",
            "EPD",
        ] {
            assert!(!means_start(no.as_bytes()), "{no}");
        }
    }
}
