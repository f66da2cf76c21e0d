//! The file of columns against that of tantivy's own writer, whose bytes it must have, and read back by its reader.

use proptest::prelude::*;
use tantivy::columnar::{ColumnarReader, ColumnarWriter};

use super::*;

/// How the numbers of a column run.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Constant(u64),
    /// Two values, in any order.
    Either(u64, u64),
    /// From, and how far at most from game to game, past the last number to the first one.
    Rising(u64, u64),
    Falling(u64, u64),
    /// Multiples of a divisor, from a number on.
    Multiples(u64, u64, u64),
    Any,
}

/// Which games have a number.
#[derive(Clone, Copy, Debug)]
enum Presence {
    All,
    None,
    /// One in so many.
    OneIn(u64),
    /// All but one in so many.
    AllBut(u64),
    /// Those between two permilles of all games.
    Between(u64, u64),
}

/// A number that looks random, the same for the same arguments.
fn scramble(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xd6e8_feb8_6659_fd93);
    for _ in 0..2 {
        x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    x ^ x >> 32
}

fn column(shape: Shape, presence: Presence, n_games: u64, seed: u64) -> Vec<Option<u64>> {
    let mut last = match shape {
        Shape::Rising(from, _) | Shape::Falling(from, _) => from,
        _ => 0,
    };
    (0..n_games)
        .map(|doc| {
            let random = scramble(doc, seed);
            let number = match shape {
                Shape::Constant(number) => number,
                Shape::Either(a, b) => [a, b][random as usize & 1],
                Shape::Rising(_, step) => {
                    last = last.wrapping_add(random % step);
                    last
                }
                Shape::Falling(_, step) => {
                    last = last.wrapping_sub(random % step);
                    last
                }
                Shape::Multiples(from, divisor, n) => {
                    from.saturating_add(divisor.saturating_mul(random % n))
                }
                Shape::Any => random,
            };
            let other = scramble(random, seed + 1);
            let is_there = match presence {
                Presence::All => true,
                Presence::None => false,
                Presence::OneIn(n) => other.is_multiple_of(n),
                Presence::AllBut(n) => !other.is_multiple_of(n),
                Presence::Between(from, to) => (from..to).contains(&(doc * 1000 / n_games)),
            };
            is_there.then_some(number)
        })
        .collect()
}

/// Compares the file of columns, the first ones of all, with that of tantivy's writer, and reads it back.
fn check(columns: &[Vec<Option<u64>>], n_games: u64) {
    let mut writer = ColumnsWriter::default();
    let mut twin = ColumnarWriter::default();
    for name in COLUMNS {
        twin.record_column_type(name, ColumnType::U64, false);
    }
    for doc in 0..n_games {
        let mut numbers = Numbers::default();
        for ((number, name), column) in numbers.iter_mut().zip(COLUMNS).zip(columns) {
            *number = column[doc as usize];
            if let Some(number) = *number {
                twin.record_numerical(doc as DocId, name, number);
            }
        }
        writer.add(&numbers);
    }
    let (mut bytes, mut want) = (Vec::new(), Vec::new());
    writer.write_to(&mut bytes).expect("memory does not fail");
    twin.serialize(n_games as DocId, None, &mut want)
        .expect("memory does not fail");
    assert!(bytes == want, "the file is not tantivy's");

    let reader = ColumnarReader::open(bytes).expect("a file of columns");
    assert_eq!(u64::from(reader.num_docs()), n_games);
    for (name, column) in COLUMNS.iter().zip(columns) {
        let handles = reader.read_columns(name).expect("a dictionary");
        let [handle] = &handles[..] else {
            panic!("{name} is not there once");
        };
        let read = handle.open_u64_lenient().expect("a column");
        let read = read.expect("numbers");
        for (doc, &number) in column.iter().enumerate() {
            assert_eq!(read.first(doc as DocId), number, "{name} of game {doc}");
        }
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    let edge = || prop_oneof![Just(0), Just(u64::MAX), 0..5000u64, any::<u64>()];
    let step = || prop_oneof![1..3u64, 1..2000u64, 1..1u64 << 40];
    let divisor = prop_oneof![1..20u64, 1..1u64 << 50, Just(u64::MAX)];
    let n = prop_oneof![1..4u64, 1..300u64, 1..1u64 << 50];
    prop_oneof![
        edge().prop_map(Shape::Constant),
        (edge(), edge()).prop_map(|(a, b)| Shape::Either(a, b)),
        (edge(), step()).prop_map(|(from, step)| Shape::Rising(from, step)),
        (edge(), step()).prop_map(|(from, step)| Shape::Falling(from, step)),
        (edge(), divisor, n).prop_map(|(from, divisor, n)| Shape::Multiples(from, divisor, n)),
        Just(Shape::Any),
    ]
}

fn presence() -> impl Strategy<Value = Presence> {
    prop_oneof![
        3 => Just(Presence::All),
        1 => Just(Presence::None),
        1 => (1..100u64).prop_map(Presence::OneIn),
        1 => (1..100u64).prop_map(Presence::AllBut),
        1 => (0..1000u64, 0..1001u64).prop_map(|(from, to)| Presence::Between(from, to)),
    ]
}

proptest! {
    #[test]
    fn the_file_is_that_of_tantivy(
        shapes in prop::collection::vec((shape(), presence()), COLUMNS.len()),
        n_games in prop_oneof![0..4u64, 500..1100u64, 1..5000u64],
        seed in any::<u32>(),
    ) {
        let columns: Vec<_> = (u64::from(seed)..)
            .zip(shapes)
            .map(|(seed, (shape, presence))| column(shape, presence, n_games, seed))
            .collect();
        check(&columns, n_games);
    }
}

#[test]
fn the_file_of_many_games_is_that_of_tantivy() {
    let n_games = 3 * 65536 + 700;
    let columns: Vec<_> = [
        (Shape::Any, Presence::OneIn(2)),
        (Shape::Rising(1 << 31, 3000), Presence::All),
        (Shape::Rising(7, 2), Presence::OneIn(13)),
        // Between sparse and dense blocks: 5120 of 65536 games.
        (Shape::Multiples(0, 7, 4), Presence::OneIn(12)),
        (Shape::Falling(u64::MAX, 1 << 33), Presence::AllBut(1000)),
        (Shape::Multiples(1000, 1, 1900), Presence::AllBut(3)),
        (Shape::Constant(u64::MAX), Presence::Between(0, 400)),
        (Shape::Either(0, 3), Presence::Between(700, 701)),
        (Shape::Constant(0), Presence::All),
        // Whole blocks, with none before and none after.
        (Shape::Rising(0, 9), Presence::Between(300, 700)),
        (Shape::Either(0, u64::MAX), Presence::All),
        (Shape::Any, Presence::None),
        (Shape::Multiples(5, 1 << 20, 200), Presence::OneIn(10_000)),
    ]
    .into_iter()
    .zip(0..)
    .map(|((shape, presence), seed)| column(shape, presence, n_games, seed))
    .collect();
    check(&columns, n_games);
}
