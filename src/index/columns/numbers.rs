//! The numbers of a column: packed by their range, or by their distance from lines (`lines.rs`), whichever is smaller.
//!
//! A byte for the codec, the statistics (least number, divisor, range, count) and what the codec makes of
//! `(number - least) / divisor`. Which one is smaller is guessed as tantivy guesses it, before the division; the bytes
//! depend on it.

use crate::index::columns::lines;
use crate::index::vint::write_vint;

const BITPACKED: u8 = 0;
const BLOCKWISE_LINEAR: u8 = 2;

/// What both codecs need to know of the numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stats {
    pub(super) n: usize,
    least: u64,
    greatest: u64,
    /// Greatest common divisor of all differences, 1 when there are none.
    pub(super) divisor: u64,
}

impl Stats {
    fn of(numbers: &[u64]) -> Stats {
        // One loop for both ends alone: the divisor is mostly found to be 1 after a few numbers.
        let (mut least, mut greatest) = (u64::MAX, 0);
        for &number in numbers {
            least = least.min(number);
            greatest = greatest.max(number);
        }
        Stats {
            n: numbers.len(),
            // The ends of no numbers are both 0.
            least: least.min(greatest),
            greatest,
            divisor: divisor(numbers),
        }
    }

    /// Bits of a packed number.
    fn width(&self) -> u32 {
        width((self.greatest - self.least) / self.divisor)
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_vint(out, self.least);
        write_vint(out, self.divisor);
        write_vint(out, (self.greatest - self.least) / self.divisor);
        write_vint(out, self.n as u64);
    }
}

/// Appends numbers to `out`. What is left of them is of no use.
pub(super) fn write(numbers: &mut [u64], out: &mut Vec<u8>) {
    let stats = Stats::of(numbers);
    let codec_at = out.len();
    out.push(BITPACKED);
    stats.write(out);
    let n_stats_bytes = (out.len() - codec_at - 1) as u64;
    let n_packed_bytes = (stats.n as u64 * u64::from(stats.width())).div_ceil(8);
    // A number that never changes takes no bits, and a line could not do better.
    let by_lines = stats.width() > 0
        && lines::guess(numbers, &stats, n_stats_bytes) < n_stats_bytes + n_packed_bytes;
    if stats.divisor == 1 {
        for number in &mut *numbers {
            *number -= stats.least;
        }
    } else {
        for number in &mut *numbers {
            *number = (*number - stats.least) / stats.divisor;
        }
    }
    if by_lines {
        out[codec_at] = BLOCKWISE_LINEAR;
        lines::write(numbers, out);
    } else {
        pack(numbers.iter().copied(), stats.width(), out);
    }
}

fn divisor(numbers: &[u64]) -> u64 {
    let Some(&first) = numbers.first() else {
        return 1;
    };
    let mut divisor = 0;
    for number in numbers {
        let mut rest = number.abs_diff(first);
        // Two values in turn, or one, come without a division.
        if rest == 0 || rest == divisor {
            continue;
        }
        if divisor == 0 {
            divisor = rest;
        } else {
            rest %= divisor;
            while rest != 0 {
                (divisor, rest) = (rest, divisor % rest);
            }
        }
        if divisor == 1 {
            break;
        }
    }
    divisor.max(1)
}

/// Bits of packed numbers up to `greatest`. Readers take eight bytes at a time, which do not hold 57 bits anywhere.
pub(super) fn width(greatest: u64) -> u32 {
    let width = u64::BITS - greatest.leading_zeros();
    if width <= 56 { width } else { 64 }
}

/// Appends numbers of so many bits, the lowest first, from a byte border to a byte border.
pub(super) fn pack(numbers: impl Iterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    if width == 0 {
        return;
    }
    let (mut word, mut n_bits) = (0, 0);
    for number in numbers {
        word |= number << n_bits;
        n_bits += width;
        if n_bits >= u64::BITS {
            out.extend_from_slice(&word.to_le_bytes());
            n_bits -= u64::BITS;
            // Nothing is left of a number of 64 bits, and no shift by as many.
            word = number.checked_shr(width - n_bits).unwrap_or(0);
        }
    }
    let n_bytes = n_bits.div_ceil(8) as usize;
    out.extend_from_slice(&word.to_le_bytes()[..n_bytes]);
}
