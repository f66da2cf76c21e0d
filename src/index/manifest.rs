//! What an index says about itself: format version, sources, counts. It lives in the commit payload, so that manifest and
//! data are written in one step and can never disagree.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::notation::{Form, GameReading};

/// The format that this version writes.
pub const FORMAT_VERSION: u32 = 5;
/// The oldest format that it reads.
pub const OLDEST_READABLE: u32 = 1;

/// A text that games came from: a file, or a member of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// Its path, as it was given, and that of the member.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// XXH3-128 of its content, in hexadecimal.
    pub hash: String,
    /// The same of its first [`HEAD_BYTES`], or of all of it when it is shorter.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub head: String,
    /// Code of the piece letters its moves were read in, none for English; `auto` if each game was read in its own.
    pub language: Option<String>,
    /// Name of the only form its moves were read in, none for any.
    pub notation: Option<String>,
    /// Name of the encoding that it was said to be in, none if it was taken as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether its variations were indexed.
    pub variations: bool,
    /// Games in each chunk that was imported, rejected ones too.
    pub chunks: Vec<u32>,
    /// Where the last chunk begins in the text, in bytes.
    #[serde(default)]
    pub last_chunk: u64,
    /// Whether the text ended too early.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// What it adds to, when it is a longer version of a text that was imported before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<Continued>,
    /// Index of the source that the same text became when it was read in another way. The games of this one are gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<usize>,
}

/// The part of a text that an earlier import brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continued {
    /// Index of the shorter version among the sources.
    pub source: usize,
    /// Number of the first game that was not taken from there.
    pub first_game: u64,
}

/// A compressed file that texts were unpacked from, so that it is known again without unpacking it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerEntry {
    /// Its size in bytes.
    pub bytes: u64,
    /// XXH3-128 of its bytes, in hexadecimal.
    pub hash: String,
    /// Indices of its texts among the sources.
    pub sources: Vec<usize>,
}

/// How much of a text its `head` covers.
pub const HEAD_BYTES: usize = 64 << 10;

impl SourceEntry {
    /// Number of its first game in the text.
    pub fn first_game(&self) -> u64 {
        self.continues.map_or(0, |before| before.first_game)
    }

    /// Games in the text, those of shorter versions too.
    pub fn n_games_in_text(&self) -> u64 {
        self.first_game() + self.n_games()
    }

    /// Games that this import of the text brought, rejected ones too.
    pub fn n_games(&self) -> u64 {
        self.chunks.iter().map(|n| u64::from(*n)).sum()
    }

    /// How its moves are read.
    pub fn reading(&self) -> GameReading {
        let form = self.notation.as_deref();
        let form = form.and_then(|name| name.parse::<Form>().ok());
        GameReading::from_letters(form, self.language.as_deref()).unwrap_or_default()
    }
}

/// What an index holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format.
    pub format_version: u32,
    /// Version of the program that wrote last.
    pub written_by: String,
    /// Sources, in the order of their import.
    pub sources: Vec<SourceEntry>,
    /// Compressed files among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub containers: Vec<ContainerEntry>,
    /// Games that can be found.
    pub n_games: u64,
    /// Of those, games that were cut at a bad move.
    pub n_partial: u64,
    /// Games that were left out.
    pub n_rejected: u64,
    /// Plies of all main lines.
    pub n_plies: u64,
}

/// The commit payload: the manifest as text, and its checksum.
#[derive(Serialize, Deserialize)]
struct Payload {
    crc32: u32,
    manifest: String,
}

/// Where a game stands among all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameAddress {
    /// Number of the game in the index, counting rejected ones.
    pub id: u64,
    /// Index of its source in the manifest.
    pub source: usize,
    /// Number of the game in its source, from 0.
    pub game: u64,
}

impl Manifest {
    /// The manifest of an index without games.
    pub fn empty() -> Manifest {
        Manifest {
            format_version: FORMAT_VERSION,
            written_by: env!("CARGO_PKG_VERSION").to_owned(),
            sources: Vec::new(),
            containers: Vec::new(),
            n_games: 0,
            n_partial: 0,
            n_rejected: 0,
            n_plies: 0,
        }
    }

    /// Games that were removed, apart from those of sources that were read again. Their numbers stay taken, so they are what is missing from those of the sources.
    pub fn n_removed(&self) -> u64 {
        let left = self.sources.iter().filter(|s| s.replaced_by.is_none());
        let n_read: u64 = left.map(SourceEntry::n_games).sum();
        n_read.saturating_sub(self.n_games + self.n_rejected)
    }

