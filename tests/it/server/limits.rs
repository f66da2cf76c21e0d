//! What the server refuses, and what it keeps up meanwhile.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::client::{Served, encoded, send};
use crate::support::Random;

#[test]
fn every_answer_carries_its_headers() {
    let served = Served::samples();
    for target in [
        "/",
        "/api/indexes",
        "/api/search?q=whyte:x",
        "/nothing",
        "/api/openapi.json",
    ] {
        let reply = served.get(target);
        assert_eq!(
            reply.header("access-control-allow-origin"),
            Some("*"),
            "{target}"
        );
        assert_eq!(
            reply.header("x-content-type-options"),
            Some("nosniff"),
            "{target}"
        );
        let policy = reply.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with(if target == "/" {
                "default-src 'self';"
            } else {
                "default-src 'none';"
            }),
            "{target}: {policy}"
        );
        assert!(
            !policy.contains("unsafe") && !policy.contains("http"),
            "{target}: {policy}"
        );
    }
    let html = served.get("/");
    assert_eq!(
        html.header("content-type")
            .map(|t| t.starts_with("text/html")),
        Some(true)
    );
}

#[test]
fn preflights_are_granted_and_other_methods_are_not() {
    let served = Served::samples();
    let method = |method: &str, target: &str| {
        served.send(&format!("{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: http://x\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: authorization\r\n\r\n"))
    };
    let reply = method("OPTIONS", "/api/search");
    assert_eq!((reply.status, reply.body.len()), (204, 0));
    let allowed = reply
        .header("access-control-allow-headers")
        .expect("headers");
    assert!(allowed.contains("authorization"));
    for name in ["PUT", "DELETE", "PATCH", "TRACE"] {
        assert_eq!(method(name, "/api/search").status, 405, "{name}");
    }
    assert_eq!(method("HEAD", "/api/search").status, 200);
    assert!(method("HEAD", "/api/search").body.is_empty());
    assert_eq!(method("POST", "/api/search").status, 405);
}

#[test]
fn what_is_too_long_is_refused() {
    let served = Served::samples();
    let query = |n: usize| {
        served
            .get(&format!("/api/search?q={}", "x".repeat(n)))
            .status
    };
    assert_eq!((query(8000), query(8192), query(20_000)), (200, 414, 414));
    assert!(matches!(query(100_000), 414 | 431));
    let post = |n: usize| {
        let head = format!(
            "POST /api/position HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {n}\r\n\r\n"
        );
        served.send(&(head + "1. e4 " + &" ".repeat(n - 6))).status
    };
    assert_eq!((post(1 << 20), post((1 << 20) + 1)), (200, 413));
    // A length that is only claimed costs nothing.
    let reply = served.send("POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999\r\nConnection: close\r\n\r\n1. e4");
    assert_eq!(reply.status, 413);
    let clauses: Vec<String> = (0..33).map(|n| format!("plies:{n}")).collect();
    let clauses = clauses.join(" OR ");
    let reply = served.get(&format!("/api/search?q={}", encoded(&clauses)));
    assert_eq!(
        (reply.status, reply.text()),
        (
            400,
            "{\"error\":\"bad query at column 1: more than 32 clauses\",\"column\":1}"
        )
    );
}

#[test]
fn no_path_is_taken_from_a_request() {
    let served = Served::samples();
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/assets/../../Cargo.toml",
        "/.gitkeep",
        "/samples.idx/meta.json",
        "/%00",
    ] {
        let reply = served.get(path);
        assert!(
            matches!(reply.status, 400 | 404),
            "{path}: {}",
            reply.status
        );
    }
}

#[test]
fn nonsense_is_the_clients_fault() {
    let served = Served::samples();
    let mut random = Random::new(0x5e5);
    let paths = [
        "/api/search",
        "/api/explore",
        "/api/games/3",
        "/api/games/3/pgn",
        "/api/move",
        "/api/notations",
        "/api/position",
        "/api/stats",
        "/api/indexes",
        "/masters",
        "/lichess",
        "/lichess/history",
        "/player",
        "/masters/pgn/00000003",
        "/master/pgn/x",
        "/",
        "/x",
    ];
    let names = [
        "q",
        "fen",
        "play",
        "filter",
        "lang",
        "notation",
        "limit",
        "offset",
        "sort",
        "index",
        "text",
        "form",
        "speeds",
        "ratings",
        "since",
        "until",
        "moves",
        "topGames",
        "recentGames",
        "player",
        "color",
        "variant",
        "history",
        "modes",
    ];
    let pieces = [
        "white:",
        "move:",
        "fen:",
        "\"",
        "(",
        ")",
        " AND ",
        "NOT ",
        "[",
        " TO ",
        "]",
        "*",
        "e4",
        "Nf3",
        "-",
        "9999999999999999999",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/8",
        "e2e4",
        "e1g1",
        ",",
        "2024-1",
        "blitz",
        "\u{0}",
        "é",
        "\u{1F600}",
        "white",
        "de",
        "long:de",
        "^",
        "~",
        "{",
        "}",
        ":",
        "\\",
        "/",
        "tag.",
        "board:",
        "moves:",
        "line:",
        "1",
        "true",
        "chess960",
    ];
    let mut ok = 0;
    for i in 0..600 {
        let n_params = random.below(4);
        let query: Vec<String> = (0..n_params)
            .map(|_| {
                let n = random.below(5);
                let value: String = (0..n).map(|_| random.pick(&pieces)).collect();
                format!("{}={}", random.pick(&names), encoded(&value))
            })
            .collect();
        let target = format!("{}?{}", random.pick(&paths), query.join("&"));
        let reply = served.get(&target);
        assert!(
            matches!(reply.status, 200 | 400 | 404),
            "{i}: {target}: {} {}",
            reply.status,
            reply.text()
        );
        ok += usize::from(reply.status == 200);
    }
    assert!(ok > 50, "only {ok} were understood");
    for _ in 0..200 {
        let n = random.below(200);
        let mut bytes: Vec<u8> = (0..n).map(|_| random.next() as u8).collect();
        bytes.extend_from_slice(b"\r\n\r\n");
        let mut stream = TcpStream::connect(served.address).expect("a connection");
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"),
            "{bytes:?}"
        );
    }
    assert_eq!(served.get("/api/indexes").status, 200);
}

#[test]
fn a_stopped_server_answers_what_was_asked_and_nothing_more() {
    let served = Served::samples();
    let address = served.address;
    // A connection that is kept open does not keep the server.
    let mut kept = TcpStream::connect(address).expect("a connection");
    kept.write_all(b"GET /api/indexes HTTP/1.1\r\nHost: x\r\n\r\n")
        .expect("written");
    let mut first = [0; 12];
    kept.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200");
    let asked = std::thread::spawn(move || {
        send(
            address,
            b"GET /api/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        )
        .status
    });
    assert_eq!(asked.join().ok(), Some(200));
    let started = Instant::now();
    served.stop();
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(TcpStream::connect(address).is_err());
}
