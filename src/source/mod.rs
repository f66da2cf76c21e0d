//! Bytes in: files by memory map, everything else as a stream that is unpacked on a thread of its own.
//!
//! A *text* is what games come from: a file, standard input, or a member of an archive, unpacked and in UTF-8 or
//! Windows-1252. A regular file that is such a text is mapped; pipes, compressed files and texts in UTF-16, or in an
//! encoding that whoever imports them names, arrive in blocks, so that memory stays bounded whatever their size. Nothing here knows what a game is.

mod decode;
mod discover;
mod form;
mod members;
mod mmap;
mod part;
mod raw;
mod stream;
mod transcode;

use std::fs::File;
use std::io::Read;
use std::ops::{Deref, Range};
use std::path::Path;

pub use discover::discover;
pub use part::Part;
pub use raw::{Packed, hash_file};
pub use stream::{Done, Next, Text, TextEnd, Texts, Trouble};
pub use transcode::TextEncoding;

use crate::error::{Error, Result};
use crate::source::form::{Encoding, Form};

/// The bytes of one text, whole and readable as a slice.
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

/// What is at a path.
#[derive(Debug)]
pub enum Opened {
    /// One text, mapped.
    Mapped(Source),
    /// Texts that arrive in blocks.
    Texts(Texts),
}

/// Opens a file, or standard input for `-`.
///
/// # Errors
///
/// When the file cannot be read, or is in a form that is not supported.
pub fn open(path: &Path) -> Result<Opened> {
    open_in(path, None)
}

/// The same, of texts in another encoding than those that are known by themselves. A byte-order mark says more than `encoding`.
///
/// # Errors
///
/// As for [`open`].
pub fn open_in(path: &Path, encoding: Option<TextEncoding>) -> Result<Opened> {
    let name = path.to_string_lossy().into_owned();
    if path == Path::new("-") {
        return Texts::of_reader_in(name, Box::new(std::io::stdin()), encoding).map(Opened::Texts);
    }
    let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
    let metadata = file.metadata().map_err(|e| Error::io(path, e))?;
    if !metadata.is_file() {
        return Texts::of_reader_in(name, Box::new(file), encoding).map(Opened::Texts);
    }
    let first = form::first_bytes(&mut file).map_err(|e| Error::io(path, e))?;
    if form::form(&first) != Form::Text(Encoding::Utf8) || encoding.is_some() {
        return Texts::of_file(name, path, encoding).map(Opened::Texts);
    }
    let bytes = if metadata.len() == 0 {
        Bytes::Owned(Vec::new())
    } else {
        Bytes::Mapped(mmap::Mapping::new(&file).map_err(|e| Error::io(path, e))?)
    };
    Ok(Opened::Mapped(Source { name, bytes }))
}

impl Source {
    /// A source of bytes at hand.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Source {
        Source {
            name: name.into(),
            bytes: Bytes::Owned(bytes),
        }
    }

    /// A mapped file of text, under another name than its own.
    pub(crate) fn of_file(name: String, file: &File) -> std::io::Result<Source> {
        let bytes = if file.metadata()?.len() == 0 {
            Bytes::Owned(Vec::new())
        } else {
            Bytes::Mapped(mmap::Mapping::new(file)?)
        };
        Ok(Source { name, bytes })
    }

    /// Opens a file and has all of its text at hand: mapped, or else read into memory, one member after the other.
    ///
    /// # Errors
    ///
    /// As for [`open`]; also when the text is cut short.
    pub fn read_whole(path: &Path) -> Result<Source> {
        let mut texts = match open(path)? {
            Opened::Mapped(source) => return Ok(source),
            Opened::Texts(texts) => texts,
        };
        let mut bytes = Vec::new();
        loop {
            let mut text = match texts.next_text()? {
                Next::Text(text) => text,
                Next::Done(Done {
                    trouble: Some(trouble),
                    ..
                }) => return Err(trouble.into_error(path)),
                Next::Done(_) => return Ok(Source::from_bytes(path.to_string_lossy(), bytes)),
            };
            while let Some(block) = text.next_block()? {
                bytes.extend_from_slice(&block);
            }
            if let Some(TextEnd::Cut(trouble)) = text.end() {
                return Err(trouble.clone().into_error(path));
            }
            texts = text.into_rest()?;
        }
    }

    /// The name under which its games are known: the path as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn release(&self, range: Range<usize>) {
        if let Bytes::Mapped(map) = &self.bytes {
            map.release(range);
        }
    }
}

/// Reads until `bytes` are there, or the end.
fn read_up_to(reader: &mut dyn Read, bytes: &mut Vec<u8>, n: usize) -> std::io::Result<()> {
    reader
        .take((n - bytes.len()) as u64)
        .read_to_end(bytes)
        .map(drop)
}

#[cfg(test)]
mod tests;
