//! Finding a position: dense lists as they are, sparse candidates by replaying them.

use shakmaty::Chess;

use crate::error::Result;
use crate::index::{Continuation, DenseList, DocId, Posting, replay_stored};
use crate::model::fen::same_position;
use crate::model::move_token::Check;
use crate::model::position_key::PositionKey;
use crate::model::variant::Variant;
use crate::notation::{PlayedMove, Reading};
use crate::replay::{LineEvent, PlyVisitor, Status, move_token, start_position, walk_lines};
use crate::search::Searcher;

/// Which lines of games a chess clause looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineScope {
    /// Main lines.
    #[default]
    Main,
    /// Variations.
    Variations,
    /// Both.
    All,
}

impl LineScope {
    pub(crate) fn has_main(self) -> bool {
        self != LineScope::Variations
    }

    pub(crate) fn has_variations(self) -> bool {
        self != LineScope::Main
    }
}

/// A position that is looked for, within the games of a variant.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) pos: Chess,
    pub(crate) variant: Variant,
    /// In variations instead of in main lines.
    pub(crate) in_variations: bool,
}

impl Wanted {
    fn key(&self) -> u64 {
        let key = PositionKey::of(&self.pos, self.variant);
        if self.in_variations {
            key.in_variation().0
        } else {
            key.0
        }
    }
}

/// Where a position stands in one segment.
pub(crate) struct Found<'a> {
    /// The list that needs no confirmation.
    pub(crate) dense: Option<DenseList<'a>>,
    /// Postings of confirmed candidates, ascending by game and place. No game of them is in the list.
    pub(crate) sparse: Vec<Posting>,
}

/// Looks a position up in one segment.
pub(crate) fn find<'a>(
    searcher: &'a Searcher,
    segment: usize,
    wanted: &Wanted,
) -> Result<Found<'a>> {
    let view = &searcher.views[segment];
    let key = wanted.key();
    let mut sparse = Vec::new();
    let mut candidates = view.candidates(key)?;
    candidates.sort_unstable();
    candidates.dedup();
    for doc in candidates {
        let bytes = view.game_bytes(doc)?;
        let reading = searcher.reading_of(segment, doc)?;
        if wanted.in_variations {
            confirm_variations(&bytes, reading, doc, wanted, &mut sparse);
        } else {
            let mut confirm = Confirm {
                wanted,
                doc,
                place: 0,
                key: PositionKey(key),
                postings: Vec::new(),
            };
            replay_stored(&bytes, reading, &mut confirm);
            sparse.append(&mut confirm.postings);
        }
    }
    let dense = view.dense(key)?;
    if let Some(list) = &dense {
        // A game that stands in the list is there with every ply; as a candidate it is one for another reason.
        sparse.retain(|p| {
            list.postings_from(p.doc)
                .next()
                .is_none_or(|first| first.doc != p.doc)
        });
    }
    Ok(Found { dense, sparse })
}

impl Found<'_> {
    /// All postings, ascending by game and place.
    pub(crate) fn postings(&self) -> Vec<Posting> {
        let mut all: Vec<Posting> = self.dense.iter().flat_map(DenseList::postings).collect();
        if !self.sparse.is_empty() {
            all.extend_from_slice(&self.sparse);
            all.sort_by_key(|p| (p.doc, p.ply));
        }
        all
    }
}

/// Replays a candidate and keeps the plies at which the position really stood.
struct Confirm<'a> {
    wanted: &'a Wanted,
    doc: DocId,
    place: u16,
    key: PositionKey,
    postings: Vec<Posting>,
}

impl Confirm<'_> {
    fn look(&mut self, pos: &Chess, key: PositionKey) {
        if key == self.key && same_position(pos, &self.wanted.pos) {
            self.postings.push(Posting {
                doc: self.doc,
                ply: self.place,
                next: Continuation::END,
            });
        }
    }
}

impl PlyVisitor for Confirm<'_> {
    fn start(&mut self, pos: &Chess, key: PositionKey) {
        self.postings.clear();
        self.place = 0;
        self.look(pos, key);
    }

    fn after(&mut self, pos: &Chess, played: PlayedMove, key: PositionKey, check: Check) {
        if let Some(last) = self.postings.last_mut().filter(|p| p.ply == self.place) {
            last.next = Continuation::of(move_token(played, pos, check));
        }
        self.place = self.place.saturating_add(1);
        self.look(pos, key);
    }
}

fn confirm_variations(
    bytes: &[u8],
    reading: Reading,
    doc: DocId,
    wanted: &Wanted,
    postings: &mut Vec<Posting>,
) {
    let first = postings.len();
    for_each_variation_move(bytes, reading, |place, after, played| {
        let Ok(ply) = u16::try_from(place) else {
            return;
        };
        // The continuation of a position is the move of the next place, if that is of the same line.
        if let Some(last) = postings[first..]
            .last_mut()
            .filter(|p| u32::from(p.ply) + 1 == place)
        {
            last.next = Continuation::of(move_token(played, after, Check::None));
        }
        if same_position(after, &wanted.pos) {
            postings.push(Posting {
                doc,
                ply,
                next: Continuation::END,
            });
        }
    });
}

/// Calls `visit` with the place, the position after and the move of each variation move of a stored game, in the order
/// of their places.
pub(crate) fn for_each_variation_move(
    bytes: &[u8],
    reading: Reading,
    mut visit: impl FnMut(u32, &Chess, PlayedMove),
) -> Option<()> {
    let (raw, header, replayed) = replay_stored(bytes, reading, &mut ())?;
    if replayed.status == Status::Rejected {
        return None;
    }
    let start = start_position(bytes, &raw, &header).ok()?;
    let mut lines: Vec<Vec<(Chess, PlayedMove)>> = Vec::new();
    walk_lines(bytes, &raw, start.pos, reading, |event| match event {
        LineEvent::Begin { .. } => lines.push(Vec::new()),
        LineEvent::Move {
            line: Some(line),
            played,
            after,
            ..
        } => {
            if let Some(line) = lines.get_mut(line) {
                line.push((after.clone(), played));
            }
        }
        LineEvent::Move { line: None, .. } | LineEvent::Bad { .. } => {}
    });
    let mut place = replayed.plies + 1;
    for line in lines {
        for (after, played) in &line {
            place += 1;
            visit(place, after, *played);
        }
        place += 1;
    }
    Some(())
}
