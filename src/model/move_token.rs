//! One played move as a small number: colour, role, origin, target, capture, promotion, check.
//!
//! The token is what the move index stores for each ply and what a move pattern is tested against, so it holds
//! every fact that some notation writes down. It is independent of the position: two moves that any notation writes
//! alike are the same token.

use shakmaty::{CastlingSide, Color, File, Move, Rank, Role, Square};

/// Check or mate given by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// The move gives no check.
    None,
    /// The move gives check.
    Check,
    /// The move gives mate.
    Mate,
}

/// A move packed into 26 bits of a `u32`.
///
/// From the lowest bit: target (6), origin (6), role (3), captured role (3), promotion (3), white (1), check (2),
/// castling (1), null move (1). A castling move has the king's origin and, as its target, the square the king ends on
/// (file g or c), also in Chess960. A drop has its square as origin and as target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveToken(u32);

const ORIGIN: u32 = 6;
const ROLE: u32 = 12;
const CAPTURED: u32 = 15;
const PROMOTION: u32 = 18;
const WHITE: u32 = 21;
const CHECK: u32 = 22;
const CASTLE: u32 = 24;
const NULL: u32 = 25;

/// Number of bits that a token uses.
pub const MOVE_TOKEN_BITS: u32 = 26;

impl MoveToken {
    /// The token of a legal move played by `color`, with the check it gives.
    pub fn new(color: Color, m: Move, check: Check) -> MoveToken {
        let bits = match m {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => {
                squares(from, to, role)
                    | capture.map_or(0, |role| role as u32) << CAPTURED
                    | promotion.map_or(0, |role| role as u32) << PROMOTION
            }
            Move::EnPassant { from, to } => {
                squares(from, to, Role::Pawn) | (Role::Pawn as u32) << CAPTURED
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(rook > king);
                let to = Square::from_coords(side.king_to_file(), king.rank());
                squares(king, to, Role::King) | 1 << CASTLE
            }
            Move::Put { role, to } => squares(to, to, role),
        };
        MoveToken(bits | u32::from(color.is_white()) << WHITE | (check as u32) << CHECK)
    }

    /// The token of a null move (`--`) by `color`.
    pub fn null(color: Color) -> MoveToken {
        MoveToken(u32::from(color.is_white()) << WHITE | 1 << NULL)
    }

    /// The packed form, below `1 << MOVE_TOKEN_BITS`.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The token with these bits, unchecked beyond their number.
    pub fn from_bits(bits: u32) -> Option<MoveToken> {
        (bits >> MOVE_TOKEN_BITS == 0).then_some(MoveToken(bits))
    }

    /// Target, origin, promotion and castling in 16 bits, from the lowest, with the piece of a drop in place of a
    /// promotion: what tells the moves of one position apart.
    pub(crate) fn choice(self) -> u16 {
        let castling = self.0 >> CASTLE & 1;
        let piece = if self.is_drop() { ROLE } else { PROMOTION };
        (self.0 & 0xfff | (self.0 >> piece & 7) << 12 | castling << 15) as u16
    }

    /// Whether a piece was dropped. Besides drops, only a king that stays while it castles ends where it began.
    pub fn is_drop(self) -> bool {
        self.0 & 63 == self.0 >> ORIGIN & 63 && self.0 & (3 << CASTLE) == 0
    }

    /// The side that moved.
    pub fn color(self) -> Color {
        Color::from_white(self.0 >> WHITE & 1 == 1)
    }

    /// The piece that moved; `None` for a null move.
    pub fn role(self) -> Option<Role> {
        role(self.0 >> ROLE)
    }

    /// The square the piece came from; for a drop, the square it went to.
    pub fn from(self) -> Square {
        Square::new(self.0 >> ORIGIN & 63)
    }

    /// The square the piece went to.
    pub fn to(self) -> Square {
        Square::new(self.0 & 63)
    }

    /// The piece captured, also en passant.
    pub fn captured(self) -> Option<Role> {
        role(self.0 >> CAPTURED)
    }

    /// The piece a pawn was promoted to.
    pub fn promotion(self) -> Option<Role> {
        role(self.0 >> PROMOTION)
    }

    /// Which side the king castled to.
    pub fn castling_side(self) -> Option<CastlingSide> {
        (self.0 >> CASTLE & 1 == 1)
            .then(|| CastlingSide::from_king_side(self.to().file() == File::G))
    }

    /// Whether this is a null move.
    pub fn is_null(self) -> bool {
        self.0 >> NULL & 1 == 1
    }

    /// The check that the move gives.
    pub fn check(self) -> Check {
        match self.0 >> CHECK & 3 {
            0 => Check::None,
            1 => Check::Check,
            _ => Check::Mate,
        }
    }

    /// The rank of the origin, for patterns.
    pub fn from_rank(self) -> Rank {
        self.from().rank()
    }
}

fn squares(from: Square, to: Square, role: Role) -> u32 {
    u32::from(to) | u32::from(from) << ORIGIN | (role as u32) << ROLE
}

fn role(bits: u32) -> Option<Role> {
    Role::try_from(bits & 7).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what a token says of a move by White that gives check.
    fn check(m: Move, from: Square, to: Square, is_drop: bool) -> MoveToken {
        let token = MoveToken::new(Color::White, m, Check::Check);
        assert_eq!(
            (token.from(), token.to(), token.is_drop()),
            (from, to, is_drop)
        );
        assert_eq!(
            (token.role(), token.check()),
            (Some(m.role()), Check::Check)
        );
        assert_eq!(
            (token.captured(), token.promotion()),
            (m.capture(), m.promotion())
        );
        assert_eq!(token.castling_side(), m.castling_side());
        assert_eq!(MoveToken::from_bits(token.bits()), Some(token));
        token
    }

    #[test]
    fn a_token_holds_the_facts_of_each_kind_of_move() {
        use Square::{A1, A8, B7, B8, C1, D5, D6, E5, F1, G1, H1};

        let promotion = |role| Move::Normal {
            role: Role::Pawn,
            from: B7,
            capture: Some(Role::Knight),
            to: A8,
            promotion: Some(role),
        };
        let quiet = Move::Normal {
            role: Role::Rook,
            from: B7,
            capture: None,
            to: B8,
            promotion: None,
        };
        let castle = |king, rook| Move::Castle { king, rook };
        let put = |role| Move::Put { role, to: C1 };
        let mut choices = vec![
            check(quiet, B7, B8, false).choice(),
            check(promotion(Role::Queen), B7, A8, false).choice(),
            check(promotion(Role::King), B7, A8, false).choice(),
            check(Move::EnPassant { from: E5, to: D6 }, E5, D6, false).choice(),
            check(castle(F1, H1), F1, G1, false).choice(),
            // The king stays, and only the rook moves.
            check(castle(C1, A1), C1, C1, false).choice(),
            check(put(Role::Pawn), C1, C1, true).choice(),
            check(put(Role::Queen), C1, C1, true).choice(),
            check(
                Move::Put {
                    role: Role::Queen,
                    to: D5,
                },
                D5,
                D5,
                true,
            )
            .choice(),
        ];
        assert_eq!(choices[5], 2 | 2 << 6 | 1 << 15, "as format 1 has it");
        assert!(!MoveToken::null(Color::White).is_drop());
        choices.sort_unstable();
        choices.dedup();
        assert_eq!(choices.len(), 9);
    }
}
