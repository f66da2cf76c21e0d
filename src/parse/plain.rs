//! The plain part of a movetext: dotted numbers, moves such as `Nf3` and short comments, one after the other.
//!
//! It is nearly all that archives hold, so it has a loop of its own. The loop knows no rule that the reader lacks: it takes
//! what it is sure of and stops before anything else, however common; the reader goes on there, and would have read all
//! before it in the same way (test `plain`).
//!
//! Words of two to five letters end at another place each time, which no processor foresees, so that finding the end costs
//! more than the word. Here the end comes from eight bytes in a register. Plan, from the first byte of a token:
//!
//! * a blank: skip it;
//! * a digit: a number and its dots;
//! * the first letter of a move: mark the bytes after it that are no `a` to `h`, `1` to `8` or `x`; the first mark is the
//!   end, the two bytes before it are a square, and what stands there is a sign that ends words, or a check sign and such
//!   a sign;
//! * a brace: a comment that is closed soon and on its line.
//!
//! The next token can be looked at only when the end of this one is known, and that is what the time goes into: a blank
//! after the word is a branch, which the processor foresees, and no part of the sum. With the loop, games without comments
//! are read in 40 % of the time that the reader alone takes (bench `parse`).

use crate::parse::start::skip_blanks;
use crate::parse::token::{dots_len, ends_word};
use crate::parse::{Word, WordKind};
use crate::split::lex;

/// What a byte is, at the start of a token or after a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// White space.
    Blank,
    /// Another sign before which every word ends. `(` is none: it may belong to its word.
    Stop,
    /// A check sign, which ends a move.
    Check,
    /// The first digit of a number.
    Digit,
    /// The first letter of a move.
    Move,
    /// That of castling.
    Castling,
    /// Anything else.
    Other,
}

const SIGNS: [Sign; 256] = {
    let mut table = [Sign::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            blank if lex::is_blank(blank) => Sign::Blank,
            b'(' => Sign::Other,
            stop if ends_word(stop) => Sign::Stop,
            b'+' | b'#' => Sign::Check,
            b'1'..=b'9' => Sign::Digit,
            b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' => Sign::Move,
            b'O' => Sign::Castling,
            _ => Sign::Other,
        };
        byte += 1;
    }
    table
};

/// What the lowest byte is.
fn sign(eight: u64) -> Sign {
    SIGNS[(eight & 0xff) as usize]
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    /// Where something else begins.
    pub(super) end: usize,
    /// A number is the last word of it.
    pub(super) ends_with_number: bool,
}

/// Reads plain movetext from `pos` on, which is inside a movetext, between tokens, and after no word that waits for its
/// end. The ply of a move is `base` more than the number of words before it; a number that says another one is left.
#[inline(never)]
pub(super) fn read(bytes: &[u8], mut pos: usize, base: i64, words: &mut Vec<Word>) -> Plain {
    let (mut number_at, mut number_before) = (None, None);
    while let Some(eight) = bytes.get(pos..).and_then(<[u8]>::first_chunk) {
        let eight = u64::from_le_bytes(*eight);
        let first = sign(eight);
        // In the order in which they are frequent.
        let found = if first == Sign::Move {
            move_len(eight)
        } else if first == Sign::Digit {
            match number_len(eight, &bytes[pos..], base + words.len() as i64) {
                Some(len) => {
                    number_before = number_at;
                    number_at = Some(pos);
                    pos += len;
                    continue;
                }
                None => break,
            }
        } else if first == Sign::Blank {
            pos += 1;
            continue;
        } else if eight as u8 == b'{' {
            // One of a single letter may be a part of the move that it is glued to.
            let is_alone = |&end: &usize| end - pos != 3 || bytes.get(end) == Some(&b' ');
            match lex::short_comment_end(bytes, pos).filter(is_alone) {
                Some(end) => {
                    pos = end;
                    continue;
                }
                None => break,
            }
        } else if first == Sign::Castling {
            castling_len(eight)
        } else {
            break;
        };
        let Some((len, after)) = found else {
            break;
        };
        words.push(Word {
            start: pos,
            len,
            kind: WordKind::Move,
        });
        pos += len as usize;
        if after != Sign::Blank {
            break;
        }
        pos += 1;
    }
    let is_last = |at: &usize| words.last().is_none_or(|word| word.start < *at);
    let number = number_at.filter(is_last);
    if let Some(number) = number
        && dots_len(&bytes[skip_blanks(bytes, pos)..]) > 0
    {
        // Dots that stand apart may make it a number of Black's move.
        return Plain {
            end: number,
            ends_with_number: number_before.is_some_and(|at| is_last(&at)),
        };
    }
    Plain {
        end: pos,
        ends_with_number: number.is_some(),
    }
}

