//! How fast a source is cut into chunks. One thread does it for all workers, so it must be far ahead of them.

mod samples;

use criterion::{Criterion, Throughput};
use pgndex::ingest::CHUNK_BYTES;
use pgndex::split::split;

fn main() {
    let bytes = samples::repeated(samples::N_BYTES);
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("split");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("chunks", |b| b.iter(|| split(&bytes, CHUNK_BYTES).count()));
    // With a cut before every game, the checks at each possible cut weigh most.
    group.bench_function("games", |b| b.iter(|| split(&bytes, 1).count()));
    group.finish();
    criterion.final_summary();
}
