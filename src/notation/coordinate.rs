//! Notations that name both squares and nothing else: UCI, ICCF numeric, Smith.
//!
//! All three mean a move by where the piece stands and where it goes, castling by the king's move. In Chess960 the king
//! takes its rook instead, since its own move can be a plain one; the position's castling mode decides what is written.

use shakmaty::{CastlingMode, CastlingSide, File, Move, Rank, Role, Square};

use super::Language;
use super::algebraic::take_promotion;
use super::shape::{Capture, Kind, Roles, Shape};

/// The roles of the ICCF promotion digits, from 1. The king is for antichess, where ICCF has no digit.
const ICCF_PROMOTIONS: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::King,
];

/// Reads `e2e4`, `E2-E4`, `e7e8q`, `e7-e8=Q`, `e5xd4`.
pub(super) fn parse_uci(chars: &[char]) -> Option<Shape> {
    let (from, rest) = square(chars)?;
    let (capture, rest) = match rest.split_first()? {
        ('x' | ':', rest) => (Capture::Demanded, rest),
        ('-', rest) => (Capture::Hyphen, rest),
        _ => (Capture::Unsaid, rest),
    };
    let (to, mut rest) = square(rest)?;
    let promotion = take_promotion(&mut rest, Language::ENGLISH)?;
    let shape = Shape {
        capture,
        ..Shape::coordinates(from, to, promotion)
    };
    (rest.is_empty() && !shape.promotes_too_early()).then_some(shape)
}

/// Reads `n@f3`: some programs write the pieces of drops in small letters, which no other form does before a sign.
pub(super) fn parse_drop(chars: &[char]) -> Option<Shape> {
    let [piece, '@', rest @ ..] = chars else {
        return None;
    };
    let role = Role::from_char(*piece)?;
    let (to, rest) = square(rest)?;
    rest.is_empty().then(|| Shape {
        roles: Roles::only(role),
        to: to.into(),
        ..Shape::new(Kind::Drop)
    })
}

/// Reads `5254`, `67681`.
pub(super) fn parse_iccf(chars: &[char]) -> Option<Shape> {
    let (digits, promotion) = match chars {
        [digits @ .., last] if chars.len() == 5 => {
            let idx = last.to_digit(10)?.checked_sub(1)?;
            (digits, Some(*ICCF_PROMOTIONS.get(idx as usize)?))
        }
        digits => (digits, None),
    };
    let [from_file, from_rank, to_file, to_rank] = *digits else {
        return None;
    };
    let square = |file: char, rank| {
        let idx = file.to_digit(10)?.checked_sub(1)?;
        let file = File::try_from(idx).ok()?;
        Some(Square::from_coords(file, Rank::from_char(rank)?))
    };
    let from = square(from_file, from_rank)?;
    let to = square(to_file, to_rank)?;
    (from != to).then(|| Shape::coordinates(from, to, promotion))
}

/// Reads `e2e4`, `e4d5p`, `e5d6E`, `e1g1c`, `e7d8qN`.
pub(super) fn parse_smith(chars: &[char]) -> Option<Shape> {
    let (from, rest) = square(chars)?;
    let (to, rest) = square(rest)?;
    let mut shape = Shape::coordinates(from, to, None);
    shape.kind = Kind::Piece;
    shape.capture = Capture::Excluded;
    let rest = match rest.split_first() {
        Some(('c', rest)) => {
            shape = Shape::new(Kind::Castling(Some(CastlingSide::KingSide)));
            rest
        }
        Some(('C', rest)) => {
            shape = Shape::new(Kind::Castling(Some(CastlingSide::QueenSide)));
            rest
        }
        Some(('E', rest)) => {
            shape.roles = Roles::only(Role::Pawn);
            shape.capture = Capture::Demanded;
            shape.captured = Some(Role::Pawn);
            shape.en_passant = true;
            rest
        }
        Some((&c, rest)) if c.is_ascii_lowercase() => {
            shape.capture = Capture::Demanded;
            shape.captured = Some(Role::from_char(c)?);
            rest
        }
        _ => rest,
    };
    match *rest {
        [] => {}
        [c] if c.is_ascii_uppercase() => shape.promotion = Some(Role::from_char(c)?),
        _ => return None,
    }
    Some(shape)
}

/// The UCI text of a move.
pub(super) fn write_uci(m: Move, mode: CastlingMode) -> String {
    m.to_uci(mode).to_string()
}

/// The ICCF text of a move. A drop has none and is written as in UCI.
pub(super) fn write_iccf(m: Move, mode: CastlingMode) -> String {
    let uci = m.to_uci(mode);
    let (Some(from), Some(to)) = (uci.from(), uci.to()) else {
        return uci.to_string();
    };
    let mut text = String::with_capacity(5);
    for sq in [from, to] {
        text.push(char::from(b'1' + sq.file() as u8));
        text.push(sq.rank().char());
    }
    if let Some(promotion) = uci.promotion() {
        let digit = ('1'..).zip(ICCF_PROMOTIONS).find(|d| d.1 == promotion);
        text.extend(digit.map(|d| d.0));
    }
    text
}

/// The Smith text of a move.
pub(super) fn write_smith(m: Move) -> String {
    let mut text = m.to_uci(CastlingMode::Chess960).to_string();
    match m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook > king);
            let to = Square::from_coords(side.king_to_file(), king.rank());
            let sign = if side.is_king_side() { 'c' } else { 'C' };
            text = format!("{king}{to}{sign}");
        }
        Move::EnPassant { .. } => text.push('E'),
        Move::Normal {
            capture, promotion, ..
        } => {
            text.truncate(4);
            text.extend(capture.map(Role::char));
            text.extend(promotion.map(Role::upper_char));
        }
        Move::Put { .. } => {}
    }
    text
}

/// A square in small or capital letters, and what follows it.
fn square(chars: &[char]) -> Option<(Square, &[char])> {
    let [file, rank, rest @ ..] = chars else {
        return None;
    };
    let file = File::from_char(file.to_ascii_lowercase())?;
    Some((Square::from_coords(file, Rank::from_char(*rank)?), rest))
}
