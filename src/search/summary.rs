//! Who played a game, when, and how it ended: its header without its moves.
//!
//! A list of games needs no more, and reading a header is ten times as fast as replaying a game.

use crate::error::Result;
use crate::index::GameAddress;
use crate::model::date::DateSpan;
use crate::model::game_result::GameResult;
use crate::model::speed::Speed;
use crate::parse::header::read_header;
use crate::parse::{GameReader, RawGame};
use crate::search::Searcher;
use crate::search::continuations::{GameAt, Mode};

/// The header of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// Where the game stands.
    pub address: GameAddress,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// White's rating.
    pub white_elo: Option<u16>,
    /// Black's rating.
    pub black_elo: Option<u16>,
    /// The result.
    pub result: GameResult,
    /// The days that its date can mean.
    pub date: Option<DateSpan>,
    /// Its speed.
    pub speed: Speed,
    /// Whether it changed ratings; `None` when nobody says.
    pub mode: Option<Mode>,
}

impl Searcher {
    /// The header of a game.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn summary(&self, at: GameAt) -> Result<GameSummary> {
        let view = &self.views[at.segment];
        let bytes = view.game_bytes(at.doc)?;
        let mut raw = RawGame::default();
        let reading = self.reading_of(at.segment, at.doc)?;
        if !GameReader::new(&bytes, reading.first()).read(&mut raw) {
            return Err(view.damaged(format!("the bytes of game {} hold no game", at.doc)));
        }
        let header = read_header(&bytes, &mut raw);
        let tag = |name: &str| raw.find_tag(&bytes, name).unwrap_or_default().into_owned();
        Ok(GameSummary {
            address: self.address_of(at.segment, at.doc)?,
            white: tag("White"),
            black: tag("Black"),
            white_elo: header.white_elo,
            black_elo: header.black_elo,
            result: header.result,
            date: header.date,
            speed: header.speed,
            mode: Mode::of_event(&tag("Event")),
        })
    }
}
