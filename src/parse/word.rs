//! What a word of the movetext is: a number, a marker, an annotation, a move or junk.
//!
//! The fast cases are decided by the reader from the first byte; what is left comes here. PGN standard, sections 8.2.2
//! (move numbers), 8.2.3.8 (annotation suffixes), 8.2.4 (glyphs) and 8.2.6 (markers).

use crate::model::game_result::{GameResult, Spelling, is_double_forfeit};
use crate::notation::{self, Reading};

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A move number or dots: decoration.
    Number,
    /// A termination marker.
    Marker(GameResult, Spelling),
    /// An annotation sign.
    Annotation,
    /// A sign that annotates something, but nobody knows what.
    UnknownAnnotation,
    /// A row of signs without a letter or digit, which is typography.
    Ruler,
    /// A move, or what looks like one.
    Move,
    /// Anything else.
    Junk,
}

/// Whether the word has the shape of a plain SAN move, the case of nearly every word: a piece or file letter first,
/// a rank digit somewhere after it.
pub fn is_plain_move(word: &[u8]) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    match word {
        [
            b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'P',
            ..,
            file,
            rank,
        ] if is_square(&[*file, *rank]) => true,
        [
            b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'P',
            rest @ ..,
        ] => {
            is_square(word)
                || rest.windows(2).any(is_square)
                || is_square(&word[..word.len().min(2)])
        }
        [b'O', b'-', b'O', ..] => true,
        _ => false,
    }
}

/// The meaning of a word that is not a plain move, in a text whose moves are read so.
pub fn meaning(word: &[u8], reading: Reading) -> Meaning {
    if word.iter().all(|b| matches!(b, b'.')) {
        return Meaning::Number;
    }
    let Ok(text) = std::str::from_utf8(word) else {
        return meaning_of_text(&super::decode(word), reading);
    };
    meaning_of_text(text, reading)
}

fn meaning_of_text(text: &str, reading: Reading) -> Meaning {
    if matches!(text, "…" | "--." | "\u{a0}") {
        return Meaning::Number;
    }
    if let Some((result, spelling)) = GameResult::from_marker(text) {
        return Meaning::Marker(result, spelling);
    }
    let core = text.trim_end_matches(['!', '?']);
    if core.is_empty() || notation::is_annotation(text) {
        return Meaning::Annotation;
    }
    // Digits that are no move in ICCF's notation: a year, or a move that was misread.
    if core.bytes().all(|b| b.is_ascii_digit())
        && !is_numeric_move(core)
        && !matches!(core, "00" | "000")
    {
        return Meaning::Junk;
    }
    // A judgement such as `0.00` is no castling after the number 0.
    if is_judgement(core) {
        return Meaning::UnknownAnnotation;
    }
    // A capture whose square stands apart, in letters that no English prose is written in.
    let is_open_move = core.chars().count() <= 4
        && core
            .chars()
            .next()
            .is_some_and(|c| !c.is_ascii() && c.is_uppercase())
        && core.ends_with([':', 'x', '×']);
    if is_open_move || is_null_move(core) || notation::looks_like_move(text.as_bytes(), reading) {
        return Meaning::Move;
    }
    if !core.chars().any(char::is_alphanumeric)
        && core
            .chars()
            .any(|c| c.is_ascii_punctuation() || !c.is_ascii())
    {
        // A ruler of dashes is typography; a short sign is an annotation that we do not know.
        return if core.chars().count() <= 3 {
            Meaning::UnknownAnnotation
        } else {
            Meaning::Ruler
        };
    }
    Meaning::Junk
}

/// Whether the word is a move that lacks its end: it stops at a capture sign. `Кр:` is one, `Hd5:` is not.
pub(super) fn is_open(word: &[u8]) -> bool {
    match std::str::from_utf8(word) {
        Ok(text) => {
            text.ends_with(['x', '×'])
                || text.ends_with(':') && !text.contains(|c: char| c.is_ascii_digit())
        }
        Err(_) => false,
    }
}

/// Whether this is a null move, `--` in ChessBase and Scid, `Z0` in ChessBase, `@@@@` and `null` elsewhere.
pub fn is_null_move(word: &str) -> bool {
    matches!(word, "--" | "Z0" | "@@@@" | "null" | "0000")
}

/// Whether this is what an engine makes of a position, in pawns: `0.35`, `-1.20`.
fn is_judgement(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-', '−']);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits
        .split_once('.')
        .is_some_and(|(pawns, rest)| is_number(pawns) && is_number(rest))
}

/// Whether a word of movetext is the beginning of a move: `Nx`, `Qa`, `e8=`, `O-`. It is no whole word of any notation.
pub(super) fn is_half_move(word: &[u8]) -> bool {
    match word {
        [b'K' | b'Q' | b'R' | b'B' | b'N', rest @ ..] => {
            rest.len() < 4
                && rest
                    .iter()
                    .all(|b| matches!(b, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-'))
        }
        [b'a'..=b'h', rest @ ..] => {
            rest.len() < 5
                && rest
                    .iter()
                    .all(|b| matches!(b, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'-' | b'='))
        }
        [b'O', rest @ ..] => rest.len() < 5 && rest.iter().all(|b| matches!(b, b'O' | b'-')),
        _ => false,
    }
}

/// Whether the word is a capture between files, `exd` or `ed`, which may have lost its last digit.
pub(super) fn is_half_pawn_capture(word: &[u8]) -> bool {
    matches!(
        word,
        [b'a'..=b'h', b'a'..=b'h'] | [b'a'..=b'h', b'x' | b':', b'a'..=b'h']
    )
}

/// Whether the word may be the result of a double forfeit as well as castling.
pub(super) fn is_double_zero(word: &[u8]) -> bool {
    word.first() == Some(&b'0') && std::str::from_utf8(word).is_ok_and(is_double_forfeit)
}

fn is_numeric_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    matches!(bytes.len(), 4 | 5)
        && bytes[..4].iter().all(|b| matches!(b, b'1'..=b'8'))
        && bytes.get(4).is_none_or(|b| matches!(b, b'1'..=b'4'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, want: Meaning) {
        let got = if is_plain_move(word.as_bytes()) {
            Meaning::Move
        } else {
            meaning(word.as_bytes(), Reading::default())
        };
        assert_eq!(got, want, "{word}");
    }

    #[test]
    fn words_have_the_meaning_a_reader_would_give_them() {
        for word in [
            "e4", "Nf3", "exd6e.p.", "O-O", "0-0", "0-0-0", "o-o", "Kd4", "Zz9", "--", "Z0",
            "Qd7+", "e2e4", "5254", "Sf3",
        ] {
            check(word, Meaning::Move);
        }
        for word in ["...", "…"] {
            check(word, Meaning::Number);
        }
        for word in ["N", "D", "=", "+-", "!?", "?!", "e.p.", "∞", "±"] {
            check(word, Meaning::Annotation);
        }
        for word in ["⟲", "0.00", "-1.25"] {
            check(word, Meaning::UnknownAnnotation);
        }
        check("------------------------------", Meaning::Ruler);
        for word in [
            "also",
            "resigns",
            "Received:",
            "2024",
            "9999",
            "</p>",
            "White",
            "adjourned",
        ] {
            check(word, Meaning::Junk);
        }
        check(
            "½-½",
            Meaning::Marker(GameResult::Draw, Spelling::Nonstandard),
        );
        check(
            "1–0",
            Meaning::Marker(GameResult::White, Spelling::Nonstandard),
        );
    }
}
