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

/// First bits of a key by which records are parted on their way in, and the bits after these by which a part is sorted. A
/// part of a full segment then fits a core's own cache, twice.
const PART_BITS: u32 = 10;
const PREFIX_BITS: u32 = u16::BITS;
/// Games of a stretch, within which sixteen bits tell games apart. Tests have few games.
const STRETCH_GAMES: DocId = if cfg!(test) { 7 } else { 1 << u16::BITS };
/// What stands for this ply and all later ones in the bits that a part leaves of a key; these plies are noted down besides.
/// Tests have short games.
const LATE_PLY: u16 = if cfg!(test) { 3 } else { (1 << PART_BITS) - 1 };

/// A position of a game, as it is sorted.
#[derive(Clone, Copy, Debug)]
struct Record {
    key: u64,
    posting: Posting,
}

impl Default for Record {
    fn default() -> Record {
        Record {
            key: 0,
            posting: Posting {
                doc: 0,
                ply: 0,
                next: Continuation::END,
            },
        }
    }
}

impl Record {
    fn part(&self) -> usize {
        (self.key >> (u64::BITS - PART_BITS)) as usize
    }

    /// The bits of its key by which it is sorted in its part. They tell most keys apart.
    fn prefix(&self) -> u16 {
        (self.key >> (u64::BITS - PART_BITS - PREFIX_BITS)) as u16
    }
}

/// A record as it is gathered, in twelve bytes instead of sixteen, which is a sixth of the memory of an import: the rest of
/// the key with the ply in the place of the bits that the part says, the game's number within its stretch, and the
/// continuation.
type Packed = [u8; 12];

fn pack(record: &Record) -> Packed {
    let Posting { doc, ply, next } = record.posting;
    let key_and_ply = record.key << PART_BITS | u64::from(ply.min(LATE_PLY));
    let mut packed = [0; 12];
    packed[..8].copy_from_slice(&key_and_ply.to_le_bytes());
    packed[8..10].copy_from_slice(&((doc % STRETCH_GAMES) as u16).to_le_bytes());
    packed[10..].copy_from_slice(&next.0.to_le_bytes());
    packed
}

fn packed_prefix([_, _, _, _, _, _, low, high, ..]: Packed) -> u16 {
    u16::from_le_bytes([low, high])
}

/// The record, with as much of its game's number and its ply as was packed.
fn unpack(part: usize, packed: Packed) -> Record {
    let mut key_and_ply = [0; 8];
    key_and_ply.copy_from_slice(&packed[..8]);
    let key_and_ply = u64::from_le_bytes(key_and_ply);
    let [.., doc_low, doc_high, next_low, next_high] = packed;
    Record {
        key: (part as u64) << (u64::BITS - PART_BITS) | key_and_ply >> PART_BITS,
        posting: Posting {
            doc: u16::from_le_bytes([doc_low, doc_high]).into(),
            ply: key_and_ply as u16 & ((1 << PART_BITS) - 1),
            next: Continuation(u16::from_le_bytes([next_low, next_high])),
        },
    }
}

/// Gathers positions, already parted by the first bits of their keys.
#[derive(Debug)]
pub(crate) struct PositionsWriter {
    records: Buckets<{ size_of::<Packed>() }>,
    /// Records of each part that belong to stretches before: one list for each border between stretches.
    borders: Vec<Vec<usize>>,
    /// Of each part, the plies that were too late to be packed.
    late: Vec<Vec<u16>>,
}

impl Default for PositionsWriter {
    fn default() -> PositionsWriter {
        PositionsWriter {
            records: Buckets::new(1 << PART_BITS),
            borders: Vec::new(),
            late: vec![Vec::new(); 1 << PART_BITS],
        }
    }
}

impl PositionsWriter {
    /// Adds the positions of a line: the keys of its places from `place` on, and the moves that were played from them. Games
    /// ascend.
    pub(crate) fn add_line(&mut self, doc: DocId, place: u32, keys: &[u64], moves: &[MoveToken]) {
        while self.borders.len() < (doc / STRETCH_GAMES) as usize {
            self.borders.push(self.records.lens().collect());
        }
        for (i, &key) in keys.iter().enumerate() {
            let next = moves
                .get(i)
                .map_or(Continuation::END, |&token| Continuation::of(token));
            let Ok(ply) = u16::try_from(place + i as u32) else {
                return;
            };
            let posting = Posting { doc, ply, next };
            let record = Record { key, posting };
            let part = record.part();
            if ply >= LATE_PLY {
                self.late[part].push(ply);
            }
            self.records.push(part, pack(&record));
        }
    }

    pub(crate) fn mem_usage(&self) -> usize {
        let late = self
            .late
            .iter()
            .map(|plies| plies.capacity() * size_of::<u16>());
        self.records.mem_usage() + late.sum::<usize>()
    }

    /// Sorts and writes both parts.
    pub(crate) fn write(self, games: &GamesWriter, out: PageWriter) -> Result<(), Damage> {
        let n_records = self.records.lens().sum::<usize>() as u64;
        // How many of them are sparse is known only afterwards: 68 % in large archives, nearly all in small ones.
        let about = n_records / 4 * 3;
        let mut sparse = SparseWriter::new(out, about, games.len() as u64, u64::BITS);
        let (mut dense, mut lists) = (DenseWriter::new(), Lists::default());
        let mut postings = Vec::new();
        let (borders, late) = (self.borders, self.late);
        // Records come in order, part by part, so that stretches and late plies do.
        let (mut stretch, mut n_late) = (0, 0);
        let unpack = |part: usize, place: usize, packed| {
            if place == 0 {
                (stretch, n_late) = (0, 0);
            }
            while borders
                .get(stretch)
                .is_some_and(|border| border[part] <= place)
            {
                stretch += 1;
            }
            let mut record = unpack(part, packed);
            record.posting.doc += stretch as DocId * STRETCH_GAMES;
            if record.posting.ply == LATE_PLY {
                record.posting.ply = late[part][n_late];
                n_late += 1;
            }
            record
        };
        self.records.drain_sorted(
            packed_prefix,
            unpack,
            |record: Record| record.prefix(),
            |records| {
                sort_rest(records);
                for group in records.chunk_by(|a, b| a.key == b.key) {
                    let key = group[0].key;
                    let n_games = 1 + group
                        .windows(2)
                        .filter(|pair| pair[0].posting.doc != pair[1].posting.doc)
                        .count();
                    if n_games <= SPARSE_GAMES {
                        for record in group {
                            sparse.add(key, record.posting.doc)?;
                        }
                    } else {
                        postings.clear();
                        postings.extend(group.iter().map(|record| record.posting));
                        lists.add(key, dense.list(key, &postings, games));
                    }
                }
                Ok::<(), Damage>(())
            },
        )?;
        let out = sparse.finish()?;
        let mut buckets = BucketsWriter::new(out, lists.len() as u64);
        for (key, list) in lists.iter() {
            buckets.add(key, list)?;
        }
        dense.finish(buckets)
    }
}

/// Sorts by their keys records that are sorted by the first bits of them; within a key they stay in the order of games and
/// plies. Few keys agree in their first bits, and to sort these takes less than five more passes over all.
fn sort_rest(records: &mut [Record]) {
    for group in records.chunk_by_mut(|a, b| a.prefix() == b.prefix()) {
        if !group.is_sorted_by_key(|record| record.key) {
            group.sort_by_key(|record| record.key);
        }
    }
}
