//! Brackets that were meant as tag pairs: with quotes of another kind or none at all, with a sign behind the name.
//!
//! A game whose `FEN` nobody reads would be replayed from the usual start, and become a game that was never played. So
//! what evidently is a tag pair is read as one, and said to be malformed. It has to begin its line, or to follow a
//! bracket there, and to end with the line at the latest. With quotes, any name will do. Without any, the name decides what
//! its value can look like, because annotators write remarks in brackets, too: `[White resigns]`, `[Diagram 1]`.
//!
//! Reader and splitter have to agree on what is a tag pair. What the reader takes for one only where no move has been
//! seen yet ([`meant_pair`]) holds nothing that could mean something else to the splitter.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memrchr};

use crate::model::game_result::GameResult;
use crate::model::variant::Variant;
use crate::split::lex::{self, Settled};
use crate::split::tag::{Close, TagPair, ending, trimmed, value_stop};

/// How long such a pair may be. Lines are looked through for each bracket in them, so there has to be a limit.
const MAX_BYTES: usize = 1000;

/// Names of tags that are in use, in the order of their bytes.
const USUAL_NAMES: &[&[u8]] = &[
    b"Annotator",
    b"Black",
    b"BlackClock",
    b"BlackElo",
    b"BlackFideId",
    b"BlackNA",
    b"BlackRatingDiff",
    b"BlackTeam",
    b"BlackTitle",
    b"BlackType",
    b"Board",
    b"CurrentPosition",
    b"Date",
    b"ECO",
    b"ECOUrl",
    b"EndDate",
    b"EndTime",
    b"Event",
    b"EventCategory",
    b"EventCountry",
    b"EventDate",
    b"EventRounds",
    b"EventSponsor",
    b"EventType",
    b"FEN",
    b"GameId",
    b"Link",
    b"Mode",
    b"NIC",
    b"Opening",
    b"PlyCount",
    b"Remark",
    b"Result",
    b"Round",
    b"Section",
    b"SetUp",
    b"Site",
    b"Source",
    b"SourceDate",
    b"SourceTitle",
    b"SourceVersion",
    b"SourceVersionDate",
    b"Stage",
    b"StartTime",
    b"SubVariation",
    b"Termination",
    b"Time",
    b"TimeControl",
    b"Timezone",
    b"UTCDate",
    b"UTCTime",
    b"Variant",
    b"Variation",
    b"White",
    b"WhiteClock",
    b"WhiteElo",
    b"WhiteFideId",
    b"WhiteNA",
    b"WhiteRatingDiff",
    b"WhiteTeam",
    b"WhiteTitle",
    b"WhiteType",
];

/// Whether a tag name is in use.
pub(super) fn is_usual(name: &[u8]) -> bool {
    USUAL_NAMES.binary_search(&name).is_ok() || is_setup(name)
}

/// The names that decide where a game begins, which writers spell in any case.
fn is_setup(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"FEN") || name.eq_ignore_ascii_case(b"SetUp")
}

/// What may be taken for a tag pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// Only what can be nothing else, wherever it stands.
    None,
    /// Any usual name with a value, as there is no movetext that could hold a remark.
    InTags,
}

/// The tag pair that was evidently meant by what begins at `open` and has this name, but no plain quote behind it.
#[cold]
pub(super) fn certain(bytes: &[u8], open: usize, name: Range<usize>) -> (Option<TagPair>, Settled) {
    meant(bytes, open, name, Doubt::None)
}

/// The tag pair that was meant by what begins at `open`, given that it stands in a tag section and [`lex::tag_pair`] finds
/// none: `[White Alder]`.
pub fn meant_pair(bytes: &[u8], open: usize) -> Option<TagPair> {
    let start = skip_blanks(bytes, open + 1);
    let letters = bytes[start..].iter();
    let len = letters.take_while(|b| b.is_ascii_alphanumeric()).count();
    let pair = meant(bytes, open, start..start + len, Doubt::InTags).0?;
    let is_inert = |byte: &u8| !matches!(byte, b'[' | b'{' | b';' | b'<' | b'&');
    bytes[open + 1..pair.end]
        .iter()
        .all(is_inert)
        .then_some(pair)
}

