//! Positions that games are played on, whatever the variant.
//!
//! Two types are enough. [`Chess`] is standard chess and Chess960, which nearly all games are; what is generic over
//! [`Playable`] is compiled for it alone, and nothing is decided ply by ply. [`VariantPosition`] is every variant,
//! decided at each call. Who replays a game chooses between the two once.

use shakmaty::variant::VariantPosition;
use shakmaty::{Chess, EnPassantMode, Move, Position, PositionError, Role, Setup};

use crate::model::variant::Variant;

/// A position that a game can be played on.
pub trait Playable: Position + Clone + std::fmt::Debug + Into<VariantPosition> {
    /// The position itself, if the rules are those of standard chess: shortcuts that hold under these rules only ask
    /// here. For [`Chess`] the answer is known to the compiler.
    fn as_chess(&self) -> Option<&Chess>;

    /// Plays a legal move.
    fn play_legal(&mut self, m: Move);

    /// The position after a null move: the other side is to move, and the move counts as one. `None` if the game is over
    /// or the side to move is in check.
    #[must_use]
    fn passed(&self) -> Option<Self>;
}

impl Playable for Chess {
    fn as_chess(&self) -> Option<&Chess> {
        Some(self)
    }

    fn play_legal(&mut self, m: Move) {
        self.play_unchecked(m);
    }

    fn passed(&self) -> Option<Chess> {
        match VariantPosition::from(self.clone()).passed()? {
            VariantPosition::Chess(pos) => Some(pos),
            _ => None,
        }
    }
}

impl Playable for VariantPosition {
    fn as_chess(&self) -> Option<&Chess> {
        match self {
            VariantPosition::Chess(pos) => Some(pos),
            _ => None,
        }
    }

    fn play_legal(&mut self, m: Move) {
        let halfmoves = self.halfmoves();
        self.play_unchecked(m);
        if let Move::Put {
            role: Role::Pawn, ..
        } = m
        {
            // The clock counts since the last pawn advance or capture (PGN standard, section 16.1.3.5), and a drop is
            // neither; shakmaty takes it for one.
            let mut setup = self.to_setup(EnPassantMode::Always);
            setup.halfmoves = halfmoves.saturating_add(1);
            *self = rebuilt(self, setup).unwrap_or_else(|| self.clone());
        }
    }

    fn passed(&self) -> Option<VariantPosition> {
        if self.is_check() || self.is_variant_end() {
            return None;
        }
        let mut setup = self.to_setup(EnPassantMode::Always);
        setup.halfmoves = setup.halfmoves.saturating_add(1);
        if setup.turn.is_black() {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        setup.swap_turn();
        rebuilt(self, setup)
    }
}

/// The position that a changed set-up of `pos` is. What `read_fen` let pass in a start position must not stop a game later.
fn rebuilt(pos: &VariantPosition, setup: Setup) -> Option<VariantPosition> {
    VariantPosition::from_setup(pos.variant(), setup, pos.castles().mode())
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// The position that games of a variant begin with, unless they say otherwise. A game of Chess960 that does not say is
/// taken to begin like standard chess, which is one of its positions.
pub fn start_of(variant: Variant) -> VariantPosition {
    VariantPosition::new(variant.rules())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fen::{FenUse, read_fen, write_fen};

    fn check(fen: &str, variant: Variant, want: Option<&str>) {
        let pos = read_fen(fen, variant, FenUse::Tag).expect("a position").pos;
        let passed = pos.passed().map(|pos| write_fen(&pos));
        assert_eq!(passed.as_deref(), want, "{fen}");
    }

    #[test]
    fn a_null_move_counts_as_a_move() {
        check(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            Variant::Standard,
            Some("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"),
        );
        check(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qp] w KQkq - 3 7",
            Variant::Crazyhouse,
            Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qp] b KQkq - 4 7"),
        );
    }

    #[test]
    fn a_pawn_drop_does_not_stop_the_clock() {
        let fen = "4k3/8/8/8/8/8/8/4K3[NP] w - - 7 30";
        let read = read_fen(fen, Variant::Crazyhouse, FenUse::Tag).expect("a position");
        for (role, want) in [
            (Role::Pawn, "4k3/8/8/8/4P3/8/8/4K3[N] b - - 8 30"),
            (Role::Knight, "4k3/8/8/8/4N3/8/8/4K3[P] b - - 8 30"),
        ] {
            let mut pos = read.pos.clone();
            let to = shakmaty::Square::E4;
            pos.play_legal(Move::Put { role, to });
            assert_eq!(write_fen(&pos), want);
        }
    }

    #[test]
    fn who_is_in_check_or_has_lost_cannot_pass() {
        let shut = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        check(shut, Variant::Standard, None);
        check(
            "8/8/8/3Kk3/8/8/8/8 b - - 0 1",
            Variant::Antichess,
            Some("8/8/8/3Kk3/8/8/8/8 w - - 1 2"),
        );
        check("8/8/8/3K3k/8/8/8/8 b - - 0 1", Variant::KingOfTheHill, None);
    }
}
