//! Plain SAN to a move, without generating moves.
//!
//! In nearly every ply of an archive a canonical SAN names a piece, a square, and nothing else is in doubt: one piece of
//! that kind can reach the square, and it is not pinned. Then the move follows from a look at the board. Whatever is not
//! that simple (castling, en passant, promotion, two candidates, loose spelling) is left to the general way, which decides
//! alone what is legal. So this function may say no to a legal move, but what it returns is legal; a test holds it against
//! the general way. It saves a third of replaying (bench `replay`).

use shakmaty::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Chess, Color, File, Move, Position, Rank, Role, Square};

/// The move that a plain SAN word means. `in_check` is whether the side to move is in check.
pub(super) fn resolve(word: &[u8], pos: &Chess, in_check: bool) -> Option<Move> {
    let marks = word
        .iter()
        .rev()
        .take_while(|b| matches!(b, b'+' | b'#' | b'!' | b'?'))
        .count();
    let word = &word[..word.len() - marks];
    let m = match *word.first()? {
        b'a'..=b'h' => pawn(word, pos)?,
        b'N' => piece(word, pos, Role::Knight)?,
        b'B' => piece(word, pos, Role::Bishop)?,
        b'R' => piece(word, pos, Role::Rook)?,
        b'Q' => piece(word, pos, Role::Queen)?,
        b'K' => return king(word, pos),
        _ => return None,
    };
    let is_legal = if in_check {
        ends_check(pos, m)
    } else {
        leaves_king_safe(pos, m)
    };
    is_legal.then_some(m)
}

/// Whether the king can move to a square that is not attacked, captures included: then a check is no mate.
pub(super) fn can_king_step(pos: &Chess) -> bool {
    let Some(from) = pos.our(Role::King).single_square() else {
        return false;
    };
    let board = pos.board();
    let without_king = board.occupied() ^ Bitboard::from_square(from);
    (king_attacks(from) & !pos.us())
        .into_iter()
        .any(|to| board.attacks_to(to, !pos.turn(), without_king).is_empty())
}

fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8)
        .then(|| Square::from_coords(File::new(u32::from(file)), Rank::new(u32::from(rank))))
}

fn pawn(word: &[u8], pos: &Chess) -> Option<Move> {
    let (from_file, to) = match *word {
        [file, rank] => (None, square(file, rank)?),
        [from @ b'a'..=b'h', b'x', file, rank] => {
            (Some(File::new(u32::from(from - b'a'))), square(file, rank)?)
        }
        _ => return None,
    };
    let back = if pos.turn() == Color::White { -8 } else { 8 };
    let pawns = pos.our(Role::Pawn);
    let board = pos.board();
    if to.rank() == Rank::First || to.rank() == Rank::Eighth {
        return None;
    }
    let below = to.offset(back)?;
    let (from, capture) = match from_file {
        Some(file) => {
            if file.distance(to.file()) != 1 {
                return None;
            }
            (
                Square::from_coords(file, below.rank()),
                Some(board.role_at(to).filter(|_| pos.them().contains(to))?),
            )
        }
        None if board.occupied().contains(to) => return None,
        None if pawns.contains(below) => (below, None),
        None => {
            let start = if pos.turn() == Color::White {
                Rank::Second
            } else {
                Rank::Seventh
            };
            let from = below.offset(back)?;
            if from.rank() != start || board.occupied().contains(below) {
                return None;
            }
            (from, None)
        }
    };
    pawns.contains(from).then_some(Move::Normal {
        role: Role::Pawn,
        from,
        capture,
        to,
        promotion: None,
    })
}

fn piece(word: &[u8], pos: &Chess, role: Role) -> Option<Move> {
    let (middle, to) = match word {
        [_, middle @ .., file, rank] => (middle, square(*file, *rank)?),
        _ => return None,
    };
    let (origin, is_capture) = match middle {
        [origin @ .., b'x'] => (origin, true),
        origin => (origin, false),
    };
    let capture = captured(pos, to, is_capture)?;
    let occupied = pos.board().occupied();
    let reach = match role {
        Role::Knight => knight_attacks(to),
        Role::Bishop => bishop_attacks(to, occupied),
        Role::Rook => rook_attacks(to, occupied),
        _ => queen_attacks(to, occupied),
    };
    let mut candidates = reach & pos.our(role);
    match *origin {
        [] => {}
        [file @ b'a'..=b'h'] => {
            candidates &= Bitboard::from_file(File::new(u32::from(file - b'a')));
        }
        [rank @ b'1'..=b'8'] => {
            candidates &= Bitboard::from_rank(Rank::new(u32::from(rank - b'1')));
        }
        [file, rank] => candidates &= Bitboard::from_square(square(file, rank)?),
        _ => return None,
    }
    let from = candidates.single_square()?;
    Some(Move::Normal {
        role,
        from,
        capture,
        to,
        promotion: None,
    })
}

fn king(word: &[u8], pos: &Chess) -> Option<Move> {
    let (to, is_capture) = match *word {
        [_, file, rank] => (square(file, rank)?, false),
        [_, b'x', file, rank] => (square(file, rank)?, true),
        _ => return None,
    };
    let from = pos.our(Role::King).single_square()?;
    let capture = captured(pos, to, is_capture)?;
    let without_king = pos.board().occupied() ^ Bitboard::from_square(from);
    let is_legal = king_attacks(from).contains(to)
        && pos
            .board()
            .attacks_to(to, !pos.turn(), without_king)
            .is_empty();
    is_legal.then_some(Move::Normal {
        role: Role::King,
        from,
        capture,
        to,
        promotion: None,
    })
}

