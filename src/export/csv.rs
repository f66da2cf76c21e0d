//! One game a row, for spreadsheets and data frames.

use std::io::Write;

use crate::notation::OutputNotation;
use crate::search::StoredGame;

const HEAD: [&str; 18] = [
    "id",
    "source",
    "game",
    "white",
    "black",
    "white_elo",
    "black_elo",
    "result",
    "date",
    "event",
    "site",
    "round",
    "eco",
    "opening",
    "time_control",
    "variant",
    "plies",
    "moves",
];

/// Writes a head and one row a game.
pub struct CsvWriter<W: Write> {
    rows: csv::Writer<W>,
    notation: Option<OutputNotation>,
}

impl<W: Write> std::fmt::Debug for CsvWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CsvWriter")
    }
}

impl<W: Write> CsvWriter<W> {
    /// Writes the head.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(out: W, notation: Option<OutputNotation>) -> csv::Result<CsvWriter<W>> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(HEAD)?;
        Ok(CsvWriter { rows, notation })
    }

    /// Writes one game; its moves are one column, in SAN unless another notation was asked for.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&mut self, game: &StoredGame) -> csv::Result<()> {
        let tag = |name: &str| game.tag(name).unwrap_or_default();
        let elo = |elo: Option<u16>| elo.map(|elo| elo.to_string()).unwrap_or_default();
        let (address, header) = (game.address(), game.header());
        self.rows.write_record([
            address.id.to_string(),
            game.source().to_owned(),
            address.game.to_string(),
            tag("White"),
            tag("Black"),
            elo(header.white_elo),
            elo(header.black_elo),
            header.result.as_str().to_owned(),
            tag("Date"),
            tag("Event"),
            tag("Site"),
            tag("Round"),
            tag("ECO"),
            tag("Opening"),
            tag("TimeControl"),
            game.replayed().variant.to_string(),
            game.replayed().plies.to_string(),
            self.moves(game),
        ])
    }

    fn moves(&self, game: &StoredGame) -> String {
        let score = game.score();
        match self.notation {
            None => score.san.join(" "),
            Some(to) => {
                let played = score.moves.iter().zip(&score.positions);
                played
                    .map(|(played, before)| to.write(*played, before))
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        }
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.rows.flush()
    }
}