    /// The manifest of the index in `dir`, read before anything else of it is opened.
    ///
    /// # Errors
    ///
    /// When there is no index, a foreign one, or one of another format version.
    pub fn read(dir: &Path) -> Result<Manifest> {
        let path = dir.join("meta.json");
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e)
                if e.kind() == std::io::ErrorKind::NotFound
                    || e.kind() == std::io::ErrorKind::NotADirectory =>
            {
                return Err(Error::NoIndex(dir.to_owned()));
            }
            Err(e) => return Err(Error::io(path, e)),
        };
        let damaged = |reason: String| Error::Damaged {
            path: path.clone(),
            reason,
        };
        let meta: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))?;
        let foreign = |reason: &str| Error::ForeignIndex {
            path: dir.to_owned(),
            reason: reason.to_owned(),
        };
        let payload = match meta.get("payload") {
            Some(serde_json::Value::String(payload)) => payload,
            // tantivy writes the description of a new index before our first commit; killed there, it holds nothing.
            _ if meta
                .get("segments")
                .and_then(|s| s.as_array())
                .is_some_and(Vec::is_empty)
                && meta["persisted_custom_extensions"]
                    .as_array()
                    .is_some_and(|e| !e.is_empty()) =>
            {
                return Ok(Manifest::empty());
            }
            _ => return Err(foreign("it has no manifest")),
        };
        let payload: Payload =
            serde_json::from_str(payload).map_err(|_| foreign("its manifest is not ours"))?;
        let value: serde_json::Value = serde_json::from_str(&payload.manifest)
            .map_err(|_| foreign("its manifest is not ours"))?;
        let found = value
            .get("format_version")
            .and_then(serde_json::Value::as_u64);
        let found = found
            .and_then(|v| u32::try_from(v).ok())
            .ok_or_else(|| foreign("its manifest has no version"))?;
        if !(OLDEST_READABLE..=FORMAT_VERSION).contains(&found) {
            return Err(Error::FormatVersion {
                path: dir.to_owned(),
                found,
                oldest: OLDEST_READABLE,
                newest: FORMAT_VERSION,
            });
        }
        if crc32fast::hash(payload.manifest.as_bytes()) != payload.crc32 {
            return Err(damaged("the manifest differs from its checksum".to_owned()));
        }
        serde_json::from_value(value).map_err(|e| damaged(e.to_string()))
    }

    /// The manifest as a commit payload, in the format of this program, whatever the format was that it was read in.
    pub(crate) fn payload(&self) -> Result<String> {
        let json = |e: serde_json::Error| Error::Index(e.to_string());
        let current = Manifest {
            format_version: FORMAT_VERSION,
            ..self.clone()
        };
        let manifest = serde_json::to_string(&current).map_err(json)?;
        let crc32 = crc32fast::hash(manifest.as_bytes());
        serde_json::to_string(&Payload { crc32, manifest }).map_err(json)
    }
}

/// Finds the address of a game from its sequence number: the chunk it came in, counted over all sources, and its place
/// in that chunk.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// For each chunk: source, number in the index and in the source of its first game.
    chunks: Vec<(u32, u64, u64)>,
}

impl Addresses {
    /// The addresses of all games of a manifest.
    pub fn new(manifest: &Manifest) -> Addresses {
        let mut chunks = Vec::new();
        let mut id = 0;
        for (source, entry) in manifest.sources.iter().enumerate() {
            let mut game = entry.first_game();
            for &n_games in &entry.chunks {
                chunks.push((source as u32, id, game));
                id += u64::from(n_games);
                game += u64::from(n_games);
            }
        }
        Addresses { chunks }
    }

    /// The address for a sequence number; `None` when no such chunk was imported.
    pub fn get(&self, sequence: u64) -> Option<GameAddress> {
        let &(source, id, game) = self
            .chunks
            .get((sequence >> crate::index::schema::GAME_BITS) as usize)?;
        let within = sequence & ((1 << crate::index::schema::GAME_BITS) - 1);
        Some(GameAddress {
            id: id + within,
            source: source as usize,
            game: game + within,
        })
    }

    /// The sequence number of the game with this number in the index.
    pub fn sequence_of(&self, id: u64) -> Option<u64> {
        let chunk = self
            .chunks
            .partition_point(|&(_, first, _)| first <= id)
            .checked_sub(1)?;
        Some((chunk as u64) << crate::index::schema::GAME_BITS | (id - self.chunks[chunk].1))
    }

    /// Number of chunks.
    pub fn n_chunks(&self) -> usize {
        self.chunks.len()
    }
}
