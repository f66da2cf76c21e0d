//! What an index promises, whoever wrote it and however: the same answers from any number of threads, segments and
//! merges (law 4), a frozen format, typed errors for what is no index, and never a wrong answer from a damaged one.

mod damage;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pgndex::Error;
use pgndex::index::{FORMAT_VERSION, IndexStore, OLDEST_READABLE, verify};
use pgndex::ingest::{ImportOptions, Lines};
use pgndex::notation::Reading;
use pgndex::search::{Searcher, SortOrder};

use crate::support::{
    ANNOTATED, BY_ID, ODD, PLAIN, arg, copy_dir, count, explore, export, games, hits, import_with,
    index_of, options, pgndex, sample, scratch, sound, write,
};

/// Queries that ask everything that an index stores.
const QUERIES: [&str; 24] = [
    "*",
    "fen:\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"",
    "board:\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\"",
    "move:Nf3",
    "move:h4 OR move:Kd2",
    "b.move:\"Qxd2+\"",
    "w.moves:\"Nf3 Nf6 Ng1 Ng8\"",
    "moves:\"h3 h6\"",
    "in:variations move:e4",
    "in:all move:Nf3",
    "variant:chess960",
    "variant:chess960 move:O-O",
    "white:kestrel",
    "player:\"van der b\"*",
    "white.raw:\"Kestrel, Gwen\"",
    "tag.WhiteTitle:gm",
    "elo:[2400 TO 2500]",
    "mean_elo:>2400",
    "date:[1999.05 TO 2031.03]",
    "result:1-0 eco:B9",
    "plies:<10",
    "id:[3 TO 9]",
    "status:partial",
    "speed:blitz NOT result:\"*\"",
];

/// Enough hits of a query to see their order; all games are seen in the export.
const MOST_HITS: usize = 200;

/// Everything that an index answers, as text: hits, counts, pages, statistics, all games.
fn answers(index: &Path) -> BTreeMap<String, String> {
    let searcher = Searcher::open(index).expect("an index");
    let mut answers = BTreeMap::new();
    let mut fens = BTreeSet::new();
    let export = export(&searcher);
    let n_games = export.lines().count();
    for game in export.lines().step_by(n_games / 12 + 1) {
        let game: serde_json::Value = serde_json::from_str(game).expect("JSON");
        if game["variant"] == "standard" {
            fens.extend(
                ["start_fen", "final_fen"].map(|fen| game[fen].as_str().expect("a FEN").to_owned()),
            );
        }
    }
    // The children of the start position, which most games share.
    let start: serde_json::Value =
        serde_json::from_str(&explore(&searcher, None, None)).expect("JSON");
    for row in start["moves"].as_array().expect("moves").iter().take(5) {
        let play = row["san"].as_str().expect("a move");
        let question = pgndex::search::Explorer {
            play: Some(play),
            ..Default::default()
        };
        fens.insert(searcher.explore(&question).expect("an answer").fen);
    }
    for query in QUERIES
        .iter()
        .map(|&query| query.to_owned())
        .chain(fens.iter().map(|fen| format!("fen:\"{fen}\"")))
    {
        answers.insert(format!("count {query}"), count(&searcher, &query));
        let all = hits(&searcher, &query, BY_ID, 0, MOST_HITS).join("\n");
        let page = hits(&searcher, &query, BY_ID, 3, 7).join("\n");
        assert!(all.contains(&page), "a page of {query}");
        answers.insert(format!("hits {query}"), all);
    }
    for sort in ["-date", "mean_elo", "-plies", "eco"] {
        let sort: SortOrder = sort.parse().expect("an order");
        answers.insert(
            format!("{sort:?}"),
            hits(&searcher, "move:Nf3", sort, 2, 40).join("\n"),
        );
    }
    for fen in &fens {
        answers.insert(
            format!("explore {fen}"),
            explore(&searcher, Some(fen), None),
        );
        answers.insert(
            format!("explore rated {fen}"),
            explore(&searcher, Some(fen), Some("elo:>2400")),
        );
        answers.insert(
            format!("explore all {fen}"),
            explore(&searcher, Some(fen), Some("in:all")),
        );
    }
    answers.insert("export".to_owned(), export);
    answers
}

#[track_caller]
fn same(found: &BTreeMap<String, String>, wanted: &BTreeMap<String, String>, of: &str) {
    assert_eq!(found.len(), wanted.len(), "{of}");
    for (question, answer) in wanted {
        let found = &found[question];
        if found != answer {
            let first = found.lines().zip(answer.lines()).find(|(a, b)| a != b);
            panic!(
                "{of}: {question}\n{} and {} lines, {first:#?}",
                found.lines().count(),
                answer.lines().count()
            );
        }
    }
}

