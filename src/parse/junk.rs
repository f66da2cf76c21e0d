//! Runs of words that are no chess, and what is said of them.

use crate::model::diagnostic::{Class, Note};
use crate::parse::RawGame;

/// A run of words that are no chess.
#[derive(Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that is said once"
)]
pub(super) struct JunkRun {
    /// It has its note: the first word says where, and a reader looks there anyway.
    pub(super) noted: bool,
    /// The same for words that may have been moves.
    pub(super) unread: bool,
    /// After the termination marker: what came last is the marker, a number or a move, so that a move here is one that
    /// somebody will miss.
    is_movetext: bool,
    /// Moves after the marker have their note.
    loss_noted: bool,
}

impl JunkRun {
    pub(super) fn after_marker() -> JunkRun {
        JunkRun {
            is_movetext: true,
            ..JunkRun::default()
        }
    }

    pub(super) fn note(&mut self, game: &mut RawGame, at: usize, len: usize) {
        if !std::mem::replace(&mut self.noted, true) {
            game.notes.push(Note::warning(Class::JunkText, at, len));
        }
    }

    /// A number after the marker.
    pub(super) fn number(&mut self, game: &mut RawGame, at: usize, len: usize) {
        self.note(game, at, len);
        self.is_movetext = true;
    }

    /// A word after the marker.
    pub(super) fn word(&mut self, game: &mut RawGame, at: usize, len: usize, is_move: bool) {
        if is_move && self.is_movetext && !std::mem::replace(&mut self.loss_noted, true) {
            game.notes
                .push(Note::error(Class::MovesAfterMarker, at, len));
            game.cut = true;
            self.noted = true;
        } else {
            self.note(game, at, len);
        }
        self.is_movetext = is_move;
    }
}
