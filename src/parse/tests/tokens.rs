//! The second law: no token of a movetext is skipped silently.
//!
//! The rule as the reader has it: a token is a move, a parenthesis, a move number, a comment, a known glyph or sign, or a
//! termination marker; anything else gets a note. Unknown glyphs and signs get one each. Junk gets one for each run: the
//! first word is noted, and a run ends at a move and at the termination marker. After the marker everything but comments
//! and glyphs is junk. A mark or a part of a move that only blanks part from its move is one word with it.

use std::ops::Range;

use proptest::prelude::*;

use super::pgn_text::Dice;
use crate::model::diagnostic::{Class, Note};
use crate::model::game_result::GameResult;
use crate::parse::word::{self, Meaning};
use crate::parse::{RawGame, Word, WordKind, read_games};

const LEAD: &str = "[A \"a\"]\n\n";

/// What a token was written as.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Comment,
    Number,
    Move,
    Open,
    Close,
    Glyph,
    UnknownGlyph,
    Sign,
    UnknownSign,
    Junk,
    Marker(GameResult),
}

const COMMENTS: &[&str] = &[
    "{x}",
    "{}",
    "{a {b 1-0 e4}",
    "{\n\ne4}",
    "; e4 1-0\n",
    ";\r\n",
    "\n% e4 (\n",
];
const NUMBERS: &[&str] = &["1.", "12...", "7", "…", "...", "1000", "31.", "5…"];
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
const UNKNOWN_SIGNS: &[&str] = &["⟲", "}", "]", "\"", "&", "✓"];
const JUNK: &[&str] = &[
    "hello",
    "resigns",
    "Received:",
    "------",
    "</p>",
    "White",
    "adjourned",
    "also",
    "1-0-1",
    "Ü",
    "zzz",
];
const MARKERS: &[(&str, GameResult)] = &[
    ("1-0", GameResult::White),
    ("0-1", GameResult::Black),
    ("1/2-1/2", GameResult::Draw),
    ("*", GameResult::Unknown),
    ("½-½", GameResult::Draw),
    ("1:0", GameResult::White),
];

fn token(dice: &mut Dice) -> (&'static str, Token) {
    match dice.below(24) {
        0..8 => (dice.pick(MOVES), Token::Move),
        8..11 => (dice.pick(NUMBERS), Token::Number),
        11 | 12 => (dice.pick(COMMENTS), Token::Comment),
        13 | 14 => ("(", Token::Open),
        15 | 16 => (")", Token::Close),
        17 => (dice.pick(GLYPHS), Token::Glyph),
        18 => (dice.pick(UNKNOWN_GLYPHS), Token::UnknownGlyph),
        19 => (dice.pick(SIGNS), Token::Sign),
        20 => (dice.pick(UNKNOWN_SIGNS), Token::UnknownSign),
        21 | 22 => (dice.pick(JUNK), Token::Junk),
        _ => {
            let (text, result) = MARKERS[dice.below(MARKERS.len())];
            (text, Token::Marker(result))
        }
    }
}

/// Whether two tokens may stand without a blank between them and still be two.
fn may_touch(left: Token, right: Token) -> bool {
    use Token::{Close, Comment, Number, Open};
    // `e8(N)` is a promotion and `(=)` an offer of a draw.
    // `1)` is a number.
    !matches!((left, right), (Open, _) | (_, Open) | (Number, Close))
        && matches!((left, right), (Comment | Close, _) | (_, Comment | Close))
}

/// What the reader has to make of a movetext.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the states of a slow obvious reader"
)]
struct Wanted {
    words: Vec<Word>,
    marker: Option<GameResult>,
    cut: bool,
    notes: Vec<Note>,
    depth: usize,
    outermost_open: usize,
    in_body: bool,
    run_noted: bool,
    /// The last word is made of several tokens.
    joined: bool,
}

