//! The doc store of a segment, written as tantivy would write it: the games' own bytes in compressed blocks.
//!
//! tantivy's own writer sets up a compressor for every block and takes each game byte by byte. Here one compressor serves
//! all blocks, and a game is copied once, which is a third of the store's share of an import. What is written is tantivy's
//! file, byte for byte, to be read and merged by tantivy; a test compares the two.

use std::io::{self, Write};

use tantivy::directory::{TerminatingWrite, WritePtr};
use tantivy::schema::Field;

use crate::index::games::DocId;
use crate::index::vint::{short_vint, write_vint};
use crate::index::{STORE_BLOCK_BYTES, STORE_LEVEL};

/// Blocks, or blocks of the index below, that a block of the index covers.
const INDEX_PERIOD: usize = 8;
/// tantivy's code for a stored value of bytes.
const BYTES_CODE: u8 = 4;
/// tantivy's number of its doc store's format, and of its compressor.
const STORE_VERSION: u32 = 2;
const ZSTD_CODE: u8 = 4;
/// Bytes of the footer that are kept for later.
const RESERVED_BYTES: usize = 15;

/// Writes the doc store, block by block.
pub(crate) struct StoreWriter {
    out: WritePtr,
    /// Number of stored fields, field and type: what each game's bytes begin with.
    head: [u8; 6],
    compressor: zstd::bulk::Compressor<'static>,
    /// Games of the block that is being filled.
    block: Vec<u8>,
    /// Where each of them begins.
    starts: Vec<u32>,
    compressed: Vec<u8>,
    blocks: Vec<Stretch>,
}

/// So many games in so many bytes.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    games: u32,
    bytes: u32,
}

impl StoreWriter {
    /// Begins a store whose games are values of `field`.
    pub(crate) fn new(out: WritePtr, field: Field) -> io::Result<StoreWriter> {
        let [a, b, c, d] = field.field_id().to_le_bytes();
        Ok(StoreWriter {
            out,
            head: [short_vint(1), a, b, c, d, BYTES_CODE],
            compressor: zstd::bulk::Compressor::new(STORE_LEVEL)?,
            block: Vec::with_capacity(2 * STORE_BLOCK_BYTES),
            starts: Vec::new(),
            compressed: Vec::new(),
            blocks: Vec::new(),
        })
    }

    /// Adds the bytes of the next game.
    pub(crate) fn add(&mut self, game: &[u8]) -> io::Result<()> {
        self.starts.push(self.block.len() as u32);
        self.block.extend_from_slice(&self.head);
        write_vint(&mut self.block, game.len() as u64);
        self.block.extend_from_slice(game);
        // tantivy counts eight bytes for a start, of which it writes four.
        if self.block.len() + self.starts.len() * size_of::<u64>() > STORE_BLOCK_BYTES {
            self.close_block()?;
        }
        Ok(())
    }

    /// Bytes in use.
    pub(crate) fn mem_usage(&self) -> usize {
        self.block.capacity()
            + self.compressed.capacity()
            + self.blocks.capacity() * size_of::<Stretch>()
    }

    fn close_block(&mut self) -> io::Result<()> {
        for start in &self.starts {
            self.block.extend_from_slice(&start.to_le_bytes());
        }
        let n_games = self.starts.len() as u32;
        self.block.extend_from_slice(&n_games.to_le_bytes());
        let too_large = |_| io::Error::other("a block of games of 4 GiB");
        let len = u32::try_from(self.block.len()).map_err(too_large)?;
        self.compressed
            .resize(zstd::zstd_safe::compress_bound(self.block.len()), 0);
        let n_bytes = self
            .compressor
            .compress_to_buffer(&self.block, &mut self.compressed[..])?;
        self.out.write_all(&len.to_le_bytes())?;
        self.out.write_all(&self.compressed[..n_bytes])?;
        self.blocks.push(Stretch {
            games: n_games,
            bytes: u32::try_from(n_bytes + size_of::<u32>()).map_err(too_large)?,
        });
        self.block.clear();
        self.starts.clear();
        Ok(())
    }

    /// Writes the last block, the index of the blocks, and the footer.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if !self.starts.is_empty() {
            self.close_block()?;
        }
        let data_bytes: u64 = self.blocks.iter().map(|block| u64::from(block.bytes)).sum();
        self.out.write_all(&index_of(&self.blocks))?;
        self.out.write_all(&STORE_VERSION.to_le_bytes())?;
        self.out.write_all(&data_bytes.to_le_bytes())?;
        self.out.write_all(&[ZSTD_CODE])?;
        self.out.write_all(&[0; RESERVED_BYTES])?;
        self.out.terminate()
    }
}