/// What is captured on a square, when the capture sign and the board agree.
#[expect(
    clippy::option_option,
    reason = "outside: whether sign and board agree; inside: what is captured"
)]
fn captured(pos: &Chess, to: Square, is_capture: bool) -> Option<Option<Role>> {
    let role = pos.board().role_at(to);
    let agrees = role.is_some() == is_capture && !pos.us().contains(to);
    agrees.then_some(role)
}

/// Whether the move of another piece opens no line to the king, which is not in check.
fn leaves_king_safe(pos: &Chess, m: Move) -> bool {
    let (Some(from), to) = (m.from(), m.to()) else {
        return false;
    };
    let Some(king) = pos.our(Role::King).single_square() else {
        return false;
    };
    let (files, ranks) = (
        from.file().distance(king.file()),
        from.rank().distance(king.rank()),
    );
    if files != 0 && ranks != 0 && files != ranks {
        return true;
    }
    let board = pos.board();
    let (from, to) = (Bitboard::from_square(from), Bitboard::from_square(to));
    let occupied = (board.occupied() ^ from) | to;
    let them = pos.them() & !to;
    (rook_attacks(king, occupied) & board.rooks_and_queens() & them).is_empty()
        && (bishop_attacks(king, occupied) & board.bishops_and_queens() & them).is_empty()
}

/// Whether nothing attacks the king, which is in check, after the move of another piece.
fn ends_check(pos: &Chess, m: Move) -> bool {
    let (Some(from), Some(king)) = (m.from(), pos.our(Role::King).single_square()) else {
        return false;
    };
    let (from, to) = (Bitboard::from_square(from), Bitboard::from_square(m.to()));
    let board = pos.board();
    let occupied = (board.occupied() ^ from) | to;
    // What stood on the target square is captured.
    (board.attacks_to(king, !pos.turn(), occupied) & !to).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::san::{San, SanPlus};

    /// Every word that could be SAN: legal moves in canonical spelling, and texts near them.
    fn check(pos: &Chess) -> (usize, usize) {
        let (mut fast, mut legal) = (0, 0);
        let mut words: Vec<String> = pos
            .legal_moves()
            .iter()
            .map(|&m| SanPlus::from_move(pos.clone(), m).to_string())
            .collect();
        legal += words.len();
        for role in ["", "N", "B", "R", "Q", "K"] {
            for square in Square::ALL {
                words.push(format!("{role}{square}"));
                words.push(format!("{role}x{square}"));
                words.push(format!("{role}dx{square}"));
                words.push(format!("{role}e{square}"));
            }
        }
        for (i, word) in words.iter().enumerate() {
            let general = SanPlus::from_ascii(word.as_bytes())
                .ok()
                .and_then(|san| San::to_move(san.san, pos).ok());
            let quick = resolve(word.as_bytes(), pos, pos.is_check());
            assert!(
                quick.is_none() || quick == general,
                "{word} in {pos:?}: {quick:?}, but {general:?}"
            );
            fast += usize::from(quick.is_some() && i < legal);
        }
        (fast, legal)
    }

    /// Positions of random games in which checks are given whenever there is one.
    fn forcing_game(choices: &[u8], mut see: impl FnMut(&Chess)) {
        let mut pos = Chess::default();
        for &choice in choices {
            let mut moves = pos.legal_moves();
            if moves.iter().any(|&m| gives_check(&pos, m)) {
                moves.retain(|&mut m| gives_check(&pos, m));
            }
            let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else {
                break;
            };
            pos.play_unchecked(m);
            see(&pos);
        }
    }

    fn gives_check(pos: &Chess, m: Move) -> bool {
        pos.clone().play(m).is_ok_and(|after| after.is_check())
    }

    #[test]
    fn a_check_is_blocked_and_captured_without_generating_moves() {
        let fen = "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5P2/PPPP2PP/RNBQKBNR w KQkq - 1 3";
        let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
        let pos: Chess = fen
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("a position");
        assert!(pos.is_check() && can_king_step(&pos));
        assert!(resolve(b"g3", &pos, true).is_some());
        assert!(resolve(b"Ke2", &pos, true).is_some());
        assert!(
            resolve(b"Nc3", &pos, true).is_none(),
            "it leaves the king in check"
        );
    }

    proptest! {
        #[test]
        fn evasions_are_what_is_general(choices in prop::collection::vec(any::<u8>(), 0..60)) {
            forcing_game(&choices, |pos| {
                if pos.is_check() {
                    check(pos);
                }
                let steps = |m: &Move| m.role() == Role::King && !m.is_castle();
                assert_eq!(can_king_step(pos), pos.legal_moves().iter().any(steps), "{pos:?}");
            });
        }

        #[test]
        fn what_is_fast_is_what_is_general(choices in prop::collection::vec(any::<u8>(), 0..140)) {
            let mut pos = Chess::default();
            let (mut fast, mut legal) = (0, 0);
            for choice in choices {
                let moves = pos.legal_moves();
                let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
                pos.play_unchecked(m);
                let (f, l) = check(&pos);
                fast += f;
                legal += l;
            }
            prop_assert!(fast * 10 >= legal * 3, "{} of {}", fast, legal);
        }
    }
}
