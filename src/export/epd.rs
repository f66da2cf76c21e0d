//! One position a line (PGN standard, section 16.2), with its counters and where it stands.

use std::io::{self, Write};

use shakmaty::Position;

use crate::model::fen::write_fen;
use crate::search::StoredGame;

/// Writes every position of a game, from ply 0.
///
/// # Errors
///
/// Those of `out`.
pub fn write_epd_lines(game: &StoredGame, out: &mut impl Write) -> io::Result<()> {
    for (ply, pos) in game.score().positions.iter().enumerate() {
        let fen = write_fen(pos);
        let counters = fen.rmatch_indices(' ').nth(1);
        let epd = counters.map_or(&fen[..], |(at, _)| &fen[..at]);
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
