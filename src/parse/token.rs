//! Where the tokens of a movetext end: words, move numbers, dots, markers, castling with blanks.

use std::ops::Range;

use crate::model::game_result::GameResult;
use crate::notation::{self, Reading};
use crate::parse::start::skip_blanks;
use crate::parse::word::{Meaning, is_plain_move};
use crate::split::lex;

/// Bytes that end a word wherever they stand.
pub(super) const fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0)
        || matches!(
            byte,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b';' | b'$' | b'"' | b'*'
        )
}

/// What a byte says about the word that it stands in or after.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    No,
    Yes,
    /// A wide blank or an entity may begin here. A word of ASCII letters holds no such byte.
    Perhaps,
}

/// The bytes as a table: one load a byte instead of a chain of comparisons.
const STOPS: [Stop; 256] = {
    let mut table = [Stop::No; 256];
    let mut byte = 0;
    while byte < 256 {
        if ends_word(byte as u8) {
            table[byte] = Stop::Yes;
        } else if matches!(byte as u8, b'&' | 0xa0 | 0xc2 | 0xe2 | 0xe3) {
            table[byte] = Stop::Perhaps;
        }
        byte += 1;
    }
    table
};

/// Whether a word ends before the byte at `at`.
fn ends_word_at(bytes: &[u8], at: usize) -> bool {
    match STOPS[bytes[at] as usize] {
        Stop::No => false,
        Stop::Yes => true,
        Stop::Perhaps if bytes[at] == b'&' => lex::entity_len(bytes, at).is_some(),
        Stop::Perhaps => lex::wide_blank_len(bytes, at) > 0,
    }
}

pub(super) fn word_end(bytes: &[u8], at: usize) -> usize {
    let end = first_stop(bytes, at);
    match bytes.get(end) {
        Some(&byte) if STOPS[byte as usize] == Stop::Perhaps => word_end_from_stop(bytes, end),
        _ => end,
    }
}

fn first_stop(bytes: &[u8], at: usize) -> usize {
    bytes[at..]
        .iter()
        .position(|&b| STOPS[b as usize] != Stop::No)
        .map_or(bytes.len(), |len| at + len)
}

/// [`word_end`], given the first byte that may end it. Apart, because nearly every word ends at the first one.
#[cold]
fn word_end_from_stop(bytes: &[u8], mut stop: usize) -> usize {
    while stop < bytes.len() && !ends_word_at(bytes, stop) {
        stop = first_stop(bytes, stop + 1);
    }
    stop
}

/// The end of the token at `at`, at least one byte on. Round brackets that a notation writes belong to their move: a
/// promotion, `e8(Q)` or `e8=(Q)`, and the squares and pieces of descriptive notation, `N(KN1)-B3` or `P-B8 (Q)`.
pub(super) fn token_end(bytes: &[u8], at: usize) -> usize {
    let mut end = word_end(bytes, at);
    if end == at {
        return at + 1;
    }
    if let Some(after) = spaced_castling_end(bytes, at)
        .or_else(|| spaced_move_end(bytes, at, end))
        .or_else(|| first_rank_end(bytes, at, end))
    {
        end = after;
    }
    while let Some(after) = bracket_of_move(bytes, at..end) {
        end = word_end(bytes, after);
    }
    end
}

/// The end of the bracket that follows `word` and belongs to it.
fn bracket_of_move(bytes: &[u8], word: Range<usize>) -> Option<usize> {
    let open = match bytes.get(word.end..)? {
        [b'(', ..] => word.end,
        [b' ', b'(', ..] => word.end + 1,
        _ => return None,
    };
    let inner = &bytes[open + 1..];
    let len = inner.iter().take(8).position(|b| *b == b')')?;
    let inner = &inner[..len];
    let is_promotion = open == word.end
        && matches!(bytes[word.end - 1], b'1' | b'8' | b'=')
        && matches!(inner, [b'A'..=b'Z' | b'a'..=b'z']);
    let belongs = || {
        let word = std::str::from_utf8(&bytes[word.clone()]).ok()?;
        let inner = std::str::from_utf8(inner).ok()?;
        Some(notation::bracket_belongs(word, inner))
    };
    (is_promotion || belongs() == Some(true)).then_some(open + len + 2)
}

