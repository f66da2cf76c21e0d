//! Checks an index against itself: checksums of all files, and every table against a replay of every game.

use std::path::Path;

use crate::error::{Error, Result};
use crate::index::games::DocId;
use crate::index::manifest::{Addresses, Manifest};
use crate::index::positions::{Continuation, Posting};
use crate::index::segment::SegmentView;
use crate::index::{IndexStore, index_error, undisturbed};
use crate::model::move_token::Check;
use crate::model::playable::Playable;
use crate::model::position_key::PositionKey;
use crate::notation::{GameReading, PlayedMove};
use crate::parse::header::{Header, read_header};
use crate::parse::{GameReader, RawGame};
use crate::replay::{PlyVisitor, Replayed, Scrutiny, Status, move_token, play_variations, replay};

/// What a check looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Verified {
    /// Games that were replayed.
    pub games: u64,
    /// Of those, games that are cut at a bad move.
    pub partial: u64,
    /// Plies of all main lines.
    pub plies: u64,
    /// Positions that were looked for and found.
    pub positions: u64,
    /// Segments of the index.
    pub segments: u64,
}

/// Keys and moves of a game, as an import takes them down.
#[derive(Debug, Default)]
pub(crate) struct Plies {
    pub(crate) keys: Vec<u64>,
    pub(crate) moves: Vec<crate::model::move_token::MoveToken>,
}

impl PlyVisitor for Plies {
    fn start(&mut self, _pos: &impl Playable, key: PositionKey) {
        self.keys.clear();
        self.moves.clear();
        self.keys.push(key.0);
    }

    fn after(&mut self, pos: &impl Playable, played: PlayedMove, key: PositionKey, check: Check) {
        self.keys.push(key.0);
        self.moves.push(move_token(played, pos, check));
    }
}

/// Reads and replays the one game that `bytes` hold.
pub(crate) fn replay_stored(
    bytes: &[u8],
    reading: impl Into<GameReading>,
    visitor: &mut impl PlyVisitor,
) -> Option<(RawGame, Header, Replayed)> {
    let reading = reading.into();
    let mut raw = RawGame::default();
    if !GameReader::new(bytes, reading.first()).read(&mut raw) {
        return None;
    }
    let header = read_header(bytes, &mut raw);
    let replayed = replay(bytes, &mut raw, &header, reading, Scrutiny::Moves, visitor);
    Some((raw, header, replayed))
}

/// Checks everything in an index.
///
/// # Errors
///
/// The first damage that was found, precisely.
pub fn verify(path: &Path, mut progress: impl FnMut(u64)) -> Result<Verified> {
    let damaged = |reason: String| Error::Damaged {
        path: path.to_owned(),
        reason,
    };
    let (store, views) = undisturbed(path, || {
        let store = IndexStore::open(path)?;
        verify_files(&store)?;
        let searcher = store.reader()?.searcher();
        let segments = searcher.segment_readers().iter();
        let views = segments.map(|segment| SegmentView::open(segment, path));
        let views = views.collect::<Result<Vec<_>>>()?;
        Ok((store, views))
    })?;
    let addresses = Addresses::new(store.manifest());
    let mut verified = Verified::default();
    for view in &views {
        verify_segment(
            view,
            store.manifest(),
            &addresses,
            &mut verified,
            &mut progress,
        )?;
        verified.segments += 1;
    }
    let counts = [
        ("games", store.manifest().n_games, verified.games),
        (
            "partial games",
            store.manifest().n_partial,
            verified.partial,
        ),
        ("plies", store.manifest().n_plies, verified.plies),
    ];
    for (what, counted, found) in counts {
        if counted != found {
            return Err(damaged(format!(
                "the manifest counts {counted} {what}, the segments hold {found}"
            )));
        }
    }
    Ok(verified)
}

/// Holds every file against its checksum, and the list of files for the garbage collector against the segments.
fn verify_files(store: &IndexStore) -> Result<()> {
    let (path, index) = (store.path(), store.tantivy());
    let bad = index
        .validate_checksum()
        .map_err(|e| index_error(path, e))?;
    if let Some(file) = bad.iter().min() {
        return Err(Error::Damaged {
            path: path.join(file),
            reason: "checksum differs".to_owned(),
        });
    }
    let metas = index.load_metas().map_err(|e| index_error(path, e))?;
    let managed = index.directory().list_managed_files();
    let mut files: Vec<_> = metas.list_segment_files().into_iter().collect();
    files.sort();
    let stranger = files
        .iter()
        .find(|file| path.join(file).exists() && !managed.contains(*file));
    match stranger {
        Some(file) => Err(Error::Damaged {
            path: path.to_owned(),
            reason: format!("{} is not in .managed.json", file.display()),
        }),
        None => Ok(()),
    }
}

