//! The report of an import: notes become lines with a game number and a line number, in the order of the sources.
//!
//! Workers finish chunks in any order; lines are held back until all chunks before theirs are written, because only then
//! is it known how many games and lines came before.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::ingest::Remark;
use crate::ingest::feed::{End, Job};
use crate::model::diagnostic::{Class, Diagnostic, Note, Severity};
use crate::notation::LanguageSet;
use crate::parse::header::Header;
use crate::parse::{RawGame, decode, is_surrogate};
use crate::replay::{Replayed, Status, start_position};

/// Where report lines go.
pub struct ReportSink {
    /// The file, for messages.
    pub path: PathBuf,
    /// Receives one JSON object a line.
    pub out: Box<dyn Write + Send>,
}

impl std::fmt::Debug for ReportSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReportSink")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// The lines of one chunk; games and lines count from its start.
#[derive(Debug)]
pub(super) struct ChunkReport {
    chunk: u64,
    count: ChunkCount,
    source: String,
    base: u64,
    /// Games and lines before it, if it is the first one of its source that is read.
    before: Option<(u64, u64)>,
    wanted: bool,
    notes: Vec<(usize, Diagnostic)>,
    n_lines: u64,
}

/// Longest token that is quoted, in characters.
const TOKEN_CHARS: usize = 60;

impl ChunkReport {
    pub(super) fn new(job: &Job, wanted: bool) -> ChunkReport {
        ChunkReport {
            chunk: job.chunk,
            count: ChunkCount {
                source_idx: job.source_idx,
                ..ChunkCount::default()
            },
            source: job.source.to_string(),
            base: job.part.offset(),
            before: job.before,
            wanted,
            notes: Vec::new(),
            n_lines: 0,
        }
    }

    /// Takes the notes of a game.
    ///
    /// `fits` are the languages in which it is whole, if it stopped at foreign letters.
    pub(super) fn game(
        &mut self,
        bytes: &[u8],
        raw: &RawGame,
        header: &Header,
        fits: &[LanguageSet],
        game: u32,
    ) {
        for note in &raw.notes {
            let message = match note.class {
                Class::ForeignLetters => foreign_letters(fits),
                Class::BadFen => bad_fen(bytes, raw, header),
                Class::EncodingFallback if is_surrogate(&bytes[note.offset..]) => {
                    "a letter that its encoding does not have; shown as U+FFFD".to_owned()
                }
                class => class.message().to_owned(),
            };
            self.note(bytes, note, Some(u64::from(game)), message);
        }
    }

    /// Takes notes that belong to no game.
    pub(super) fn leftover(&mut self, bytes: &[u8], notes: &[Note], n_games: u32) {
        if !self.wanted {
            return;
        }
        for note in notes {
            let game = n_games.checked_sub(1).map(u64::from);
            self.note(bytes, note, game, note.class.message().to_owned());
        }
    }

    fn note(&mut self, bytes: &[u8], note: &Note, game: Option<u64>, message: String) {
        let end = (note.offset + note.len as usize).min(bytes.len());
        let token = decode(&bytes[note.offset.min(end)..end]);
        let token: String = token.chars().take(TOKEN_CHARS).collect();
        self.notes.push((
            note.offset,
            Diagnostic {
                class: note.class.as_str(),
                severity: note.severity,
                source: String::new(),
                game,
                offset: Some(self.base + note.offset as u64),
                line: None,
                ply: note.ply,
                token: (!token.is_empty()).then_some(token),
                message,
            },
        ));
    }

    /// Takes down that the text ends, or is cut, inside a game or after the last one.
    pub(super) fn end(&mut self, bytes: &[u8], end: &End, last_open: Option<u32>) {
        let (class, message) = match end {
            End::Clean => return,
            End::Lost(trouble) => (trouble.class, trouble.message.clone()),
            End::Oversized => (
                Class::Truncated.as_str(),
                "larger than a game can be; what follows is read as another game".to_owned(),
            ),
        };
        self.notes.push((
            bytes.len(),
            Diagnostic {
                class,
                severity: Severity::Error,
                source: String::new(),
                game: last_open.map(u64::from),
                offset: Some(self.base + bytes.len() as u64),
                line: None,
                ply: None,
                token: None,
                message,
            },
        ));
    }

    /// Counts what was made of a game.
    pub(super) fn count(&mut self, replayed: Replayed) {
        self.count.n_games += 1;
        match replayed.status {
            Status::Rejected => self.count.n_rejected += 1,
            Status::Ok | Status::Partial => self.count.n_plies += u64::from(replayed.plies),
        }
    }

    /// Ends the chunk.
    pub(super) fn close(&mut self, bytes: &[u8]) {
        if !self.wanted {
            return;
        }
        self.notes.sort_by_key(|(offset, _)| *offset);
        let line_end = line_end(bytes);
        let (mut at, mut line) = (0, 1);
        for (offset, diagnostic) in &mut self.notes {
            let offset = (*offset).min(bytes.len());
            line += bytecount::count(&bytes[at..offset], line_end) as u64;
            at = offset;
            diagnostic.line = Some(line);
        }
        self.n_lines = line - 1 + bytecount::count(&bytes[at..], line_end) as u64;
    }
}

