//! Annotation signs: the only list of them in the crate, with the numbers that PGN gives them.
//!
//! A sign says what somebody thinks of a move or of the position after it; it names no move. It may stand behind a blank
//! (`e4 +-`), where the reader of archives asks [`is_annotation`], or glued to its move (`e4+-`, `Nf3!N`), where every
//! reader of this room takes it off. The numbers are those of the PGN standard, section 10, and from 140 on those that
//! ChessBase and Scid added. Of the signs that have one number for each side, that of White is given.
//!
//! Signs are made of the characters that moves are made of. So the longest one wins (`Nf3+-` is no check), and a letter
//! that could be a promotion is one: `e8N` is a knight, `e4N` a novelty, `d8D` a queen in some other language.

use super::word::{Word, fold};

/// A sign and its number, if it has one.
type Sign = (&'static str, Option<u8>);

/// The signs that no move ends with. Dashes are hyphens here.
const SIGNS: [Sign; 44] = [
    ("!", Some(1)),
    ("?", Some(2)),
    ("!!", Some(3)),
    ("‼", Some(3)),
    ("??", Some(4)),
    ("⁇", Some(4)),
    ("!?", Some(5)),
    ("⁉", Some(5)),
    ("?!", Some(6)),
    ("⁈", Some(6)),
    ("□", Some(7)),
    ("=", Some(10)),
    ("∞", Some(13)),
    ("+=", Some(14)),
    ("+/=", Some(14)),
    ("⩲", Some(14)),
    ("=+", Some(15)),
    ("=/+", Some(15)),
    ("⩱", Some(15)),
    ("+/-", Some(16)),
    ("±", Some(16)),
    ("-/+", Some(17)),
    ("∓", Some(17)),
    ("+-", Some(18)),
    ("-+", Some(19)),
    ("⨀", Some(22)),
    ("⊙", Some(22)),
    ("○", Some(26)),
    ("⟳", Some(32)),
    ("↑", Some(36)),
    ("→", Some(40)),
    ("=/∞", Some(44)),
    ("∞/=", Some(44)),
    ("=∞", Some(44)),
    ("∞=", Some(44)),
    ("⯹", Some(44)),
    ("⇆", Some(132)),
    ("⇄", Some(132)),
    ("⊕", Some(138)),
    ("⨁", Some(138)),
    ("△", Some(140)),
    ("∆", Some(140)),
    ("⌓", Some(142)),
    ("(=)", None),
];

/// The signs that a move could end with.
pub(super) const LETTERS: [Sign; 4] = [
    ("RR", Some(145)),
    ("TN", Some(146)),
    ("N", Some(146)),
    ("D", Some(220)),
];

/// What annotates only where it stands apart: glued to a move it would be a part of it.
const APART: [&str; 3] = ["-", "~", "\u{fe0e}"];

/// The most signs that stand together. More of them are a ruler or a smiley.
const MAX_TOGETHER: usize = 3;

/// Whether a word of movetext is annotation: signs, or marks that belong to the move before it (`+`, `mate`, `e.p.`).
///
/// # Examples
///
/// ```
/// use pgndex::notation::is_annotation;
///
/// assert!(is_annotation("+-") && is_annotation("!N") && is_annotation("e.p."));
/// assert!(!is_annotation("e4+-") && !is_annotation("good"));
/// ```
pub fn is_annotation(text: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    let (rest, signs) = strip_annotations(text);
    APART.contains(&text)
        || rest.is_empty() && !signs.is_empty()
        || is_mark(rest)
        || letters_at_end(rest) == rest.len()
}

/// Whether the word holds nothing but marks of a move: check, mate, en passant, in any of their spellings.
pub(super) fn is_mark(word: &str) -> bool {
    // Prose begins with any letter, and marks with few.
    let is_possible = word.starts_with([
        'e', 'a', 'i', 'c', 'd', 'm', '+', '#', '†', '‡', '≠', '!', '?',
    ]);
    is_possible && Word::new(word).is_some_and(|word| word.chars().is_empty() && word.has_marks())
}

/// The number of a sign.
///
/// # Examples
///
/// ```
/// use pgndex::notation::nag_of;
///
/// assert_eq!(nag_of("+-"), Some(18));
/// assert_eq!(nag_of("+−"), Some(18));
/// assert_eq!(nag_of("N"), Some(146));
/// assert_eq!(nag_of("(=)"), None);
/// ```
pub fn nag_of(sign: &str) -> Option<u8> {
    let mut all = SIGNS.iter().chain(&LETTERS);
    all.find(|(text, _)| text.chars().eq(sign.chars().filter_map(fold)))?
        .1
}

/// A move without the signs that are glued to it, and these signs.
///
/// Marks stay with the move: `Nf3+!` is `Nf3+` and `!`. A letter stays where it could be a promotion.
///
/// # Examples
///
/// ```
/// use pgndex::notation::{each_sign, strip_annotations};
///
/// assert_eq!(strip_annotations("Nf3+-"), ("Nf3", "+-"));
/// assert_eq!(strip_annotations("Nf3!N"), ("Nf3", "!N"));
/// assert_eq!(strip_annotations("e8N"), ("e8N", ""));
/// assert_eq!(each_sign("!N"), ["!", "N"]);
/// ```
pub fn strip_annotations(text: &str) -> (&str, &str) {
    let mut rest = text;
    for _ in 0..MAX_TOGETHER {
        let n_bytes = match sign_at_end(&rest.chars().rev()) {
            0 => letters_of_no_piece(rest),
            n_chars => bytes_of_last(rest, n_chars),
        };
        if n_bytes == 0 {
            break;
        }
        rest = &rest[..rest.len() - n_bytes];
    }
    // A null move is spelled like a sign, and a text of signs alone has no move.
    if rest.is_empty() && Word::new(text).is_some_and(|word| word.is_null()) {
        return (text, "");
    }
    text.split_at(rest.len())
}

/// The single signs of a text that consists of signs, in order; what is no sign is left out.
pub fn each_sign(signs: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = signs;
    while !rest.is_empty() {
        let n_bytes = match sign_at_end(&rest.chars().rev()) {
            0 => letters_at_end(rest),
            n_chars => bytes_of_last(rest, n_chars),
        };
        let at = rest.len() - n_bytes.max(rest.chars().next_back().map_or(1, char::len_utf8));
        if n_bytes > 0 {
            found.push(&rest[at..]);
        }
        rest = &rest[..at];
    }
    found.reverse();
    found
}

/// The number of characters of the longest sign that a text ends with, whose characters come in reverse; 0 without one.
/// Letters are not looked for.
pub(super) fn sign_at_end(reversed: &(impl Iterator<Item = char> + Clone)) -> usize {
    let ends_with = |sign: &str| {
        let mut text = reversed.clone().map(|c| fold(c).unwrap_or(c));
        sign.chars().rev().all(|c| text.next() == Some(c))
    };
    let lengths = SIGNS
        .iter()
        .filter(|sign| ends_with(sign.0))
        .map(|sign| sign.0.chars().count());
    lengths.max().unwrap_or(0)
}

/// The number of bytes, which is that of the characters, of the letter sign that the text ends with.
pub(super) fn letters_at_end(text: &str) -> usize {
    let found = LETTERS.iter().find(|sign| text.ends_with(sign.0));
    found.map_or(0, |sign| sign.0.len())
}

/// The same where the letter cannot be a promotion: behind a move that is no pawn's, or does not end on the last rank.
fn letters_of_no_piece(text: &str) -> usize {
    let n_bytes = letters_at_end(text);
    let rest = &text[..text.len() - n_bytes];
    let Some(before) = rest.chars().next_back() else {
        return 0;
    };
    let is_pawn =
        rest.starts_with(|c: char| matches!(c, 'a'..='h' | 'P')) || !before.is_ascii_digit();
    let is_move_end = matches!(
        before,
        '1'..='8' | '!' | '?' | '+' | '#' | ')' | 'O' | 'o' | '0'
    );
    let may_promote = matches!(before, '1' | '8') && is_pawn;
    if is_move_end && !may_promote {
        n_bytes
    } else {
        0
    }
}

fn bytes_of_last(text: &str, n_chars: usize) -> usize {
    text.chars().rev().take(n_chars).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sign_of_the_list_is_read_alone_and_glued() {
        for (sign, nag) in SIGNS.iter().chain(&LETTERS) {
            assert!(is_annotation(sign), "{sign}");
            assert_eq!(nag_of(sign), *nag);
            assert_eq!(each_sign(sign), [*sign]);
            for text in ["Nf3", "O-O", "exd5", "Bb5+", "Qh8", "P-K4"] {
                let glued = [text, sign].concat();
                // A check and a sign may touch: `Bb5+` and `-`, `Bb5` and `+-`; the sign is as long as it can be.
                if text.ends_with('+') && matches!(*sign, "=" | "=/+" | "=+" | "=∞" | "=/∞") {
                    continue;
                }
                assert_eq!(strip_annotations(&glued), (text, *sign), "{glued}");
            }
        }
    }

    #[test]
    fn marks_stay_with_their_move() {
        for (text, rest, signs) in [
            ("Nf3+", "Nf3+", ""),
            ("Nf3+-", "Nf3", "+-"),
            ("Nf3++-", "Nf3+", "+-"),
            ("Nf3+−", "Nf3", "+−"),
            ("Qxf7#!", "Qxf7#", "!"),
            ("d4-+", "d4", "-+"),
            ("O-O-+", "O-O", "-+"),
            ("e4!=", "e4", "!="),
            ("e4=!?", "e4", "=!?"),
            ("Nf3!N", "Nf3", "!N"),
            ("Nc6D", "Nc6", "D"),
            ("e8=Q=", "e8=Q", "="),
            ("e8N", "e8N", ""),
            ("d8D", "d8D", ""),
            ("a1N+-", "a1N", "+-"),
            ("exd8N", "exd8N", ""),
            ("Nf8N", "Nf8", "N"),
            ("PxN", "PxN", ""),
            ("QxN!", "QxN", "!"),
            ("--", "--", ""),
            ("e4", "e4", ""),
            ("", "", ""),
        ] {
            assert_eq!(strip_annotations(text), (rest, signs), "{text}");
        }
    }

    #[test]
    fn words_of_signs_are_annotations() {
        for text in [
            "N", "D", "=", "+-", "!?", "?!", "e.p.", "∞", "±", "mate.", "ch", "dis.", "dbl", "++",
            "!N", "=!", "e.p.+", "ep.", "i.p.", "a.p.", "-", "~", "(=)", "–+", "TN!", "†",
            "dis.ch.",
        ] {
            assert!(is_annotation(text), "{text}");
        }
        for text in [
            "", "e4", "Nf3", "good", "NN", "--", "---", "=====", "⟲", "K", "White", "ad", "de",
            "a", "e", "x", "*",
        ] {
            assert!(!is_annotation(text), "{text}");
        }
    }

    #[test]
    fn signs_are_told_apart() {
        assert_eq!(each_sign("!?+-N"), ["!?", "+-", "N"]);
        assert_eq!(each_sign("x="), ["="]);
        assert!(each_sign("").is_empty());
    }
}
