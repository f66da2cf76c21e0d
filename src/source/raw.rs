//! The bytes of a file as they lie on the disk or come out of a pipe: counted, hashed, and with the system's own errors
//! kept apart from those of a decoder, because a bad disk stops an import and a bad archive does not.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::Xxh3;

use crate::error::{Error, Result};

/// Where bytes come from.
#[derive(Debug)]
pub(super) enum Input {
    /// A file that can be read as often as wanted.
    File(PathBuf),
    /// A copy of what could be read only once.
    Copy(NamedTempFile),
    /// Standard input or a pipe, which the reading thread has.
    Once,
}

impl Input {
    /// The file, unless this can be read only once.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Copy(file) => Some(file.path()),
            Input::Once => None,
        }
    }
}

/// Size and hash of a compressed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Its size in bytes.
    pub bytes: u64,
    /// XXH3-128 of its bytes.
    pub hash: u128,
}

/// Size and hash of a file.
///
/// # Errors
///
/// When it cannot be read.
pub fn hash_file(path: &Path) -> Result<Packed> {
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let raw = Raw::new(file, Arc::default());
    raw.drain().map_err(|e| Error::io(path, e))?;
    Ok(raw.packed())
}

/// A reader whose clones read on where the last one stopped, so that what a decoder leaves over can be looked at.
#[derive(Clone)]
pub(super) struct Raw {
    state: Arc<Mutex<State>>,
    n_read: Arc<AtomicU64>,
}

struct State {
    reader: Box<dyn Read + Send>,
    hash: Xxh3,
    n_bytes: u64,
    failure: Option<io::Error>,
}

impl Raw {
    /// A reader that adds what it reads to `n_read`.
    pub(super) fn new(reader: impl Read + Send + 'static, n_read: Arc<AtomicU64>) -> Raw {
        let state = State {
            reader: Box::new(reader),
            hash: Xxh3::new(),
            n_bytes: 0,
            failure: None,
        };
        Raw {
            state: Arc::new(Mutex::new(state)),
            n_read,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads to the end.
    pub(super) fn drain(&self) -> io::Result<()> {
        io::copy(&mut self.clone(), &mut io::sink()).map(drop)
    }

    /// What was read so far.
    pub(super) fn packed(&self) -> Packed {
        let state = self.state();
        Packed {
            bytes: state.n_bytes,
            hash: state.hash.digest128(),
        }
    }

    /// The error of the system, if there was one.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.state().failure.take()
    }
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state();
        match state.reader.read(buffer) {
            Ok(n) => {
                state.hash.update(&buffer[..n]);
                state.n_bytes += n as u64;
                self.n_read.fetch_add(n as u64, Ordering::Relaxed);
                Ok(n)
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Err(e),
            Err(e) => {
                let kind = e.kind();
                state.failure = Some(e);
                Err(kind.into())
            }
        }
    }
}
