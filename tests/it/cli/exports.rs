//! What comes out is what went in: exports byte for byte, and one answer in every form.

use std::fs;

use super::{index_of, run, run_to};
use crate::support::{arg, sample, scratch, write};

#[test]
fn an_exported_source_is_the_imported_one_byte_for_byte() {
    for name in fs::read_dir(sample(""))
        .expect("the samples")
        .map(|entry| entry.expect("an entry").file_name())
    {
        let name = name.to_str().expect("UTF-8");
        if !name.ends_with(".pgn") && !name.ends_with(".txt") {
            continue;
        }
        let dir = scratch();
        let index = index_of(dir.path(), &[name]);
        let source = fs::read(sample(name)).expect("a file");
        let exported = run_to(0, &["export", arg(&index)]).stdout;
        // What stands before the first tag belongs to no game.
        let first = source.iter().position(|&b| b == b'[').expect("a tag");
        assert!(
            exported == source[first..],
            "{name}: {} bytes of {}",
            exported.len(),
            source.len()
        );
        assert!(first == 0 || name == "utf8-bom.pgn", "{name}");
        let file = dir.path().join("out.pgn");
        assert!(
            run_to(0, &["export", arg(&index), "-o", arg(&file)])
                .stdout
                .is_empty()
        );
        assert!(fs::read(&file).expect("a file") == exported, "{name}");
        // One game at a time, in order, is the same again.
        let mut parts = Vec::new();
        for id in 0.. {
            let run = run(&["export", arg(&index), &format!("id:{id}")]);
            if run.code != 0 {
                break;
            }
            parts.extend(run.stdout);
        }
        assert!(parts == exported, "{name}");
    }
}

#[test]
fn games_without_a_line_end_are_kept_apart() {
    let dir = scratch();
    let [one, two] = ["[White \"a\"]\n\n1. e4 *", "[White \"b\"]\n\n1. d4 *"];
    let (first, second) = (
        write(dir.path(), "1.pgn", one),
        write(dir.path(), "2.pgn", two),
    );
    let index = index_of(dir.path(), &[arg(&first), arg(&second)]);
    assert_eq!(
        run_to(0, &["export", arg(&index)]).text(),
        format!("{one}\n\n{two}")
    );
}

#[test]
fn every_form_of_a_search_says_the_same() {
    let dir = scratch();
    let index = index_of(dir.path(), &["classics.pgn", "latin1.pgn"]);
    let index = arg(&index);
    let query = "date:[* TO 1930] NOT result:\"1/2-1/2\"";
    let search = |format: &str| {
        run_to(
            0,
            &[
                "search", index, query, "--limit", "1000", "--sort", "-date", "--format", format,
            ],
        )
    };
    let hits = search("ndjson").ndjson();
    let names: Vec<&str> = hits
        .iter()
        .map(|hit| hit["white"].as_str().expect("a name"))
        .collect();
    assert!(
        names.len() > 10 && names.contains(&"Sämisch, Friedrich"),
        "{names:?}"
    );
    let csv = search("csv");
    let rows: Vec<Vec<String>> = csv::Reader::from_reader(&csv.stdout[..])
        .records()
        .map(|row| row.expect("a row").iter().map(str::to_owned).collect())
        .collect();
    let head = csv::Reader::from_reader(&csv.stdout[..])
        .headers()
        .expect("a head")
        .clone();
    let white = head
        .iter()
        .position(|name| name == "white")
        .expect("a column");
    assert_eq!(
        rows.iter()
            .map(|row| row[white].as_str())
            .collect::<Vec<_>>(),
        names
    );
    let pgn = search("pgn").stdout;
    assert_eq!(
        pgn.windows(7).filter(|w| w == b"[White ").count(),
        names.len()
    );
    let text = search("text");
    // A head, and a line for each.
    assert_eq!(
        text.text().lines().count(),
        names.len() + 1,
        "{}",
        text.text()
    );

    // Exports are in the order of import, whatever the search.
    let export = |format: &str| run_to(0, &["export", index, query, "--format", format]);
    let mut ids: Vec<u64> = hits
        .iter()
        .map(|hit| hit["id"].as_u64().expect("a number"))
        .collect();
    ids.sort_unstable();
    let games = export("ndjson").ndjson();
    assert_eq!(
        games
            .iter()
            .map(|game| game["id"].as_u64().expect("a number"))
            .collect::<Vec<_>>(),
        ids
    );
    assert_eq!(
        csv::Reader::from_reader(&export("csv").stdout[..])
            .records()
            .count(),
        ids.len()
    );
    let n_positions: u64 = games
        .iter()
        .map(|game| game["plies"].as_u64().expect("a number") + 1)
        .sum();
    assert_eq!(export("epd").text().lines().count() as u64, n_positions);

    // Pages, and a limit of 20 without one.
    let page = |args: &[&str]| {
        run_to(
            0,
            &[&["search", index, "*", "--format", "ndjson"], args].concat(),
        )
        .ndjson()
    };
    let all = page(&["--limit", "100"]);
    assert_eq!((all.len(), page(&[]).len()), (29, 20));
    assert_eq!(page(&["--offset", "25"]), all[25..]);
    assert_eq!(page(&["--offset", "3", "--limit", "2"]), all[3..5]);
}
