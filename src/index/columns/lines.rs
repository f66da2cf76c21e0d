//! Numbers as their distance from a line, block by block: for offsets and other numbers that rise evenly.
//!
//! The packed distances of all blocks; then of each the line and the width; last the length of that. A line has the slope
//! from the first number to the last one, in 2^32ths, and lies below all numbers of its block. All is wrapping
//! arithmetic: a column may hold any number.

use crate::index::columns::numbers::{Stats, pack, width};
use crate::index::vint::{n_vint_bytes, write_vint};

/// Numbers of a block.
const BLOCK: usize = 512;

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    slope: u64,
    intercept: u64,
}

impl Line {
    /// The line below numbers, and the greatest distance from it.
    fn below(numbers: &[u64]) -> (Line, u64) {
        let (&[first, ..], &[.., last]) = (numbers, numbers) else {
            return (Line::default(), 0);
        };
        if numbers.len() == 1 {
            return (Line::default(), first);
        }
        let slope = slope(first, last, numbers.len() as u64 - 1);
        // Distances are compared as if the first one were in the middle of the low half of all numbers: so they are those
        // from the lowest number of the block even where they wrap.
        let shift = first.wrapping_sub((1 << 32) - 1);
        let (mut least, mut greatest, mut climb) = (u64::MAX, 0, 0u64);
        for &number in numbers {
            let above = number.wrapping_sub(shift).wrapping_sub(rise(climb));
            least = least.min(above);
            greatest = greatest.max(above);
            climb = climb.wrapping_add(slope);
        }
        let intercept = least.wrapping_add(shift);
        (Line { slope, intercept }, greatest - least)
    }

    fn n_bytes(self) -> u64 {
        n_vint_bytes(self.slope) + n_vint_bytes(self.intercept)
    }
}

fn slope(first: u64, last: u64, n_steps: u64) -> u64 {
    let is_rising = last.wrapping_sub(first) <= 1 << 63;
    let height = if is_rising {
        last.wrapping_sub(first)
    } else {
        first.wrapping_sub(last)
    };
    if height >= 1 << 31 {
        return 0;
    }
    let slope = (height << 32) / n_steps;
    if is_rising { slope } else { u64::MAX - slope }
}

/// What a line has risen by, of its slope times the number of steps.
fn rise(climb: u64) -> u64 {
    (climb >> 32) as i32 as u64
}

/// Bytes of statistics and numbers, as tantivy guesses them: for the numbers as they are, less the bits of the divisor.
pub(super) fn guess(numbers: &[u64], stats: &Stats, n_stats_bytes: u64) -> u64 {
    let mut n_bytes = 4 + n_stats_bytes;
    for block in numbers.chunks(BLOCK) {
        let (line, greatest) = Line::below(block);
        n_bytes += 1 + line.n_bytes();
        n_bytes += (block.len() as u64 * u64::from(width(greatest))).div_ceil(8);
    }
    if stats.divisor > 1 {
        // In the same single precision: a bit more or less would be another choice.
        let n_bits = (stats.divisor as f32).log2().floor();
        n_bytes = n_bytes.saturating_sub((n_bits * stats.n as f32 / 8.0) as u64);
    }
    n_bytes
}

/// Appends numbers, already divided, to `out`.
pub(super) fn write(numbers: &[u64], out: &mut Vec<u8>) {
    let mut lines = Vec::new();
    for block in numbers.chunks(BLOCK) {
        let (line, greatest) = Line::below(block);
        let width = width(greatest);
        let distances = block.iter().scan(0u64, |climb, &number| {
            let distance = number
                .wrapping_sub(line.intercept)
                .wrapping_sub(rise(*climb));
            *climb = climb.wrapping_add(line.slope);
            Some(distance)
        });
        pack(distances, width, out);
        write_vint(&mut lines, line.slope);
        write_vint(&mut lines, line.intercept);
        lines.push(width as u8);
    }
    out.extend_from_slice(&lines);
    out.extend_from_slice(&(lines.len() as u32).to_le_bytes());
}
