//! The position index of a segment: for each position key, the games that reached it.
//!
//! Two thirds of all postings are positions that one game alone reached, so they decide the size. The index has two
//! parts. A **sparse** part holds, for positions of at most [`SPARSE_GAMES`] games, some 28 bits of the key and the
//! game's number, nothing else: some 24 bits a posting. A reader confirms each by replaying the game, which also tells ply and
//! continuation, so that a shortened key can never give a false hit. A **dense** part holds whole keys, and for each
//! posting game, ply and continuation, so that statistics need no replay; lists that are long enough carry ready sums.
//!
//! A key may be in both parts, after a merge of segments of which one knew it well and another hardly: a lookup asks both.

mod dense;
mod dense_buckets;
mod highest;
mod merge;
mod notable;
mod record;
mod sparse;
mod sums;

pub(crate) use dense::{DenseList, Posting, TOP_GAMES};
pub(crate) use dense_buckets::DenseReader;
pub(crate) use highest::{Rated, highest_rated};
pub(crate) use merge::merge;
pub(crate) use notable::{BEST_GAMES, LATE};
pub(crate) use record::{Continuation, PositionsWriter};
pub(crate) use sparse::SparseReader;
pub(crate) use sums::{Aggregate, MoveAggregate, SideSums, sum_up};

/// Most games of a position in the sparse part of a fresh segment.
pub(crate) const SPARSE_GAMES: usize = 4;

use crate::index::games::DocId;
use crate::index::pages::{Damage, PageFile};

/// Both parts, opened.
pub(crate) struct PositionsReader {
    file: PageFile,
    sparse: SparseReader,
    dense: DenseReader,
}

impl PositionsReader {
    pub(crate) fn open(file: PageFile) -> Result<PositionsReader, Damage> {
        let sparse = SparseReader::open(&file)?;
        let dense = DenseReader::open(&file)?;
        Ok(PositionsReader {
            file,
            sparse,
            dense,
        })
    }

    /// Appends the games that may have reached the position and must be replayed to know.
    pub(crate) fn candidates(&self, key: u64, docs: &mut Vec<DocId>) -> Result<(), Damage> {
        self.sparse.lookup(&self.file, key, docs)
    }

    /// The list of games that did reach it.
    pub(crate) fn dense(&self, key: u64) -> Result<Option<DenseList<'_>>, Damage> {
        self.dense.lookup(&self.file, key)
    }

    /// The games of that list that its sums cannot speak for, ascending; `None` when they were not written down.
    pub(crate) fn notable(&self, key: u64) -> Result<Option<Vec<DocId>>, Damage> {
        notable::lookup(&self.file, key)
    }

    /// What the sparse part keeps of a key.
    pub(crate) fn sparse_key(&self, key: u64) -> u64 {
        self.sparse.kept(key)
    }

    /// Calls `visit` with each sparse posting, by key: what is kept of the key, and the game.
    pub(crate) fn each_sparse(
        &self,
        visit: impl FnMut(u64, DocId) -> Result<(), Damage>,
    ) -> Result<(), Damage> {
        self.sparse.each(&self.file, visit)
    }

    /// Calls `visit` with each dense list, by key.
    pub(crate) fn each_dense(
        &self,
        mut visit: impl FnMut(u64, DenseList<'_>) -> Result<(), Damage>,
    ) -> Result<(), Damage> {
        for bucket in 0..self.dense.n_buckets() {
            for (key, list) in self.dense.bucket(&self.file, bucket)? {
                visit(key, list)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