/// Number of line ends.
pub(super) fn n_lines(bytes: &[u8]) -> u64 {
    bytecount::count(bytes, line_end(bytes)) as u64
}

/// Bare carriage returns end lines only in chunks that have no other line ends.
fn line_end(bytes: &[u8]) -> u8 {
    if memchr::memchr(b'\n', bytes).is_some() {
        b'\n'
    } else {
        b'\r'
    }
}

/// Names the piece letters under which the whole game is legal, the most plausible ones first.
fn foreign_letters(fits: &[LanguageSet]) -> String {
    let Some(first) = fits.first() else {
        return "piece letters of another language, but no known set fits the whole game; it is kept up to here".to_owned();
    };
    let names = |set: &LanguageSet| {
        let names: Vec<String> = set
            .iter()
            .map(|l| format!("{} ({})", l.name(), l.code()))
            .collect();
        names.join(", ")
    };
    let mut message = format!(
        "{}; the whole game is legal as {}",
        Class::ForeignLetters.message(),
        names(first)
    );
    for other in &fits[1..] {
        message.push_str(", with other moves as ");
        message.push_str(&names(other));
    }
    message
}

fn bad_fen(bytes: &[u8], raw: &RawGame, header: &Header) -> String {
    let reason = start_position(bytes, raw, header).err();
    format!(
        "{}: {}",
        Class::BadFen.message(),
        reason.unwrap_or_default()
    )
}

/// Collects chunks and writes their lines in order.
#[derive(Debug)]
pub(super) struct Reporter {
    sink: Option<ReportSink>,
    pending: BTreeMap<u64, ChunkReport>,
    next: u64,
    games_before: u64,
    lines_before: u64,
    failure: Option<Error>,
    /// What was in each chunk, in order.
    chunks: BTreeMap<u64, ChunkCount>,
}

/// What was in a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ChunkCount {
    /// Number of its source in this import.
    pub(super) source_idx: usize,
    /// Games that were read, rejected ones too.
    pub(super) n_games: u32,
    /// Games that were left out.
    pub(super) n_rejected: u32,
    /// Plies of all main lines.
    pub(super) n_plies: u64,
}

impl Reporter {
    /// A reporter for chunks from number `first` on.
    pub(super) fn new(sink: Option<ReportSink>, first: u64) -> Reporter {
        Reporter {
            sink,
            pending: BTreeMap::new(),
            next: first,
            games_before: 0,
            lines_before: 0,
            failure: None,
            chunks: BTreeMap::new(),
        }
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.sink.is_some()
    }

    /// Takes a chunk; writes what can be written.
    pub(super) fn chunk(&mut self, report: ChunkReport) {
        self.chunks.insert(report.chunk, report.count);
        if self.sink.is_none() {
            return;
        }
        self.pending.insert(report.chunk, report);
        while let Some(report) = self.pending.remove(&self.next) {
            self.next += 1;
            self.write(report);
        }
    }

    fn write(&mut self, report: ChunkReport) {
        if let Some(before) = report.before {
            (self.games_before, self.lines_before) = before;
        }
        let ChunkReport {
            notes,
            source,
            count,
            n_lines,
            ..
        } = report;
        for (_, mut diagnostic) in notes {
            diagnostic.source.clone_from(&source);
            diagnostic.game = diagnostic.game.map(|game| game + self.games_before);
            diagnostic.line = diagnostic.line.map(|line| line + self.lines_before);
            self.write_line(&diagnostic);
        }
        self.games_before += u64::from(count.n_games);
        self.lines_before += n_lines;
    }

    fn write_line(&mut self, diagnostic: &Diagnostic) {
        if let Some(sink) = &mut self.sink
            && self.failure.is_none()
        {
            let written = serde_json::to_writer(&mut sink.out, diagnostic)
                .map_err(std::io::Error::from)
                .and_then(|()| sink.out.write_all(b"\n"));
            self.failure = written.err().map(|e| Error::io(&sink.path, e));
        }
    }

    /// Writes everything that is left, and what there is to say about whole sources.
    pub(super) fn finish(&mut self, remarks: &[Remark]) -> Result<()> {
        while let Some((_, report)) = self.pending.pop_first() {
            self.write(report);
        }
        for remark in remarks.iter().filter(|remark| !remark.is_reported) {
            let Some(class) = remark.class else { continue };
            self.write_line(&Diagnostic {
                class,
                severity: Severity::Error,
                source: remark.source.clone(),
                game: None,
                offset: None,
                line: None,
                ply: None,
                token: None,
                message: remark.message.clone(),
            });
        }
        if let Some(sink) = &mut self.sink {
            let flushed = sink.out.flush();
            if self.failure.is_none() {
                self.failure = flushed.err().map(|e| Error::io(&sink.path, e));
            }
        }
        self.failure.take().map_or(Ok(()), Err)
    }

    /// What was in each chunk, in order.
    pub(super) fn chunks(&self) -> Vec<ChunkCount> {
        self.chunks.values().copied().collect()
    }
}
