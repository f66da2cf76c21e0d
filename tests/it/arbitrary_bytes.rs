//! Whatever the bytes: splitting, reading and replaying them ends, soon, and without a panic.
//!
//! The large inputs are the ones that a careless lexer reads once for each of their bytes. They are so long that a
//! quadratic reader, even one that skips 30 GB/s, would be at it for many seconds; reading them takes less than one.

use std::time::{Duration, Instant};

use pgndex::notation::Reading;
use pgndex::parse::header::read_header;
use pgndex::parse::{GameReader, RawGame};
use pgndex::replay::{Score, Scrutiny, Status, play_variations, replay};
use proptest::prelude::*;

/// What became of some bytes.
#[derive(Debug, Default)]
struct Outcome {
    games: usize,
    plies: u32,
    whole_games: usize,
    notes: usize,
}

/// Sends bytes all the way. Offsets are followed, so that one beyond the end would be noticed.
fn run(bytes: &[u8]) -> Outcome {
    let mut outcome = Outcome::default();
    for chunk in pgndex::split::split(bytes, 1 << 16) {
        let bytes = &bytes[chunk];
        let mut reader = GameReader::new(bytes, Reading::default());
        let mut game = RawGame::default();
        while reader.read(&mut game) {
            let header = read_header(bytes, &mut game);
            let mut score = Score::default();
            let replayed = replay(
                bytes,
                &mut game,
                &header,
                Reading::default(),
                Scrutiny::Everything,
                &mut score,
            );
            play_variations(bytes, &game, &header, Reading::default());
            assert!(game.range.end <= bytes.len() && !game.range.is_empty());
            for tag in &game.tags {
                let _ = game.tag_value(bytes, tag);
                assert!(tag.name.start > game.range.start && tag.value.end <= game.range.end);
            }
            for word in &game.words {
                assert!(word.start >= game.range.start && word.range().end <= game.range.end);
            }
            for note in &game.notes {
                assert!(note.offset + note.len as usize <= bytes.len(), "{note:?}");
            }
            outcome.games += 1;
            outcome.plies += replayed.plies;
            outcome.whole_games += usize::from(replayed.status == Status::Ok);
            outcome.notes += game.notes.len();
        }
        outcome.notes += reader.leftover_notes().len();
    }
    outcome
}

/// The same, and it must not take long: ten times longer than the slowest input takes, since test machines are busy.
fn run_soon(name: &str, bytes: &[u8]) -> Outcome {
    let started = Instant::now();
    let outcome = run(bytes);
    let elapsed = started.elapsed();
    let limit = Duration::from_secs(1) + Duration::from_micros(10) * bytes.len() as u32;
    assert!(
        elapsed < limit,
        "{name}: {} bytes took {elapsed:?}",
        bytes.len()
    );
    outcome
}

/// What the lexers look at, in pieces that make trouble together.
const PIECES: &[&[u8]] = &[
    b"[",
    b"]",
    b"{",
    b"}",
    b"(",
    b")",
    b"\"",
    b"\\",
    b";",
    b"%",
    b"\n",
    b"\r",
    b" ",
    b"\t",
    b"\0",
    b"*",
    b"$",
    b".",
    b"-",
    b"1",
    b"0",
    b"1.",
    b"1-0",
    b"0-1",
    b"1/2-1/2",
    b"e4",
    b"e5",
    b"Nf3",
    b"O-O",
    b"e8=(Q)",
    b"N",
    b"--",
    b"!?",
    b"(=)",
    b"[A \"a\"]",
    b"[FEN \"",
    b"8/8/8/8/8/8/8/Kk6 w - - 0 1",
    b"[SetUp \"1\"]",
    b"[Variant \"chess960\"]",
    b"[Event ",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xe2\x80",
    "½".as_bytes(),
    "♘f3".as_bytes(),
    b"Zz9",
    b"hello",
    b"$300",
    b"\n\n",
    b"\r\n",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        run(&bytes);
    }

    #[test]
    fn any_pieces_of_pgn_are_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..120)) {
        run(&pieces.concat());
    }
}

#[test]
fn twenty_thousand_nested_variations_are_read() {
    let n = 20_000;
    let text = format!(
        "[A \"a\"]\n\n1. e4 {} e5 2. Nf3 *\n",
        "(1. d4 ".repeat(n) + &")".repeat(n)
    );
    let outcome = run_soon("nested variations", text.as_bytes());
    assert_eq!(
        (outcome.games, outcome.plies, outcome.whole_games),
        (1, 3, 1)
    );
}

