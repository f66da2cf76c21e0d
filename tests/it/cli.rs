//! The command line as scripts see it: exit codes, what goes to stdout and what to stderr, the shapes of JSON, reports,
//! and exports that are the bytes that were imported.

mod duplicates;
mod exports;
mod imports;
mod languages;
mod removals;
mod variants;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{PLAIN, arg, games, pgndex, sample, scratch, write};

/// How a run ended, and what it said.
struct Run {
    code: i32,
    stdout: Vec<u8>,
    stderr: String,
}

impl Run {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8")
    }

    /// The one line of JSON on stdout.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}{}", self.text(), self.stderr))
    }

    /// Each line of stdout as JSON.
    #[track_caller]
    fn ndjson(&self) -> Vec<Value> {
        self.text()
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }
}

/// Runs the program among the samples.
#[track_caller]
fn run(args: &[&str]) -> Run {
    let output = pgndex(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
    assert!(
        !stderr.contains('\u{1b}') && !output.stdout.contains(&0x1b),
        "{args:?}: colours without a terminal"
    );
    Run {
        code: output.status.code().expect("no signal"),
        stdout: output.stdout,
        stderr,
    }
}

/// Runs it and wants this exit code.
#[track_caller]
fn run_to(code: i32, args: &[&str]) -> Run {
    let run = run(args);
    assert_eq!(
        run.code,
        code,
        "{args:?}: {}{}",
        String::from_utf8_lossy(&run.stdout),
        run.stderr
    );
    run
}

/// Wants an error: exit code 2, one line on stderr, nothing on stdout.
#[track_caller]
fn error(args: &[&str]) -> String {
    let run = run_to(2, args);
    assert!(run.stdout.is_empty(), "{args:?}: {}", run.text());
    assert_eq!(run.stderr.lines().count(), 1, "{args:?}: {}", run.stderr);
    assert!(
        run.stderr.starts_with("pgndex: ") && run.stderr.ends_with('\n'),
        "{args:?}: {}",
        run.stderr
    );
    run.stderr
}

/// An index of some samples.
fn index_of(dir: &Path, sources: &[&str]) -> PathBuf {
    let index = dir.join("games.idx");
    let run = run(&[&["import", arg(&index)], sources].concat());
    assert!(run.code == 0 || run.code == 3, "{}", run.stderr);
    index
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn exit_codes_tell_found_from_nothing_found_from_error_from_loss() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    run_to(0, &["import", index, "classics.pgn"]);
    run_to(3, &["import", index, "broken.txt"]);
    run_to(0, &["import", index, "broken.txt"]);
    for (code, args) in [
        (0, &["search", index, "white:morphy"][..]),
        (1, &["search", index, "white:nobody"]),
        (0, &["search", index, "white:morphy", "--count"]),
        (1, &["search", index, "white:nobody", "--count"]),
        (1, &["search", index, "white:morphy", "--offset", "1000"]),
        (0, &["explore", index]),
        (1, &["explore", index, "--fen", "7k/8/8/8/8/8/8/K7 w - -"]),
        (0, &["export", index, "white:morphy"]),
        (1, &["export", index, "white:nobody"]),
        (0, &["info", index]),
        (0, &["verify", index]),
        (0, &["move", "Nf3"]),
        (0, &["--help"]),
        (0, &["--version"]),
        (2, &["search", index]),
        (2, &["search", index, "white:morphy", "--format", "yaml"]),
        (2, &["search", index, "white:morphy", "--sort", "beauty"]),
        (2, &["import", index, "classics.pgn", "--lang", "xx"]),
        (2, &["import", index, "classics.pgn", "--memory", "much"]),
        (2, &["nonsense"]),
        (2, &[]),
    ] {
        let run = run(args);
        assert_eq!(run.code, code, "{args:?}: {}", run.stderr);
    }
    for args in [
        &["search", "no-such.idx", "white:morphy"][..],
        &["explore", "no-such.idx"],
        &["export", "no-such.idx"],
        &["info", "no-such.idx"],
        &["verify", "no-such.idx"],
    ] {
        assert!(error(args).contains("no pgndex index here"), "{args:?}");
    }
    assert!(error(&["import", index, "no-such.pgn"]).contains("no-such.pgn"));
    assert!(error(&["export", index, "-o", "no-such-dir/x.pgn"]).contains("no-such-dir"));
    assert!(
        error(&["import", index, "classics.pgn", "--report", "no-such-dir/x"])
            .contains("no-such-dir")
    );
    assert!(error(&["explore", index, "--fen", "nonsense"]).contains("bad_fen"));
    assert!(error(&["explore", index, "--play", "e4 e4"]).contains("illegal_move"));
    assert!(error(&["move", "Ke2"]).contains("illegal_move"));
    // A failed command leaves no index behind where there was none.
    assert!(!sample("no-such.idx").exists());
}

#[test]
fn summaries_go_to_stderr_and_results_to_stdout() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    let import = run_to(3, &["import", index, "broken.txt"]);
    assert!(import.stdout.is_empty());
    assert!(
        import.stderr.contains("10 games") && import.stderr.contains("--report"),
        "{}",
        import.stderr
    );
    let found = run_to(0, &["search", index, "white:alekhine"]);
    assert!(found.stderr.is_empty() && found.text().contains("Alekhine"));
    let count = run_to(0, &["search", index, "white:alekhine", "--count"]);
    assert!(
        count.stderr.is_empty() && count.text().starts_with("1 game"),
        "{}",
        count.text()
    );
    assert!(
        run_to(1, &["search", index, "white:nobody"])
            .stdout
            .is_empty()
    );
    for args in [
        &["info", index][..],
        &["verify", index],
        &["explore", index],
        &["export", index],
        &["move", "e4"],
    ] {
        let run = run_to(0, args);
        assert!(
            !run.stdout.is_empty() && run.stderr.is_empty(),
            "{args:?}: {}",
            run.stderr
        );
    }
    // How letters were read is part of the answer for people and beside it for programs.
    let note = "read as German: Nf3";
    assert!(
        run_to(0, &["search", index, "move:Sf3"])
            .text()
            .starts_with(note)
    );
    let lines = run_to(0, &["search", index, "move:Sf3", "--format", "ndjson"]);
    assert!(lines.stderr.starts_with(note) && !lines.ndjson().is_empty());
    assert_eq!(
        run_to(0, &["search", index, "move:Sf3", "--format", "json"]).json()["note"]
            .as_str()
            .map(|n| n.starts_with(note)),
        Some(true)
    );
    assert!(
        run_to(
            0,
            &[
                "search", index, "move:Sf3", "--lang", "de", "--format", "ndjson"
            ]
        )
        .stderr
        .is_empty()
    );
}

