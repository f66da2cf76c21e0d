//! What a written move says, whatever its notation: which piece, from where, to where, capturing what.
//!
//! A [`Shape`] is a set of moves. With a position it must hold exactly one legal move ([`Shape::find`]); without one it
//! is what search tests against the stored tokens ([`Shape::matches`]). Both questions go through the token of the move,
//! so that a query and an import cannot read one text in two ways.

use shakmaty::{Bitboard, CastlingSide, Color, File, Move, MoveList, Position, Rank, Role, Square};

use super::MoveError;
use super::word::{CheckMark, CheckSign};
use crate::model::move_token::{Check, MoveToken};

/// A set of roles, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Roles(u8);

impl Roles {
    /// Every role.
    pub(super) const ALL: Roles = Roles(0b0111_1110);

    /// One role.
    pub(super) fn only(role: Role) -> Roles {
        Roles(1 << role as u8)
    }

    fn contains(self, role: Role) -> bool {
        self.0 >> role as u8 & 1 == 1
    }

    fn single(self) -> Option<Role> {
        Role::ALL.into_iter().find(|&r| self == Roles::only(r))
    }
}

/// What the text says about capturing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// No sign, which in algebraic notation says nothing.
    Unsaid,
    /// `x` or `:`.
    Demanded,
    /// A hyphen between algebraic squares. Queries take it to mean a quiet move; a position needs no such hint, and
    /// real scores write `d1-d4` for captures too.
    Hyphen,
    /// No capture.
    Excluded,
}

/// Which moves the rest of the shape speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A piece goes from a square to another.
    Piece,
    /// Origin and target as coordinates, which may also spell castling.
    Coordinates,
    /// Castling, with the side unless the text left it open.
    Castling(Option<CastlingSide>),
    /// A drop, in Crazyhouse.
    Drop,
    /// The null move.
    Null,
}

/// The set of moves that a text fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) roles: Roles,
    pub(super) from: Bitboard,
    pub(super) to: Bitboard,
    /// Whether the squares are those that the mover sees, as in descriptive notation.
    pub(super) relative: bool,
    pub(super) capture: Capture,
    pub(super) captured: Option<Role>,
    pub(super) promotion: Option<Role>,
    /// The wing that a descriptive text says the piece came from, asked only when several moves are left.
    pub(super) wing: Option<CastlingSide>,
    /// Whether the text says en passant. Where it names the goal this adds nothing and is asked only when several moves
    /// are left; else (`PxP e.p.`) another capture would be another move than was written.
    pub(super) en_passant: bool,
    /// What a descriptive text says about check (`QxP mate`), asked only when several moves are left: signs are often
    /// forgotten or wrong. SAN is stricter: there check signs never tell moves apart.
    pub(super) check: CheckMark,
}

impl Shape {
    /// The moves of a kind, without any restriction but that there is no promotion.
    pub(super) fn new(kind: Kind) -> Shape {
        Shape {
            kind,
            roles: Roles::ALL,
            from: Bitboard::FULL,
            to: Bitboard::FULL,
            relative: false,
            capture: Capture::Unsaid,
            captured: None,
            promotion: None,
            wing: None,
            en_passant: false,
            check: CheckMark::ABSENT,
        }
    }

    /// Whether a pawn could promote by a move of the set, though the text names no piece for it.
    pub(super) fn lacks_promotion(&self) -> bool {
        let last_rank = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
        self.promotion.is_none()
            && matches!(self.kind, Kind::Piece | Kind::Coordinates)
            && self.roles.contains(Role::Pawn)
            && (self.to & last_rank).any()
    }

    /// Whether the text names a promotion on a square where there can be none.
    pub(super) fn promotes_too_early(&self) -> bool {
        let last_rank = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
        self.promotion.is_some() && (self.to & last_rank).is_empty()
    }

    /// The moves between two squares, castling included.
    pub(super) fn coordinates(from: Square, to: Square, promotion: Option<Role>) -> Shape {
        Shape {
            from: Bitboard::from(from),
            to: Bitboard::from(to),
            promotion,
            ..Shape::new(Kind::Coordinates)
        }
    }

    /// Whether the text is descriptive, or names no square by itself (`QxP`, `Castles`), as only descriptive texts do.
    pub(super) fn is_descriptive(&self) -> bool {
        self.relative
            || self.kind == Kind::Piece && self.to == Bitboard::FULL
            || self.kind == Kind::Castling(None)
    }

    /// Whether a played move belongs to the set, for queries.
    pub(super) fn matches(&self, token: MoveToken) -> bool {
        let quiet = matches!(self.capture, Capture::Hyphen | Capture::Excluded);
        self.holds(token, quiet)
    }

