//! Finding a position: dense lists as they are, sparse candidates by replaying them.

use shakmaty::variant::VariantPosition;
use shakmaty::{CastlingSide, Color, Position};

use crate::error::Result;
use crate::index::{Continuation, DenseList, DocId, Posting, replay_stored};
use crate::model::fen::same_position;
use crate::model::move_token::Check;
use crate::model::playable::Playable;
use crate::model::position_key::PositionKey;
use crate::model::variant::Variant;
use crate::notation::{GameReading, PlayedMove};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) pos: VariantPosition,
    pub(crate) variant: Variant,
    /// In variations instead of in main lines.
    pub(crate) in_variations: bool,
}

impl Wanted {
    pub(crate) fn key(&self) -> u64 {
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
    let mut candidates = view.candidates(key)?;
    let mut dense = view.dense(key)?;
    if rook_is_in_doubt(&wanted.pos)
        && let Some(list) = dense.take()
    {
        // The list holds the positions in which the other rook may castle, too.
        let docs = list.postings().map(|p| p.doc);
        candidates.extend(docs.filter(|&doc| view.is_alive(doc)));
    }
    let mut sparse = Vec::new();
    if candidates.is_empty() {
        return Ok(Found { dense, sparse });
    }
    if let Some(sparse) = searcher.confirmed.get(wanted, segment) {
        return Ok(Found { dense, sparse });
    }
    candidates.sort_unstable();
    candidates.dedup();
    for doc in candidates {
        searcher.check_time()?;
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
    if let Some(list) = &dense {
        // A game that stands in the list is there with every ply; as a candidate it is one for another reason.
        sparse.retain(|p| {
            list.postings_from(p.doc)
                .next()
                .is_none_or(|first| first.doc != p.doc)
        });
    }
    searcher.confirmed.keep(wanted, segment, &sparse);
    Ok(Found { dense, sparse })
}

/// Whether a rook that may castle has another one on its side of the king: the key does not tell which of them may.
fn rook_is_in_doubt(pos: &VariantPosition) -> bool {
    Color::ALL.into_iter().any(|color| {
        let board = pos.board();
        let rooks = board.rooks() & board.by_color(color) & color.backrank();
        let Some(king) = board.king_of(color) else {
            return false;
        };
        CastlingSide::ALL.into_iter().any(|side| {
            let beside = rooks.into_iter();
            let n = beside.filter(|&rook| CastlingSide::from_king_side(rook > king) == side);
            pos.castles().has(color, side) && n.count() > 1
        })
    })
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
    fn look(&mut self, pos: &impl Playable, key: PositionKey) {
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
    fn start(&mut self, pos: &impl Playable, key: PositionKey) {
        self.postings.clear();
        self.place = 0;
        self.look(pos, key);
    }

    fn after(&mut self, pos: &impl Playable, played: PlayedMove, key: PositionKey, check: Check) {
        if let Some(last) = self.postings.last_mut().filter(|p| p.ply == self.place) {
            last.next = Continuation::of(move_token(played, pos, check));
        }
        self.place = self.place.saturating_add(1);
        self.look(pos, key);
    }
}

fn confirm_variations(
    bytes: &[u8],
    reading: GameReading,
    doc: DocId,
    wanted: &Wanted,
    postings: &mut Vec<Posting>,
) {
    let first = postings.len();
    for m in variation_moves(bytes, reading) {
        let Ok(ply) = u16::try_from(m.place) else {
            return;
        };
        // The continuation of a position is the move of the next place, if that is of the same line.
        if let Some(last) = postings[first..]
            .last_mut()
            .filter(|p| u32::from(p.ply) + 1 == m.place)
        {
            last.next = Continuation::of(move_token(m.played, &m.after, Check::None));
        }
        if same_position(&m.after, &wanted.pos) {
            postings.push(Posting {
                doc,
                ply,
                next: Continuation::END,
            });
        }
    }
}

/// A move of a variation of a stored game.
#[derive(Debug)]
pub(crate) struct VariationMove {
    /// Its place in the index.
    pub(crate) place: u32,
    /// The ply that it led to.
    pub(crate) ply: u32,
    /// The ply of the main line at which the variation, or the one that it is part of, leaves it.
    pub(crate) branch_ply: u32,
    pub(crate) before: VariantPosition,
    pub(crate) played: PlayedMove,
    pub(crate) after: VariantPosition,
}

/// The variation moves of a stored game, in the order of their places.
pub(crate) fn variation_moves(bytes: &[u8], reading: impl Into<GameReading>) -> Vec<VariationMove> {
    let mut moves = Vec::new();
    let Some((raw, header, replayed)) = replay_stored(bytes, reading, &mut ()) else {
        return moves;
    };
    let start = match start_position(bytes, &raw, &header) {
        Ok(start) if replayed.status != Status::Rejected => start.pos,
        _ => return moves,
    };
    let mut lines: Vec<Vec<VariationMove>> = Vec::new();
    let mut origins: Vec<(u32, u32)> = Vec::new();
    walk_lines(bytes, &raw, start, replayed.reading, |event| match event {
        LineEvent::Begin {
            from_ply,
            branch_ply,
        } => {
            lines.push(Vec::new());
            origins.push((from_ply, branch_ply));
        }
        LineEvent::Move {
            line: Some(line),
            before,
            played,
            after,
            ..
        } => {
            if let (Some(moves), Some(&(from_ply, branch_ply))) =
                (lines.get_mut(line), origins.get(line))
            {
                moves.push(VariationMove {
                    place: 0,
                    ply: from_ply + moves.len() as u32 + 1,
                    branch_ply,
                    before: before.clone(),
                    played,
                    after: after.clone(),
                });
            }
        }
        LineEvent::Move { line: None, .. } | LineEvent::Bad { .. } => {}
    });
    let mut place = replayed.plies + 1;
    for line in lines {
        for mut m in line {
            place += 1;
            m.place = place;
            moves.push(m);
        }
        place += 1;
    }
    moves
}
