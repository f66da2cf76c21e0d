//! Position keys: 64-bit Zobrist hashes, whole or updated move by move.
//!
//! Two positions are the same when board, side to move, castling rights and the possible en passant capture are the
//! same (FIDE Laws, article 9.2.3). The en passant square therefore enters the key only if a capture there is legal.
//! Pockets and promoted pieces of crazyhouse and the checks that are left in three-check are part of a position.
//! The values are those of shakmaty, which guarantees that they never change; each variant is set apart by a constant.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, CastlingSide, Color, EnPassantMode, Move, Position, Role};

use crate::model::playable::Playable;
use crate::model::variant::Variant;

/// The key of a position within the scope of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub u64);

impl PositionKey {
    /// The key of `pos`, computed from scratch.
    pub fn of(pos: &impl Playable, variant: Variant) -> PositionKey {
        let Zobrist64(hash) = pos.zobrist_hash(EnPassantMode::Legal);
        PositionKey(hash ^ salt(variant))
    }
}

impl PositionKey {
    /// The key under which the position is found when it stands in a variation, not in a main line.
    #[must_use]
    pub fn in_variation(self) -> PositionKey {
        PositionKey(self.0 ^ 0x5851_f42d_4c95_7f2d)
    }
}

/// An odd constant times the variant's code: nothing for standard chess, far apart for the others.
fn salt(variant: Variant) -> u64 {
    (variant as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A key that follows a game. It keeps the hash without the en passant part, which lives for one ply only.
#[derive(Clone, Copy, Debug)]
pub struct RunningKey {
    variant: Variant,
    without_ep: u64,
    rights: Bitboard,
    castling: u64,
}

impl RunningKey {
    /// Starts at `pos`.
    pub fn new(pos: &impl Playable, variant: Variant) -> RunningKey {
        let mut whole = PositionKey::of(pos, variant).0;
        if let Some(square) = pos.legal_ep_square() {
            whole ^= Zobrist64::zobrist_for_en_passant_file(square.file()).0;
        }
        RunningKey {
            variant,
            without_ep: whole,
            rights: pos.castles().castling_rights(),
            castling: castling(pos),
        }
    }

    /// The key after `us` played `m`, which led to `after`.
    pub fn play(&mut self, us: Color, m: Move, after: &impl Playable) -> PositionKey {
        if after.as_chess().is_none() {
            // Explosions, pockets and counters: what a move changes is more than the move says.
            return self.restart(after);
        }
        let mut key = self.without_ep ^ Zobrist64::zobrist_for_white_turn().0;
        let piece = |square, role: Role, color: Color| {
            Zobrist64::zobrist_for_piece(square, role.of(color)).0
        };
        match m {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => {
                key ^= piece(from, role, us) ^ piece(to, promotion.unwrap_or(role), us);
                if let Some(captured) = capture {
                    key ^= piece(to, captured, !us);
                }
            }
            Move::EnPassant { from, to } => {
                let pawn = shakmaty::Square::from_coords(to.file(), from.rank());
                key ^= piece(from, Role::Pawn, us)
                    ^ piece(to, Role::Pawn, us)
                    ^ piece(pawn, Role::Pawn, !us);
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(rook > king);
                let king_to = shakmaty::Square::from_coords(side.king_to_file(), king.rank());
                let rook_to = shakmaty::Square::from_coords(side.rook_to_file(), king.rank());
                key ^= piece(king, Role::King, us) ^ piece(king_to, Role::King, us);
                key ^= piece(rook, Role::Rook, us) ^ piece(rook_to, Role::Rook, us);
            }
            Move::Put { role, to } => key ^= piece(to, role, us),
        }
        if self.rights != after.castles().castling_rights() {
            let castling = castling(after);
            key ^= self.castling ^ castling;
            self.castling = castling;
            self.rights = after.castles().castling_rights();
        }
        self.without_ep = key;
        self.with_ep(after)
    }

    /// The key after something other than a move, which led to `after`.
    pub fn restart(&mut self, after: &impl Playable) -> PositionKey {
        *self = RunningKey::new(after, self.variant);
        self.with_ep(after)
    }

    fn with_ep(self, pos: &impl Playable) -> PositionKey {
        let ep = pos.legal_ep_square().map_or(0, |square| {
            Zobrist64::zobrist_for_en_passant_file(square.file()).0
        });
        PositionKey(self.without_ep ^ ep)
    }
}

fn castling(pos: &impl Position) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if pos.castles().has(color, side) {
                key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
            }
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::playable::start_of;
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    fn follow(mut pos: impl Playable, choices: &[u8], variant: Variant) {
        let mut running = RunningKey::new(&pos, variant);
        for &choice in choices {
            let moves = pos.legal_moves();
            let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else {
                return;
            };
            let turn = pos.turn();
            pos.play_unchecked(m);
            assert_eq!(
                running.play(turn, m, &pos),
                PositionKey::of(&pos, variant),
                "after {m}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_running_key_equals_the_key_from_scratch(choices in prop::collection::vec(any::<u8>(), 0..120)) {
            follow(Chess::default(), &choices, Variant::Standard);
            for variant in Variant::ALL {
                follow(start_of(variant), &choices, variant);
            }
            let fen: Fen = "bqrkrbnn/pppppppp/8/8/8/8/PPPPPPPP/BQRKRBNN w KQkq - 0 1".parse().expect("a FEN");
            let pos: Chess = fen.into_position(CastlingMode::Chess960).expect("a position");
            follow(pos, &choices, Variant::Chess960);
        }
    }

    #[test]
    fn variants_are_apart() {
        let pos = Chess::default();
        let keys: std::collections::BTreeSet<_> = Variant::ALL
            .iter()
            .map(|&v| PositionKey::of(&pos, v))
            .collect();
        assert_eq!(keys.len(), Variant::ALL.len());
    }
}
