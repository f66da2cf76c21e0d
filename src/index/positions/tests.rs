//! The position index against a map: what was put in is found, before and after merges, and damage is told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proptest::prelude::*;
use tantivy::Directory;
use tantivy::directory::{FileSlice, RamDirectory};

use super::*;
use crate::index::games::{GameFacts, GamesWriter};
use crate::index::pages::PageWriter;
use crate::model::game_result::GameResult;
use crate::model::move_token::MoveToken;

/// A game as the index sees it.
#[derive(Clone, Debug)]
struct Game {
    facts: GameFacts,
    keys: Vec<u64>,
    moves: Vec<MoveToken>,
}

/// Keys that collide in every way: some share the 32 bits that the sparse part keeps, some the bits of a bucket.
const KEYS: [u64; 12] = [
    0,
    1,
    0xffff_ffff,
    u64::MAX,
    u64::MAX - 1,
    0x1234_5678_0000_0000,
    0x1234_5678_0000_0001,
    0x1234_5678_ffff_ffff,
    0x1234_5679_0000_0000,
    0x8000_0000_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0xabcd_ef01_2345_6789,
];

fn facts() -> impl Strategy<Value = GameFacts> {
    let elo = || prop_oneof![Just(0), 1000..1010u16, 2000..4000u16];
    let year = prop_oneof![Just(0), 1900..2030u16];
    (0..4u8, elo(), elo(), year).prop_map(|(result, white_elo, black_elo, year)| GameFacts {
        result: GameResult::from_code(result),
        white_elo,
        black_elo,
        year,
        ..GameFacts::default()
    })
}

/// A game through few positions, so that it meets others and itself.
fn game() -> impl Strategy<Value = Game> {
    let key = prop_oneof![8 => prop::sample::select(&KEYS[..]), 1 => any::<u64>()];
    let keys = prop::collection::vec(key, 1..8);
    let moves = prop::collection::vec(0..6u32, 8);
    (facts(), keys, moves).prop_map(|(facts, keys, moves)| {
        let token = |bits: u32| {
            if bits == 5 {
                MoveToken::null(shakmaty::Color::White)
            } else {
                token(bits)
            }
        };
        let moves = moves.into_iter().take(keys.len() - 1).map(token).collect();
        Game { facts, keys, moves }
    })
}

fn token(bits: u32) -> MoveToken {
    MoveToken::from_bits(bits * 0x41 + 3).expect("a token")
}

