//! Runs one stage of an import, or a yardstick, over all chunks of a source on all workers: what `pgndex bench` times.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::index::Plies;
use crate::ingest::{CHUNK_BYTES, lock};
use crate::notation::Reading;
use crate::parse::header::read_header;
use crate::parse::yardstick::{Tally, parse, validate};
use crate::parse::{GameReader, RawGame};
use crate::replay::{Score, Scrutiny, replay};
use crate::source::Source;
use crate::split::split;

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The floor for anything that moves the bytes: a copy of them in memory.
    Copy,
    /// The floor for anything that looks at them: the number of lines with an Event tag, which `grep -c` would count.
    CountEvents,
    /// Cut into chunks, on one thread.
    Scan,
    /// Read into raw games.
    Parse,
    /// Read and play, with position keys and move tokens.
    Replay,
    /// The same, with canonical SAN, UCI and every position.
    ReplaySan,
    /// The yardstick for reading: pgn-reader, counting moves.
    PgnReaderParse,
    /// The yardstick for everything: pgn-reader and shakmaty, playing moves.
    PgnReaderValidate,
}

/// Runs a stage and says what it saw and how long it took.
///
/// # Errors
///
/// When workers cannot be started, or pgn-reader gives up.
pub fn run_stage(source: &Source, stage: Stage, threads: usize) -> Result<(Tally, Duration)> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build()
        .map_err(|e| Error::Index(e.to_string()))?;
    if stage == Stage::Scan {
        let started = Instant::now();
        let n_chunks = split(source, CHUNK_BYTES).count();
        let elapsed = started.elapsed();
        return Ok((
            Tally {
                games: n_chunks as u64,
                ..Tally::default()
            },
            elapsed,
        ));
    }
    // Chunks are cut before the clock starts, so that the yardsticks do not pay for our splitter.
    let chunks: Vec<_> = split(source, CHUNK_BYTES).collect();
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Tally::default());
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let started = Instant::now();
    pool.scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|_| {
                let mut tally = Tally::default();
                while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match run_chunk(&source[chunk.clone()], stage) {
                        Ok(seen) => tally = tally.plus(seen),
                        Err(e) => {
                            lock(&failure).get_or_insert(Error::io(source.name(), e));
                        }
                    }
                }
                let mut total = lock(&total);
                *total = total.plus(tally);
            });
        }
    });
    let elapsed = started.elapsed();
    if let Some(error) = lock(&failure).take() {
        return Err(error);
    }
    let total = *lock(&total);
    Ok((total, elapsed))
}

fn run_chunk(bytes: &[u8], stage: Stage) -> std::io::Result<Tally> {
    match stage {
        Stage::Copy => {
            std::hint::black_box(bytes.to_vec());
            return Ok(Tally::default());
        }
        Stage::CountEvents => {
            return Ok(Tally {
                games: memchr::memmem::find_iter(bytes, "[Event ").count() as u64,
                ..Tally::default()
            });
        }
        Stage::PgnReaderParse => return parse(bytes),
        Stage::PgnReaderValidate => return validate(bytes),
        _ => {}
    }
    let mut tally = Tally::default();
    let mut reader = GameReader::new(bytes, Reading::default());
    let mut raw = RawGame::default();
    let mut plies = Plies::default();
    while reader.read(&mut raw) {
        tally.games += 1;
        if stage == Stage::Parse {
            tally.plies += raw.words.len() as u64;
            continue;
        }
        let header = read_header(bytes, &mut raw);
        let replayed = if stage == Stage::Replay {
            replay(
                bytes,
                &mut raw,
                &header,
                Reading::default(),
                Scrutiny::Moves,
                &mut plies,
            )
        } else {
            let mut score = Score::default();
            replay(
                bytes,
                &mut raw,
                &header,
                Reading::default(),
                Scrutiny::Moves,
                &mut score,
            )
        };
        tally.plies += u64::from(replayed.plies);
        tally.failed += u64::from(replayed.status != crate::replay::Status::Ok);
    }
    Ok(tally)
}
