//! A segment that one worker fills, game by game.
//!
//! tantivy makes segments of documents, and each of its writers looks at all fields of each document to find its own.
//! Here every part takes from the replayed game what it needs, and nothing is made or copied for the way there; with
//! the doc store of our own it saves 5 % of an import. The files are ours and those that tantivy would have written, of
//! which we write the doc store (`store.rs`), the columns (`columns.rs`) and the transducer of terms (`tags/fst.rs`)
//! ourselves, to the byte.

use std::path::{Path, PathBuf};

use tantivy::fieldnorm::FieldNormsSerializer;
use tantivy::index::{SegmentComponent, SegmentMeta};
use tantivy::{Segment, TantivyError};

use crate::error::{Error, Result};
use crate::index::columns::{ColumnsWriter, Numbers};
use crate::index::fold::has_column;
use crate::index::games::{DocId, GameFacts, GamesWriter};
use crate::index::index_error;
use crate::index::merging::MAX_MERGED_GAMES;
use crate::index::moves::MovesWriter;
use crate::index::plugin::{GAMES, MOVES, POSITIONS, create};
use crate::index::positions::PositionsWriter;
use crate::index::schema::{Column, Fields, GAME_BITS};
use crate::index::store::StoreWriter;
use crate::index::tags::TagsWriter;
use crate::index::writer::eco_number;
use crate::model::move_token::MoveToken;
use crate::parse::header::Header;
use crate::parse::{RawGame, decode};
use crate::replay::{Replayed, Status, VariationLine};

/// A segment that is being filled.
pub(crate) struct SegmentBuilder {
    segment: Segment,
    fields: Fields,
    /// Bytes that it may use.
    memory: usize,
    path: PathBuf,
    n_games: DocId,
    games: GamesWriter,
    positions: PositionsWriter,
    moves: MovesWriter,
    tags: TagsWriter,
    columns: ColumnsWriter,
    store: StoreWriter,
    /// The tags of the last game, kept for their memory.
    text: TagText,
}

/// A game that was replayed, with everything that is indexed of it.
pub(crate) struct IndexGame<'a> {
    /// What the raw game's ranges point into.
    pub(crate) bytes: &'a [u8],
    /// Offset of these bytes in their source.
    pub(crate) offset: u64,
    pub(crate) raw: &'a RawGame,
    pub(crate) header: &'a Header,
    pub(crate) replayed: Replayed,
    /// Key of every ply from 0.
    pub(crate) keys: &'a [u64],
    pub(crate) moves: &'a [MoveToken],
    pub(crate) variations: &'a [VariationLine],
    /// Chunk, counted over all sources.
    pub(crate) chunk: u64,
    /// Number of the game within its chunk.
    pub(crate) game: u32,
}

impl SegmentBuilder {
    /// Begins a segment that is full when it uses about `memory` bytes.
    pub(super) fn new(
        segment: Segment,
        fields: Fields,
        memory: usize,
        path: &Path,
    ) -> Result<SegmentBuilder> {
        let out = segment
            .open_write(SegmentComponent::Store)
            .map_err(|e| index_error(path, e.into()))?;
        let store = StoreWriter::new(out, fields.game).map_err(|e| Error::io(path, e))?;
        let mut games = GamesWriter::default();
        games.begin_run();
        Ok(SegmentBuilder {
            segment,
            fields,
            memory,
            path: path.to_owned(),
            n_games: 0,
            games,
            positions: PositionsWriter::default(),
            moves: MovesWriter::default(),
            tags: TagsWriter::default(),
            columns: ColumnsWriter::default(),
            store,
            text: TagText::default(),
        })
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: &IndexGame<'_>) -> Result<()> {
        let doc = self.n_games;
        let bytes = &game.bytes[game.raw.range.clone()];
        self.text.read(game.bytes, game.raw);
        self.tags.add(doc, self.text.iter());
        self.positions.add_line(doc, 0, game.keys, game.moves);
        self.moves.add_line(game.moves);
        let mut place = game.moves.len() as u32 + 1;
        for line in game.variations {
            // The position that a variation branches off from is the main line's; its own begin after its first move.
            self.positions.add_line(
                doc,
                place + 1,
                &line.keys,
                line.moves.get(1..).unwrap_or_default(),
            );
            self.moves.add_line(&line.moves);
            place += line.moves.len() as u32 + 1;
        }
        // The doc store has no checksum of its own.
        let checksum = crc32fast::hash(bytes);
        self.games
            .add(facts(game), place, sequence(game), checksum)
            .ok_or_else(|| {
                let full = "a segment has more than 2^32 plies".to_owned();
                index_error(&self.path, TantivyError::InternalError(full))
            })?;
        self.columns.add(&numbers(game));
        self.store
            .add(bytes)
            .map_err(|e| Error::io(&self.path, e))?;
        self.n_games += 1;
        Ok(())
    }

