//! Does something with every chunk of a source in parallel and hands on the results in order.

use std::ops::Range;

use rayon::prelude::*;

use crate::error::Error;
use crate::ingest::CHUNK_BYTES;
use crate::source::Source;
use crate::split::Splitter;

/// Chunks for each thread that are in flight at a time: memory stays bounded, and threads are kept busy.
const CHUNKS_PER_THREAD: usize = 4;

/// Runs `work` on every chunk of `source`, and `done` on the results in the order of the chunks.
///
/// # Errors
///
/// The first error of `done`, or that threads cannot be started.
pub fn map_chunks<T: Send, E: From<Error>>(
    source: &Source,
    threads: usize,
    work: impl Fn(&[u8]) -> T + Sync,
    mut done: impl FnMut(Range<usize>, T) -> Result<(), E>,
) -> Result<(), E> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build()
        .map_err(|e| Error::Index(e.to_string()))?;
    let mut splitter = Splitter::new(CHUNK_BYTES);
    loop {
        let chunks: Vec<Range<usize>> = std::iter::from_fn(|| splitter.next_chunk(source))
            .take(threads.max(1) * CHUNKS_PER_THREAD)
            .collect();
        if chunks.is_empty() {
            return Ok(());
        }
        let results: Vec<T> = pool.install(|| {
            chunks
                .par_iter()
                .map(|chunk| work(&source[chunk.clone()]))
                .collect()
        });
        for (chunk, result) in chunks.into_iter().zip(results) {
            source.release(chunk.clone());
            done(chunk, result)?;
        }
    }
}
