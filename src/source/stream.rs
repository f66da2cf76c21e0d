//! Texts that arrive in blocks: a thread of its own reads and unpacks, and stays a few blocks ahead of who takes them.

use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use tempfile::NamedTempFile;

use crate::error::{Error, Result};
use crate::source::form::{Encoding, FIRST_BYTES, Form, first_bytes, form};
use crate::source::raw::{Input, Packed, Raw};
use crate::source::transcode::{TextEncoding, Transcoder};
use crate::source::{decode, members};

/// Size of a block, in bytes.
const BLOCK_BYTES: usize = 256 << 10;
/// Blocks that may wait to be taken.
const N_BLOCKS: usize = 8;
/// How many compressions are taken off one text: `.pgn.gz` in an archive is one more than usual.
const MAX_LAYERS: usize = 3;

/// How a text ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextEnd {
    /// With all that there is.
    Whole,
    /// Too early; what came before it is good.
    Cut(Trouble),
}

/// Why something could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// `truncated_container`, `unsupported_container` or `unsupported_encoding`.
    pub class: &'static str,
    /// What is the matter.
    pub message: String,
}

impl Trouble {
    pub(super) fn truncated(message: impl Into<String>) -> Trouble {
        Trouble {
            class: "truncated_container",
            message: message.into(),
        }
    }

    pub(super) fn unsupported(message: impl Into<String>) -> Trouble {
        Trouble {
            class: "unsupported_container",
            message: message.into(),
        }
    }

    /// As the error that it is when there is nothing else to read.
    pub fn into_error(self, path: impl Into<PathBuf>) -> Error {
        Error::Source {
            path: path.into(),
            class: self.class,
            message: self.message,
        }
    }
}

/// What the thread sends.
pub(super) enum Event {
    Text(String),
    Block(Vec<u8>),
    End(TextEnd),
    Failed(Error),
    Done(Done),
}

/// What there is to say after the last text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Size and hash of the file, if it is one that texts were unpacked from.
    pub packed: Option<Packed>,
    /// What is the matter with the file as a whole.
    pub trouble: Option<Trouble>,
}

/// The other side is not listening any more.
pub(super) struct Gone;

/// Where the thread sends to.
pub(super) struct Outlet {
    events: SyncSender<Event>,
    /// What texts are in that do not say it themselves.
    encoding: Option<TextEncoding>,
}

impl Outlet {
    pub(super) fn send(&self, event: Event) -> Result<(), Gone> {
        self.events.send(event).map_err(|_| Gone)
    }

    /// Sends a text: name, blocks, end.
    pub(super) fn text(&self, name: String, mut reader: &mut dyn Read) -> Result<(), Gone> {
        self.send(Event::Text(name))?;
        let end = self.unpack(&mut reader, MAX_LAYERS)?;
        self.send(Event::End(end))
    }

    fn unpack(&self, reader: &mut dyn Read, layers: usize) -> Result<TextEnd, Gone> {
        let mut first = vec![0; FIRST_BYTES];
        let (n, error) = fill(reader, &mut first);
        first.truncate(n);
        let form = form(&first);
        // A text may be damaged after so few bytes that they all are read by now, and these are to be kept.
        let mut reader = Cursor::new(first).chain(Failed(error).chain(reader));
        let unsupported = |name: &str| {
            let message = format!("{name} inside another container; unpack it first");
            Ok(TextEnd::Cut(Trouble::unsupported(message)))
        };
        match form {
            Form::Text(encoding) => self.blocks(&mut reader, encoding),
            Form::Compressed(compression) if layers > 0 => {
                let reader = BufReader::with_capacity(BLOCK_BYTES, reader);
                match decode::decoder(compression, Box::new(reader)) {
                    Ok(mut decoder) => self.unpack(&mut decoder, layers - 1),
                    Err(e) => Ok(TextEnd::Cut(Trouble::truncated(explain(&e)))),
                }
            }
            Form::Compressed(compression) => unsupported(compression.name()),
            Form::Zip => unsupported("zip"),
            Form::SevenZip => unsupported("7z"),
            Form::Unsupported { class, name } => Ok(TextEnd::Cut(Trouble {
                class,
                message: format!("this is {name}; convert it first"),
            })),
        }
    }

    fn blocks(&self, reader: &mut dyn Read, encoding: Encoding) -> Result<TextEnd, Gone> {
        let mut transcoder = match encoding {
            Encoding::Utf8 => self.encoding.map(Transcoder::new),
            Encoding::Utf16Le => Some(Transcoder::utf16(u16::from_le_bytes)),
            Encoding::Utf16Be => Some(Transcoder::utf16(u16::from_be_bytes)),
        };
        loop {
            let mut block = vec![0; BLOCK_BYTES];
            let (n, error) = fill(reader, &mut block);
            block.truncate(n);
            let is_last = n < BLOCK_BYTES;
            if let Some(transcoder) = &mut transcoder {
                block = transcoder.block(&block, is_last);
            }
            if !block.is_empty() {
                self.send(Event::Block(block))?;
            }
            if let Some(e) = error {
                return Ok(TextEnd::Cut(Trouble::truncated(explain(&e))));
            }
            if is_last {
                return Ok(TextEnd::Whole);
            }
        }
    }
}

