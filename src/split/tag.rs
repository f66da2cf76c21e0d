//! Tag pairs as the PGN standard has them (section 8.1), and those whose value is damaged.
//!
//! A value may hold quotes that are not escaped, lack its end, or go on in the next line where a mail program broke it.
//! Damage stays small: a value never reaches over a bracket that begins a line, nor over a usual tag that begins in its
//! line, which is what is left when a text was cut there and another one appended. What has no plain quote behind its
//! name at all is looked at in `meant.rs`.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memrchr};

use crate::split::eight;
use crate::split::lex::{Settled, is_blank};
use crate::split::meant::{self, quote_before, quote_len};

/// A tag pair: `[Name "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagPair {
    /// The name.
    pub name: Range<usize>,
    /// The value between the quotes, with its escapes.
    pub value: Range<usize>,
    /// After the closing bracket, or after what had to be skipped.
    pub end: usize,
    /// The pair follows the grammar. If not, the value ends where it evidently does.
    pub well_formed: bool,
    /// The value is not its text as it stands: a backslash may escape what follows, or a line ends within it.
    pub has_escapes: bool,
}

/// How many further lines a value may take, and how many bytes with them. Mail programs break at some 76 signs, and few
/// values have several times as many.
const MAX_MORE_LINES: usize = 4;
const MAX_WRAPPED_BYTES: usize = 1000;

/// Reads the tag pair that begins at `open`, where a `[` stands. `None` when this is no tag pair at all.
///
/// A value whose quotes are not escaped, or that ends in a backslash, is read to the last `"]` of its line.
pub fn tag_pair(bytes: &[u8], open: usize) -> Option<TagPair> {
    tag(bytes, open).0
}

/// [`tag_pair`], and whether the answer is settled.
pub fn tag(bytes: &[u8], open: usize) -> (Option<TagPair>, Settled) {
    let (name, quote) = name_and_quote(bytes, open);
    if name.is_empty() {
        return (None, Settled::if_so(quote < bytes.len()));
    }
    if bytes.get(quote) == Some(&b'"') {
        return quoted(bytes, name, quote + 1);
    }
    let (meant, settled) = meant::certain(bytes, open, name);
    // A plain quote may follow in another line.
    let settled = settled == Settled::Yes && quote < bytes.len();
    (meant, Settled::if_so(settled))
}

/// [`tag`], when a plain quote stands behind the name.
pub(super) fn quoted_tag(bytes: &[u8], open: usize) -> (Option<TagPair>, Settled) {
    let (name, quote) = name_and_quote(bytes, open);
    if name.is_empty() || bytes.get(quote) != Some(&b'"') {
        return (None, Settled::if_so(quote < bytes.len()));
    }
    quoted(bytes, name, quote + 1)
}

/// The name of what may be a tag pair, and where its quote has to stand.
#[inline]
fn name_and_quote(bytes: &[u8], open: usize) -> (Range<usize>, usize) {
    let start = skip_blanks(bytes, open + 1);
    let name = start..name_end(bytes, start);
    let quote = if name.is_empty() {
        start
    } else {
        skip_blanks(bytes, name.end)
    };
    (name, quote)
}

#[inline]
fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|b| is_blank(**b)).count()
}

/// The tag pair with this name and a value that begins at `start`, after a plain quote.
#[inline]
fn quoted(bytes: &[u8], name: Range<usize>, start: usize) -> (Option<TagPair>, Settled) {
    let mut pos = start;
    let mut settled = false;
    let mut has_escapes = false;
    while let Some(at) = next_in_value(bytes, pos) {
        match bytes[at] {
            b'\\' => {
                has_escapes = true;
                pos = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'"' | b'\\')));
            }
            b'"' => {
                let close = skip_blanks(bytes, at + 1);
                if bytes.get(close) == Some(&b']') {
                    let tag = TagPair {
                        name,
                        value: start..at,
                        end: close + 1,
                        well_formed: true,
                        has_escapes,
                    };
                    return (Some(tag), Settled::Yes);
                }
                settled = close < bytes.len();
                break;
            }
            _ => {
                settled = true;
                break;
            }
        }
    }
    damaged(bytes, name, start, settled)
}

