//! A frozen index of every format that is read, and typed errors for what is no index or lacks a file.

use std::fs;
use std::path::{Path, PathBuf};

use pgndex::Error;
use pgndex::index::{FORMAT_VERSION, IndexStore, OLDEST_READABLE, verify};
use pgndex::ingest::Lines;
use pgndex::notation::Reading;
use pgndex::search::Searcher;

use crate::support::{
    BY_ID, PLAIN, arg, copy_dir, count, games, index_of, options, pgndex, scratch, sound, write,
};

/// Where the frozen index of a format version is kept.
fn frozen(version: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/index_v{version}"))
}

/// The games of the frozen indexes, under a name that does not depend on where they are imported. German ones come
/// last; from version 2 on, games of variants after them.
const FROZEN_SOURCES: [&str; 4] = [
    "annotated.pgn",
    "chess960.pgn",
    "from-position.pgn",
    "results.pgn",
];

#[test]
#[ignore = "overwrites the frozen index of the current format; run it when FORMAT_VERSION grows"]
fn freeze_an_index_of_the_current_format() {
    let (dir, target) = (scratch(), frozen(FORMAT_VERSION));
    let index = dir.path().join("frozen.idx");
    import_by_name(&index, &["--variations", "annotated.pgn"]);
    import_by_name(&index, &FROZEN_SOURCES[1..]);
    import_by_name(&index, &["--lang", "de", "german.txt"]);
    import_by_name(&index, &["--variations", "variants.pgn"]);
    sound(&index);
    drop(fs::remove_dir_all(&target));
    copy_dir(&index, &target);
    for lock in [".tantivy-writer.lock", ".tantivy-meta.lock"] {
        // They are empty and made anew; Git need not keep them.
        drop(fs::remove_file(target.join(lock)));
    }
}

