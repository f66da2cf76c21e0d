//! Gathers the positions of a segment and sorts them by key.

use crate::index::buckets::Buckets;
use crate::index::games::{DocId, GamesWriter};
use crate::index::pages::{Damage, PageWriter};
use crate::index::positions::SPARSE_GAMES;
use crate::index::positions::dense::{DenseWriter, Posting};
use crate::index::positions::dense_buckets::{BucketsWriter, Lists};
use crate::index::positions::sparse::SparseWriter;
use crate::model::move_token::MoveToken;

/// The move played from a position, or that there was none.
///
/// From the lowest bit: target (6), origin (6), promotion (3), castling (1). A drop has its square as origin and target,
/// and the piece in place of a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Continuation(pub(crate) u16);

impl Continuation {
    /// The game ended here.
    pub(crate) const END: Continuation = Continuation(u16::MAX);
    /// A null move was played.
    pub(crate) const NULL: Continuation = Continuation(u16::MAX - 1);

    /// Whether it is a move of a piece.
    pub(crate) fn is_move(self) -> bool {
        self != Continuation::END && self != Continuation::NULL
    }

    /// The continuation that this move is.
    pub(crate) fn of(token: MoveToken) -> Continuation {
        if token.is_null() {
            return Continuation::NULL;
        }
        Continuation(token.choice())
    }
}

/// A position of a game, in the bytes in which it is gathered: key, game, ply and continuation.
type Record = [u8; 16];

fn record(key: u64, posting: Posting) -> Record {
    let Posting { doc, ply, next } = posting;
    let rest = u64::from(doc) | u64::from(ply) << 32 | u64::from(next.0) << 48;
    (u128::from(key) | u128::from(rest) << 64).to_le_bytes()
}

fn key(record: Record) -> u64 {
    u128::from_le_bytes(record) as u64
}

fn posting(record: Record) -> Posting {
    let rest = (u128::from_le_bytes(record) >> 64) as u64;
    Posting {
        doc: rest as DocId,
        ply: (rest >> 32) as u16,
        next: Continuation((rest >> 48) as u16),
    }
}

/// First bits of a key by which records are parted on their way in, and the bits after these by which a part is sorted. A
/// part of a full segment then fits a core's own cache, twice.
const PART_BITS: u32 = 10;
const PREFIX_BITS: u32 = u16::BITS;

/// Gathers positions, already parted by the first bits of their keys.
#[derive(Debug)]
pub(crate) struct PositionsWriter {
    records: Buckets<{ size_of::<Record>() }>,
}

impl Default for PositionsWriter {
    fn default() -> PositionsWriter {
        PositionsWriter {
            records: Buckets::new(1 << PART_BITS),
        }
    }
}

impl PositionsWriter {
    /// Adds the positions of a line: the keys of its places from `place` on, and the moves that were played from them.
    pub(crate) fn add_line(&mut self, doc: DocId, place: u32, keys: &[u64], moves: &[MoveToken]) {
        for (i, &key) in keys.iter().enumerate() {
            let next = moves
                .get(i)
                .map_or(Continuation::END, |&token| Continuation::of(token));
            let Ok(ply) = u16::try_from(place + i as u32) else {
                return;
            };
            let posting = Posting { doc, ply, next };
            self.records.push(
                (key >> (u64::BITS - PART_BITS)) as usize,
                record(key, posting),
            );
        }
    }

    pub(crate) fn mem_usage(&self) -> usize {
        self.records.mem_usage()
    }

    /// Sorts and writes both parts.
    pub(crate) fn write(self, games: &GamesWriter, out: PageWriter) -> Result<(), Damage> {
        let n_records = self.records.len() as u64;
        // How many of them are sparse is known only afterwards: 68 % in large archives, nearly all in small ones.
        let about = n_records / 4 * 3;
        let mut sparse = SparseWriter::new(out, about, games.len() as u64, u64::BITS);
        let (mut dense, mut lists) = (DenseWriter::new(), Lists::default());
        let mut postings = Vec::new();
        self.records.drain_sorted(prefix, |records| {
            sort_rest(records);
            for group in records.chunk_by(|a, b| key(*a) == key(*b)) {
                let of_group = key(group[0]);
                let doc = |record: &Record| posting(*record).doc;
                let n_games = 1 + group
                    .windows(2)
                    .filter(|pair| doc(&pair[0]) != doc(&pair[1]))
                    .count();
                if n_games <= SPARSE_GAMES {
                    for record in group {
                        sparse.add(of_group, doc(record))?;
                    }
                } else {
                    postings.clear();
                    postings.extend(group.iter().copied().map(posting));
                    lists.add(of_group, dense.list(of_group, &postings, games));
                }
            }
            Ok::<(), Damage>(())
        })?;
        let out = sparse.finish()?;
        let mut buckets = BucketsWriter::new(out, lists.len() as u64);
        for (key, list) in lists.iter() {
            buckets.add(key, list)?;
        }
        dense.finish(buckets)
    }
}

/// The bits of a key by which the records of a bucket are sorted: those after the ones that they share. They tell most keys
/// apart.
fn prefix(record: Record) -> u16 {
    (key(record) >> (u64::BITS - PART_BITS - PREFIX_BITS)) as u16
}

/// Sorts by their keys records that are sorted by the first bits of them; within a key they stay in the order of games and
/// plies. Few keys agree in their first bits, and to sort these takes less than five more passes over all.
fn sort_rest(bucket: &mut [Record]) {
    for group in bucket.chunk_by_mut(|a, b| prefix(*a) == prefix(*b)) {
        if !group.is_sorted_by_key(|record| key(*record)) {
            group.sort_by_key(|record| key(*record));
        }
    }
}
