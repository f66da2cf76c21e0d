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
/// (file g or c), also in Chess960. A drop has its square as origin and as target, which no other move has.
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
        let mut bits = u32::from(color.is_white()) << WHITE | (check as u32) << CHECK;
        bits |= (m.role() as u32) << ROLE;
        match m {
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(rook > king);
                let to = Square::from_coords(side.king_to_file(), king.rank());
                bits |= u32::from(king) << ORIGIN | u32::from(to) | 1 << CASTLE;
            }
            _ => {
                bits |= u32::from(m.from().unwrap_or(m.to())) << ORIGIN | u32::from(m.to());
                bits |= m.capture().map_or(0, |r| r as u32) << CAPTURED;
                bits |= m.promotion().map_or(0, |r| r as u32) << PROMOTION;
            }
        }
        MoveToken(bits)
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

fn role(bits: u32) -> Option<Role> {
    Role::try_from(bits & 7).ok()
}
