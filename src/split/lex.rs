//! The lexical rules of PGN that decide where a game ends: blanks, lines, comments, escape lines and tag pairs.
//!
//! PGN standard, sections 4 to 8.1. Splitter and reader both call these functions, so that they cannot disagree.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr2_iter, memrchr, memrchr_iter, memrchr2, memrchr3};

use crate::split::eight;
pub use crate::split::meant::meant_pair;
use crate::split::tag::quoted_tag;
pub use crate::split::tag::{TagPair, tag, tag_pair};

/// White space: blanks, tabs, line ends of any kind, and the NUL bytes that some tools leave.
pub const fn is_blank(byte: u8) -> bool {
    const BLANKS: u64 =
        1 << b' ' | 1 << b'\t' | 1 << b'\n' | 1 << b'\r' | 1 << 0x0b | 1 << 0x0c | 1;
    // One comparison for every letter and sign.
    byte <= b' ' && BLANKS >> byte & 1 == 1
}

/// Whether `at` is the first byte of a line; a byte-order mark before it does not count.
pub fn is_line_start(bytes: &[u8], at: usize) -> bool {
    let mut before = &bytes[..at];
    while let Some(rest) = before.strip_suffix(BOM) {
        before = rest;
    }
    matches!(before.last(), None | Some(b'\n' | b'\r'))
}

/// The UTF-8 byte-order mark, which is white space wherever it stands.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// The end of the line that holds `at`: the position of its line end, or the end of the bytes.
pub fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |n| at + n)
}

/// How many lines end within the bytes; CRLF is one line end.
pub fn n_line_ends(bytes: &[u8]) -> usize {
    let ends = memchr2_iter(b'\n', b'\r', bytes);
    ends.filter(|&at| !bytes[at..].starts_with(b"\r\n")).count()
}

/// Whether a comment was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// By its brace.
    Yes,
    /// It ends at a tag section or at the end of the bytes.
    No,
}

/// Whether bytes that follow those at hand could change an answer. Only who reads a text in pieces asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Whatever follows, the answer stays.
    Yes,
    /// The end of the bytes had a say in it.
    No,
}

impl Settled {
    pub(super) fn if_so(yes: bool) -> Settled {
        if yes { Settled::Yes } else { Settled::No }
    }
}

/// How far after a tag pair inside a comment the closing brace is looked for. A stray `{` in an archive without comments
/// would otherwise hide everything up to the next `}`, which may be gigabytes away, and a text that arrives in pieces
/// could not be cut before that one had come.
pub const TAG_TO_BRACE_BYTES: usize = 1 << 20;

/// The end of the brace comment that begins at `open` (PGN standard, section 5: brace comments do not nest).
///
/// A comment may hold anything, even what looks like a tag section. It counts as never closed when a tag pair starts a
/// line inside it and another `{` follows before the next `}`, or the next `}` is more than [`TAG_TO_BRACE_BYTES`] away,
/// or when there is no `}` at all; then it ends before that tag pair. Either way no byte is looked at more than twice,
/// because the search stops at the next brace.
pub fn comment_end(bytes: &[u8], open: usize) -> (usize, Closed) {
    let (end, closed, _) = comment(bytes, open);
    (end, closed)
}

/// [`comment_end`], and whether the answer is settled.
pub fn comment(bytes: &[u8], open: usize) -> (usize, Closed, Settled) {
    match short_comment_end(bytes, open) {
        Some(end) => (end, Closed::Yes, Settled::Yes),
        None => long_comment(bytes, open),
    }
}

/// The end of the comment that begins at `open` if it is one of those that are nearly all: closed on its line, and soon.
///
/// A comment that ends on its line holds no tag section, whatever brackets it has. Clock times took two calls of `memchr2`
/// each: reading Lichess games takes an eighth less without (bench `parse`).
#[inline]
pub fn short_comment_end(bytes: &[u8], open: usize) -> Option<usize> {
    // Line ends are told from what else is below the blank, and the closing brace from the other signs up there, by the
    // general way. An opening brace is among them: the reader looks at comments in which another one begins.
    let found = eight::find(bytes, open + 1, |eight| {
        (eight.at_least(b'{') | !eight.at_least(b' ')) & eight.ascii()
    });
    let at = found.ok()?;
    (bytes[at] == b'}').then_some(at + 1)
}

/// [`comment`], for any.
#[inline(never)]
fn long_comment(bytes: &[u8], open: usize) -> (usize, Closed, Settled) {
    let mut pos = open + 1;
    let mut tag_section = None;
    let mut tags_settled = true;
    loop {
        let found = match tag_section {
            None => memchr2(b'}', b'[', &bytes[pos..]),
            Some(tag) => {
                let limit = bytes.len().min(tag + TAG_TO_BRACE_BYTES).max(pos);
                memchr2(b'}', b'{', &bytes[pos..limit])
            }
        };
        let Some(at) = found.map(|n| pos + n) else {
            let is_far = tag_section.is_some_and(|tag| bytes.len() >= tag + TAG_TO_BRACE_BYTES);
            let settled = Settled::if_so(is_far && tags_settled);
            return (tag_section.unwrap_or(bytes.len()), Closed::No, settled);
        };
        match bytes[at] {
            b'}' => return (at + 1, Closed::Yes, Settled::if_so(tags_settled)),
            b'{' => {
                let end = tag_section.unwrap_or(at);
                return (end, Closed::No, Settled::if_so(tags_settled));
            }
            _ if is_line_start(bytes, at) => {
                // Only what is a tag pair by its quotes: a remark may hold a line in brackets.
                let (tag, settled) = quoted_tag(bytes, at);
                tags_settled &= settled == Settled::Yes;
                if tag.is_some() {
                    tag_section = Some(at);
                }
            }
            _ => {}
        }
        pos = at + 1;
    }
}

