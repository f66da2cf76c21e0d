//! What an import says and does: sources, reports, strictness, and that nothing is imported twice.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use pgndex::model::diagnostic::Class;
use serde_json::Value;

use super::{error, keys, run, run_to};
use crate::support::{PLAIN, arg, games, pgndex, sample, scratch, write};

#[test]
fn a_strict_import_that_would_lose_something_commits_nothing() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    let report = dir.path().join("report.ndjson");
    let message = error(&[
        "import",
        index,
        "classics.pgn",
        "broken.txt",
        "--strict",
        "--report",
        arg(&report),
    ]);
    assert!(
        message.contains("3 games would be cut") && message.contains("--strict"),
        "{message}"
    );
    assert!(
        fs::read_to_string(&report)
            .expect("a report")
            .lines()
            .count()
            >= 4,
        "the report is there all the same"
    );
    run_to(1, &["search", index, "*"]);
    run_to(0, &["import", index, "classics.pgn", "--strict"]);
    error(&["import", index, "broken.txt", "--strict"]);
    assert_eq!(
        run_to(0, &["info", index, "--format", "json"]).json()["games"],
        26
    );
    run_to(0, &["verify", index]);
}

/// Class, game, line, ply and token of each line of a report.
type Line = (
    String,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<String>,
);

fn report(path: &Path) -> Vec<Line> {
    let known: BTreeSet<&str> = Class::ALL.iter().map(|class| class.as_str()).collect();
    let mut lines = Vec::new();
    for line in fs::read_to_string(path).expect("a report").lines() {
        let line: Value = serde_json::from_str(line).expect("a line of JSON");
        let wanted = [
            "class", "severity", "source", "game", "offset", "line", "ply", "token", "message",
        ];
        assert_eq!(keys(&line), wanted);
        let class = line["class"].as_str().expect("a class");
        assert!(known.contains(class), "{class}");
        assert!(
            matches!(line["severity"].as_str(), Some("error" | "warning")),
            "{line}"
        );
        let number = |key: &str| line[key].as_u64();
        let token = line["token"].as_str().map(str::to_owned);
        lines.push((
            class.to_owned(),
            number("game"),
            number("line"),
            number("ply"),
            token,
        ));
    }
    lines
}

