//! The slow twin of the reader: a lexer that goes byte by byte and knows no tags, and what becomes of its tokens.

use std::ops::Range;

use crate::model::diagnostic::{Class, Note};
use crate::model::game_result::GameResult;
use crate::parse::word::{self, Meaning};
use crate::parse::{Word, WordKind};

/// What a token was written as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token {
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
    Markup,
    Marker(GameResult),
}

/// Those whose markers need no blank around them.
const RESULTS: [GameResult; 3] = [GameResult::White, GameResult::Black, GameResult::Draw];

/// What the reader has to make of a movetext.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the states of a slow obvious reader"
)]
pub(super) struct Wanted {
    pub(super) words: Vec<Word>,
    pub(super) marker: Option<GameResult>,
    pub(super) cut: bool,
    pub(super) notes: Vec<Note>,
    pub(super) depth: usize,
    outermost_open: usize,
    in_body: bool,
    run_noted: bool,
    /// The last word is made of several tokens.
    joined: bool,
}

impl Wanted {
    /// Takes the token at `range` of `bytes`.
    pub(super) fn token(&mut self, token: Token, range: Range<usize>, bytes: &[u8]) {
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
            Token::Markup => self.junk(at, text),
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
                | Token::Markup
                | Token::Marker(_)
        );
        // A check sign stands on the move's line, a word that is a part of the move at most on the next.
        let between = String::from_utf8_lossy(&before[last.range().end..]).replace("\r\n", "\n");
        let n_lines = between.split(['\r', '\n']).count();
        let is_near = n_lines == 1 || n_lines == 2 && !text.starts_with(['+', '#']);
        let is_plain = word::is_plain_move(word);
        let is_open = word::is_open(word) && (self.joined || !is_plain);
        !is_number
            && !is_other
            && text != "(=)"
            && word.len() <= 64
            && is_near
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
    pub(super) fn unclosed_comment(&mut self, at: usize) {
        let is_lossy = self.marker.is_none();
        let note = if is_lossy { Note::error } else { Note::warning };
        self.notes.push(note(Class::UnterminatedComment, at, 1));
        self.cut |= is_lossy;
    }

    /// Whether the numbers begin again at `at`, after an empty line, so that the game ends.
    pub(super) fn ends_before(&self, bytes: &[u8], at: usize) -> bool {
        let is_begun = self.marker.is_some() || !self.words.is_empty();
        let is_one = bytes[at..].starts_with(b"1.") && !bytes[at..].starts_with(b"1..");
        if self.depth > 0 || !is_begun || !is_one {
            return false;
        }
        let before = String::from_utf8_lossy(&bytes[..at]).replace("\r\n", "\n");
        let is_blank = |c: char| "\u{feff} \t\n\r\u{b}\u{c}\0".contains(c);
        let blank = &before[before.trim_end_matches(is_blank).len()..];
        if blank.split(['\n', '\r']).count() < 3 {
            return false;
        }
        let mut at = at + 2;
        for is_first in [true, false] {
            while at < bytes.len() {
                at += match b" \t\n\r\x0b\x0c\0".contains(&bytes[at]) {
                    true => 1,
                    false if slow_wide_blank(bytes, at) > 0 => slow_wide_blank(bytes, at),
                    false => break,
                };
            }
            if at == bytes.len() {
                return !is_first;
            }
            let (len, token) = slow_token(bytes, at, false, 0);
            let is_expected = match token {
                Token::Move => true,
                Token::Junk | Token::Markup | Token::UnknownSign | Token::Close => false,
                _ => !is_first,
            };
            if !is_expected {
                return false;
            }
            at += len;
        }
        true
    }

    pub(super) fn end(&mut self) {
        if self.depth > 0 && self.marker.is_none() {
            self.notes
                .push(Note::error(Class::UnbalancedRav, self.outermost_open, 1));
            self.cut = true;
        }
    }
}

