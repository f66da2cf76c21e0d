//! Archives in other letters than English ones: what an import says of them, and how they are read.

use super::{Run, run_to};
use crate::support::{arg, sample, scratch, write};

/// A German knight and a Czech bishop.
const AMBIGUOUS: &str = "[White \"Both\"]\n\n1. e4 e5 2. Se2 Se7 *\n\n";

/// What the program said on the terminal in a line with these words.
fn line<'a>(run: &'a Run, words: &str) -> &'a str {
    let mut lines = run.stderr.lines().filter(|line| line.contains(words));
    lines
        .next()
        .unwrap_or_else(|| panic!("{words}: {}", run.stderr))
}

#[test]
fn an_import_names_the_language_that_makes_most_games_of_a_file_whole() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let report = dir.path().join("report.ndjson");
    let run = run_to(
        3,
        &["import", arg(&index), "dutch.txt", "--report", arg(&report)],
    );
    assert_eq!(
        line(&run, "another language"),
        "dutch.txt: 3 games are in letters of another language; all 3 are legal in Dutch: import again with --lang nl"
    );
    let report = std::fs::read_to_string(report).expect("a report");
    assert_eq!(
        report
            .matches("the whole game is legal as Dutch (nl)\"")
            .count(),
        3,
        "{report}"
    );

    let other = dir.path().join("other.idx");
    let run = run_to(
        3,
        &["import", arg(&other), "german.txt", "--format", "json"],
    );
    let foreign = &run.json()["foreign"];
    assert_eq!(foreign[0]["source"], "german.txt");
    assert_eq!(foreign[0]["games"], 3);
    assert_eq!(foreign[0]["languages"][0]["codes"][0], "de");
    assert_eq!(foreign[0]["languages"][0]["games"], 3);
    assert!(line(&run, "another language").contains("legal in German (de), also sv da no"));

    // Not by alphabet, not by the first game alone; a game that is in no language is in none.
    let few = "1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 *\n\n";
    let few = write(dir.path(), "few.pgn", format!("{few}{few}1. e4 Zf6 *\n"));
    let run = run_to(3, &["import", arg(&dir.path().join("few.idx")), arg(&few)]);
    assert!(
        line(&run, "few.pgn").ends_with(
            "legal in Dutch: import again with --lang auto, which reads each game in its own"
        ) || line(&run, "few.pgn").ends_with("legal in Dutch: import again with --lang nl"),
        "{}",
        run.stderr
    );

    let both = write(dir.path(), "both.pgn", AMBIGUOUS);
    let run = run_to(
        3,
        &["import", arg(&dir.path().join("both.idx")), arg(&both)],
    );
    let said = line(&run, "both.pgn");
    assert!(
        said.contains("German (de)")
            && said.contains("Czech (cs)")
            && said.contains("none is chosen"),
        "{said}"
    );

    let english = dir.path().join("english.idx");
    let run = run_to(
        0,
        &["import", arg(&english), "classics.pgn", "--format", "json"],
    );
    assert!(run.json().get("foreign").is_none() && run.json().get("read_in").is_none());
    assert_eq!(run.stderr, "");
}

