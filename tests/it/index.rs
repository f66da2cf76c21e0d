//! What an index promises, whoever wrote it and however: the same answers from any number of threads, segments and
//! merges (law 4), a frozen format, typed errors for what is no index, and never a wrong answer from a damaged one.

mod damage;
mod formats;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pgndex::index::IndexStore;
use pgndex::ingest::{ImportOptions, Lines};
use pgndex::search::{Searcher, SortOrder};

use crate::support::{
    ANNOTATED, BY_ID, ODD, PLAIN, count, explore, export, games, hits, import_with, options,
    sample, scratch, sound, write,
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

/// Calls `read` again and again while an index is made in 24 imports of 12 games, and says how often that was. Commits,
/// merges and the removal of merged segments all happen meanwhile.
fn while_it_is_written(read: impl Fn(&Path) + Sync) -> usize {
    let dir = scratch();
    let source = |i: u64| {
        let games = games(250 + i, 12, PLAIN).concat();
        write(dir.path(), &format!("{i}.pgn"), games)
    };
    let index = dir.path().join("games.idx");
    import_with(&index, &[source(0)], &options(1));
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut n_read = 0;
            while !is_done.load(Ordering::Relaxed) {
                read(&index);
                n_read += 1;
            }
            n_read
        });
        for i in 1..24 {
            import_with(&index, &[source(i)], &options(1));
        }
        is_done.store(true, Ordering::Relaxed);
        reader.join().expect("every reading succeeds")
    })
}

#[test]
fn an_index_can_be_searched_while_it_is_written() {
    let n_before = AtomicUsize::new(0);
    let n_read = while_it_is_written(|index| {
        let searcher = Searcher::open(index).unwrap_or_else(|e| panic!("{e}"));
        let n_games = export(&searcher).lines().count();
        assert!(n_games.is_multiple_of(12), "{n_games} games are no commit");
        assert_eq!(searcher.store().manifest().n_games, n_games as u64);
        assert!(n_before.swap(n_games, Ordering::Relaxed) <= n_games);
    });
    assert!(n_read > 3, "opened only {n_read} times");
}

#[test]
fn an_index_can_be_verified_while_it_is_written() {
    let n_read = while_it_is_written(|index| {
        sound(index);
        IndexStore::open(index).unwrap_or_else(|e| panic!("{e}"));
    });
    assert!(n_read > 3, "verified only {n_read} times");
}
