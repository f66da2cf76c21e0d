//! Everything that is shaped like SAN: short and long algebraic, with or without signs, in any set of letters.
//!
//! The grammar, blanks and marks already removed (see [`Word`](super::word::Word)):
//!
//! ```text
//! move      = [piece] [square-or-part] [sign] [piece taken] [square] [":"] [promotion]
//! sign      = "x" | ":" | "-"
//! promotion = ["=" | "/"] ["("] piece [")"]
//! ```
//!
//! The last square is the goal, a part before it narrows the origin. Files are small letters and pieces are capitals,
//! which alone tells `bc3` from `Bc3`.

use shakmaty::{Bitboard, File, Rank, Role, Square};

use super::Language;
use super::shape::{Capture, Kind, Roles, Shape};

/// The shape of an algebraic move; `None` if `chars` is not one in these letters.
pub(super) fn parse(chars: &[char], letters: Language) -> Option<Shape> {
    let mut rest = chars;
    let written_role = take_role(&mut rest, letters);
    if take(&mut rest, |c| c == '@').is_some() {
        return drop_shape(written_role, rest);
    }
    let first = take_place(&mut rest);
    let mut capture = take_sign(&mut rest);
    let captured = match capture {
        Capture::Demanded => take_role(&mut rest, letters),
        _ => None,
    };
    // In `d8d` the second letter is no file but the German queen.
    let is_small_promotion = matches!(first, (Some(_), Some(Rank::First | Rank::Eighth)))
        && capture == Capture::Unsaid
        && rest.len() == 1;
    let second = if is_small_promotion {
        (None, None)
    } else {
        take_place(&mut rest)
    };
    if capture == Capture::Unsaid && take(&mut rest, |c| c == ':').is_some() {
        capture = Capture::Demanded;
    }
    if (first, second, captured) == ((None, None), (None, None), None) {
        return None;
    }
    let promotion = take_promotion(&mut rest, letters)?;
    if !rest.is_empty() {
        return None;
    }
    let role = written_role.unwrap_or(Role::Pawn);
    if promotion.is_some() && role != Role::Pawn {
        return None;
    }
    let mut shape = Shape {
        roles: Roles::only(role),
        capture,
        captured,
        promotion,
        ..Shape::new(Kind::Piece)
    };
    match (first, second) {
        // `Nf3`, `e4`, `e8=Q`; also `Nd5:`.
        ((Some(file), Some(rank)), (None, None))
            if captured.is_none() && !ends_with_sign(chars, capture) =>
        {
            shape.to = square(file, rank);
            if role == Role::Pawn && capture != Capture::Demanded {
                shape.from = Bitboard::from(file);
            }
        }
        // `Ng1-f3`, `e5xd4`, and without a letter any piece: `g1f3`.
        ((Some(from_file), Some(from_rank)), (Some(file), Some(rank))) => {
            shape.from = square(from_file, from_rank);
            shape.to = square(file, rank);
            if written_role.is_none() {
                shape.kind = Kind::Coordinates;
                shape.roles = Roles::ALL;
            }
        }
        // `Nbd2`, `N5f3`, `exd5`, `ed5`, `Nxf3`, `xd5`.
        ((from_file, from_rank), (Some(file), Some(rank))) => {
            if written_role.is_none() && from_rank.is_some() {
                return None;
            }
            shape.to = square(file, rank);
            shape.from = from_file.map_or(Bitboard::FULL, Bitboard::from)
                & from_rank.map_or(Bitboard::FULL, Bitboard::from);
            if role == Role::Pawn {
                narrow_pawn(&mut shape, from_file, file, letters)?;
            }
        }
        // `exd`, `ed`: captures on whatever rank there is one.
        ((Some(from_file), None), (Some(file), None))
            if role == Role::Pawn
                && capture != Capture::Hyphen
                && from_file.distance(file) == 1 =>
        {
            shape.from = Bitboard::from(from_file);
            shape.to = Bitboard::from(file);
            shape.capture = Capture::Demanded;
        }
        // `QxB`: the piece taken is all that is said about the goal.
        ((from_file, from_rank), (None, None)) if captured.is_some() && written_role.is_some() => {
            shape.from = from_file.map_or(Bitboard::FULL, Bitboard::from)
                & from_rank.map_or(Bitboard::FULL, Bitboard::from);
        }
        _ => return None,
    }
    // Then the letter is an annotation, if it means anything: `e4N`.
    (!shape.promotes_too_early()).then_some(shape)
}