/// Imports samples by their bare names, which the index then holds.
fn import_by_name(index: &Path, args: &[&str]) {
    let done = pgndex(&[&["import", arg(index)], args].concat())
        .output()
        .expect("the program runs");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn frozen_indexes_of_all_readable_formats_are_read() {
    for version in OLDEST_READABLE..=FORMAT_VERSION {
        let dir = scratch();
        let index = dir.path().join("frozen.idx");
        copy_dir(&frozen(version), &index);
        let store = IndexStore::open(&index).unwrap_or_else(|e| panic!("version {version}: {e}"));
        assert_eq!(store.manifest().format_version, version);
        let names: Vec<&str> = store
            .manifest()
            .sources
            .iter()
            .map(|source| source.name.as_str())
            .collect();
        let mut sources = [&FROZEN_SOURCES[..], &["german.txt"]].concat();
        let mut n_games = 24;
        if version >= 2 {
            sources.push("variants.pgn");
            n_games += 7;
        }
        assert_eq!(names, sources);
        assert_eq!(sound(&index).games, n_games);
        let searcher = Searcher::open(&index).expect("an index");
        let ids = |query: &str| {
            let found = searcher
                .hits(query, Reading::default(), BY_ID, 0, usize::MAX)
                .expect("hits");
            found.map(|hit| hit.expect("a hit").id).collect::<Vec<_>>()
        };
        assert_eq!(ids("move:Nxf7"), [8]);
        assert_eq!(ids("in:variations move:Nxf7"), [2]);
        assert_eq!(ids("variant:chess960 move:Nxf7"), [5]);
        assert_eq!(ids("white:reti"), [7, 13]);
        assert_eq!(ids("move:Sf3 source:german").len(), 3);
        assert_eq!(ids("date:1972 elo:2785"), [15, 16]);
        assert_eq!(ids("fen:\"8/8/1KP5/3r4/8/8/8/k7 w - -\""), [6]);
        let start = count(
            &searcher,
            "fen:\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"",
        );
        assert_eq!(
            start,
            "{\"games\":16,\"occurrences\":16,\"white\":5,\"draws\":2,\"black\":4,\"unknown\":5}"
        );
        // The frozen index can be added to, and says what it has already.
        import_by_name(&index, &["--lang", "de", "german.txt"]);
        assert_eq!(sound(&index).games, n_games);
        import_by_name(&index, &["--variations", "variants.pgn"]);
        assert_eq!(sound(&index).games, 31);
        let store = IndexStore::open(&index).expect("an index");
        // What adds nothing leaves an index as it is, its version too.
        let was_complete = n_games == 31;
        let now = if was_complete {
            version
        } else {
            FORMAT_VERSION
        };
        assert_eq!(store.manifest().format_version, now);
        let searcher = Searcher::open(&index).expect("an index");
        let games = |query: &str| count(&searcher, query).split(',').next().map(str::to_owned);
        for (query, n) in [
            ("variant:crazyhouse move:\"B@b4\"", 1),
            ("variant:crazyhouse in:variations move:\"P@d5\"", 1),
            (
                "variant:kingofthehill fen:\"rnbqkbnr/3ppppp/ppp5/8/4K3/4P3/PPPP1PPP/RNBQ1BNR b kq -\"",
                1,
            ),
            (
                "variant:threecheck fen:\"r1bq1bnr/ppp2kpp/2n5/3Bp3/4P3/8/PPPP1PPP/RNB1K1NR b KQ - 0+3\"",
                1,
            ),
            (
                "variant:threecheck fen:\"r1bq1bnr/ppp2kpp/2n5/3Bp3/4P3/8/PPPP1PPP/RNB1K1NR b KQ - 1+3\"",
                0,
            ),
            ("variant:horde", 1),
            ("move:\"B@b4\"", 0),
        ] {
            assert_eq!(games(query), Some(format!("{{\"games\":{n}")), "{query}");
        }
    }
}

/// The description of an index as a program of another version would write it.
fn with_version(meta: &str, version: u32) -> String {
    let mut meta: serde_json::Value = serde_json::from_str(meta).expect("JSON");
    let inner = |text: &serde_json::Value| {
        let text = text.as_str().expect("JSON in a string");
        serde_json::from_str::<serde_json::Value>(text).expect("JSON")
    };
    let mut payload = inner(&meta["payload"]);
    let mut manifest = inner(&payload["manifest"]);
    assert_eq!(manifest["format_version"], FORMAT_VERSION);
    manifest["format_version"] = version.into();
    payload["manifest"] = manifest.to_string().into();
    meta["payload"] = payload.to_string().into();
    meta.to_string()
}

#[test]
fn what_is_no_index_is_a_typed_error() {
    let dir = scratch();
    let at = |name: &str| dir.path().join(name);
    let open = |name: &str| IndexStore::open(&at(name)).map(drop);
    let text = games(300, 5, PLAIN).concat();
    let good = index_of(dir.path(), &text, Lines::Main);
    let source = at("games.pgn");
    let import = |name: &str| {
        let progress = pgndex::ingest::Progress::default();
        pgndex::ingest::import(
            &at(name),
            std::slice::from_ref(&source),
            &options(1),
            None,
            &progress,
        )
        .map(drop)
    };

    fs::create_dir(at("empty")).expect("a directory");
    for name in ["nowhere", "empty", "games.pgn"] {
        assert!(
            matches!(open(name), Err(Error::NoIndex(path)) if path == at(name)),
            "{name}: {:?}",
            open(name)
        );
        assert!(
            matches!(verify(&at(name), |_| ()), Err(Error::NoIndex(_))),
            "{name}"
        );
        assert!(
            matches!(Searcher::open(&at(name)), Err(Error::NoIndex(_))),
            "{name}"
        );
    }
    // An empty directory becomes an index; a file does not, nor does a directory of something else.
    assert!(import("empty").is_ok());
    assert!(import("games.pgn").is_err() && fs::read_to_string(&source).expect("the file") == text);
    fs::create_dir(at("foreign")).expect("a directory");
    write(&at("foreign"), "notes.txt", "mine");
    assert!(matches!(open("foreign"), Err(Error::NoIndex(_))));
    assert!(
        matches!(import("foreign"), Err(Error::ForeignIndex { .. })),
        "{:?}",
        import("foreign")
    );
    assert_eq!(fs::read_dir(at("foreign")).expect("a directory").count(), 1);

    // An index of tantivy that is not ours.
    fs::create_dir(at("tantivy")).expect("a directory");
    let mut schema = tantivy::schema::Schema::builder();
    let field = schema.add_text_field("title", tantivy::schema::TEXT);
    let other =
        tantivy::Index::create_in_dir(at("tantivy"), schema.build()).expect("an index of tantivy");
    assert!(
        matches!(open("tantivy"), Err(Error::ForeignIndex { .. })),
        "{:?}",
        open("tantivy")
    );
    let mut writer: tantivy::IndexWriter = other
        .writer_with_num_threads(1, 15_000_000)
        .expect("a writer");
    writer
        .add_document(tantivy::doc!(field => "x"))
        .expect("a document");
    writer.commit().expect("a commit");
    assert!(
        matches!(open("tantivy"), Err(Error::ForeignIndex { .. })),
        "{:?}",
        open("tantivy")
    );
    let mut commit = writer.prepare_commit().expect("a commit");
    commit.set_payload("of somebody else");
    commit.commit().expect("a commit");
    drop(writer);
    for result in [
        open("tantivy"),
        import("tantivy"),
        verify(&at("tantivy"), |_| ()).map(drop),
    ] {
        assert!(
            matches!(result, Err(Error::ForeignIndex { .. })),
            "{result:?}"
        );
    }

    // Other versions, which an import must not touch either.
    for version in [0, FORMAT_VERSION + 1, 999] {
        let name = format!("version-{version}");
        copy_dir(&good, &at(&name));
        let meta = fs::read_to_string(at(&name).join("meta.json")).expect("meta.json");
        let other = with_version(&meta, version);
        write(&at(&name), "meta.json", &other);
        for result in [
            open(&name),
            import(&name),
            verify(&at(&name), |_| ()).map(drop),
        ] {
            match result.expect_err("another version") {
                error @ Error::FormatVersion {
                    found,
                    oldest,
                    newest,
                    ..
                } => {
                    assert_eq!(
                        (found, oldest, newest),
                        (version, OLDEST_READABLE, FORMAT_VERSION)
                    );
                    assert!(
                        error.to_string().contains("import the archives again"),
                        "{error}"
                    );
                }
                other => panic!("version {version}: {other:?}"),
            }
        }
        assert_eq!(
            fs::read_to_string(at(&name).join("meta.json")).expect("meta.json"),
            other
        );
    }
}

#[test]
fn a_missing_file_is_named() {
    let dir = scratch();
    let good = index_of(dir.path(), &games(301, 8, PLAIN).concat(), Lines::Main);
    let names: Vec<String> = fs::read_dir(&good)
        .expect("a directory")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .filter(|name| !name.starts_with('.'))
        .collect();
    assert_eq!(names.len(), 10, "{names:?}");
    for name in names {
        let index = dir.path().join("without.idx");
        copy_dir(&good, &index);
        fs::remove_file(index.join(&name)).expect("a file goes");
        let error = Searcher::open(&index).map(drop).expect_err(&name);
        match (name.as_str(), &error) {
            ("meta.json", Error::NoIndex(_)) => {}
            (_, Error::Damaged { .. }) => {
                assert!(error.to_string().contains(&name), "{name}: {error}")
            }
            (_, other) => panic!("{name}: {other:?}"),
        }
        assert!(verify(&index, |_| ()).is_err(), "{name}");
        fs::remove_dir_all(&index).expect("a directory goes");
    }
}
