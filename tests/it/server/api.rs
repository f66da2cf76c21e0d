//! pgndex's own API: the JSON of the command line, game trees, positions, several indexes, new commits.

use std::collections::BTreeSet;
use std::fs;

use pgndex::notation::Reading;
use pgndex::search::Searcher;
use serde_json::{Value, json};

use super::client::{Served, append, encoded, send};
use crate::support::{self, BY_ID, arg, pgndex, scratch, write};

/// What the command line prints.
fn cli(args: &[&str]) -> Value {
    let output = pgndex(args).output().expect("the program runs");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn the_answers_are_those_of_the_command_line() {
    let served = Served::samples();
    let index = served.path("samples.idx");
    let index = arg(&index);
    for (play, filter) in [
        ("", ""),
        ("1. e4 e5 2. Nf3", "white:anderssen"),
        ("d4 d5", ""),
    ] {
        let target = format!(
            "/api/explore?play={}&filter={}&notation=de",
            encoded(play),
            encoded(filter)
        );
        let mut args = vec![
            "explore",
            index,
            "--format",
            "json",
            "--output-notation",
            "de",
        ];
        args.extend(["--play", play, "--filter", filter]);
        assert_eq!(served.json(&target), cli(&args), "{target}");
    }
    let query = "move:\"Nxf7\" result:1-0";
    let found = served.json(&format!(
        "/api/search?q={}&sort=-date&notation=fr",
        encoded(query)
    ));
    let args = [
        "search", index, query, "--sort", "-date", "--format", "json",
    ];
    let hits = cli(&[&args[..], &["--output-notation", "fr"]].concat());
    assert_eq!(found["hits"], hits["hits"]);
    let count = cli(&["search", index, query, "--count", "--format", "json"]);
    assert_eq!(found["count"], count);
    let mut found = served.json("/api/move?text=Sf3&lang=de");
    let after = found.as_object_mut().and_then(|m| m.remove("fen"));
    assert_eq!(
        after,
        Some(json!(
            "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
        ))
    );
    assert_eq!(
        found,
        cli(&["move", "Sf3", "--lang", "de", "--format", "json"])
    );
}

#[test]
fn pages_of_hits_follow_each_other() {
    let served = Served::samples();
    let all = served.json("/api/search?limit=200&sort=-plies");
    let games = all["count"]["games"].as_u64().expect("a number");
    assert_eq!(all["hits"].as_array().map(Vec::len), Some(games as usize));
    let mut paged = Vec::new();
    for offset in (0..games + 7).step_by(7) {
        let page = served.json(&format!("/api/search?limit=7&offset={offset}&sort=-plies"));
        assert_eq!(page["count"], all["count"]);
        paged.extend(page["hits"].as_array().expect("hits").clone());
    }
    assert_eq!(Value::from(paged), all["hits"]);
    let read = served.json("/api/search?q=move:Sxf7&limit=0");
    assert_eq!(
        read["readings"],
        json!(["read as German: Nxf7; Czech, Slovak: Bxf7; Dutch has no S"])
    );
}

#[test]
fn games_are_shown_as_trees_and_given_back_byte_for_byte() {
    let served = Served::samples();
    let searcher = Searcher::open(&served.path("samples.idx")).expect("an index");
    let mut games = searcher
        .hits("*", Reading::default(), BY_ID, 0, usize::MAX)
        .expect("all games");
    while let Some(game) = games.next_game().expect("a game") {
        let id = game.address().id;
        let pgn = served.get(&format!("/api/games/{id}/pgn"));
        assert_eq!(pgn.header("content-type"), Some("application/x-chess-pgn"));
        assert_eq!(pgn.body, game.bytes());
        let tree = served.json(&format!("/api/games/{id}"));
        let record = serde_json::to_value(game.record()).expect("JSON");
        for part in [
            "id",
            "source",
            "game",
            "status",
            "variant",
            "tags",
            "result",
            "plies",
            "start_fen",
            "final_fen",
        ] {
            assert_eq!(tree[part], record[part], "{part} of game {id}");
        }
        let moves = |part: &str| -> Value {
            let moves = tree["moves"].as_array().expect("moves");
            moves.iter().map(|m| m[part].clone()).collect()
        };
        assert_eq!(
            (moves("san"), moves("uci")),
            (record["san"].clone(), record["uci"].clone())
        );
        let plies: Value = (1..=record["plies"].as_u64().expect("a number")).collect();
        assert_eq!(moves("ply"), plies);
        // What was read from the index and what is read from its text are the same game.
        let pasted = post(&served, &pgn.body);
        let mut tree = tree;
        for part in ["id", "source", "game"] {
            tree.as_object_mut().map(|tree| tree.remove(part));
        }
        assert_eq!(pasted, tree, "game {id}");
    }
    let german = served.get("/api/games/24/pgn?notation=de");
    assert!(german.text().contains("Sf3"), "{}", german.text());
    assert_eq!(
        served.json("/api/games/24?notation=de")["moves"][0]["text"],
        "Sf3"
    );
}

fn post(served: &Served, body: &[u8]) -> Value {
    let head = "POST /api/position HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ";
    let head = format!("{head}{}\r\n\r\n", body.len());
    send(served.address, &[head.as_bytes(), body].concat()).json()
}

#[test]
fn charts_count_every_game_once() {
    let served = Served::samples();
    for query in ["", "move:\"Nxf7\"", "player:fischer"] {
        let stats = served.json(&format!("/api/stats?q={}", encoded(query)));
        let count = served.json(&format!("/api/search?limit=0&q={}", encoded(query)));
        let games = count["count"]["games"].as_u64();
        assert_eq!(stats["games"].as_u64(), games);
        let sum = |groups: &str, part: &str| {
            let groups = stats[groups].as_array().expect("groups");
            groups
                .iter()
                .map(|g| g[part].as_u64().expect("a number"))
                .sum::<u64>()
        };
        let rest = |part: &str| stats[part].as_u64().expect("a number");
        assert_eq!(Some(sum("by_year", "games") + rest("undated")), games);
        assert_eq!(Some(sum("by_rating", "games") + rest("unrated")), games);
        assert_eq!(Some(sum("sources", "games")), games);
        for group in stats["by_year"].as_array().expect("years") {
            let year = group["year"].as_u64().expect("a year");
            let count = served.json(&format!(
                "/api/search?limit=0&q={}",
                encoded(&format!(
                    "({}) year:{year}",
                    if query.is_empty() { "*" } else { query }
                ))
            ));
            assert_eq!(group["games"], count["count"]["games"], "{query} {year}");
            assert_eq!(group["draws"], count["count"]["draws"], "{query} {year}");
        }
    }
}

#[test]
fn indexes_are_chosen_by_name_and_the_first_one_answers_for_all() {
    let dir = scratch();
    let [one, two] = ["one", "two"].map(|name| {
        let games = support::games(
            name.len() as u64,
            if name == "one" { 3 } else { 5 },
            support::PLAIN,
        );
        let source = write(dir.path(), &format!("{name}.pgn"), games.concat());
        let index = dir.path().join(format!("{name}.idx"));
        append(&index, &source);
        index
    });
    let served = Served::over(dir, &[one.clone(), two.clone()]);
    let games = |target: &str| served.json(target)["count"]["games"].clone();
    assert_eq!(games("/api/search?limit=0"), 3);
    assert_eq!(games("/api/search?limit=0&index=one"), 3);
    assert_eq!(games("/api/search?limit=0&index=two"), 5);
    let names: Vec<Value> = served
        .json("/api/indexes")
        .as_array()
        .expect("indexes")
        .clone();
    assert_eq!(
        names.iter().map(|i| i["name"].as_str()).collect::<Vec<_>>(),
        [Some("one"), Some("two")]
    );
    for name in ["three", "../two", "/etc", "two.idx"] {
        let reply = served.get(&format!("/api/search?index={}", encoded(name)));
        assert_eq!(reply.status, 400, "{name}");
    }
    let twice = super::client::start(&[one.clone(), one]);
    assert!(twice.is_err_and(|e| e.to_string().contains("another index is served as `one`")));
}

#[test]
fn a_new_commit_is_seen_without_a_restart_and_a_lost_one_is_survived() {
    let dir = scratch();
    let games = support::games(11, 40, support::PLAIN);
    let first = write(dir.path(), "first.pgn", games[..15].concat());
    let second = write(dir.path(), "second.pgn", games[15..].concat());
    let index = dir.path().join("games.idx");
    append(&index, &first);
    let served = Served::over(dir, std::slice::from_ref(&index));
    let n_games = || served.json("/api/explore")["games"].clone();
    let n_first = n_games();
    append(&index, &second);
    let n_both = served
        .json("/api/search?limit=0&q=board:%22rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%22");
    assert_ne!(n_games(), n_first);
    assert_eq!(n_games(), n_both["count"]["games"]);
    let names = served.json("/api/indexes");
    assert_eq!(names[0]["games"], 40);
    // Whatever happens to the directory, what was opened goes on answering.
    fs::write(index.join("meta.json"), "{}").expect("a file is written");
    assert_eq!(n_games(), n_both["count"]["games"]);
    fs::remove_dir_all(&index).expect("the index is removed");
    assert_eq!(n_games(), n_both["count"]["games"]);
}

#[test]
fn every_documented_address_is_answered_and_every_schema_is_used() {
    let served = Served::samples();
    let document = served.json("/api/openapi.json");
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() > 10);
    for (path, _) in paths {
        let target = path.replace("{id}", "0") + "?text=Nf3&player=x&color=white";
        let reply = served.get(&target);
        assert!(
            matches!(reply.status, 200 | 404),
            "{target}: {}",
            reply.text()
        );
        assert_ne!(
            reply.text(),
            "{\"error\":\"there is nothing at this address\"}",
            "{target}"
        );
    }
    let text = document.to_string();
    for (kind, parts) in document["components"].as_object().expect("components") {
        for name in parts.as_object().expect("components").keys() {
            assert!(
                text.contains(&format!("\"#/components/{kind}/{name}\"")),
                "{kind}/{name}"
            );
        }
    }
}

