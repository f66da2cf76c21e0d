//! Writes PGN as it is found in the wild: random legal games with all that can stand around their moves.
//!
//! Everything is drawn from a list of numbers, so that proptest can shrink a text by shrinking the list: when it runs
//! out, every draw is the first and plainest choice.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

/// Draws from a list of numbers.
#[derive(Debug)]
pub(super) struct Dice<'a> {
    numbers: std::slice::Iter<'a, u16>,
}

impl<'a> Dice<'a> {
    pub(super) fn new(numbers: &'a [u16]) -> Dice<'a> {
        Dice {
            numbers: numbers.iter(),
        }
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.numbers
            .next()
            .map_or(0, |&number| usize::from(number) % n)
    }

    /// Yes about once in `n` times.
    pub(super) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    pub(super) fn pick(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.below(choices.len())]
    }

    fn is_empty(&self) -> bool {
        self.numbers.len() == 0
    }
}

const LINE_ENDS: &[&str] = &[
    "\n", "\r\n", "\r", "\n\n", "\r\r", " \n", "\r\n\r\n", "\n\r",
];
const TAG_NAMES: &[&str] = &["Event", "White", "Result", "Site", "FEN", "A", "Round_2"];
const TAG_VALUES: &[&str] = &[
    "x",
    "1-0",
    "",
    "a {brace",
    "a } brace",
    "; no comment",
    "% no escape",
    "The \\\"Blue\\\" Cup",
    "3rd \"Green\" Open",
    "C:\\",
    "[Event \\\"y\\\"]",
    "two\nlines",
    "cr\rlf",
    "(",
    "Müller",
    "*",
];
/// What may stand in a comment; all of it is to be ignored.
const COMMENTS: &[&str] = &[
    "good",
    "",
    "a\n\nb",
    "1-0",
    "\n1-0\n\n[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n",
    "e4\n[Event \"x\"]\n",
    "(",
    ")",
    "; x",
    "\n% x\n",
    "[%clk 0:01:02]",
    "a {b",
    "\r\n[White \"y\"]\r\n",
    "\u{feff}",
    "e4 e5 1/2-1/2\n[E \"{\"]\n",
];
/// What may stand in a `;` comment or an escape line.
const LINE_COMMENTS: &[&str] = &[
    "x",
    "",
    "1-0",
    "[Event \"x\"]",
    "e4 {",
    "} e4",
    "1. e4 (",
    "\u{feff}[A \"b\"]",
];
const JUNK: &[&str] = &[
    "hello",
    "Received: today",
    "-----",
    "[Event]",
    "[%csl Ra1]",
    "[",
    "]",
    "}",
    "\"",
    "Time: 1/26",
    "\u{feff}",
    "</p>",
    "<i style=\"a; b\">",
    "<i; {",
    "&nbsp;",
    "[White-Elo \"2000\"]",
    "\n\n1. d4 d5",
    "…",
    "zz9",
    "1.",
    "2024",
    "\0",
    "\u{1f}",
    "e4e4e4",
    "1-0-1",
    "*",
];
const MARKERS: &[&str] = &[
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "",
    "½-½",
    "1:0",
    "1-0\n1-0",
    "* *",
    "1-0 e4 e5",
    "0-1.",
];
const AFTER_MOVE: &[&str] = &[
    "", "!", "?!", "+", "#", " $1", "$14", " $300", " +-", " ⟲", " N", " e.p.", " (=)", "\u{fe0e}",
    "<br />",
];

/// A source of several games.
pub(super) fn source(dice: &mut Dice) -> Vec<u8> {
    let mut out = String::new();
    if dice.once_in(4) {
        out.push('\u{feff}');
    }
    junk(dice, &mut out);
    for _ in 0..=dice.below(5) {
        game(dice, &mut out);
        if dice.is_empty() {
            break;
        }
    }
    let mut out = out.into_bytes();
    damage(dice, &mut out);
    out
}

