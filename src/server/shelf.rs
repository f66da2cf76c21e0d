//! The indexes that are served, by name.
//!
//! An index is opened once and asked many times. An import may add to it meanwhile: its commit replaces `meta.json`, so
//! a look at that file's time and size before each question tells whether there is something new. A question that has
//! begun keeps the index as it was opened; nothing ever mixes two commits.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use crate::error::{Error, Result};
use crate::search::Searcher;

/// What tells one commit of an index from the next: time and size of its description.
type Stamp = Option<(SystemTime, u64)>;

/// The indexes.
pub(super) struct Shelf {
    indexes: Vec<ServedIndex>,
}

/// An index that is served.
pub(super) struct ServedIndex {
    name: String,
    path: PathBuf,
    opened: RwLock<Searcher>,
    /// The commit that was opened last, or that could not be opened. Held while one is being opened.
    stamp: Mutex<Stamp>,
    log: fn(&str),
}

impl Shelf {
    pub(super) fn open(paths: &[PathBuf], log: fn(&str)) -> Result<Shelf> {
        let mut names = HashSet::new();
        let mut indexes = Vec::new();
        for path in paths {
            let index = ServedIndex::open(path, log)?;
            if !names.insert(index.name.clone()) {
                return Err(Error::io(
                    path,
                    std::io::Error::other(format!("another index is served as `{}`", index.name)),
                ));
            }
            indexes.push(index);
        }
        Ok(Shelf { indexes })
    }

    /// The index with this name, and its place; the first one when no name is given.
    pub(super) fn get(&self, name: Option<&str>) -> Option<(usize, &ServedIndex)> {
        let mut indexes = self.indexes.iter().enumerate();
        match name {
            None => indexes.next(),
            Some(name) => indexes.find(|(_, index)| index.name == name),
        }
    }

    /// The index at a place.
    pub(super) fn at(&self, place: usize) -> Option<&ServedIndex> {
        self.indexes.get(place)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ServedIndex> {
        self.indexes.iter()
    }
}

impl ServedIndex {
    fn open(path: &Path, log: fn(&str)) -> Result<ServedIndex> {
        // The stamp is older than what is opened, if they differ, so that nothing is missed.
        let stamp = stamp_of(path);
        let opened = Searcher::open(path)?;
        // `.` and `games/..` have no name of their own.
        let named = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = named.file_stem().unwrap_or(named.as_os_str());
        Ok(ServedIndex {
            name: name.to_string_lossy().into_owned(),
            path: path.to_owned(),
            opened: RwLock::new(opened),
            stamp: Mutex::new(stamp),
            log,
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The index at its last commit. If that cannot be opened, the one before it goes on answering.
    pub(super) fn searcher(&self) -> Searcher {
        // Somebody who finds it being opened need not wait: until it is, the commit before is the last one.
        if let Ok(mut opened) = self.stamp.try_lock() {
            let stamp = stamp_of(&self.path);
            if *opened != stamp {
                match Searcher::open(&self.path) {
                    Ok(searcher) => {
                        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = searcher;
                    }
                    Err(error) => (self.log)(&format!(
                        "{}: the last commit cannot be opened, the one before is served: {error}",
                        self.name
                    )),
                }
                *opened = stamp;
            }
        }
        self.opened
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn stamp_of(path: &Path) -> Stamp {
    let metadata = fs::metadata(path.join("meta.json")).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