fn meant(
    bytes: &[u8],
    open: usize,
    name: Range<usize>,
    doubt: Doubt,
) -> (Option<TagPair>, Settled) {
    let limit = bytes.len().min(open + MAX_BYTES);
    let Some(line) = bytes.get(name.end..limit) else {
        return (None, Settled::Yes);
    };
    let Some(line) = memchr2(b'\n', b'\r', line).map_or(Some(line), |len| line.get(..len)) else {
        return (None, Settled::Yes);
    };
    let end = name.end + line.len();
    let settled = Settled::if_so(end < bytes.len());
    let is_candidate = bytes[name.clone()]
        .first()
        .is_some_and(u8::is_ascii_alphabetic)
        && memchr2(b'\n', b'\r', &bytes[open..name.start]).is_none()
        && !lex::certainly_movetext(&bytes[name.clone()])
        && begins_line(bytes, open);
    if !is_candidate {
        // The name itself may go on.
        return (None, settled);
    }
    (pair(&bytes[..end], name, doubt), settled)
}

/// Whether only blanks, or a bracket that was closed, stand before `open` in its line.
fn begins_line(bytes: &[u8], open: usize) -> bool {
    let mut before = &bytes[..open];
    loop {
        let rest = before
            .strip_suffix(b" ")
            .or(before.strip_suffix(b"\t"))
            .or(before.strip_suffix("\u{a0}".as_bytes()))
            .or(before.strip_suffix(lex::BOM));
        match rest {
            Some(rest) => before = rest,
            None => return matches!(before.last(), None | Some(b'\n' | b'\r' | b']')),
        }
    }
}

/// The pair with this name, which ends where `bytes` do at the latest.
fn pair(bytes: &[u8], name: Range<usize>, doubt: Doubt) -> Option<TagPair> {
    // The board may follow without a blank.
    let is_glued = bytes[name.clone()].starts_with(b"FEN")
        && name.len() > 3
        && bytes.get(name.end) == Some(&b'/');
    let name = name.start..if is_glued { name.start + 3 } else { name.end };
    let mut at = skip_blanks(bytes, name.end);
    let mut is_parted = is_glued || at > name.end;
    if let Some(b':' | b'=') = bytes.get(at) {
        at = skip_blanks(bytes, at + 1);
        is_parted = true;
    }
    let mut start = at;
    let mut n_quotes = 0;
    while let len @ 1.. = quote_len(bytes, start) {
        start += len;
        n_quotes += 1;
    }
    let is_named = is_usual(&bytes[name.clone()]);
    if start > at {
        let ending = ending(bytes, start, value_stop(bytes, start));
        let mut value = ending.value;
        if bytes[at] == b'\\' && bytes[value.clone()].ends_with(b"\\") {
            // Both quotes were escaped.
            value.end -= 1;
        }
        if n_quotes > 1 {
            value.end -= quote_before(&bytes[value.clone()]);
        }
        let is_closed = ending.by == Close::Quote;
        return (is_closed || is_named && is_parted).then_some(TagPair {
            name,
            value,
            end: ending.end,
            well_formed: false,
            has_escapes: false,
        });
    }
    if !is_parted {
        return None;
    }
    let (value, end, by) = bare(
        bytes,
        start,
        bytes[name.clone()].eq_ignore_ascii_case(b"FEN"),
    )?;
    let is_meant = by == Close::Quote && memchr(b'"', &bytes[value.clone()]).is_none()
        || is_evident(&bytes[name.clone()], &bytes[value.clone()], by)
        || doubt == Doubt::InTags && is_named && by == Close::Bracket;
    is_meant.then_some(TagPair {
        name,
        value,
        end,
        well_formed: false,
        has_escapes: false,
    })
}

