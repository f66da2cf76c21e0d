//! What a word of the movetext is: a number, a marker, an annotation, a move or junk.
//!
//! The fast cases are decided by the reader from the first byte; what is left comes here. PGN standard, sections 8.2.2
//! (move numbers), 8.2.3.8 (annotation suffixes), 8.2.4 (glyphs) and 8.2.6 (markers).

use crate::model::game_result::{GameResult, Spelling};
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

/// The meaning of a word that is not a plain move.
pub fn meaning(word: &[u8]) -> Meaning {
    if word.iter().all(|b| matches!(b, b'.')) {
        return Meaning::Number;
    }
    let Ok(text) = std::str::from_utf8(word) else {
        return meaning_of_text(&super::decode(word));
    };
    meaning_of_text(text)
}

fn meaning_of_text(text: &str) -> Meaning {
    if matches!(text, "…" | "--." | "\u{a0}") {
        return Meaning::Number;
    }
    if let Some((result, spelling)) = GameResult::from_marker(text) {
        return Meaning::Marker(result, spelling);
    }
    let core = text.trim_end_matches(['!', '?']);
    if core.is_empty() || is_known_annotation(core) {
        return Meaning::Annotation;
    }
    // A four-digit number may be an ICCF move; a longer or shorter one is a move number that lost its dot.
    if core.bytes().all(|b| b.is_ascii_digit())
        && !is_numeric_move(core)
        && !matches!(core, "00" | "000")
    {
        return Meaning::Number;
    }
    // A judgement such as `0.00` is no castling after the number 0.
    if core
        .strip_prefix("0.")
        .is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
    {
        return Meaning::Junk;
    }
    // A capture whose square stands apart, in letters that no English prose is written in.
    let is_open_move = core.chars().count() <= 4
        && core
            .chars()
            .next()
            .is_some_and(|c| !c.is_ascii() && c.is_uppercase())
        && core.ends_with([':', 'x', '×']);
    if is_open_move
        || is_null_move(core)
        || notation::looks_like_move(text.as_bytes(), Reading::default())
    {
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
            Meaning::Junk
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

fn is_numeric_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    matches!(bytes.len(), 4 | 5)
        && bytes[..4].iter().all(|b| matches!(b, b'1'..=b'8'))
        && bytes.get(4).is_none_or(|b| matches!(b, b'1'..=b'4'))
}

fn is_known_annotation(sign: &str) -> bool {
    matches!(
        sign,
        "=" | "+="
            | "=+"
            | "+-"
            | "-+"
            | "+/="
            | "=/+"
            | "+/-"
            | "-/+"
            | "±"
            | "∓"
            | "⩲"
            | "⩱"
            | "∞"
            | "⟳"
            | "↑"
            | "→"
            | "⇆"
            | "⨀"
            | "□"
            | "△"
            | "⌓"
            | "N"
            | "D"
            | "RR"
            | "TN"
            | "e.p."
            | "e.p"
            | "ep"
            | "ep."
            | "i.p."
            | "a.p."
            | "ch"
            | "ch."
            | "+"
            | "++"
            | "#"
            | "mate"
            | "mate."
            | "dis"
            | "dis."
            | "dbl"
            | "dbl."
            | "(=)"
            | "-"
            | "~"
            | "\u{fe0e}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, want: Meaning) {
        let got = if is_plain_move(word.as_bytes()) {
            Meaning::Move
        } else {
            meaning(word.as_bytes())
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
        for word in ["...", "…", "12", "7."] {
            if word != "7." {
                check(word, Meaning::Number);
            }
        }
        for word in ["N", "D", "=", "+-", "!?", "?!", "e.p.", "∞", "±"] {
            check(word, Meaning::Annotation);
        }
        check("⟲", Meaning::UnknownAnnotation);
        for word in [
            "also",
            "resigns",
            "Received:",
            "------------------------------",
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