#[test]
fn long_tokens_are_read() {
    let comment = format!(
        "[A \"a\"]\n\n1. e4 {{{}}} e5 *\n",
        "lorem (ipsum) 1-0 [A \"x\"]\n\n".repeat(12_000)
    );
    assert!(comment.len() > 300_000);
    let outcome = run_soon("a comment", comment.as_bytes());
    assert_eq!(
        (outcome.games, outcome.plies, outcome.whole_games),
        (1, 2, 1)
    );
    let tag = format!("[A \"{}\"]\n\n1. e4 e5 *\n", "long ".repeat(14_000));
    let outcome = run_soon("a tag", tag.as_bytes());
    assert_eq!(
        (outcome.games, outcome.plies, outcome.whole_games),
        (1, 2, 1)
    );
}

#[test]
fn half_a_megabyte_of_one_piece_is_read_soon() {
    for piece in PIECES {
        for lead in [
            &b""[..],
            b"[A \"a\"]\n\n",
            b"[A \"a\"]\n\n1. e4 ",
            b"[A \"a\"]\n\n1. e4 *\n",
            b"1. e4 *\n",
            b"[A \"a\"]\n\n1. e4 {",
        ] {
            let mut bytes = lead.to_vec();
            while bytes.len() < 1 << 19 {
                bytes.extend_from_slice(piece);
            }
            run_soon(
                &format!(
                    "{:?} after {:?}",
                    String::from_utf8_lossy(piece),
                    String::from_utf8_lossy(lead)
                ),
                &bytes,
            );
        }
    }
}

#[test]
fn two_megabytes_of_two_pieces_are_read_soon() {
    let pairs: &[&[u8]] = &[
        b"{ ",
        b"{\n",
        b"{x\n[A \"a\"]\n",
        b"\n[A \"a\"]\n1. e4 {x ",
        b"1. e4 {x\n\n",
        b"[\n",
        b"\n[",
        b"[A \"",
        b"[A \"a\n",
        b"\\\"",
        b"[A \"a\"\n",
        b"[A\n",
        b"(\n",
        b"1.\n",
        b"1. ",
        b"1.e4 ",
        b"1.e4 *\n",
        b"e4\n%",
        b"\n%",
        b"\xef\xbb\xbf[",
        b"; ",
        b"} {",
        b"[A \"]\" ",
        b"[%clk ",
        b"\n1. zz",
        b"$1",
        b"(e4)",
        b"e4 (",
        b"1-0 ",
        b"1-0\n[A \"a\"]\n",
        b"e4 e5 ",
        b"-- ",
        b"\xff ",
        b"Nf3 Nf6 Ng1 Ng8 ",
        b"(1-0 ",
        b"1-0!",
        b"(Nf3 ",
        b"x ",
        b"Cc6 x ",
        b"Castles K ",
        b"P-K4 ch ",
        b"1) ",
        "1…".as_bytes(),
        b"&nbsp;",
        b"&nbsp",
        b"<a;",
        b"<a ",
        b"\n[a ",
        b"\n[a &lt;]",
        b"\n\n1. e4 ",
        b"\xa0",
        b"e4\xc2\xa0",
        b"1 - ",
        b"1 - 0 ",
        b"0.0",
    ];
    for pair in pairs {
        for lead in [&b""[..], b"[A \"a\"]\n\n1. e4 "] {
            let bytes = [lead, &pair.repeat((2 << 20) / pair.len())].concat();
            run_soon(
                &format!(
                    "{:?} after {:?}",
                    String::from_utf8_lossy(pair),
                    String::from_utf8_lossy(lead)
                ),
                &bytes,
            );
        }
    }
}

/// Two megabytes of words that are all different.
fn numbered(before: &str, after: &str) -> String {
    let mut text = String::new();
    for i in 0..150_000 {
        text.push_str(before);
        text.push_str(&i.to_string());
        text.push_str(after);
    }
    text
}

#[test]
fn two_megabytes_of_different_tags_are_read_soon() {
    let text = numbered("[T", " \"\"]\n");
    assert_eq!(run_soon("different tags", text.as_bytes()).games, 1);
    let text = numbered("[T", "]");
    assert_eq!(run_soon("different brackets", text.as_bytes()).games, 0);
    let text = "\u{feff}".repeat(700_000) + "% [A \"a\"]\n";
    assert_eq!(run_soon("byte-order marks", text.as_bytes()).games, 0);
    let text = numbered("T", " ");
    assert_eq!(run_soon("different words", text.as_bytes()).games, 0);
}
