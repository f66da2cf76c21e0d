//! The sparse part: shortened keys and game numbers, in blocks of some 64 postings.
//!
//! Of a key the highest bits are kept, as many as tell most postings of a file apart: its short key. The first bits of
//! that choose a block; how many is such that blocks hold 64 postings in the mean. A block is
//! the number of its postings, then their game numbers in fixed width, then the gaps between their keys in Rice code: a
//! lookup adds gaps until it is past its key and picks the game numbers of equal ones. Keys are uniform, being hashes,
//! so blocks are even and one Rice parameter serves a file.

use crate::index::bits::{BitReader, BitWriter, read_varint, rice_parameter, write_varint};
use crate::index::games::DocId;
use crate::index::pages::{Damage, PageFile, PageWriter};

/// Most bits of a key that are kept.
const MAX_KEY_BITS: u32 = 32;
/// Fewest bits of a key that are kept, and by how many they exceed those that would number the postings. A lookup among
/// 13 million postings then meets a strange game once in 20 times, which a replay rules out; a bit less of each posting is
/// 1 % of an index. Merges keep what their parts kept, so that small parts must think of what they may become.
const MIN_KEY_BITS: u32 = 28;
const SPARE_KEY_BITS: u32 = 4;
/// Postings of a block, in the mean.
const BLOCK_POSTINGS: u64 = 64;
/// Bytes of a block's offset in the directory: enough for a terabyte.
const OFFSET_BYTES: usize = 5;

/// How keys and game numbers are cut; stored with the part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    key_bits: u32,
    block_bits: u32,
    rice: u32,
    doc_bits: u32,
}

impl Shape {
    fn new(n_postings: u64, n_games: u64, most_key_bits: u32) -> Shape {
        let key_bits = (u64::BITS - n_postings.leading_zeros() + SPARE_KEY_BITS)
            .clamp(MIN_KEY_BITS, MAX_KEY_BITS)
            .min(most_key_bits);
        let block_bits = (n_postings / BLOCK_POSTINGS).max(1).ilog2().min(key_bits);
        let span = 1u64 << (key_bits - block_bits);
        let rice = rice_parameter(span, (n_postings >> block_bits).max(1));
        Shape {
            key_bits,
            block_bits,
            rice,
            doc_bits: u64::BITS - n_games.saturating_sub(1).leading_zeros(),
        }
    }

    /// The kept part of a key.
    fn short(self, key: u64) -> u32 {
        key.checked_shr(u64::BITS - self.key_bits).unwrap_or(0) as u32
    }

    fn block_of(self, short: u32) -> usize {
        (u64::from(short) >> (self.key_bits - self.block_bits)) as usize
    }

    fn first_short(self, block: usize) -> u64 {
        (block as u64) << (self.key_bits - self.block_bits)
    }
}

/// Writes postings in the order of their keys.
pub(crate) struct SparseWriter {
    out: PageWriter,
    shape: Shape,
    block: usize,
    pending: Vec<(u32, DocId)>,
    offsets: Vec<u8>,
    buffer: Vec<u8>,
    n_postings: u64,
}

impl SparseWriter {
    /// A writer for about `n_postings` of `n_games`, of whose keys `most_key_bits` are known.
    pub(crate) fn new(
        out: PageWriter,
        n_postings: u64,
        n_games: u64,
        most_key_bits: u32,
    ) -> SparseWriter {
        SparseWriter {
            out,
            shape: Shape::new(n_postings, n_games, most_key_bits),
            block: 0,
            pending: Vec::new(),
            offsets: Vec::new(),
            buffer: Vec::new(),
            n_postings: 0,
        }
    }

    /// Number of blocks.
    pub(crate) fn n_blocks(&self) -> usize {
        1 << self.shape.block_bits
    }

    /// The least key beyond a block; `None` if it is the last one.
    pub(crate) fn end_of(&self, block: usize) -> Option<u64> {
        let shift = u64::BITS - self.shape.block_bits;
        (block + 1 < self.n_blocks()).then(|| (block as u64 + 1) << shift)
    }

