//! Building an index: workers fill segments of their own, and one commit makes all of them visible.
//!
//! A worker fills a segment of its own (`builder.rs`) and hands it, finished, to tantivy's `IndexWriter`, so that no
//! document ever crosses a channel and the number of workers is ours to choose.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tantivy::TantivyError;
use tantivy::index::SegmentMeta;
use tantivy::indexer::IndexWriter;

use crate::error::{Error, Result};
use crate::index::builder::SegmentBuilder;
use crate::index::document::NoDocument;
use crate::index::manifest::Manifest;
use crate::index::merging::Merging;
use crate::index::schema::Fields;
use crate::index::{GamesQuery, IndexStore, SequenceQuery, index_error};

/// What tantivy's own idle worker wants.
const LEAST_MEMORY: usize = 15_000_000;
/// How often the lock is asked for, and how long is waited in between. A process that is being started holds a copy of every lock
/// of its parent until it runs its own program, so a lock that was given back can seem to be taken for a moment.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// An index that is being written: games are added or taken out. One at a time holds its lock.
pub(crate) struct Import {
    writer: IndexWriter<NoDocument>,
    index: tantivy::Index,
    fields: Fields,
    path: PathBuf,
}

impl Import {
    /// Takes the lock.
    pub(crate) fn new(store: &IndexStore) -> Result<Import> {
        let path = store.path().to_owned();
        let index = store.tantivy().clone();
        let mut n_tries = 0;
        let writer: IndexWriter<NoDocument> = loop {
            n_tries += 1;
            match index.writer_with_num_threads(1, LEAST_MEMORY) {
                Ok(writer) => break writer,
                Err(TantivyError::LockFailure(..)) if n_tries < LOCK_TRIES => {
                    std::thread::sleep(LOCK_PAUSE);
                }
                Err(TantivyError::LockFailure(..)) => return Err(Error::Locked(path)),
                Err(error) => return Err(index_error(&path, error)),
            }
        };
        // Whoever committed between the opening and the lock is gone, and what was read before is not the index any more.
        if !store.is_current() {
            return Err(Error::Locked(path));
        }
        writer.set_merge_policy(Box::new(Merging::new()));
        let import = Import {
            writer,
            index,
            fields: store.fields(),
            path,
        };
        import.collect_leftovers()?;
        Ok(import)
    }

    /// Removes what killed writers left behind. It would stand in the way besides taking space: a list of deletions is
    /// named by a counter that a killed removal did not move on.
    fn collect_leftovers(&self) -> Result<()> {
        self.writer
            .garbage_collect_files()
            .wait()
            .map_err(|e| index_error(&self.path, e))?;
        // tantivy replaces its two descriptions by way of files that it does not list.
        for entry in fs::read_dir(&self.path).map_err(|e| Error::io(&self.path, e))? {
            let entry = entry.map_err(|e| Error::io(&self.path, e))?;
            if entry.file_name().to_string_lossy().starts_with(".tmp") {
                fs::remove_file(entry.path()).map_err(|e| Error::io(entry.path(), e))?;
            }
        }
        Ok(())
    }

    /// Takes games out; they are gone with the commit.
    pub(crate) fn remove(&self, games: GamesQuery) -> Result<()> {
        self.writer
            .delete_query(Box::new(games))
            .map(drop)
            .map_err(|e| index_error(&self.path, e))
    }

    /// Takes out the games that longer versions of them replace; they are gone with the commit.
    pub(crate) fn replace(&self, games: SequenceQuery) -> Result<()> {
        self.writer
            .delete_query(Box::new(games))
            .map(drop)
            .map_err(|e| index_error(&self.path, e))
    }

    /// A new segment that is full when it uses about `memory` bytes.
    pub(crate) fn segment(&self, memory: usize) -> Result<SegmentBuilder> {
        SegmentBuilder::new(self.index.new_segment(), self.fields, memory, &self.path)
    }

    /// Adds a finished segment; it becomes visible with the commit.
    pub(crate) fn add(&self, finished: SegmentMeta) -> Result<()> {
        self.writer
            .add_segment(finished)
            .map_err(|e| index_error(&self.path, e))
    }

    /// Makes everything that was added visible, together with the manifest.
    pub(crate) fn commit(mut self, manifest: &Manifest) -> Result<()> {
        let payload = manifest.payload()?;
        let committed = self.writer.prepare_commit().and_then(|mut commit| {
            commit.set_payload(&payload);
            commit.commit()
        });
        if let Err(error) = committed {
            let error = index_error(&self.path, error);
            // The first error is the one to tell.
            let _ = self.rollback();
            return Err(error);
        }
        self.writer
            .wait_merging_threads()
            .map_err(|e| index_error(&self.path, e))
    }

    /// Drops everything that was added, and its files.
    pub(crate) fn rollback(mut self) -> Result<()> {
        self.writer
            .rollback()
            .map_err(|e| index_error(&self.path, e))?;
        // A full disk may be why there is a rollback. What cannot be cleared away now is left to the next writer.
        let _ = self.collect_leftovers();
        Ok(())
    }
}

/// An ECO code as a number: the letter from A times 100, plus the number. What follows the three characters is dropped.
pub(crate) fn eco_number(text: &str) -> Option<u32> {
    let text = text.trim().as_bytes();
    match text {
        [letter, tens, ones, ..]
            if letter.is_ascii_alphabetic() && tens.is_ascii_digit() && ones.is_ascii_digit() =>
        {
            let letter = u32::from(letter.to_ascii_uppercase() - b'A');
            (letter < 5)
                .then_some(letter * 100 + u32::from(tens - b'0') * 10 + u32::from(ones - b'0'))
        }
        _ => None,
    }
}

/// The ECO code that a number stands for.
pub(crate) fn eco_text(number: u32) -> String {
    format!(
        "{}{:02}",
        char::from(b'A' + (number / 100) as u8),
        number % 100
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_opened_an_index_before_another_wrote_it_does_not_write() {
        let dir = tempfile::tempdir().expect("a directory");
        let early = IndexStore::open_or_create(dir.path()).expect("an index");
        let late = IndexStore::open(dir.path()).expect("an index");
        let writer = Import::new(&late).expect("nobody else writes");
        assert!(matches!(Import::new(&early), Err(Error::Locked(_))));
        let mut manifest = late.manifest().clone();
        "another version".clone_into(&mut manifest.written_by);
        writer.commit(&manifest).expect("a commit");
        // The lock is free, but the list of files that `early` would write back is that of before.
        assert!(matches!(Import::new(&early), Err(Error::Locked(_))));
        let again = IndexStore::open(dir.path()).expect("an index");
        Import::new(&again)
            .and_then(|writer| writer.commit(again.manifest()))
            .expect("a commit");
    }
}
