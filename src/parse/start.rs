//! How a game without tags begins: with a number and a move, with moves, and with what may stand before them.
//!
//! Tag pairs say where a game begins; without them only the text can. Prose holds numbers and moves too, so that it has to
//! be a line that begins so. Before the first number or move there may be remarks, which belong to the game (comments,
//! glyphs, words in round brackets), and a label, which does not (`Game 1:`, `[pgn]`).

use std::ops::Range;

use crate::notation::Reading;
use crate::parse::token::{
    dots_len, len_without_marker, number_end, standard_marker, token_end, word_end,
};
use crate::parse::word::{self, Meaning};
use crate::split::lex::{self, Closed};

/// Longest label, in bytes, and longest remark in round brackets.
const LABEL_BYTES: usize = 40;
const REMARK_BYTES: usize = 400;

/// Looks for games that begin without tags. What it looked through in vain it does not look through again.
#[derive(Debug)]
pub(super) struct Starts<'a> {
    bytes: &'a [u8],
    reading: Reading,
    /// No game begins with a remark that begins before.
    none_before: usize,
}

impl<'a> Starts<'a> {
    pub(super) fn new(bytes: &'a [u8], reading: Reading) -> Starts<'a> {
        Starts {
            bytes,
            reading,
            none_before: 0,
        }
    }

    /// Where the game begins that is announced by the token at `at`: there, or behind a label.
    pub(super) fn game_at(&mut self, at: usize) -> Option<usize> {
        // What follows a semicolon or a percent sign is a comment or escaped.
        if matches!(self.bytes[at], b';' | b'%') || !starts_line(self.bytes, at) {
            return None;
        }
        if let Some(start) = self.behind_label(at) {
            return Some(start);
        }
        let begins = match self.behind_remarks(at) {
            Some(first) => self.starts_movetext(first),
            None => self.starts_movetext(at),
        };
        begins.then_some(at)
    }

    /// Where the game begins with which the numbers of the moves begin again at `at`, perhaps behind a label or remarks, so that
    /// what went before is another game even if it has no termination marker: after an empty line stand the number 1 and White's move, and
    /// then what follows a move.
    ///
    /// To read on would play the moves of the next game in this one, where by chance they may be legal.
    pub(super) fn game_again_at(&mut self, at: usize) -> Option<usize> {
        let is_hidden = matches!(self.bytes[at], b';' | b'%');
        if is_hidden || !starts_line(self.bytes, at) || !follows_empty_line(self.bytes, at) {
            return None;
        }
        if let Some(start) = self.behind_label(at) {
            return Some(start);
        }
        let begins = match self.behind_remarks(at) {
            Some(first) => self.starts_with_one(first),
            None => self.starts_with_one(at),
        };
        begins.then_some(at)
    }

    /// Whether a number and a move begin the range, or a move that is certain.
    pub(super) fn is_movetext(&self, range: Range<usize>) -> bool {
        let first = &self.bytes[range.clone()];
        !first.is_empty()
            && (first[0].is_ascii_digit() && self.starts_with_number(range.start)
                || lex::certainly_movetext(&first[..word_end(first, 0)]))
    }

    /// Where the game begins that follows a label in its line. The first move of such a game has the number 1.
    fn behind_label(&mut self, at: usize) -> Option<usize> {
        let bytes = self.bytes;
        let end = match bytes[at] {
            b'[' => lex::bracketed_end(bytes, at)?,
            b'0'..=b'9' | b'{' | b'(' | b'$' => return None,
            _ => label_end(bytes, at)?,
        };
        let start = end + blanks_of_line(&bytes[end..]);
        let first = self.behind_remarks(start).unwrap_or(start);
        (first < bytes.len() && self.starts_with_one(first)).then_some(start)
    }

    /// Where the remarks end that begin at `at`; `None` if none does, or none with which a game begins.
    fn behind_remarks(&mut self, at: usize) -> Option<usize> {
        if at < self.none_before || !matches!(self.bytes.get(at), Some(b'{' | b'(' | b'$')) {
            return None;
        }
        let end = remarks_end(self.bytes, at);
        if end == at || end >= self.bytes.len() || !self.starts_movetext(end) {
            self.none_before = end.max(at + 1);
            return None;
        }
        Some(end)
    }

    /// Whether a number and a move begin here, or two plain moves, or one and a comment or a marker.
    fn starts_movetext(&self, at: usize) -> bool {
        let bytes = self.bytes;
        if bytes[at].is_ascii_digit() {
            return self.starts_with_number(at) || self.starts_with_one(at);
        }
        // A chess glyph is a move and no prose. The others are in the block of UTF-8 that begins so.
        if bytes[at..].starts_with(b"\xe2\x99") {
            return self.starts_with_moves(at);
        }
        let end = word_end(bytes, at);
        if !lex::certainly_movetext(&bytes[at..end]) || lex::is_marker(&bytes[at..end]) {
            return false;
        }
        let next = end + bytes[end..].iter().take_while(|b| **b == b' ').count();
        match bytes.get(next) {
            Some(b'{' | b'*') => true,
            Some(_) => lex::certainly_movetext(&bytes[next..word_end(bytes, next)]),
            None => false,
        }
    }

    /// Whether a move number and a move begin here.
    fn starts_with_number(&self, at: usize) -> bool {
        let bytes = self.bytes;
        let Some(mut end) = number_end(bytes, at) else {
            return false;
        };
        end += usize::from(bytes.get(end) == Some(&b')'));
        let is_marked =
            matches!(bytes[end - 1], b'.' | b')') || bytes[..end].ends_with("…".as_bytes());
        let (mut start, mut has_dots) = (end, is_marked);
        loop {
            let blanks = skip_blanks(bytes, start);
            let n_dots = dots_len(bytes.get(blanks..).unwrap_or_default());
            if n_dots == 0 {
                // Digits alone may begin a sentence.
                return has_dots && self.move_end(blanks).is_some();
            }
            has_dots = true;
            start = blanks + n_dots;
        }
    }

    /// Whether the number 1 and White's move begin here, and are followed by what may follow a move. The number may have
    /// lost its dot: `1 d4 Nf6 2 Nf3`.
    fn starts_with_one(&self, at: usize) -> bool {
        let bytes = self.bytes;
        if bytes.get(at) != Some(&b'1') {
            return false;
        }
        let blanks = skip_blanks(bytes, at + 1);
        let (start, n_dots) = match bytes.get(blanks) {
            Some(b'.') => (blanks + 1, dots_len(&bytes[blanks..])),
            Some(b')') if blanks == at + 1 => (blanks + 1, 1),
            _ if blanks > at + 1 => (blanks, 1),
            _ => return false,
        };
        n_dots == 1 && self.starts_with_moves(skip_blanks(bytes, start))
    }

    /// Whether a move begins here and is followed by what may follow a move: another one, a number, comment, variation,
    /// sign, marker or tag, or nothing at all.
    fn starts_with_moves(&self, at: usize) -> bool {
        let bytes = self.bytes;
        let Some(end) = self.move_end(at) else {
            return false;
        };
        let next = skip_blanks(bytes, end);
        match bytes.get(next) {
            None | Some(b'{' | b';' | b'(' | b'$' | b'*' | b'[') => true,
            Some(b'%') if lex::is_line_start(bytes, next) => true,
            Some(_) => {
                starts_with_decoration(bytes, next)
                    || !matches!(
                        self.meaning_at(next).0,
                        Meaning::Junk | Meaning::UnknownAnnotation
                    )
            }
        }
    }

    /// The end of the move that begins here, or of what looks like one.
    fn move_end(&self, at: usize) -> Option<usize> {
        let (meaning, end) = (at < self.bytes.len()).then(|| self.meaning_at(at))?;
        (meaning == Meaning::Move && !starts_with_decoration(self.bytes, at)).then_some(end)
    }

    /// The meaning of the word that begins here, and its end.
    fn meaning_at(&self, at: usize) -> (Meaning, usize) {
        let token = &self.bytes[at..token_end(self.bytes, at)];
        let token = &token[..len_without_marker(token)];
        let meaning = if word::is_plain_move(token) {
            Meaning::Move
        } else {
            word::meaning(token, self.reading)
        };
        (meaning, at + token.len())
    }
}

/// The end of the comments, glyphs and words in round brackets that begin here, with the white space behind them.
fn remarks_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let end = match bytes.get(at) {
            Some(b'{') => match lex::comment_end(bytes, at) {
                (end, Closed::Yes) => end,
                (_, Closed::No) => return at,
            },
            Some(b'(') => {
                let rest = &bytes[at + 1..bytes.len().min(at + REMARK_BYTES)];
                let stop = rest
                    .iter()
                    .position(|b| matches!(b, b')' | b'(' | b'{' | b'[' | b';'));
                match stop {
                    Some(len) if rest[len] == b')' => at + len + 2,
                    _ => return at,
                }
            }
            Some(b'$') => {
                let digits = bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit());
                at + 1 + digits.count()
            }
            _ => return at,
        };
        at = skip_blanks(bytes, end);
    }
}