    /// The one legal move in the set.
    pub(super) fn find<P: Position + Clone>(&self, pos: &P) -> Result<Move, MoveError> {
        let turn = pos.turn();
        let to = self.to.single_square().map(|to| {
            if self.relative && turn.is_black() {
                to.flip_vertical()
            } else {
                to
            }
        });
        // Generating the moves of one role to one square is three times as fast as generating all.
        let role = match self.kind {
            Kind::Piece | Kind::Drop => self.roles.single(),
            // The piece on the origin is known; only a king may be castling.
            Kind::Coordinates => {
                let from = self.from.single_square();
                from.and_then(|from| pos.board().role_at(from))
                    .filter(|&role| role != Role::King)
            }
            Kind::Castling(_) | Kind::Null => None,
        };
        let moves = match (self.kind, role, to) {
            (Kind::Castling(Some(side)), _, _) => pos.castling_moves(side),
            (_, Some(role), Some(to)) => pos.san_candidates(role, to),
            _ => pos.legal_moves(),
        };
        self.find_among(&moves, pos)
    }

    /// The one move of the set among legal `moves` of `pos`.
    pub(super) fn find_among<P: Position + Clone>(
        &self,
        moves: &MoveList,
        pos: &P,
    ) -> Result<Move, MoveError> {
        let must_be_en_passant =
            self.en_passant && (self.relative || self.to.single_square().is_none());
        let fits =
            |&&m: &&Move| self.fits(m, pos.turn()) && (!must_be_en_passant || m.is_en_passant());
        let mut found = moves.iter().filter(fits);
        let Some(&first) = found.next() else {
            return Err(MoveError::IllegalMove);
        };
        if found.next().is_none() {
            return Ok(first);
        }
        let mut found = moves.iter().filter(fits).filter(|&&m| {
            (!self.en_passant || m.is_en_passant())
                && self.wing.is_none_or(|wing| comes_from(m, wing))
                && says_truly(self.check, m, pos)
        });
        match (found.next(), found.next()) {
            (Some(&m), None) => Ok(m),
            _ => Err(MoveError::AmbiguousMove),
        }
    }

    fn fits(&self, m: Move, color: Color) -> bool {
        match (self.kind, m) {
            (Kind::Coordinates, Move::Castle { king, rook }) => {
                let side = CastlingSide::from_king_side(rook > king);
                let to = Square::from_coords(side.king_to_file(), king.rank());
                // A king one square beside its goal is written as castling only by way of its rook: in Chess960 the
                // other spelling is the plain king move.
                let by_goal = self.to.contains(to) && king.distance(to) > 1;
                self.from.contains(king)
                    && self.capture != Capture::Demanded
                    && (by_goal || self.to.contains(rook))
            }
            _ => {
                self.roles.contains(m.role())
                    && self.holds(
                        MoveToken::new(color, m, Check::None),
                        self.capture == Capture::Excluded,
                    )
            }
        }
    }

    fn holds(&self, token: MoveToken, must_be_quiet: bool) -> bool {
        if let Some(side) = token.castling_side() {
            return self.holds_castling(token, side);
        }
        let Some(role) = token.role() else {
            return self.kind == Kind::Null && token.is_null();
        };
        let is_drop = token.is_drop();
        let (from, to) = self.seen(token);
        let of_kind = match self.kind {
            Kind::Piece | Kind::Coordinates => !is_drop,
            Kind::Drop => is_drop,
            Kind::Castling(_) | Kind::Null => false,
        };
        of_kind
            && self.roles.contains(role)
            && self.from.contains(from)
            && self.to.contains(to)
            && self.promotion == token.promotion()
            && match token.captured() {
                Some(captured) => !must_be_quiet && self.captured.is_none_or(|r| r == captured),
                None => self.capture != Capture::Demanded,
            }
    }

    fn holds_castling(&self, token: MoveToken, side: CastlingSide) -> bool {
        match self.kind {
            Kind::Castling(wanted) => wanted.is_none_or(|w| w == side),
            Kind::Coordinates => {
                // The token has no rook square, so the rook is taken to stand in its corner.
                let (from, to) = (token.from(), token.to());
                let corner = Square::from_coords(
                    if side.is_king_side() {
                        File::H
                    } else {
                        File::A
                    },
                    from.rank(),
                );
                let by_goal = self.to.contains(to) && from.distance(to) > 1;
                self.from.contains(from)
                    && self.capture != Capture::Demanded
                    && (by_goal || self.to.contains(corner))
            }
            _ => false,
        }
    }

    fn seen(&self, token: MoveToken) -> (Square, Square) {
        if self.relative && token.color().is_black() {
            (token.from().flip_vertical(), token.to().flip_vertical())
        } else {
            (token.from(), token.to())
        }
    }
}

fn comes_from(m: Move, wing: CastlingSide) -> bool {
    m.from()
        .is_some_and(|sq| wing.is_queen_side() == (sq.file() < File::E))
}

/// Whether what a text says about check is true of a move.
fn says_truly<P: Position + Clone>(mark: CheckMark, m: Move, pos: &P) -> bool {
    if mark == CheckMark::ABSENT {
        return true;
    }
    let mut after = pos.clone();
    after.play_unchecked(m);
    let checkers = after.checkers();
    let is_double = checkers.more_than_one();
    let is_discovered = checkers.without(m.to()).any();
    let is_so = match mark.sign {
        CheckSign::Absent => true,
        CheckSign::Check => checkers.any(),
        CheckSign::DoublePlus => is_double || after.is_checkmate(),
        CheckSign::Mate => after.is_checkmate(),
    };
    is_so && (is_double || !mark.is_double) && (is_discovered || !mark.is_discovered)
}
