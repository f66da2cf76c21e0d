//! What the reader has to make of a movetext, from the tokens of the slow lexer: lines counted ply by ply, words that wait
//! for a number, notes in the order of their tokens.

use std::ops::Range;

use super::slow::{Token, slow_entity, slow_token, slow_wide_blank};
use crate::model::diagnostic::{Class, Note};
use crate::model::game_result::GameResult;
use crate::notation::Reading;
use crate::parse::start::Starts;
use crate::parse::word;
use crate::parse::{Word, WordKind};

/// A line of moves, counted one by one.
#[derive(Clone, Debug, Default)]
struct SlowLine {
    /// Of the next move.
    ply: i64,
    /// Of the first one.
    first: i64,
    is_numbered: bool,
    is_over: bool,
    /// Words that are not understood, as places among all words.
    unread: Vec<usize>,
}

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
    pub(super) forfeit: bool,
    pub(super) notes: Vec<Note>,
    pub(super) depth: usize,
    outermost_open: usize,
    in_body: bool,
    /// A note on junk was taken since the last move, parenthesis or marker.
    run_noted: bool,
    /// A word that is not understood was taken since then, or since the last number.
    run_unread: bool,
    /// After the marker: what came last is the marker, a number or a move.
    is_movetext: bool,
    loss_noted: bool,
    after_number: bool,
    /// The last word is made of several tokens.
    joined: bool,
    line: SlowLine,
    outer: Vec<SlowLine>,
    /// A first number that says that moves are missing.
    displaced: Option<Word>,
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
        let note = |class| Note::warning(class, at, text.len());
        let is_digits = text.first().is_some_and(u8::is_ascii_digit);
        let was_after_number = self.after_number;
        let ends_number = match token {
            Token::Sign => text != b"(=)",
            Token::Move
            | Token::Open
            | Token::UnknownSign
            | Token::Ruler
            | Token::Junk
            | Token::Marker(_) => true,
            Token::Close => self.depth > 0,
            _ => false,
        };
        if ends_number && self.marker.is_none() {
            self.after_number = false;
        }
        match token {
            Token::Comment if text.starts_with(b";") && self.hides_moves(at, bytes, range.end) => {
                let line_end = text.iter().position(|b| matches!(b, b'\n' | b'\r'));
                self.add_unread(at, line_end.unwrap_or(text.len()));
            }
            Token::Comment
                if self.in_body
                    && self.marker.is_none()
                    && text.starts_with(b"{")
                    && text.ends_with(b"}")
                    && may_be_movetext(&text[1..text.len() - 1], &bytes[range.end..]) =>
            {
                if text.len() == 3 && text[1] != b'{' {
                    self.unread(at, text);
                } else {
                    self.add_unread(at, text.len());
                }
            }
            Token::Comment | Token::Glyph => {}
            Token::Markup if self.in_body && self.marker.is_none() && !is_beside(text) => {
                self.unread(at, text);
            }
            Token::Markup => self.junk(at, text),
            Token::UnknownGlyph
                if self.in_body
                    && self.marker.is_none()
                    && text == b"$"
                    && bytes.get(range.end).is_some_and(u8::is_ascii_alphabetic) =>
            {
                self.unread(at, text);
            }
            Token::UnknownGlyph => self.notes.push(note(Class::UnknownAnnotation)),
            _ if self.marker.is_some() => self.after_marker(token, at, text),
            Token::Move => {
                if self.run_unread && text[0].is_ascii_lowercase() {
                    self.give_up();
                }
                self.words.push(word(at, text, WordKind::Move));
                self.line.ply += 1;
                self.new_run();
            }
            Token::Open => {
                self.words.push(word(at, text, WordKind::Open));
                if self.depth == 0 {
                    self.outermost_open = at;
                }
                self.depth += 1;
                let first = (self.line.ply - 1).max(self.line.first);
                let inner = SlowLine {
                    ply: first,
                    first,
                    is_over: self.line.is_over,
                    ..SlowLine::default()
                };
                self.outer.push(std::mem::replace(&mut self.line, inner));
                self.new_run();
            }
            Token::Close if self.depth == 0 => self.notes.push(note(Class::UnbalancedRav)),
            Token::Close => {
                self.words.push(word(at, text, WordKind::Close));
                self.depth -= 1;
                self.line = self.outer.pop().expect("an outer line");
                self.new_run();
            }
            Token::Number if is_digits => {
                if self.number(at, text, was_after_number, bytes) {
                    self.run_unread = false;
                    self.after_number = true;
                    self.in_body = true;
                } else if self.in_body {
                    self.after_number = false;
                    self.unread(at, text);
                } else {
                    self.junk(at, text);
                }
                return;
            }
            Token::Number => {
                self.in_body = true;
                return;
            }
            Token::UnknownSign | Token::Sign | Token::Ruler
                if self.in_body
                    && text != b"(=)"
                    && (was_after_number || names_piece(token, text, &bytes[range.end..])) =>
            {
                self.unread(at, text);
            }
            Token::Sign if text == b"(=)" => return,
            Token::Ruler => self.junk(at, text),
            Token::UnknownSign if self.in_body => self.notes.push(note(Class::UnknownAnnotation)),
            Token::UnknownSign | Token::Junk => self.unread(at, text),
            Token::Marker(result) if self.depth == 0 => {
                self.marker = Some(result);
                self.new_run();
                self.is_movetext = true;
                if GameResult::ALL
                    .iter()
                    .all(|result| result.as_str().as_bytes() != text)
                {
                    self.notes.push(note(Class::ResultNonstandard));
                }
            }
            Token::Sign | Token::Marker(_) => {}
        }
        self.in_body |= matches!(token, Token::Move | Token::Open | Token::Marker(_));
    }

    fn new_run(&mut self) {
        self.run_noted = false;
        self.run_unread = false;
        self.loss_noted = false;
    }

    fn after_marker(&mut self, token: Token, at: usize, text: &[u8]) {
        if matches!(token, Token::Move | Token::Marker(_)) && text.contains(&b' ') {
            // Nothing is joined any more.
            let mut start = 0;
            while start < text.len() {
                let (len, token) = match text[start] {
                    b' ' => (1, None),
                    _ => {
                        let (len, token) = slow_token(text, start, true, 0);
                        (len, Some(token))
                    }
                };
                if len == text.len() {
                    break;
                }
                if let Some(token) = token {
                    self.after_marker(token, at + start, &text[start..start + len]);
                }
                start += len;
            }
            if start > 0 {
                return;
            }
        }
        match token {
            Token::Number => {
                self.junk(at, text);
                self.is_movetext = true;
            }
            Token::Open | Token::Close => self.junk(at, text),
            Token::Move if self.is_movetext && !self.loss_noted => {
                self.loss_noted = true;
                self.run_noted = true;
                self.cut = true;
                self.notes
                    .push(Note::error(Class::MovesAfterMarker, at, text.len()));
            }
            Token::Junk if matches!(text, b"(" | b")") => self.junk(at, text),
            token => {
                self.junk(at, text);
                self.is_movetext = token == Token::Move;
            }
        }
    }

    fn give_up(&mut self) {
        if !self.line.unread.is_empty() {
            self.line.unread.clear();
            self.line.is_over = true;
        }
    }

    fn unread(&mut self, at: usize, text: &[u8]) {
        if !std::mem::replace(&mut self.run_unread, true) {
            self.add_unread(at, text.len());
        }
    }

    fn add_unread(&mut self, start: usize, len: usize) {
        if !self.line.is_over {
            self.line.unread.push(self.words.len());
            self.words.push(Word {
                start,
                len: len as u32,
                kind: WordKind::Unread,
            });
        }
    }

    /// Takes a number; `false` if these digits are none.
    fn number(&mut self, at: usize, text: &[u8], is_second: bool, bytes: &[u8]) -> bool {
        if self.line.is_over {
            return true;
        }
        let text_of = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let blanks = [' ', '\t', '\n', '\r', '\u{b}', '\u{c}', '\0'];
        let mut behind = at + text.len();
        while behind < bytes.len()
            && (blanks.contains(&char::from(bytes[behind])) || slow_wide_blank(bytes, behind) > 0)
        {
            behind += slow_wide_blank(bytes, behind).max(1);
        }
        let mut signs = text_of(text);
        signs.retain(|c| !c.is_ascii_digit());
        let mut rest = &bytes[behind..];
        while let Some(after) = rest
            .strip_prefix(b".")
            .or_else(|| rest.strip_prefix("…".as_bytes()))
        {
            signs.push_str(&text_of(&rest[..rest.len() - after.len()]));
            rest = after;
        }
        let n_dots: i64 = signs
            .chars()
            .map(|c| match c {
                '.' => 1,
                '…' => 2,
                _ => 0,
            })
            .sum();
        let mut value = 0_i64;
        for digit in text.iter().take_while(|b| b.is_ascii_digit()).take(12) {
            value = value * 10 + i64::from(digit - b'0');
        }
        let said = (value - 1) * 2 + i64::from(n_dots > 1);
        let is_marked = !signs.is_empty();
        if said == self.line.ply {
            self.settle();
        } else if !self.line.unread.is_empty() {
            if !is_marked {
                return false;
            }
            self.line.unread.clear();
            self.line.is_over = true;
        } else if n_dots < 2 && said + 1 == self.line.ply {
            // Before Black's move without three dots.
        } else if is_marked
            && (is_second && said > self.line.ply
                || said == 0 && self.line.ply - self.line.first > 1)
        {
            self.add_unread(at, text.len());
            self.give_up();
        } else if is_marked {
            let word = word(at, text, WordKind::Unread);
            self.notes
                .push(Note::warning(Class::MoveNumberMismatch, at, text.len()));
            if self.outer.is_empty() {
                let is_late = self.line.ply == self.line.first && said > self.line.ply;
                self.displaced = is_late.then_some(word);
            }
            self.line.first += said - self.line.ply;
            self.line.ply = said;
        } else {
            return false;
        }
        self.line.is_numbered = true;
        true
    }

    /// What was not understood in this line was no move.
    fn settle(&mut self) {
        for idx in std::mem::take(&mut self.line.unread) {
            let word = &mut self.words[idx];
            word.kind = WordKind::Skipped;
            self.notes.push(Note::warning(
                Class::JunkText,
                word.start,
                word.len as usize,
            ));
        }
    }

    fn hides_moves(&self, at: usize, bytes: &[u8], end: usize) -> bool {
        let Some(last) = self.words.last() else {
            return false;
        };
        let line = &bytes[at + 1..end];
        let blanks = line.iter().take_while(|b| b" \t\n\r\x0b\x0c\0".contains(b));
        let text = &line[blanks.count()..];
        let number = Starts::new(bytes, Reading::default()).is_movetext(end - text.len()..end);
        self.in_body
            && self.marker.is_none()
            && last.kind == WordKind::Move
            && last.range().end == at
            && number
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
        let is_other = matches!(
            token,
            Token::Comment
                | Token::Glyph
                | Token::UnknownGlyph
                | Token::Open
                | Token::Close
                | Token::Markup
                | Token::Marker(_)
        ) || token == Token::Number && !self.is_no_number(text);
        // A check sign stands on the move's line, a word that is a part of the move at most on the next.
        let between = String::from_utf8_lossy(&before[last.range().end..]).replace("\r\n", "\n");
        let n_lines = between.split(['\r', '\n']).count();
        let is_near = n_lines == 1 || n_lines == 2 && !text.starts_with(['+', '#']);
        let is_plain = word::is_plain_move(word);
        let is_open = word::is_open(word) && (self.joined || !is_plain);
        !is_other
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

    /// Whether digits say something else than the number of the next move, so that they are a word.
    fn is_no_number(&self, text: &str) -> bool {
        let Ok(value) = text.parse::<i64>() else {
            return false;
        };
        let said = 2 * (value - 1);
        self.in_body
            && !self.line.is_over
            && said != self.line.ply
            && (said + 1 != self.line.ply || !self.line.unread.is_empty())
    }

    pub(super) fn junk(&mut self, at: usize, text: &[u8]) {
        if !std::mem::replace(&mut self.run_noted, true) {
            self.notes
                .push(Note::warning(Class::JunkText, at, text.len()));
        }
    }

    /// A comment that hides the rest of the text.
    pub(super) fn unclosed_comment(&mut self, at: usize, len: usize) {
        self.notes.push(match self.marker {
            Some(_) => Note::error(Class::Truncated, at, len),
            None => Note::error(Class::UnterminatedComment, at, 1),
        });
        self.cut |= self.marker.is_none();
    }

    /// Where the next game begins if the numbers begin again at `at`, after an empty line and perhaps a label.
    pub(super) fn ends_before(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let is_remark = matches!(bytes[at], b'{' | b'(' | b'$');
        let is_other = matches!(bytes[at], b')' | b'<' | b';') || slow_entity(&bytes[at..]) > 0;
        let is_begun = self.marker.is_some() || !self.words.is_empty() && !is_remark;
        let may_end =
            self.depth == 0 && is_begun && (self.in_body || self.marker.is_some()) && !is_other;
        may_end
            .then(|| Starts::new(bytes, Reading::default()).game_again_at(at))
            .flatten()
    }

    pub(super) fn end(&mut self, bytes: &[u8]) {
        let is_apart = |at: usize| {
            let before = String::from_utf8_lossy(&bytes[..at]).replace("\r\n", "\n");
            let is_blank = |c: char| "\u{feff} \t\n\r\u{b}\u{c}\0".contains(c);
            let blank = &before[before.trim_end_matches(is_blank).len()..];
            blank.split(['\n', '\r']).count() >= 3
        };
        if let Some(&first) = self.line.unread.first()
            && self.outer.is_empty()
            && self.words[first..]
                .iter()
                .all(|word| word.kind == WordKind::Unread)
            && (is_apart(self.words[first].start) || first == 0 && !self.line.is_numbered)
        {
            self.settle();
        }
        if let Some(number) = self.displaced
            && self.words.iter().any(|word| word.kind == WordKind::Move)
        {
            self.words.insert(0, number);
        }
        if self.in_body && self.marker.is_none() {
            let last = self.words.last().copied();
            let text = last.map_or(&[][..], |last| &bytes[last.range()]);
            let is_half =
                last.is_some_and(|last| last.kind == WordKind::Unread && word::is_half_move(text));
            if is_half && let Some(half) = self.words.last_mut() {
                half.kind = WordKind::Skipped;
                self.notes
                    .push(Note::error(Class::Truncated, half.start, text.len()));
                self.cut = true;
            } else if self.after_number {
                let at = last.map_or(0, |last| last.range().end);
                self.notes.push(Note::error(Class::Truncated, at, 0));
                self.cut = true;
            } else if self.depth == 0
                && let Some(last) = last
            {
                self.forfeit = last.kind == WordKind::Move && word::is_double_zero(text);
                if last.kind == WordKind::Move
                    && last.range().end == bytes.len()
                    && word::is_half_pawn_capture(text)
                {
                    self.notes
                        .push(Note::error(Class::Truncated, last.start, text.len()));
                }
            }
        }
        if self.depth > 0 && self.marker.is_none() {
            self.notes
                .push(Note::error(Class::UnbalancedRav, self.outermost_open, 1));
            self.cut = true;
        }
    }
}