impl Wanted {
    /// Takes the token at `range` of `bytes`.
    fn token(&mut self, token: Token, range: Range<usize>, bytes: &[u8]) {
        let (at, text) = (range.start, &bytes[range.clone()]);
        if self.marker.is_none() && self.joins(token, text, &bytes[..at]) {
            let last = self.words.last_mut().expect("a word");
            last.len = (range.end - last.start) as u32;
            self.joined = true;
            return;
        }
        self.joined = false;
        let word = |kind| Word {
            start: at,
            len: text.len() as u32,
            kind,
        };
        let note = |class| Note::warning(class, at, text.len());
        match token {
            Token::Comment | Token::Glyph => {}
            Token::UnknownGlyph => self.notes.push(note(Class::UnknownAnnotation)),
            _ if self.marker.is_some() => {
                // Nothing is joined any more: of `Cc6 x Cd4` the first word begins the run.
                let first = text.split(|b| *b == b' ').next().unwrap_or(text);
                self.junk(at, first);
            }
            Token::Move => {
                self.words.push(word(WordKind::Move));
                self.run_noted = false;
            }
            Token::Open => {
                self.words.push(word(WordKind::Open));
                if self.depth == 0 {
                    self.outermost_open = at;
                }
                self.depth += 1;
            }
            Token::Close if self.depth == 0 => self.notes.push(note(Class::UnbalancedRav)),
            Token::Close => {
                self.words.push(word(WordKind::Close));
                self.depth -= 1;
            }
            Token::UnknownSign if self.in_body => self.notes.push(note(Class::UnknownAnnotation)),
            Token::UnknownSign | Token::Junk => self.junk(at, text),
            Token::Marker(result) if self.depth == 0 => {
                self.marker = Some(result);
                self.run_noted = false;
                if GameResult::ALL
                    .iter()
                    .all(|result| result.as_str().as_bytes() != text)
                {
                    self.notes.push(note(Class::ResultNonstandard));
                }
            }
            Token::Number | Token::Sign | Token::Marker(_) => {}
        }
        self.in_body |= matches!(
            token,
            Token::Move | Token::Open | Token::Number | Token::Marker(_)
        );
    }

    /// Whether a token belongs to the word before it.
    fn joins(&self, token: Token, text: &[u8], before: &[u8]) -> bool {
        let Some(last) = self.words.last().filter(|last| last.kind == WordKind::Move) else {
            return false;
        };
        let word = &before[last.range()];
        let (Ok(word_text), Ok(text)) = (std::str::from_utf8(word), std::str::from_utf8(text))
        else {
            return false;
        };
        let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let n_digits = text.len() - after_digits.len();
        let is_dots = text.starts_with(['.', '…']);
        let is_number = (n_digits > 0 || is_dots)
            && token == Token::Number
            && (is_dots
                || after_digits.starts_with(['.', '…', ')'])
                || after_digits.is_empty() && n_digits <= 3);
        let is_other = matches!(
            token,
            Token::Comment
                | Token::Glyph
                | Token::UnknownGlyph
                | Token::Open
                | Token::Close
                | Token::Marker(_)
        );
        let is_plain = word::is_plain_move(word);
        let is_open = word::is_open(word) && (self.joined || !is_plain);
        !is_number
            && !is_other
            && text != "(=)"
            && word.len() <= 64
            && before[last.range().end..]
                .iter()
                .all(|b| crate::split::lex::is_blank(*b))
            && (is_open || !word::is_plain_move(text.as_bytes()))
            && (matches!(text, "x" | ":" | "×") || word::is_open(word) || !is_plain)
            && crate::notation::continues_move(word_text, text)
    }

    fn junk(&mut self, at: usize, text: &[u8]) {
        if !std::mem::replace(&mut self.run_noted, true) {
            self.notes
                .push(Note::warning(Class::JunkText, at, text.len()));
        }
    }

    /// A comment that hides the rest of the movetext.
    fn unclosed_comment(&mut self, at: usize) {
        let is_lossy = self.marker.is_none();
        let note = if is_lossy { Note::error } else { Note::warning };
        self.notes.push(note(Class::UnterminatedComment, at, 1));
        self.cut |= is_lossy;
    }

