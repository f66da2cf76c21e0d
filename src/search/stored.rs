//! A game as it comes out of the index: its bytes, and everything that can be read from them.

use serde::Serialize;
use serde_json::{Map, Value};
use shakmaty::Position;
use shakmaty::variant::VariantPosition;

use crate::index::{GameAddress, replay_stored};
use crate::model::fen::write_fen;
use crate::notation::{GameReading, OutputNotation, PlayedMove, Reading};
use crate::parse::header::Header;
use crate::parse::{RawGame, decode};
use crate::replay::{Replayed, Score, Status};
use crate::search::position::variation_moves;

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

/// A position of a game, and the move that led to it.
#[derive(Debug)]
pub(crate) struct Moment {
    /// Its ply.
    pub(crate) ply: u32,
    /// In a variation, the ply of the main line at which that leaves it.
    pub(crate) branch_ply: Option<u32>,
    /// The position.
    pub(crate) fen: String,
    /// The move that led there, with its number; none without a notation, and at ply 0.
    pub(crate) played: Option<String>,
}

fn numbered(before: &VariantPosition, played: PlayedMove, to: OutputNotation) -> String {
    let dots = if before.turn().is_white() { "." } else { "..." };
    format!("{}{dots}{}", before.fullmoves(), to.write(played, before))
}

impl StoredGame {
    pub(crate) fn new(
        bytes: Vec<u8>,
        reading: GameReading,
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
        self.replayed.reading
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
            let name = decode(&self.bytes[tag.name.clone()]).into_owned();
            tags.insert(
                name,
                Value::String(self.raw.tag_value(&self.bytes, tag).into_owned()),
            );
        }
        tags
    }

    /// What stands at a place: a position of the main line, or one of a variation.
    pub(crate) fn moment(&self, place: u32, notation: Option<OutputNotation>) -> Option<Moment> {
        let score = &self.score;
        if let Some(pos) = score.positions.get(place as usize) {
            let last = (place as usize).checked_sub(1);
            let led_here = last.and_then(|i| Some((score.positions.get(i)?, *score.moves.get(i)?)));
            return Some(Moment {
                ply: place,
                branch_ply: None,
                fen: write_fen(pos),
                played: led_here
                    .zip(notation)
                    .map(|((before, played), to)| numbered(before, played, to)),
            });
        }
        let mut moves = variation_moves(&self.bytes, self.replayed.reading).into_iter();
        let m = moves.find(|m| m.place == place)?;
        Some(Moment {
            ply: m.ply,
            branch_ply: Some(m.branch_ply),
            fen: write_fen(&m.after),
            played: notation.map(|to| numbered(&m.before, m.played, to)),
        })
    }

    /// The game as a record.
    pub fn record(&self) -> GameRecord {
        let fen = |pos: Option<&VariantPosition>| pos.map(write_fen).unwrap_or_default();
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
