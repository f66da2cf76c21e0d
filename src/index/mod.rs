#![doc = include_str!("FORMAT.md")]

mod bits;
mod buckets;
mod builder;
mod columns;
mod directory;
mod document;
pub(crate) mod fold;
#[doc(hidden)]
pub mod forged;
mod games;
mod games_query;
mod manifest;
mod merging;
mod moves;
mod pages;
mod plugin;
mod positions;
mod replace;
pub(crate) mod schema;
mod segment;
mod slot_map;
mod store;
mod tags;
mod verify;
mod vint;
pub(crate) mod writer;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::OpenWriteError;
use tantivy::store::{Compressor, ZstdCompressor};
use tantivy::{Index, IndexReader, IndexSettings, ReloadPolicy, TantivyError};

pub(crate) use builder::{IndexGame, SegmentBuilder};
pub(crate) use games::{DocId, Facts, GameFacts};
pub(crate) use games_query::GamesQuery;
pub use manifest::{
    Addresses, ContainerEntry, Continued, FORMAT_VERSION, GameAddress, HEAD_BYTES, Manifest,
    OLDEST_READABLE, SourceEntry,
};
pub(crate) use positions::{
    Aggregate, BEST_GAMES, Continuation, DenseList, LATE, MoveAggregate, Posting, Rated, SideSums,
    TOP_GAMES, highest_rated, sum_up,
};
pub(crate) use replace::SequenceQuery;
pub use segment::PartSizes;
pub(crate) use segment::SegmentView;
pub(crate) use verify::{Plies, replay_stored};
pub use verify::{Verified, verify};

use crate::error::{Error, Result};
use crate::index::directory::IndexDirectory;
use crate::index::fold::{TAG_TOKENIZER, TagTokenizer};
use crate::index::plugin::PlyPlugin;
use crate::index::schema::Fields;

/// An index on disk.
#[derive(Debug)]
pub struct IndexStore {
    path: PathBuf,
    index: Index,
    fields: Fields,
    manifest: Manifest,
    state: DirectoryState,
}

/// The two files that every writer replaces. tantivy reads them when it opens an index and writes them back from memory,
/// so whoever writes must know that nobody else did in between.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DirectoryState {
    meta: Option<Vec<u8>>,
    managed: Option<Vec<u8>>,
}

impl DirectoryState {
    fn of(path: &Path) -> DirectoryState {
        let read = |file: &str| fs::read(path.join(file)).ok();
        DirectoryState {
            meta: read("meta.json"),
            managed: read(".managed.json"),
        }
    }
}

/// Size of a block of the doc store before compression. Larger blocks compress better and take longer to open, which is
/// what confirming a rare position waits for.
const STORE_BLOCK_BYTES: usize = 32 << 10;
/// Level of zstd for the doc store: the lowest, whose files are some 8 % larger than those of level 3 at half the time.
const STORE_LEVEL: i32 = 1;

/// Largest file that is checked whenever an index is opened: 4 ms.
const CHECKED_FILE_BYTES: u64 = 32 << 20;

impl IndexStore {
    /// Opens an index.
    ///
    /// # Errors
    ///
    /// When there is none, or a foreign, newer or damaged one.
    pub fn open(path: &Path) -> Result<IndexStore> {
        undisturbed(path, || IndexStore::open_once(path))
    }

    fn open_once(path: &Path) -> Result<IndexStore> {
        let state = DirectoryState::of(path);
        let manifest = Manifest::read(path)?;
        let directory = IndexDirectory::open(path).map_err(|e| index_error(path, e))?;
        let mut index = Index::open(directory).map_err(|e| index_error(path, e))?;
        index.register_plugin(Arc::new(PlyPlugin));
        let store = IndexStore::finish(path, index, manifest, state)?;
        store.check()?;
        Ok(store)
    }

    /// Opens an index, or makes one where there is nothing.
    ///
    /// # Errors
    ///
    /// As for [`IndexStore::open`]; also when the directory holds something else.
    pub fn open_or_create(path: &Path) -> Result<IndexStore> {
        match IndexStore::open(path) {
            Err(Error::NoIndex(_)) => {}
            other => return other,
        }
        fs::create_dir_all(path).map_err(|e| Error::io(path, e))?;
        let mut entries = fs::read_dir(path).map_err(|e| Error::io(path, e))?;
        if entries
            .any(|entry| entry.is_ok_and(|e| !e.file_name().to_string_lossy().starts_with('.')))
        {
            return Err(Error::ForeignIndex {
                path: path.to_owned(),
                reason: "the directory is not empty and holds no index".to_owned(),
            });
        }
        let directory = IndexDirectory::open(path).map_err(|e| index_error(path, e))?;
        let index = Index::builder()
            .schema(schema::schema())
            .settings(settings())
            .register_plugin(Arc::new(PlyPlugin))
            .open_or_create(directory)
            .map_err(|e| index_error(path, e))?;
        let state = DirectoryState::of(path);
        let store = IndexStore::finish(path, index, Manifest::empty(), state)?;
        writer::Import::new(&store)?.commit(&store.manifest)?;
        IndexStore::open(path)
    }

