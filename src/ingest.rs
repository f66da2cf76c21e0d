//! The conductor of an import: sources, chunks, games, segments, one commit.
//!
//! Workers pull. Each takes the next chunk from a common feed (splitting is cheap and needs no thread of its own), reads
//! and replays its games, and puts them into a segment that is the worker's own. Chunks are numbered as they are handed
//! out, and a game is known by its chunk and its place in it, so that no worker waits to learn how many games came
//! before. Nothing is visible before the commit at the end; when anything stops the import, the last commit stands.

mod feed;
mod flow;
mod known;
mod letters;
mod map;
mod report;
mod reread;
mod yardstick;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

pub use flow::{CHUNK_BYTES, Chunk};
pub use letters::{FittingLanguages, ForeignSource, ReadIn};
pub use map::map_chunks;
pub use report::ReportSink;
pub use reread::RereadSource;
pub use yardstick::{Stage, run_stage};

use crate::error::{Error, Result};
use crate::index::writer::Import;
use crate::index::{IndexGame, IndexStore, Plies, SegmentBuilder, SequenceQuery};
use crate::ingest::feed::{End, Fed, Feed, Job};
use crate::ingest::known::Alike;
use crate::ingest::letters::{Letters, languages_of};
use crate::ingest::report::{ChunkReport, Reporter};
use crate::model::diagnostic::{Class, Note, Severity};
use crate::notation::GameReading;
use crate::parse::header::read_header;
use crate::parse::{GameReader, RawGame, decode};
use crate::replay::{Scrutiny, Status, VariationLine, play_variations, replay};
use crate::source::TextEncoding;
use crate::split::lex::n_line_ends;

/// How to import.
#[derive(Debug)]
pub struct ImportOptions {
    /// Number of workers.
    pub threads: usize,
    /// What all segments being filled may use together, in bytes.
    pub memory_bytes: u64,
    /// How the moves of all sources are written.
    pub reading: GameReading,
    /// The encoding of all sources that do not say theirs; UTF-8 or Windows-1252, value by value, without one.
    pub encoding: Option<TextEncoding>,
    /// What is indexed besides main lines.
    pub variations: Lines,
    /// Commit nothing if anything would be lost.
    pub strict: bool,
}

/// Which lines of a game are indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// The main line.
    Main,
    /// Variations too, as a scope of their own.
    WithVariations,
}

/// How far an import is; shared with whoever shows it. Setting `stop` ends it without a commit.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes of all sources.
    pub total_bytes: AtomicU64,
    /// Bytes read so far.
    pub bytes: AtomicU64,
    /// Games read so far.
    pub games: AtomicU64,
    /// Ask for an end.
    pub stop: AtomicBool,
}

/// What an import did.
///
/// ```json
/// {"games":78,"ok":69,"partial":9,"rejected":0,"unchanged":0,"plies":5120,"bytes":38800,"seconds":0.04,
///  "cut_sources":0,"changed_sources":0}
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct ImportSummary {
    /// Games found in the sources that were read.
    pub games: u64,
    /// Games indexed whole.
    pub ok: u64,
    /// Games indexed up to a bad move.
    pub partial: u64,
    /// Games left out.
    pub rejected: u64,
    /// Games of sources that the index had already.
    pub unchanged: u64,
    /// Plies of all main lines.
    pub plies: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Wall time.
    pub seconds: f64,
    /// Sources that end too early or could not be read at all.
    pub cut_sources: u64,
    /// Sources that had been imported with another content.
    pub changed_sources: u64,
    /// Sources that the index had in another reading.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reread: Vec<RereadSource>,
    /// Games that were not in English letters, by the language that they were read in: where each has its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_in: Vec<ReadIn>,
    /// Games in letters of another language, by source. None is read until a language is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub foreign: Vec<ForeignSource>,
    /// What there is to say about sources as a whole.
    #[serde(skip)]
    pub remarks: Vec<Remark>,
}

/// Something about a source as a whole that whoever imported it should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The source.
    pub source: String,
    /// The class of what was lost; `None` if nothing was.
    pub class: Option<&'static str>,
    /// What is the matter.
    pub message: String,
    /// Whether a game's line of the report tells it.
    is_reported: bool,
}