#[test]
fn json_has_the_shapes_that_scripts_know() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    let import = run_to(0, &["import", index, "classics.pgn", "--format", "json"]).json();
    assert_eq!(
        keys(&import),
        [
            "games",
            "ok",
            "partial",
            "rejected",
            "unchanged",
            "plies",
            "bytes",
            "seconds",
            "cut_sources",
            "changed_sources"
        ]
    );
    let numbers = ["games", "ok", "partial", "rejected", "unchanged", "bytes"]
        .map(|key| import[key].as_u64().expect("a number"));
    let bytes = fs::metadata(sample("classics.pgn")).expect("a file").len();
    assert_eq!(numbers, [26, 26, 0, 0, 0, bytes]);
    assert!(import["seconds"].is_f64());

    const HIT: [&str; 14] = [
        "id",
        "source",
        "game",
        "ply",
        "fen",
        "white",
        "black",
        "white_elo",
        "black_elo",
        "result",
        "date",
        "event",
        "eco",
        "plies",
    ];
    let hits = run_to(0, &["search", index, "move:Nxf7", "--format", "ndjson"]).ndjson();
    assert_eq!(hits.len(), 6);
    for hit in &hits {
        assert_eq!(keys(hit), HIT);
        assert!(hit["ply"].is_u64() && hit["fen"].is_string() && hit["source"] == "classics.pgn");
        assert!(hit["white_elo"].is_null() && hit["id"] == hit["game"]);
    }
    let by_header = run_to(
        0,
        &[
            "search",
            index,
            "white:kasparov OR black:kasparov",
            "--format",
            "ndjson",
        ],
    )
    .ndjson();
    assert!(
        by_header
            .iter()
            .all(|hit| keys(hit) == HIT && hit["ply"].is_null() && hit["fen"].is_null())
    );
    let answer = run_to(0, &["search", index, "move:Nxf7", "--format", "json"]).json();
    assert_eq!(keys(&answer), ["query", "hits"]);
    assert_eq!(answer["hits"].as_array(), Some(&hits));
    let none = run_to(1, &["search", index, "white:nobody", "--format", "json"]).json();
    assert_eq!(none["hits"].as_array().map(Vec::len), Some(0));

    let count = run_to(
        0,
        &["search", index, "move:Nxf7", "--count", "--format", "json"],
    )
    .json();
    assert_eq!(
        keys(&count),
        ["games", "occurrences", "white", "draws", "black", "unknown"]
    );
    assert_eq!(
        (&count["games"], &count["occurrences"]),
        (&6.into(), &6.into())
    );
    let none = run_to(
        1,
        &[
            "search",
            index,
            "white:nobody",
            "--count",
            "--format",
            "json",
        ],
    )
    .json();
    assert_eq!(none["games"], 0);

    let explored = run_to(0, &["explore", index, "--format", "json"]).json();
    assert_eq!(
        keys(&explored),
        [
            "fen",
            "games",
            "white",
            "draws",
            "black",
            "unknown",
            "opening",
            "moves",
            "top_games"
        ]
    );
    for row in explored["moves"].as_array().expect("moves") {
        let wanted = [
            "uci",
            "san",
            "games",
            "white",
            "draws",
            "black",
            "unknown",
            "rated_games",
            "average_rating",
            "performance",
            "last_played",
        ];
        assert_eq!(keys(row), wanted);
    }
    assert!(explored["opening"].is_null() && explored["games"] == 26);
    assert_eq!(keys(&explored["top_games"][0]), HIT);
    let sicilian = run_to(
        0,
        &[
            "explore",
            index,
            "--play",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5",
            "--format",
            "json",
        ],
    )
    .json();
    assert_eq!(sicilian["opening"]["name"], "Ruy Lopez");
    assert_eq!(keys(&sicilian["opening"]), ["eco", "name"]);
    let nowhere = run_to(
        1,
        &[
            "explore",
            index,
            "--fen",
            "7k/8/8/8/8/8/8/K7 w - -",
            "--format",
            "json",
        ],
    )
    .json();
    assert_eq!(
        (&nowhere["games"], &nowhere["moves"]),
        (&0.into(), &Value::Array(Vec::new()))
    );

    let info = run_to(0, &["info", index, "--format", "json"]).json();
    assert_eq!(info["games"], 26);
    assert_eq!(
        (&info["sources"][0]["name"], &info["sources"][0]["games"]),
        (&"classics.pgn".into(), &26.into())
    );
    let verified = run_to(0, &["verify", index, "--format", "json"]).json();
    assert_eq!(
        (&verified["games"], &verified["segments"]),
        (&26.into(), &1.into())
    );

    let game = &run_to(0, &["export", index, "--format", "ndjson"]).ndjson()[0];
    let wanted = [
        "id",
        "source",
        "game",
        "offset",
        "status",
        "variant",
        "tags",
        "result",
        "plies",
        "san",
        "uci",
        "start_fen",
        "final_fen",
    ];
    assert_eq!(keys(game), wanted);

    let castling = [
        "--fen",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "--format",
        "json",
    ];
    let played = run_to(0, &[&["move", "0-0"][..], &castling].concat()).json();
    assert_eq!(
        (&played["uci"], &played["san"]),
        (&"e1g1".into(), &"O-O".into())
    );
    for key in [
        "uci",
        "san",
        "lan",
        "figurine",
        "iccf",
        "descriptive",
        "letters",
    ] {
        assert!(!played[key].is_null(), "{key} of {played}");
    }
    assert_eq!(
        run_to(0, &["move", "Nf3", "--format", "json"]).json()["letters"]["de"],
        "Sf3"
    );
    for (text, class) in [
        ("Nd4", "illegal_move"),
        ("Sf3", "foreign_letters"),
        ("hello", "not_a_move"),
    ] {
        assert_eq!(
            run(&["move", text, "--format", "json"]).json(),
            serde_json::json!({ "error": class }),
            "{text}"
        );
    }
}