/// The same, when it does not follow the grammar. `settled`: more bytes would not make it do so.
#[cold]
fn damaged(
    bytes: &[u8],
    name: Range<usize>,
    start: usize,
    settled: bool,
) -> (Option<TagPair>, Settled) {
    let stop = value_stop(bytes, start);
    let mut settled = settled && stop < bytes.len();
    let ending = ending(bytes, start, stop);
    let mut tag = TagPair {
        name,
        value: ending.value,
        end: ending.end,
        well_formed: false,
        has_escapes: false,
    };
    if ending.by == Close::Nothing && matches!(bytes.get(stop), Some(b'\n' | b'\r')) {
        let (end, is_settled) = wrapped(bytes, start, stop);
        settled &= is_settled;
        if let Some((value_end, end)) = end {
            tag.value = start..value_end;
            tag.end = end;
            tag.has_escapes = true;
        }
    }
    (Some(tag), Settled::if_so(settled))
}

/// Where a value ends at the latest: at the end of its line, or before a usual tag pair that begins there.
pub(super) fn value_stop(bytes: &[u8], start: usize) -> usize {
    let mut pos = start;
    while let Some(n) = memchr3(b'[', b'\n', b'\r', &bytes[pos..]) {
        let at = pos + n;
        if bytes[at] != b'[' || begins_usual_tag(bytes, at) {
            return at;
        }
        pos = at + 1;
    }
    bytes.len()
}

/// Whether a tag pair with a usual name and a plain quote begins at `open`.
fn begins_usual_tag(bytes: &[u8], open: usize) -> bool {
    let inline_blanks = |at: usize| {
        let rest = bytes[at..].iter();
        at + rest.take_while(|b| matches!(b, b' ' | b'\t')).count()
    };
    let start = inline_blanks(open + 1);
    let end = name_end(bytes, start);
    meant::is_usual(&bytes[start..end]) && bytes.get(inline_blanks(end)) == Some(&b'"')
}

/// What a value that does not follow the grammar ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Close {
    /// A quote, of whatever kind.
    Quote,
    /// A bracket.
    Bracket,
    /// Nothing: the line ends, or another tag pair begins.
    Nothing,
}

/// Where a value evidently ends.
#[derive(Debug)]
pub(super) struct Ending {
    /// The value.
    pub(super) value: Range<usize>,
    /// After its bracket, if it has one.
    pub(super) end: usize,
    /// What it ends with.
    pub(super) by: Close,
}

/// Where the value that begins at `start`, after its quote, ends before `stop`.
pub(super) fn ending(bytes: &[u8], start: usize, stop: usize) -> Ending {
    let text = &bytes[start..stop];
    let ending = |len: usize, end: usize, by| Ending {
        value: unquoted(bytes, start, start + len),
        end,
        by,
    };
    if let Some(bracket) = memrchr(b']', text) {
        let before = trimmed(&text[..bracket]);
        let quote = quote_before(before);
        if quote > 0 {
            return ending(before.len() - quote, start + bracket + 1, Close::Quote);
        }
    }
    let trimmed_text = trimmed(text);
    if memchr(b'"', text).is_none()
        && let Some(at) = memchr2(b'[', b']', text)
        && text[at] == b']'
    {
        // No quote closes it, so its bracket does.
        return ending(trimmed(&text[..at]).len(), start + at + 1, Close::Bracket);
    }
    let n_open = bytecount::count(text, b'[');
    if let Some(before) = trimmed_text.strip_suffix(b"]")
        && n_open < bytecount::count(text, b']')
    {
        let end = start + trimmed_text.len();
        return ending(trimmed(before).len(), end, Close::Bracket);
    }
    // The quote may be there when the bracket is not.
    match quote_before(trimmed_text) {
        0 => ending(trimmed_text.len(), stop, Close::Nothing),
        quote => ending(trimmed_text.len() - quote, stop, Close::Quote),
    }
}