    fn finish(
        path: &Path,
        index: Index,
        manifest: Manifest,
        state: DirectoryState,
    ) -> Result<IndexStore> {
        index
            .tokenizers()
            .register(TAG_TOKENIZER, TagTokenizer::default());
        let fields = schema::fields(&index.schema()).map_err(|e| Error::ForeignIndex {
            path: path.to_owned(),
            reason: e.to_string(),
        })?;
        Ok(IndexStore {
            path: path.to_owned(),
            index,
            fields,
            manifest,
            state,
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the index holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Whether nobody wrote the index since it was opened.
    pub(crate) fn is_current(&self) -> bool {
        DirectoryState::of(&self.path) == self.state
    }

    pub(crate) fn tantivy(&self) -> &Index {
        &self.index
    }

    pub(crate) fn fields(&self) -> Fields {
        self.fields
    }

    /// Holds the description against what this version writes, and the files of tantivy's own against their checksums,
    /// up to a size that takes no time. tantivy does so only when asked, and trusts what it reads; larger files are left
    /// to `verify`.
    fn check(&self) -> Result<()> {
        let metas = self
            .index
            .load_metas()
            .map_err(|e| index_error(&self.path, e))?;
        let damaged = |file: &Path, reason: &str| Error::Damaged {
            path: self.path.join(file),
            reason: reason.to_owned(),
        };
        if metas.schema != schema::schema()
            || metas.index_settings != settings()
            || metas.persisted_custom_extensions != plugin::EXTENSIONS
        {
            return Err(damaged(
                Path::new("meta.json"),
                "the schema or the settings are not those of this format",
            ));
        }
        // How many games a segment has lost stands outside the manifest, where no checksum covers it.
        let n_games: u64 = metas.segments.iter().map(|s| u64::from(s.num_docs())).sum();
        if n_games != self.manifest.n_games {
            return Err(damaged(
                Path::new("meta.json"),
                &format!(
                    "the manifest counts {} games, the segments hold {n_games}",
                    self.manifest.n_games
                ),
            ));
        }
        for file in metas.list_segment_files() {
            let extension = file.extension().and_then(|ext| ext.to_str());
            let Ok(metadata) = fs::metadata(self.path.join(&file)) else {
                // Only what an index may lack is missing rightly: the list of deletions, the store of a sorted segment.
                if matches!(extension, Some("del" | "temp")) {
                    continue;
                }
                return Err(damaged(&file, "the file is missing"));
            };
            // A shorter file has no room for tantivy's footer, and tantivy does not look before it reads.
            if metadata.len() < 8 {
                return Err(damaged(&file, "the file is too short"));
            }
            let is_checked_elsewhere = matches!(
                extension,
                Some(plugin::GAMES | plugin::POSITIONS | plugin::MOVES | "store" | "temp")
            );
            if is_checked_elsewhere || metadata.len() > CHECKED_FILE_BYTES {
                continue;
            }
            let sound = self
                .index
                .directory()
                .validate_checksum(&file)
                .map_err(|e| index_error(&self.path, e.into()))?;
            if !sound {
                return Err(damaged(&file, "checksum differs"));
            }
        }
        Ok(())
    }

    /// A reader of the last commit.
    pub(crate) fn reader(&self) -> Result<IndexReader> {
        let builder = self
            .index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .doc_store_cache_num_blocks(64);
        // tantivy opens the doc stores here and takes their footers on trust; a panic is damage that it stumbled over.
        catch_unwind(AssertUnwindSafe(|| builder.try_into()))
            .map_err(|_| Error::Damaged {
                path: self.path.clone(),
                reason: "a doc store cannot be opened".to_owned(),
            })?
            .map_err(|e| index_error(&self.path, e))
    }
}

/// How often something is read again because an import changed the index meanwhile. A commit takes longer than an
/// opening, so that the second try is mostly the last.
const MOST_TRIES: usize = 100;

/// Reads several parts of an index as they are at one moment. An import may commit between the reading of the manifest
/// and that of the segments, and a merge may remove files in between; whatever comes of a reading, error or not, counts
/// only if the description of the index is the same after it.
pub(crate) fn undisturbed<T>(path: &Path, read: impl Fn() -> Result<T>) -> Result<T> {
    let description = || fs::read(path.join("meta.json")).ok();
    for _ in 0..MOST_TRIES {
        let before = description();
        let done = read();
        if description() == before {
            return done;
        }
    }
    read()
}

/// The settings of an index.
fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::Zstd(ZstdCompressor {
            compression_level: Some(STORE_LEVEL),
        }),
        docstore_compress_dedicated_thread: false,
        docstore_blocksize: STORE_BLOCK_BYTES,
        ..IndexSettings::default()
    }
}

/// Names an error of the search library.
pub(crate) fn index_error(path: &Path, error: TantivyError) -> Error {
    match error {
        TantivyError::DataCorruption(e) => Error::Damaged {
            path: path.to_owned(),
            reason: format!("{e:?}"),
        },
        TantivyError::OpenReadError(e) => Error::Damaged {
            path: path.to_owned(),
            reason: e.to_string(),
        },
        TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, filepath }) => Error::Io {
            path: path.join(filepath),
            source: std::io::Error::new(io_error.kind(), io_error.to_string()),
        },
        TantivyError::IncompatibleIndex(e) => Error::ForeignIndex {
            path: path.to_owned(),
            reason: format!("{e:?}"),
        },
        TantivyError::IoError(e) => Error::Io {
            path: path.to_owned(),
            source: std::io::Error::new(e.kind(), e.to_string()),
        },
        TantivyError::LockFailure(..) => Error::Locked(path.to_owned()),
        // What our own tables could not read or write.
        TantivyError::InternalError(reason) => {
            Error::Index(format!("{}: {reason}", path.display()))
        }
        other => Error::Index(other.to_string()),
    }
}