/// What stands behind markup and the blanks after it.
fn slow_markup(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        let (len, token) = match text[at] {
            b'<' | b'&' => slow_token(text, at, false, 0),
            _ => return at,
        };
        if token != Token::Markup || len == 1 {
            return at;
        }
        at += len;
        while at < text.len()
            && (b" \t\n\r\x0b\x0c\0".contains(&text[at]) || slow_wide_blank(text, at) > 0)
        {
            at += slow_wide_blank(text, at).max(1);
        }
    }
    at
}

/// Whether a comment holds another one, or the letter of a piece before a file.
fn may_be_movetext(inner: &[u8], behind: &[u8]) -> bool {
    let is_piece = inner.len() == 1
        && inner[0].is_ascii_uppercase()
        && behind.first().is_some_and(|b| b"abcdefgh".contains(b));
    inner.contains(&b'{') || is_piece
}

/// Whether markup is of a kind that never stands for a part of the text.
fn is_beside(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text).into_owned();
    match text.strip_prefix('&') {
        Some(entity) => {
            let blanks = "nbsp ensp emsp thinsp hairsp zwnj zwj shy NewLine Tab #9 #10 #13 #32 #160 #8194 #8195 #8201 \
                          #8203 #8239 #xa0 #xA0 #x20";
            blanks.split(' ').any(|blank| entity == format!("{blank};"))
        }
        None => {
            let elements = "a b big blockquote body br center code div em font h1 h2 h3 h4 hr html i li ol p pre small span \
                            strong sub sup table tbody td th tr tt u ul";
            let inner = text[1..]
                .strip_prefix('/')
                .unwrap_or(&text[1..])
                .to_lowercase();
            let name = inner
                .split(|c: char| !c.is_ascii_alphanumeric())
                .next()
                .unwrap_or_default();
            inner.starts_with('!') || elements.split(' ').any(|element| element == name)
        }
    }
}

/// Whether a sign may be a piece whose square stands apart.
fn names_piece(token: Token, text: &[u8], behind: &[u8]) -> bool {
    let sign = std::str::from_utf8(text).unwrap_or_default();
    let mut at = 0;
    while at < behind.len()
        && (b" \t\n\r\x0b\x0c\0".contains(&behind[at]) || slow_wide_blank(behind, at) > 0)
    {
        at += slow_wide_blank(behind, at).max(1);
    }
    at = slow_markup(behind, at);
    match token {
        Token::Sign => {
            sign.starts_with(|c: char| c.is_ascii_uppercase())
                && behind.len() >= at + 2
                && (b'a'..=b'h').contains(&behind[at])
                && b"12345678xabcdefgh".contains(&behind[at + 1])
        }
        Token::UnknownSign => {
            sign.starts_with(|c| ('\u{2654}'..='\u{265f}').contains(&c) || c == '\u{fffd}')
        }
        _ => false,
    }
}

fn word(start: usize, text: &[u8], kind: WordKind) -> Word {
    Word {
        start,
        len: text.len() as u32,
        kind,
    }
}