impl ImportSummary {
    /// Whether moves, games or the rest of a source were lost.
    pub fn lost_something(&self) -> bool {
        self.partial > 0 || self.rejected > 0 || self.cut_sources > 0
    }
}

/// Imports the games of `paths` into the index at `index`, which is made if it does not exist.
///
/// # Errors
///
/// When a source cannot be read, the index is foreign, damaged or locked, or the disk is full. The index is then as it
/// was before.
pub fn import(
    index: &Path,
    paths: &[PathBuf],
    options: &ImportOptions,
    report: Option<ReportSink>,
    progress: &Progress,
) -> Result<ImportSummary> {
    let started = Instant::now();
    let files = crate::source::discover(paths)?;
    let store = IndexStore::open_or_create(index)?;
    let import = Import::new(&store)?;
    // The manifest is read again under the lock: another import may have ended in between.
    let manifest = crate::index::Manifest::read(index)?;
    progress.total_bytes.store(
        files
            .iter()
            .filter_map(|f| f.metadata().ok())
            .map(|m| m.len())
            .sum(),
        Ordering::Relaxed,
    );

    let alike = Alike {
        reading: options.reading,
        encoding: options.encoding,
        variations: options.variations == Lines::WithVariations,
    };
    let feed = Feed::new(files, paths, manifest, alike);
    let reporter = Mutex::new(Reporter::new(report, feed.n_chunks()));
    let feed = Mutex::new(feed);
    let threads = options.threads.max(1);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| Error::Index(e.to_string()))?;
    let tallies = Mutex::new(ImportSummary::default());
    let letters = Mutex::new(Letters::default());
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let empty = Mutex::new(Vec::new());
    let shared = Shared {
        import: &import,
        feed: &feed,
        reporter: &reporter,
        tallies: &tallies,
        letters: &letters,
        progress,
        options,
        segment_bytes: usize::try_from(options.memory_bytes / threads as u64).unwrap_or(usize::MAX),
        empty: &empty,
    };
    pool.scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| {
                if let Err(error) = shared.work() {
                    progress.stop.store(true, Ordering::Relaxed);
                    lock(&failure).get_or_insert(error);
                }
            });
        }
    });
    let mut failure = lock(&failure).take();
    if failure.is_none() && progress.stop.load(Ordering::Relaxed) {
        failure = Some(Error::Interrupted);
    }
    if let Some(error) = failure {
        import.rollback()?;
        return Err(error);
    }
    let chunks = lock(&reporter).chunks();
    let Fed {
        mut manifest,
        n_unchanged,
        n_old_sources,
        replaced,
        rereads,
        mut remarks,
        refused,
    } = feed
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .finish(&chunks);
    remarks.append(&mut lock(&empty));
    let reports_failed = lock(&reporter).finish(&remarks);
    let mut summary = lock(&tallies).clone();
    summary.unchanged = n_unchanged;
    let new_sources = &manifest.sources[n_old_sources..];
    summary.foreign = lock(&letters).foreign_sources(new_sources);
    summary.read_in = lock(&letters).read_in(new_sources.len());
    let lost = |remark: &&Remark| remark.class.is_some();
    let n_lost = remarks.iter().filter(lost).count() as u64;
    summary.cut_sources += n_lost;
    summary.changed_sources = remarks.len() as u64 - n_lost;
    summary.remarks = remarks;
    if let Some(refused) = refused
        && manifest.sources.len() == n_old_sources
        && n_unchanged == 0
    {
        import.rollback()?;
        return Err(refused);
    }
    if options.strict && summary.lost_something() {
        import.rollback()?;
        return Err(Error::Lossy {
            partial: summary.partial,
            rejected: summary.rejected,
            cut: summary.cut_sources,
        });
    }
    if summary.games == 0 && n_unchanged > 0 {
        import.rollback()?;
    } else {
        if !replaced.is_empty() {
            let games = SequenceQuery::of_last_games(&manifest, &replaced);
            games.leaving(&store)?.leave(&mut manifest);
            import.replace(games)?;
        }
        for reread in rereads {
            match reread.replace(&store, &import, &mut manifest, n_old_sources, &chunks) {
                Ok(replaced) => summary.reread.extend(replaced),
                Err(error) => {
                    import.rollback()?;
                    return Err(error);
                }
            }
        }
        manifest.n_games += summary.ok + summary.partial;
        manifest.n_partial += summary.partial;
        manifest.n_rejected += summary.rejected;
        manifest.n_plies += summary.plies;
        import.commit(&manifest)?;
    }
    reports_failed?;
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(summary)
}