/// The end of the markup that begins at `open`, where a `<` stands: `<br />`, `<a href="x">`.
///
/// PGN standard, section 7: the angle brackets are tokens, reserved for expansion. What stands between a pair of them on
/// one line is one too when it opens as a tag of HTML does. It holds no bracket or brace, so that nothing that could hide
/// a tag section begins within it. `None` when this is a bracket and no more.
pub fn markup_end(bytes: &[u8], open: usize) -> Option<usize> {
    markup(bytes, open).0
}

/// [`markup_end`], and whether the answer is settled.
pub fn markup(bytes: &[u8], open: usize) -> (Option<usize>, Settled) {
    match bytes.get(open + 1) {
        Some(b) if b.is_ascii_alphabetic() || matches!(b, b'/' | b'!') => {}
        next => return (None, Settled::if_so(next.is_some())),
    }
    let rest = &bytes[open + 1..];
    let stop = rest
        .iter()
        .position(|b| matches!(b, b'>' | b'<' | b'{' | b'[' | b'\n' | b'\r'));
    match stop {
        Some(len) if rest[len] == b'>' => (Some(open + len + 2), Settled::Yes),
        stop => (None, Settled::if_so(stop.is_some())),
    }
}

/// The end of the markup around `at`, where a sign stands that would begin a comment elsewhere: `style="color: red;"`.
/// Nothing before `from` is part of it.
pub fn markup_around(bytes: &[u8], from: usize, at: usize) -> (Option<usize>, Settled) {
    let open = memrchr3(b'<', b'\n', b'\r', &bytes[from..at]).map(|n| from + n);
    match open {
        Some(open) if bytes[open] == b'<' => {
            let (end, settled) = markup(bytes, open);
            (end.filter(|end| *end > at), settled)
        }
        _ => (None, Settled::Yes),
    }
}

/// The length of the entity of HTML that begins at `at`, where a `&` stands: `&nbsp;`, `&#189;`. Its semicolon begins no
/// comment: what pages make of a score would lose the rest of each line to it.
pub fn entity_len(bytes: &[u8], at: usize) -> Option<usize> {
    let name = bytes[at + 1..]
        .strip_prefix(b"#")
        .unwrap_or(&bytes[at + 1..]);
    let n_letters = name
        .iter()
        .take(9)
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    let end = bytes.len() - name.len() + n_letters;
    (matches!(n_letters, 1..9) && bytes.get(end) == Some(&b';')).then_some(end + 1 - at)
}

/// Whether the semicolon at `at` ends an entity. Nothing before `from` is part of it.
pub fn ends_entity(bytes: &[u8], from: usize, at: usize) -> bool {
    let from = from.max(at.saturating_sub("&#12345678".len()));
    memrchr(b'&', &bytes[from..at])
        .is_some_and(|n| entity_len(bytes, from + n) == Some(at + 1 - (from + n)))
}

/// The length of the blank at `at` that is not one of ASCII: the spaces of typography, in UTF-8, and the unbroken spaces of
/// Windows-1252, one or more, which are known as such after an ASCII byte. 0 when something else stands there.
pub fn wide_blank_len(bytes: &[u8], at: usize) -> usize {
    match bytes[at..] {
        [0xc2, 0xa0, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8b | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..] => 3,
        [0xa0, ..] if at == 0 || bytes[at - 1].is_ascii() => {
            bytes[at..].iter().take_while(|b| **b == 0xa0).count()
        }
        _ => 0,
    }
}

/// The end of what stands in brackets at `open` and was meant as a tag pair, when it ends on its line: `[White-Elo "2000"]`,
/// `[Round 3]`. It begins with a letter, and nothing in it could begin a comment or a tag pair.
pub fn bracketed_end(bytes: &[u8], open: usize) -> Option<usize> {
    let rest = &bytes[open + 1..];
    let stop = rest
        .iter()
        .position(|b| matches!(b, b']' | b'[' | b'{' | b';' | b'\n' | b'\r'))?;
    let mut words = rest[..stop]
        .split(|b| is_blank(*b))
        .filter(|word| !word.is_empty());
    let is_meant = words
        .next()
        .is_some_and(|word| word[0].is_ascii_alphabetic() && !certainly_movetext(word));
    (rest[stop] == b']' && is_meant).then_some(open + stop + 2)
}

/// Whether a word is a termination marker in the spelling of the standard.
pub fn is_marker(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*")
}