    fn end(&mut self) {
        if self.depth > 0 && self.marker.is_none() {
            self.notes
                .push(Note::error(Class::UnbalancedRav, self.outermost_open, 1));
            self.cut = true;
        }
    }
}

/// Reads text that holds one game.
fn read_one(bytes: &[u8]) -> RawGame {
    let mut games = read_games(bytes);
    assert_eq!(games.len(), 1, "{:?}", String::from_utf8_lossy(bytes));
    games.remove(0)
}

fn check_written(numbers: &[u16]) {
    let mut dice = Dice::new(numbers);
    let mut text = LEAD.to_owned();
    let mut wanted = Wanted::default();
    let mut previous = None;
    for _ in 0..numbers.len() / 4 {
        let (written, token) = token(&mut dice);
        let touches = previous.is_none_or(|previous| may_touch(previous, token)) && dice.once_in(3);
        if !touches {
            text += dice.pick(&[" ", "\n", "\r\n", "\t", "  ", "\r", "\u{b}"]);
        }
        let start = text.len();
        text += written;
        wanted.token(token, start..text.len(), text.as_bytes());
        previous = Some(token);
    }
    wanted.end();
    check(text.as_bytes(), &wanted);
}

fn check(bytes: &[u8], wanted: &Wanted) {
    let text = String::from_utf8_lossy(bytes);
    let mut game = read_one(bytes);
    // Which encoding a game is in is no matter of its tokens.
    game.notes
        .retain(|note| note.class != Class::EncodingFallback);
    assert_eq!(game.words, wanted.words, "words of {text:?}");
    assert_eq!(game.notes, wanted.notes, "notes of {text:?}");
    assert_eq!(
        (game.marker, game.cut),
        (wanted.marker, wanted.cut),
        "{text:?}"
    );
}

/// The slow lexer: the length of the token at `at`, and what it is. It goes byte by byte and knows no tags.
fn slow_token(bytes: &[u8], at: usize, is_over: bool, depth: usize) -> (usize, Token) {
    let rest = &bytes[at..];
    let length_while = |from: usize, wanted: &dyn Fn(u8) -> bool| {
        let mut end = from;
        while end < rest.len() && wanted(rest[end]) {
            end += 1;
        }
        end
    };
    let is_line_end = |b: u8| b == b'\n' || b == b'\r';
    let mut line_start = at;
    while bytes[..line_start].ends_with(b"\xef\xbb\xbf") {
        line_start -= 3;
    }
    match rest[0] {
        b'{' => {
            return (
                rest.len().min(length_while(0, &|b| b != b'}') + 1),
                Token::Comment,
            );
        }
        b';' => return (length_while(0, &|b| !is_line_end(b)), Token::Comment),
        b'%' if is_line_end(bytes[line_start - 1]) => {
            return (length_while(0, &|b| !is_line_end(b)), Token::Comment);
        }
        b'$' => {
            let len = length_while(1, &|b| b.is_ascii_digit());
            let number = String::from_utf8_lossy(&rest[1..len]);
            let is_known = number.parse::<u64>().is_ok_and(|number| number <= 255);
            return (
                len,
                if is_known {
                    Token::Glyph
                } else {
                    Token::UnknownGlyph
                },
            );
        }
        b'(' if is_over => return (1, Token::Junk),
        b'(' if rest.starts_with(b"(=)") => return (3, Token::Sign),
        b'(' => return (1, Token::Open),
        b')' => return (1, Token::Close),
        _ => {}
    }
    let is_in_word = |b: u8| !b" \t\n\r\x0b\x0c\0{}()[];$\"*".contains(&b);
    let mut len = length_while(0, &is_in_word);
    if !is_over {
        let digits = length_while(0, &|b| b.is_ascii_digit());
        let dots = length_while(digits, &|b| b == b'.');
        let mut dotted = 0;
        while let Some(c) = [".", "…"]
            .iter()
            .find(|c| rest[dotted..].starts_with(c.as_bytes()))
        {
            dotted += c.len();
        }
        if dotted > 0 {
            return (dotted, Token::Number);
        }
        let is_bare = digits == len && digits <= 3 && !matches!(&rest[..len], b"00" | b"000");
        let number = if digits == 0 || rest.starts_with(b"0.5-0.5") {
            0
        } else if dots > digits {
            dots
        } else if rest[digits..].starts_with("…".as_bytes()) {
            digits + "…".len()
        } else if is_bare {
            digits
        } else {
            0
        };
        if number > 0 {
            let is_numeral = depth == 0 && rest.get(number) == Some(&b')');
            return (number + usize::from(is_numeral), Token::Number);
        }
        for (marker, result) in &MARKERS[..3] {
            let next = rest.get(marker.len()).copied().unwrap_or(b' ');
            if rest.starts_with(marker.as_bytes())
                && !next.is_ascii_alphanumeric()
                && !b"-/.".contains(&next)
            {
                return (marker.len(), Token::Marker(*result));
            }
        }
    }
    if len == 0 {
        len = 1;
    } else if b"18=".contains(&rest[len - 1])
        && rest.len() >= len + 3
        && rest[len] == b'('
        && rest[len + 1].is_ascii_alphabetic()
        && rest[len + 2] == b')'
    {
        len = length_while(len + 3, &is_in_word);
    }
    if !is_over {
        for (marker, _) in &MARKERS[..3] {
            if let Some(before) = rest[..len].strip_suffix(marker.as_bytes())
                && crate::split::lex::certainly_movetext(before)
            {
                len = before.len();
                break;
            }
        }
    }
    let word = &rest[..len];
    let meaning = if word::is_plain_move(word) {
        Meaning::Move
    } else {
        word::meaning(word)
    };
    let token = match meaning {
        Meaning::Number => Token::Number,
        Meaning::Marker(result, _) => Token::Marker(result),
        Meaning::Annotation => Token::Sign,
        Meaning::UnknownAnnotation => Token::UnknownSign,
        Meaning::Move => Token::Move,
        Meaning::Junk => Token::Junk,
    };
    (len, token)
}

