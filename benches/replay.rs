//! How fast games are read and played, beside pgn-reader and shakmaty on the same bytes.
//!
//! The yardstick only plays the moves. Ours also makes what an import keeps of a ply, its position key and its move token;
//! "everything" looks at variations and at the spelling of each move too, as an import with a report does.

mod samples;

use criterion::{Criterion, Throughput};
use pgndex::model::move_token::{Check, MoveToken};
use pgndex::model::playable::Playable;
use pgndex::model::position_key::PositionKey;
use pgndex::notation::{PlayedMove, Reading};
use pgndex::parse::header::read_header;
use pgndex::parse::{GameReader, RawGame, yardstick};
use pgndex::replay::{PlyVisitor, Scrutiny, move_token, replay};

/// What an import keeps of a game.
#[derive(Default)]
struct Plies {
    keys: Vec<PositionKey>,
    moves: Vec<MoveToken>,
}

impl PlyVisitor for Plies {
    fn start(&mut self, _pos: &impl Playable, key: PositionKey) {
        self.keys.clear();
        self.moves.clear();
        self.keys.push(key);
    }

    fn after(&mut self, pos: &impl Playable, played: PlayedMove, key: PositionKey, check: Check) {
        self.keys.push(key);
        self.moves.push(move_token(played, pos, check));
    }
}

/// Reads and plays all games and counts their plies.
fn plies(bytes: &[u8], scrutiny: Scrutiny) -> u64 {
    let mut reader = GameReader::new(bytes, Reading::default());
    let (mut game, mut plies) = (RawGame::default(), Plies::default());
    let mut n_plies = 0;
    while reader.read(&mut game) {
        let header = read_header(bytes, &mut game);
        let replayed = replay(
            bytes,
            &mut game,
            &header,
            Reading::default(),
            scrutiny,
            &mut plies,
        );
        n_plies += u64::from(replayed.plies);
    }
    n_plies
}

fn main() {
    let bytes = samples::repeated(samples::N_BYTES);
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.sample_size(20);
    group.bench_function("moves", |b| b.iter(|| plies(&bytes, Scrutiny::Moves)));
    group.bench_function("everything", |b| {
        b.iter(|| plies(&bytes, Scrutiny::Everything));
    });
    group.bench_function("pgn-reader and shakmaty", |b| {
        b.iter(|| yardstick::validate(&bytes).expect("games"));
    });
    group.finish();
    criterion.final_summary();
}