#[test]
fn auto_reads_each_game_in_the_language_that_alone_makes_it_whole() {
    let dir = scratch();
    std::fs::create_dir(dir.path().join("archive")).expect("a directory");
    let archive = dir.path().join("archive");
    let texts = ["classics.pgn", "german.txt", "dutch.txt"]
        .map(|name| std::fs::read_to_string(sample(name)).expect("a sample"));
    // One file in three languages, one of two, one that cannot be told.
    write(&archive, "a.pgn", texts.concat());
    write(&archive, "b.pgn", texts[1..].concat());
    write(&archive, "c.pgn", AMBIGUOUS);
    let index = dir.path().join("auto.idx");
    let run = run_to(
        3,
        &[
            "import",
            arg(&index),
            arg(&archive),
            "--lang",
            "auto",
            "--format",
            "json",
        ],
    );
    let summary = run.json();
    assert_eq!(
        (&summary["ok"], &summary["partial"]),
        (&38.into(), &1.into())
    );
    assert_eq!(
        summary["read_in"],
        serde_json::json!([{"language": "de", "games": 6}, {"language": "nl", "games": 6}])
    );
    run_to(0, &["verify", arg(&index)]);
    let again = run_to(0, &["import", arg(&index), arg(&archive), "--lang", "auto"]);
    assert!(
        again.stderr.contains("39 games were in the index already"),
        "{}",
        again.stderr
    );

    // The same games as when each file is imported in its own language.
    let named = dir.path().join("named.idx");
    for (name, args) in [
        ("classics.pgn", &[][..]),
        ("german.txt", &["--lang", "de"]),
        ("dutch.txt", &["--lang", "nl"]),
    ] {
        run_to(0, &[&["import", arg(&named), name], args].concat());
    }
    let moves = |index: &std::path::Path, args: &[&str]| -> Vec<serde_json::Value> {
        let run = run_to(
            0,
            &[&["export", arg(index), "--format", "ndjson"], args].concat(),
        );
        run.ndjson()
            .into_iter()
            .map(|game| game["uci"].clone())
            .collect()
    };
    let wanted = moves(&named, &[]);
    assert_eq!(moves(&index, &["source:a"]), wanted);
    let rewritten = |index: &std::path::Path, args: &[&str]| {
        run_to(
            0,
            &[
                &["export", arg(index), "--output-notation", "long:fr"],
                args,
            ]
            .concat(),
        )
        .stdout
    };
    assert!(rewritten(&index, &["source:a"]) == rewritten(&named, &[]));
    for query in [
        "line:\"1. e4 e5 2. Nf3 Nf6 3. d4 exd4 4. e5 Ne4 5. Qxd4\"",
        "move:Rd1+",
        "line:\"1. d4 e6 2. c4 f5 3. g3 Bb4+\"",
    ] {
        let count = |index: &std::path::Path, query: &str| {
            run_to(
                0,
                &["search", arg(index), query, "--count", "--format", "json"],
            )
            .json()
        };
        assert_eq!(
            count(&index, &format!("source:a {query}"))["games"],
            count(&named, query)["games"],
            "{query}"
        );
    }
    let groups = run_to(0, &["dedupe", arg(&index), "--dry-run", "--format", "json"]).json();
    assert_eq!(
        groups["groups"].as_array().map(Vec::len),
        Some(6),
        "{groups}"
    );

    let terminal = dir.path().join("terminal.idx");
    let run = run_to(
        3,
        &["import", arg(&terminal), arg(&archive), "--lang", "auto"],
    );
    assert_eq!(
        line(&run, "read 6"),
        "read 6 games in German, 6 in Dutch; 1 stayed unread"
    );
}

#[test]
fn another_reading_replaces_the_games_of_a_file() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    run_to(3, &["import", index, "german.txt", "classics.pgn"]);
    let run = run_to(0, &["import", index, "german.txt", "--lang", "de"]);
    assert_eq!(
        line(&run, "read again"),
        "german.txt: read again with --lang de: 3 games replace those of the first import"
    );
    let info = run_to(0, &["info", index, "--format", "json"]).json();
    assert_eq!(
        [&info["games"], &info["partial"], &info["removed"]],
        [&29.into(), &0.into(), &serde_json::json!(0)]
    );
    run_to(0, &["verify", index]);
    let names: Vec<_> = info["sources"]
        .as_array()
        .expect("sources")
        .iter()
        .map(|s| s["name"].clone())
        .collect();
    assert_eq!(names, ["classics.pgn", "german.txt"]);

    // A reading that would lose moves is refused, and changes nothing.
    let before = std::fs::read(dir.path().join("games.idx/meta.json")).expect("meta.json");
    for args in [
        &["german.txt"][..],
        &["german.txt", "--lang", "nl"],
        &["classics.pgn", "german.txt", "--lang", "fr"],
    ] {
        let run = run_to(3, &[&["import", index], args].concat());
        assert!(
            line(&run, "nothing was changed").starts_with("pgndex: "),
            "{}",
            run.stderr
        );
    }
    assert!(std::fs::read(dir.path().join("games.idx/meta.json")).expect("meta.json") == before);
    assert_eq!(
        run_to(0, &["info", index, "--format", "json"]).json()["games"],
        29
    );
    // One that loses none is taken.
    run_to(0, &["import", index, "german.txt", "--lang", "auto"]);
    run_to(0, &["verify", index]);
    assert_eq!(
        run_to(0, &["info", index, "--format", "json"]).json()["games"],
        29
    );
}
