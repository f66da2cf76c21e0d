//! Hands out the chunks of all sources, one after the other, and knows which sources the index has already.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::error::Result;
use crate::index::{Manifest, SourceEntry};
use crate::ingest::{Lines, Progress};
use crate::notation::Reading;
use crate::source::Source;
use crate::split::Splitter;

/// Least size of a chunk, in bytes: some 1,500 games, 20 ms of work.
pub const CHUNK_BYTES: usize = 1 << 20;

/// A chunk to be read.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) source: Arc<Source>,
    /// Number of the source in this import.
    pub(super) source_idx: usize,
    pub(super) range: Range<usize>,
    /// Number of the chunk in the index.
    pub(super) chunk: u64,
}

/// The sources of an import.
pub(super) struct Feed {
    files: std::vec::IntoIter<PathBuf>,
    current: Option<Open>,
    manifest: Manifest,
    n_old_sources: usize,
    n_chunks: u64,
    reading: Reading,
    variations: Lines,
    /// Numbers in the manifest of sources that came again.
    unchanged: Vec<usize>,
}

struct Open {
    source: Arc<Source>,
    splitter: Splitter,
    hash: Xxh3,
}

impl Feed {
    pub(super) fn new(
        files: Vec<PathBuf>,
        manifest: Manifest,
        reading: Reading,
        variations: Lines,
    ) -> Feed {
        Feed {
            files: files.into_iter(),
            current: None,
            n_old_sources: manifest.sources.len(),
            n_chunks: manifest.sources.iter().map(|s| s.chunks.len() as u64).sum(),
            manifest,
            reading,
            variations,
            unchanged: Vec::new(),
        }
    }

    /// Number of the chunk that comes next.
    pub(super) fn n_chunks(&self) -> u64 {
        self.n_chunks
    }

    /// The next chunk; `None` when all sources are read.
    pub(super) fn next(&mut self, progress: &Progress) -> Result<Option<Job>> {
        loop {
            if let Some(open) = &mut self.current {
                if let Some(range) = open.splitter.next_chunk(&open.source) {
                    // Hashing as chunks go by spares a source that is larger than memory a reading of its own.
                    open.hash.update(&open.source[range.clone()]);
                    let chunk = self.n_chunks;
                    self.n_chunks += 1;
                    let source = Arc::clone(&open.source);
                    let source_idx = self.manifest.sources.len() - 1 - self.n_old_sources;
                    return Ok(Some(Job {
                        source,
                        source_idx,
                        range,
                        chunk,
                    }));
                }
                let hash = open.hash.digest128();
                if let Some(entry) = self.manifest.sources.last_mut() {
                    entry.hash = format!("{hash:032x}");
                }
                self.current = None;
            }
            let Some(file) = self.files.next() else {
                return Ok(None);
            };
            let source = Source::open(&file)?;
            if let Some(known) = self.known(&source) {
                self.unchanged.push(known);
                progress
                    .bytes
                    .fetch_add(source.len() as u64, Ordering::Relaxed);
                continue;
            }
            self.manifest.sources.push(SourceEntry {
                name: source.name().to_owned(),
                bytes: source.len() as u64,
                hash: String::new(),
                language: self
                    .reading
                    .language
                    .map(|language| language.code().to_owned()),
                notation: self.reading.form.map(|form| form.name().to_owned()),
                variations: self.variations == Lines::WithVariations,
                chunks: Vec::new(),
            });
            self.current = Some(Open {
                source: Arc::new(source),
                splitter: Splitter::new(CHUNK_BYTES),
                hash: Xxh3::new(),
            });
        }
    }

    /// The number of a source with the same content that the index has, read in the same way.
    fn known(&self, source: &Source) -> Option<usize> {
        let is_alike = |s: &SourceEntry| {
            s.bytes == source.len() as u64
                && s.reading() == self.reading
                && s.variations == (self.variations == Lines::WithVariations)
                && !s.hash.is_empty()
        };
        if !self.manifest.sources.iter().any(is_alike) {
            return None;
        }
        let hash = format!("{:032x}", xxh3_128(source));
        self.manifest
            .sources
            .iter()
            .position(|s| is_alike(s) && s.hash == hash)
    }

    /// The manifest with the new sources, given the number of games in each new chunk, and the number of games that the
    /// index had already.
    pub(super) fn take_manifest(&self, games_of_chunks: &[(usize, u32)]) -> (Manifest, u64) {
        let mut manifest = self.manifest.clone();
        for &(source_idx, n_games) in games_of_chunks {
            if let Some(entry) = manifest.sources.get_mut(self.n_old_sources + source_idx) {
                entry.chunks.push(n_games);
            }
        }
        env!("CARGO_PKG_VERSION").clone_into(&mut manifest.written_by);
        let unchanged = self
            .unchanged
            .iter()
            .map(|&idx| manifest.sources[idx].n_games());
        let unchanged = unchanged.sum();
        (manifest, unchanged)
    }
}
