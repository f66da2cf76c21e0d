//! The API of the Lichess opening explorer: its contract item by item, and its counts against a slow twin.

mod twin;

use serde_json::{Value, json};
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use self::twin::{Game, answered, counted, epd, games, id};
use super::client::{Served, encoded};
use crate::support::{self, Random};

const CLASSICS: &str = "\
[Event \"Rated blitz game\"]
[White \"Carlsen, Magnus\"]
[Black \"Anand, Viswanathan\"]
[Result \"1-0\"]
[Date \"2014.11.08\"]
[WhiteElo \"2863\"]
[BlackElo \"2792\"]
[TimeControl \"300+3\"]

1. d4 d5 2. c4 c6 3. cxd5 cxd5 4. Nf3 1-0

[Event \"World Cup\"]
[Site \"Here\"]
[White \"Réti, \\\"R\\\"\"]
[Black \"Carlsen, Magnus\"]
[Result \"1/2-1/2\"]
[Date \"1999.??.??\"]

1. d4 d5 2. c4 c6 3. Nf3 Nf6 1/2-1/2

[Event \"Casual rapid game\"]
[White \"b\"]
[Black \"carlsen, magnus\"]
[Result \"0-1\"]
[Date \"2014.09.30\"]
[WhiteElo \"1400\"]
[BlackElo \"1610\"]
[TimeControl \"600\"]

1. d4 d5 2. c4 c6 3. cxd5 cxd5 0-1

[White \"d\"]
[Black \"e\"]
[Result \"1-0\"]
[Date \"2014.12.01\"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0

[White \"unfinished\"]
[Black \"e\"]
[Result \"*\"]

1. e4 e5 *
";

#[track_caller]
fn check_order(answer: &Value) {
    let moves = answer["moves"].as_array().expect("moves");
    let n = |m: &Value| {
        ["white", "draws", "black"]
            .iter()
            .map(|k| m[k].as_u64().expect("a number"))
            .sum::<u64>()
    };
    assert!(
        moves.is_sorted_by_key(|m| (std::cmp::Reverse(n(m)), m["uci"].as_str().expect("a move")))
    );
    for (key, of_all) in [
        ("white", &answer["white"]),
        ("draws", &answer["draws"]),
        ("black", &answer["black"]),
    ] {
        let sum: u64 = moves
            .iter()
            .map(|m| m[key].as_u64().expect("a number"))
            .sum();
        assert_eq!(of_all, sum, "{key}");
    }
}

#[test]
fn counts_are_those_of_a_scan() {
    let mut text = support::games(21, 700, support::PLAIN);
    // A repetition with another move the second time, one that ends where it began, and one beyond ply 50.
    let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 ".to_owned();
    let mut long = String::new();
    for number in 0..14 {
        long += &format!("{}. Nf3 Nf6 {}. Ng1 Ng8 ", number * 2 + 1, number * 2 + 2);
    }
    for moves in [
        shuffle.clone() + "3. e4 e5",
        shuffle.clone(),
        long.clone() + "29. d4 d5",
        long,
    ] {
        text.push(format!(
            "[WhiteElo \"2500\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
        ));
    }
    let served = Served::games(&text.concat());
    let games = games(&served);
    let all: Vec<&Game> = games.iter().collect();
    let mut random = Random::new(21);
    let mut nodes = vec![Chess::default()];
    while nodes.len() < 60 {
        let game = &games[random.below(games.len())];
        let near = random.one_in(2);
        let n = random.below(
            if near {
                game.steps.len().min(8)
            } else {
                game.steps.len()
            }
            .max(1),
        );
        if let Some((epd, _)) = game.steps.get(n) {
            let epd: Epd = epd.parse().expect("an EPD");
            nodes.push(
                epd.into_position(CastlingMode::Standard)
                    .expect("a position"),
            );
        }
    }
    for pos in &nodes {
        let fen = encoded(&Fen::from_position(pos, EnPassantMode::Legal).to_string());
        for (path, most_plies) in [("/masters", usize::MAX), ("/lichess", 50)] {
            let answer = served.json(&format!("{path}?moves=1000&fen={fen}"));
            assert_eq!(
                answered(&answer),
                counted(&all, pos, most_plies),
                "{path} {fen}"
            );
            check_order(&answer);
        }
        check_filters(&served, &games, pos, &fen);
    }
}

/// Filters, lists of games, and the player's side, at one node.
fn check_filters(served: &Served, games: &[Game], pos: &Chess, fen: &str) {
    let at = epd(pos);
    let mean = |game: &&Game| match (game.elo("WhiteElo"), game.elo("BlackElo")) {
        (0, _) | (_, 0) => None,
        (white, black) => Some(u64::midpoint(white, black)),
    };
    let counts = |game: &&Game| game.result != "*" && game.last_move(&at, 50).is_some();
    let rated: Vec<&Game> = games
        .iter()
        .filter(|g| mean(g).is_some_and(|m| (2000..2200).contains(&m) || m >= 2500))
        .collect();
    let answer = served.json(&format!("/lichess?moves=1000&ratings=2000,2500&fen={fen}"));
    assert_eq!(
        answered(&answer),
        counted(&rated, pos, 50),
        "ratings at {fen}"
    );
    let dated: Vec<&Game> = games
        .iter()
        .filter(|g| {
            g.month()
                .is_some_and(|m| ("1999.12".."2031.03").contains(&m))
        })
        .collect();
    let answer = served.json(&format!(
        "/lichess?moves=1000&since=1999-12&until=2031-2&fen={fen}"
    ));
    assert_eq!(
        answered(&answer),
        counted(&dated, pos, 50),
        "months at {fen}"
    );
    let of_year: Vec<&Game> = games
        .iter()
        .filter(|g| g.tag("Date").starts_with("1999") || g.tag("Date").starts_with("2000"))
        .collect();
    let answer = served.json(&format!(
        "/masters?moves=1000&since=1999&until=2000&fen={fen}"
    ));
    assert_eq!(
        answered(&answer),
        counted(&of_year, pos, usize::MAX),
        "years at {fen}"
    );
    let fast: Vec<&Game> = games
        .iter()
        .filter(|g| matches!(g.tag("TimeControl"), "60+0" | "15"))
        .collect();
    let answer = served.json(&format!(
        "/lichess?moves=1000&speeds=ultraBullet,bullet&fen={fen}"
    ));
    assert_eq!(
        answered(&answer),
        counted(&fast, pos, 50),
        "speeds at {fen}"
    );
    // The lists of games, in their order.
    let ids = |list: &Value| -> Vec<String> {
        let games = list.as_array().expect("games").iter();
        games
            .map(|g| g["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let id_of = |game: &&Game| id(game.id);
    let answer = served.json(&format!("/lichess?fen={fen}"));
    let mut top: Vec<&Game> = games
        .iter()
        .filter(counts)
        .filter(|g| mean(g).is_some_and(|m| m >= 2000))
        .collect();
    top.sort_by_key(|g| {
        (
            std::cmp::Reverse(g.elo("WhiteElo") + g.elo("BlackElo")),
            g.id,
        )
    });
    top.truncate(4);
    assert_eq!(
        ids(&answer["topGames"]),
        top.iter().map(id_of).collect::<Vec<_>>(),
        "{fen}"
    );
    let recent = games.iter().rev().filter(counts).take(8 - top.len());
    assert_eq!(
        ids(&answer["recentGames"]),
        recent.map(|g| id_of(&g)).collect::<Vec<_>>(),
        "{fen}"
    );
    let whole = |game: &&Game| game.result != "*" && game.last_move(&at, usize::MAX).is_some();
    let mut best: Vec<&Game> = games.iter().filter(whole).collect();
    best.sort_by_key(|g| {
        (
            std::cmp::Reverse(g.elo("WhiteElo") + g.elo("BlackElo")),
            g.id,
        )
    });
    best.truncate(15);
    let answer = served.json(&format!("/masters?fen={fen}"));
    assert_eq!(
        ids(&answer["topGames"]),
        best.iter().map(id_of).collect::<Vec<_>>(),
        "{fen}"
    );
    // A player, whatever the case and the accents of the name.
    let theirs: Vec<&Game> = games
        .iter()
        .filter(|g| g.tag("White").eq_ignore_ascii_case("Kestrel, Gwen"))
        .collect();
    let mut found = answered(&line(
        served,
        &format!("/player?player=kestrel,%20GWEN&color=white&fen={fen}"),
    ));
    let mut wanted = counted(&theirs, pos, usize::MAX);
    for row in found.values_mut().chain(wanted.values_mut()) {
        row.as_object_mut().map(|row| row.remove("averageRating"));
    }
    assert_eq!(found, wanted, "player at {fen}");
}

/// The one line of an answer of `/player`.
#[track_caller]
fn line(served: &Served, target: &str) -> Value {
    let reply = served.get(target);
    assert_eq!(reply.status, 200, "{target}: {}", reply.text());
    assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(reply.header("x-accel-buffering"), Some("no"));
    let text = reply.text();
    assert!(
        text.ends_with('\n') && text.matches('\n').count() == 1,
        "{text:?}"
    );
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn a_node_of_the_masters_has_names_and_sorted_moves() {
    let served = Served::games(CLASSICS);
    let reply = served.get("/masters?play=d2d4,d7d5,c2c4,c7c6");
    assert_eq!(
        reply.text(),
        "{\"white\":1,\"draws\":1,\"black\":1,\"moves\":[\
         {\"uci\":\"c4d5\",\"san\":\"cxd5\",\"averageRating\":2132,\"white\":1,\"draws\":0,\"black\":1,\"game\":null,\
         \"opening\":{\"eco\":\"D10\",\"name\":\"Slav Defense: Exchange Variation\"}},\
         {\"uci\":\"g1f3\",\"san\":\"Nf3\",\"averageRating\":0,\"white\":0,\"draws\":1,\"black\":0,\
         \"game\":{\"id\":\"00000001\",\"winner\":null,\"black\":{\"name\":\"Carlsen, Magnus\",\"rating\":0},\
         \"white\":{\"name\":\"Réti, \\\"R\\\"\",\"rating\":0},\"year\":1999,\"month\":null},\
         \"opening\":{\"eco\":\"D11\",\"name\":\"Slav Defense: Modern Line\"}}],\
         \"topGames\":[\
         {\"uci\":\"c4d5\",\"id\":\"00000000\",\"winner\":\"white\",\"black\":{\"name\":\"Anand, Viswanathan\",\"rating\":2792},\
         \"white\":{\"name\":\"Carlsen, Magnus\",\"rating\":2863},\"year\":2014,\"month\":\"2014-11\"},\
         {\"uci\":\"c4d5\",\"id\":\"00000002\",\"winner\":\"black\",\"black\":{\"name\":\"carlsen, magnus\",\"rating\":1610},\
         \"white\":{\"name\":\"b\",\"rating\":1400},\"year\":2014,\"month\":\"2014-09\"},\
         {\"uci\":\"g1f3\",\"id\":\"00000001\",\"winner\":null,\"black\":{\"name\":\"Carlsen, Magnus\",\"rating\":0},\
         \"white\":{\"name\":\"Réti, \\\"R\\\"\",\"rating\":0},\"year\":1999,\"month\":null}],\
         \"opening\":{\"eco\":\"D10\",\"name\":\"Slav Defense\"}}"
    );
    let deeper = served.json("/masters?play=d2d4,d7d5,c2c4,c7c6,c4d5,c6d5");
    assert_eq!(deeper["opening"]["eco"], "D10");
    assert_eq!(
        deeper,
        served.json("/master?play=d2d4,d7d5,c2c4,c7c6,c4d5,c6d5")
    );
}

#[test]
fn castling_is_king_takes_rook_and_read_both_ways() {
    let served = Served::games(CLASSICS);
    let before = "e2e4,e7e5,g1f3,b8c6,f1c4,f8c5";
    let node = served.json(&format!("/lichess?play={before}"));
    assert_eq!(
        (&node["moves"][0]["uci"], &node["moves"][0]["san"]),
        (&json!("e1h1"), &json!("O-O"))
    );
    let both =
        ["e1g1", "e1h1"].map(|castling| served.json(&format!("/lichess?play={before},{castling}")));
    assert_eq!(both[0], both[1]);
    assert_eq!(
        (&both[0]["moves"], &both[0]["opening"]["eco"]),
        (&json!([]), &json!("C50"))
    );
}

#[test]
fn limits_cut_lists_and_leave_totals() {
    let served = Served::games(CLASSICS);
    for path in ["/masters", "/lichess"] {
        let whole = served.json(path);
        let cut = served.json(&format!("{path}?moves=0&topGames=0&recentGames=0"));
        assert_eq!((&cut["moves"], &cut["topGames"]), (&json!([]), &json!([])));
        for total in ["white", "draws", "black"] {
            assert_eq!(cut[total], whole[total]);
        }
        assert_eq!(
            cut.get("recentGames"),
            (path == "/lichess").then_some(&json!([]))
        );
        let one = served.json(&format!("{path}?moves=1&topGames=1"));
        assert_eq!(one["moves"].as_array().map(Vec::len), Some(1));
        assert_eq!(one["topGames"].as_array().map(Vec::len), Some(1));
        assert_eq!(one["moves"][0], whole["moves"][0]);
    }
    assert_eq!(
        served.json("/masters?topGames=99")["topGames"]
            .as_array()
            .map(Vec::len),
        Some(4)
    );
}

#[test]
fn a_position_that_nobody_reached_has_an_empty_answer() {
    let served = Served::games(CLASSICS);
    let nothing = json!({"white": 0, "draws": 0, "black": 0, "moves": [], "topGames": [], "opening": {"eco": "A00", "name": "Grob Opening"}});
    assert_eq!(served.json("/masters?play=g2g4"), nothing);
    let reply = served.get("/masters?fen=8/8/8/8/8/8/8/8%20w%20-%20-");
    assert_eq!(
        (reply.status, reply.header("content-type")),
        (400, Some("text/plain; charset=utf-8"))
    );
    assert!(
        reply.text().starts_with("bad request: fen: "),
        "{}",
        reply.text()
    );
    for query in [
        "play=e2e5",
        "play=e4",
        "play=e2e4,",
        "play=e2e4,e2e4",
        "fen=x",
        "since=1951",
        "until=x",
        "moves=-1",
        "topGames=x",
        "variant=bughouse",
    ] {
        let reply = served.get(&format!("/masters?{query}"));
        let is_fine = query == "play=e2e4,";
        assert_eq!(
            reply.status,
            if is_fine { 200 } else { 400 },
            "{query}: {}",
            reply.text()
        );
    }
    for query in [
        "speeds=x",
        "ratings=x",
        "since=2024",
        "history=maybe",
        "until=2024-13",
    ] {
        assert_eq!(
            served.get(&format!("/lichess?{query}")).status,
            400,
            "{query}"
        );
    }
}

#[test]
fn a_game_is_given_by_its_id_under_both_names() {
    let served = Served::games(CLASSICS);
    let pgn = served.get("/masters/pgn/00000001");
    assert_eq!(
        (pgn.status, pgn.header("content-type")),
        (200, Some("application/x-chess-pgn"))
    );
    assert_eq!(
        pgn.text(),
        "[Event \"World Cup\"]\n[Site \"Here\"]\n[Date \"1999.??.??\"]\n[Round \"?\"]\n[White \"Réti, \\\"R\\\"\"]\n\
         [Black \"Carlsen, Magnus\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"?\"]\n[BlackElo \"?\"]\n\n\
         1. d4 d5 2. c4 c6 3. Nf3 Nf6 1/2-1/2\n"
    );
    assert_eq!(served.get("/master/pgn/00000001").body, pgn.body);
    for id in ["0000000z", "10000000", "x", "zzzzzzzz", "%00"] {
        let reply = served.get(&format!("/master/pgn/{id}"));
        assert_eq!((reply.status, reply.body.len()), (404, 0), "{id}");
    }
}

#[test]
fn a_player_has_one_line() {
    let served = Served::games(CLASSICS);
    let black = line(
        &served,
        "/player?player=Carlsen,%20Magnus&color=black&play=d2d4,d7d5,c2c4",
    );
    assert_eq!(
        (&black["white"], &black["draws"], &black["black"]),
        (&json!(0), &json!(1), &json!(1))
    );
    assert_eq!(black["queuePosition"], 0);
    assert_eq!(black.get("topGames"), None);
    let ids: Vec<_> = black["recentGames"]
        .as_array()
        .expect("games")
        .iter()
        .map(|g| &g["id"])
        .collect();
    assert_eq!(ids, ["00000002", "00000001"]);
    assert_eq!(black["recentGames"][0]["mode"], "casual");
    assert_eq!(black["recentGames"][0]["speed"], "rapid");
    assert_eq!(
        (
            &black["recentGames"][1]["speed"],
            &black["recentGames"][1]["month"]
        ),
        (&json!("classical"), &json!("1999-??"))
    );
    let m = &black["moves"][0];
    assert_eq!(
        (
            &m["averageOpponentRating"],
            &m["performance"],
            m.get("averageRating")
        ),
        (&json!(1400), &json!(2200), None)
    );
    let count = |query: &str| {
        let found = line(
            &served,
            &format!("/personal?player=carlsen, magnus&color=black&{query}").replace(' ', "+"),
        );
        found["draws"].as_u64().zip(found["black"].as_u64())
    };
    assert_eq!(count("modes=casual"), Some((0, 1)));
    assert_eq!(count("modes=rated"), Some((1, 0)));
    assert_eq!(count("modes=rated,casual"), Some((1, 1)));
    assert_eq!(count("modes="), Some((0, 0)));
    assert_eq!(count("speeds=rapid"), Some((0, 1)));
    assert_eq!(count("since=2014-01"), Some((0, 1)));
    assert_eq!(
        line(&served, "/player?player=nobody&color=white")["moves"],
        json!([])
    );
    for query in ["player=x", "color=white", "player=x&color=green", ""] {
        assert_eq!(
            served.get(&format!("/player?{query}")).status,
            400,
            "{query}"
        );
    }
}

#[test]
fn months_are_counted_without_gaps() {
    let served = Served::games(CLASSICS);
    let months = |target: &str| -> Vec<String> {
        let answer = served.json(target);
        let months = answer["history"].as_array().expect("a history").iter();
        months
            .map(|m| {
                format!(
                    "{} {}/{}/{}",
                    m["month"].as_str().expect("a month"),
                    m["white"],
                    m["draws"],
                    m["black"]
                )
            })
            .collect()
    };
    let open = ["2014-09 0/0/1", "2014-10 0/0/0", "2014-11 1/0/0"];
    assert_eq!(months("/lichess?history=True"), open);
    assert_eq!(
        months("/lichess?history=true&until=2014-12"),
        [&open[..], &["2014-12 1/0/0"]].concat()
    );
    assert_eq!(
        months("/lichess?history=1&since=2014-10&until=2014-11"),
        ["2014-11 1/0/0"]
    );
    let alias = served.json("/lichess/history?moves=5&topGames=4");
    assert_eq!(
        alias,
        served.json("/lichess?history=true&moves=0&topGames=0&recentGames=0")
    );
    assert_eq!(served.json("/lichess?history=False").get("history"), None);
}

#[test]
fn requests_of_several_forms_mean_the_same() {
    let served = Served::games(CLASSICS);
    let board = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR";
    let want = served.json("/lichess?play=d2d4,d7d5");
    assert_eq!(want["white"], 1);
    let strip = |mut answer: Value| {
        answer
            .as_object_mut()
            .map(|answer| answer.remove("opening"));
        answer
    };
    for fen in [
        format!("{board} w KQkq d6 0 2"),
        format!("{board} w KQkq - 0 2"),
        format!("{board} w KQkq -"),
        format!("{board} w KQkq d6"),
    ] {
        for text in [
            fen.replace(' ', "+"),
            fen.replace(' ', "%20"),
            fen.replace(' ', "_"),
            encoded(&fen),
        ] {
            let found = served.json(&format!("/lichess?variant=standard&fen={text}&play="));
            assert_eq!(strip(found), strip(want.clone()), "{text}");
        }
    }
    let blitz = served.json("/lichess?speeds=blitz");
    assert_eq!(
        (&blitz["white"], &blitz["draws"], &blitz["black"]),
        (&json!(1), &json!(0), &json!(0))
    );
    assert_eq!(served.json("/lichess?speeds[]=blitz"), blitz);
    assert_eq!(
        served.json("/lichess?speeds%5B%5D=blitz&unknown=1&source=analysis"),
        blitz
    );
    assert_eq!(served.json("/lichess?since=2014-11&until=2014/11"), blitz);
    assert_eq!(served.json("/lichess?ratings[]=2500"), blitz);
    let none = served.json("/lichess?speeds=");
    assert_eq!((&none["white"], &none["moves"]), (&json!(0), &json!([])));
    let authorized = served.send("GET /lichess?speeds=blitz HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer lip_x\r\nConnection: close\r\n\r\n");
    assert_eq!(authorized.json(), blitz);
    assert_eq!(authorized.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn a_san_of_the_answer_is_a_move_of_the_position() {
    let served = Served::games(CLASSICS);
    let answer = served.json("/lichess?play=e2e4,e7e5");
    let mut pos = Chess::default();
    for san in [
        "e4",
        "e5",
        answer["moves"][0]["san"].as_str().expect("a move"),
    ] {
        let m = san
            .parse::<SanPlus>()
            .expect("SAN")
            .san
            .to_move(&pos)
            .expect("a legal move");
        pos.play_unchecked(m);
    }
}
