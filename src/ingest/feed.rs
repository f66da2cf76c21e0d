//! Hands out the chunks of all sources, one after the other, and knows which sources the index has already.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::Xxh3;

use crate::error::{Error, Result};
use crate::index::{ContainerEntry, Manifest, SourceEntry};
use crate::ingest::flow::{Chunk, Flow, believable};
use crate::ingest::known::{Alike, Known, Resume, candidates, head, hex, look_up};
use crate::ingest::report::ChunkCount;
use crate::ingest::reread::Reread;
use crate::ingest::{Progress, Remark};
use crate::model::diagnostic::Class;
use crate::source::{self, Next, Opened, Part, Texts, Trouble, hash_file};
use crate::split::Place;

/// A chunk to be read.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// Name of the source.
    pub(super) source: Arc<str>,
    /// Number of the source in this import.
    pub(super) source_idx: usize,
    pub(super) part: Part,
    /// Number of the chunk in the index.
    pub(super) chunk: u64,
    /// Games at its start that the index has already.
    pub(super) n_known: usize,
    /// Games and lines before it in the source, if it is the first one that is read of a source.
    pub(super) before: Option<(u64, u64)>,
    /// Why its last game may lack its end.
    pub(super) end: End,
    /// Bytes of the source's file that are behind us with this chunk.
    pub(super) n_read: u64,
}

/// What is after a chunk.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// A game, or nothing.
    Clean,
    /// Text that is lost.
    Lost(Trouble),
    /// The rest of a game that is too large.
    Oversized,
}

/// The sources of an import.
pub(super) struct Feed {
    files: std::vec::IntoIter<PathBuf>,
    /// Those of the files that the user named; the others were found in a directory.
    named: Vec<PathBuf>,
    current: Option<Open>,
    /// The file that further texts may come from.
    file: Option<Unpacked>,
    manifest: Manifest,
    n_old_sources: usize,
    n_chunks: u64,
    alike: Alike,
    /// Sources, in the manifest, that came again.
    unchanged: Vec<usize>,
    /// Games of shorter versions of sources.
    n_continued: u64,
    /// Sources, in the manifest, whose last game is replaced by its longer version.
    replaced: Vec<usize>,
    /// Sources that the index has in another reading.
    rereads: Vec<Reread>,
    remarks: Vec<Remark>,
    /// What could not be read at all.
    refused: Option<Error>,
}

/// A file whose texts are handed out one after the other.
struct Unpacked {
    path: PathBuf,
    /// Nobody has it while one of its texts is read.
    texts: Option<Texts>,
    /// Sources, in the manifest, that came from it.
    sources: Vec<usize>,
    is_whole: bool,
}

/// A source that is being handed out.
struct Open {
    flow: Flow,
    /// Whether the file is read on elsewhere.
    is_copy: bool,
    name: Arc<str>,
    first: Option<Chunk>,
    hash: Xxh3,
    n_bytes: u64,
    resume: Option<Resume>,
    /// Whether any chunk was handed out.
    is_begun: bool,
}

