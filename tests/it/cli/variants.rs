//! Games of variants on the command line: every subcommand by their rules, and where a variation branches.

use serde_json::json;

use super::{error, index_of, run_to};
use crate::support::{arg, pgndex, sample, scratch, write};

#[test]
fn each_subcommand_knows_the_rules_of_a_variant() {
    let dir = scratch();
    let index = index_of(dir.path(), &["variants.pgn"]);
    let index = arg(&index);
    run_to(0, &["verify", index]);
    let records = run_to(0, &["export", index, "--format", "ndjson"]).ndjson();
    assert_eq!(records.len(), 7);
    assert_eq!(
        records[0]["final_fen"],
        "r2k1b1r/ppp2Npp/2n2n2/q1pp1B2/1b1P1P2/2N5/PPP1Q1PP/R1BK3R[Pp] b - - 0 13"
    );
    assert_eq!(records[0]["uci"][17], "B@b4");
    assert_eq!(records[6]["san"][8], "Bxd5#");
    let epd = run_to(
        0,
        &["export", index, "variant:threecheck", "--format", "epd"],
    );
    let last = epd.text().lines().last().expect("a line");
    assert!(
        last.starts_with("r1bq1bnr/ppp2kpp/2n5/3Bp3/4P3/8/PPPP1PPP/RNB1K1NR b KQ - 0+3 hmvc 0;"),
        "{last}"
    );
    let crazyhouse = "variant:crazyhouse";
    let explored = run_to(
        0,
        &[
            "explore", index, "--filter", crazyhouse, "--play", "e4 d5", "--format", "json",
        ],
    )
    .json();
    assert_eq!(
        (&explored["games"], &explored["moves"][0]["san"]),
        (&json!(1), &json!("exd5"))
    );
    assert_eq!(explored["opening"], json!(null));
    let from = "rn2kb1r/ppp2ppp/5n2/q2pN3/3P4/2N5/PPP1QPPP/R1B1K2R[Bbpp] b KQkq - 0 9";
    let explored = run_to(
        0,
        &[
            "explore", index, "--filter", crazyhouse, "--fen", from, "--format", "json",
        ],
    )
    .json();
    assert_eq!(explored["moves"][0]["uci"], "B@b4");
    // Without the scope, the position is one of no standard game, or of no standard chess at all.
    error(&["explore", index, "--fen", from]);
    run_to(1, &["search", index, "move:\"Nxf7\""]);
    run_to(0, &["search", index, "variant:crazyhouse move:\"Nxf7#\""]);
    run_to(1, &["search", index, "variant:atomic move:\"Nxf7\""]);
}

#[test]
fn a_move_is_shown_by_the_rules_of_a_variant() {
    let fen = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R[Nn] w KQkq - 0 1";
    let args = ["--variant", "crazyhouse", "--fen", fen, "--format", "json"];
    let shown = run_to(0, &[&["move", "N@f3"], &args[..]].concat()).json();
    for (form, text) in [("uci", "N@f3"), ("san", "N@f3"), ("figurine", "♘@f3")] {
        assert_eq!(shown[form], text, "{form}");
    }
    assert_eq!(shown["letters"]["de"], "S@f3");
    for text in ["♘@f3", "N@f3"] {
        let again = run_to(0, &[&["move", text], &args[..]].concat()).json();
        assert_eq!(again["uci"], "N@f3");
    }
    let german = run_to(0, &[&["move", "S@f3", "--lang", "de"], &args[..]].concat()).json();
    assert_eq!(german["uci"], "N@f3");
    let start = run_to(
        0,
        &[
            "move",
            "Nd4",
            "--variant",
            "racingkings",
            "--format",
            "json",
        ],
    )
    .json();
    assert_eq!(start["uci"], "e2d4");
    error(&["move", "N@f3"]);
    let refused = run_to(2, &["move", "e4", "--variant", "bughouse"]);
    assert!(refused.stderr.contains("crazyhouse"), "{}", refused.stderr);
}

#[test]
fn a_variant_is_converted_by_its_own_rules() {
    let converted = run_to(0, &["convert", arg(&sample("variants.pgn")), "--to", "uci"]);
    let text = converted.text();
    assert!(text.contains("5. P@d5 c6b4)"), "{text}");
    assert!(text.contains("9. d1e2 B@b4 10. B@f5"), "{text}");
    let dir = scratch();
    let uci = write(dir.path(), "uci.pgn", text);
    let again = run_to(0, &["convert", arg(&uci), "--to", "san"]);
    let original = std::fs::read_to_string(sample("variants.pgn")).expect("the sample");
    assert_eq!(again.text(), original);
}

