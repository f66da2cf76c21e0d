//! Games out of an index, in other forms: PGN as it came in, NDJSON, CSV, EPD, a tree of moves.
//!
//! Each format is a function that writes one game; the order of games and the choice among them is the search's.

mod between;
mod convert;
mod csv;
mod epd;
mod game_tree;
mod move_text;
mod standard_pgn;

use std::io::{self, Write};

pub use self::convert::{Converted, convert};
pub use self::csv::CsvWriter;
pub use self::epd::write_epd_lines;
pub use self::game_tree::{GameMove, GameTree, Problem};
pub use self::move_text::every_notation;
pub use self::standard_pgn::standard_pgn;

use crate::notation::OutputNotation;
use crate::search::StoredGame;

/// Writes games as they stood in their sources. Games that followed each other there follow each other here, byte for
/// byte; where others meet, a game that does not end its line is parted from the next by a blank line.
#[derive(Debug)]
pub struct PgnWriter {
    notation: Option<OutputNotation>,
    /// Source and end of the last game, and whether it ended its line.
    last: Option<(usize, u64, bool)>,
}

impl PgnWriter {
    /// A writer that changes nothing, or only the notation of moves.
    pub fn new(notation: Option<OutputNotation>) -> PgnWriter {
        PgnWriter {
            notation,
            last: None,
        }
    }

    /// Writes one game.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&mut self, game: &StoredGame, out: &mut impl Write) -> io::Result<()> {
        let source = game.address().source;
        if let Some((last_source, end, ended_line)) = self.last
            && !ended_line
            && (last_source, end) != (source, game.offset())
        {
            out.write_all(b"\n\n")?;
        }
        match self.notation {
            Some(to) => out.write_all(&convert(game.bytes(), game.reading(), to).bytes)?,
            None => out.write_all(game.bytes())?,
        }
        let ended_line = matches!(game.bytes().last(), Some(b'\n' | b'\r'));
        let end = game.offset() + game.bytes().len() as u64;
        self.last = Some((source, end, ended_line));
        Ok(())
    }
}

/// Writes one game as a line of JSON; see [`crate::search::StoredGame::record`].
///
/// # Errors
///
/// Those of `out`.
pub fn write_ndjson(game: &StoredGame, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &game.record())?;
    out.write_all(b"\n")
}
