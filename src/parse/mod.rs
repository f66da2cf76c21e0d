//! Bytes to raw games: tag pairs, move words with their variations, the termination marker, and notes on the rest.
//!
//! The reader is our own, not pgn-reader's, because of the second law: no token of a movetext is skipped silently.
//! pgn-reader drops what is not English SAN without telling its visitor, and finding out what it dropped costs as much
//! as reading (bench `parse` runs both). pgn-reader stays as the yardstick and as a second opinion in [`yardstick`].
//!
//! Nothing here knows the rules of chess. A game's tag section and movetext follow PGN standard, sections 7 and 8, read
//! leniently:
//!
//! * A tag pair after movetext begins the next game; so does one that repeats a name after a blank line or a comment.
//! * The first termination marker outside variations ends the movetext. Words after it, up to the next tag, are junk, and
//!   moves among them are lost.
//! * A word that looks like a move is one, and is left for `replay` to judge. Where a move could stand, a word that is not
//!   understood ends its line, unless the printed numbers say that no ply is missing (`numbering.rs`).
//! * Without any tag a game begins at a line with a move number and a move, or with two moves (PGN standard, section
//!   8.2.2.1: numbers may be missing in what is imported); then a marker may be followed by the next such game.

mod gap;
pub mod header;
mod joins;
mod junk;
mod names;
mod numbering;
mod plain;
mod reader;
mod start;
mod token;
pub mod word;
pub mod yardstick;

use std::borrow::Cow;
use std::ops::Range;

pub use reader::GameReader;
pub use token::spaced_marker;

use crate::model::diagnostic::{Class, Note, Severity};
use crate::model::game_result::GameResult;
use crate::notation::Reading;

/// A tag pair. Ranges are within the bytes given to the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTag {
    /// The name.
    pub name: Range<usize>,
    /// The value between the quotes, as written.
    pub value: Range<usize>,
    /// Whether the value follows the grammar and has a backslash, which may escape what follows.
    pub has_escapes: bool,
}

/// What a word of the movetext is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A move, or what looks like one.
    Move,
    /// `(`: a variation that replaces the last move begins.
    Open,
    /// `)`: it ends.
    Close,
    /// Text that is not understood, where a move could stand: its line ends here.
    Unread,
    /// The same, of which the numbers around it say that it was no move.
    Skipped,
}

/// A word of the movetext, at `start` of the bytes given to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// First byte.
    pub start: usize,
    /// Length in bytes.
    pub len: u32,
    /// What it is.
    pub kind: WordKind,
}

impl Word {
    /// The bytes it covers.
    pub fn range(self) -> Range<usize> {
        self.start..self.start + self.len as usize
    }
}

/// One game as it stands in the bytes. Made once for each worker and reused for every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// From its first tag (or move number) to the first byte of the next game.
    pub range: Range<usize>,
    /// Tag pairs in order, repeated ones left out.
    pub tags: Vec<RawTag>,
    /// Moves and parentheses in order.
    pub words: Vec<Word>,
    /// The termination marker, if there is one.
    pub marker: Option<GameResult>,
    /// Whether something is missing: a comment or variation that was never closed hides the rest of the movetext, the text
    /// ends within a word, or moves stand after the marker.
    pub cut: bool,
    /// Whether the last word may be the result of a double forfeit, `0-0`, as well as castling.
    pub forfeit: bool,
    /// What there is to say, in the order in which it was found.
    pub notes: Vec<Note>,
}

impl RawGame {
    fn reset(&mut self, start: usize) {
        self.range = start..start;
        self.tags.clear();
        self.words.clear();
        self.marker = None;
        self.cut = false;
        self.forfeit = false;
        self.notes.clear();
    }

    /// Takes back what was said about comments and variations that are never closed, and of half words. Where the text itself was cut inside
    /// this game, their end is part of what was lost.
    pub fn forget_missing_end(&mut self) {
        self.notes.retain(|note| {
            note.severity == Severity::Warning
                || !matches!(
                    note.class,
                    Class::UnterminatedComment | Class::UnbalancedRav | Class::Truncated
                )
        });
    }

    /// The value of a tag, unescaped and decoded, on one line.
    pub fn tag_value<'a>(&self, bytes: &'a [u8], tag: &RawTag) -> Cow<'a, str> {
        let value = decode(&bytes[tag.value.clone()]);
        if !tag.has_escapes {
            return value;
        }
        let mut text = String::with_capacity(value.len());
        let mut chars = value.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek()) {
                ('\\', Some(&next @ ('"' | '\\'))) => {
                    text.push(next);
                    chars.next();
                }
                // Where a mail program broke the line, a blank stood.
                ('\n' | '\r', _) => {
                    text.truncate(text.trim_end_matches([' ', '\t']).len());
                    while chars
                        .next_if(|c| matches!(c, ' ' | '\t' | '\n' | '\r'))
                        .is_some()
                    {}
                    text.push(' ');
                }
                _ => text.push(c),
            }
        }
        Cow::Owned(text)
    }

    /// The value of the first tag with this name, exactly as spelt.
    pub fn find_tag<'a>(&self, bytes: &'a [u8], name: &str) -> Option<Cow<'a, str>> {
        let tag = self
            .tags
            .iter()
            .find(|tag| &bytes[tag.name.clone()] == name.as_bytes())?;
        Some(self.tag_value(bytes, tag))
    }
}

/// Decodes a piece of text, the value of a tag or a comment: UTF-8, or Windows-1252 when it is not. Each is looked at by
/// itself, so that one stray byte leaves the good text around it as it is.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => decode_damaged(bytes),
    }
}

/// [`decode`], of what is not UTF-8.
#[cold]
fn decode_damaged(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = without_surrogates(bytes) {
        return Cow::Owned(text);
    }
    encoding_rs::WINDOWS_1252
        .decode_without_bom_handling(bytes)
        .0
}

/// Text that is UTF-8 but for surrogates, with which `source` writes what it could not decode; those are replaced.
fn without_surrogates(bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        match std::str::from_utf8(rest) {
            Ok(good) => {
                text.push_str(good);
                return Some(text);
            }
            Err(error) => {
                let (good, bad) = rest.split_at(error.valid_up_to());
                text.push_str(std::str::from_utf8(good).ok()?);
                rest = bad.get(3..).filter(|_| is_surrogate(bad))?;
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }
}

/// Whether a surrogate, in the three bytes that UTF-8 would have for it, begins the text.
pub fn is_surrogate(bytes: &[u8]) -> bool {
    matches!(bytes, [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..])
}

/// Reads all games of a slice, in any notation. For tests and small inputs; an import reuses one [`RawGame`].
pub fn read_games(bytes: &[u8]) -> Vec<RawGame> {
    let mut reader = GameReader::new(bytes, Reading::default());
    let mut games = Vec::new();
    let mut game = RawGame::default();
    while reader.read(&mut game) {
        games.push(game.clone());
    }
    games
}

#[cfg(test)]
mod tests;
