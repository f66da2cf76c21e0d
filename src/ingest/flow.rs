//! A text as a flow of chunks, whether it is mapped or arrives in blocks.

use std::io::Write;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::source::{Part, Source, Text, TextEnd, Texts, Trouble};
use crate::split::lex;
use crate::split::{Place, Splitter, Window};

/// Least size of a chunk, in bytes: some 1,500 games, 20 ms of work.
pub const CHUNK_BYTES: usize = 1 << 20;

/// A chunk of a text.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Its bytes.
    pub part: Part,
    /// Where it ends.
    pub place: Place,
    /// Why the text ends with this chunk, and too early.
    pub trouble: Option<Trouble>,
}

/// The chunks of one text, in order.
#[derive(Debug)]
pub(super) struct Flow(Kind);

#[derive(Debug)]
enum Kind {
    Mapped {
        source: Arc<Source>,
        splitter: Splitter,
        start: usize,
        trouble: Option<Trouble>,
    },
    Stream {
        text: Text,
        window: Window,
        offset: u64,
        is_over: bool,
    },
}

impl Flow {
    /// The chunks of a text at hand.
    pub(super) fn mapped(source: Arc<Source>) -> Flow {
        Flow(Kind::Mapped {
            source,
            splitter: Splitter::new(CHUNK_BYTES),
            start: 0,
            trouble: None,
        })
    }

    /// The chunks of a text that arrives in blocks.
    pub(super) fn stream(text: Text) -> Flow {
        Flow(Kind::Stream {
            text,
            window: Window::new(Splitter::new(CHUNK_BYTES)),
            offset: 0,
            is_over: false,
        })
    }

    /// The name under which its games are known.
    pub(super) fn name(&self) -> &str {
        match &self.0 {
            Kind::Mapped { source, .. } => source.name(),
            Kind::Stream { text, .. } => text.name(),
        }
    }

    /// The next chunk; `None` at the end.
    ///
    /// # Errors
    ///
    /// When the system cannot read the file.
    pub(super) fn next_chunk(&mut self) -> Result<Option<Chunk>> {
        match &mut self.0 {
            Kind::Mapped {
                source,
                splitter,
                start,
                trouble,
            } => Ok(splitter.next_chunk(&source[*start..]).map(|cut| {
                let range = *start..*start + cut.len;
                *start = range.end;
                let is_last = *start == source.len();
                Chunk {
                    part: Part::of(source, range),
                    place: cut.place,
                    trouble: trouble.clone().filter(|_| is_last),
                }
            })),
            Kind::Stream {
                text,
                window,
                offset,
                is_over,
            } => loop {
                if let Some((bytes, place)) = window.next_chunk() {
                    let start = *offset;
                    *offset += bytes.len() as u64;
                    let is_last = *is_over && window.is_empty();
                    return Ok(Some(Chunk {
                        part: Part::owned(bytes, start),
                        place,
                        trouble: if is_last { trouble(text) } else { None },
                    }));
                }
                if *is_over {
                    return Ok(None);
                }
                match text.next_block()? {
                    Some(block) => window.push(block),
                    None => {
                        window.end();
                        *is_over = true;
                    }
                }
            },
        }
    }

    /// Why the text ended too early, if it did.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        match &self.0 {
            Kind::Mapped { trouble, .. } => trouble.clone(),
            Kind::Stream { text, .. } => trouble(text),
        }
    }

    /// Bytes of the file that were read since the last call, unless the chunks themselves are those bytes.
    pub(super) fn take_n_read(&self) -> Option<u64> {
        match &self.0 {
            Kind::Mapped { .. } => None,
            Kind::Stream { text, .. } => Some(text.take_n_read()),
        }
    }

    /// The same text from its start, and what comes after it if that has to be read elsewhere now.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened any more.
    pub(super) fn restart(self) -> Result<(Flow, Option<Texts>)> {
        match self.0 {
            Kind::Mapped {
                source, trouble, ..
            } => {
                let flow = Kind::Mapped {
                    source,
                    splitter: Splitter::new(CHUNK_BYTES),
                    start: 0,
                    trouble,
                };
                Ok((Flow(flow), None))
            }
            Kind::Stream { text, .. } => {
                let (text, rest) = text.restart()?;
                Ok((Flow::stream(text), rest))
            }
        }
    }

    /// Whether this can be read only once.
    pub(super) fn is_once(&self) -> bool {
        matches!(&self.0, Kind::Stream { text, .. } if text.is_once())
    }

    /// Copies a text of which `first` is read already to the disk, for as long as it is needed; with the texts after it.
    ///
    /// # Errors
    ///
    /// When the system cannot read it, or has no room for the copy.
    pub(super) fn into_copy(mut self, first: Option<Chunk>) -> Result<(Flow, Option<Texts>)> {
        let name = self.name().to_owned();
        let failed = |e| Error::io(std::env::temp_dir(), e);
        let mut file = tempfile::tempfile().map_err(failed)?;
        let mut chunk = first;
        while let Some(now) = chunk {
            file.write_all(&now.part).map_err(failed)?;
            chunk = self.next_chunk()?;
        }
        let source = Source::of_file(name, &file).map_err(failed)?;
        let flow = Flow(Kind::Mapped {
            source: Arc::new(source),
            splitter: Splitter::new(CHUNK_BYTES),
            start: 0,
            trouble: self.trouble(),
        });
        Ok((flow, self.into_rest()?))
    }

    /// The texts after this one.
    ///
    /// # Errors
    ///
    /// When the system cannot read the file.
    pub(super) fn into_rest(self) -> Result<Option<Texts>> {
        match self.0 {
            Kind::Mapped { .. } => Ok(None),
            Kind::Stream { text, .. } => text.into_rest().map(Some),
        }
    }
}

fn trouble(text: &Text) -> Option<Trouble> {
    match text.end() {
        Some(TextEnd::Cut(trouble)) => Some(trouble.clone()),
        Some(TextEnd::Whole) | None => None,
    }
}

/// How much of a text that was cut anywhere can be believed: not its last word, which may be the beginning of another.
/// `O-O` may have been `O-O-O`.
pub(super) fn believable(bytes: &[u8]) -> usize {
    let word = lex::word_before(bytes, bytes.len());
    if word.end < bytes.len() || lex::is_marker(&bytes[word.clone()]) {
        bytes.len()
    } else {
        word.start
    }
}
