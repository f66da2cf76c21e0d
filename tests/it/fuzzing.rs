//! The laws of the fuzz targets over their seeds, whole and damaged a little: what `.ci/fuzz` does for hours with
//! coverage as a guide, done for seconds on any compiler.
//!
//! `FUZZ_CORPUS` names a folder of further PGN files to read. What fuzzing finds becomes a file in `tests/fuzz/found/`.

#[path = "../fuzz/laws.rs"]
mod laws;

use std::fs;
use std::path::{Path, PathBuf};

/// A place below the folder of tests.
fn below(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The contents of the files of a folder, by name; of none if there is no such folder.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = walkdir::WalkDir::new(folder)
        .into_iter()
        .filter_map(|entry| entry.ok().map(walkdir::DirEntry::into_path))
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let read = |path: PathBuf| fs::read(path).expect("a seed");
    paths.into_iter().map(read).collect()
}

/// The lines of a file of seeds, each behind each of the prefixes.
fn lines(name: &str, prefixes: &[&[u8]]) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(below("tests/fuzz/seeds").join(name)).expect("seeds");
    let seeds = text.lines().flat_map(|line| {
        let with = |prefix: &&[u8]| [prefix, line.as_bytes()].concat();
        prefixes.iter().map(with)
    });
    seeds.collect()
}

fn with_prefix(prefix: &[u8], seeds: Vec<Vec<u8>>) -> impl Iterator<Item = Vec<u8>> {
    seeds.into_iter().map(move |seed| [prefix, &seed].concat())
}

/// Runs a law over what fuzzing found, the seeds, and `n` damaged copies of each seed.
fn run(target: &str, law: fn(&[u8]), seeds: &[Vec<u8>], n: usize) {
    assert!(!seeds.is_empty(), "{target} has no seeds");
    for input in files(&below("tests/fuzz/found").join(target))
        .iter()
        .chain(seeds)
    {
        law(input);
    }
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below.max(1)
    };
    for seed in seeds {
        for _ in 0..n {
            let mut input = seed.clone();
            for _ in 0..=draw(3) {
                damage(&mut input, seeds, &mut draw);
            }
            law(&input);
        }
    }
}

/// Flips, sets, removes, repeats or borrows bytes.
fn damage(input: &mut Vec<u8>, seeds: &[Vec<u8>], draw: &mut impl FnMut(usize) -> usize) {
    let at = draw(input.len() + 1);
    let end = (at + draw(12)).min(input.len());
    match draw(6) {
        0 if at < input.len() => input[at] ^= 1 << draw(8),
        1 if at < input.len() => input[at] = [0, 0xff, 0x7f, 0x80, b'{', b'"'][draw(6)],
        2 => drop(input.drain(at..end)),
        3 => input.truncate(at),
        4 => {
            let repeated = input[at..end].to_vec();
            drop(input.splice(at..at, repeated));
        }
        _ => {
            let other = &seeds[draw(seeds.len())];
            let from = draw(other.len() + 1);
            let part = other[from..(from + draw(20)).min(other.len())].to_vec();
            drop(input.splice(at..end, part));
        }
    }
}

#[test]
fn splitting_changes_nothing_in_what_is_read() {
    let seeds: Vec<_> = with_prefix(&[40], files(&below("data-samples"))).collect();
    if let Some(folder) = std::env::var_os("FUZZ_CORPUS") {
        let more = files(Path::new(&folder));
        assert!(!more.is_empty(), "no files in {}", folder.display());
        // A damaged copy of a large file takes as long as the file and tells no more.
        let (large, small): (Vec<_>, Vec<_>) = more.into_iter().partition(|f| f.len() > 1 << 14);
        with_prefix(&[200], large).for_each(|input| laws::pgn(&input));
        let small: Vec<_> = with_prefix(&[200], small).collect();
        run("pgn", laws::pgn, &small, 3);
    }
    run("pgn", laws::pgn, &seeds, 100);
}

#[test]
fn what_is_read_as_a_move_is_legal_and_can_be_written() {
    let seeds = lines(
        "notation.txt",
        &[
            &[0, 0],
            &[1, 0],
            &[2, 0],
            &[3, 0],
            &[4, 0],
            &[5, 0],
            &[0, 3],
            &[1, 7],
        ],
    );
    run("notation", laws::notation, &seeds, 20);
}

#[test]
fn a_fen_that_is_read_can_be_written() {
    run("fen", laws::fen, &lines("fen.txt", &[&[]]), 2000);
}

#[test]
fn a_query_is_answered_or_refused() {
    run("query", laws::query, &lines("query.txt", &[&[]]), 100);
}

#[test]
fn a_table_that_nobody_wrote_is_read_or_refused() {
    let mut seeds = Vec::new();
    for (table, extension) in ["games", "positions", "moves"].into_iter().enumerate() {
        let mut found = Vec::new();
        // The latest format, and the last one before it that changed tables.
        let frozen = ["tests/data/index_v4", "tests/data/index_v2"].map(below);
        for entry in frozen
            .iter()
            .flat_map(|dir| fs::read_dir(dir).expect("a frozen index"))
        {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|e| e == extension) {
                found.push(fs::read(path).expect("a table"));
            }
        }
        seeds.extend(with_prefix(&[table as u8, 24], found));
    }
    run("tables", laws::tables, &seeds, 2000);
}

#[test]
fn a_container_is_unpacked_as_far_as_it_is_whole() {
    // Containers of every kind as they are, then texts to be packed.
    let mut seeds: Vec<_> =
        with_prefix(&[0, 0], files(&below("tests/fuzz/seeds/containers"))).collect();
    for how in 1..4 {
        for cut in [0, 1, 100, 255] {
            let texts = vec![b"[Event \"x\"]\n\n1. e4 *\n".to_vec(), vec![b'x'; 5000]];
            seeds.extend(with_prefix(&[how, cut], texts));
        }
    }
    run("containers", laws::containers, &seeds, 150);
}