fn verify_segment(
    view: &SegmentView,
    manifest: &Manifest,
    addresses: &Addresses,
    verified: &mut Verified,
    progress: &mut impl FnMut(u64),
) -> Result<()> {
    // Every posting must be used by a game, and every ply of every game must find one. Dense postings stand here as their
    // hashes; they are asked first, because a game may have a sparse posting for another position with the same short key.
    let mut sparse: Vec<u64> = Vec::new();
    let positions = &view.plies.positions;
    positions
        .each_sparse(|key, doc| {
            if view.is_alive(doc) {
                sparse.push(sparse_posting(key, doc));
            }
            Ok(())
        })
        .map_err(|e| view.damaged(e))?;
    if !sparse.is_sorted() {
        return Err(view.damaged("sparse positions are not in order".to_owned()));
    }
    let mut dense: Vec<u64> = Vec::new();
    positions
        .each_dense(|key, list| {
            for posting in list.decode()? {
                if view.is_alive(posting.doc) {
                    dense.push(hash(key, posting));
                }
            }
            Ok(())
        })
        .map_err(|e| view.damaged(e))?;
    dense.sort_unstable();
    let (mut sparse_used, mut dense_used) = (vec![false; sparse.len()], vec![false; dense.len()]);
    let mut by_slot = vec![u32::MAX; view.starts()?.get(view.plies.games.n_games()) as usize];
    for list in view.plies.moves.lists().map_err(|e| view.damaged(e))? {
        let mut slots = Vec::new();
        view.plies
            .moves
            .slots(list, &mut slots)
            .map_err(|e| view.damaged(e))?;
        for slot in slots {
            match by_slot.get_mut(slot as usize) {
                Some(place) if *place == u32::MAX => *place = list.token.bits(),
                _ => {
                    return Err(
                        view.damaged(format!("slot {slot} has two moves or does not exist"))
                    );
                }
            }
        }
    }
    let mut plies = Plies::default();
    let sequences = view.sequences()?;
    let (starts, facts) = (view.starts()?, view.facts()?);
    for doc in view.docs() {
        let name = || {
            let address = addresses.get(sequences.get(doc));
            address.map_or_else(
                || format!("game {doc} of its segment"),
                |a| format!("game {} (id)", a.id),
            )
        };
        let Some(address) = addresses.get(sequences.get(doc)) else {
            return Err(view.damaged(format!("{} has no place in the manifest", name())));
        };
        let bytes = view.game_bytes(doc)?;
        let source = &manifest.sources[address.source];
        let (raw, header, replayed) = replay_stored(&bytes, source.reading(), &mut plies)
            .ok_or_else(|| view.damaged(format!("{}: its bytes hold no game", name())))?;
        if u32::from(facts.get(doc).n_plies) != replayed.plies
            || facts.get(doc).result != header.result
        {
            return Err(view.damaged(format!("{}: plies or result differ from a replay", name())));
        }
        let variations = if source.variations {
            play_variations(&bytes, &raw, &header, replayed.reading)
        } else {
            Vec::new()
        };
        let mut place = 0;
        let main = (&plies.keys[..], &plies.moves[..], &plies.moves[..], 0);
        let side = variations.iter().map(|l| {
            (
                &l.keys[..],
                &l.moves[..],
                l.moves.get(1..).unwrap_or_default(),
                1,
            )
        });
        for (keys, moves, nexts, first_key) in std::iter::once(main).chain(side) {
            let slot = starts.get(doc as usize) as usize + place;
            if !moves
                .iter()
                .enumerate()
                .all(|(i, m)| by_slot.get(slot + 1 + i) == Some(&m.bits()))
            {
                return Err(view.damaged(format!("{}: moves differ from a replay", name())));
            }
            for (i, &key) in keys.iter().enumerate() {
                let Ok(ply) = u16::try_from(place + first_key + i) else {
                    break;
                };
                let next = nexts
                    .get(i)
                    .map_or(Continuation::END, |&m| Continuation::of(m));
                let kept = sparse_posting(positions.sparse_key(key), doc);
                if let Ok(at) = dense.binary_search(&hash(key, Posting { doc, ply, next })) {
                    dense_used[at] = true;
                } else if let Ok(at) = sparse.binary_search(&kept) {
                    sparse_used[at] = true;
                } else {
                    return Err(view.damaged(format!(
                        "{}: its position at place {ply} is not indexed",
                        name()
                    )));
                }
                verified.positions += 1;
            }
            place += moves.len() + 1;
        }
        if starts.n_slots(doc) as usize != place {
            return Err(view.damaged(format!(
                "{}: its number of slots differs from a replay",
                name()
            )));
        }
        verified.games += 1;
        verified.partial += u64::from(replayed.status == Status::Partial);
        verified.plies += u64::from(replayed.plies);
        progress(verified.games);
    }
    if let Some(at) = sparse_used.iter().position(|used| !used) {
        let doc = sparse[at] as DocId;
        return Err(view.damaged(format!(
            "the position index names game {doc} of its segment for a position it never reached"
        )));
    }
    if dense_used.contains(&false) {
        return Err(
            view.damaged("the position index has a posting that no game bears out".to_owned())
        );
    }
    Ok(())
}

/// A posting of the sparse part, which keeps at most 32 bits of a key.
fn sparse_posting(kept: u64, doc: DocId) -> u64 {
    kept >> 32 << 32 | u64::from(doc)
}

/// A hash of a posting.
fn hash(key: u64, posting: Posting) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    bytes[8..12].copy_from_slice(&posting.doc.to_le_bytes());
    bytes[12..14].copy_from_slice(&posting.ply.to_le_bytes());
    bytes[14..].copy_from_slice(&posting.next.0.to_le_bytes());
    xxhash_rust::xxh3::xxh3_64(&bytes)
}
