//! Where the tokens of a movetext end: words, move numbers, dots, markers, and how a game without tags begins.

use crate::model::game_result::GameResult;
use crate::parse::word::{self, Meaning};
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

/// The end of the token at `at`, at least one byte on. A promotion in parentheses, `e8(Q)` or `e8=(Q)`, belongs to its
/// move.
pub(super) fn token_end(bytes: &[u8], at: usize) -> usize {
    let end = word_end(bytes, at);
    if end == at {
        return at + 1;
    }
    if bytes.get(end) == Some(&b'(')
        && matches!(bytes[end - 1], b'1' | b'8' | b'=')
        && matches!(bytes.get(end + 1), Some(b'A'..=b'Z' | b'a'..=b'z'))
        && bytes.get(end + 2) == Some(&b')')
    {
        return word_end(bytes, end + 3);
    }
    end
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
        _ if digits <= 3 && &bytes[at..end] != b"00" && &bytes[at..end] != b"000" => Some(end),
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
pub(super) fn spaced_marker(bytes: &[u8]) -> Option<(GameResult, usize)> {
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

/// Whether a game without tags begins here: a line that starts with a move number and a move, or with two plain moves,
/// or with one and a comment or a marker.
pub(super) fn starts_tagless_game(bytes: &[u8], at: usize) -> bool {
    if bytes[at].is_ascii_digit() {
        return starts_line(bytes, at)
            && (starts_with_number(bytes, at) || starts_with_bare_one(bytes, at));
    }
    let end = word_end(bytes, at);
    if !lex::certainly_movetext(&bytes[at..end]) || lex::is_marker(&bytes[at..end]) {
        return false;
    }
    let blanks = bytes[end..].iter().take_while(|b| **b == b' ').count();
    let next = end + blanks;
    starts_line(bytes, at)
        && match bytes.get(next) {
            Some(b'{' | b'*') => true,
            Some(_) => lex::certainly_movetext(&bytes[next..word_end(bytes, next)]),
            None => false,
        }
}

/// Whether the numbers of the moves begin again here, so that what went before is another game even if it has no
/// termination marker: after an empty line stand the number 1 and White's move, and then what follows a move.
///
/// To read on would play the moves of the next game in this one, where by chance they may be legal.
pub(super) fn restarts_numbering(bytes: &[u8], at: usize) -> bool {
    let Some(rest) = bytes.get(at..).and_then(|rest| rest.strip_prefix(b"1.")) else {
        return false;
    };
    !rest.starts_with(b".")
        && starts_line(bytes, at)
        && follows_empty_line(bytes, at)
        && starts_with_moves(bytes, skip_blanks(bytes, at + 2))
}

/// Whether only white space stands before `at` in its line.
fn starts_line(bytes: &[u8], at: usize) -> bool {
    let mut line_so_far = bytes[..at]
        .iter()
        .rev()
        .take_while(|b| !matches!(b, b'\n' | b'\r'));
    line_so_far.all(|b| lex::is_blank(*b) || lex::BOM.contains(b))
}

/// Whether the line before that of `at`, which is the first word of its line, is empty.
fn follows_empty_line(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[..at];
    let blank = before
        .iter()
        .rev()
        .take_while(|b| lex::is_blank(**b) || lex::BOM.contains(b))
        .count();
    lex::n_line_ends(&before[at - blank..]) >= 2
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        at += match lex::is_blank(byte) {
            true => 1,
            false if byte.is_ascii() => return at,
            false => match lex::wide_blank_len(bytes, at) {
                0 => return at,
                len => len,
            },
        };
    }
    at
}

/// Whether a move number and a move begin here.
fn starts_with_number(bytes: &[u8], at: usize) -> bool {
    let Some(end) = number_end(bytes, at) else {
        return false;
    };
    let end = end + usize::from(bytes.get(end) == Some(&b')'));
    if !(matches!(bytes[end - 1], b'.' | b')') || bytes[..end].ends_with("…".as_bytes())) {
        return false;
    }
    let mut start = end;
    loop {
        let blanks = skip_blanks(bytes, start);
        let next = blanks + dots_len(&bytes[blanks..]);
        if next == start {
            return move_end(bytes, start).is_some();
        }
        start = next;
    }
}

/// Whether the number 1 without a dot and moves begin here: `1 d4 Nf6 2 Nf3`. A number and a single move might be prose.
fn starts_with_bare_one(bytes: &[u8], at: usize) -> bool {
    bytes[at..].starts_with(b"1 ") && starts_with_moves(bytes, skip_blanks(bytes, at + 1))
}

/// Whether a move begins here and is followed by what may follow a move: another one, a number, comment, variation, sign,
/// marker or tag, or nothing at all.
fn starts_with_moves(bytes: &[u8], at: usize) -> bool {
    let Some(end) = move_end(bytes, at) else {
        return false;
    };
    let next = skip_blanks(bytes, end);
    match bytes.get(next) {
        None | Some(b'{' | b';' | b'(' | b'$' | b'*' | b'[') => true,
        Some(b'%') if lex::is_line_start(bytes, next) => true,
        Some(_) => {
            starts_with_decoration(bytes, next)
                || !matches!(
                    meaning_at(bytes, next).0,
                    Meaning::Junk | Meaning::UnknownAnnotation
                )
        }
    }
}

/// The end of the move that begins here, or of what looks like one.
fn move_end(bytes: &[u8], at: usize) -> Option<usize> {
    let (meaning, end) = (at < bytes.len()).then(|| meaning_at(bytes, at))?;
    (meaning == Meaning::Move && !starts_with_decoration(bytes, at)).then_some(end)
}

/// Whether a move number, dots or a standard marker begin here, to which a move may be glued.
fn starts_with_decoration(bytes: &[u8], at: usize) -> bool {
    bytes[at].is_ascii_digit() && number_end(bytes, at).is_some()
        || dots_len(&bytes[at..]) > 0
        || standard_marker(&bytes[at..]).is_some()
}

/// The meaning of the word that begins here, and its end.
fn meaning_at(bytes: &[u8], at: usize) -> (Meaning, usize) {
    let token = &bytes[at..token_end(bytes, at)];
    let token = &token[..len_without_marker(token)];
    let meaning = if word::is_plain_move(token) {
        Meaning::Move
    } else {
        word::meaning(token)
    };
    (meaning, at + token.len())
}
