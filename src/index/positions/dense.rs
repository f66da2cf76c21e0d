//! The lists of the dense part: for a key the games, plies and continuations, with sums for long lists.
//!
//! A list is its continuations by frequency, the sums if it has them, and its postings in blocks of [`BLOCK`], each of
//! which can be read alone. Within a block, games are Rice-coded gaps, plies differences from the list's usual ply, and
//! continuations their places in the list of continuations, the last two in Elias-gamma code: mostly one bit each.

use std::ops::Range;

use crate::index::bits::{BitReader, BitWriter, read_varint, rice_parameter, write_varint};
use crate::index::games::{DocId, GameFacts, GamesWriter};
use crate::index::pages::Damage;
use crate::index::positions::Continuation;
use crate::index::positions::dense_buckets::BucketsWriter;
use crate::index::positions::highest::highest_rated;
use crate::index::positions::notable::NotableWriter;
use crate::index::positions::sums::{Aggregate, MoveAggregate, sum_up};

/// Postings of a block.
pub(crate) const BLOCK: usize = 128;
/// Shortest list that carries sums; shorter ones are added up when they are asked for, in microseconds.
const SUMS_FROM: usize = 256;
/// How many of the highest rated games a list with sums names.
pub(crate) const TOP_GAMES: usize = 10;

/// A game at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) doc: DocId,
    pub(crate) ply: u16,
    pub(crate) next: Continuation,
}

/// Encodes lists, in the order of their keys.
pub(crate) struct DenseWriter {
    bytes: Vec<u8>,
    scratch: Vec<u8>,
    /// Of each continuation, 1 plus its place in the list that is being written; 0 if it is not in it.
    places: Vec<u16>,
    notable: NotableWriter,
}

impl DenseWriter {
    pub(crate) fn new() -> DenseWriter {
        DenseWriter {
            bytes: Vec::new(),
            scratch: Vec::new(),
            places: vec![0; 1 << u16::BITS],
            notable: NotableWriter::default(),
        }
    }

    /// Encodes a list; postings ascend by game and ply, and there is at least one.
    pub(crate) fn list(&mut self, key: u64, postings: &[Posting], games: &GamesWriter) -> &[u8] {
        let moves = self.continuations(postings);
        // A position is mostly reached at one ply, so counting plies in a list is quickest.
        let mut plies: Vec<(u16, usize)> = Vec::new();
        for posting in postings {
            match plies.iter_mut().find(|(ply, _)| *ply == posting.ply) {
                Some((_, n)) => *n += 1,
                None => plies.push((posting.ply, 1)),
            }
        }
        let usual_ply = plies
            .iter()
            .max_by_key(|&&(ply, n)| (n, std::cmp::Reverse(ply)))
            .map_or(0, |&(ply, _)| ply);

        let out = &mut self.bytes;
        out.clear();
        let with_sums = postings.len() >= SUMS_FROM;
        write_varint(out, (postings.len() as u64) << 1 | u64::from(with_sums));
        write_varint(out, u64::from(usual_ply));
        write_varint(out, moves.len() as u64);
        for next in &moves {
            out.extend_from_slice(&next.0.to_le_bytes());
        }
        if with_sums {
            write_sums(out, &moves, postings, games);
            self.notable.list(key, postings, games);
        }
        let last_doc = postings.last().map_or(0, |p| p.doc);
        let k = rice_parameter(u64::from(last_doc - postings[0].doc), postings.len() as u64);
        out.push(k as u8);
        let n_blocks = postings.len().div_ceil(BLOCK);
        self.scratch.clear();
        let mut previous_first = 0;
        for (i, block) in postings.chunks(BLOCK).enumerate() {
            let start = self.scratch.len();
            let first = block[0].doc;
            let mut bits = BitWriter::new(&mut self.scratch);
            let mut previous = first;
            for posting in block {
                bits.rice(u64::from(posting.doc - previous), k);
                previous = posting.doc;
                bits.gamma(zigzag(i32::from(posting.ply) - i32::from(usual_ply)));
                bits.gamma(u32::from(self.places[usize::from(posting.next.0)]) - 1);
            }
            bits.finish();
            write_varint(out, u64::from(first - previous_first));
            previous_first = first;
            if i + 1 < n_blocks {
                write_varint(out, (self.scratch.len() - start) as u64);
            }
        }
        out.extend_from_slice(&self.scratch);
        for next in &moves {
            self.places[usize::from(next.0)] = 0;
        }
        &self.bytes
    }

