//! Printed move numbers as evidence: whether every ply between two of them was read.
//!
//! A word that is not understood may have been a move, and then every move after it would be given to the wrong side. The
//! numbers around it decide: if the next one in the same line says exactly the ply that was counted, nothing was lost and
//! the word was junk; if it says another one, or none comes, the line ends at the word. A number that contradicts the count
//! without such a word gets a note and nothing more, and counting goes on from what it says.
//!
//! Every line is counted for itself: a variation begins at the ply of the move that it replaces.

use crate::model::diagnostic::{Class, Note};
use crate::parse::{RawTag, Word, WordKind};

/// A move number as it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Printed {
    /// The ply before the move that it announces: 0 for `1.`, 1 for `1...`.
    ply: i64,
    /// Whether dots or a parenthesis make it a number; digits alone may be anything.
    is_marked: bool,
}

impl Printed {
    /// The number of these digits, for Black's move or White's.
    pub(super) fn new(digits: &[u8], is_black: bool, is_marked: bool) -> Printed {
        let value = digits
            .iter()
            .take(12)
            .fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        Printed {
            ply: 2 * (value - 1) + i64::from(is_black),
            is_marked,
        }
    }

    fn is_black(self) -> bool {
        self.ply % 2 != 0
    }
}

/// What became of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It was a number.
    Number,
    /// Digits alone that do not say what was counted: a word that is not understood.
    NoNumber,
    /// A number before which moves are missing, or with which another game begins: the line ends here.
    Lost,
}

/// What a game begins with, as far as its numbers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// With the first move.
    Usual,
    /// With a position of its own, at this ply according to its FEN if that says so. Its first number may say another one.
    Position(Option<i64>),
}

/// A line of moves that is being read.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The ply of the next move, less the number of words so far.
    base: i64,
    /// The ply of its first move.
    first: i64,
    /// Whether a number was read in it.
    is_numbered: bool,
    /// A word ended it.
    is_over: bool,
    /// Where its words that are not understood begin among those of all lines that are open.
    unread_from: usize,
}

/// The lines of a game that are being read. Made once for each reader and reused for every game.
#[derive(Debug)]
pub(super) struct Numbering {
    line: Line,
    outer: Vec<Line>,
    /// Words that are not understood, and of which no number has said yet whether a ply was lost with them.
    unread: Vec<usize>,
    /// The number that announced the first move of the game, if moves are missing before it according to it and the next
    /// number has not taken it back.
    displaced: Option<Word>,
}

const MAIN: Line = Line {
    base: 0,
    first: 0,
    is_numbered: false,
    is_over: false,
    unread_from: 0,
};

impl Numbering {
    pub(super) fn new() -> Numbering {
        Numbering {
            line: MAIN,
            outer: Vec::new(),
            unread: Vec::new(),
            displaced: None,
        }
    }

    /// Forgets the last game.
    pub(super) fn reset(&mut self) {
        self.line = MAIN;
        self.outer.clear();
        self.unread.clear();
        self.displaced = None;
    }

    /// What the plain loop adds to the number of words to know the ply that a number has to say.
    pub(super) fn base(&self) -> i64 {
        self.line.base
    }

    /// Whether the next number decides about words that are not understood, so that none may go by unseen.
    pub(super) fn is_waiting(&self) -> bool {
        self.unread.len() > self.line.unread_from
    }

    /// A variation begins; its parenthesis is the word after `n_words`.
    pub(super) fn open(&mut self, n_words: usize) {
        let n_words = n_words as i64;
        let ply = self.line.base + n_words;
        // Before the first move of a line there is no move to replace.
        let first = (ply - 1).max(self.line.first);
        self.outer.push(self.line);
        self.line = Line {
            base: first - (n_words + 1),
            first,
            is_numbered: false,
            is_over: self.line.is_over,
            unread_from: self.unread.len(),
        };
        // Only for lines in which words are counted from here on.
        if let Some(outer) = self.outer.last_mut() {
            outer.base = ply;
        }
    }

    /// It ends, after `n_words` with its closing parenthesis. What was not understood in it stays so.
    pub(super) fn close(&mut self, n_words: usize) {
        self.unread.truncate(self.line.unread_from);
        if let Some(outer) = self.outer.pop() {
            self.line = outer;
            self.line.base -= n_words as i64;
        }
    }

    /// Takes a word that is not understood, the last one of `words`.
    pub(super) fn unread(&mut self, words: &mut Vec<Word>, start: usize, len: usize) {
        if self.line.is_over {
            return;
        }
        self.unread.push(words.len());
        words.push(Word {
            start,
            len: u32::try_from(len).unwrap_or(u32::MAX),
            kind: WordKind::Unread,
        });
        self.line.base -= 1;
    }

    /// Ends the line at the words that wait: no number can say any more that nothing was lost with them.
    pub(super) fn give_up(&mut self) {
        if self.is_waiting() {
            self.unread.truncate(self.line.unread_from);
            self.line.is_over = true;
        }
    }