#[test]
fn the_notation_names_are_those_that_are_read() {
    let served = Served::samples();
    let names = served.json("/api/notations");
    let names = names.as_array().expect("notations");
    assert!(names.len() > 30);
    let mut texts = BTreeSet::new();
    for name in names {
        let code = name["code"].as_str().expect("a code");
        let view = served.json(&format!("/api/position?play=Nf3&notation={code}"));
        texts.insert(view["line"][0]["text"].as_str().expect("a move").to_owned());
    }
    for text in [
        "Nf3", "Sf3", "Cf3", "♘f3", "Ng1-f3", "g1f3", "N-KB3", "7163", "C3AR",
    ] {
        assert!(texts.contains(text), "{text} of {texts:?}");
    }
}

#[test]
fn errors_say_what_and_where() {
    let served = Served::samples();
    let check = |target: &str, status: u16, want: Value| {
        let reply = served.get(target);
        assert_eq!((reply.status, reply.json()), (status, want), "{target}");
    };
    check("/api/search?q=white:x%20whyte:y&limit=1", 400, {
        let message = pgndex(&[
            "search",
            arg(&served.path("samples.idx")),
            "white:x whyte:y",
        ])
        .output()
        .expect("runs")
        .stderr;
        let message = String::from_utf8(message).expect("UTF-8");
        let message = message
            .trim()
            .strip_prefix("pgndex: ")
            .expect("a message")
            .to_owned();
        json!({"error": message, "column": 9})
    });
    check(
        "/api/explore?fen=x",
        400,
        json!({"error": "bad_fen: `x`: board, side to move, castling and en passant are wanted (board: searches the board alone)", "class": "bad_fen"}),
    );
    check(
        "/api/explore?play=e5",
        400,
        json!({"error": "illegal_move: `e5` at ply 1: illegal move", "class": "illegal_move"}),
    );
    check(
        "/api/move?text=Sf3",
        400,
        json!({"error": "foreign_letters: `Sf3`: foreign piece letters: name their language with --lang", "class": "foreign_letters"}),
    );
    check("/api/move", 400, json!({"error": "`text` is missing"}));
    check(
        "/api/search?limit=201",
        400,
        json!({"error": "`limit` is no number from 0 to 200: `201`"}),
    );
    check(
        "/api/search?lang=xx",
        400,
        json!({"error": "`lang`: `xx` is no language code that is known"}),
    );
    check(
        "/api/games/4000",
        404,
        json!({"error": "there is no game 4000"}),
    );
    for id in [999, 1 << 32, (1 << 32) + 5, (3 << 32) + 1, u64::MAX] {
        let message = format!("there is no game {id}");
        check(&format!("/api/games/{id}"), 404, json!({"error": message}));
    }
    check(
        "/api/games/-1",
        400,
        json!({"error": "`-1` is no number of a game"}),
    );
    check(
        "/api/games",
        404,
        json!({"error": "there is nothing at this address"}),
    );
}