#[test]
fn a_bad_query_is_one_line_with_its_column() {
    let dir = scratch();
    let index = index_of(dir.path(), &["classics.pgn"]);
    let index = arg(&index);
    for (query, column, part) in [
        ("white:réti AND whitte:x", 16, "whitte"),
        ("year:[abc TO 1999]", 1, "abc"),
        ("move:\"Zz9\"", 7, "Zz9"),
        ("in:nowhere", 4, "nowhere"),
    ] {
        for args in [
            &["search", index, query][..],
            &["search", index, query, "--count"],
            &["export", index, query],
            &["explore", index, "--filter", query],
        ] {
            let message = error(args);
            assert!(
                message.contains(&format!("column {column}")) && message.contains(part),
                "{args:?}: {message}"
            );
        }
    }
    // Whoever mistypes a field is told the fields.
    let message = error(&["search", index, "whitte:reti"]);
    for field in [
        "white",
        "black_elo",
        "time_control",
        "tag.NAME",
        "fen",
        "moves",
    ] {
        assert!(message.contains(field), "{message}");
    }
    // A file for the export is not made, and an old one not lost, by a query that cannot be read.
    let out = write(dir.path(), "out.pgn", "mine");
    error(&["export", index, "whitte:reti", "-o", arg(&out)]);
    assert_eq!(fs::read_to_string(&out).expect("a file"), "mine");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let dir = scratch();
    let source = write(dir.path(), "games.pgn", games(610, 1500, PLAIN).concat());
    let index = index_of(dir.path(), &[arg(&source)]);
    for args in [
        &["export", arg(&index)][..],
        &["export", arg(&index), "--format", "ndjson"],
        &["export", arg(&index), "--format", "csv"],
        &["export", arg(&index), "--format", "epd"],
        &["search", arg(&index), "*", "--limit", "5000"],
        &[
            "search",
            arg(&index),
            "*",
            "--limit",
            "5000",
            "--format",
            "json",
        ],
        &[
            "search",
            arg(&index),
            "*",
            "--limit",
            "5000",
            "--format",
            "ndjson",
        ],
        &[
            "search",
            arg(&index),
            "*",
            "--limit",
            "5000",
            "--format",
            "csv",
        ],
        &[
            "search",
            arg(&index),
            "*",
            "--limit",
            "5000",
            "--format",
            "pgn",
        ],
    ] {
        let mut child = pgndex(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("a line");
        assert!(!line.is_empty(), "{args:?}");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(
            output.stderr.is_empty(),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