fn game(dice: &mut Dice, out: &mut String) {
    if dice.once_in(12) {
        // Glued to what was before.
    } else {
        *out += dice.pick(LINE_ENDS);
        if dice.once_in(8) {
            out.push('\u{feff}');
        }
    }
    // Now and then a game has no tags at all.
    let n_tags = if dice.once_in(6) {
        0
    } else {
        1 + dice.below(4)
    };
    for _ in 0..n_tags {
        tag(dice, out);
        *out += if dice.once_in(8) {
            ""
        } else {
            dice.pick(LINE_ENDS)
        };
        if dice.once_in(8) {
            around(dice, out);
        }
    }
    *out += dice.pick(LINE_ENDS);
    let n_plies = dice.below(8);
    line(dice, out, Chess::default(), n_plies, 0);
    let marker = dice.pick(MARKERS);
    *out += marker;
    if dice.once_in(4) {
        junk(dice, out);
    }
}

fn tag(dice: &mut Dice, out: &mut String) {
    let (name, value) = (dice.pick(TAG_NAMES), dice.pick(TAG_VALUES));
    let text = match dice.below(12) {
        0..6 => format!("[{name} \"{value}\"]"),
        6 => format!("[ {name}   \"{value}\" ]"),
        7 => format!("  [{name} \"{value}\"]"),
        8 => format!("[{name} \"{value}\""),
        9 => format!("[{name}\n\"{value}\"\n]"),
        10 => format!("[{name} {value}]"),
        _ => format!("[{name} \"{value}\"] tail"),
    };
    *out += &text;
}

/// Moves from `pos`, with variations that replace one of them.
fn line(dice: &mut Dice, out: &mut String, mut pos: Chess, n_plies: usize, depth: usize) {
    for ply in 0..n_plies {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return;
        }
        let m = moves[dice.below(moves.len())];
        let before = pos.clone();
        if ply % 2 == 0 || dice.once_in(5) {
            *out += &(ply / 2 + 1).to_string();
            *out += dice.pick(&[". ", ".", "... ", " ", ".\n", ") ", "… "]);
        }
        *out += &SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string();
        *out += dice.pick(AFTER_MOVE);
        *out += dice.pick(&[" ", "\n", "\r\n", "\r", "  ", "\t"]);
        while dice.once_in(4) {
            around(dice, out);
        }
        if depth < 3 && dice.once_in(8) {
            *out += dice.pick(&["(", "( ", "\n("]);
            let n_plies = dice.below(4);
            line(dice, out, before, n_plies, depth + 1);
            *out += dice.pick(&[") ", ")", ") ", "\n)", ""]);
        }
    }
}

/// Something that may stand between two tokens.
fn around(dice: &mut Dice, out: &mut String) {
    match dice.below(10) {
        0..5 => {
            *out += "{";
            *out += dice.pick(COMMENTS);
            *out += if dice.once_in(5) { "" } else { "}" };
            *out += dice.pick(&["", " ", "\n"]);
        }
        5 | 6 => {
            *out += ";";
            *out += dice.pick(LINE_COMMENTS);
            *out += dice.pick(LINE_ENDS);
        }
        7 => {
            *out += dice.pick(LINE_ENDS);
            *out += "%";
            *out += dice.pick(LINE_COMMENTS);
            *out += dice.pick(LINE_ENDS);
        }
        8 => *out += dice.pick(LINE_ENDS),
        _ => junk(dice, out),
    }
}

fn junk(dice: &mut Dice, out: &mut String) {
    while dice.once_in(3) {
        *out += dice.pick(JUNK);
        *out += dice.pick(&[" ", "\n", "\r", "", " e4\n", "\n\n"]);
    }
}

/// Puts structure where none was meant, and takes some away.
fn damage(dice: &mut Dice, out: &mut Vec<u8>) {
    while dice.once_in(3) && !out.is_empty() {
        let at = dice.below(out.len());
        match dice.below(3) {
            0 => {
                out.remove(at);
            }
            1 => out.insert(at, b"{}[]()\"\\;%\n\r *\xff"[dice.below(15)]),
            _ => {
                let len = dice.below(40).min(out.len() - at);
                out.drain(at..at + len);
            }
        }
    }
}
