//! What the reader makes of text that is no word: comments, glyphs, and the markup of pages.
//!
//! Most of it lies beside the moves. Some of it may be a move of which a part was lost on the way: then it is a word that is
//! not understood.

use std::ops::Range;

use super::{GameReader, State};
use crate::model::diagnostic::{Class, Note};
use crate::parse::RawGame;
use crate::parse::junk::JunkRun;
use crate::split::lex::{self, Closed};

/// Elements of HTML that say how a text looks and never stand for a part of it.
const ELEMENTS: &[&str] = &[
    "a",
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "div",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "hr",
    "html",
    "i",
    "li",
    "ol",
    "p",
    "pre",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
    "tt",
    "u",
    "ul",
];

/// Entities of HTML that are blanks or nothing that is seen.
const BLANKS: &[&str] = &[
    "nbsp", "ensp", "emsp", "thinsp", "hairsp", "zwnj", "zwj", "shy", "NewLine", "Tab", "#9",
    "#10", "#13", "#32", "#160", "#8194", "#8195", "#8201", "#8203", "#8239", "#xa0", "#xA0",
    "#x20",
];

impl GameReader<'_> {
    /// Reads the comment at `at` and returns where it ends.
    pub(super) fn comment(
        &mut self,
        game: &mut RawGame,
        junk: &mut JunkRun,
        state: State,
        at: usize,
    ) -> usize {
        let bytes = self.bytes;
        let (end, closed) = lex::comment_end(bytes, at);
        if closed == Closed::No {
            // After the marker a comment can hide nothing of this game, but a text that ends in one was cut.
            let lossy = state != State::Over;
            game.notes.push(match end == bytes.len() {
                _ if lossy => Note::error(Class::UnterminatedComment, at, 1),
                true => Note::error(Class::Truncated, at, end - at),
                false => Note::warning(Class::UnterminatedComment, at, 1),
            });
            game.cut |= lossy;
        } else if state == State::Body {
            // Comments do not nest (PGN standard, section 5), so that the first of two may have lost its end.
            if memchr::memchr(b'{', &bytes[at + 1..end]).is_some() {
                self.numbering.unread(&mut game.words, at, end - at);
            } else if is_piece(&bytes[at + 1..end - 1])
                && matches!(bytes.get(end), Some(b'a'..=b'h'))
            {
                self.unread(game, junk, at, end - at);
            }
        }
        end
    }

    /// Reads the numeric annotation glyph at `at` and returns where it ends.
    pub(super) fn glyph(
        &mut self,
        game: &mut RawGame,
        junk: &mut JunkRun,
        state: State,
        at: usize,
    ) -> usize {
        let bytes = self.bytes;
        let digits = bytes[at + 1..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let end = at + 1 + digits;
        if digits == 0 && state == State::Body && is_letter(bytes, end) {
            // Fonts of chess have pieces at such places.
            self.unread(game, junk, at, 1);
            return end;
        }
        // PGN standard, section 8.2.4: from 0 to 255.
        let is_known =
            std::str::from_utf8(&bytes[at + 1..end]).is_ok_and(|glyph| glyph.parse::<u8>().is_ok());
        if !is_known {
            game.notes
                .push(Note::warning(Class::UnknownAnnotation, at, end - at));
        }
        end
    }

    /// Reads the markup at `at`, or the lone sign, and returns where it ends.
    pub(super) fn markup(
        &mut self,
        game: &mut RawGame,
        junk: &mut JunkRun,
        state: State,
        at: usize,
    ) -> usize {
        let bytes = self.bytes;
        let end = lex::markup_end(bytes, at).unwrap_or(at + 1);
        let name = bytes[at + 1..end]
            .strip_prefix(b"/")
            .unwrap_or(&bytes[at + 1..end]);
        let len = name
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .count();
        let is_element = name.first() == Some(&b'!')
            || ELEMENTS
                .iter()
                .any(|element| name[..len].eq_ignore_ascii_case(element.as_bytes()));
        self.beside(game, junk, state, at..end, is_element);
        end
    }

    /// Reads an entity.
    pub(super) fn entity(
        &mut self,
        game: &mut RawGame,
        junk: &mut JunkRun,
        state: State,
        at: Range<usize>,
    ) {
        let name = &self.bytes[at.start + 1..at.end - 1];
        let is_blank = BLANKS.iter().any(|blank| blank.as_bytes() == name);
        self.beside(game, junk, state, at, is_blank);
    }

    /// Takes what is no chess: junk if it lies beside the moves or outside of them.
    fn beside(
        &mut self,
        game: &mut RawGame,
        junk: &mut JunkRun,
        state: State,
        at: Range<usize>,
        is_beside: bool,
    ) {
        if is_beside || state != State::Body {
            junk.note(game, at.start, at.len());
        } else {
            self.unread(game, junk, at.start, at.len());
        }
    }
}

/// Whether a comment is the letter of a piece, which may belong to the square behind it: `{N}f3`.
fn is_piece(inner: &[u8]) -> bool {
    matches!(inner, [b'A'..=b'Z'])
}

fn is_letter(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
}