/// The end of castling that is printed with blanks: `0 - 0`, `O - O - O`, `0 – 0`.
fn spaced_castling_end(bytes: &[u8], at: usize) -> Option<usize> {
    let zero = bytes[at];
    if !matches!(zero, b'0' | b'O' | b'o') {
        return None;
    }
    let (mut end, mut n_zeros, mut has_blank) = (at + 1, 1, false);
    loop {
        let sign = skip_line_blanks(bytes, end);
        let Some(len) = dash_len(bytes, sign) else {
            break;
        };
        let next = skip_line_blanks(bytes, sign + len);
        if n_zeros == 3 || bytes.get(next) != Some(&zero) {
            // What else is joined by a dash is no castling.
            return None;
        }
        has_blank |= sign > end || next > sign + len;
        end = next + 1;
        n_zeros += 1;
    }
    let is_over = bytes.get(end).is_none_or(|b| !b.is_ascii_alphanumeric());
    (n_zeros > 1 && has_blank && is_over).then(|| word_end(bytes, end))
}

/// The end of a move whose signs stand apart, as old books print them: `Q x P`, `P - K4`, `♘ x e5`. `end` is that of its
/// first word.
fn spaced_move_end(bytes: &[u8], at: usize, end: usize) -> Option<usize> {
    let mover = &bytes[at..end];
    let is_mover = match mover {
        [b'A'..=b'Z', rest @ ..] if rest.len() < 3 => rest.iter().all(u8::is_ascii_alphanumeric),
        _ => mover.len() == 3 && mover.starts_with(b"\xe2\x99"),
    };
    let sign = end + bytes[end..].iter().take_while(|b| **b == b' ').count();
    if !is_mover || sign == end || is_plain_move(mover) {
        return None;
    }
    let len = match bytes.get(sign..)? {
        [b'x' | b'X' | b':', ..] => 1,
        [0xc3, 0x97, ..] => 2,
        _ => dash_len(bytes, sign)?,
    };
    let target = skip_line_blanks(bytes, sign + len);
    let target_end = word_end(bytes, target);
    let has_target = target > sign + len
        && bytes.get(target).is_some_and(u8::is_ascii_alphanumeric)
        && target_end - target <= 8;
    let text = std::str::from_utf8(&bytes[at..target_end]).ok()?;
    (has_target && notation::looks_like_move(text.as_bytes(), Reading::default()))
        .then_some(target_end)
}

/// The end of a move to the first rank as old books print it, `R-K sq.`, of which the first word ends at `end`.
fn first_rank_end(bytes: &[u8], at: usize, end: usize) -> Option<usize> {
    if !bytes[end..].starts_with(b" sq") || !bytes[at..end].contains(&b'-') {
        return None;
    }
    let sq_end = word_end(bytes, end + 1);
    let word = std::str::from_utf8(&bytes[at..end]).ok()?;
    let sq = std::str::from_utf8(&bytes[end + 1..sq_end]).ok()?;
    notation::continues_move(word, sq).then_some(sq_end)
}

/// The length of the hyphen or dash that begins here.
fn dash_len(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..)? {
        // The dashes of Windows-1252, too.
        [b'-' | 0x96 | 0x97, ..] => Some(1),
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some(3),
        _ => None,
    }
}

/// Skips white space, but not an empty line.
fn skip_line_blanks(bytes: &[u8], at: usize) -> usize {
    let end = skip_blanks(bytes, at);
    if lex::n_line_ends(&bytes[at..end]) > 1 {
        at
    } else {
        end
    }
}

/// The end of the move number that begins at a digit, with its dots (or `…`), or without dots when a blank follows.
/// `None` when the digits are not one: `1-0`, `0-0`, `5254`, `0.5-0.5`.
pub(super) fn number_end(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = bytes[at..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    let end = at + digits;
    match bytes.get(end) {
        // `0.00` is a judgement and `0.5-0.5` a result.
        Some(b'.')
            if digits == 1
                && bytes[at] == b'0'
                && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) =>
        {
            None
        }
        Some(b'.') => Some(end + bytes[end..].iter().take_while(|b| **b == b'.').count()),
        Some(_) if bytes[end..].starts_with("…".as_bytes()) => Some(end + "…".len()),
        Some(_) if !ends_word_at(bytes, end) => None,
        _ if digits <= 3 && !matches!(&bytes[at..end], b"0" | b"00" | b"000") => Some(end),
        _ => None,
    }
}

