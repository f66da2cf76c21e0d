//! A source that comes again in a longer version adds only its new games, wherever the shorter one ended.

use std::fs;
use std::path::Path;

use super::{exported, zstd};
use crate::support::{
    ANNOTATED, ODD, PLAIN, Random, Recipe, games, import_with, options, scratch, sound, write,
};

/// Imports versions of a text that end where the lot says, and then all of it: the games are those of importing it once.
fn check(dir: &Path, seed: u64, recipe: Recipe, pack: fn(&[u8]) -> Vec<u8>) {
    let mut random = Random::new(seed);
    let text = games(seed, 8, recipe).concat();
    let once = dir.join("once.idx");
    let several = dir.join("several.idx");
    for index in [&once, &several] {
        drop(fs::remove_dir_all(index));
    }
    let source = write(dir, "games.pgn", pack(text.as_bytes()));
    let wanted = import_with(&once, std::slice::from_ref(&source), &options(1));
    let mut ends = [random.below(text.len()), random.below(text.len())];
    ends.sort_unstable();
    let mut read = 0;
    for end in ends.into_iter().chain([text.len()]) {
        fs::write(&source, pack(&text.as_bytes()[..end])).expect("written");
        let summary = import_with(&several, std::slice::from_ref(&source), &options(1));
        assert_eq!(summary.changed_sources, 0, "{ends:?} of seed {seed}");
        read += summary.games;
    }
    assert!(
        exported(&several, true) == exported(&once, true),
        "{ends:?} of seed {seed}"
    );
    // Only a game that was cut in its middle is read again.
    assert!(read <= wanted.games + 2, "{read} games were read");
    sound(&several);
    let again = import_with(&several, &[source], &options(1));
    assert_eq!((again.games, again.unchanged), (0, wanted.games));
}

#[test]
fn versions_that_end_anywhere_come_to_the_same_games() {
    let dir = scratch();
    for seed in 0..6 {
        for recipe in [PLAIN, ODD, ANNOTATED] {
            check(dir.path(), 800 + seed, recipe, <[u8]>::to_vec);
        }
        check(dir.path(), 800 + seed, PLAIN, zstd);
    }
}

#[test]
fn a_longer_version_of_several_chunks_is_read_from_the_last_one_on() {
    let dir = scratch();
    let text = games(830, 9000, PLAIN);
    let old = &text[..8000];
    let index = dir.path().join("games.idx");
    let source = write(dir.path(), "games.pgn", old.concat());
    assert!(fs::metadata(&source).expect("a file").len() > 2 << 20);
    import_with(&index, std::slice::from_ref(&source), &options(2));
    // Two other sources have come since.
    let other = write(dir.path(), "other.pgn", games(831, 10, PLAIN).concat());
    import_with(&index, std::slice::from_ref(&other), &options(2));

    fs::write(&source, text.concat()).expect("written");
    let summary = import_with(&index, std::slice::from_ref(&source), &options(2));
    assert_eq!((summary.games, summary.unchanged), (1000, 8000));
    assert!(summary.bytes < 2 << 20, "{} bytes were read", summary.bytes);
    let once = dir.path().join("once.idx");
    import_with(&once, &[source, other], &options(1));
    assert!(exported(&index, true) == exported(&once, true));
    sound(&index);
}

#[test]
fn a_longer_version_under_another_name_adds_to_whole_games_only() {
    let dir = scratch();
    let text = games(840, 20, PLAIN);
    let index = dir.path().join("games.idx");
    let old = write(dir.path(), "2030.pgn", text[..15].concat());
    let new = write(dir.path(), "2031.pgn", text.concat());
    // Both in one run, and in two.
    let summary = import_with(&index, &[old.clone(), new.clone()], &options(2));
    assert_eq!((summary.games, summary.unchanged), (20, 15));
    sound(&index);
    let index = dir.path().join("two.idx");
    import_with(&index, &[old], &options(1));
    let summary = import_with(&index, &[new], &options(1));
    assert_eq!((summary.games, summary.unchanged), (5, 15));
    sound(&index);

    // A game that goes on in another file is another game.
    let index = dir.path().join("cut.idx");
    let old = write(dir.path(), "cut.pgn", "[Event \"x\"]\n\n1. e4 e5\n");
    let new = write(
        dir.path(),
        "more.pgn",
        "[Event \"x\"]\n\n1. e4 e5\n2. Nf3 *\n",
    );
    import_with(&index, &[old], &options(1));
    let summary = import_with(&index, &[new], &options(1));
    assert_eq!((summary.games, summary.unchanged), (1, 0));
    assert_eq!(sound(&index).games, 2);
}

#[test]
fn a_source_that_changed_in_its_middle_is_a_new_one() {
    let dir = scratch();
    let mut text = games(850, 20, PLAIN);
    let index = dir.path().join("games.idx");
    let source = write(dir.path(), "games.pgn", text.concat());
    import_with(&index, std::slice::from_ref(&source), &options(1));
    text[3] = games(851, 1, PLAIN).concat();
    fs::write(&source, text.concat()).expect("written");
    let summary = import_with(&index, std::slice::from_ref(&source), &options(1));
    assert_eq!((summary.games, summary.unchanged), (20, 0));
    assert_eq!(summary.changed_sources, 1);
    assert!(
        summary.remarks[0]
            .message
            .contains("changed since it was imported"),
        "{:?}",
        summary.remarks
    );
    assert_eq!(sound(&index).games, 40);
}

#[test]
fn a_comment_that_only_a_longer_version_closes_changes_the_games_before_it() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let text = "[Event \"a\"]\n\n1. e4 {open\n\n[Event \"b\"]\n\n1. d4 *\n";
    let source = write(dir.path(), "games.pgn", text);
    import_with(&index, std::slice::from_ref(&source), &options(1));
    assert_eq!(sound(&index).games, 2);
    fs::write(&source, format!("{text}}} e5 *\n")).expect("written");
    let summary = import_with(&index, &[source], &options(1));
    assert_eq!((summary.games, summary.changed_sources), (1, 1));
}