/// Whether a word can only be movetext: a termination marker or a plain SAN move. Used where a wrong yes would cut a
/// source in the wrong place, so it knows fewer words than the reader does.
pub fn certainly_movetext(word: &[u8]) -> bool {
    match word {
        b"O-O" | b"O-O-O" => true,
        _ if is_marker(word) => true,
        _ => {
            let word = word
                .strip_suffix(b"+")
                .or(word.strip_suffix(b"#"))
                .unwrap_or(word);
            matches!(word.first(), Some(b'K' | b'Q' | b'R' | b'B' | b'N' | b'a'..=b'h'))
                && word.len() >= 2
                && matches!(word[word.len() - 2..], [b'a'..=b'h', b'1'..=b'8'])
                && word.iter().all(|b| matches!(b, b'K' | b'Q' | b'R' | b'B' | b'N' | b'a'..=b'h' | b'1'..=b'8' | b'x'))
        }
    }
}

/// The first `;` comment, brace comment or `%` escape line is over at the returned position when one begins at `at`.
pub fn skip_line_comment(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes[at] {
        b';' => Some(line_end(bytes, at)),
        b'%' if is_line_start(bytes, at) => Some(line_end(bytes, at)),
        _ => None,
    }
}

/// The last word before `at`, between white space; empty when there is none.
pub fn word_before(bytes: &[u8], at: usize) -> Range<usize> {
    let before = &bytes[..at];
    let last = before.iter().rposition(|b| !is_blank(*b));
    let end = last.map_or(0, |last| last + 1);
    let blank = before[..end].iter().rposition(|b| is_blank(*b));
    blank.map_or(0, |blank| blank + 1)..end
}

/// The last line end within a range.
pub fn last_line_end(bytes: &[u8], range: Range<usize>) -> Option<usize> {
    memrchr2(b'\n', b'\r', bytes.get(range.clone())?).map(|n| range.start + n)
}

/// The last brace within a range.
pub fn last_brace(bytes: &[u8], range: Range<usize>) -> Option<usize> {
    memrchr2(b'{', b'}', &bytes[range.clone()]).map(|n| range.start + n)
}

/// The last `[` within a range that comes after a `\n` within it.
pub fn last_line_bracket(bytes: &[u8], range: Range<usize>) -> Option<usize> {
    let mut brackets = memrchr_iter(b'[', &bytes[range.clone()]).map(|n| range.start + n);
    brackets.find(|&at| at > range.start && bytes[at - 1] == b'\n')
}

/// Position of the first byte `needle` at or after `at`.
pub fn find(needle: u8, bytes: &[u8], at: usize) -> Option<usize> {
    memchr(needle, &bytes[at..]).map(|n| at + n)
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn comments_close_at_the_next_brace_or_before_a_tag_section() {
        let check = |text: &str, rest: &str, closed: Closed| {
            let (end, was_closed) = comment_end(text.as_bytes(), 0);
            assert_eq!((&text[end..], was_closed), (rest, closed), "{text}");
        };
        check("{a} b", " b", Closed::Yes);
        check("{a {b} c", " c", Closed::Yes);
        check("{a\n[Event \"x\"]\n} b", " b", Closed::Yes);
        check(
            "{a\n[Event \"x\"]\n1. e4 {b} *",
            "[Event \"x\"]\n1. e4 {b} *",
            Closed::No,
        );
        check(
            "{a\n[Event \"x\"]\n1. e4",
            "[Event \"x\"]\n1. e4",
            Closed::No,
        );
        check("{a", "", Closed::No);
    }

    /// [`comment_end`], byte by byte.
    fn slow_comment_end(bytes: &[u8]) -> (usize, Closed) {
        let mut tag_section = None;
        for at in 1..bytes.len() {
            match (bytes[at], tag_section) {
                (b'}', _) => return (at + 1, Closed::Yes),
                (b'{', Some(tag)) => return (tag, Closed::No),
                (b'[', None) if is_line_start(bytes, at) && quoted_tag(bytes, at).0.is_some() => {
                    tag_section = Some(at);
                }
                _ => {}
            }
        }
        (tag_section.unwrap_or(bytes.len()), Closed::No)
    }

    pub(in crate::split) const PIECES: &[&str] = &[
        "}",
        "{",
        "[",
        "]",
        "\"",
        "\\",
        "\n",
        "\r\n",
        "\n[",
        "\n\u{feff}[",
        "\n[A \"b\"]\n",
        " ",
        "  ",
        "[%clk 0:01:00]",
        "White",
        "_",
        "^",
        "@",
        "Z",
        "z",
        "9",
        ":",
        "/",
        "`",
        "\u{1}",
        "\0",
        "é",
        "x",
        "xxxxxxx",
        "eval",
        "\u{7f}",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

        #[test]
        fn comments_end_where_the_slow_ones_end(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)
        ) {
            let text = pieces.concat();
            let comment = format!("{{{text}");
            prop_assert_eq!(comment_end(comment.as_bytes(), 0), slow_comment_end(comment.as_bytes()));
        }
    }
}