#[test]
fn a_hit_in_a_variation_says_where_it_branches() {
    let dir = scratch();
    let pgn = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 (2. Nc3 Nf6 (2... Bc5 3. Nf3) 3. f4) 2... Nc6 *\n";
    let source = write(dir.path(), "lines.pgn", pgn);
    let index = dir.path().join("lines.idx");
    run_to(0, &["import", arg(&index), arg(&source), "--variations"]);
    let ask =
        |query: &str, format: &str| run_to(0, &["search", arg(&index), query, "--format", format]);
    let hits = ask("in:all move:Nf3", "ndjson").ndjson();
    let at: Vec<_> = hits
        .iter()
        .map(|hit| (&hit["ply"], hit.get("branch_ply")))
        .collect();
    assert_eq!(at, [(&json!(3), None), (&json!(5), Some(&json!(2)))]);
    let text = ask("in:variations move:Nf3", "text");
    let row = text.text().lines().nth(1).expect("a row");
    assert!(row.contains("5 from 2  3.Nf3"), "{row}");
    let hit = ask("in:variations move:f4", "ndjson").ndjson();
    assert_eq!(
        (&hit[0]["ply"], &hit[0]["branch_ply"]),
        (&json!(5), &json!(2))
    );
    let variant = write(
        dir.path(),
        "zh.pgn",
        "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 (2. e5 f6 3. exf6 exf6 (3... gxf6 4. P@e5)) *\n",
    );
    run_to(0, &["import", arg(&index), arg(&variant), "--variations"]);
    let hits = ask("variant:crazyhouse in:variations move:\"@e5\"", "ndjson").ndjson();
    assert_eq!(
        (&hits[0]["ply"], &hits[0]["branch_ply"]),
        (&json!(7), &json!(2))
    );
    assert!(
        hits[0]["fen"].as_str().expect("a FEN").contains("[p] b"),
        "{}",
        hits[0]
    );
}

/// Castling of a Chess960 king that stands on its goal already ends where it begins, as a drop does.
#[test]
fn a_king_that_stays_while_it_castles_is_told_from_drops_and_from_other_moves() {
    let dir = scratch();
    let from = "r1k3r1/pppppppp/8/8/8/8/PPPPPPPP/R5KR w AHag - 0 1";
    let start = format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{from}\"]\n");
    let moves = ["1. O-O O-O-O", "1. O-O Kd8", "1. Kf1 O-O-O", "1. Rf1 Rb8"];
    let text: Vec<String> = (0..24)
        .map(|i| format!("[Event \"{i}\"]\n{start}\n{} *\n\n", moves[i % 4]))
        .collect();
    let drops = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. @d5 @e5 *\n";
    let source = write(dir.path(), "games.pgn", text.concat() + drops);
    let index = dir.path().join("games.idx");
    let index = arg(&index);
    run_to(0, &["import", index, arg(&source)]);
    run_to(0, &["verify", index]);
    let count = |query: &str| {
        let found = pgndex(&["search", index, query, "--count", "--format", "json"]).output();
        let found = found.expect("the program runs").stdout;
        let found: serde_json::Value = serde_json::from_slice(&found).expect("JSON");
        found["games"].as_u64().expect("a number")
    };
    for (query, n_games) in [
        ("variant:chess960 w.move:O-O", 12),
        ("variant:chess960 b.move:O-O-O", 12),
        ("variant:chess960 move:g1h1", 12),
        ("variant:chess960 move:Rf1", 6),
        ("variant:chess960 moves:\"O-O O-O-O\"", 6),
        ("variant:chess960 move:\"K@g1\"", 0),
        ("variant:crazyhouse move:\"@d5\"", 1),
        ("variant:crazyhouse move:O-O", 0),
        (
            "variant:chess960 fen:\"r1k3r1/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b ag - 1 1\"",
            12,
        ),
        (
            "variant:chess960 fen:\"2kr2r1/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 w - - 2 2\"",
            6,
        ),
    ] {
        assert_eq!(count(query), n_games, "{query}");
    }
    let args = ["--filter", "variant:chess960", "--format", "json", "--fen"];
    let explored = run_to(0, &[&["explore", index], &args[..], &[from]].concat()).json();
    let played: Vec<_> = explored["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .collect();
    let mut played: Vec<_> = played
        .iter()
        .map(|m| (m["san"].as_str(), m["games"].as_u64()))
        .collect();
    played.sort_unstable();
    assert_eq!(
        played,
        [("Kf1", 6), ("O-O", 12), ("Rf1", 6)].map(|(san, n)| (Some(san), Some(n)))
    );
    let games = run_to(0, &["export", index, "--format", "ndjson"]).ndjson();
    assert_eq!(games[0]["san"], json!(["O-O", "O-O-O"]));
    assert_eq!(games[0]["uci"], json!(["g1h1", "c8a8"]));
    let uci = run_to(0, &["convert", arg(&source), "--to", "uci"]);
    let uci = write(dir.path(), "uci.pgn", uci.text());
    let again = run_to(0, &["convert", arg(&uci), "--to", "san"]);
    let original = std::fs::read_to_string(&source).expect("the games");
    assert_eq!(again.text(), original);
}