/// Checks that the reader says of every byte of a movetext what the slow lexer says.
fn check_any(movetext: &[u8]) {
    let bytes = [LEAD.as_bytes(), movetext].concat();
    let mut wanted = Wanted::default();
    let mut at = LEAD.len();
    while at < bytes.len() {
        if b" \t\n\r\x0b\x0c\0".contains(&bytes[at]) {
            at += 1;
        } else if bytes[at..].starts_with(b"\xef\xbb\xbf") {
            at += 3;
        } else {
            let (len, token) = slow_token(&bytes, at, wanted.marker.is_some(), wanted.depth);
            if token == Token::Comment && bytes[at] == b'{' && bytes[at + len - 1] != b'}' {
                wanted.unclosed_comment(at);
            }
            wanted.token(token, at..at + len, &bytes);
            at += len;
        }
    }
    wanted.end();
    check(&bytes, &wanted);
}

/// Pieces of movetext. No `[` among them: where tags begin is the first law's business.
const PIECES: &[&str] = &[
    "…", ":", "Castles", "K", "Cc6", "ch", "Кр", "e.p.", "e4", "Nf3", "O-O", "0-0", "1", "2", "8",
    ".", "..", "-", "/", "*", "(", ")", "{", "}", "]", ";", "%", "$", "!", "?", "+", "#", "=",
    "\"", " ", "  ", "\n", "\r", "\n%", "\0", "\u{feff}", "½", "N", "Q", "x", "x", "hello", "1-0",
    "1/2-1/2", "0.5-0.5", "Qd61-0", "e8", "--", "0000", "♘", "é", "<",
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
    let game = read_one(b"[A \"a\"]\n\n1. e4 hello 1-0 e5 Nf3\n");
    let offsets: Vec<usize> = game.notes.iter().map(|note| note.offset).collect();
    assert_eq!(offsets, [15, 25]);
}