/// The value without a quote before it that begins at `start`; `None` if it is empty.
fn bare(bytes: &[u8], start: usize, is_fen: bool) -> Option<(Range<usize>, usize, Close)> {
    let rest = &bytes[start..];
    let stop = memchr2(b'{', b';', rest).unwrap_or(rest.len());
    let mut text = &rest[..stop];
    let bracket = match memchr(b'[', text) {
        // The pockets of crazyhouse.
        Some(_) if is_fen => memrchr(b']', text).filter(|at| {
            let before = &text[..*at];
            memchr(b']', before).is_some()
        }),
        Some(other) => {
            text = &text[..other];
            memchr(b']', text)
        }
        None => memchr(b']', text),
    };
    let value = trimmed(&text[..bracket.unwrap_or(text.len())]);
    let end = start + bracket.map_or(text.len(), |at| at + 1);
    let quote = quote_before(value);
    let by = match (bracket, quote) {
        (None, _) => Close::Nothing,
        (_, 0) => Close::Bracket,
        _ => Close::Quote,
    };
    let value = &value[..value.len() - quote];
    (!value.is_empty()).then_some((start..start + value.len(), end, by))
}

/// Whether a value without quotes can be nothing else than that of the tag with this name.
fn is_evident(name: &[u8], value: &[u8], by: Close) -> bool {
    if name.eq_ignore_ascii_case(b"FEN") {
        return true;
    }
    let Ok(text) = std::str::from_utf8(value) else {
        return by == Close::Bracket && matches!(name, b"Event" | b"Site");
    };
    if by != Close::Bracket || memchr3(b'"', b'[', b']', value).is_some() {
        return false;
    }
    match name {
        b"Event" | b"Site" => true,
        b"Date" => text.starts_with(|c: char| c.is_ascii_digit() || c == '?'),
        b"Result" => GameResult::from_tag(text).is_some(),
        b"Variant" => {
            let is_name = |word: &str| word.chars().all(|c| c.is_alphabetic() || c == '-');
            let n_words = text.split_ascii_whitespace().count();
            text.parse::<Variant>().is_ok() || n_words <= 2 && text.split(' ').all(is_name)
        }
        name if name.eq_ignore_ascii_case(b"SetUp") => {
            matches!(text, "0" | "1") || text.contains('/')
        }
        _ => false,
    }
}

fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < bytes.len() {
        at += match bytes[at] {
            b' ' | b'\t' => 1,
            _ => match lex::wide_blank_len(bytes, at) {
                0 => return at,
                len => len,
            },
        };
    }
    at
}

/// The ways in which a quote is written: plain, typographic, of other countries, and as text of other languages holds it.
const QUOTES: &[&[u8]] = &[
    b"\"",
    b"''",
    b"'",
    b"`",
    b"\\\"",
    b"&quot;",
    b"&#34;",
    "\u{b4}".as_bytes(),
    "«".as_bytes(),
    "»".as_bytes(),
    "‘".as_bytes(),
    "’".as_bytes(),
    "‚".as_bytes(),
    "‛".as_bytes(),
    "“".as_bytes(),
    "”".as_bytes(),
    "„".as_bytes(),
    "‟".as_bytes(),
    "‹".as_bytes(),
    "›".as_bytes(),
    "′".as_bytes(),
    "″".as_bytes(),
    "＂".as_bytes(),
];

/// The quotes of Windows-1252, which are known as such next to an ASCII byte.
const OLD_QUOTES: &[u8] = b"\x82\x84\x8b\x91\x92\x93\x94\x9b\xab\xb4\xbb";

/// The length of the quote that begins at `at`; 0 if none does.
pub(super) fn quote_len(bytes: &[u8], at: usize) -> usize {
    let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) else {
        return 0;
    };
    if OLD_QUOTES.contains(&rest[0]) && (at == 0 || bytes[at - 1].is_ascii()) {
        return 1;
    }
    let quote = QUOTES.iter().find(|quote| rest.starts_with(quote));
    quote.map_or(0, |quote| quote.len())
}

