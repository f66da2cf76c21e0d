//! Merges the position indexes of segments: two streaming merges of sorted runs, one for each part.
//!
//! Sparse postings stay sparse and dense lists dense, whatever they add up to: turning one into the other would need
//! the games to be replayed. So a sparse group can grow by merging, and a key can be in both parts; lookups know.

use crate::index::games::{DocId, GamesWriter};
use crate::index::pages::{Damage, PageWriter};
use crate::index::positions::PositionsReader;
use crate::index::positions::dense::{DenseWriter, Posting};
use crate::index::positions::dense_buckets::BucketsWriter;
use crate::index::positions::sparse::SparseWriter;

/// Merges `readers` into one file. `remap(segment, doc)` is the game's number in the merged segment, `None` when it was
/// deleted; it ascends with the segment and with the game.
pub(crate) fn merge(
    readers: &[PositionsReader],
    remap: impl Fn(usize, DocId) -> Option<DocId>,
    games: &GamesWriter,
    out: PageWriter,
) -> Result<(), Damage> {
    let n_postings = readers.iter().map(|reader| reader.sparse.len()).sum();
    let key_bits = readers.iter().map(|reader| reader.sparse.key_bits());
    let mut sparse = SparseWriter::new(
        out,
        n_postings,
        games.len() as u64,
        key_bits.min().unwrap_or(u64::BITS),
    );
    let mut runs: Vec<SparseRun> = readers.iter().map(SparseRun::new).collect();
    // A block of the result is gathered as a whole and sorted when it is written: that is quicker than to look for the least
    // key of all parts again and again.
    for block in 0..sparse.n_blocks() {
        let end = sparse.end_of(block);
        for (segment, run) in runs.iter_mut().enumerate() {
            while let Some((key, doc)) = run
                .peek()?
                .filter(|(key, _)| end.is_none_or(|end| *key < end))
            {
                run.at += 1;
                if let Some(doc) = remap(segment, doc) {
                    sparse.add(key, doc)?;
                }
            }
        }
    }
    let out = sparse.finish()?;

    let mut dense = DenseWriter::new();
    let n_keys = readers.iter().map(|reader| reader.dense.len()).sum();
    let mut buckets = BucketsWriter::new(out, n_keys);
    let mut runs: Vec<DenseRun> = readers.iter().map(DenseRun::new).collect();
    let mut postings: Vec<Posting> = Vec::new();
    loop {
        let mut least: Option<u64> = None;
        for run in &mut runs {
            if let Some(key) = run.peek()? {
                least = Some(least.map_or(key, |l| l.min(key)));
            }
        }
        let Some(key) = least else { break };
        postings.clear();
        for (segment, run) in runs.iter_mut().enumerate() {
            if run.peek()? == Some(key) {
                for posting in run.take() {
                    postings
                        .extend(remap(segment, posting.doc).map(|doc| Posting { doc, ..posting }));
                }
            }
        }
        if !postings.is_empty() {
            buckets.add(key, dense.list(key, &postings, games))?;
        }
    }
    dense.finish(buckets)
}

/// The sparse postings of one segment, a block at a time.
struct SparseRun<'a> {
    reader: &'a PositionsReader,
    block: usize,
    postings: Vec<(u64, DocId)>,
    at: usize,
}

impl<'a> SparseRun<'a> {
    fn new(reader: &'a PositionsReader) -> SparseRun<'a> {
        SparseRun {
            reader,
            block: 0,
            postings: Vec::new(),
            at: 0,
        }
    }

    fn peek(&mut self) -> Result<Option<(u64, DocId)>, Damage> {
        while self.at == self.postings.len() {
            if self.block == self.reader.sparse.n_blocks() {
                return Ok(None);
            }
            self.postings = self
                .reader
                .sparse
                .block_postings(&self.reader.file, self.block)?;
            self.block += 1;
            self.at = 0;
        }
        Ok(self.postings.get(self.at).copied())
    }
}

/// The dense lists of one segment, a bucket at a time.
struct DenseRun<'a> {
    reader: &'a PositionsReader,
    bucket: usize,
    lists: std::vec::IntoIter<(u64, Vec<Posting>)>,
    next: Option<(u64, Vec<Posting>)>,
}

impl<'a> DenseRun<'a> {
    fn new(reader: &'a PositionsReader) -> DenseRun<'a> {
        DenseRun {
            reader,
            bucket: 0,
            lists: Vec::new().into_iter(),
            next: None,
        }
    }

    fn peek(&mut self) -> Result<Option<u64>, Damage> {
        while self.next.is_none() {
            self.next = self.lists.next();
            if self.next.is_none() {
                if self.bucket == self.reader.dense.n_buckets() {
                    return Ok(None);
                }
                let mut lists = Vec::new();
                for (key, list) in self.reader.dense.bucket(&self.reader.file, self.bucket)? {
                    lists.push((key, list.decode()?));
                }
                self.bucket += 1;
                self.lists = lists.into_iter();
            }
        }
        Ok(self.next.as_ref().map(|(key, _)| *key))
    }

    fn take(&mut self) -> Vec<Posting> {
        self.next
            .take()
            .map(|(_, postings)| postings)
            .unwrap_or_default()
    }
}