impl Feed {
    pub(super) fn new(
        files: Vec<PathBuf>,
        named: &[PathBuf],
        manifest: Manifest,
        alike: Alike,
    ) -> Feed {
        Feed {
            files: files.into_iter(),
            named: named.to_vec(),
            current: None,
            file: None,
            n_old_sources: manifest.sources.len(),
            n_chunks: manifest.sources.iter().map(|s| s.chunks.len() as u64).sum(),
            manifest,
            alike,
            unchanged: Vec::new(),
            n_continued: 0,
            replaced: Vec::new(),
            rereads: Vec::new(),
            remarks: Vec::new(),
            refused: None,
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
                if let Some(chunk) = open.next_chunk()? {
                    if let Some(job) = self.job(&chunk) {
                        return Ok(Some(job));
                    }
                    chunk.part.release();
                    if progress.stop.load(Ordering::Relaxed) {
                        return Err(Error::Interrupted);
                    }
                    continue;
                }
                self.close(progress)?;
            }
            if self.file.is_some() {
                self.open_text(progress)?;
            } else if let Some(path) = self.files.next() {
                self.open_file(path, progress)?;
            } else {
                return Ok(None);
            }
        }
    }

    /// What a worker has to do with a chunk; `None` when the index has it.
    fn job(&mut self, chunk: &Chunk) -> Option<Job> {
        let open = self.current.as_mut()?;
        // Hashing as chunks go by spares a source that is larger than memory a reading of its own.
        open.hash.update(&chunk.part);
        open.n_bytes += chunk.part.len() as u64;
        let n_read = open.flow.take_n_read();
        let offset = chunk.part.offset();
        let resume = open.resume.filter(|resume| offset <= resume.offset);
        if resume.is_some_and(|resume| offset < resume.offset) {
            return None;
        }
        let before = (!open.is_begun)
            .then(|| resume.map_or((0, 0), |resume| (resume.before.first_game, resume.n_lines)));
        open.is_begun = true;
        let entry = self.manifest.sources.last_mut()?;
        entry.last_chunk = offset;
        let mut part = chunk.part.clone();
        let mut oversized = false;
        let end = match (&chunk.trouble, chunk.place) {
            (Some(trouble), _) => {
                part.shorten(believable(&part));
                End::Lost(trouble.clone())
            }
            (None, Place::InsideGame) => {
                oversized = true;
                End::Oversized
            }
            (None, Place::Boundary) => End::Clean,
        };
        let name = Arc::clone(&open.name);
        if oversized {
            let trouble = Trouble {
                class: Class::Truncated.as_str(),
                message: "a game is larger than a game can be, and was cut".to_owned(),
            };
            self.remark(&name, trouble, true);
        }
        let number = self.n_chunks;
        self.n_chunks += 1;
        Some(Job {
            source: name,
            source_idx: self.manifest.sources.len() - 1 - self.n_old_sources,
            n_read: n_read.unwrap_or(chunk.part.len() as u64),
            part,
            chunk: number,
            n_known: resume.map_or(0, |resume| resume.n_known),
            before,
            end,
        })
    }

    /// Ends the source that was handed out.
    fn close(&mut self, progress: &Progress) -> Result<()> {
        let Some(open) = self.current.take() else {
            return Ok(());
        };
        let trouble = open.flow.trouble();
        if let Some(entry) = self.manifest.sources.last_mut() {
            entry.bytes = open.n_bytes;
            entry.hash = hex(open.hash.digest128());
            entry.cut = trouble.is_some();
        }
        // A chunk carries its trouble to the report itself. A text without any chunk has to be spoken for.
        if let Some(trouble) = trouble {
            self.remark(&open.name, trouble, open.is_begun);
        }
        if let Some(file) = &mut self.file {
            file.sources.push(self.manifest.sources.len() - 1);
        }
        if open.resume.is_some() && !open.is_begun {
            let changed = std::io::Error::other("the file was changed while it was read");
            return Err(Error::io(&*open.name, changed));
        }
        add(&progress.bytes, open.flow.take_n_read().unwrap_or(0));
        if !open.is_copy {
            let rest = open.flow.into_rest()?;
            self.put_back(rest);
        }
        Ok(())
    }

    /// Goes on with the file that a text came from.
    fn put_back(&mut self, texts: Option<Texts>) {
        if let Some(file) = &mut self.file {
            file.texts = texts;
        }
    }

    /// Takes down that a source, or a part of it, could not be read.
    fn remark(&mut self, name: &str, trouble: Trouble, is_reported: bool) {
        if let Some(file) = &mut self.file {
            file.is_whole = false;
        }
        self.remarks.push(Remark {
            source: name.to_owned(),
            class: Some(trouble.class),
            message: trouble.message,
            is_reported,
        });
    }

    fn open_file(&mut self, path: PathBuf, progress: &Progress) -> Result<()> {
        let texts = match source::open_in(&path, self.alike.encoding) {
            Ok(Opened::Mapped(source)) => {
                return self.open_flow(Flow::mapped(Arc::new(source)), progress);
            }
            Ok(Opened::Texts(texts)) => texts,
            Err(error) => return self.refuse(&path, error),
        };
        if let Some(on_disk) = texts.path()
            && let Some(sources) = self.known_container(on_disk)?
        {
            let n_bytes = on_disk.metadata().map_or(0, |metadata| metadata.len());
            add(&progress.bytes, n_bytes);
            self.unchanged.extend(sources);
            return Ok(());
        }
        self.file = Some(Unpacked {
            path,
            texts: Some(texts),
            sources: Vec::new(),
            is_whole: true,
        });
        Ok(())
    }

    /// A file in a form that is not read stops nothing but itself. Nor does one that the system does not open when it was
    /// found in a directory: nobody asked for it, and all else that is there would be lost with it. Who names a file wants
    /// that one, and learns of it before anything is committed.
    fn refuse(&mut self, path: &Path, error: Error) -> Result<()> {
        let trouble = match &error {
            Error::Source { class, message, .. } => Trouble {
                class,
                message: message.clone(),
            },
            Error::Io { source, .. } if !self.named.iter().any(|named| named == path) => Trouble {
                class: Class::UnsupportedContainer.as_str(),
                message: format!("cannot be opened: {source}"),
            },
            _ => return Err(error),
        };
        self.remark(&path.to_string_lossy(), trouble, false);
        self.refused.get_or_insert(error);
        Ok(())
    }

    /// The next text of the file that is being unpacked.
    fn open_text(&mut self, progress: &Progress) -> Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        let Some(texts) = file.texts.take() else {
            return Ok(());
        };
        let next = match texts.next_text() {
            Ok(next) => next,
            Err(error) => return self.refuse(&file.path, error),
        };
        match next {
            Next::Text(text) => {
                self.file = Some(file);
                self.open_flow(Flow::stream(text), progress)
            }
            Next::Done(done) => {
                if let Some(trouble) = done.trouble {
                    self.remark(&file.path.to_string_lossy(), trouble, false);
                } else if let Some(packed) = done.packed
                    && file.is_whole
                {
                    self.manifest.containers.push(ContainerEntry {
                        bytes: packed.bytes,
                        hash: hex(packed.hash),
                        sources: file.sources,
                    });
                }
                Ok(())
            }
        }
    }

    /// Begins a text, unless the index has it.
    fn open_flow(&mut self, mut flow: Flow, progress: &Progress) -> Result<()> {
        let mut first = flow.next_chunk()?;
        let n_old = self.n_old_sources;
        let mut candidates = candidates(&self.manifest, n_old, self.alike, first.as_ref());
        let mut read_again = Vec::new();
        let mut resume = None;
        let mut is_copy = false;
        if !candidates.is_empty() {
            if flow.is_once() {
                let (copy, rest) = flow.into_copy(first)?;
                self.put_back(rest);
                (flow, is_copy) = (copy, true);
                first = flow.next_chunk()?;
            }
            let (known, old) = look_up(
                &self.manifest,
                n_old,
                &mut candidates,
                first,
                &mut flow,
                &progress.stop,
            )?;
            read_again = old;
            match known {
                Known::Unchanged(idx) => {
                    self.unchanged.push(idx);
                    add(
                        &progress.bytes,
                        flow.take_n_read()
                            .unwrap_or(self.manifest.sources[idx].bytes),
                    );
                    if let Some(trouble) = flow.trouble() {
                        self.remark(flow.name(), trouble, false);
                    }
                    if let Some(file) = &mut self.file {
                        file.sources.push(idx);
                    }
                    if !is_copy {
                        self.put_back(flow.into_rest()?);
                    }
                    return Ok(());
                }
                Known::Continues(known) => resume = Some(known),
                Known::New => {}
            }
            let (again, rest) = flow.restart()?;
            flow = again;
            if rest.is_some() {
                is_copy = true;
                self.put_back(rest);
            }
            first = flow.next_chunk()?;
        }
        let name: Arc<str> = flow.name().into();
        match resume {
            Some(resume) => {
                self.n_continued += resume.before.first_game;
                if resume.replaces {
                    self.replaced.push(resume.before.source);
                }
            }
            None => self.say_if_changed(&name),
        }
        let start = first.as_ref().map_or(&[][..], |chunk| &chunk.part);
        let Alike {
            reading,
            encoding,
            variations,
        } = self.alike;
        self.manifest.sources.push(SourceEntry {
            name: name.to_string(),
            bytes: 0,
            hash: String::new(),
            head: head(start),
            language: reading.letters().map(str::to_owned),
            notation: reading.first().form.map(|form| form.name().to_owned()),
            encoding: encoding.map(|encoding| encoding.name().to_owned()),
            variations,
            chunks: Vec::new(),
            last_chunk: 0,
            cut: false,
            continues: resume.map(|resume| resume.before),
            replaced_by: None,
        });
        if !read_again.is_empty() {
            self.rereads.push(Reread {
                source: self.manifest.sources.len() - 1,
                old: read_again,
            });
        }
        self.current = Some(Open {
            flow,
            is_copy,
            name,
            first,
            hash: Xxh3::new(),
            n_bytes: 0,
            resume,
            is_begun: false,
        });
        Ok(())
    }

    /// A source of this name was imported before, and this is another text.
    fn say_if_changed(&mut self, name: &str) {
        let old = &self.manifest.sources[..self.n_old_sources];
        let is_known = |entry: &SourceEntry| entry.name == name && self.alike.is(entry);
        if name != "-" && old.iter().any(is_known) {
            self.remarks.push(Remark {
                source: name.to_owned(),
                class: None,
                message: "changed since it was imported, and not only at its end; \
                          all of it was imported as a new source"
                    .to_owned(),
                is_reported: true,
            });
        }
    }

    /// The sources that came from this compressed file, if it is known.
    fn known_container(&self, path: &Path) -> Result<Option<Vec<usize>>> {
        let n_bytes = path.metadata().map_err(|e| Error::io(path, e))?.len();
        let sources = &self.manifest.sources;
        let is_alike = |container: &&ContainerEntry| {
            let mut entries = container.sources.iter().map(|&idx| sources.get(idx));
            container.bytes == n_bytes
                && !container.sources.is_empty()
                && entries.all(|entry| entry.is_some_and(|entry| self.alike.is(entry)))
        };
        let candidates: Vec<_> = self.manifest.containers.iter().filter(is_alike).collect();
        if candidates.is_empty() {
            return Ok(None);
        }
        let hash = hex(hash_file(path)?.hash);
        let known = candidates.iter().find(|container| container.hash == hash);
        Ok(known.map(|container| container.sources.clone()))
    }

    /// What the feed knows at its end, given what was in each new chunk.
    pub(super) fn finish(mut self, chunks: &[ChunkCount]) -> Fed {
        for &ChunkCount {
            source_idx,
            n_games,
            ..
        } in chunks
        {
            if let Some(entry) = self
                .manifest
                .sources
                .get_mut(self.n_old_sources + source_idx)
            {
                entry.chunks.push(n_games);
            }
        }
        env!("CARGO_PKG_VERSION").clone_into(&mut self.manifest.written_by);
        let unchanged = self.unchanged.iter();
        let unchanged = unchanged.filter_map(|&idx| self.manifest.sources.get(idx));
        let n_unchanged = unchanged.map(SourceEntry::n_games_in_text).sum::<u64>();
        Fed {
            n_unchanged: n_unchanged + self.n_continued,
            n_old_sources: self.n_old_sources,
            manifest: self.manifest,
            replaced: self.replaced,
            rereads: self.rereads,
            remarks: self.remarks,
            refused: self.refused,
        }
    }
}

/// What the feed knows at its end.
pub(super) struct Fed {
    /// With the new sources.
    pub(super) manifest: Manifest,
    /// Games that the index had already.
    pub(super) n_unchanged: u64,
    /// How many of the sources are not new.
    pub(super) n_old_sources: usize,
    /// Sources whose last game goes, because its longer version has come.
    pub(super) replaced: Vec<usize>,
    /// Sources that the index had in another reading.
    pub(super) rereads: Vec<Reread>,
    pub(super) remarks: Vec<Remark>,
    /// Why the first of the files that could not be read at all was refused.
    pub(super) refused: Option<Error>,
}

impl Open {
    fn next_chunk(&mut self) -> Result<Option<Chunk>> {
        match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => self.flow.next_chunk(),
        }
    }
}

fn add(counter: &AtomicU64, n: u64) {
    counter.fetch_add(n, Ordering::Relaxed);
}