    /// Reads the number at `at`, which may stand directly behind another one. `start` is asked for only when it matters.
    pub(super) fn number(
        &mut self,
        printed: Printed,
        is_second: bool,
        at: Word,
        words: &mut [Word],
        notes: &mut Vec<Note>,
        start: impl Fn() -> Start,
    ) -> Verdict {
        let is_first = !self.line.is_numbered && self.outer.is_empty();
        if self.line.is_over {
            return Verdict::Number;
        }
        let verdict = self.judge(printed, is_second, at, is_first, words, notes, start);
        self.line.is_numbered |= verdict == Verdict::Number;
        verdict
    }

    #[expect(clippy::too_many_arguments, reason = "all that a number is judged by")]
    fn judge(
        &mut self,
        printed: Printed,
        is_second: bool,
        at: Word,
        is_first: bool,
        words: &mut [Word],
        notes: &mut Vec<Note>,
        start: impl Fn() -> Start,
    ) -> Verdict {
        let ply = self.line.base + words.len() as i64;
        let is_exact = printed.ply == ply;
        if self.is_waiting() {
            let is_start = || match start() {
                Start::Usual => false,
                Start::Position(of_fen) => {
                    ply == 0 && (matches!(printed.ply, 0 | 1) || of_fen == Some(printed.ply))
                }
            };
            if is_exact || is_first && is_start() {
                self.line.base += printed.ply - ply;
                self.settle(words, notes);
            } else if printed.is_marked {
                self.unread.truncate(self.line.unread_from);
                self.line.is_over = true;
            } else {
                return Verdict::NoNumber;
            }
            return Verdict::Number;
        }
        if is_exact {
            return Verdict::Number;
        }
        // Some write the number without dots, or with one, before Black's move too.
        if printed.ply + 1 == ply && !printed.is_black() {
            return Verdict::Number;
        }
        // A game from a position of its own counts from its start or from what its FEN says.
        let is_of_position = || match start() {
            Start::Usual => false,
            Start::Position(of_fen) => {
                is_first
                    || of_fen.is_some_and(|of_fen| printed.ply - of_fen == ply - self.line.first)
            }
        };
        if self.outer.is_empty() && is_of_position() {
            self.rebase(printed.ply - ply);
            return Verdict::Number;
        }
        if !printed.is_marked {
            return Verdict::NoNumber;
        }
        // Between two numbers a move should have stood, and the number 1 begins another game.
        if is_second && printed.ply > ply || printed.ply == 0 && ply - self.line.first > 1 {
            return Verdict::Lost;
        }
        notes.push(Note::warning(
            Class::MoveNumberMismatch,
            at.start,
            at.len as usize,
        ));
        if self.outer.is_empty() {
            let is_late = ply == self.line.first && printed.ply > ply;
            self.displaced = is_late.then_some(at);
        }
        self.rebase(printed.ply - ply);
        Verdict::Number
    }

    fn rebase(&mut self, by: i64) {
        self.line.base += by;
        self.line.first += by;
    }

    /// Nothing was lost with the words of this line that were not understood.
    #[inline]
    pub(super) fn settle(&mut self, words: &mut [Word], notes: &mut Vec<Note>) {
        if self.is_waiting() {
            self.settle_all(words, notes);
        }
    }

    fn settle_all(&mut self, words: &mut [Word], notes: &mut Vec<Note>) {
        for idx in self.unread.drain(self.line.unread_from..) {
            let word = &mut words[idx];
            word.kind = WordKind::Skipped;
            notes.push(Note::warning(
                Class::JunkText,
                word.start,
                word.len as usize,
            ));
        }
    }

    /// Ends the game. Words that are not understood after its last move, in a paragraph of their own, are no part of it;
    /// `is_apart` tells whether they are. Nor are they where nothing else stands, no number either. A game whose numbers
    /// say from the first to the last that it began earlier has lost its first moves.
    pub(super) fn end(
        &mut self,
        words: &mut Vec<Word>,
        notes: &mut Vec<Note>,
        is_apart: impl Fn(usize) -> bool,
    ) {
        if self.outer.is_empty()
            && let Some(&first) = self.unread.first()
            && words[first..]
                .iter()
                .all(|word| word.kind == WordKind::Unread)
            && (is_apart(words[first].start) || first == 0 && !self.line.is_numbered)
        {
            self.settle(words, notes);
        }
        if let Some(number) = self.displaced
            && words.iter().any(|word| word.kind == WordKind::Move)
        {
            words.insert(
                0,
                Word {
                    kind: WordKind::Unread,
                    ..number
                },
            );
        }
    }
}

/// What the numbers of a game with these tags begin with.
pub(super) fn start_of(bytes: &[u8], tags: &[RawTag]) -> Start {
    let fen = tags
        .iter()
        .find(|tag| bytes[tag.name.clone()].eq_ignore_ascii_case(b"FEN"));
    let Some(fen) = fen else {
        return Start::Usual;
    };
    let fields: Vec<&[u8]> = bytes[fen.value.clone()]
        .split(|b| matches!(b, b' ' | b'_'))
        .filter(|field| !field.is_empty())
        .collect();
    let number = fields
        .get(5)
        .and_then(|field| std::str::from_utf8(field).ok()?.parse::<i64>().ok());
    let is_black = fields.get(1) == Some(&&b"b"[..]);
    Start::Position(number.map(|number| 2 * (number - 1) + i64::from(is_black)))
}
