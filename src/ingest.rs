//! The conductor of an import: sources, chunks, games, segments, one commit.
//!
//! Workers pull. Each takes the next chunk from a common feed (splitting is cheap and needs no thread of its own), reads
//! and replays its games, and puts them into a segment that is the worker's own. Chunks are numbered as they are handed
//! out, and a game is known by its chunk and its place in it, so that no worker waits to learn how many games came
//! before. Nothing is visible before the commit at the end; when anything stops the import, the last commit stands.

mod feed;
mod map;
mod report;
mod yardstick;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

pub use feed::CHUNK_BYTES;
pub use map::map_chunks;
pub use report::ReportSink;
pub use yardstick::{Stage, run_stage};

use crate::error::{Error, Result};
use crate::index::writer::{Import, IndexGame, SegmentBuilder};
use crate::index::{IndexStore, Plies};
use crate::ingest::feed::{Feed, Job};
use crate::ingest::report::{ChunkReport, Reporter};
use crate::notation::Reading;
use crate::parse::header::read_header;
use crate::parse::{GameReader, RawGame};
use crate::replay::{Scrutiny, Status, play_variations, replay};

/// How to import.
#[derive(Debug)]
pub struct ImportOptions {
    /// Number of workers.
    pub threads: usize,
    /// What all segments being filled may use together, in bytes.
    pub memory_bytes: u64,
    /// How the moves of all sources are written.
    pub reading: Reading,
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
/// {"games":78,"ok":69,"partial":9,"rejected":0,"unchanged":0,"plies":5120,"bytes":38800,"seconds":0.04}
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
}

impl ImportSummary {
    /// Whether moves or games were lost.
    pub fn lost_something(&self) -> bool {
        self.partial > 0 || self.rejected > 0
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

    let feed = Feed::new(files, manifest, options.reading, options.variations);
    let reporter = Mutex::new(Reporter::new(report, feed.n_chunks()));
    let feed = Mutex::new(feed);
    let threads = options.threads.max(1);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| Error::Index(e.to_string()))?;
    let tallies = Mutex::new(ImportSummary::default());
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let shared = Shared {
        import: &import,
        feed: &feed,
        reporter: &reporter,
        tallies: &tallies,
        progress,
        options,
        segment_bytes: usize::try_from(options.memory_bytes / threads as u64).unwrap_or(usize::MAX),
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
    let reports_failed = lock(&reporter).finish();
    let mut summary = lock(&tallies).clone();
    let (mut manifest, unchanged) = lock(&feed).take_manifest(&lock(&reporter).games_of_chunks());
    summary.unchanged = unchanged;
    if options.strict && summary.lost_something() {
        import.rollback()?;
        return Err(Error::Lossy {
            partial: summary.partial,
            rejected: summary.rejected,
        });
    }
    if summary.games == 0 && unchanged > 0 {
        import.rollback()?;
    } else {
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
    progress: &'a Progress,
    options: &'a ImportOptions,
    segment_bytes: usize,
}

/// What a worker keeps from game to game.
struct Worker {
    raw: RawGame,
    plies: Plies,
    segment: Option<SegmentBuilder>,
    tally: ImportSummary,
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
        };
        while !self.progress.stop.load(Ordering::Relaxed) {
            let Some(job) = lock(self.feed).next(self.progress)? else {
                break;
            };
            self.chunk(&job, &mut worker)?;
            job.source.release(job.range.clone());
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
        total.bytes += worker.tally.bytes;
        Ok(())
    }

    fn chunk(&self, job: &Job, worker: &mut Worker) -> Result<()> {
        let bytes = &job.source[job.range.clone()];
        let mut reader = GameReader::new(bytes);
        let wants_report = lock(self.reporter).is_wanted();
        let scrutiny = if wants_report {
            Scrutiny::Everything
        } else {
            Scrutiny::Moves
        };
        let mut report = ChunkReport::new(job, wants_report);
        let mut n_games = 0;
        while reader.read(&mut worker.raw) {
            let Worker {
                raw,
                plies,
                segment,
                tally,
            } = worker;
            let header = read_header(bytes, raw);
            let replayed = replay(bytes, raw, &header, self.options.reading, scrutiny, plies);
            tally.games += 1;
            match replayed.status {
                Status::Ok => tally.ok += 1,
                Status::Partial => tally.partial += 1,
                Status::Rejected => tally.rejected += 1,
            }
            if replayed.status != Status::Rejected {
                tally.plies += u64::from(replayed.plies);
                let variations = match self.options.variations {
                    Lines::Main => Vec::new(),
                    Lines::WithVariations => {
                        play_variations(bytes, raw, &header, self.options.reading)
                    }
                };
                let game = IndexGame {
                    source: &job.source,
                    base: job.range.start,
                    raw,
                    header: &header,
                    replayed,
                    keys: std::mem::take(&mut plies.keys),
                    moves: std::mem::take(&mut plies.moves),
                    variations,
                    chunk: job.chunk,
                    game: n_games,
                };
                match segment {
                    Some(segment) => segment.add(game)?,
                    None => segment
                        .insert(self.import.segment(self.segment_bytes)?)
                        .add(game)?,
                }
            }
            if wants_report {
                report.game(bytes, raw, &header, n_games);
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
        report.leftover(bytes, &reader.leftover_notes(), n_games);
        report.close(bytes, n_games);
        worker.tally.bytes += bytes.len() as u64;
        self.progress
            .games
            .fetch_add(u64::from(n_games % GAMES_BETWEEN_CHECKS), Ordering::Relaxed);
        self.progress
            .bytes
            .fetch_add(bytes.len() as u64, Ordering::Relaxed);
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
