//! The segment plugin: tables of games, positions and moves that are read, merged and dropped with their segment.
//!
//! Three files a segment, each in checked pages: `.games`, `.positions`, `.moves`. FORMAT.md describes them.

use tantivy::index::SegmentComponent;
use tantivy::indexer::doc_id_mapping::MappingType;
use tantivy::plugin::{PluginMergeContext, PluginWriter, PluginWriterContext, SegmentPlugin};
use tantivy::{Segment, SegmentReader, TantivyError};

use crate::index::games::{DocId, GamesReader, GamesWriter};
use crate::index::moves::{self, MovesReader};
use crate::index::pages::{Damage, PageFile, PageWriter};
use crate::index::positions::{self, PositionsReader};
use crate::index::slot_map::SlotMap;

/// Extension of the table of games.
pub(crate) const GAMES: &str = "games";
/// Extension of the position index.
pub(crate) const POSITIONS: &str = "positions";
/// Extension of the move index.
pub(crate) const MOVES: &str = "moves";

/// All of them, in the order in which tantivy notes them down.
pub(crate) const EXTENSIONS: [&str; 3] = [GAMES, POSITIONS, MOVES];

/// The plugin to register with tantivy.
#[derive(Debug)]
pub(crate) struct PlyPlugin;

fn component(extension: &str) -> SegmentComponent {
    SegmentComponent::Custom(extension.to_owned())
}

/// Begins a file of a segment.
pub(super) fn create(segment: &Segment, extension: &str) -> tantivy::Result<PageWriter> {
    Ok(PageWriter::new(segment.open_write(component(extension))?))
}

fn internal(what: impl std::fmt::Display) -> TantivyError {
    TantivyError::InternalError(what.to_string())
}

impl SegmentPlugin for PlyPlugin {
    fn extensions(&self) -> &[&str] {
        &EXTENSIONS
    }

    fn create_writer(
        &self,
        _ctx: &PluginWriterContext<'_>,
    ) -> tantivy::Result<Box<dyn PluginWriter>> {
        Err(internal("segments are filled by pgndex"))
    }

    fn merge(&self, ctx: PluginMergeContext<'_>) -> tantivy::Result<()> {
        if ctx.doc_id_mapping.mapping_type() == MappingType::Shuffled {
            return Err(internal("a pgndex index is never sorted"));
        }
        let mut parts = Vec::new();
        for reader in ctx.readers {
            parts.push(PlyReader::open(reader).map_err(internal)?);
        }
        // Segments are stacked in order and deleted games left out, so a game's new number follows from the readers.
        let mut games = GamesWriter::default();
        let mut new_docs: Vec<Vec<Option<DocId>>> = Vec::new();
        let mut slot_maps: Vec<SlotMap> = Vec::new();
        for (reader, part) in ctx.readers.iter().zip(&parts) {
            let starts = part.games.starts().map_err(internal)?;
            let facts = part.games.facts().map_err(internal)?;
            let sequences = part.games.sequences().map_err(internal)?;
            let (mut docs, mut slots) = (Vec::new(), SlotMap::default());
            let mut runs = part
                .games
                .runs()
                .map_err(internal)?
                .into_iter()
                .map(|run| run.start)
                .peekable();
            for doc in 0..reader.max_doc() {
                if runs.next_if_eq(&doc).is_some() {
                    games.begin_run();
                }
                let alive = reader
                    .alive_bitset()
                    .is_none_or(|alive| alive.is_alive(doc));
                docs.push(alive.then_some(games.len() as DocId));
                let mut new_start = None;
                if alive {
                    let added = games.add(
                        facts.get(doc),
                        starts.n_slots(doc),
                        sequences.get(doc),
                        part.games.checksum(doc).map_err(internal)?,
                    );
                    let full = || internal("a segment has more than 2^32 plies");
                    new_start = Some(added.ok_or_else(full)?);
                }
                let doc = doc as usize;
                slots.add(starts.get(doc), starts.get(doc + 1), new_start);
            }
            new_docs.push(docs);
            slot_maps.push(slots);
        }
        let mut out = create(ctx.target_segment, GAMES)?;
        games.write(&mut out)?;
        out.finish()?;

        let (position_readers, move_readers): (Vec<_>, Vec<_>) = parts
            .into_iter()
            .map(|part| (part.positions, part.moves))
            .unzip();
        let remap =
            |segment: usize, doc: DocId| new_docs[segment].get(doc as usize).copied().flatten();
        let out = create(ctx.target_segment, POSITIONS)?;
        positions::merge(&position_readers, remap, &games, out).map_err(internal)?;

        let out = create(ctx.target_segment, MOVES)?;
        moves::merge(&move_readers, &slot_maps, games.n_slots(), out).map_err(internal)
    }
}

/// The tables of a segment, opened.
pub(crate) struct PlyReader {
    pub(crate) games: GamesReader,
    pub(crate) positions: PositionsReader,
    pub(crate) moves: MovesReader,
}

impl PlyReader {
    pub(crate) fn open(reader: &SegmentReader) -> Result<PlyReader, Damage> {
        let id = reader.segment_id().uuid_string();
        let open = |extension: &str| {
            let file = reader
                .open_read(component(extension))
                .map_err(|e| e.to_string())?;
            PageFile::open(&file).map_err(|e| format!("{id}.{extension}: {e}"))
        };
        let within = |extension: &str, e: Damage| format!("{id}.{extension}: {e}");
        Ok(PlyReader {
            games: GamesReader::open(open(GAMES)?, reader.max_doc())
                .map_err(|e| within(GAMES, e))?,
            positions: PositionsReader::open(open(POSITIONS)?).map_err(|e| within(POSITIONS, e))?,
            moves: MovesReader::open(open(MOVES)?).map_err(|e| within(MOVES, e))?,
        })
    }
}
