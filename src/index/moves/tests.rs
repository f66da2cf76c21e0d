//! The move index and the table of games against plain vectors, before and after merges, and with damaged bytes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use proptest::prelude::*;
use tantivy::Directory;
use tantivy::directory::{FileSlice, RamDirectory};

use super::*;
use crate::index::games::{DocId, GameFacts, GamesReader, GamesWriter};
use crate::model::game_result::GameResult;
use crate::model::variant::Variant;

/// A game: its facts, and the tokens of its lines, the main line first.
#[derive(Clone, Debug)]
struct Game {
    facts: GameFacts,
    lines: Vec<Vec<u32>>,
}

impl Game {
    fn n_slots(&self) -> u32 {
        self.lines.iter().map(|line| line.len() as u32 + 1).sum()
    }
}

fn game() -> impl Strategy<Value = Game> {
    let token =
        prop_oneof![4 => 0..4u32, 1 => 0..1u32 << crate::model::move_token::MOVE_TOKEN_BITS];
    let lines = prop::collection::vec(prop::collection::vec(token, 0..12), 1..3);
    let elo = || 0..=crate::model::rating::MAX_RATING;
    let facts = (0..4u8, elo(), elo(), 0..2100u16, 0..9u8, any::<u16>());
    (facts, lines).prop_map(
        |((result, white_elo, black_elo, year, variant, n_plies), lines)| Game {
            facts: GameFacts {
                result: GameResult::from_code(result),
                white_elo,
                black_elo,
                year,
                variant: Variant::from_code(variant).unwrap_or_default(),
                n_plies,
            },
            lines,
        },
    )
}

/// What a writer writes, as bytes.
fn written(write: impl FnOnce(PageWriter) -> Result<(), Damage>) -> Vec<u8> {
    let (directory, path) = (RamDirectory::create(), Path::new("file"));
    write(PageWriter::new(directory.open_write(path).expect("a file"))).expect("written");
    directory
        .open_read(path)
        .expect("the file")
        .read_bytes()
        .expect("its bytes")
        .as_slice()
        .to_vec()
}

fn page_file(bytes: &[u8]) -> Result<PageFile, Damage> {
    PageFile::open(&FileSlice::from(bytes.to_vec()))
}

fn write_moves(games: &[Game]) -> Vec<u8> {
    let mut writer = MovesWriter::default();
    for line in games.iter().flat_map(|game| &game.lines) {
        let tokens: Vec<MoveToken> = line
            .iter()
            .filter_map(|&bits| MoveToken::from_bits(bits))
            .collect();
        writer.add_line(&tokens);
    }
    written(|out| writer.write(out).map_err(|e| e.to_string()))
}

fn table(games: &[Game]) -> GamesWriter {
    let mut table = GamesWriter::default();
    for (i, game) in games.iter().enumerate() {
        if i % 7 == 0 {
            table.begin_run();
        }
        table
            .add(game.facts, game.n_slots(), 77 + 3 * i as u64, !(i as u32))
            .expect("room");
    }
    table
}

fn write_table(table: &GamesWriter) -> Vec<u8> {
    written(|mut out| {
        table
            .write(&mut out)
            .and_then(|()| out.finish())
            .map_err(|e| e.to_string())
    })
}

/// The slow twin: slots of each token.
fn twin(games: &[Game]) -> BTreeMap<u32, Vec<u32>> {
    let mut map: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut slot = 0;
    for line in games.iter().flat_map(|game| &game.lines) {
        slot += 1;
        for &token in line {
            map.entry(token).or_default().push(slot);
            slot += 1;
        }
    }
    map
}

fn all_lists(bytes: &[u8]) -> Result<BTreeMap<u32, Vec<u32>>, Damage> {
    let reader = MovesReader::open(page_file(bytes)?)?;
    let mut all = BTreeMap::new();
    for list in reader.lists()? {
        let mut slots = Vec::new();
        reader.slots(list, &mut slots)?;
        if slots.len() != list.count as usize {
            return Err("another number of slots".to_owned());
        }
        all.insert(list.token.bits(), slots);
    }
    Ok(all)
}

