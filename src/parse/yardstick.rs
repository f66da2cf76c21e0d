//! pgn-reader at work: what speed is measured against, and a second opinion for tests.
//!
//! `pgndex bench` quotes every figure as a ratio to these two jobs on the same bytes in the same run.

use std::io;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// What a yardstick run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Moves of main lines.
    pub plies: u64,
    /// Games that pgn-reader and shakmaty could not follow to their end.
    pub failed: u64,
}

impl Tally {
    /// The sum of two tallies.
    #[must_use]
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            games: self.games + other.games,
            plies: self.plies + other.plies,
            failed: self.failed + other.failed,
        }
    }
}

struct Parse(Tally);

impl Visitor for Parse {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        self.0.games += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (): &mut (), _san: SanPlus) -> ControlFlow<()> {
        self.0.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

struct Validate(Tally);

impl Visitor for Validate {
    type Tags = Option<Chess>;
    type Movetext = Option<Chess>;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        ControlFlow::Continue(Some(Chess::default()))
    }

    fn tag(&mut self, pos: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            *pos = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, pos: Option<Chess>) -> ControlFlow<(), Option<Chess>> {
        self.0.games += 1;
        self.0.failed += u64::from(pos.is_none());
        ControlFlow::Continue(pos)
    }

    fn begin_variation(&mut self, _pos: &mut Option<Chess>) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, pos: &mut Option<Chess>, san: SanPlus) -> ControlFlow<()> {
        if let Some(board) = pos {
            match san.san.to_move(board) {
                Ok(m) => {
                    board.play_unchecked(m);
                    self.0.plies += 1;
                }
                Err(_) => {
                    self.0.failed += 1;
                    *pos = None;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _pos: Option<Chess>) {}
}

/// Reads all games and counts their moves.
///
/// # Errors
///
/// Those of pgn-reader, for a tag or comment beyond its buffer.
pub fn parse(bytes: &[u8]) -> io::Result<Tally> {
    let mut visitor = Parse(Tally::default());
    Reader::new(io::Cursor::new(bytes)).visit_all_games(&mut visitor)?;
    Ok(visitor.0)
}

/// Reads all games and plays their moves on a board.
///
/// # Errors
///
/// As for [`parse`].
pub fn validate(bytes: &[u8]) -> io::Result<Tally> {
    let mut visitor = Validate(Tally::default());
    Reader::new(io::Cursor::new(bytes)).visit_all_games(&mut visitor)?;
    Ok(visitor.0)
}