    /// The continuations of a list, the most frequent one first, with their places noted down.
    fn continuations(&mut self, postings: &[Posting]) -> Vec<Continuation> {
        let mut frequencies: Vec<(Continuation, usize)> = Vec::new();
        for posting in postings {
            let place = &mut self.places[usize::from(posting.next.0)];
            if *place == 0 {
                frequencies.push((posting.next, 0));
                *place = frequencies.len() as u16;
            }
            frequencies[usize::from(*place) - 1].1 += 1;
        }
        frequencies.sort_unstable_by_key(|&(next, n)| (std::cmp::Reverse(n), next));
        for (idx, (next, _)) in frequencies.iter().enumerate() {
            self.places[usize::from(next.0)] = idx as u16 + 1;
        }
        frequencies.into_iter().map(|(next, _)| next).collect()
    }

    /// Ends the file after its last bucket.
    pub(crate) fn finish(self, buckets: BucketsWriter) -> Result<(), Damage> {
        let mut out = buckets.finish()?;
        self.notable.write(&mut out).map_err(|e| e.to_string())?;
        out.finish().map_err(|e| e.to_string())
    }
}

fn zigzag(value: i32) -> u32 {
    (value << 1 ^ value >> 31) as u32
}

fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

fn write_sums(
    out: &mut Vec<u8>,
    moves: &[Continuation],
    postings: &[Posting],
    games: &GamesWriter,
) {
    // Facts lie far apart. Fetched by a loop that does nothing else, many of them are on their way at a time, which
    // is half a percent of an import.
    let facts: Vec<GameFacts> = postings.iter().map(|p| games.facts(p.doc)).collect();
    let (total, sums) = sum_up(postings.iter().copied().zip(facts));
    for number in [total.games, total.white, total.draws, total.black] {
        write_varint(out, number);
    }
    for next in moves {
        for number in sums.get(next).copied().unwrap_or_default().numbers() {
            write_varint(out, number);
        }
    }
    let docs = postings
        .chunk_by(|a, b| a.doc == b.doc)
        .map(|game| game[0].doc);
    let top = highest_rated(
        docs,
        TOP_GAMES,
        |doc| games.facts(doc),
        |doc| games.sequence(doc),
    );
    write_varint(out, top.len() as u64);
    for (.., doc) in top {
        write_varint(out, u64::from(doc));
    }
}

/// The games of a position.
#[derive(Clone, Debug)]
pub(crate) struct DenseList<'a> {
    n_postings: usize,
    usual_ply: u16,
    moves: &'a [u8],
    sums: Option<ListSums>,
    rice: u32,
    blocks: Vec<(DocId, usize)>,
    bytes: &'a [u8],
}

/// The sums that a long list carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListSums {
    /// Of the position.
    pub(crate) total: Aggregate,
    /// Of each continuation, most frequent first.
    pub(crate) moves: Vec<(Continuation, MoveAggregate)>,
    /// The highest rated games.
    pub(crate) top: Vec<DocId>,
}

