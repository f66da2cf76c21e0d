//! How fast a file becomes a committed index, disk included. `pgndex bench` measures the same on real archives.

mod samples;

use std::fs;
use std::path::{Path, PathBuf};

use criterion::{BatchSize, Criterion, Throughput};
use pgndex::ingest::{ImportOptions, Lines, Progress, import};
use pgndex::notation::Reading;

/// Imports the sources into a new index in `dir`.
fn import_into(dir: &Path, sources: &[PathBuf], threads: usize) -> u64 {
    let options = ImportOptions {
        threads,
        memory_bytes: 1 << 30,
        reading: Reading::default().into(),
        encoding: None,
        variations: Lines::Main,
        strict: false,
    };
    let progress = Progress::default();
    let summary = import(&dir.join("games.idx"), sources, &options, None, &progress);
    summary.expect("imported").games
}

fn main() {
    let bytes = samples::repeated(samples::N_BYTES);
    let dir = tempfile::tempdir().expect("a directory");
    let source = dir.path().join("samples.pgn");
    fs::write(&source, &bytes).expect("written");
    let sources = [source];
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("import");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.sample_size(10);
    for threads in [1, 2] {
        group.bench_function(format!("{threads} threads"), |b| {
            // Each round makes an index of its own: a second import of the same file would find it unchanged.
            b.iter_batched_ref(
                || tempfile::tempdir_in(dir.path()).expect("a directory"),
                |round| import_into(round.path(), &sources, threads),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
    criterion.final_summary();
}
