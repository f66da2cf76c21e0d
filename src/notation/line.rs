//! Splitting a line of moves, as a person writes it in a query, into its moves.
//!
//! Numbers, results, glyphs and comments go; what belongs to a move but stands apart (`exd6 e.p.`, `Castles K`,
//! `B-B5 dbl ch`) stays with it. This is for queries: the movetext of archives is cut by `parse`, which accounts for
//! every token.

use std::ops::Range;

use super::continues_move;

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
        let start = word.end - without_number(written).len();
        if names_move(&text[start..word.end]) {
            moves.push(start..word.end);
        }
    }
    moves.into_iter().map(|range| &text[range]).collect()
}

/// The stretches between blanks and commas, comments left out.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    let mut in_comment = false;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, c) in ends {
        if in_comment {
            in_comment = c != '}';
            continue;
        }
        if c.is_whitespace() || matches!(c, ',' | ';' | '{') {
            words.extend(start.take().map(|start| start..at));
            in_comment = c == '{';
        } else if start.is_none() {
            start = Some(at);
        }
    }
    words
}

fn is_result(word: &str) -> bool {
    matches!(
        word,
        "1-0" | "0-1" | "1:0" | "0:1" | "1/2-1/2" | "1/2" | "½-½" | "½:½" | "*" | "1–0" | "0–1"
    )
}

/// `word` without its move number: `12.e4`, `12...e5`, `1)`, `…e5`. A bare number of up to three digits is one too, but
/// four digits are an ICCF move and zeros castle.
fn without_number(word: &str) -> &str {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let n_digits = word.len() - after.len();
    if after.is_empty() && (n_digits > 3 || matches!(word, "00" | "000")) {
        return word;
    }
    let rest = after.trim_start_matches(['.', '…', ')']);
    // `0-0` begins with a digit and is no number.
    if rest.len() == after.len() && !after.is_empty() {
        return word;
    }
    rest
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
    }
}