    /// Adds a game of nothing but tags, each as `Name NUL value`.
    #[cfg(test)]
    pub(super) fn add_tags(&mut self, tags: &[String]) -> Result<()> {
        let doc = self.n_games;
        self.tags.add(doc, tags.iter().map(String::as_str));
        self.games
            .add(GameFacts::default(), 1, u64::from(doc), 0)
            .expect("room");
        self.columns.add(&Numbers::default());
        self.n_games += 1;
        self.store.add(b"").map_err(|e| Error::io(&self.path, e))
    }

    /// Whether the segment has used up its memory and should be finished.
    pub(crate) fn is_full(&self) -> bool {
        self.mem_usage() >= self.memory || self.n_games as usize >= MAX_MERGED_GAMES
    }

    fn mem_usage(&self) -> usize {
        self.games.mem_usage()
            + self.positions.mem_usage()
            + self.moves.mem_usage()
            + self.tags.mem_usage()
            + self.columns.mem_usage()
            + self.store.mem_usage()
    }

    /// Writes the segment. `None` when it has no games.
    pub(crate) fn finish(self) -> Result<Option<SegmentMeta>> {
        if self.n_games == 0 {
            return Ok(None);
        }
        let path = self.path.clone();
        self.write().map(Some).map_err(|e| index_error(&path, e))
    }

    fn write(self) -> tantivy::Result<SegmentMeta> {
        let segment = self.segment;
        self.store.finish()?;
        let out = segment.open_write(SegmentComponent::FieldNorms)?;
        FieldNormsSerializer::from_write(out)?.close()?;
        self.tags.write(&segment, self.fields.tags)?;
        let out = segment.open_write(SegmentComponent::FastFields)?;
        self.columns.write(out)?;
        let mut out = create(&segment, GAMES)?;
        self.games.write(&mut out)?;
        out.finish()?;
        self.moves.write(create(&segment, MOVES)?)?;
        self.positions
            .write(&self.games, create(&segment, POSITIONS)?)
            .map_err(TantivyError::InternalError)?;
        let meta = segment.with_max_doc(self.n_games).meta().clone();
        meta.untrack_temp_docstore();
        Ok(meta)
    }
}

/// The tags of a game that have terms, as `Name NUL value`, one after the other.
#[derive(Debug, Default)]
struct TagText {
    text: String,
    /// End of each tag.
    ends: Vec<usize>,
}

impl TagText {
    fn read(&mut self, bytes: &[u8], raw: &RawGame) {
        let mut text = std::mem::take(&mut self.text).into_bytes();
        text.clear();
        self.ends.clear();
        // Nearly all text is as it was written. It is looked at once for the whole game whether it is UTF-8: a name is
        // ASCII, so what is UTF-8 together is so tag by tag.
        for tag in &raw.tags {
            let name = &bytes[tag.name.clone()];
            if !has_column(name) {
                text.extend_from_slice(name);
                text.push(0);
                let value = &bytes[tag.value.clone()];
                if tag.has_escapes {
                    text.extend_from_slice(raw.tag_value(bytes, tag).as_bytes());
                } else {
                    text.extend_from_slice(value);
                }
                self.ends.push(text.len());
            }
        }
        match String::from_utf8(text) {
            Ok(text) => self.text = text,
            Err(_) => self.read_damaged(bytes, raw),
        }
    }