/// What workers share.
struct Shared<'a> {
    import: &'a Import,
    feed: &'a Mutex<Feed>,
    reporter: &'a Mutex<Reporter>,
    tallies: &'a Mutex<ImportSummary>,
    letters: &'a Mutex<Letters>,
    progress: &'a Progress,
    options: &'a ImportOptions,
    segment_bytes: usize,
    /// What there is to say about sources that hold text and no game.
    empty: &'a Mutex<Vec<Remark>>,
}

/// What a worker keeps from game to game.
struct Worker {
    raw: RawGame,
    plies: Plies,
    segment: Option<SegmentBuilder>,
    tally: ImportSummary,
    letters: Letters,
}

/// How many positions of a game and its variations are indexed (FORMAT.md, limits).
const MAX_PLACES: u64 = 1 << 16;

/// How many positions a game has with its variations.
fn n_places(plies: u32, variations: &[VariationLine]) -> u64 {
    let of_lines = variations.iter().map(|line| line.moves.len() as u64 + 1);
    u64::from(plies) + 1 + of_lines.sum::<u64>()
}

/// What is said of a source that holds text and no game.
fn no_game(job: &Job, bytes: &[u8], junk: &Note) -> Remark {
    let end = (junk.offset + junk.len as usize).min(bytes.len());
    let word = decode(&bytes[junk.offset..end])
        .chars()
        .take(40)
        .collect::<String>();
    Remark {
        source: job.source.to_string(),
        class: Some(junk.class.as_str()),
        message: format!(
            "no game was found in this text, which begins with {word:?} in line {}",
            n_line_ends(&bytes[..junk.offset]) + 1
        ),
        is_reported: true,
    }
}

/// How many games go into a segment between two looks at its memory.
const GAMES_BETWEEN_CHECKS: u32 = 256;

