//! Bytes in: files by memory map, pipes and empty files by reading, text encodings made UTF-8 where they must be.
//!
//! A source is one file that games come from. Nothing here knows what a game is.

mod mmap;

use std::fs::{self, File};
use std::io::Read;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The bytes of one file, whole and readable as a slice.
#[derive(Debug)]
pub struct Source {
    name: String,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Mapped(mmap::Mapping),
    Owned(Vec<u8>),
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

impl Source {
    /// A source of bytes at hand.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Source {
        Source {
            name: name.into(),
            bytes: Bytes::Owned(bytes),
        }
    }

    /// Opens a file, or standard input for `-`.
    ///
    /// Regular files are mapped; pipes, empty files and UTF-16 files are read into memory.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is in a form that is not supported.
    pub fn open(path: &Path) -> Result<Source> {
        let name = path.to_string_lossy().into_owned();
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|e| Error::io(path, e))?;
            return Source::of(name, Bytes::Owned(bytes), path);
        }
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        let metadata = file.metadata().map_err(|e| Error::io(path, e))?;
        let bytes = if metadata.is_file() && metadata.len() > 0 {
            Bytes::Mapped(mmap::Mapping::new(&file).map_err(|e| Error::io(path, e))?)
        } else {
            let mut bytes = Vec::new();
            (&file)
                .read_to_end(&mut bytes)
                .map_err(|e| Error::io(path, e))?;
            Bytes::Owned(bytes)
        };
        Source::of(name, bytes, path)
    }

    fn of(name: String, bytes: Bytes, path: &Path) -> Result<Source> {
        let mut source = Source { name, bytes };
        if let Some(container) = container(&source) {
            return Err(Error::Source {
                path: path.to_owned(),
                class: "unsupported_container",
                message: format!("this is a {container} file; unpack it first"),
            });
        }
        let encoding = match &source[..] {
            [0xff, 0xfe, ..] => Some(encoding_rs::UTF_16LE),
            [0xfe, 0xff, ..] => Some(encoding_rs::UTF_16BE),
            _ => None,
        };
        if let Some(encoding) = encoding {
            let text = encoding.decode(&source).0.into_owned();
            source.bytes = Bytes::Owned(text.into_bytes());
        }
        Ok(source)
    }

    /// The name under which its games are known: the path as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lets go of the memory behind a part that was read, so that a source larger than memory can be read to its end.
    pub fn release(&self, range: Range<usize>) {
        if let Bytes::Mapped(map) = &self.bytes {
            map.release(range);
        }
    }
}

/// The kind of a compressed file, by its first bytes.
fn container(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some("zstd"),
        [0x1f, 0x8b, ..] => Some("gzip"),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Some("bzip2"),
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some("zip"),
        [b'7', b'z', 0xbc, 0xaf, ..] => Some("7z"),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Some("xz"),
        _ => None,
    }
}

/// The files that the arguments of an import mean, in order: directories are walked, and their `.pgn` files sorted by
/// path; a file that is named is taken whatever its name.
///
/// # Errors
///
/// When something does not exist or a directory cannot be read.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            found.push(path.clone());
            continue;
        }
        let metadata = fs::metadata(path).map_err(|e| Error::io(path, e))?;
        if !metadata.is_dir() {
            found.push(path.clone());
            continue;
        }
        for entry in walkdir::WalkDir::new(path)
            .follow_links(true)
            .sort_by_file_name()
        {
            let entry = entry.map_err(|e| {
                let at = e.path().unwrap_or(path).to_owned();
                Error::io(
                    at,
                    e.into_io_error()
                        .unwrap_or_else(|| std::io::Error::other("a loop of links")),
                )
            })?;
            let is_pgn = entry
                .path()
                .extension()
                .is_some_and(|ext| ext.eq_ignore_ascii_case("pgn"));
            if is_pgn && !entry.file_type().is_dir() {
                found.push(entry.into_path());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_directory_means_its_pgn_files_in_order() {
        let dir = tempfile::tempdir().expect("a directory");
        fs::create_dir(dir.path().join("sub")).expect("a directory");
        for name in ["b.pgn", "a.PGN", "notes.txt", "sub/c.pgn"] {
            fs::write(dir.path().join(name), name).expect("a file");
        }
        let found = discover(&[dir.path().to_owned()]).expect("files");
        let names: Vec<_> = found
            .iter()
            .map(|p| p.strip_prefix(dir.path()).expect("inside").to_owned())
            .collect();
        assert_eq!(names, ["a.PGN", "b.pgn", "sub/c.pgn"].map(PathBuf::from));
    }

    #[test]
    fn empty_files_and_utf_16_are_read() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        assert_eq!(&Source::open(file.path()).expect("a source")[..], b"");
        file.write_all(b"\xff\xfe[\0A\0").expect("written");
        assert_eq!(&Source::open(file.path()).expect("a source")[..], b"[A");
    }

    #[test]
    fn a_container_is_named_and_refused() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(&[0x28, 0xb5, 0x2f, 0xfd, 0])
            .expect("written");
        let message = Source::open(file.path()).expect_err("refused").to_string();
        assert!(
            message.contains("unsupported_container") && message.contains("zstd"),
            "{message}"
        );
    }
}