#[test]
fn a_report_says_what_and_where_as_the_readme_does() {
    let dir = scratch();
    let path = dir.path().join("report.ndjson");
    let index = dir.path().join("games.idx");
    run_to(
        3,
        &["import", arg(&index), "broken.txt", "--report", arg(&path)],
    );
    let lines = report(&path);
    let of = |class: &str| {
        let of_class = lines.iter().filter(|line| line.0 == class);
        of_class
            .map(|(_, game, line, ply, token)| (*game, *line, *ply, token.as_deref()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of("illegal_move"),
        [(Some(1), Some(23), Some(21), Some("O-O"))]
    );
    assert_eq!(
        of("ambiguous_move"),
        [(Some(3), Some(46), Some(10), Some("Nf6"))]
    );
    let malformed = of("tag_malformed");
    assert_eq!(
        malformed.iter().map(|m| (m.0, m.1)).collect::<Vec<_>>(),
        [(Some(4), Some(48))]
    );
    let open = of("unterminated_comment");
    assert_eq!(
        open.iter().map(|m| (m.0, m.1)).collect::<Vec<_>>(),
        [(Some(5), Some(72))]
    );
    let mismatch = of("result_mismatch");
    assert_eq!(mismatch.iter().map(|m| m.0).collect::<Vec<_>>(), [Some(7)]);
    let junk = of("junk_text");
    assert!(
        !junk.is_empty()
            && junk
                .iter()
                .all(|m| (101..=104).contains(&m.1.expect("a line"))),
        "{junk:?}"
    );
    // In the order of the source.
    assert!(
        lines.windows(2).all(|pair| pair[0].2 <= pair[1].2),
        "{lines:?}"
    );
    let games = run_to(0, &["export", arg(&index), "--format", "ndjson"]).ndjson();
    let plies: Vec<u64> = games
        .iter()
        .map(|game| game["plies"].as_u64().expect("a number"))
        .collect();
    assert_eq!(
        (plies[1], plies[3], plies[4], plies[5], plies[8]),
        (20, 9, 27, 34, 0)
    );
    assert_eq!(
        (&games[7]["result"], &games[8]["result"]),
        (&"0-1".into(), &"*".into())
    );
    let partial: Vec<usize> = (0..10)
        .filter(|&i| games[i]["status"] == "partial")
        .collect();
    assert_eq!(partial, [1, 3, 5]);

    // Nothing is wrong with these, and foreign letters are named.
    run_to(
        0,
        &[
            "import",
            arg(&index),
            "classics.pgn",
            "annotated.pgn",
            "crlf.pgn",
            "--report",
            arg(&path),
        ],
    );
    assert_eq!(report(&path), []);
    run_to(
        3,
        &["import", arg(&index), "german.txt", "--report", arg(&path)],
    );
    let found: Vec<_> = report(&path)
        .into_iter()
        .map(|(class, game, _, ply, token)| (class, game, ply, token))
        .collect();
    let foreign = |game, ply, token: &str| {
        (
            "foreign_letters".to_owned(),
            Some(game),
            Some(ply),
            Some(token.to_owned()),
        )
    };
    assert_eq!(
        found,
        [
            foreign(0, 2, "Sf6"),
            foreign(1, 3, "Sf3"),
            foreign(2, 5, "Sc3")
        ]
    );
    assert!(
        fs::read_to_string(&path)
            .expect("a report")
            .contains("German (de)")
    );
}

#[test]
fn a_report_counts_games_and_lines_over_all_chunks() {
    let dir = scratch();
    let mut text = String::new();
    let mut wanted = Vec::new();
    for (i, game) in games(600, 7000, PLAIN).iter().enumerate() {
        if i % 500 == 499 {
            text += "[White \"Broken\"]\n\n1. e4 e5\n2. ";
            let line = text.matches('\n').count() as u64 + 1;
            wanted.push((
                "illegal_move".to_owned(),
                Some((i + wanted.len()) as u64),
                Some(line),
                Some(3),
                Some("Ke3".to_owned()),
            ));
            text += "Ke3 *\n\n";
        }
        text += game;
    }
    assert!(text.len() > 2 << 20, "{} bytes", text.len());
    let source = write(dir.path(), "games.pgn", &text);
    for threads in ["1", "3"] {
        let (index, path) = (
            dir.path().join(format!("{threads}.idx")),
            dir.path().join("report.ndjson"),
        );
        run_to(
            3,
            &[
                "import",
                arg(&index),
                arg(&source),
                "--threads",
                threads,
                "--report",
                arg(&path),
            ],
        );
        let mut found = report(&path);
        found.retain(|line| line.0 == "illegal_move");
        assert_eq!(found, wanted, "{threads} threads");
    }
}

#[test]
fn a_source_is_imported_once() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    let import =
        |args: &[&str]| run(&[&["import", index, "--format", "json"], args].concat()).json();
    assert_eq!(import(&["classics.pgn", "broken.txt"])["games"], 36);
    let export = run_to(0, &["export", index]).stdout;
    let info = run_to(0, &["info", index]).stdout;
    let again = import(&["classics.pgn", "broken.txt"]);
    assert_eq!(
        (&again["games"], &again["ok"], &again["unchanged"]),
        (&0.into(), &0.into(), &36.into())
    );
    assert!(
        run_to(0, &["import", index, "classics.pgn"])
            .stderr
            .contains("26 games were in the index already, unchanged")
    );
    // The same bytes under another name are the same source.
    let copy = dir.path().join("copy.pgn");
    fs::copy(sample("classics.pgn"), &copy).expect("a copy");
    assert_eq!(import(&[arg(&copy)])["unchanged"], 26);
    // Twice in one import is once.
    let twice = dir.path().join("twice.idx");
    let once = run(&[
        "import",
        arg(&twice),
        "classics.pgn",
        arg(&copy),
        "classics.pgn",
        "--format",
        "json",
    ])
    .json();
    assert_eq!(
        (&once["games"], &once["unchanged"]),
        (&26.into(), &52.into())
    );
    assert!(
        run_to(0, &["export", index]).stdout == export
            && run_to(0, &["info", index]).stdout == info
    );
    // Read in another language its games are read again; with its variations it is another source.
    assert_eq!(import(&["german.txt"])["partial"], 3);
    assert_eq!(import(&["german.txt", "--lang", "de"])["ok"], 3);
    assert_eq!(import(&["german.txt", "--lang", "de"])["unchanged"], 3);
    assert_eq!(import(&["annotated.pgn"])["ok"], 3);
    assert_eq!(import(&["annotated.pgn", "--variations"])["ok"], 3);
    run_to(0, &["verify", index]);
}

#[test]
fn sources_are_files_directories_and_standard_input() {
    let dir = scratch();
    let whole = dir.path().join("whole.idx");
    let import = run_to(0, &["import", arg(&whole), ".", "--format", "json"]).json();
    assert_eq!(
        (&import["games"], &import["ok"]),
        (&69.into(), &69.into()),
        "as the README of the samples says"
    );
    let sources = run_to(0, &["info", arg(&whole), "--format", "json"]).json()["sources"].clone();
    let names: Vec<&str> = sources
        .as_array()
        .expect("sources")
        .iter()
        .map(|s| s["name"].as_str().expect("a name"))
        .collect();
    assert!(
        names.is_sorted() && names.contains(&"./classics.pgn"),
        "{names:?}"
    );

    let piped = dir.path().join("piped.idx");
    let mut child = pgndex(&["import", arg(&piped), "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let text = fs::read(sample("classics.pgn")).expect("a file");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(&text)
        .expect("it is read");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(run_to(0, &["export", arg(&piped)]).stdout, text);
    assert_eq!(
        run_to(
            0,
            &[
                "export",
                arg(&piped),
                "source.raw:\"-\"",
                "--format",
                "ndjson"
            ]
        )
        .ndjson()[0]["source"],
        "-"
    );
}
