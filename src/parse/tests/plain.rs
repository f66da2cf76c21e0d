//! The loop for plain movetext reads what the slow lexer reads, and stops between two tokens.

use proptest::prelude::*;

use super::slow::slow_token;
use super::tokens::{LEAD, check_any};
use super::wanted::Wanted;
use crate::parse::plain;

/// Checks the loop alone, from the start of a movetext on. Returns the length of what it read.
fn check(movetext: &str) -> usize {
    let bytes = [LEAD.as_bytes(), movetext.as_bytes()].concat();
    let mut words = Vec::new();
    let plain = plain::read(&bytes, LEAD.len(), 0, &mut words);
    let end = plain.end;
    let mut wanted = Wanted::default();
    let mut at = LEAD.len();
    while at < end {
        assert_eq!(wanted.ends_before(&bytes, at), None, "{movetext:?}");
        if b" \t\n\r\x0b\x0c\0".contains(&bytes[at]) {
            at += 1;
        } else {
            let (len, token) = slow_token(&bytes, at, false, 0);
            wanted.token(token, at..at + len, &bytes);
            at += len;
        }
    }
    assert_eq!(at, end, "{movetext:?}");
    assert_eq!(words, wanted.words, "{movetext:?}");
    assert_eq!(
        (wanted.marker, wanted.notes, wanted.depth),
        (None, Vec::new(), 0),
        "{movetext:?}"
    );
    end - LEAD.len()
}

/// Nearly all of a movetext.
const PLAIN: &[&str] = &[
    "e4",
    "c5",
    "Nf3",
    "Nbd2",
    "R1d2",
    "exd5",
    "Bxf7+",
    "Qxf7#",
    "O-O",
    "O-O-O",
    "O-O+",
    "Qa1xb2",
    "Nb1xd2+",
    "Nb1bxd2+",
    "Nbb1bxd2",
    "Pe4",
    "1.",
    "2.",
    "12.",
    "123.",
    "7...",
    "12. ",
    "2. ",
    " ",
    " ",
    " ",
    " ",
    " ",
    "\n",
    "\r\n",
    "\t",
    "{ [%clk 0:01] } ",
    "{x}",
];

/// What plain signs could be mistaken in.
const OTHER: &[&str] = &[
    "\n\n1.e4 e5",
    "(",
    ")",
    "{",
    "{\n}",
    "{~}",
    "{\t}",
    "{é}",
    "{ ( e4 { ; e5 }",
    "}",
    ";",
    "]",
    "<",
    ">",
    "$1",
    "$",
    "\"",
    "*",
    "1-0",
    "0-1",
    "1/2-1/2",
    "-",
    "-0",
    "-1",
    "/2",
    "0",
    "0.",
    "00",
    "10",
    "1234.",
    "1)",
    "2.)",
    ".",
    "..",
    "…",
    "+",
    "++",
    "#",
    "!",
    "?!",
    "=",
    "=Q",
    "(Q)",
    "=(Q)",
    "{a{b}",
    "{N}",
    "<N>",
    "<b>",
    "$",
    "&#9816;",
    "2.2.",
    "2. ..",
    "e8",
    "K",
    "N",
    "P",
    "O",
    "O-",
    "x",
    "x x",
    "Cc6 x ",
    "PxP",
    "Castles ",
    "h",
    "i",
    "9",
    "Z0",
    "--",
    "&",
    "&nbsp;",
    "%",
    "\n%",
    "\0",
    "\u{b}",
    "\u{c}",
    "\u{1}",
    "\u{11}",
    "\u{7f}",
    "\u{a0}",
    "\u{2003}",
    "\u{feff}",
    "é",
    "♘",
    "@",
    "`",
    "_",
    "'",
    ",",
    ":",
];

fn movetext() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        12 => prop::sample::select(PLAIN),
        1 => prop::sample::select(OTHER),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn the_loop_reads_what_the_slow_lexer_reads(movetext in movetext()) {
        check(&movetext);
    }

    #[test]
    fn the_reader_agrees_with_the_slow_lexer_on_nearly_plain_movetext(movetext in movetext()) {
        check_any(movetext.as_bytes());
    }
}

#[test]
fn two_signs_after_a_letter_are_read_alike_whatever_they_are() {
    for first in ["e", "N", "e4", "Nf3", "Rfxd1", "O", "O-O", "2", "2."] {
        for second in 0..=0x7f_u8 {
            for third in 0..=0x7f_u8 {
                if second != b'[' && third != b'[' {
                    let signs = [second, third].map(char::from);
                    check(&format!("{first}{}{} e5 Nc6 ", signs[0], signs[1]));
                }
            }
        }
    }
}

#[test]
fn plain_movetext_is_read_to_its_end() {
    // As archives write it: without and with a blank after the numbers, at the end of a line, and after a comment.
    for text in [
        "e4 c5 2.Nf3 a6 3.Nbd2\r\nO-O-O 4.Qa1xb2+ Kxh7 5.R1d2+ exd1# ",
        "e4 e5 2. Nf3 Nc6 3. O-O Nxe4\n",
        "e4 e5 2. Nf3 2... e5 ",
        "e4 c5 2. Nf3 { [%eval 0.17] [%clk 0:00:30] } 2... d6 {é} {} 3. d4 {[} d6\n",
    ] {
        assert_eq!(check(&format!("{text}        ")), text.len() + 1, "{text}");
    }
}

#[test]
fn the_loop_stops_before_what_is_the_readers_business() {
    for text in [
        "1.e4", "1. e4", "0.00", "12 e4", "2.)", "1-0", "e8=Q", "e8(Q)", "e4!", "0-0", "(e4",
        "{\n}", "{ x", "e4\u{a0}", "K", "Nx", "5254", "Sf3", "Qd61-0", "…",
    ] {
        assert_eq!(check(&format!("{text} e5 e4 e5 ")), 0, "{text}");
    }
}

#[test]
fn the_loop_leaves_numbers_that_do_not_say_what_was_counted() {
    for (text, len) in [
        ("e4 e5 3. Nf3 ", 6),
        ("e4 2. e5 Nf3 ", 3),
        ("e4 e5 2... Nf3 ", 6),
        ("e4 e5 2. .. Nf3 ", 6),
        ("e4 e5 2. Nf3 2... e5 12. ", 21),
    ] {
        assert_eq!(check(&format!("{text}        ")), len, "{text}");
    }
}