/// The same from a reading in the order of slots.
fn in_order(bytes: &[u8], n_slots: u32) -> Result<BTreeMap<u32, Vec<u32>>, Damage> {
    let mut all: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut last = None;
    MovesReader::open(page_file(bytes)?)?.in_order(n_slots, |slot, token| {
        assert!(last < Some(slot), "slot {slot} after {last:?}");
        last = Some(slot);
        all.entry(token).or_default().push(slot);
    })?;
    Ok(all)
}

fn n_slots(games: &[Game]) -> u32 {
    games.iter().map(Game::n_slots).sum()
}

/// Everything that a table of games says.
#[derive(Debug, PartialEq)]
struct Table {
    starts: Vec<u32>,
    facts: Vec<GameFacts>,
    sequences: Vec<u64>,
    checksums: Vec<u32>,
    runs: Vec<Range<DocId>>,
}

fn read_table(bytes: &[u8], n_games: u32) -> Result<Table, Damage> {
    let reader = GamesReader::open(page_file(bytes)?, n_games)?;
    let (starts, facts, sequences) = (reader.starts()?, reader.facts()?, reader.sequences()?);
    Ok(Table {
        starts: (0..=n_games as usize).map(|doc| starts.get(doc)).collect(),
        facts: (0..n_games).map(|doc| facts.get(doc)).collect(),
        sequences: (0..n_games).map(|doc| sequences.get(doc)).collect(),
        checksums: (0..n_games)
            .map(|doc| reader.checksum(doc))
            .collect::<Result<_, _>>()?,
        runs: reader.runs()?,
    })
}

fn table_twin(games: &[Game]) -> Table {
    let mut starts = vec![0];
    for game in games {
        starts.push(starts[starts.len() - 1] + game.n_slots());
    }
    let n_games = games.len() as u32;
    Table {
        starts,
        facts: games.iter().map(|game| game.facts).collect(),
        sequences: (0..u64::from(n_games)).map(|i| 77 + 3 * i).collect(),
        checksums: (0..n_games).map(|i| !i).collect(),
        runs: (0..n_games)
            .step_by(7)
            .map(|first| first..n_games.min(first + 7))
            .collect(),
    }
}