#[test]
fn threads_and_memory_change_no_answer() {
    let dir = scratch();
    // Several chunks of 1 MiB and a few sources of less.
    let mut text = games(11, 8000, PLAIN);
    let bytes: usize = text.iter().map(String::len).sum();
    assert!(bytes > 5 << 19, "{bytes} bytes");
    let rest = text.split_off(7800);
    let sources = [
        write(dir.path(), "large.pgn", text.concat()),
        write(dir.path(), "odd.pgn", games(12, 400, ODD).concat()),
        write(dir.path(), "small.pgn", rest.concat()),
        sample("annotated.pgn"),
    ];
    let mut first = None;
    for (threads, memory_bytes) in [
        (1, 1 << 30),
        (2, 1 << 30),
        (3, 1 << 30),
        (1, 1),
        (3, 1 << 20),
    ] {
        let index = dir.path().join(format!("{threads}-{memory_bytes}.idx"));
        let options = ImportOptions {
            memory_bytes,
            variations: Lines::WithVariations,
            ..options(threads)
        };
        import_with(&index, &sources, &options);
        let n_segments = sound(&index).segments;
        let found = answers(&index);
        match &first {
            None => {
                assert_eq!(n_segments, 1);
                first = Some(found);
            }
            Some(wanted) => {
                assert!(
                    n_segments > 1,
                    "{threads} threads made {n_segments} segment"
                );
                same(
                    &found,
                    wanted,
                    &format!("{threads} threads, {memory_bytes} bytes"),
                );
            }
        }
    }
}

#[test]
fn merges_change_no_answer() {
    let dir = scratch();
    let n_sources = 26;
    let sources: Vec<PathBuf> = (0..n_sources)
        .map(|i| {
            let recipe = [ODD, ANNOTATED, PLAIN][i % 3];
            write(
                dir.path(),
                &format!("{i}.pgn"),
                games(100 + i as u64, 45, recipe).concat(),
            )
        })
        .collect();
    let with_variations = |threads| ImportOptions {
        variations: Lines::WithVariations,
        ..options(threads)
    };
    let (whole, merged) = (dir.path().join("whole.idx"), dir.path().join("merged.idx"));
    import_with(&whole, &sources, &with_variations(1));
    for (i, source) in sources.iter().enumerate() {
        import_with(
            &merged,
            std::slice::from_ref(source),
            &with_variations(1 + i % 3),
        );
    }
    let n_segments = sound(&merged).segments;
    assert!(
        n_segments < n_sources as u64 / 2,
        "{n_segments} segments were left unmerged"
    );
    assert_eq!(sound(&whole).segments, 1);
    same(&answers(&merged), &answers(&whole), "merged");
    let manifests = [&whole, &merged].map(|index| {
        IndexStore::open(index)
            .expect("an index")
            .manifest()
            .clone()
    });
    assert_eq!(manifests[0], manifests[1]);
    files_are_those_of_the_segments(&merged, n_segments);
}

/// No file is left over from segments that were merged or never committed.
#[track_caller]
pub(crate) fn files_are_those_of_the_segments(index: &Path, n_segments: u64) {
    let mut by_segment: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in fs::read_dir(index).expect("a directory") {
        let name = entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("a name");
        if !name.starts_with('.') && name != "meta.json" {
            let (segment, part) = name.split_once('.').expect("an extension");
            by_segment
                .entry(segment.to_owned())
                .or_default()
                .push(part.to_owned());
        }
    }
    assert_eq!(by_segment.len() as u64, n_segments, "{by_segment:#?}");
    for parts in by_segment.values_mut() {
        parts.sort();
        assert_eq!(
            *parts,
            [
                "fast",
                "fieldnorm",
                "games",
                "idx",
                "moves",
                "pos",
                "positions",
                "store",
                "term"
            ]
        );
    }
}

#[test]
fn a_searcher_answers_from_its_commit_whatever_is_imported_meanwhile() {
    let dir = scratch();
    let source = |i: usize| {
        write(
            dir.path(),
            &format!("{i}.pgn"),
            games(200 + i as u64, 30, PLAIN).concat(),
        )
    };
    let index = dir.path().join("games.idx");
    import_with(&index, &[source(0)], &options(1));
    let searcher = Searcher::open(&index).expect("an index");
    let ask = || {
        let all: Vec<String> = QUERIES
            .iter()
            .flat_map(|query| hits(&searcher, query, BY_ID, 0, usize::MAX))
            .collect();
        (all, explore(&searcher, None, None), export(&searcher))
    };
    let before = ask();
    // Enough imports for a merge, which removes the files of the first segment.
    for i in 1..10 {
        import_with(&index, &[source(i)], &options(1));
    }
    assert!(sound(&index).segments < 8);
    assert!(ask() == before, "the answers changed");
    assert!(
        export(&Searcher::open(&index).expect("an index"))
            .lines()
            .count()
            >= 300
    );
}

/// Where the frozen index of a format version is kept.
fn frozen(version: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/index_v{version}"))
}

/// The games of the frozen indexes, under a name that does not depend on where they are imported.
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
        assert_eq!(names, [&FROZEN_SOURCES[..], &["german.txt"]].concat());
        assert_eq!(sound(&index).games, 24);
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
        assert_eq!(sound(&index).games, 24);
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
