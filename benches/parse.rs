//! How fast bytes become raw games, beside pgn-reader on the same bytes. The aim is to be no slower.

mod samples;

use criterion::{Criterion, Throughput};
use pgndex::notation::Reading;
use pgndex::parse::header::read_header;
use pgndex::parse::{GameReader, RawGame, yardstick};

/// Reads all games and counts the words of their movetexts.
fn words(bytes: &[u8]) -> usize {
    let mut reader = GameReader::new(bytes, Reading::default());
    let mut game = RawGame::default();
    let mut n_words = 0;
    while reader.read(&mut game) {
        n_words += game.words.len();
    }
    n_words
}

/// Reads all games and their headers, and counts those with a rating.
fn headers(bytes: &[u8]) -> usize {
    let mut reader = GameReader::new(bytes, Reading::default());
    let mut game = RawGame::default();
    let mut n_rated = 0;
    while reader.read(&mut game) {
        n_rated += usize::from(read_header(bytes, &mut game).white_elo.is_some());
    }
    n_rated
}

fn main() {
    let bytes = samples::repeated(samples::N_BYTES);
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("parse");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("games", |b| b.iter(|| words(&bytes)));
    group.bench_function("games and headers", |b| b.iter(|| headers(&bytes)));
    group.bench_function("pgn-reader", |b| {
        b.iter(|| yardstick::parse(&bytes).expect("games"));
    });
    group.finish();
    criterion.final_summary();
}