impl<'a> DenseList<'a> {
    pub(super) fn parse(mut bytes: &'a [u8]) -> Result<DenseList<'a>, Damage> {
        let bytes = &mut bytes;
        let cut = || "a dense list is cut short".to_owned();
        let number = |bytes: &mut &'a [u8]| read_varint(bytes).ok_or_else(cut);
        let head = number(bytes)?;
        let n_postings = usize::try_from(head >> 1).map_err(|_| cut())?;
        let usual_ply = number(bytes)? as u16;
        let n_moves = number(bytes)? as usize;
        let moves;
        (moves, *bytes) = n_moves
            .checked_mul(2)
            .and_then(|len| bytes.split_at_checked(len))
            .ok_or_else(cut)?;
        let mut sums = None;
        if head & 1 == 1 {
            let total = Aggregate {
                games: number(bytes)?,
                white: number(bytes)?,
                draws: number(bytes)?,
                black: number(bytes)?,
            };
            let mut of_moves = Vec::with_capacity(n_moves);
            for next in moves.chunks_exact(2) {
                let mut numbers = [0; 15];
                for n in &mut numbers {
                    *n = number(bytes)?;
                }
                of_moves.push((continuation(next), MoveAggregate::from_numbers(numbers)));
            }
            let n_top = number(bytes)?;
            let mut top = Vec::new();
            for _ in 0..n_top.min(TOP_GAMES as u64) {
                top.push(number(bytes)? as DocId);
            }
            sums = Some(ListSums {
                total,
                moves: of_moves,
                top,
            });
        }
        let rice;
        (rice, *bytes) = bytes
            .split_first()
            .map(|(k, rest)| (u32::from(*k).min(32), rest))
            .ok_or_else(cut)?;
        let n_blocks = n_postings.div_ceil(BLOCK);
        if n_blocks > bytes.len() {
            return Err(cut());
        }
        let mut blocks = Vec::with_capacity(n_blocks);
        let (mut first, mut at) = (0u64, 0usize);
        for i in 0..n_blocks {
            first += number(bytes)?;
            blocks.push((first as DocId, at));
            if i + 1 < n_blocks {
                at = at.checked_add(number(bytes)? as usize).ok_or_else(cut)?;
            }
        }
        Ok(DenseList {
            n_postings,
            usual_ply,
            moves,
            sums,
            rice,
            blocks,
            bytes,
        })
    }

    /// Number of postings: a game counts as often as it reached the position.
    pub(crate) fn n_postings(&self) -> usize {
        self.n_postings
    }

    /// The sums, if the list carries them.
    pub(crate) fn sums(&self) -> Option<&ListSums> {
        self.sums.as_ref()
    }

    /// All postings, by game and ply. A list that is cut short ends early; [`DenseList::decode`] tells.
    pub(crate) fn postings(&self) -> impl Iterator<Item = Posting> + '_ {
        (0..self.blocks.len()).flat_map(|block| self.block(block).0)
    }

    /// The postings of games from `doc` on.
    pub(crate) fn postings_from(&self, doc: DocId) -> impl Iterator<Item = Posting> + '_ {
        // A block may begin in the middle of a game's postings, so the block before it counts too.
        let block = self
            .blocks
            .partition_point(|&(first, _)| first < doc)
            .saturating_sub(1);
        (block..self.blocks.len())
            .flat_map(|block| self.block(block).0)
            .skip_while(move |p| p.doc < doc)
    }

    /// The postings of a range of games, the last one first.
    pub(crate) fn postings_back(&self, docs: Range<DocId>) -> impl Iterator<Item = Posting> + '_ {
        let n_blocks = self.blocks.partition_point(|&(first, _)| first < docs.end);
        (0..n_blocks)
            .rev()
            .flat_map(|block| self.block(block).0.into_iter().rev())
            .skip_while(move |p| p.doc >= docs.end)
            .take_while(move |p| p.doc >= docs.start)
    }

    /// All postings, or what is wrong with them.
    pub(crate) fn decode(&self) -> Result<Vec<Posting>, Damage> {
        let mut postings = Vec::with_capacity(self.n_postings.min(1 << 24));
        for block in 0..self.blocks.len() {
            let (of_block, whole) = self.block(block);
            if !whole {
                return Err("a block of a dense list is cut short".to_owned());
            }
            postings.extend(of_block);
        }
        // Gaps that add up to more than a game's number wrap around; a merge relies on the order.
        if !postings.is_sorted_by_key(|posting| posting.doc) {
            return Err("a dense list is not in order".to_owned());
        }
        Ok(postings)
    }

    fn block(&self, idx: usize) -> (Vec<Posting>, bool) {
        let (first, at) = self.blocks[idx];
        let n = (self.n_postings - idx * BLOCK).min(BLOCK);
        let mut bits = BitReader::new(self.bytes.get(at..).unwrap_or_default(), 0);
        let mut doc = u64::from(first);
        let mut postings = Vec::with_capacity(n);
        for _ in 0..n {
            doc += bits.rice(self.rice);
            let ply = i32::from(self.usual_ply).wrapping_add(unzigzag(bits.gamma()));
            let place = bits.gamma() as usize;
            let next = self
                .moves
                .get(place * 2..place * 2 + 2)
                .map_or(Continuation::END, continuation);
            postings.push(Posting {
                doc: doc as DocId,
                ply: ply as u16,
                next,
            });
        }
        (postings, !bits.overrun())
    }
}

fn continuation(bytes: &[u8]) -> Continuation {
    Continuation(u16::from_le_bytes([bytes[0], bytes[1]]))
}
