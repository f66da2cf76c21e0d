//! `remove` as scripts see it: what it asks for, what it says, and that what is gone stays gone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::{error, index_of, run_to};
use crate::support::{PLAIN, arg, copy_dir, games, scratch, write};

/// The files of an index, but for the locks.
fn files(index: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(index)
        .expect("a directory")
        .map(|entry| entry.expect("an entry"))
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .filter(|(name, _)| !name.ends_with(".lock"))
        .collect()
}

#[test]
fn a_dry_run_shows_what_would_go_and_changes_nothing() {
    let dir = scratch();
    let index = index_of(dir.path(), &["classics.pgn"]);
    let before = files(&index);
    let args = ["remove", arg(&index), "player:morphy", "--dry-run"];
    let shown = run_to(0, &args);
    let answer = run_to(0, &[&args[..], &["--format", "json"]].concat()).json();
    let ids = answer["ids"].as_array().expect("numbers");
    assert_eq!(answer["games"], ids.len());
    assert_eq!(answer["left"], 26 - ids.len());
    assert_eq!(answer["dry_run"], true);
    for id in ids {
        assert!(
            shown
                .text()
                .lines()
                .any(|line| line.starts_with(&format!("{id} ")) && line.contains("Morphy")),
            "{id} is missing: {}",
            shown.text()
        );
    }
    assert!(shown.text().contains("nothing was changed"));
    assert!(files(&index) == before, "a dry run wrote something");
}

#[test]
fn more_than_one_game_in_a_hundred_goes_only_with_consent() {
    let dir = scratch();
    let source = write(dir.path(), "games.pgn", games(700, 200, PLAIN).concat());
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    run_to(0, &["import", index, arg(&source)]);
    let before = files(Path::new(index));
    let message = error(&["remove", index, "id:[0 TO 2]"]);
    assert!(
        message.contains("3 of 200 games") && message.contains("--yes"),
        "{message}"
    );
    assert!(files(Path::new(index)) == before, "it was changed");
    run_to(0, &["remove", index, "id:[0 TO 1]"]);
    run_to(0, &["remove", index, "id:[2 TO 50]", "--yes"]);
    let info = run_to(0, &["info", index, "--format", "json"]).json();
    assert_eq!(
        (&info["games"], &info["removed"]),
        (&json!(149), &json!(51))
    );
    assert!(run_to(0, &["info", index]).text().contains("51 removed"));
    run_to(0, &["verify", index]);
    // What is not there cannot go.
    let before = files(Path::new(index));
    run_to(1, &["remove", index, "id:[0 TO 50]", "--yes"]);
    assert!(
        files(Path::new(index)) == before,
        "nothing went, but it was changed"
    );
}

#[test]
fn a_removed_game_does_not_come_back_with_its_source() {
    let dir = scratch();
    let index = index_of(dir.path(), &["classics.pgn", "annotated.pgn"]);
    let index = arg(&index);
    let left = |args: &[&str]| {
        run_to(
            0,
            &[&["export", index, "--format", "ndjson"], args].concat(),
        )
    };
    let mut wanted = left(&[]).ndjson();
    wanted.retain(|game| game["id"] != 3 && game["id"] != 7);
    run_to(0, &["remove", index, "id:3 OR id:7", "--yes"]);
    assert_eq!(left(&[]).ndjson(), wanted);
    let again = run_to(0, &["import", index, "classics.pgn", "--format", "json"]).json();
    assert_eq!(
        (&again["games"], &again["unchanged"]),
        (&json!(0), &json!(26))
    );
    assert_eq!(left(&[]).ndjson(), wanted);
    // Games that come later are counted on from all that ever were there.
    let n_ever = run_to(0, &["info", index, "--format", "json"]).json();
    let n_ever = n_ever["games"].as_u64().expect("a number") + 2;
    run_to(0, &["import", index, "chess960.pgn"]);
    let first = &left(&["source:chess960"]).ndjson()[0];
    assert_eq!(first["id"], n_ever);
    run_to(0, &["verify", index]);
}

#[test]
fn a_removal_that_cannot_be_understood_removes_nothing() {
    let dir = scratch();
    let index = index_of(dir.path(), &["classics.pgn"]);
    let before = files(&index);
    for query in [
        "",
        "  ",
        "white:",
        "colour:red",
        "move:Zz9",
        "fen:\"nonsense\"",
        "(white:morphy",
    ] {
        error(&["remove", arg(&index), query, "--yes"]);
        error(&["remove", arg(&index), query, "--dry-run"]);
    }
    error(&["remove", arg(&dir.path().join("no.idx")), "*"]);
    assert!(files(&index) == before, "it was changed");
}

/// A killed removal has written its list of deletions under a name that the next one wants as well.
#[test]
fn what_a_killed_removal_left_behind_is_not_in_the_way() {
    let dir = scratch();
    let index = index_of(dir.path(), &["classics.pgn"]);
    let other = dir.path().join("other.idx");
    copy_dir(&index, &other);
    run_to(0, &["remove", arg(&other), "id:5", "--yes"]);
    // Everything that the removal wrote, but for the commit.
    for (name, bytes) in files(&other) {
        if name != "meta.json" {
            fs::write(index.join(name), bytes).expect("a file is written");
        }
    }
    fs::write(index.join(".tmpA1b2C3"), "half of meta.json").expect("a file is written");
    assert!(files(&index).keys().any(|name| name.ends_with(".del")));
    run_to(0, &["verify", arg(&index)]);
    assert_eq!(
        run_to(0, &["info", arg(&index), "--format", "json"]).json()["games"],
        26
    );
    run_to(0, &["remove", arg(&index), "id:7", "--yes"]);
    run_to(0, &["verify", arg(&index)]);
    let ids: Vec<u64> = run_to(0, &["export", arg(&index), "--format", "ndjson"])
        .ndjson()
        .iter()
        .map(|game| game["id"].as_u64().expect("a number"))
        .collect();
    assert_eq!(ids, (0..26).filter(|id| *id != 7).collect::<Vec<u64>>());
    let names: Vec<String> = files(&index).into_keys().collect();
    let n = |end: &str| names.iter().filter(|name| name.ends_with(end)).count();
    assert_eq!(
        (n(".del"), n(".store"), n(".tmpA1b2C3")),
        (1, 1, 0),
        "{names:?}"
    );
}