/// A value without the second pair of quotes that some write around it.
fn unquoted(bytes: &[u8], start: usize, end: usize) -> Range<usize> {
    let value = &bytes[..end];
    let first = quote_len(value, start);
    if first == 0 || value[start] == b'\'' || start + first > end {
        return start..end;
    }
    let last = quote_before(&value[start + first..]);
    if last == 0 && memchr(b'"', &value[start + first..]).is_some() {
        return start..end;
    }
    start + first..end - last
}

/// Without blanks at its end.
pub(super) fn trimmed(text: &[u8]) -> &[u8] {
    let n_blanks = text.iter().rev().take_while(|b| is_blank(**b)).count();
    &text[..text.len() - n_blanks]
}

/// The end of the value that begins at `start`, and after its bracket, if it goes on after the end of the line at `line_end`:
/// with a few lines, none of them empty or with another bracket or a brace in it, up to a quote and bracket. Also whether
/// that is settled.
fn wrapped(bytes: &[u8], start: usize, line_end: usize) -> (Option<(usize, usize)>, bool) {
    let limit = bytes.len().min(start + MAX_WRAPPED_BYTES);
    let is_far = limit < bytes.len();
    let mut line_end = line_end;
    for _ in 0..MAX_MORE_LINES {
        let is_pair = bytes[line_end..].starts_with(b"\r\n");
        let line_start = line_end + if is_pair { 2 } else { 1 };
        let Some(rest) = bytes.get(line_start..limit).filter(|rest| !rest.is_empty()) else {
            return (None, is_far);
        };
        let len = memchr2(b'\n', b'\r', rest);
        let line = &rest[..len.unwrap_or(rest.len())];
        let other = memchr3(b'[', b'{', b'}', line);
        let text = &line[..other.unwrap_or(line.len())];
        let settled = is_far || len.is_some();
        if let Some(bracket) = memrchr(b']', text)
            && let Some(before) = trimmed(&text[..bracket]).strip_suffix(b"\"")
        {
            let end = (line_start + before.len(), line_start + bracket + 1);
            return (Some(end), settled);
        }
        let is_other = other.is_some() || memchr2(b'"', b']', text).is_some();
        match len {
            Some(len) if !is_other && !trimmed(text).is_empty() => line_end = line_start + len,
            _ => return (None, settled),
        }
    }
    (None, true)
}

/// The end of the tag name that begins at `at`.
fn name_end(bytes: &[u8], at: usize) -> usize {
    let found = eight::find(bytes, at, |eight| {
        let any_case = eight.to_lower();
        let letters = any_case.at_least(b'a') ^ any_case.at_least(b'{');
        let digits = eight.at_least(b'0') ^ eight.at_least(b':');
        !((letters | digits | eight.equal(b'_')) & eight.ascii())
    });
    found.unwrap_or_else(|end| {
        let rest = bytes[end..].iter();
        end + rest
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count()
    })
}