/// The length of the quote that ends the text; 0 if it ends with something else.
pub(super) fn quote_before(text: &[u8]) -> usize {
    if let [before @ .., last] = text
        && OLD_QUOTES.contains(last)
        && (before.last().is_none_or(u8::is_ascii) || std::str::from_utf8(text).is_err())
    {
        return 1;
    }
    let quote = QUOTES.iter().find(|quote| text.ends_with(quote));
    quote.map_or(0, |quote| quote.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::lex::tag_pair;

    #[track_caller]
    fn check(text: &str, want: Option<(&str, &str)>) {
        let tag = tag_pair(text.as_bytes(), 0);
        let found = tag.map(|tag| {
            assert!(!tag.well_formed, "{text}");
            (&text[tag.name], &text[tag.value])
        });
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn names_are_in_the_order_of_their_bytes() {
        assert!(USUAL_NAMES.is_sorted());
    }

    #[test]
    fn quotes_of_any_kind_are_quotes() {
        for text in [
            "[FEN “4k3/8 w”]",
            "[FEN „4k3/8 w“]",
            "[FEN ‘4k3/8 w’]",
            "[FEN '4k3/8 w']",
            "[FEN ''4k3/8 w'']",
            "[FEN «4k3/8 w»]",
            "[FEN ″4k3/8 w″]",
            "[FEN &quot;4k3/8 w&quot;]",
            "[FEN \\\"4k3/8 w\\\"]",
            "[FEN\u{a0}\"4k3/8 w\"]",
            "[FEN: \"4k3/8 w\"]",
            "[FEN=\"4k3/8 w\"]",
            "[FEN = '4k3/8 w' ]",
            "[FEN “4k3/8 w\"]",
            "[FEN “4k3/8 w",
            "[FEN “4k3/8 w]",
            "[FEN “4k3/8 w”",
            "[FEN 4k3/8 w]",
            "[FEN 4k3/8 w",
            "[FEN: 4k3/8 w]",
            "[FEN 4k3/8 w\"]",
            "[FEN 4k3/8 w”]",
            "[FEN““4k3/8 w””]",
        ] {
            check(text, Some(("FEN", "4k3/8 w")));
        }
        check("[FEN4k3/8 w]", Some(("FEN", "4k3/8 w")));
        check("[FENr3k3/8 w]", Some(("FEN", "r3k3/8 w")));
        check("[FEN rnb/RNB[Qp] w]", Some(("FEN", "rnb/RNB[Qp] w")));
        check("[White “Alder”]", Some(("White", "Alder")));
        check("[Anything ‘x’]", Some(("Anything", "x")));
        let old = b"[FEN \x934k3/8 w\x94]";
        let tag = tag_pair(old, 0).expect("a tag pair");
        assert_eq!(&old[tag.value], b"4k3/8 w");
        let old = b"[White \x93Andr\xe9\x94]";
        let tag = tag_pair(old, 0).expect("a tag pair");
        assert_eq!(&old[tag.value], b"Andr\xe9");
    }

    #[test]
    fn values_without_quotes_are_told_from_remarks() {
        check("[Variant Crazyhouse]", Some(("Variant", "Crazyhouse")));
        check("[Variant Chess 960]", Some(("Variant", "Chess 960")));
        check("[Variant Bughouse]", Some(("Variant", "Bughouse")));
        check("[Result 1-0]", Some(("Result", "1-0")));
        check("[SetUp 1]", Some(("SetUp", "1")));
        check("[Event The Cup]", Some(("Event", "The Cup")));
        check("[White Alder\"]", Some(("White", "Alder")));
        for text in [
            "[pgn]",
            "[%clk 0:01:02]",
            "[e4 e5 2. Nf3]",
            "[Nf3 'good']",
            "[1. e4 e5]",
            "[White resigns]",
            "[White's move]",
            "[Diagram 1]",
            "[Variant 12. Nf3 is worse]",
            "[Result unclear]",
            "[FEN]",
            "[FEN ]",
            "[Event]",
        ] {
            check(text, None);
        }
        for text in ["1. e4 [FEN 4k3/8 w]", "x[White “A”]"] {
            let open = text.find('[').expect("a bracket");
            assert_eq!(tag_pair(text.as_bytes(), open), None, "{text}");
        }
        let text = "[A \"a\"] [FEN 4k3/8 w]";
        assert!(tag_pair(text.as_bytes(), 8).is_some());
    }

    #[test]
    fn in_a_tag_section_any_usual_name_may_lack_its_quotes() {
        let value =
            |text: &str| meant_pair(text.as_bytes(), 0).map(|tag| text[tag.value].to_owned());
        assert_eq!(value("[White Alder, Ann]\n").as_deref(), Some("Alder, Ann"));
        assert_eq!(value("[Round 3]").as_deref(), Some("3"));
        for text in [
            "[Diagram 1]",
            "[White]",
            "[White Alder",
            "[White a {b]",
            "[White <b]",
            "[",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
