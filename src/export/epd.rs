//! One position a line (PGN standard, section 16.2), with its counters and where it stands.

use std::io::{self, Write};

use shakmaty::{EnPassantMode, Position, fen::Epd};

use crate::search::StoredGame;

/// Writes every position of a game, from ply 0.
///
/// # Errors
///
/// Those of `out`.
pub fn write_epd_lines(game: &StoredGame, out: &mut impl Write) -> io::Result<()> {
    for (ply, pos) in game.score().positions.iter().enumerate() {
        let epd = Epd::from_position(pos, EnPassantMode::Always);
        let id = game.address().id;
        writeln!(
            out,
            "{epd} hmvc {}; fmvn {}; id \"game {id} ply {ply}\";",
            pos.halfmoves(),
            pos.fullmoves()
        )?;
    }
    Ok(())
}