/// The end of the label that begins a line: up to four words and a colon, none of them a move.
fn label_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..bytes.len().min(at + LABEL_BYTES)];
    let len = rest.iter().position(|b| {
        matches!(
            b,
            b':' | b'\n' | b'\r' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'"'
        )
    })?;
    let mut n_words = 0;
    for word in rest[..len].split(|b| lex::is_blank(*b)) {
        if lex::certainly_movetext(word) {
            return None;
        }
        n_words += usize::from(!word.is_empty());
    }
    let is_last = bytes.get(at + len + 1).is_some_and(|b| lex::is_blank(*b));
    (rest[len] == b':' && is_last && (1..=4).contains(&n_words)).then_some(at + len + 1)
}

fn blanks_of_line(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
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
pub(super) fn follows_empty_line(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[..at];
    let blank = before
        .iter()
        .rev()
        .take_while(|b| lex::is_blank(**b) || lex::BOM.contains(b))
        .count();
    lex::n_line_ends(&before[at - blank..]) >= 2
}

/// The first byte at or after `at` that is no white space.
pub(super) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
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

/// Whether a move number, dots or a standard marker begin here, to which a move may be glued.
fn starts_with_decoration(bytes: &[u8], at: usize) -> bool {
    bytes[at].is_ascii_digit() && number_end(bytes, at).is_some()
        || dots_len(&bytes[at..]) > 0
        || standard_marker(&bytes[at..]).is_some()
}