    /// Adds a posting. Blocks ascend; within one, postings may come in any order, and more than once: two positions of a
    /// game may share what is kept of their keys.
    pub(crate) fn add(&mut self, key: u64, doc: DocId) -> Result<(), Damage> {
        let short = self.shape.short(key);
        let block = self.shape.block_of(short);
        while self.block < block {
            self.close_block()?;
        }
        self.pending.push((short, doc));
        Ok(())
    }

    fn close_block(&mut self) -> Result<(), Damage> {
        self.offsets
            .extend_from_slice(&self.out.position().to_le_bytes()[..OFFSET_BYTES]);
        if !self.pending.is_sorted() {
            #[expect(
                clippy::stable_sort_primitive,
                reason = "what a merge has gathered is a few sorted runs, which the stable sort makes use of"
            )]
            self.pending.sort();
        }
        self.pending.dedup();
        self.buffer.clear();
        write_varint(&mut self.buffer, self.pending.len() as u64);
        let mut bits = BitWriter::new(&mut self.buffer);
        for &(_, doc) in &self.pending {
            bits.fixed(u64::from(doc), self.shape.doc_bits);
        }
        let mut previous = self.shape.first_short(self.block);
        for &(short, _) in &self.pending {
            bits.rice(u64::from(short) - previous, self.shape.rice);
            previous = u64::from(short);
        }
        bits.finish();
        self.n_postings += self.pending.len() as u64;
        self.pending.clear();
        self.block += 1;
        self.out.write(&self.buffer).map_err(|e| e.to_string())
    }

    /// Writes the last blocks and the directory, and hands the file on to the dense part.
    pub(crate) fn finish(mut self) -> Result<PageWriter, Damage> {
        while self.block < 1 << self.shape.block_bits {
            self.close_block()?;
        }
        self.offsets
            .extend_from_slice(&self.out.position().to_le_bytes()[..OFFSET_BYTES]);
        self.out.end_section();
        self.out.write(&self.offsets).map_err(|e| e.to_string())?;
        self.out.end_section();
        let Shape {
            key_bits,
            block_bits,
            rice,
            doc_bits,
        } = self.shape;
        let [block_bits, rice, doc_bits, key_bits] =
            [block_bits, rice, doc_bits, key_bits].map(u64::from);
        self.out
            .write_numbers(&[block_bits, rice, doc_bits, self.n_postings, key_bits])
            .map_err(|e| e.to_string())?;
        self.out.end_section();
        Ok(self.out)
    }
}

/// Sections of the file.
const BLOCKS: usize = 0;
const OFFSETS: usize = 1;
const SHAPE: usize = 2;

/// The part, opened.
pub(crate) struct SparseReader {
    shape: Shape,
    n_postings: u64,
}

impl SparseReader {
    pub(crate) fn open(file: &PageFile) -> Result<SparseReader, Damage> {
        let (block_bits, rice, doc_bits, n_postings, key_bits) = match file.numbers(SHAPE)?[..] {
            [block_bits, rice, doc_bits, n, key_bits] => (block_bits, rice, doc_bits, n, key_bits),
            // Before format 4 there was no choice.
            [block_bits, rice, doc_bits, n] => (block_bits, rice, doc_bits, n, 32),
            _ => return Err("the sparse part has no shape".to_owned()),
        };
        let most = u64::from(MAX_KEY_BITS);
        if key_bits > most || block_bits > key_bits || rice > most || doc_bits > 32 {
            return Err("the sparse part has an impossible shape".to_owned());
        }
        let shape = Shape {
            key_bits: key_bits as u32,
            block_bits: block_bits as u32,
            rice: rice as u32,
            doc_bits: doc_bits as u32,
        };
        if file.section(OFFSETS).len() != ((1 << shape.block_bits) + 1) * OFFSET_BYTES {
            return Err("the sparse part has another number of blocks".to_owned());
        }
        // Every posting takes a bit or more. A merge makes as many blocks as the number of postings asks for.
        if n_postings > file.section(BLOCKS).len() as u64 * 8 {
            return Err("the sparse part has an impossible number of postings".to_owned());
        }
        Ok(SparseReader { shape, n_postings })
    }

    pub(crate) fn len(&self) -> u64 {
        self.n_postings
    }

