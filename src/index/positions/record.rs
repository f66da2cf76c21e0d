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

#[derive(Clone, Copy, Debug)]
struct Record {
    key: u64,
    doc: DocId,
    ply: u16,
    next: Continuation,
}

const N_BUCKETS: usize = 256;

/// Gathers positions, already parted by the first byte of their keys.
#[derive(Debug)]
pub(crate) struct PositionsWriter {
    records: Buckets<Record>,
}

impl Default for PositionsWriter {
    fn default() -> PositionsWriter {
        PositionsWriter {
            records: Buckets::new(N_BUCKETS),
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
            let record = Record {
                key,
                doc,
                ply,
                next,
            };
            self.records.push((key >> 56) as usize, record);
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
        self.records.drain(|records| {
            sort(records);
            for group in records.chunk_by(|a, b| a.key == b.key) {
                let n_games = 1 + group
                    .windows(2)
                    .filter(|pair| pair[0].doc != pair[1].doc)
                    .count();
                if n_games <= SPARSE_GAMES {
                    for record in group {
                        sparse.add(record.key, record.doc)?;
                    }
                } else {
                    postings.clear();
                    postings.extend(group.iter().map(|r| Posting {
                        doc: r.doc,
                        ply: r.ply,
                        next: r.next,
                    }));
                    let key = group[0].key;
                    lists.add(key, dense.list(key, &postings, games));
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

/// Sorts the records of a bucket by key; within a key they stay in the order of games and plies.
///
/// A bucket shares its first byte, and the next two tell most keys apart. A stable radix sort by these takes two passes
/// instead of seven; the few keys that agree in them are put right by a stable sort of their own.
fn sort(bucket: &mut [Record]) {
    let prefix = |record: &Record| (record.key >> 40) as u16;
    radsort::sort_by_key(bucket, prefix);
    for group in bucket.chunk_by_mut(|a, b| prefix(a) == prefix(b)) {
        if !group.is_sorted_by_key(|record| record.key) {
            group.sort_by_key(|record| record.key);
        }
    }
}
