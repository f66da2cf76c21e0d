//! The second law: no token of a movetext is skipped silently.
//!
//! The rule as the reader has it: a token is a move, a parenthesis, a move number, a comment, a known glyph or sign, or a
//! termination marker; anything else gets a note. Unknown glyphs and signs get one each. Junk gets one for each run: the
//! first word is noted, and a run ends at a move and at the termination marker. After the marker everything but comments
//! and glyphs is junk. A mark or a part of a move that only blanks part from its move is one word with it.

use proptest::prelude::*;

use super::pgn_text::Dice;
use super::slow::{Token, slow_token, slow_wide_blank};
use super::wanted::Wanted;
use crate::model::diagnostic::Class;
use crate::model::game_result::GameResult;
use crate::parse::{RawGame, read_games};

pub(super) const LEAD: &str = "[A \"a\"]\n\n";

const COMMENTS: &[&str] = &[
    "{x}",
    "{}",
    "{a {b 1-0 e4}",
    "{\n\ne4}",
    "; e4 1-0\n",
    ";\r\n",
    "\n% e4 (\n",
];
const NUMBERS: &[&str] = &[
    "1.", "2.", "3.", "1...", "2...", "12...", "7", "1", "2", "…", "...", "31.", "5…",
];
const MOVES: &[&str] = &[
    "e4",
    "Nf3",
    "O-O",
    "O-O-O+",
    "0-0",
    "exd6",
    "e8=Q",
    "e8(Q)",
    "e8=(Q)+",
    "Nbd7+",
    "Qxf7#",
    "e4!",
    "Nf3?!",
    "--",
    "Z0",
    "@@@@",
    "e2e4",
    "Sf3",
    "♘f3",
    "5254",
    "P-K4",
    "Zz9",
    "ed4",
    "c:d4",
    "Bb5ch",
    "Кf3",
    "N-KB3",
    "exd6e.p.",
    "Cc6 x Cd4",
    "Castles K",
    "PxP e.p.",
    "Кр: g8",
    "e4 x d5",
];
const GLYPHS: &[&str] = &["$1", "$0", "$255", "$14"];
const UNKNOWN_GLYPHS: &[&str] = &["$256", "$", "$99999999999"];
const SIGNS: &[&str] = &[
    "!", "?!", "N", "D", "=", "+-", "-/+", "±", "∞", "e.p.", "TN", "ch", "mate", "+", "□",
];
const UNKNOWN_SIGNS: &[&str] = &["⟲", "}", "]", "\"", "&", "✓", "0.00", "-1.25"];
const RULERS: &[&str] = &["------", "====="];
const JUNK: &[&str] = &[
    "hello",
    "resigns",
    "Received:",
    "White",
    "adjourned",
    "1000",
    "also",
    "1-0-1",
    "Ü",
    "zzz",
];
const MARKUP: &[&str] = &[
    "<br />",
    "</p>",
    "&nbsp;",
    "<!-- e4 -->",
    "<i style=\"a; b\">",
];
const MARKERS: &[(&str, GameResult)] = &[
    ("1-0", GameResult::White),
    ("0-1", GameResult::Black),
    ("1/2-1/2", GameResult::Draw),
    ("*", GameResult::Unknown),
    ("½-½", GameResult::Draw),
    ("1:0", GameResult::White),
    ("1 - 0", GameResult::White),
    ("0 : 1", GameResult::Black),
];

fn token(dice: &mut Dice) -> (&'static str, Token) {
    match dice.below(25) {
        0..8 => (dice.pick(MOVES), Token::Move),
        8..11 => (dice.pick(NUMBERS), Token::Number),
        11 | 12 => (dice.pick(COMMENTS), Token::Comment),
        13 | 14 => ("(", Token::Open),
        15 | 16 => (")", Token::Close),
        17 => (dice.pick(GLYPHS), Token::Glyph),
        18 => (dice.pick(UNKNOWN_GLYPHS), Token::UnknownGlyph),
        19 => (dice.pick(SIGNS), Token::Sign),
        20 => (dice.pick(UNKNOWN_SIGNS), Token::UnknownSign),
        21 => (dice.pick(RULERS), Token::Ruler),
        22 => (dice.pick(JUNK), Token::Junk),
        23 => (dice.pick(MARKUP), Token::Markup),
        _ => {
            let (text, result) = MARKERS[dice.below(MARKERS.len())];
            (text, Token::Marker(result))
        }
    }
}

/// Whether two tokens may stand without a blank between them and still be two.
fn may_touch(left: Token, right: Token) -> bool {
    use Token::{Close, Comment, Markup, Number, Open};
    // `e8(N)` is a promotion and `(=)` an offer of a draw.
    // `1)` is a number.
    !matches!((left, right), (Open, _) | (_, Open) | (Number, Close))
        && matches!(
            (left, right),
            (Comment | Close | Markup, _) | (_, Comment | Close | Markup)
        )
}

/// Reads the game at the start of a text: the only one, unless another begins at `end`.
fn read_first(bytes: &[u8], end: usize) -> RawGame {
    let mut games = read_games(bytes);
    let context = || String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(games.len() == 1, end == bytes.len(), "{:?}", context());
    assert_eq!(games[0].range.end, end, "{:?}", context());
    games.remove(0)
}