    /// Bits of a key that are kept: the highest ones.
    pub(crate) fn key_bits(&self) -> u32 {
        self.shape.key_bits
    }

    /// A key of which nothing is left but what is kept.
    pub(crate) fn kept(&self, key: u64) -> u64 {
        self.whole(self.shape.short(key))
    }

    /// A short key in its place in a whole one.
    fn whole(&self, short: u32) -> u64 {
        u64::from(short)
            .checked_shl(u64::BITS - self.shape.key_bits)
            .unwrap_or(0)
    }

    /// Calls `visit` with each posting of a block until it says to stop.
    fn walk(
        &self,
        file: &PageFile,
        block: usize,
        mut visit: impl FnMut(u32, BitReader<'_>) -> Result<Walk, Damage>,
    ) -> Result<(), Damage> {
        let mut bytes = block_bytes(file, block)?;
        let n_postings = read_varint(&mut bytes).ok_or("a sparse block has no length")? as usize;
        let doc_bits = self.shape.doc_bits as usize;
        if n_postings
            .checked_mul(doc_bits)
            .is_none_or(|bits| bits > bytes.len() * 8)
        {
            return Err("a sparse block is too short".to_owned());
        }
        let mut gaps = BitReader::new(bytes, n_postings * doc_bits);
        let mut short = self.shape.first_short(block);
        for i in 0..n_postings {
            short = short.saturating_add(gaps.rice(self.shape.rice));
            if gaps.overrun() || short >= self.shape.first_short(block + 1) {
                return Err("a sparse block is cut short".to_owned());
            }
            if visit(short as u32, BitReader::new(bytes, i * doc_bits))? == Walk::Stop {
                break;
            }
        }
        Ok(())
    }

    /// Appends the games of postings with this key's short form.
    pub(crate) fn lookup(
        &self,
        file: &PageFile,
        key: u64,
        docs: &mut Vec<DocId>,
    ) -> Result<(), Damage> {
        let wanted = self.shape.short(key);
        self.walk(file, self.shape.block_of(wanted), |short, mut doc| {
            if short == wanted {
                docs.push(doc.fixed(self.shape.doc_bits) as DocId);
            }
            Ok(if short > wanted { Walk::Stop } else { Walk::On })
        })
    }

    /// Calls `visit` with what is kept of the key and the game of all postings, in this order.
    pub(crate) fn each(
        &self,
        file: &PageFile,
        mut visit: impl FnMut(u64, DocId) -> Result<(), Damage>,
    ) -> Result<(), Damage> {
        for block in 0..1 << self.shape.block_bits {
            self.walk(file, block, |short, mut doc| {
                visit(self.whole(short), doc.fixed(self.shape.doc_bits) as DocId)?;
                Ok(Walk::On)
            })?;
        }
        Ok(())
    }

    /// All postings of a block, for a merge that reads several parts side by side.
    pub(crate) fn block_postings(
        &self,
        file: &PageFile,
        block: usize,
    ) -> Result<Vec<(u64, DocId)>, Damage> {
        let mut postings = Vec::new();
        self.walk(file, block, |short, mut doc| {
            postings.push((self.whole(short), doc.fixed(self.shape.doc_bits) as DocId));
            Ok(Walk::On)
        })?;
        Ok(postings)
    }

    /// Number of blocks.
    pub(crate) fn n_blocks(&self) -> usize {
        1 << self.shape.block_bits
    }
}

/// The bytes of a block.
fn block_bytes(file: &PageFile, block: usize) -> Result<&[u8], Damage> {
    let at = file.section(OFFSETS).start + block * OFFSET_BYTES;
    let bytes = file.read(at..at + 2 * OFFSET_BYTES)?;
    let offset = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..OFFSET_BYTES].copy_from_slice(bytes);
        u64::from_le_bytes(word) as usize
    };
    let (start, end) = (
        offset(&bytes[..OFFSET_BYTES]),
        offset(&bytes[OFFSET_BYTES..]),
    );
    if end > file.section(BLOCKS).end {
        return Err("a sparse block is beyond its section".to_owned());
    }
    file.read(start..end)
}

#[derive(PartialEq, Eq)]
enum Walk {
    On,
    Stop,
}
