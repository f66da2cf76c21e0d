//! What the reader judges by more than one token: numbers with the dots behind them, semicolons between moves, and how a game
//! ends.

use super::{GameReader, State};
use crate::model::diagnostic::{Class, Note};
use crate::parse::numbering::{Printed, Verdict, start_of};
use crate::parse::start::{follows_empty_line, skip_blanks};
use crate::parse::token::dots_len;
use crate::parse::{RawGame, Word, WordKind, word};
use crate::split::lex;

impl GameReader<'_> {
    /// Reads the number at `at`, and the dots that stand apart from it. Returns where it ends.
    pub(super) fn number(
        &mut self,
        game: &mut RawGame,
        is_second: bool,
        at: std::ops::Range<usize>,
    ) -> (Verdict, usize) {
        let bytes = self.bytes;
        let n_digits = bytes[at.clone()]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let n_dots = |range: &[u8]| match range {
            range if range.starts_with("…".as_bytes()) => 2,
            range => bytecount::count(range, b'.'),
        };
        let signs = &bytes[at.start + n_digits..at.end];
        let more = skip_blanks(bytes, at.end);
        let more_len = dots_len(bytes.get(more..).unwrap_or_default());
        let n_more = n_dots(&bytes[more..more + more_len]);
        let end = if more_len > 0 {
            more + more_len
        } else {
            at.end
        };
        let printed = Printed::new(
            &bytes[at.start..at.start + n_digits],
            n_dots(signs) + n_more > 1,
            !signs.is_empty() || n_more > 0,
        );
        let word = Word {
            start: at.start,
            len: u32::try_from(at.len()).unwrap_or(u32::MAX),
            kind: WordKind::Unread,
        };
        let RawGame {
            words, notes, tags, ..
        } = game;
        let verdict = self
            .numbering
            .number(printed, is_second, word, words, notes, || {
                start_of(bytes, tags)
            });
        if verdict == Verdict::Lost {
            self.numbering.unread(words, word.start, word.len as usize);
            self.numbering.give_up();
        }
        (verdict, end)
    }

    /// Whether the rest of a line that a semicolon begins was meant to be read: it stands directly behind a move, as a
    /// semicolon does that parts moves, and the next number and a move stand in it (`P-K4; 2. Kt-KB3`). It is a comment all
    /// the same (PGN standard, section 5), so that the game goes on only if the numbers after it say that it may.
    pub(super) fn hides_moves(&self, game: &RawGame, line: std::ops::Range<usize>) -> bool {
        let bytes = self.bytes;
        let is_glued = game
            .words
            .last()
            .is_some_and(|last| last.kind == WordKind::Move && last.range().end == line.start);
        is_glued && {
            let rest = &bytes[line.start + 1..line.end];
            let n_blanks = rest.iter().take_while(|b| lex::is_blank(**b)).count();
            self.starts
                .is_movetext(line.end - rest.len() + n_blanks..line.end)
        }
    }

    /// What is to be said at the end of the game.
    pub(super) fn end(&mut self, game: &mut RawGame, depth: u32, state: State, after_number: bool) {
        let bytes = self.bytes;
        let RawGame { words, notes, .. } = game;
        self.numbering
            .end(words, notes, |at| follows_empty_line(bytes, at));
        if state != State::Body || game.marker.is_some() {
            return;
        }
        let last = words.last_mut();
        // Half a word, or a number without its move: here a text was cut.
        let half = last.filter(|last| {
            last.kind == WordKind::Unread && word::is_half_move(&bytes[last.range()])
        });
        if let Some(half) = half {
            half.kind = WordKind::Skipped;
            notes.push(Note::error(Class::Truncated, half.start, half.len as usize));
            game.cut = true;
        } else if after_number {
            let at = words
                .last()
                .map_or(game.range.start, |last| last.range().end);
            notes.push(Note::error(Class::Truncated, at, 0));
            game.cut = true;
        } else if let Some(last) = words
            .last()
            .filter(|last| depth == 0 && last.kind == WordKind::Move)
        {
            let word = &bytes[last.range()];
            game.forfeit = word::is_double_zero(word);
            if last.range().end == bytes.len() && word::is_half_pawn_capture(word) {
                // It may be whole; where a text ends so, nobody knows.
                notes.push(Note::error(Class::Truncated, last.start, last.len as usize));
            }
        }
    }
}
