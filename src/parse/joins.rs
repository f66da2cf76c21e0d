//! Parts of one move that stand apart.

use crate::model::game_result::GameResult;
use crate::notation;
use crate::parse::{Word, word};
use crate::split::lex;

/// Whether the token belongs to the move before it, from which only blanks part it: `Cc6 x Cd4`, `Castles K`. A mark
/// after a plain move, as in `Nf3 +`, is an annotation of its own.
pub(super) fn joins(bytes: &[u8], last: Word, token: std::ops::Range<usize>) -> bool {
    let word = &bytes[last.range()];
    // No move is as long. Without a limit `x x x …` would be read once for each of its signs.
    if word.len() > 64 {
        return false;
    }
    let between = &bytes[last.range().end..token.start];
    let text = |bytes| std::str::from_utf8(bytes).ok();
    let (Some(word_text), Some(token_text)) = (text(word), text(&bytes[token.clone()])) else {
        return false;
    };
    let is_capture_sign = matches!(token_text, "x" | ":" | "×");
    // PGN standard, section 8.2.3.5: a check sign is appended to its move, so on another line it is none. Words may be
    // parted by the end of a line, which is white space like a blank; an empty line ends what was being said.
    let is_check_sign = token_text.starts_with(['+', '#']);
    let most_line_ends = usize::from(!is_check_sign);
    (is_capture_sign || word::is_open(word) || !word::is_plain_move(word))
        && notation::continues_move(word_text, token_text)
        && GameResult::from_marker(token_text).is_none()
        && between.iter().all(|b| lex::is_blank(*b))
        && lex::n_line_ends(between) <= most_line_ends
}