    /// [`TagText::read`], of a game in which not all is UTF-8.
    #[cold]
    fn read_damaged(&mut self, bytes: &[u8], raw: &RawGame) {
        self.ends.clear();
        for tag in &raw.tags {
            let name = &bytes[tag.name.clone()];
            if !has_column(name) {
                self.text.push_str(&decode(name));
                self.text.push('\0');
                self.text.push_str(&raw.tag_value(bytes, tag));
                self.ends.push(self.text.len());
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let tag = &self.text[start..end];
            start = end;
            tag
        })
    }
}

/// Place of a game in the order of import.
fn sequence(game: &IndexGame<'_>) -> u64 {
    game.chunk << GAME_BITS | u64::from(game.game)
}

fn facts(game: &IndexGame<'_>) -> GameFacts {
    let header = game.header;
    GameFacts {
        result: header.result,
        white_elo: header.white_elo.unwrap_or(0),
        black_elo: header.black_elo.unwrap_or(0),
        year: header.date.map_or(0, |date| date.year() as u16),
        variant: game.replayed.variant,
        n_plies: game.replayed.plies as u16,
    }
}

fn numbers(game: &IndexGame<'_>) -> Numbers {
    let IndexGame {
        raw,
        header,
        replayed,
        ..
    } = game;
    let eco = raw
        .find_tag(game.bytes, "ECO")
        .and_then(|value| eco_number(&value));
    let (white, black) = (
        header.white_elo.map(u64::from),
        header.black_elo.map(u64::from),
    );
    let sum = white.zip(black).map(|(white, black)| white + black);
    let is_partial = replayed.status == Status::Partial;
    let mut numbers = Numbers::default();
    let mut set = |column: Column, number: Option<u64>| numbers[column as usize] = number;
    set(Column::Sequence, Some(sequence(game)));
    set(Column::Offset, Some(game.offset + raw.range.start as u64));
    set(Column::WhiteElo, white);
    set(Column::BlackElo, black);
    set(Column::EloSum, sum);
    set(Column::DateFirst, header.date.map(|date| date.first.into()));
    set(Column::DateLast, header.date.map(|date| date.last.into()));
    set(Column::Result, Some(header.result as u64));
    set(Column::Eco, eco.map(u64::from));
    set(Column::Plies, Some(replayed.plies.into()));
    set(Column::Variant, Some(replayed.variant as u64));
    set(Column::Status, Some(is_partial.into()));
    set(Column::Speed, Some(header.speed as u64));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::GameReader;

    /// Checks the tags of a game against those that are decoded one by one.
    fn check(bytes: &[u8], want: &[&str]) {
        let mut raw = RawGame::default();
        assert!(GameReader::new(bytes, crate::notation::Reading::default()).read(&mut raw));
        let mut text = TagText::default();
        for _ in 0..2 {
            text.read(bytes, &raw);
            assert_eq!(text.iter().collect::<Vec<_>>(), want);
            let terms = raw.tags.iter().filter(|tag| tag.name.len() == 1);
            let one_by_one: Vec<_> = terms
                .map(|tag| {
                    let name = decode(&bytes[tag.name.clone()]);
                    format!("{name}\0{}", raw.tag_value(bytes, tag))
                })
                .collect();
            assert_eq!(one_by_one, want);
        }
    }

    #[test]
    fn tags_are_decoded_together_as_they_are_one_by_one() {
        check(
            b"[Result \"*\"]\n[A \"\"]\n[FEN \"x\"]\n[B \"b c\"]\n\n*",
            &["A\0", "B\0b c"],
        );
        check("[A \"é\"]\n[B \"♘\"]\n\n*".as_bytes(), &["A\0é", "B\0♘"]);
        check(
            b"[A \"x \\\"y\\\" \\\\\"]\n[B \"z\"]\n\n*",
            &["A\0x \"y\" \\", "B\0z"],
        );
        check(b"[A \"\xe9\"]\n[B \"\xc3\xa9\"]\n\n*", &["A\0é", "B\0é"]);
        check(b"[A \"a\xed\xb2\x81\xc3\xa9\"]\n\n*", &["A\0a\u{fffd}é"]);
        // A letter that stands in two tags is none.
        check(b"[A \"\xc3\"]\n[B \"\xa9\"]\n\n*", &["A\0Ã", "B\0©"]);
        check(b"[A \"a \\\\\n  b\"]\n\n*", &["A\0a \\ b"]);
    }
}
