//! The directory of an index: tantivy's own, but files reach the disk while the next ones are being computed.
//!
//! tantivy syncs each file when it is closed, and a worker that has just written hundreds of megabytes waits for the disk,
//! which had nothing to do before and has nothing to do after. Here a thread of the directory syncs: from time to time
//! what has been written of a file, and the whole of it once it is closed. Nothing needs these files to be on disk before
//! a commit names them, and tantivy asks for the directory to be synced right before it does; there it waits for
//! everything, and hears what failed. It saves a tenth of the wall time of a large import (bench `import`).

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

/// Bytes that are gathered before the system is asked to write them.
const BUFFER_BYTES: usize = 256 << 10;
/// Bytes of a file after which what there is of it is sent to the disk.
const SYNC_EVERY: usize = 16 << 20;

/// An index directory whose files are synced by a thread of its own.
#[derive(Clone, Debug)]
pub(crate) struct IndexDirectory {
    inner: MmapDirectory,
    path: PathBuf,
    syncer: Arc<Syncer>,
}

impl IndexDirectory {
    pub(crate) fn open(path: &Path) -> tantivy::Result<IndexDirectory> {
        Ok(IndexDirectory {
            inner: MmapDirectory::open(path)?,
            path: path.to_owned(),
            syncer: Arc::default(),
        })
    }
}

impl Directory for IndexDirectory {
    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create_new(true)
            .open(self.path.join(path));
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        let file = Arc::new(file);
        Ok(WritePtr::new(Box::new(SyncedFile {
            out: BufWriter::with_capacity(BUFFER_BYTES, SharedFile(Arc::clone(&file))),
            file,
            syncer: Arc::clone(&self.syncer),
            n_unsynced: 0,
        })))
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.syncer.wait()?;
        self.inner.sync_directory()
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.inner.atomic_write(path, data)
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

/// A file that a writer and the syncer hold.
struct SharedFile(Arc<File>);

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.0).flush()
    }
}

/// A file that is being written.
struct SyncedFile {
    out: BufWriter<SharedFile>,
    file: Arc<File>,
    syncer: Arc<Syncer>,
    /// Bytes since the syncer last heard of the file.
    n_unsynced: usize,
}

impl Write for SyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.n_unsynced += n;
        if self.n_unsynced >= SYNC_EVERY {
            self.n_unsynced = 0;
            self.syncer.sync(&self.file);
        }
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl TerminatingWrite for SyncedFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.out.flush()?;
        self.syncer.sync(&self.file);
        Ok(())
    }
}

/// Syncs files, one after the other, in a thread that begins with the first of them.
#[derive(Debug, Default)]
struct Syncer {
    queue: Mutex<Option<Sender<Arc<File>>>>,
    progress: Arc<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    n_pending: usize,
    /// What failed first. It is told to everyone who waits from then on: whoever asks first need not be the commit.
    failure: Option<(io::ErrorKind, String)>,
}

impl Progress {
    fn done(&self, synced: io::Result<()>) {
        let mut state = lock(&self.state);
        state.n_pending -= 1;
        if let Err(error) = synced {
            state
                .failure
                .get_or_insert_with(|| (error.kind(), error.to_string()));
        }
        self.changed.notify_all();
    }
}

impl Syncer {
    /// Asks for what has been written of a file to be brought to the disk.
    fn sync(&self, file: &Arc<File>) {
        lock(&self.progress.state).n_pending += 1;
        let mut queue = lock(&self.queue);
        if queue.is_none() {
            *queue = self.start().ok();
        }
        let sent = match &*queue {
            Some(queue) => queue.send(Arc::clone(file)).is_ok(),
            None => false,
        };
        if !sent {
            // Without a thread the caller waits, as with tantivy's own directory.
            self.progress.done(file.sync_data());
        }
    }

    fn start(&self) -> io::Result<Sender<Arc<File>>> {
        let (sender, files) = mpsc::channel::<Arc<File>>();
        let progress = Arc::clone(&self.progress);
        let thread = thread::Builder::new().name("index-sync".to_owned());
        thread.spawn(move || {
            for file in files {
                progress.done(file.sync_data());
            }
        })?;
        Ok(sender)
    }

    /// Waits until everything that was asked for is on disk, and says what failed.
    fn wait(&self) -> io::Result<()> {
        let mut state = lock(&self.progress.state);
        while state.n_pending > 0 {
            let waited = self.progress.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        match &state.failure {
            Some((kind, text)) => Err(io::Error::new(*kind, text.clone())),
            None => Ok(()),
        }
    }
}

/// What is under these locks is whole at any time, also when a thread panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_there_when_the_directory_is_synced() {
        let dir = tempfile::tempdir().expect("a directory");
        let directory = IndexDirectory::open(dir.path()).expect("a directory of tantivy's");
        let bytes: Vec<u8> = (0..=SYNC_EVERY + BUFFER_BYTES).map(|i| i as u8).collect();
        for name in ["a", "b"] {
            let mut out = directory.open_write(Path::new(name)).expect("a new file");
            out.write_all(&bytes).expect("room");
            out.terminate().expect("an end");
        }
        directory.sync_directory().expect("files on disk");
        assert_eq!(lock(&directory.syncer.progress.state).n_pending, 0);
        let again = directory.open_write(Path::new("a"));
        assert!(matches!(again, Err(OpenWriteError::FileAlreadyExists(_))));
        let read = directory.open_read(Path::new("b")).expect("a file");
        assert_eq!(*read.read_bytes().expect("bytes"), bytes);
    }

    #[test]
    fn what_could_not_be_synced_fails_the_commit_that_waits_for_it() {
        let syncer = Syncer::default();
        // A pipe cannot be synced.
        let (_reader, writer) = io::pipe().expect("a pipe");
        let pipe: std::os::fd::OwnedFd = writer.into();
        syncer.sync(&Arc::new(File::from(pipe)));
        assert!(syncer.wait().is_err());
        assert!(syncer.wait().is_err(), "told to everyone who waits");
    }
}
