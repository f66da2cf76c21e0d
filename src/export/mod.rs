//! Games out of an index, in other forms: PGN as it came in, NDJSON, CSV, EPD.
//!
//! Each format is a function that writes one game; the order of games and the choice among them is the search's.

mod convert;
mod csv;
mod epd;

use std::io::{self, Write};

pub use self::convert::{Converted, convert};
pub use self::csv::CsvWriter;
pub use self::epd::write_epd_lines;

use crate::notation::OutputNotation;
use crate::search::StoredGame;

/// Writes games as they stood in their sources. Games of one source follow each other byte for byte;
/// a game that does not end its line is parted from the next by a blank line.
#[derive(Debug)]
pub struct PgnWriter {
    notation: Option<OutputNotation>,
    glued: bool,
}

impl PgnWriter {
    /// A writer that changes nothing, or only the notation of moves.
    pub fn new(notation: Option<OutputNotation>) -> PgnWriter {
        PgnWriter {
            notation,
            glued: false,
        }
    }

    /// Writes one game.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&mut self, game: &StoredGame, out: &mut impl Write) -> io::Result<()> {
        if self.glued {
            out.write_all(b"\n\n")?;
        }
        match self.notation {
            Some(to) => out.write_all(&convert(game.bytes(), game.reading(), to).bytes)?,
            None => out.write_all(game.bytes())?,
        }
        self.glued = !game.bytes().ends_with(b"\n") && !game.bytes().ends_with(b"\r");
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