impl Shared<'_> {
    fn work(&self) -> Result<()> {
        let mut worker = Worker {
            raw: RawGame::default(),
            plies: Plies::default(),
            segment: None,
            tally: ImportSummary::default(),
            letters: Letters::default(),
        };
        while !self.progress.stop.load(Ordering::Relaxed) {
            let Some(job) = lock(self.feed).next(self.progress)? else {
                break;
            };
            self.chunk(&job, &mut worker)?;
            job.part.release();
        }
        if !self.progress.stop.load(Ordering::Relaxed) {
            self.finish_segment(&mut worker)?;
        }
        let mut total = lock(self.tallies);
        total.games += worker.tally.games;
        total.ok += worker.tally.ok;
        total.partial += worker.tally.partial;
        total.rejected += worker.tally.rejected;
        total.plies += worker.tally.plies;
        total.cut_sources += worker.tally.cut_sources;
        total.bytes += worker.tally.bytes;
        lock(self.letters).add(worker.letters);
        Ok(())
    }

    fn chunk(&self, job: &Job, worker: &mut Worker) -> Result<()> {
        let bytes: &[u8] = &job.part;
        let mut reader = GameReader::new(bytes, self.options.reading.first());
        let wants_report = lock(self.reporter).is_wanted();
        let scrutiny = if wants_report {
            Scrutiny::Everything
        } else {
            Scrutiny::Moves
        };
        let mut report = ChunkReport::new(job, wants_report);
        let mut n_games = 0;
        let mut n_known = job.n_known;
        let mut last_open = None;
        while reader.read(&mut worker.raw) {
            if n_known > 0 {
                n_known -= 1;
                continue;
            }
            let Worker {
                raw,
                plies,
                segment,
                tally,
                letters,
            } = worker;
            last_open = None;
            if raw.range.end == bytes.len()
                && !matches!(job.end, End::Clean)
                && raw.marker.is_none()
            {
                last_open = Some(n_games);
                raw.forget_missing_end();
            }
            let header = read_header(bytes, raw);
            let replayed = replay(bytes, raw, &header, self.options.reading, scrutiny, plies);
            report.count(replayed);
            tally.games += 1;
            // A text that ends within a word that belongs to no move of its last game is cut all the same.
            let ends_early =
                |note: &Note| note.class == Class::Truncated && note.severity == Severity::Error;
            if replayed.status == Status::Ok && raw.notes.iter().any(ends_early) {
                tally.cut_sources += 1;
            }
            match replayed.status {
                Status::Ok => tally.ok += 1,
                Status::Partial => tally.partial += 1,
                Status::Rejected => tally.rejected += 1,
            }
            if replayed.status != Status::Rejected {
                tally.plies += u64::from(replayed.plies);
                let variations = match self.options.variations {
                    Lines::Main => Vec::new(),
                    Lines::WithVariations => play_variations(bytes, raw, &header, replayed.reading),
                };
                if n_places(replayed.plies, &variations) > MAX_PLACES {
                    let (at, class) = (raw.range.start, Class::VariationsTooLong);
                    raw.notes.push(Note::error(class, at, 0));
                    tally.cut_sources += 1;
                }
                let game = IndexGame {
                    bytes,
                    offset: job.part.offset(),
                    raw,
                    header: &header,
                    replayed,
                    keys: &plies.keys,
                    moves: &plies.moves,
                    variations: &variations,
                    chunk: job.chunk,
                    game: n_games,
                };
                match segment {
                    Some(segment) => segment.add(&game)?,
                    None => segment
                        .insert(self.import.segment(self.segment_bytes)?)
                        .add(&game)?,
                }
            }
            let fits = languages_of(bytes, raw, &header, replayed.reading);
            if wants_report {
                let fits = fits.as_deref().unwrap_or_default();
                report.game(bytes, raw, &header, fits, n_games);
            }
            if !replayed.languages.is_empty() {
                letters.count_read(job.source_idx, replayed.languages);
            }
            if let Some(fits) = fits {
                letters.count_stopped(job.source_idx, fits);
            }
            n_games += 1;
            if n_games.is_multiple_of(GAMES_BETWEEN_CHECKS) {
                self.check_memory(worker)?;
                self.progress
                    .games
                    .fetch_add(u64::from(GAMES_BETWEEN_CHECKS), Ordering::Relaxed);
                if self.progress.stop.load(Ordering::Relaxed) {
                    return Err(Error::Interrupted);
                }
            }
        }
        self.check_memory(worker)?;
        let mut leftover = reader.leftover_notes();
        if n_games == 0
            && job.part.offset() == 0
            && let Some(junk) = leftover.first_mut()
        {
            junk.severity = Severity::Error;
            lock(self.empty).push(no_game(job, bytes, junk));
        }
        report.leftover(bytes, &leftover, n_games);
        report.end(bytes, &job.end, last_open);
        report.close(bytes);
        worker.tally.bytes += bytes.len() as u64;
        self.progress
            .games
            .fetch_add(u64::from(n_games % GAMES_BETWEEN_CHECKS), Ordering::Relaxed);
        self.progress.bytes.fetch_add(job.n_read, Ordering::Relaxed);
        lock(self.reporter).chunk(report);
        Ok(())
    }

    fn check_memory(&self, worker: &mut Worker) -> Result<()> {
        if worker.segment.as_ref().is_some_and(SegmentBuilder::is_full) {
            self.finish_segment(worker)
        } else {
            Ok(())
        }
    }

    fn finish_segment(&self, worker: &mut Worker) -> Result<()> {
        if let Some(segment) = worker.segment.take()
            && let Some(finished) = segment.finish()?
        {
            self.import.add(finished)?;
        }
        Ok(())
    }
}

/// Locks a mutex. A worker that panicked has already ended the import, so what it left behind is never committed.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