/// The letterless `e2-e4` as the long algebraic pawn move that it is in a query, if a pawn can move so at all.
pub(super) fn as_pawn_move(shape: Shape) -> Shape {
    let (Kind::Coordinates, Some(from), Some(to)) = (
        shape.kind,
        shape.from.single_square(),
        shape.to.single_square(),
    ) else {
        return shape;
    };
    let n_files = from.file().distance(to.file());
    let n_ranks = from.rank().distance(to.rank());
    let is_push = n_files == 0
        && (n_ranks == 1
            || (from.rank(), to.rank()) == (Rank::Second, Rank::Fourth)
            || (from.rank(), to.rank()) == (Rank::Seventh, Rank::Fifth));
    let is_capture = n_files == 1 && n_ranks == 1;
    let fits = match shape.capture {
        Capture::Demanded => is_capture,
        Capture::Unsaid => is_push || is_capture,
        Capture::Hyphen | Capture::Excluded => is_push,
    };
    if fits && !from.rank().eq(&Rank::First) && !from.rank().eq(&Rank::Eighth) {
        Shape {
            kind: Kind::Piece,
            roles: Roles::only(Role::Pawn),
            ..shape
        }
    } else {
        shape
    }
}

/// A pawn without origin goes straight ahead, unless it captures; one with an origin file captures or goes ahead.
fn narrow_pawn(
    shape: &mut Shape,
    from_file: Option<File>,
    file: File,
    letters: Language,
) -> Option<()> {
    let Some(from_file) = from_file else {
        if shape.capture != Capture::Demanded {
            shape.from &= Bitboard::from(file);
        }
        return Some(());
    };
    if from_file.distance(file) <= 1 {
        return Some(());
    }
    // `bg5` is no pawn move on any board, so a small letter can only be a bishop there. Where a pawn could move so
    // (`bc4`) the pawn wins, as everywhere in PGN.
    let is_bishop = from_file == File::B
        && shape.promotion.is_none()
        && letters.letter(Role::Bishop) == "B"
        && shape.from == Bitboard::from(File::B);
    is_bishop.then(|| {
        shape.roles = Roles::only(Role::Bishop);
        shape.from = Bitboard::FULL;
    })
}

fn drop_shape(role: Option<Role>, mut rest: &[char]) -> Option<Shape> {
    let (Some(file), Some(rank)) = take_place(&mut rest) else {
        return None;
    };
    rest.is_empty().then(|| Shape {
        roles: Roles::only(role.unwrap_or(Role::Pawn)),
        to: square(file, rank),
        ..Shape::new(Kind::Drop)
    })
}

fn ends_with_sign(chars: &[char], capture: Capture) -> bool {
    match capture {
        Capture::Hyphen => chars.last() == Some(&'-'),
        Capture::Demanded => chars.last() == Some(&'x'),
        _ => false,
    }
}

fn square(file: File, rank: Rank) -> Bitboard {
    Bitboard::from(Square::from_coords(file, rank))
}

fn take(rest: &mut &[char], wanted: impl Fn(char) -> bool) -> Option<char> {
    let (&first, tail) = rest.split_first()?;
    wanted(first).then(|| {
        *rest = tail;
        first
    })
}

fn take_role(rest: &mut &[char], letters: Language) -> Option<Role> {
    let (role, n_read) = letters.role_at(rest)?;
    *rest = &rest[n_read..];
    Some(role)
}

fn take_place(rest: &mut &[char]) -> (Option<File>, Option<Rank>) {
    let file = take(rest, |c| ('a'..='h').contains(&c)).and_then(File::from_char);
    let rank = take(rest, |c| ('1'..='8').contains(&c)).and_then(Rank::from_char);
    (file, rank)
}

fn take_sign(rest: &mut &[char]) -> Capture {
    match take(rest, |c| matches!(c, 'x' | ':' | '-')) {
        Some('-') => Capture::Hyphen,
        Some(_) => Capture::Demanded,
        None => Capture::Unsaid,
    }
}

/// The outer `None` is a syntax error.
#[expect(
    clippy::option_option,
    reason = "a promotion may be absent, or present and broken"
)]
pub(super) fn take_promotion(rest: &mut &[char], letters: Language) -> Option<Option<Role>> {
    if rest.is_empty() {
        return Some(None);
    }
    take(rest, |c| c == '=' || c == '/');
    let is_open = take(rest, |c| c == '(').is_some();
    let (role, n_read) = letters.promotion_at(rest)?;
    *rest = &rest[n_read..];
    if is_open {
        take(rest, |c| c == ')')?;
    }
    (role != Role::Pawn).then_some(Some(role))
}
