//! One segment of an opened index, as searches see it: tables of plies, columns, and the games' own bytes.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use fixedbitset::FixedBitSet;
use tantivy::SegmentReader;
use tantivy::columnar::Column as FastColumn;
use tantivy::store::StoreReader;

use crate::error::{Error, Result};
use crate::index::games::{DocId, Facts, Sequences, Starts};
use crate::index::index_error;
use crate::index::moves::MoveList;
use crate::index::pages::Damage;
use crate::index::plugin::PlyReader;
use crate::index::positions::DenseList;
use crate::index::schema::{Column, column_name};
use crate::model::move_token::MoveToken;

/// A segment, opened for reading.
pub(crate) struct SegmentView {
    pub(crate) reader: SegmentReader,
    pub(crate) plies: PlyReader,
    store: StoreReader,
    path: PathBuf,
}

impl std::fmt::Debug for SegmentView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SegmentView")
            .field("segment", &self.reader.segment_id())
            .finish_non_exhaustive()
    }
}

impl SegmentView {
    pub(crate) fn open(reader: &SegmentReader, path: &Path) -> Result<SegmentView> {
        let plies = PlyReader::open(reader).map_err(|reason| Error::Damaged {
            path: path.to_owned(),
            reason,
        })?;
        // See `game_bytes` for why a panic is caught here.
        let store = catch_unwind(AssertUnwindSafe(|| reader.get_store_reader(64)))
            .map_err(|_| Error::Damaged {
                path: path.to_owned(),
                reason: "the doc store cannot be opened".to_owned(),
            })?
            .map_err(|e| Error::io(path, e))?;
        Ok(SegmentView {
            reader: reader.clone(),
            plies,
            store,
            path: path.to_owned(),
        })
    }

    /// Names damage of this segment.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is the last use of a reason, in `map_err`"
    )]
    pub(crate) fn damaged(&self, reason: Damage) -> Error {
        let reason = format!(
            "segment {}: {reason}",
            self.reader.segment_id().uuid_string()
        );
        Error::Damaged {
            path: self.path.clone(),
            reason,
        }
    }

    pub(crate) fn is_alive(&self, doc: DocId) -> bool {
        self.reader
            .alive_bitset()
            .is_none_or(|alive| alive.is_alive(doc))
    }

    /// Facts of all games.
    pub(crate) fn facts(&self) -> Result<Facts<'_>> {
        self.plies.games.facts().map_err(|e| self.damaged(e))
    }

    /// Places of all games in the order of import.
    pub(crate) fn sequences(&self) -> Result<Sequences<'_>> {
        self.plies.games.sequences().map_err(|e| self.damaged(e))
    }

    /// First slots of all games.
    pub(crate) fn starts(&self) -> Result<Starts<'_>> {
        self.plies.games.starts().map_err(|e| self.damaged(e))
    }

    /// The runs in which games stand in the order of import, as ranges of games.
    pub(crate) fn runs(&self) -> Result<Vec<Range<DocId>>> {
        self.plies.games.runs().map_err(|e| self.damaged(e))
    }

    /// Games that may have reached a position and must be replayed to know.
    pub(crate) fn candidates(&self, key: u64) -> Result<Vec<DocId>> {
        let mut docs = Vec::new();
        self.plies
            .positions
            .candidates(key, &mut docs)
            .map_err(|e| self.damaged(e))?;
        docs.retain(|&doc| self.is_alive(doc));
        Ok(docs)
    }

    /// The list of games that did reach it.
    pub(crate) fn dense(&self, key: u64) -> Result<Option<DenseList<'_>>> {
        self.plies.positions.dense(key).map_err(|e| self.damaged(e))
    }

    /// The games of that list that its sums cannot speak for; `None` when they are not known.
    pub(crate) fn notable(&self, key: u64) -> Result<Option<Vec<DocId>>> {
        let notable = self.plies.positions.notable(key);
        notable.map_err(|e| self.damaged(e))
    }

    /// Slots at which a sequence of `n_moves` moves ends, ascending. `is_wanted(i, token)` says whether a move can be the
    /// one at place `i` of the sequence; `pause` is called between the places.
    ///
    /// Moves follow each other in a line exactly when their slots do. The rarest place comes first, and each other one
    /// leaves of its slots what it has too: in a bitmap, since the lists of its tokens come one after the other.
    pub(crate) fn sequence_ends(
        &self,
        n_moves: usize,
        is_wanted: impl Fn(usize, MoveToken) -> bool,
        pause: impl Fn() -> Result<()>,
    ) -> Result<Vec<u32>> {
        let moves = &self.plies.moves;
        let mut places: Vec<(u64, u32, Vec<MoveList>)> = (0..n_moves)
            .map(|i| (0, (n_moves - 1 - i) as u32, Vec::new()))
            .collect();
        for list in moves.lists().map_err(|e| self.damaged(e))? {
            for (i, (count, _, lists)) in places.iter_mut().enumerate() {
                if is_wanted(i, list.token) {
                    *count += u64::from(list.count);
                    lists.push(list);
                }
            }
        }
        places.sort_by_key(|(count, ..)| *count);
        let n_slots = self.starts()?.get(self.plies.games.n_games()) as usize;
        let mut ends: Option<FixedBitSet> = None;
        for (_, to_end, lists) in places {
            pause()?;
            if ends.as_ref().is_some_and(FixedBitSet::is_clear) {
                break;
            }
            let mut left = FixedBitSet::with_capacity(n_slots);
            for list in lists {
                let visited = moves.each_slot(list, |slot| {
                    let end = slot as usize + to_end as usize;
                    if end < n_slots && ends.as_ref().is_none_or(|ends| ends.contains(end)) {
                        left.insert(end);
                    }
                });
                visited.map_err(|e| self.damaged(e))?;
            }
            ends = Some(left);
        }
        let ends = ends.unwrap_or_default();
        Ok(ends.ones().map(|end| end as u32).collect())
    }

    /// Calls `visit` with game, ply and token of each move of the main lines, games and their moves in order, removed games
    /// left out.
    pub(crate) fn each_move(&self, mut visit: impl FnMut(DocId, u32, MoveToken)) -> Result<()> {
        let (starts, facts) = (self.starts()?, self.facts()?);
        let mut doc: DocId = 0;
        let mut n_wrong = 0;
        let mut ply = 0;
        let n_slots = starts.get(self.plies.games.n_games());
        let read = self.plies.moves.in_order(n_slots, |slot, bits| {
            let of_slot = starts.doc_of(slot, doc);
            if of_slot != doc {
                n_wrong += u32::from(ply < u32::from(facts.get(doc).n_plies));
                (doc, ply) = (of_slot, 0);
            }
            let place = slot - starts.get(doc as usize);
            if place > u32::from(facts.get(doc).n_plies) {
                return;
            }
            ply += 1;
            match MoveToken::from_bits(bits) {
                Some(token) if place == ply => {
                    if self.is_alive(doc) {
                        visit(doc, ply, token);
                    }
                }
                _ => n_wrong += 1,
            }
        });
        read.map_err(|e| self.damaged(e))?;
        n_wrong += u32::from(ply < u32::from(facts.get(doc).n_plies));
        if n_wrong > 0 {
            return Err(self.damaged("a main line has no move at some of its plies".to_owned()));
        }
        Ok(())
    }

    /// A numeric column.
    pub(crate) fn column(&self, column: Column) -> Result<FastColumn<u64>> {
        self.reader
            .fast_fields()
            .u64(column_name(column))
            .map_err(|e| index_error(&self.path, e))
    }

    /// The bytes of a game, after they were held against their checksum.
    pub(crate) fn game_bytes(&self, doc: DocId) -> Result<Vec<u8>> {
        // tantivy's doc store has no checksum and takes its own offsets on trust: damage makes it index out of bounds.
        // What comes out is held against our checksum, and a panic on the way there is the same damage, found earlier.
        let read = AssertUnwindSafe(|| self.store.get_document_bytes(doc));
        let stored = catch_unwind(read)
            .map_err(|_| self.damaged(format!("game {doc} cannot be read from the doc store")))?
            .map_err(|e| index_error(&self.path, e))?;
        let bytes =
            only_value(&stored).ok_or_else(|| self.damaged(format!("game {doc} has no bytes")))?;
        let wanted = self
            .plies
            .games
            .checksum(doc)
            .map_err(|e| self.damaged(e))?;
        if crc32fast::hash(bytes) != wanted {
            return Err(self.damaged(format!(
                "the bytes of game {doc} differ from their checksum"
            )));
        }
        Ok(bytes.to_vec())
    }

    /// All games that were not deleted.
    pub(crate) fn docs(&self) -> impl Iterator<Item = DocId> + '_ {
        let all: Range<DocId> = 0..self.reader.max_doc();
        all.filter(|&doc| self.is_alive(doc))
    }
}