/// An error that is still to be told.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Fills the buffer as far as possible, and says how far and what ended it.
fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> (usize, Option<io::Error>) {
    let mut n = 0;
    while n < buffer.len() {
        match reader.read(&mut buffer[n..]) {
            Ok(0) => break,
            Ok(more) => n += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return (n, Some(e)),
        }
    }
    (n, None)
}

/// What a decoder's error means for who has the file.
pub(super) fn explain(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        "the compressed data end too early; every game before the end was kept".to_owned()
    } else {
        format!("the compressed data are damaged ({error}); every game before the damage was kept")
    }
}

/// The texts of a file, in order.
#[derive(Debug)]
pub struct Texts {
    name: String,
    input: Arc<Input>,
    encoding: Option<TextEncoding>,
    events: Receiver<Event>,
    n_read: Arc<AtomicU64>,
    n_begun: usize,
}

/// What comes next.
#[derive(Debug)]
pub enum Next {
    /// A text.
    Text(Text),
    /// Nothing.
    Done(Done),
}

impl Texts {
    /// Starts to read a file.
    pub(super) fn of_file(
        name: String,
        path: &Path,
        encoding: Option<TextEncoding>,
    ) -> Result<Texts> {
        let input = Arc::new(Input::File(path.into()));
        Texts::spawn(name, input, encoding, None, None)
    }

    /// Starts to read what can be read only once.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or an archive that comes from it cannot be copied to a temporary file.
    pub fn of_reader(name: String, reader: Box<dyn Read + Send>) -> Result<Texts> {
        Texts::of_reader_in(name, reader, None)
    }

    /// The same, of texts in another encoding.
    ///
    /// # Errors
    ///
    /// As for [`Texts::of_reader`].
    pub(super) fn of_reader_in(
        name: String,
        reader: Box<dyn Read + Send>,
        encoding: Option<TextEncoding>,
    ) -> Result<Texts> {
        let (input, reader) = look_at(reader).map_err(|e| Error::io(&name, e))?;
        Texts::spawn(name, Arc::new(input), encoding, reader, None)
    }

    fn spawn(
        name: String,
        input: Arc<Input>,
        encoding: Option<TextEncoding>,
        once: Option<Box<dyn Read + Send>>,
        only: Option<usize>,
    ) -> Result<Texts> {
        let (sender, events) = sync_channel(N_BLOCKS);
        let n_read = Arc::new(AtomicU64::new(0));
        let reader = Thread {
            name: name.clone(),
            input: Arc::clone(&input),
            n_read: Arc::clone(&n_read),
            only,
            out: Outlet {
                events: sender,
                encoding,
            },
        };
        std::thread::Builder::new()
            .name("unpack".to_owned())
            .spawn(move || {
                // Nobody is left to tell when the other side is gone.
                let _ = reader.run(once);
            })
            .map_err(|e| Error::io(&name, e))?;
        Ok(Texts {
            name,
            input,
            encoding,
            events,
            n_read,
            n_begun: 0,
        })
    }

    /// The file, if it can be read again.
    pub fn path(&self) -> Option<&Path> {
        self.input.path()
    }

    /// The next text.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or nothing in it.
    pub fn next_text(mut self) -> Result<Next> {
        match self.events.recv() {
            Ok(Event::Text(name)) => {
                self.n_begun += 1;
                Ok(Next::Text(Text {
                    name,
                    texts: self,
                    end: None,
                }))
            }
            Ok(Event::Failed(error)) => Err(error),
            Ok(Event::Done(done)) => Ok(Next::Done(done)),
            Ok(Event::Block(_) | Event::End(_)) | Err(_) => Ok(Next::Done(Done {
                packed: None,
                trouble: Some(Trouble::truncated("the decoder gave up on damaged data")),
            })),
        }
    }
}

/// One text that arrives in blocks.
#[derive(Debug)]
pub struct Text {
    name: String,
    texts: Texts,
    end: Option<TextEnd>,
}