fn check_written(numbers: &[u16]) {
    let mut dice = Dice::new(numbers);
    let mut text = LEAD.to_owned();
    let mut tokens = Vec::new();
    let mut previous = None;
    for _ in 0..numbers.len() / 4 {
        let (written, token) = token(&mut dice);
        // A rank or a piece in round brackets belongs to a descriptive move: `N-KB3 (7)`.
        if previous == Some(Token::Open) && written.len() == 1 {
            continue;
        }
        let touches = previous.is_none_or(|previous| may_touch(previous, token)) && dice.once_in(3);
        if !touches {
            text += dice.pick(&[
                " ", "\n", "\r\n", "\t", "  ", "\r", "\u{b}", "\u{a0}", "\u{2003}",
            ]);
        }
        let start = text.len();
        text += written;
        tokens.push((token, start..text.len()));
        previous = Some(token);
    }
    let mut wanted = Wanted::default();
    let mut end = text.len();
    for (token, range) in tokens {
        if let Some(start) = wanted.ends_before(text.as_bytes(), range.start) {
            end = start;
            if start > range.start {
                wanted.junk(range.start, &text.as_bytes()[range.start..start]);
            }
            break;
        }
        wanted.token(token, range, text.as_bytes());
    }
    wanted.end(text.as_bytes());
    check(text.as_bytes(), end, &wanted);
}

fn check(bytes: &[u8], end: usize, wanted: &Wanted) {
    let text = String::from_utf8_lossy(bytes);
    let mut game = read_first(bytes, end);
    // Which encoding a game is in is no matter of its tokens.
    game.notes
        .retain(|note| note.class != Class::EncodingFallback);
    // NUL bytes are white space, and told of once.
    let n_notes = game.notes.len();
    game.notes
        .retain(|note| note.class != Class::JunkText || bytes[note.offset] != 0);
    let n_told = n_notes - game.notes.len();
    assert_eq!(n_told, usize::from(bytes[..end].contains(&0)), "{text:?}");
    assert_eq!(game.words, wanted.words, "words of {text:?}");
    assert_eq!(game.notes, wanted.notes, "notes of {text:?}");
    assert_eq!(
        (game.marker, game.cut, game.forfeit),
        (wanted.marker, wanted.cut, wanted.forfeit),
        "{text:?}"
    );
}

/// Checks that the reader says of every byte of a movetext what the slow lexer says.
pub(super) fn check_any(movetext: &[u8]) {
    let bytes = [LEAD.as_bytes(), movetext].concat();
    let mut wanted = Wanted::default();
    let mut at = LEAD.len();
    let mut end = bytes.len();
    while at < bytes.len() {
        if let Some(start) = wanted.ends_before(&bytes, at) {
            end = start;
            if start > at {
                wanted.junk(at, &bytes[at..start]);
            }
            break;
        }
        if b" \t\n\r\x0b\x0c\0".contains(&bytes[at]) {
            at += 1;
        } else if bytes[at..].starts_with(b"\xef\xbb\xbf") {
            at += 3;
        } else if slow_wide_blank(&bytes, at) > 0 {
            at += slow_wide_blank(&bytes, at);
        } else {
            let (len, token) = slow_token(&bytes, at, wanted.marker.is_some(), wanted.depth);
            if token == Token::Comment && bytes[at] == b'{' && bytes[at + len - 1] != b'}' {
                wanted.unclosed_comment(at, len);
            }
            wanted.token(token, at..at + len, &bytes);
            at += len;
        }
    }
    wanted.end(&bytes);
    check(&bytes, end, &wanted);
}

/// Pieces of movetext. No `[` among them: where tags begin is the first law's business.
const PIECES: &[&str] = &[
    "…",
    ":",
    "Castles",
    "K",
    "Cc6",
    "ch",
    "Кр",
    "e.p.",
    "e4",
    "Nf3",
    "O-O",
    "0-0",
    "1",
    "2",
    "8",
    ".",
    "..",
    "-",
    "/",
    "*",
    "(",
    ")",
    "{",
    "}",
    "]",
    ";",
    "%",
    "$",
    "!",
    "?",
    "+",
    "#",
    "=",
    "\"",
    " ",
    "  ",
    "\n",
    "\r",
    "\n%",
    "\0",
    "\u{feff}",
    "½",
    "N",
    "Q",
    "x",
    "x",
    "hello",
    "1-0",
    "1/2-1/2",
    "0.5-0.5",
    "Qd61-0",
    "e8",
    "--",
    "0000",
    "♘",
    "é",
    "<",
    ">",
    "<br>",
    "<a;",
    "</",
    "\n\n1.e4 ",
    "\n\n1.",
    "&",
    "&nbsp;",
    "&#",
    "\u{a0}",
    "\u{2003}",
    " - ",
    "0",
    "0.",
    ":",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn every_token_that_was_written_is_accounted_for(numbers in prop::collection::vec(any::<u16>(), 0..160)) {
        check_written(&numbers);
    }

    #[test]
    fn the_reader_agrees_with_the_slow_lexer_on_any_pieces(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)
    ) {
        check_any(pieces.concat().as_bytes());
    }

    #[test]
    fn the_reader_agrees_with_the_slow_lexer_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let movetext: Vec<u8> = bytes.into_iter().filter(|b| *b != b'[').collect();
        check_any(&movetext);
    }
}

#[test]
fn a_move_after_the_marker_is_noted_even_if_junk_stood_before_it() {
    let text = b"[A \"a\"]\n\n1. e4 hello 1-0 e5 Nf3\n";
    let game = read_first(text, text.len());
    let offsets: Vec<usize> = game.notes.iter().map(|note| note.offset).collect();
    assert_eq!(offsets, [25]);
}

// The number was taken for the square of the open capture, because only an ASCII blank ended it.
#[test]
fn a_number_ends_at_every_blank() {
    for text in ["e8x 2\u{a0}e5", "Nx 8&nbsp;e5", "e8x 2\u{2003}Nf3"] {
        check_any(text.as_bytes());
    }
}
