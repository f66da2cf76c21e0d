//! A game as it comes out of the index: its bytes, and everything that can be read from them.

use serde::Serialize;
use serde_json::{Map, Value};
use shakmaty::Position;

use crate::index::{GameAddress, replay_stored};
use crate::model::fen::write_fen;
use crate::notation::{OutputNotation, Reading};
use crate::parse::RawGame;
use crate::parse::header::Header;
use crate::replay::{Replayed, Score, Status};
use crate::search::position::for_each_variation_move;

/// Tags in their order, by name.
pub type TagMap = Map<String, Value>;

/// A stored game, replayed.
#[derive(Debug)]
pub struct StoredGame {
    bytes: Vec<u8>,
    raw: RawGame,
    header: Header,
    replayed: Replayed,
    score: Score,
    reading: Reading,
    address: GameAddress,
    source: String,
    offset: u64,
}

/// One game of `export --format ndjson`.
///
/// ```json
/// {"id":0,"source":"club.pgn","game":0,"offset":0,"status":"ok","variant":"standard","tags":{"White":"Anderssen"},
///  "result":"1-0","plies":2,"san":["e4","e5"],"uci":["e2e4","e7e5"],
///  "start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
///  "final_fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"}
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct GameRecord {
    /// Number of the game in the index.
    pub id: u64,
    /// Its source.
    pub source: String,
    /// Number in its source, from 0.
    pub game: u64,
    /// Offset in its source, bytes.
    pub offset: u64,
    /// `ok` or `partial`.
    pub status: &'static str,
    /// The rules.
    pub variant: &'static str,
    /// Tags in their order.
    pub tags: TagMap,
    /// The result.
    pub result: &'static str,
    /// Plies of the main line.
    pub plies: u32,
    /// Canonical SAN.
    pub san: Vec<String>,
    /// UCI; castling as the king's move, in Chess960 as king takes rook.
    pub uci: Vec<String>,
    /// Position at ply 0.
    pub start_fen: String,
    /// Position after the last ply.
    pub final_fen: String,
}

impl StoredGame {
    pub(crate) fn new(
        bytes: Vec<u8>,
        reading: Reading,
        address: GameAddress,
        source: String,
        offset: u64,
    ) -> Option<StoredGame> {
        let mut score = Score::default();
        let (raw, header, replayed) = replay_stored(&bytes, reading, &mut score)?;
        (replayed.status != Status::Rejected).then_some(StoredGame {
            bytes,
            raw,
            header,
            replayed,
            score,
            reading,
            address,
            source,
            offset,
        })
    }

    /// The game as it stood in its source, to the first byte of the next one.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where it begins in its source, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How its moves are written.
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Where it stands.
    pub fn address(&self) -> GameAddress {
        self.address
    }

    /// Name of its source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Its header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What came of its replay.
    pub fn replayed(&self) -> Replayed {
        self.replayed
    }

    /// Its moves and positions.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<String> {
        self.raw
            .find_tag(&self.bytes, name)
            .map(std::borrow::Cow::into_owned)
    }

    /// All tags in their order.
    pub fn tags(&self) -> TagMap {
        let mut tags = TagMap::new();
        for tag in &self.raw.tags {
            let name = self.raw.decode(&self.bytes[tag.name.clone()]).into_owned();
            tags.insert(
                name,
                Value::String(self.raw.tag_value(&self.bytes, tag).into_owned()),
            );
        }
        tags
    }

    /// The position at a place, as a FEN, and its ply: in the main line the place itself.
    pub(crate) fn fen_at(&self, place: u32) -> Option<(u32, String)> {
        if let Some(pos) = self.score.positions.get(place as usize) {
            return Some((place, write_fen(pos)));
        }
        let mut found = None;
        for_each_variation_move(&self.bytes, self.reading, |at, after, _| {
            if at == place {
                let start = &self.score.positions[0];
                let plies = |pos: &shakmaty::Chess| {
                    (pos.fullmoves().get() * 2) + u32::from(pos.turn().is_black())
                };
                found = Some((plies(after).saturating_sub(plies(start)), write_fen(after)));
            }
        });
        found
    }

    /// The move of the main line that led to a ply, with its number.
    pub(crate) fn move_to(&self, ply: u32, to: OutputNotation) -> Option<String> {
        let before = self.score.positions.get((ply as usize).checked_sub(1)?)?;
        let played = self.score.moves.get(ply as usize - 1)?;
        let dots = if before.turn().is_white() { "." } else { "..." };
        Some(format!(
            "{}{dots}{}",
            before.fullmoves(),
            to.write(*played, before)
        ))
    }

    /// The game as a record.
    pub fn record(&self) -> GameRecord {
        let fen = |pos: Option<&shakmaty::Chess>| pos.map(write_fen).unwrap_or_default();
        GameRecord {
            id: self.address.id,
            source: self.source.clone(),
            game: self.address.game,
            offset: self.offset,
            status: self.replayed.status.as_str(),
            variant: self.replayed.variant.as_str(),
            tags: self.tags(),
            result: self.header.result.as_str(),
            plies: self.replayed.plies,
            san: self.score.san.clone(),
            uci: self.score.uci.clone(),
            start_fen: fen(self.score.positions.first()),
            final_fen: fen(self.score.positions.last()),
        }
    }
}
