//! Main lines as hashes, from the move index: no game is replayed.
//!
//! A line's hash is built ply by ply, so that the hashes of all beginnings of a game come by on the way to its own. It has
//! 128 bits, and two lines with the same one are taken for the same: among a billion games the odds against it are 1 in
//! 10^20. Games whose line is the beginning of another's are found in a second reading, by looking each beginning up
//! among the lines that end there; a Bloom filter spares nearly all of these look-ups.

use std::collections::HashMap;

use crate::error::Result;
use crate::model::move_token::MoveToken;
use crate::search::Searcher;
use crate::search::dedupe::face::Candidate;

/// Completes the hashes of all lines. Candidates are in the order of segments and games.
pub(super) fn hash_lines(searcher: &Searcher, candidates: &mut [Candidate]) -> Result<()> {
    for candidate in candidates.iter_mut() {
        candidate.line = u128::from(candidate.start);
    }
    let starts: Vec<At> = candidates.iter().map(At::of).collect();
    each_beginning(searcher, &starts, |idx, _, hash| {
        candidates[idx].line = hash;
    })
}

/// Lines that may be the beginnings of others, by their hashes, and what is known under each.
#[derive(Debug)]
pub(super) struct Ends {
    known: HashMap<u128, Vec<u32>>,
    filter: Vec<u64>,
}

impl Ends {
    /// Gathers lines with a number for each.
    pub(super) fn new(lines: impl Iterator<Item = (u128, u32)>) -> Ends {
        let mut known: HashMap<u128, Vec<u32>> = HashMap::new();
        for (line, number) in lines {
            known.entry(line).or_default().push(number);
        }
        // Sixteen bits a line, three of which are set: one look-up in 300 is in vain.
        let n_words = (known.len() / 4 + 1).next_power_of_two();
        let mut filter = vec![0u64; n_words];
        for line in known.keys() {
            for bit in bits(*line, n_words) {
                filter[bit >> 6] |= 1 << (bit & 63);
            }
        }
        Ends { known, filter }
    }

    /// The numbers of each line.
    pub(super) fn lines(&self) -> impl Iterator<Item = &[u32]> {
        self.known.values().map(Vec::as_slice)
    }

    /// The numbers of the lines with this hash.
    fn get(&self, line: u128) -> Option<&[u32]> {
        let mut bits = bits(line, self.filter.len()).into_iter();
        if !bits.all(|bit| self.filter[bit >> 6] >> (bit & 63) & 1 == 1) {
            return None;
        }
        self.known.get(&line).map(Vec::as_slice)
    }

    /// Calls `visit` with each candidate and the numbers of the lines that it goes beyond.
    pub(super) fn beginnings_of(
        &self,
        searcher: &Searcher,
        candidates: &[Candidate],
        mut visit: impl FnMut(usize, &[u32]),
    ) -> Result<()> {
        let starts: Vec<At> = candidates.iter().map(At::of).collect();
        each_beginning(searcher, &starts, |idx, ply, hash| {
            if ply < candidates[idx].n_plies
                && let Some(numbers) = self.get(hash)
            {
                visit(idx, numbers);
            }
        })
    }
}

fn bits(line: u128, n_words: usize) -> [usize; 3] {
    let mask = n_words * 64 - 1;
    [
        line as usize & mask,
        (line >> 40) as usize & mask,
        (line >> 80) as usize & mask,
    ]
}

/// Where a candidate is, and what its hash begins with.
struct At {
    segment: usize,
    doc: u32,
    start: u64,
}

impl At {
    fn of(candidate: &Candidate) -> At {
        At {
            segment: candidate.segment as usize,
            doc: candidate.doc,
            start: candidate.start,
        }
    }
}

/// Calls `visit` with the candidate, the ply and the hash of each beginning of a line, from ply 1 on.
fn each_beginning(
    searcher: &Searcher,
    starts: &[At],
    mut visit: impl FnMut(usize, u32, u128),
) -> Result<()> {
    let mut idx = 0;
    for (segment, view) in searcher.views.iter().enumerate() {
        let mut hash = 0;
        view.each_move(|doc, ply, token| {
            if ply == 1 {
                // Games without moves do not come by here.
                while (starts[idx].segment, starts[idx].doc) != (segment, doc) {
                    idx += 1;
                }
                hash = u128::from(starts[idx].start);
            }
            hash = step(hash, token);
            visit(idx, ply, hash);
        })?;
    }
    Ok(())
}

/// The hash of a line with one more move: two halves that are mixed with different numbers and with each other.
fn step(hash: u128, token: MoveToken) -> u128 {
    let (low, high) = (hash as u64, (hash >> 64) as u64);
    let token = u64::from(token.bits()) + 1;
    let low = mix(low.wrapping_add(token.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let high = mix(high.rotate_left(23) ^ token.wrapping_mul(0xd1b5_4a32_d192_ed03) ^ low);
    u128::from(high) << 64 | u128::from(low)
}

/// A permutation of 64 bits (SplitMix64).
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