/// The index of blocks: in the lowest layer a row for each block, in each other one a row for each group of
/// [`INDEX_PERIOD`] rows of the layer below. The highest layer comes first.
fn index_of(blocks: &[Stretch]) -> Vec<u8> {
    let mut layers: Vec<Vec<u8>> = Vec::new();
    let mut rows = blocks.to_vec();
    // Only groups that are full make a layer above. The last one, which may not be full, has its row there if there is one.
    let mut n_full = blocks.len();
    while n_full > 0 {
        let mut layer = Vec::new();
        let mut above = Vec::new();
        let (mut doc, mut at): (DocId, u64) = (0, 0);
        for group in rows.chunks(INDEX_PERIOD) {
            let start = layer.len();
            write_vint(&mut layer, group.len() as u64);
            write_vint(&mut layer, u64::from(doc));
            write_vint(&mut layer, at);
            let first_doc = doc;
            for row in group {
                write_vint(&mut layer, u64::from(row.games));
                write_vint(&mut layer, u64::from(row.bytes));
                doc += row.games;
                at += u64::from(row.bytes);
            }
            above.push(Stretch {
                games: doc - first_doc,
                bytes: (layer.len() - start) as u32,
            });
        }
        rows = above;
        layers.push(layer);
        n_full /= INDEX_PERIOD;
    }
    let mut index = Vec::new();
    write_vint(&mut index, layers.len() as u64);
    let mut end = 0;
    for layer in layers.iter().rev() {
        end += layer.len() as u64;
        write_vint(&mut index, end);
    }
    for layer in layers.iter().rev() {
        index.extend_from_slice(layer);
    }
    index
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;
    use tantivy::Directory;
    use tantivy::directory::RamDirectory;
    use tantivy::store::{StoreReader, StoreWriter as TantivyWriter};

    use super::*;
    use crate::index::schema::{fields, schema};
    use crate::index::{index_error, settings};

    fn ours(games: &[Vec<u8>]) -> Vec<u8> {
        let directory = RamDirectory::create();
        let out = directory.open_write(Path::new("store")).expect("a file");
        let field = fields(&schema()).expect("fields").game;
        let mut writer = StoreWriter::new(out, field).expect("a writer");
        for game in games {
            writer.add(game).expect("added");
        }
        writer.finish().expect("written");
        bytes(&directory)
    }

    /// The same by tantivy's writer, to which games go as documents.
    fn tantivys(games: &[Vec<u8>]) -> Vec<u8> {
        let directory = RamDirectory::create();
        let out = directory.open_write(Path::new("store")).expect("a file");
        let settings = settings();
        let mut writer = TantivyWriter::new(
            out,
            settings.docstore_compression,
            settings.docstore_blocksize,
            false,
        )
        .expect("a writer");
        let schema = schema();
        let field = fields(&schema).expect("fields").game;
        for game in games {
            let mut document = tantivy::TantivyDocument::default();
            document.add_bytes(field, game);
            writer.store(&document, &schema).expect("added");
        }
        writer.close().expect("written");
        bytes(&directory)
    }

    fn bytes(directory: &RamDirectory) -> Vec<u8> {
        let file = directory.open_read(Path::new("store")).expect("the file");
        file.read_bytes().expect("its bytes").as_slice().to_vec()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

        #[test]
        fn the_file_is_what_tantivy_writes(
            lens in prop::collection::vec(prop_oneof![8 => 0..3000usize, 1 => 0..120_000usize], 0..400),
            seed in any::<u64>(),
        ) {
            let mut state = seed | 1;
            let games: Vec<Vec<u8>> = lens
                .iter()
                .map(|&len| {
                    let mut next = || {
                        state ^= state << 13;
                        state ^= state >> 7;
                        state ^= state << 17;
                        b"1.e4 Nf3"[state as usize % 8]
                    };
                    (0..len).map(|_| next()).collect()
                })
                .collect();
            prop_assert!(ours(&games) == tantivys(&games));
        }
    }

    #[test]
    fn the_index_is_what_tantivy_writes_for_any_number_of_blocks() {
        let game = vec![b'e'; STORE_BLOCK_BYTES];
        for n_blocks in (0..20).chain([63, 64, 65, 71, 72, 73, 511, 512, 513, 519, 520, 600]) {
            let games = vec![game.clone(); n_blocks];
            assert!(ours(&games) == tantivys(&games), "{n_blocks} blocks");
        }
    }

    #[test]
    fn tantivy_reads_the_games_back() {
        let games: Vec<Vec<u8>> = (0..3000)
            .map(|i| format!("1. e4 {i} *").into_bytes())
            .collect();
        let directory = RamDirectory::create();
        directory
            .atomic_write(Path::new("store"), &ours(&games))
            .expect("a file");
        let file = directory.open_read(Path::new("store")).expect("the file");
        let reader = StoreReader::open(file, 4).expect("a store");
        for (doc, game) in games.iter().enumerate() {
            let stored = reader
                .get_document_bytes(doc as DocId)
                .map_err(|e| index_error(Path::new("store"), e))
                .expect("a game");
            assert!(stored.ends_with(game));
        }
    }
}