/// The next byte at or after `at` that matters within a value.
fn next_in_value(bytes: &[u8], at: usize) -> Option<usize> {
    let found = eight::find(bytes, at, |eight| {
        (eight.equal(b'"') | eight.equal(b'\\') | eight.equal(b'\n')) & eight.ascii()
    });
    match found {
        Ok(at) => Some(at),
        Err(at) => memchr3(b'"', b'\\', b'\n', &bytes[at..]).map(|n| at + n),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::split::lex::tests::PIECES;

    fn value(text: &str) -> (String, bool) {
        let tag = tag_pair(text.as_bytes(), 0).expect("a tag pair");
        (text[tag.value].to_owned(), tag.well_formed)
    }

    #[test]
    fn tag_pairs_in_every_layout() {
        assert_eq!(value("[Event \"A\"]"), ("A".into(), true));
        assert_eq!(value("[ Round   \"3\" ]"), ("3".into(), true));
        assert_eq!(value("[White \"Alder\"\n]"), ("Alder".into(), true));
        assert_eq!(value("[Black\n\"Birch\"]"), ("Birch".into(), true));
        assert_eq!(
            value(r#"[E "The \"Blue\" Cup"]"#),
            (r#"The \"Blue\" Cup"#.into(), true)
        );
        assert_eq!(value("[A \"a\"][B \"b\"]"), ("a".into(), true));
        assert!(tag_pair(b"[%clk 0:01]", 0).is_none());
        assert!(tag_pair(b"[Event]", 0).is_none());
    }

    #[test]
    fn damage_stays_within_its_line() {
        assert_eq!(
            value("[E \"3rd \"Green\" Open\"]\nx"),
            ("3rd \"Green\" Open".into(), false)
        );
        assert_eq!(value("[S \"C:\\\"]\n[W \"F\"]"), ("C:\\".into(), false));
        assert_eq!(value("[S \"open\n[W \"F\"]"), ("open".into(), false));
        assert_eq!(value("[S \"open\" \n[W \"F\"]"), ("open".into(), false));
    }

    /// Checks the value of a damaged pair, and what follows the pair.
    #[track_caller]
    fn check(text: &str, want: &str, rest: &str) {
        let tag = tag_pair(text.as_bytes(), 0).expect("a tag pair");
        assert!(!tag.well_formed, "{text}");
        assert_eq!((&text[tag.value], &text[tag.end..]), (want, rest), "{text}");
    }

    #[test]
    fn what_lacks_a_quote_or_bracket_ends_where_it_evidently_does() {
        check("[F \"4k3/8 w - - 0 1]\nx", "4k3/8 w - - 0 1", "\nx");
        check("[F \"4k3/8[Qp] w - - 0 1]\nx", "4k3/8[Qp] w - - 0 1", "\nx");
        check("[R \"1-0] 1. e4\n", "1-0", " 1. e4\n");
        check("[F \"a\" \nx", "a", "\nx");
        check("[F \"\"4k3/8\"\"]\nx", "4k3/8", "\nx");
        check("[F \"\"4k3/8\"]\nx", "4k3/8", "\nx");
        check("[F \"4k3/8”]\nx", "4k3/8", "\nx");
        check("[F \"\"Green\" Open\"]\nx", "\"Green\" Open", "\nx");
    }

    #[test]
    fn a_value_goes_on_in_the_next_line_up_to_a_quote_and_bracket() {
        check(
            "[E \"The Cup of the\nClubs\"]\nx",
            "The Cup of the\nClubs",
            "\nx",
        );
        check(
            "[E \"a\r\n  b\r\nc\" ] [S \"x\"]",
            "a\r\n  b\r\nc",
            " [S \"x\"]",
        );
        check(
            "[E \"The \"Blue\" Cup\nof \"Y\nx\"]",
            "The \"Blue\" Cup",
            "\nof \"Y\nx\"]",
        );
        // Not over an empty line, a bracket, a comment, or many lines.
        for rest in [
            "\n\nb\"]",
            "\n \nb\"]",
            "\n[b\"]",
            "\n [B \"b\"]",
            "\n1. e4 {b\"]}",
            "\nb\nc\nd\ne\nf\"]",
            "\n",
        ] {
            check(&format!("[E \"a{rest}"), "a", rest);
        }
        let long = format!("\n{}\"]", "b ".repeat(600));
        check(&format!("[E \"a{long}"), "a", &long);
    }

    #[test]
    fn a_tag_that_was_cut_ends_before_the_next_one() {
        check(
            "[T \"60.5+0.6[Event \"B\"]\n",
            "60.5+0.6",
            "[Event \"B\"]\n",
        );
        check("[S \"Lon [ White  \"x\"]", "Lon", "[ White  \"x\"]");
        check("[S \"Lon\n[White \"x\"]", "Lon", "\n[White \"x\"]");
        check("[E \"The [Nice \"A\"] Cup\"]", "The [Nice \"A\"] Cup", "");
        assert_eq!(value("[E \"a [White b\"]"), ("a [White b".into(), true));
    }

    /// The name and the end of the value of a tag pair that follows the grammar, byte by byte.
    fn slow_tag(bytes: &[u8]) -> Option<(Range<usize>, usize)> {
        let blanks = |mut at: usize| {
            while at < bytes.len() && is_blank(bytes[at]) {
                at += 1;
            }
            at
        };
        let start = blanks(1);
        let mut end = start;
        while end < bytes.len() && (bytes[end].is_ascii_alphanumeric() || bytes[end] == b'_') {
            end += 1;
        }
        let mut at = blanks(end);
        if end == start || bytes.get(at) != Some(&b'"') {
            return None;
        }
        loop {
            at += 1;
            match bytes.get(at)? {
                b'\n' => return None,
                b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => at += 1,
                b'"' => {
                    return (bytes.get(blanks(at + 1)) == Some(&b']')).then_some((start..end, at));
                }
                _ => {}
            }
        }
    }

    /// What a tag pair can be made of, damaged or not.
    const TAG_PIECES: &[&str] = &[
        "[",
        "]",
        "\"",
        "“",
        "”",
        "'",
        "&quot;",
        "\u{a0}",
        ":",
        "=",
        "\n",
        "\r",
        "\r\n",
        "\\",
        " ",
        "Event",
        "FEN",
        "White",
        "Variant",
        "4k3/8 w",
        "chess960",
        "a",
        "e4",
        "{",
        "}",
        ";",
        "é",
        "[Site \"b\"]",
        "1-0",
        "\"]\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

        #[test]
        fn tags_end_where_the_slow_ones_end(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)
        ) {
            let text = pieces.concat();
            for tag in [format!("[{text}"), format!("[Name \"{text}\"]"), format!("[{text} \"x\"]")] {
                let fast = tag_pair(tag.as_bytes(), 0).filter(|tag| tag.well_formed);
                prop_assert_eq!(fast.map(|tag| (tag.name, tag.value.end)), slow_tag(tag.as_bytes()));
            }
        }

        /// Who reads a text in pieces may believe what is settled. Nothing in brackets reaches over a bracket that
        /// begins a line, or over the text.
        #[test]
        fn what_is_settled_stays(
            name in prop::sample::select(&["Event", "FEN", "Variant", "A", "e4", ""][..]),
            pieces in prop::collection::vec(prop::sample::select(TAG_PIECES), 0..24)
        ) {
            let text = format!("[{name}{}", pieces.concat());
            let bytes = text.as_bytes();
            let (whole, _) = tag(bytes, 0);
            for end in 1..bytes.len() {
                let (of_part, settled) = tag(&bytes[..end], 0);
                if settled == Settled::Yes {
                    prop_assert_eq!(&of_part, &whole, "{:?} at {}", text, end);
                }
            }
            if let Some(tag) = whole {
                prop_assert!(tag.name.end <= tag.value.start && tag.value.start <= tag.value.end);
                prop_assert!(tag.value.end <= tag.end && tag.end <= bytes.len());
                prop_assert!(!text[..tag.end].contains("\n["), "{:?}", text);
                prop_assert!(text.is_char_boundary(tag.value.start) && text.is_char_boundary(tag.value.end));
            }
            if let Some(tag) = crate::split::meant::meant_pair(bytes, 0) {
                prop_assert!(!text[1..tag.end].contains(['[', '{', ';', '<', '&', '\n', '\r']), "{:?}", text);
            }
        }
    }
}