impl Text {
    /// The name under which its games are known: the path as the user gave it, and that of the member.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next block. `None` at the end.
    ///
    /// # Errors
    ///
    /// When the system cannot read the file. A damaged archive is no error but an early end.
    pub fn next_block(&mut self) -> Result<Option<Vec<u8>>> {
        if self.end.is_some() {
            return Ok(None);
        }
        match self.texts.events.recv() {
            Ok(Event::Block(block)) => return Ok(Some(block)),
            Ok(Event::End(end)) => self.end = Some(end),
            Ok(Event::Failed(error)) => return Err(error),
            Ok(Event::Text(_) | Event::Done(_)) | Err(_) => {
                self.end = Some(TextEnd::Cut(Trouble::truncated(
                    "the decoder gave up on damaged data",
                )));
            }
        }
        Ok(None)
    }

    /// How the text ended, when it has.
    pub fn end(&self) -> Option<&TextEnd> {
        self.end.as_ref()
    }

    /// Bytes of the file that were read since the last call, to show how far this is.
    pub fn take_n_read(&self) -> u64 {
        self.texts.n_read.swap(0, Ordering::Relaxed)
    }

    /// Whether this can be read only once.
    pub fn is_once(&self) -> bool {
        self.texts.path().is_none()
    }

    /// The same text from its start, and what comes after it in an archive, where only this text is read again.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened any more, or could be read only once.
    pub fn restart(self) -> Result<(Text, Option<Texts>)> {
        let only = self.texts.n_begun - 1;
        let input = Arc::clone(&self.texts.input);
        let texts = Texts::spawn(
            self.texts.name.clone(),
            input,
            self.texts.encoding,
            None,
            Some(only),
        )?;
        let Next::Text(mut text) = texts.next_text()? else {
            let changed = io::Error::other("the file was changed while it was read");
            return Err(Error::io(&self.texts.name, changed));
        };
        if text.name == text.texts.name {
            return Ok((text, None));
        }
        text.texts.n_begun = self.texts.n_begun;
        Ok((text, Some(self.into_rest()?)))
    }

    /// What comes after it. The rest of the text is skipped.
    ///
    /// # Errors
    ///
    /// As for [`Text::next_block`].
    pub fn into_rest(mut self) -> Result<Texts> {
        while self.next_block()?.is_some() {}
        Ok(self.texts)
    }
}

/// What can be read only once, and what it comes from. An archive is copied, because its directory stands at its end.
fn look_at(mut reader: Box<dyn Read + Send>) -> io::Result<(Input, Option<Box<dyn Read + Send>>)> {
    let first = first_bytes(&mut reader)?;
    let is_archive = matches!(form(&first), Form::Zip | Form::SevenZip);
    let mut reader = Cursor::new(first).chain(reader);
    if is_archive {
        let mut copy = NamedTempFile::new()?;
        io::copy(&mut reader, &mut copy)?;
        return Ok((Input::Copy(copy), None));
    }
    Ok((Input::Once, Some(Box::new(reader))))
}

/// The thread.
struct Thread {
    name: String,
    input: Arc<Input>,
    n_read: Arc<AtomicU64>,
    only: Option<usize>,
    out: Outlet,
}

impl Thread {
    fn run(self, once: Option<Box<dyn Read + Send>>) -> Result<(), Gone> {
        let failed = |e| Event::Failed(Error::io(&self.name, e));
        let mut reader: Box<dyn Read + Send> = match (once, self.input.path()) {
            (Some(reader), _) => reader,
            (None, Some(path)) => match std::fs::File::open(path) {
                Ok(file) => Box::new(file),
                Err(e) => return self.out.send(failed(e)),
            },
            (None, None) => Box::new(io::empty()),
        };
        let first = match first_bytes(&mut reader) {
            Ok(first) => first,
            Err(e) => return self.out.send(failed(e)),
        };
        let form = form(&first);
        let path = self.input.path();
        match (form, path) {
            (Form::Zip, Some(path)) => members::zip(&self.name, path, self.only, &self.out),
            (Form::SevenZip, Some(path)) => {
                members::seven_zip(&self.name, path, self.only, &self.out)
            }
            (Form::Unsupported { class, name }, _) => {
                let message = format!("this is {name}; convert it first");
                let trouble = Trouble { class, message };
                self.out.send(Event::Failed(trouble.into_error(&self.name)))
            }
            _ => {
                let reader = Cursor::new(first).chain(reader);
                let raw = Raw::new(reader, Arc::clone(&self.n_read));
                self.out.send(Event::Text(self.name.clone()))?;
                let end = self.out.unpack(&mut raw.clone(), MAX_LAYERS)?;
                // What the decoder left over belongs to the file and so to its hash.
                let drained = raw.drain();
                if let Some(e) = raw.take_failure().or(drained.err()) {
                    return self.out.send(failed(e));
                }
                self.out.send(Event::End(end))?;
                let packed = matches!(form, Form::Compressed(_)).then(|| raw.packed());
                self.out.send(Event::Done(Done {
                    packed,
                    trouble: None,
                }))
            }
        }
    }
}
