//! Splitting a line of moves, as a person writes it in a query, into its moves.
//!
//! Numbers, results, glyphs and comments go; what belongs to a move but stands apart (`exd6 e.p.`, `Castles K`,
//! `B-B5 dbl ch`) stays with it. This is for queries: the movetext of archives is cut by `parse`, which accounts for
//! every token.

use std::ops::Range;

use super::{continues_move, is_annotation, spaced_castling};

/// The moves of a line, in order.
///
/// # Examples
///
/// ```
/// use pgndex::notation::split_line;
///
/// assert_eq!(split_line("1.e4 e5 2. Nf3 {the main line} 1-0"), ["e4", "e5", "Nf3"]);
/// assert_eq!(split_line("e2e4,e7e5"), ["e2e4", "e7e5"]);
/// ```
pub fn split_line(text: &str) -> Vec<&str> {
    let mut moves: Vec<Range<usize>> = Vec::new();
    for word in words(text) {
        let written = &text[word.clone()];
        if is_result(written) {
            continue;
        }
        if let Some(last) = moves.last_mut()
            && continues_move(&text[last.clone()], written)
        {
            last.end = word.end;
            continue;
        }
        let start = word.end - without_move_number(written).len();
        if names_move(&text[start..word.end]) {
            moves.push(start..word.end);
        }
    }
    // Only now: `N` alone is a novelty, and with `(KN1)-B3` behind it a knight.
    let moves = moves.into_iter().map(|range| &text[range]);
    moves.filter(|text| !is_annotation(text)).collect()
}

/// The stretches between blanks, commas and semicolons, comments left out. Castling with blanks is one stretch.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    let mut in_comment = false;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        if in_comment {
            in_comment = c != '}';
        } else if c.is_whitespace() || matches!(c, ',' | ';' | '{') {
            words.extend(start.take().map(|start| start..at));
            in_comment = c == '{';
        } else {
            let is_after_number = start.is_none_or(|start| is_number(&text[start..at]));
            start = start.or(Some(at));
            if is_after_number && let Some(len) = spaced_castling(&text[at..]) {
                at += len;
                continue;
            }
        }
        at = next;
    }
    words.extend(start.map(|start| start..text.len()));
    words
}

fn is_number(text: &str) -> bool {
    text.ends_with(['.', '…', ')']) && without_move_number(text).is_empty()
}

fn is_result(word: &str) -> bool {
    matches!(
        word,
        "1-0" | "0-1" | "1:0" | "0:1" | "1/2-1/2" | "1/2" | "½-½" | "½:½" | "*" | "1–0" | "0–1"
    )
}

/// `text` without the move number before its move: `12.e4`, `12...e5`, `1)`, `…e5`, `12 e4`. A bare number of up to three
/// digits is one too, but more digits are an ICCF move, also `5254 ch`, and zeros castle.
///
/// # Examples
///
/// ```
/// use pgndex::notation::without_move_number;
///
/// assert_eq!(without_move_number("2... Sc6"), "Sc6");
/// assert_eq!(without_move_number("0-0"), "0-0");
/// ```
pub fn without_move_number(text: &str) -> &str {
    let text = text.trim();
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - after.len()];
    if digits.len() > 3 || matches!(digits, "00" | "000") {
        return text;
    }
    let rest =
        after.trim_start_matches(|c: char| matches!(c, '.' | '…' | ')') || c.is_whitespace());
    let sign = &after[..after.len() - rest.len()];
    // `0-0` begins with a digit and is no number, and neither is `0 - 0`.
    let ends_number = sign.contains(['.', '…', ')'])
        || !sign.is_empty() && rest.starts_with(char::is_alphabetic)
        || after.is_empty();
    if ends_number { rest } else { text }
}

fn names_move(word: &str) -> bool {
    word == "--"
        || word == "@@@@"
        || !word.starts_with('$')
            && word
                .chars()
                .any(|c| c.is_alphanumeric() || super::language::glyph(c).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, moves: &[&str]) {
        assert_eq!(split_line(text), moves, "{text}");
    }

    #[test]
    fn numbers_results_and_glyphs_go() {
        check("1.e4 e5 2. Nf3", &["e4", "e5", "Nf3"]);
        check("1. e4! $1 e5 $14 2.Sf3 1/2-1/2", &["e4!", "e5", "Sf3"]);
        check(
            "12...Ra8 13.0-0 000 {a, b} 14 e4 *",
            &["Ra8", "0-0", "000", "e4"],
        );
        check("1. 5254 5755 2. 7163", &["5254", "5755", "7163"]);
        check("17.a5 (=)", &["a5"]);
        check("1. P-K4, P-K4; 2. Kt-KB3", &["P-K4", "P-K4", "Kt-KB3"]);
        check("12 N a6 N 13 e4 +- e5! TN", &["a6", "e4", "e5!"]);
        check("", &[]);
    }

    #[test]
    fn marks_stay_with_their_move() {
        check("6. PxP e.p. NxQP", &["PxP e.p.", "NxQP"]);
        check("1. Castles K B-B5 dbl ch", &["Castles K", "B-B5 dbl ch"]);
        check("Ra8 mate", &["Ra8 mate"]);
        check("Dd1x Cg4  Cc6 x Cd4", &["Dd1x Cg4", "Cc6 x Cd4"]);
        check("23… Кр: g8 24. Hd5: e4", &["Кр: g8", "Hd5:", "e4"]);
        check("1) ♘f3 -- 2) e4", &["♘f3", "--", "e4"]);
        check(
            "15.R-K sq N-B3 dis. ch. 16. K-Q sq., K-Ksq",
            &["R-K sq", "N-B3 dis. ch.", "K-Q sq.", "K-Ksq"],
        );
        check(
            "1. P - K4 P × P 2. P-B8 (Q) ch",
            &["P - K4", "P × P", "P-B8 (Q) ch"],
        );
        check(
            "1. N (KN1)-B3 R (R sq.)-Q sq. 2. Castles (KR)",
            &["N (KN1)-B3", "R (R sq.)-Q sq.", "Castles (KR)"],
        );
        check("PxP e.p.ch K-K2", &["PxP e.p.ch", "K-K2"]);
    }

    #[test]
    fn castling_may_have_blanks() {
        check(
            "5.0 - 0 0 – 0 – 0 6. O - O+ e4",
            &["0 - 0", "0 – 0 – 0", "O - O+", "e4"],
        );
        check("0\u{a0}-\u{a0}0 0 - 1", &["0\u{a0}-\u{a0}0"]);
        check("1. e4 0 - 1", &["e4"]);
    }

    #[test]
    fn a_number_before_a_move_goes() {
        for (text, rest) in [
            ("1.e4", "e4"),
            ("1. e4", "e4"),
            ("2...Sc6", "Sc6"),
            ("…e5", "e5"),
            ("12 e4", "e4"),
            ("12", ""),
            ("5254", "5254"),
            ("5254.", "5254."),
            ("5755 e.p.", "5755 e.p."),
            ("00.", "00."),
            ("1.5254", "5254"),
            ("0-0", "0-0"),
            ("0 - 0", "0 - 0"),
            ("5. 0-0", "0-0"),
            ("00", "00"),
            ("P4R", "P4R"),
            ("e4", "e4"),
            ("1) e4", "e4"),
            (" e4 ", "e4"),
        ] {
            assert_eq!(without_move_number(text), rest, "{text}");
        }
    }
}
