//! `dedupe` as scripts see it.

use serde_json::json;

use super::{error, run_to};
use crate::support::{arg, scratch, write};

/// A game, a copy with fewer tags, one in other spelling, one that is cut short, and two other games.
const GAMES: &str = r#"
[Event "Club Night"]
[Date "2031.03.05"]
[Round "3"]
[White "Kestrel, Gwen"]
[Black "Müller, Jörg"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 1-0

[Event "Club Night"]
[Site "The Hall"]
[Date "2031.03.05"]
[Round "3"]
[White "KESTREL, Gwen"]
[Black "Muller, Jorg"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 1-0

[Event "?"]
[Date "2031.03.05"]
[Round "3.1"]
[White "G. Kestrel"]
[Black "Mueller, J"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 {Breyer} Nbd7 *

[Event "Club Night"]
[Date "2031.03.05"]
[Round "3"]
[White "Kestrel, Gwen"]
[Black "Müller, Jörg"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 *

[Event "Club Night"]
[Date "2033.01.07"]
[Round "1"]
[White "Kestrel, Gwen"]
[Black "Müller, Jörg"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 1/2-1/2

[Event "Club Night"]
[Date "2031.03.05"]
[Round "3"]
[White "Finch, Ada"]
[Black "Wren, Bo"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 1-0
"#;

#[test]
fn each_mode_groups_more_and_shows_the_survivor_first() {
    let dir = scratch();
    let source = write(dir.path(), "games.pgn", GAMES);
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    run_to(0, &["import", index, arg(&source)]);
    let groups = |args: &[&str]| {
        let args = [&["dedupe", index, "--dry-run", "--format", "json"], args].concat();
        run_to(0, &args).json()
    };
    // More tags, then more comments, decide.
    let exact = json!({"groups": [[1, 0]], "games": 1, "left": 5, "dry_run": true});
    assert_eq!(groups(&[]), exact);
    assert_eq!(groups(&["--mode", "exact"]), exact);
    assert_eq!(groups(&["--mode", "near"])["groups"], json!([[2, 0, 1]]));
    assert_eq!(
        groups(&["--mode", "embedded"])["groups"],
        json!([[2, 0, 1, 3]])
    );
    let text = run_to(0, &["dedupe", index, "--dry-run", "--mode", "near"]);
    assert_eq!(
        text.text(),
        "2: 0 1\n1 groups; 2 games would go, 4 would be left; nothing was changed\n"
    );
    assert_eq!(
        run_to(0, &["info", index, "--format", "json"]).json()["games"],
        6
    );

    let done = run_to(0, &["dedupe", index, "--mode", "embedded"]);
    assert_eq!(
        done.text(),
        "2: 0 1 3\n1 groups; removed 3 games, 3 are left\n"
    );
    run_to(0, &["verify", index]);
    let left = run_to(0, &["export", index, "--format", "ndjson"]).ndjson();
    let ids: Vec<_> = left.iter().map(|game| &game["id"]).collect();
    assert_eq!(ids, [2, 4, 5]);
    // Nothing is left to find, and nothing comes back.
    let again = run_to(
        1,
        &["dedupe", index, "--mode", "embedded", "--format", "json"],
    );
    assert_eq!(again.json()["groups"], json!([]));
    let imported = run_to(0, &["import", index, arg(&source), "--format", "json"]);
    assert_eq!(imported.json()["unchanged"], 6);
    assert_eq!(
        run_to(0, &["info", index, "--format", "json"]).json()["games"],
        3
    );
}

#[test]
fn what_cannot_be_searched_for_duplicates_is_an_error() {
    let dir = scratch();
    error(&["dedupe", arg(&dir.path().join("no.idx"))]);
    let index = dir.path().join("games.idx");
    run_to(0, &["import", arg(&index), "classics.pgn"]);
    let usage = run_to(2, &["dedupe", arg(&index), "--mode", "loose"]);
    assert!(usage.stderr.contains("embedded"), "{}", usage.stderr);
    run_to(1, &["dedupe", arg(&index), "--mode", "embedded"]);
}