/// The one value of a stored document: after the number of values, the field and the type comes its length, in groups of
/// seven bits of which the last has the high bit set, and then nothing but the value.
///
/// tantivy's own reader believes any length that it finds, and asks for the memory.
fn only_value(stored: &[u8]) -> Option<&[u8]> {
    const HEAD_BYTES: usize = 1 + 4 + 1;
    let mut rest = stored.get(HEAD_BYTES..)?;
    let (mut len, mut shift) = (0u64, 0u32);
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        len |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 != 0 {
            break;
        }
        shift += 7;
    }
    (len == rest.len() as u64).then_some(rest)
}

/// Bytes of an index by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct PartSizes {
    /// The games' own bytes, compressed.
    pub games: u64,
    /// The position index.
    pub positions: u64,
    /// The move index.
    pub moves: u64,
    /// Tags as terms.
    pub tags: u64,
    /// Columns and the table of games.
    pub columns: u64,
    /// All files of the index directory.
    pub total: u64,
}

impl PartSizes {
    /// Adds up the files of an index directory.
    ///
    /// # Errors
    ///
    /// When the directory cannot be read.
    pub fn of(dir: &Path) -> Result<PartSizes> {
        let mut sizes = PartSizes::default();
        for entry in std::fs::read_dir(dir).map_err(|e| Error::io(dir, e))? {
            let entry = entry.map_err(|e| Error::io(dir, e))?;
            let bytes = entry
                .metadata()
                .map_err(|e| Error::io(entry.path(), e))?
                .len();
            sizes.total += bytes;
            match entry.path().extension().and_then(|ext| ext.to_str()) {
                Some("store") => sizes.games += bytes,
                Some("positions") => sizes.positions += bytes,
                Some("moves") => sizes.moves += bytes,
                Some("term" | "idx" | "pos" | "fieldnorm") => sizes.tags += bytes,
                Some("fast" | "games") => sizes.columns += bytes,
                _ => {}
            }
        }
        Ok(sizes)
    }
}