/// The length of the blank beyond ASCII that stands at `at`; 0 if none does.
pub(super) fn slow_wide_blank(bytes: &[u8], at: usize) -> usize {
    const WIDE: &[char] = &[
        '\u{a0}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}', '\u{3000}',
    ];
    for c in WIDE.iter().copied().chain('\u{2000}'..='\u{200b}') {
        if bytes[at..].starts_with(c.to_string().as_bytes()) {
            return c.len_utf8();
        }
    }
    let mut end = at;
    while (at == 0 || bytes[at - 1] < 0x80) && end < bytes.len() && bytes[end] == 0xa0 {
        end += 1;
    }
    end - at
}

/// The length of the entity of HTML that begins the text; 0 if none does.
fn slow_entity(text: &[u8]) -> usize {
    let text: String = text.iter().take(11).map(|b| char::from(*b)).collect();
    let Some((entity, _)) = text.split_once(';') else {
        return 0;
    };
    let Some(name) = entity.strip_prefix('&') else {
        return 0;
    };
    let name = name.strip_prefix('#').unwrap_or(name);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric());
    if is_name && (1..=8).contains(&name.len()) {
        entity.len() + 1
    } else {
        0
    }
}

/// The slow lexer: the length of the token at `at`, and what it is. It goes byte by byte and knows no tags.
pub(super) fn slow_token(bytes: &[u8], at: usize, is_over: bool, depth: usize) -> (usize, Token) {
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
        b'<' => {
            let is_inside = |b: u8| !b"<>{[\r\n".contains(&b);
            let opens =
                rest.len() > 1 && (rest[1].is_ascii_alphabetic() || b"/!".contains(&rest[1]));
            let end = length_while(1, &is_inside);
            let is_closed = opens && rest.get(end) == Some(&b'>');
            return (if is_closed { end + 1 } else { 1 }, Token::Markup);
        }
        b'&' if slow_entity(rest) > 0 => return (slow_entity(rest), Token::Markup),
        b'(' if is_over => return (1, Token::Junk),
        b'(' if rest.starts_with(b"(=)") => return (3, Token::Sign),
        b'(' => return (1, Token::Open),
        b')' => return (1, Token::Close),
        _ => {}
    }
    let word_len = |from: usize| {
        let mut end = from;
        while end < rest.len()
            && !b" \t\n\r\x0b\x0c\0{}()[]<>;$\"*".contains(&rest[end])
            && slow_wide_blank(bytes, at + end) == 0
            && slow_entity(&rest[end..]) == 0
        {
            end += 1;
        }
        end
    };
    let mut len = word_len(0);
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
        let is_decimal = rest.starts_with(b"0.") && rest.get(2).is_some_and(u8::is_ascii_digit);
        for (spaced, result) in [(*b"1-0", GameResult::White), (*b"0-1", GameResult::Black)] {
            let mut signs = Vec::new();
            let mut end = 0;
            while end < rest.len() && signs.len() < 3 {
                if !b" \t".contains(&rest[end]) || signs.is_empty() {
                    signs.push(if rest[end] == b':' { b'-' } else { rest[end] });
                }
                end += 1;
            }
            let next = rest.get(end).copied().unwrap_or(b' ');
            if signs == spaced
                && end > 3
                && !next.is_ascii_alphanumeric()
                && !b"-/.:".contains(&next)
            {
                return (end, Token::Marker(result));
            }
        }
        let number = if digits == 0 || is_decimal {
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
        for result in RESULTS {
            let marker = result.as_str();
            let next = rest.get(marker.len()).copied().unwrap_or(b' ');
            if rest.starts_with(marker.as_bytes())
                && !next.is_ascii_alphanumeric()
                && !b"-/.".contains(&next)
            {
                return (marker.len(), Token::Marker(result));
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
        len = word_len(len + 3);
    }
    if !is_over {
        for result in RESULTS {
            let marker = result.as_str();
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
