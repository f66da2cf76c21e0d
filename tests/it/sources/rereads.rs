//! A text that is imported again in another reading is read again, and not once more.

use pgndex::Error;
use pgndex::export::convert;
use pgndex::index::{IndexStore, Manifest};
use pgndex::ingest::{ImportOptions, Progress, import};
use pgndex::notation::{GameReading, Language, Reading};

use super::{exported, zstd};
use crate::support::{ANNOTATED, BY_ID, PLAIN, games, import_with, options, scratch, sound, write};

fn read_in(language: Option<&str>) -> ImportOptions {
    ImportOptions {
        reading: GameReading::from_letters(None, language).expect("a language"),
        ..options(2)
    }
}

/// What a manifest counts.
fn counts(manifest: &Manifest) -> [u64; 5] {
    let m = manifest;
    [
        m.n_games,
        m.n_partial,
        m.n_rejected,
        m.n_removed(),
        m.n_plies,
    ]
}

/// Whatever a text was read in before, and however much of it was there, the games are those of reading it once.
#[test]
fn reading_again_is_like_reading_once() {
    let dir = scratch();
    for (seed, recipe) in [(0, PLAIN), (1, ANNOTATED), (2, PLAIN), (3, ANNOTATED)] {
        for packed in [false, true] {
            let english = games(870 + seed, 12, recipe).concat();
            let rejected = "[FEN \"no position\"]\n\n1. e4 *\n\n";
            let german = convert(
                english.as_bytes(),
                Reading::default(),
                "de".parse().expect("a notation"),
            );
            let text = [rejected.as_bytes(), &german.bytes].concat();
            let pack = |bytes: &[u8]| if packed { zstd(bytes) } else { bytes.to_vec() };
            for then in [Some("de"), Some("auto")] {
                let (once, twice) = (dir.path().join("once.idx"), dir.path().join("twice.idx"));
                for index in [&once, &twice] {
                    drop(std::fs::remove_dir_all(index));
                }
                let source = write(dir.path(), "games.pgn", pack(&text));
                let sources = std::slice::from_ref(&source);
                let wanted = import_with(&once, sources, &read_in(then));
                // Half of it, then all of it, in English letters.
                write(dir.path(), "games.pgn", pack(&text[..text.len() / 2]));
                import_with(&twice, sources, &read_in(None));
                write(dir.path(), "games.pgn", pack(&text));
                if seed < 2 {
                    import_with(&twice, sources, &read_in(None));
                }
                let before = IndexStore::open(&twice)
                    .expect("an index")
                    .manifest()
                    .n_games;
                let summary = import_with(&twice, sources, &read_in(then));
                let name = format!("{seed} {packed} {then:?}");
                assert_eq!(summary.reread.len(), 1, "{name}");
                assert_eq!(summary.reread[0].replaced, before, "{name}");
                assert_eq!(
                    summary.reread[0].games,
                    wanted.ok + wanted.partial,
                    "{name}"
                );
                assert!(exported(&twice, true) == exported(&once, true), "{name}");
                let manifest = |index| {
                    IndexStore::open(index)
                        .expect("an index")
                        .manifest()
                        .clone()
                };
                assert_eq!(
                    counts(&manifest(&twice)),
                    counts(&manifest(&once)),
                    "{name}"
                );
                sound(&twice);
                let searcher = pgndex::search::Searcher::open(&twice).expect("an index");
                let hits = searcher
                    .hits("*", Reading::default(), BY_ID, 0, usize::MAX)
                    .expect("hits");
                assert_eq!(hits.count() as u64, wanted.ok + wanted.partial);
                // It is known now, and what it was read in before is not.
                let again = import_with(&twice, sources, &read_in(then));
                assert_eq!((again.games, again.unchanged), (0, wanted.games), "{name}");
            }
        }
    }
}

#[test]
fn what_another_source_continues_stays() {
    let dir = scratch();
    let text = games(880, 4, PLAIN);
    let (a, b) = (
        write(dir.path(), "a.pgn", text[..2].concat()),
        write(dir.path(), "b.pgn", text.concat()),
    );
    let index = dir.path().join("games.idx");
    import_with(&index, std::slice::from_ref(&a), &options(1));
    let longer = import_with(&index, std::slice::from_ref(&b), &options(1));
    assert_eq!((longer.games, longer.unchanged), (2, 2));
    // The games of a.pgn are those of b.pgn, too, which was not imported again.
    let summary = import_with(&index, std::slice::from_ref(&a), &read_in(Some("auto")));
    assert_eq!((summary.games, summary.reread.len()), (2, 0));
    assert_eq!(sound(&index).games, 6);
    // Now all of it goes.
    let summary = import_with(&index, std::slice::from_ref(&b), &read_in(Some("auto")));
    assert_eq!((summary.games, summary.unchanged), (2, 2));
    assert_eq!(summary.reread.len(), 1);
    assert_eq!(
        (summary.reread[0].replaced, summary.reread[0].games),
        (4, 4)
    );
    assert_eq!(sound(&index).games, 4);
}

#[test]
fn a_reading_that_loses_moves_is_refused() {
    let dir = scratch();
    let text = games(881, 5, PLAIN).concat();
    let source = write(dir.path(), "games.pgn", text);
    let index = dir.path().join("games.idx");
    import_with(&index, std::slice::from_ref(&source), &options(1));
    let before = std::fs::read(index.join("meta.json")).expect("meta.json");
    let german = ImportOptions {
        reading: Reading {
            form: None,
            language: Language::from_code("de"),
        }
        .into(),
        ..options(1)
    };
    let refused = import(
        &index,
        std::slice::from_ref(&source),
        &german,
        None,
        &Progress::default(),
    );
    assert!(
        matches!(&refused, Err(Error::FewerMoves { before, now, .. }) if now < before),
        "{refused:?}"
    );
    assert!(std::fs::read(index.join("meta.json")).expect("meta.json") == before);
    sound(&index);
}