/// Length of the dots, or ellipses, that begin here.
pub(super) fn dots_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    loop {
        let rest = &bytes[len..];
        len += match rest.first() {
            Some(b'.') => 1,
            Some(0xe2) if rest.starts_with("…".as_bytes()) => "…".len(),
            _ => return len,
        };
    }
}

/// Length of a token without the termination marker that is glued to it: `Qd61-0` is a move and a marker.
pub(super) fn len_without_marker(token: &[u8]) -> usize {
    let markers: &[&[u8]] = match token {
        [.., b'-', b'0' | b'1'] => &[b"1-0", b"0-1"],
        [.., b'/', b'2'] => &[b"1/2-1/2"],
        _ => return token.len(),
    };
    markers
        .iter()
        .filter_map(|marker| token.strip_suffix(*marker))
        .find(|before| lex::certainly_movetext(before))
        .map_or(token.len(), <[u8]>::len)
}

/// The standard termination marker that begins here, and its length. What is glued to it is a word of its own.
pub(super) fn standard_marker(bytes: &[u8]) -> Option<(GameResult, usize)> {
    for result in [GameResult::White, GameResult::Black, GameResult::Draw] {
        let marker = result.as_str().as_bytes();
        if bytes.starts_with(marker)
            && bytes
                .get(marker.len())
                .is_none_or(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'/' | b'.')))
        {
            return Some((result, marker.len()));
        }
    }
    None
}

/// The result that is written with blanks between its signs, `1 - 0`, and its length.
#[inline]
pub fn spaced_marker(bytes: &[u8]) -> Option<(GameResult, usize)> {
    match bytes {
        [b'1', b' ' | b'\t' | b'-' | b':', ..] => spaced(bytes, GameResult::White, b'0'),
        [b'0', b' ' | b'\t' | b'-' | b':', ..] => spaced(bytes, GameResult::Black, b'1'),
        _ => None,
    }
}

fn spaced(bytes: &[u8], result: GameResult, loser: u8) -> Option<(GameResult, usize)> {
    let blanks = |at: usize| {
        bytes[at..]
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count()
    };
    let sign = 1 + blanks(1);
    if !matches!(bytes.get(sign), Some(b'-' | b':')) {
        return None;
    }
    let last = sign + 1 + blanks(sign + 1);
    let ends = bytes
        .get(last + 1)
        .is_none_or(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'/' | b'.' | b':')));
    (last > 2 && bytes.get(last) == Some(&loser) && ends).then_some((result, last + 1))
}

/// Whether the text ends within the tag pair that begins at `at`, before its value: `[Eve`.
pub(super) fn half_tag_end(bytes: &[u8], at: usize) -> bool {
    lex::is_line_start(bytes, at)
        && bytes[at + 1..]
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b' '))
}

/// Whether a sign may be the name of a piece that blanks part from its square: a glyph of chess, or a letter (`N`, a novelty
/// elsewhere) before what looks like a pawn's move.
pub(super) fn names_piece(bytes: &[u8], sign: Range<usize>, meaning: Meaning) -> bool {
    let token = &bytes[sign.clone()];
    match meaning {
        Meaning::Annotation => {
            let next = skip_markup(bytes, sign.end);
            token[0].is_ascii_uppercase()
                && matches!(
                    bytes.get(next..next + 2),
                    Some([b'a'..=b'h', b'1'..=b'8' | b'x' | b'a'..=b'h'])
                )
        }
        Meaning::UnknownAnnotation => {
            matches!(token, [0xe2, 0x99, 0x94..=0x9f, ..])
                || token.starts_with("\u{fffd}".as_bytes())
        }
        _ => false,
    }
}

/// Skips white space, markup and entities.
fn skip_markup(bytes: &[u8], at: usize) -> usize {
    let mut at = skip_blanks(bytes, at);
    while let Some(end) = match bytes.get(at) {
        Some(b'<') => lex::markup_end(bytes, at),
        Some(b'&') => lex::entity_len(bytes, at).map(|len| at + len),
        _ => None,
    } {
        at = skip_blanks(bytes, end);
    }
    at
}