/// The length of the number that begins at a digit other than 0 and has three at most, with its dots. `None` for `1.`, with
/// which another game may begin, before a parenthesis, which may belong to the number, and if it does not say that `ply`
/// plies were played: by its value, and by its dots, of which there is one before White's move.
#[inline]
fn number_len(eight: u64, bytes: &[u8], ply: i64) -> Option<usize> {
    let [first, second, third, fourth, ..] = eight.to_le_bytes();
    let digit = |byte: u8| i64::from(byte) - i64::from(b'0');
    let (mut len, value) = match (second, third, fourth) {
        (b'.', ..) if first == b'1' => return None,
        (b'.', ..) => (2, digit(first)),
        (b'0'..=b'9', b'.', _) => (3, 10 * digit(first) + digit(second)),
        (b'0'..=b'9', b'0'..=b'9', b'.') => {
            (4, 100 * digit(first) + 10 * digit(second) + digit(third))
        }
        _ => return None,
    };
    let n_digits = len - 1;
    let mut next = (eight >> (8 * len)) as u8;
    while next == b'.' {
        len += 1;
        next = *bytes.get(len)?;
    }
    let is_black = len > n_digits + 1;
    (next != b')' && 2 * (value - 1) + i64::from(is_black) == ply).then_some(len)
}

/// The length of the move that the first of these bytes begins, and what stands after it.
#[inline]
fn move_len(eight: u64) -> Option<(u32, Sign)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // In the highest bit of each byte. The letters, digits and `x` that are wanted have 1 to 8 in their lower half and one of
    // two bits in the upper one; so have some others, but none that ends a word. Before the square they change nothing: a
    // marker that is glued to a word does not end in a square. Telling the wanted by their ranges takes twice as many
    // instructions.
    let low_half_is_large = (eight & (ONES * 0x0f)) + ONES * 0x77;
    let has_one_of_two = eight << 1 | eight << 3;
    let marks = (low_half_is_large | !has_one_of_two | eight) & (ONES * 0x80);
    // Not in the first byte.
    let marks = marks & !0xff;
    if marks == 0 {
        return None;
    }
    let core_bits = marks.trailing_zeros() & !7;
    let file_and_rank = eight.wrapping_shr(core_bits.wrapping_sub(16)) as u16;
    let is_square = file_and_rank.wrapping_sub(u16::from_le_bytes(*b"a1")) & 0xf8f8 == 0;
    let rest = eight.rotate_right(core_bits);
    let (len, after) = match sign(rest) {
        Sign::Check => {
            // A branch, or the length of every other move would wait for this (5 %).
            std::hint::cold_path();
            (core_bits / 8 + 1, sign(rest >> 8))
        }
        after => (core_bits / 8, after),
    };
    (is_square && matches!(after, Sign::Blank | Sign::Stop)).then_some((len, after))
}

/// The same for castling.
#[inline]
fn castling_len(eight: u64) -> Option<(u32, Sign)> {
    let bytes = eight.to_le_bytes();
    let len = match bytes {
        [b'O', b'-', b'O', b'-', b'O', ..] => 5,
        [b'O', b'-', b'O', ..] => 3,
        _ => return None,
    };
    let after = SIGNS[bytes[len] as usize];
    matches!(after, Sign::Blank | Sign::Stop).then_some((len as u32, after))
}
