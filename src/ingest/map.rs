//! Does something with every chunk of a file in parallel and hands on the results in order.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::ingest::flow::{Chunk, Flow};
use crate::source::{self, Next, Opened, TextEncoding, Trouble};

/// Chunks for each thread that are in flight at a time: memory stays bounded, and threads are kept busy.
const CHUNKS_PER_THREAD: usize = 4;

/// Runs `work` on every chunk of the texts of a file, which are in `encoding` unless they say theirs, and `done` on the results in the order of the chunks, with the name
/// of the text. Returns what could not be read of the file.
///
/// # Errors
///
/// The first error of `done`, that the file cannot be read, or that threads cannot be started.
pub fn map_chunks<T: Send, E: From<Error>>(
    path: &Path,
    encoding: Option<TextEncoding>,
    threads: usize,
    work: impl Fn(&[u8]) -> T + Sync,
    mut done: impl FnMut(&str, &Chunk, T) -> Result<(), E>,
) -> Result<Vec<Trouble>, E> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .build()
        .map_err(|e| Error::Index(e.to_string()))?;
    let mut troubles = Vec::new();
    let mut each = |flow: &mut Flow| -> Result<(), E> {
        let name = flow.name().to_owned();
        loop {
            let mut chunks = Vec::new();
            while chunks.len() < threads.max(1) * CHUNKS_PER_THREAD
                && let Some(chunk) = flow.next_chunk()?
            {
                chunks.push(chunk);
            }
            if chunks.is_empty() {
                return Ok(());
            }
            let results: Vec<T> =
                pool.install(|| chunks.par_iter().map(|chunk| work(&chunk.part)).collect());
            for (chunk, result) in chunks.iter().zip(results) {
                chunk.part.release();
                done(&name, chunk, result)?;
            }
        }
    };
    let mut texts = match source::open_in(path, encoding)? {
        Opened::Mapped(source) => {
            each(&mut Flow::mapped(Arc::new(source)))?;
            return Ok(troubles);
        }
        Opened::Texts(texts) => texts,
    };
    loop {
        let mut flow = match texts.next_text()? {
            Next::Text(text) => Flow::stream(text),
            Next::Done(end) => {
                troubles.extend(end.trouble);
                return Ok(troubles);
            }
        };
        each(&mut flow)?;
        troubles.extend(flow.trouble());
        match flow.into_rest()? {
            Some(rest) => texts = rest,
            None => return Ok(troubles),
        }
    }
}