/// Merges as the plugin does: segments one after the other, deleted games left out.
fn check_merge(games: &[Game], borders: &[usize], deleted: impl Fn(usize) -> bool) {
    let mut borders: Vec<usize> = borders
        .iter()
        .map(|border| border % (games.len() + 1))
        .collect();
    borders.extend([0, games.len()]);
    borders.sort_unstable();
    let segments: Vec<(usize, &[Game])> = borders
        .windows(2)
        .map(|pair| (pair[0], &games[pair[0]..pair[1]]))
        .collect();
    let mut readers = Vec::new();
    let mut tables = Vec::new();
    for (_, games) in &segments {
        let file = page_file(&write_moves(games)).expect("a file");
        readers.push(MovesReader::open(file).expect("a reader"));
        let file = page_file(&write_table(&table(games))).expect("a file");
        tables.push(GamesReader::open(file, games.len() as u32).expect("a table"));
    }
    let mut new_starts = Vec::new();
    let mut left: Vec<Game> = Vec::new();
    let mut n_slots = 0;
    for (i, game) in games.iter().enumerate() {
        new_starts.push((!deleted(i)).then_some(n_slots));
        if !deleted(i) {
            left.push(game.clone());
            n_slots += game.n_slots();
        }
    }
    let mut slot_maps = Vec::new();
    for ((first, games), table) in segments.iter().zip(&tables) {
        let starts = table.starts().expect("starts");
        let mut slots = SlotMap::default();
        for doc in 0..games.len() {
            slots.add(
                starts.get(doc),
                starts.get(doc + 1),
                new_starts[first + doc],
            );
        }
        slot_maps.push(slots);
    }
    let merged = written(|out| merge(&readers, &slot_maps, u64::from(n_slots), out));
    assert_eq!(all_lists(&merged).expect("lists"), twin(&left));
    assert_eq!(
        merged,
        write_moves(&left),
        "a merge writes what one segment would"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn what_was_put_in_is_found(games in prop::collection::vec(game(), 0..60)) {
        let moves = write_moves(&games);
        prop_assert_eq!(all_lists(&moves).expect("lists"), twin(&games));
        prop_assert_eq!(in_order(&moves, n_slots(&games)).expect("moves"), twin(&games));
        prop_assert!(in_order(&moves, n_slots(&games) + 1).is_err());
        let table = read_table(&write_table(&table(&games)), games.len() as u32).expect("a table");
        prop_assert_eq!(table, table_twin(&games));
    }

    #[test]
    fn a_merge_holds_what_is_left_of_its_segments(
        games in prop::collection::vec(game(), 0..60),
        borders in prop::collection::vec(any::<usize>(), 1..5),
        deleted in prop::collection::vec(prop::bool::weighted(0.3), 60),
    ) {
        check_merge(&games, &borders, |game| deleted[game]);
    }
}

fn small_games() -> Vec<Game> {
    let line = |i: u32| (0..20).map(|ply| (ply * i) % 6).collect();
    (0..15)
        .map(|i| Game {
            facts: GameFacts {
                year: 1900 + i as u16,
                ..GameFacts::default()
            },
            lines: vec![line(i), line(1)],
        })
        .collect()
}

/// Damages each byte, cuts the file at each length, and counts the errors. An answer has to be the right one.
fn check_damage<T: PartialEq + std::fmt::Debug>(
    bytes: &[u8],
    ask: impl Fn(&[u8]) -> Result<T, Damage>,
) {
    let right = ask(bytes).expect("an answer");
    for at in 0..bytes.len() {
        for mask in [1, 0x80, 0xff] {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= mask;
            if let Ok(answer) = ask(&damaged) {
                assert_eq!(answer, right, "byte {at} of {} xor {mask}", bytes.len());
            }
        }
        assert!(ask(&bytes[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn a_damaged_byte_gives_an_error_or_the_right_answer() {
    let games = small_games();
    check_damage(&write_moves(&games), all_lists);
    check_damage(&write_moves(&games), |bytes| {
        in_order(bytes, n_slots(&games))
    });
    check_damage(&write_table(&table(&games)), |bytes| {
        read_table(bytes, games.len() as u32)
    });
}

#[test]
fn a_table_of_another_number_of_games_is_refused() {
    let bytes = write_table(&table(&small_games()));
    assert!(read_table(&bytes, 14).is_err() && read_table(&bytes, 16).is_err());
}

/// The file with some bytes of its sections changed and all checksums made anew, as no disk would damage it.
fn forged(bytes: &[u8], n_sections: usize, at: usize, values: &[u8]) -> Vec<u8> {
    let file = page_file(bytes).expect("a file");
    let mut data = file
        .read(0..file.section(n_sections - 1).end)
        .expect("the sections")
        .to_vec();
    for (byte, value) in data.iter_mut().skip(at).zip(values) {
        *byte = *value;
    }
    written(|mut out| {
        for section in 0..n_sections {
            out.write(&data[file.section(section)])
                .map_err(|e| e.to_string())?;
            out.end_section();
        }
        out.finish().map_err(|e| e.to_string())
    })
}

/// Small and large numbers.
const FORGERIES: [&[u8]; 6] = [&[0], &[1], &[0x7f], &[0x80], &[0xff], &[0xff; 8]];

#[test]
fn a_forged_table_gives_an_answer_or_an_error_but_no_panic() {
    let games = small_games();
    let table = write_table(&table(&games));
    for values in FORGERIES {
        for at in 0..table.len() {
            let _ = read_table(&forged(&table, 5, at, values), games.len() as u32);
        }
    }
}

#[test]
fn a_forged_move_index_gives_an_answer_or_an_error_but_no_panic() {
    let moves = write_moves(&small_games());
    for values in FORGERIES {
        for at in 0..moves.len() {
            let forged = forged(&moves, 3, at, values);
            let _ = all_lists(&forged);
            let _ = in_order(&forged, n_slots(&small_games()));
        }
    }
}