fn games_table<'a>(games: impl Iterator<Item = &'a Game>) -> GamesWriter {
    let mut table = GamesWriter::default();
    for (i, game) in games.enumerate() {
        // Imported in the opposite order, so that the order of import and that of numbers are not the same.
        table
            .add(game.facts, game.keys.len() as u32, 10_000 - i as u64, 0)
            .expect("room");
    }
    table
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

fn write(games: &[Game]) -> Vec<u8> {
    let mut writer = PositionsWriter::default();
    for (doc, game) in games.iter().enumerate() {
        writer.add_line(doc as DocId, 0, &game.keys, &game.moves);
    }
    written(|out| writer.write(&games_table(games.iter()), out))
}

fn open(bytes: Vec<u8>) -> Result<PositionsReader, Damage> {
    PositionsReader::open(PageFile::open(&FileSlice::from(bytes))?)
}

/// The slow twin: all postings of all keys.
fn twin(games: &[Game]) -> BTreeMap<u64, Vec<Posting>> {
    let mut map: BTreeMap<u64, Vec<Posting>> = BTreeMap::new();
    for (doc, game) in games.iter().enumerate() {
        for (ply, &key) in game.keys.iter().enumerate() {
            let next = game
                .moves
                .get(ply)
                .map_or(Continuation::END, |&token| Continuation::of(token));
            map.entry(key).or_default().push(Posting {
                doc: doc as DocId,
                ply: ply as u16,
                next,
            });
        }
    }
    map
}

fn docs(postings: &[Posting]) -> BTreeSet<DocId> {
    postings.iter().map(|posting| posting.doc).collect()
}

/// What the sparse part of a small index keeps of a key.
fn short(key: u64) -> u64 {
    key >> 36 << 36
}

/// What an index of these games has to hold in each of its parts.
#[derive(Debug, Default)]
struct Parts {
    dense: BTreeMap<u64, Vec<Posting>>,
    sparse: BTreeSet<(u64, DocId)>,
}

fn parts(games: &[Game]) -> Parts {
    let mut parts = Parts::default();
    for (key, postings) in twin(games) {
        let docs = docs(&postings);
        if docs.len() > SPARSE_GAMES {
            parts.dense.insert(key, postings);
        } else {
            parts
                .sparse
                .extend(docs.into_iter().map(|doc| (short(key), doc)));
        }
    }
    parts
}

/// Keys to look up: all that are there, and strangers that are close to them.
fn probes(parts: &Parts, keys: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut probes: Vec<u64> = keys
        .chain(KEYS)
        .chain(parts.dense.keys().copied())
        .collect();
    probes.extend(
        probes
            .clone()
            .into_iter()
            .flat_map(|key| [key ^ 0x100, key ^ 1 << 33, key ^ 1 << 40, key ^ 1 << 63]),
    );
    probes
}

/// Checks everything a reader can be asked against what has to be there.
fn check(reader: &PositionsReader, wanted: &Parts, probes: &[u64], table: &GamesWriter) {
    for &key in probes {
        let mut found = Vec::new();
        reader.candidates(key, &mut found).expect("candidates");
        let same_short = wanted
            .sparse
            .range((short(key), 0)..=(short(key), DocId::MAX));
        let wanted_docs: Vec<DocId> = same_short.map(|(_, doc)| *doc).collect();
        assert_eq!(found, wanted_docs, "candidates of {key:x}");
        let list = reader.dense(key).expect("a dense list");
        let Some(postings) = wanted.dense.get(&key) else {
            assert!(list.is_none(), "a list of {key:x}");
            continue;
        };
        let list = list.expect("a list");
        assert_eq!(
            &list.decode().expect("postings"),
            postings,
            "postings of {key:x}"
        );
        assert_eq!(
            (list.n_postings(), list.postings().collect::<Vec<_>>()),
            (postings.len(), postings.clone())
        );
        for from in [
            0,
            1,
            postings[postings.len() / 2].doc,
            postings[postings.len() - 1].doc + 1,
        ] {
            let later: Vec<Posting> = postings
                .iter()
                .copied()
                .filter(|posting| posting.doc >= from)
                .collect();
            assert_eq!(
                list.postings_from(from).collect::<Vec<_>>(),
                later,
                "from {from}"
            );
        }
        if let Some(sums) = list.sums() {
            let (total, moves) = sum_up(postings.iter().map(|&p| (p, table.facts(p.doc))));
            assert_eq!(sums.total, total);
            assert_eq!(
                sums.moves.iter().copied().collect::<BTreeMap<_, _>>(),
                moves
            );
            assert_eq!(sums.top, top(postings, table), "top of {key:x}");
        } else {
            assert!(
                postings.len() < 256,
                "no sums of {} postings",
                postings.len()
            );
        }
    }
    let mut sparse = Vec::new();
    reader
        .each_sparse(|short, doc| {
            sparse.push((short, doc));
            Ok(())
        })
        .expect("sparse postings");
    assert_eq!(sparse, wanted.sparse.iter().copied().collect::<Vec<_>>());
    let mut dense = Vec::new();
    reader
        .each_dense(|key, list| {
            dense.push((key, list.decode()?));
            Ok(())
        })
        .expect("dense lists");
    assert_eq!(dense, wanted.dense.clone().into_iter().collect::<Vec<_>>());
}

/// The highest rated games, among equals those that were imported first.
fn top(postings: &[Posting], table: &GamesWriter) -> Vec<DocId> {
    let rating =
        |doc| u32::from(table.facts(doc).white_elo) + u32::from(table.facts(doc).black_elo);
    let mut docs: Vec<DocId> = docs(postings).into_iter().collect();
    docs.sort_by_key(|&doc| (std::cmp::Reverse(rating(doc)), table.sequence(doc)));
    docs.truncate(TOP_GAMES);
    docs
}

/// Checks that a merge holds what its segments held, and what one index of all games that are left would hold.
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
    let left: Vec<usize> = (0..games.len()).filter(|&game| !deleted(game)).collect();
    let new_doc = |game: usize| left.binary_search(&game).ok().map(|doc| doc as DocId);
    let readers: Vec<PositionsReader> = segments
        .iter()
        .map(|(_, games)| open(write(games)).expect("a reader"))
        .collect();
    let table = games_table(left.iter().map(|&game| &games[game]));
    let remap = |segment: usize, doc: DocId| new_doc(segments[segment].0 + doc as usize);
    let merged = open(written(|out| merge(&readers, remap, &table, out))).expect("a merged reader");

    let mut wanted = Parts::default();
    for (segment, (_, games)) in segments.iter().enumerate() {
        let of_segment = parts(games);
        let new_docs = of_segment
            .sparse
            .iter()
            .filter_map(|&(short, doc)| Some((short, remap(segment, doc)?)));
        wanted.sparse.extend(new_docs);
        for (key, postings) in of_segment.dense {
            let left = postings.iter().filter_map(|p| {
                Some(Posting {
                    doc: remap(segment, p.doc)?,
                    ..*p
                })
            });
            let left: Vec<Posting> = left.collect();
            if !left.is_empty() {
                wanted.dense.entry(key).or_default().extend(left);
            }
        }
    }
    let left: Vec<Game> = left.iter().map(|&game| games[game].clone()).collect();
    let whole = twin(&left);
    let probes = probes(&wanted, whole.keys().copied());
    check(&merged, &wanted, &probes, &table);
    for key in probes {
        // What a search does: lists are believed, candidates replayed. Together they are what one index would find.
        let mut found = Vec::new();
        merged.candidates(key, &mut found).expect("candidates");
        let mut postings = merged
            .dense(key)
            .expect("a list")
            .map_or_else(Vec::new, |l| l.decode().expect("postings"));
        let confirmed: BTreeSet<DocId> = found
            .into_iter()
            .filter(|&doc| left[doc as usize].keys.contains(&key))
            .collect();
        for posting in whole.get(&key).into_iter().flatten() {
            if confirmed.contains(&posting.doc) && !postings.contains(posting) {
                postings.push(*posting);
            }
        }
        postings.sort_by_key(|posting| (posting.doc, posting.ply));
        assert_eq!(
            &postings,
            whole.get(&key).unwrap_or(&Vec::new()),
            "union of {key:x}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn what_was_put_in_is_found(games in prop::collection::vec(game(), 0..60)) {
        let parts = parts(&games);
        let probes = probes(&parts, twin(&games).into_keys());
        check(&open(write(&games)).expect("a reader"), &parts, &probes, &games_table(games.iter()));
    }

    #[test]
    fn a_merge_holds_what_its_segments_held(
        games in prop::collection::vec(game(), 0..80),
        borders in prop::collection::vec(any::<usize>(), 1..5),
        deleted in prop::collection::vec(prop::bool::weighted(0.3), 80),
    ) {
        check_merge(&games, &borders, |game| deleted[game]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn long_lists_carry_the_sums_of_their_games(
        games in prop::collection::vec(game(), 200..700),
        borders in prop::collection::vec(any::<usize>(), 1..5),
        deleted in prop::collection::vec(prop::bool::weighted(0.1), 700),
    ) {
        let parts = parts(&games);
        let probes = probes(&parts, std::iter::empty());
        check(&open(write(&games)).expect("a reader"), &parts, &probes, &games_table(games.iter()));
        check_merge(&games, &borders, |game| deleted[game]);
    }
}

#[test]
fn many_keys_are_spread_over_blocks_and_buckets() {
    let mut state = 1u64;
    let mut number = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    let shared: Vec<u64> = (0..600).map(|_| number()).collect();
    let games: Vec<Game> = (0..1500)
        .map(|_| {
            let mut keys: Vec<u64> = (0..30).map(|_| number()).collect();
            keys.extend((0..10).map(|_| shared[number() as usize % shared.len()]));
            let moves = (0..39).map(|_| token(number() as u32 % 40)).collect();
            Game {
                facts: GameFacts::default(),
                keys,
                moves,
            }
        })
        .collect();
    let parts = parts(&games);
    assert!(parts.dense.len() > 500 && parts.sparse.len() > 40_000);
    let probes = probes(&parts, twin(&games).into_keys().step_by(7));
    check(
        &open(write(&games)).expect("a reader"),
        &parts,
        &probes,
        &games_table(games.iter()),
    );
    check_merge(&games, &[100, 101, 700], |game| game % 9 == 4);
}

/// Twelve games, enough for a dense list of two blocks and sparse postings beside it.
fn small_index() -> (Vec<Game>, Parts) {
    let games: Vec<Game> = (0..12u64)
        .map(|i| {
            let mut keys = vec![KEYS[5]; 12];
            keys.extend([KEYS[6], KEYS[i as usize], i << 40, KEYS[11]]);
            let moves = (0..15).map(|ply| token((ply + i as u32) % 5)).collect();
            Game {
                facts: GameFacts::default(),
                keys,
                moves,
            }
        })
        .collect();
    let parts = parts(&games);
    (games, parts)
}

/// Everything a reader says to any question.
type Answers = (
    Vec<(Vec<DocId>, Vec<Posting>)>,
    Vec<(u64, DocId)>,
    Vec<(u64, Vec<Posting>)>,
);

fn ask(bytes: Vec<u8>, probes: &[u64]) -> Result<Answers, Damage> {
    let reader = open(bytes)?;
    let mut lookups = Vec::new();
    for &key in probes {
        let mut found = Vec::new();
        reader.candidates(key, &mut found)?;
        let list = reader.dense(key)?;
        if let Some(list) = &list {
            // These do not fail, so they have to end on any bytes.
            let _ = (list.postings().count(), list.postings_from(3).count());
        }
        lookups.push((found, list.map_or(Ok(Vec::new()), |list| list.decode())?));
    }
    let (mut sparse, mut dense) = (Vec::new(), Vec::new());
    reader.each_sparse(|short, doc| {
        sparse.push((short, doc));
        Ok(())
    })?;
    reader.each_dense(|key, list| {
        dense.push((key, list.decode()?));
        Ok(())
    })?;
    Ok((lookups, sparse, dense))
}

#[test]
fn a_damaged_byte_gives_an_error_or_the_right_answer() {
    let (games, parts) = small_index();
    let probes = probes(&parts, twin(&games).into_keys());
    let bytes = write(&games);
    let right = ask(bytes.clone(), &probes).expect("answers");
    let mut n_errors = 0;
    let mut check = |damaged: Vec<u8>, what: &str| match ask(damaged, &probes) {
        Ok(answers) => assert_eq!(answers, right, "{what}"),
        Err(_) => n_errors += 1,
    };
    for at in 0..bytes.len() {
        for mask in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= mask;
            check(damaged, &format!("byte {at} of {} xor {mask}", bytes.len()));
        }
        check(bytes[..at].to_vec(), &format!("cut at {at}"));
    }
    assert_eq!(n_errors, bytes.len() * 4, "every byte is under a checksum");
}

/// The file with some bytes of its sections changed and all checksums made anew, as no disk would damage it.
fn forged(bytes: &[u8], at: usize, values: &[u8]) -> Vec<u8> {
    let file = PageFile::open(&FileSlice::from(bytes.to_vec())).expect("a file");
    let mut data = file
        .read(0..file.section(5).end)
        .expect("the sections")
        .to_vec();
    for (byte, value) in data.iter_mut().skip(at).zip(values) {
        *byte = *value;
    }
    written(|mut out| {
        for section in 0..6 {
            out.write(&data[file.section(section)])
                .map_err(|e| e.to_string())?;
            out.end_section();
        }
        out.finish().map_err(|e| e.to_string())
    })
}

/// Small and large numbers, and those that never end.
const FORGERIES: [&[u8]; 7] = [
    &[0],
    &[1],
    &[0x7f],
    &[0x80],
    &[0xff],
    &[0xff; 10],
    &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
];

#[test]
fn a_forged_file_gives_an_answer_or_an_error_but_no_panic() {
    let (games, parts) = small_index();
    let probes = probes(&parts, std::iter::empty());
    let bytes = write(&games);
    let end = PageFile::open(&FileSlice::from(bytes.clone()))
        .expect("a file")
        .section(5)
        .end;
    for at in 0..end {
        for values in FORGERIES {
            let _ = ask(forged(&bytes, at, values), &probes);
        }
    }
}

#[test]
fn a_forged_file_is_merged_or_refused_without_a_panic() {
    let (games, _) = small_index();
    let table = games_table(games.iter());
    let bytes = write(&games);
    let end = PageFile::open(&FileSlice::from(bytes.clone()))
        .expect("a file")
        .section(5)
        .end;
    for at in 0..end {
        for values in FORGERIES {
            if let Ok(reader) = open(forged(&bytes, at, values)) {
                let out = RamDirectory::create()
                    .open_write(Path::new("merged"))
                    .expect("a file");
                let _ = merge(
                    &[reader],
                    |_, doc| Some(doc).filter(|&doc| doc < 12),
                    &table,
                    PageWriter::new(out),
                );
            }
        }
    }
}
