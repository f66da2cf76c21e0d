//! Descriptive notation, English and Spanish: squares named by the piece that starts on their file.
//!
//! Both dialects have one grammar and differ in letters and in the order of file and rank (`KB3`, `3AR`):
//!
//! ```text
//! move    = mover ["(" place ")"] ( "-" square | "x" taken ["(" place ")"] ) [promotion]
//! mover   = [file] "P" | [wing] piece        taken = the same
//! place   = square | file | rank             "/" place = "(" place ")"
//! square  = file rank | file "sq"            "sq" is the first rank in old English books
//! ```
//!
//! Squares are those that the mover sees, so a [`Shape`] made here is relative. What a wing letter before a knight or
//! rook means (`KN-K2`: the one that came from the king's side) nobody can see on the board after the opening. It is
//! asked only when several moves are left, and then by the half of the board where the piece stands. Bishops keep the
//! colour of their square and thereby their wing.

use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square};

use super::shape::{Capture, Kind, Roles, Shape};

/// The letters of a descriptive notation and the order of file and rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `N-KB3`.
    English,
    /// `C3AR`.
    Spanish,
}

/// A piece as the text names it.
struct Named {
    role: Role,
    /// The files that a pawn stands on, or the squares of a bishop's colour.
    squares: Bitboard,
    wing: Option<CastlingSide>,
}

impl Dialect {
    /// The letter of a piece.
    pub(super) fn letter(self, role: Role) -> char {
        let letters = match self {
            Dialect::English => ['P', 'N', 'B', 'R', 'Q', 'K'],
            Dialect::Spanish => ['P', 'C', 'A', 'T', 'D', 'R'],
        };
        letters[role as usize - 1]
    }

    /// The letter of a wing.
    pub(super) fn wing_letter(self, wing: CastlingSide) -> char {
        self.letter(if wing.is_king_side() {
            Role::King
        } else {
            Role::Queen
        })
    }

    /// The name of a file, without its wing if `short`.
    pub(super) fn file_name(self, file: File, short: bool) -> String {
        let piece = starting_piece(file);
        let mut name = String::with_capacity(2);
        name.push(self.letter(piece));
        if !short && !matches!(piece, Role::King | Role::Queen) {
            let wing = CastlingSide::from_king_side(file > File::D);
            let at = usize::from(self == Dialect::Spanish);
            name.insert(at, self.wing_letter(wing));
        }
        name
    }

    /// The name of a square seen by the mover, without the wing of its file if `short`.
    pub(super) fn square_name(self, sq: Square, short: bool) -> String {
        let file = self.file_name(sq.file(), short);
        match self {
            Dialect::English => format!("{file}{}", sq.rank()),
            Dialect::Spanish => format!("{}{file}", sq.rank()),
        }
    }

    fn role_at(self, text: &[char]) -> Option<(Role, &[char])> {
        if let (Dialect::English, ['K', 't', rest @ ..]) = (self, text) {
            return Some((Role::Knight, rest));
        }
        let (&first, rest) = text.split_first()?;
        let role = Role::ALL.into_iter().find(|&r| self.letter(r) == first)?;
        Some((role, rest))
    }

    fn wing_at(self, text: &[char]) -> Option<(CastlingSide, &[char])> {
        match self.role_at(text)? {
            (Role::King, rest) => Some((CastlingSide::KingSide, rest)),
            (Role::Queen, rest) => Some((CastlingSide::QueenSide, rest)),
            _ => None,
        }
    }

    /// The file or the two files that the text begins with.
    fn files_at(self, text: &[char]) -> Option<(Bitboard, &[char])> {
        let (first, rest) = self.role_at(text)?;
        let is_wing = matches!(first, Role::King | Role::Queen);
        match (self, self.role_at(rest)) {
            (Dialect::English, Some((piece, after))) if is_wing && has_wings(piece) => {
                let wing = CastlingSide::from_king_side(first == Role::King);
                Some((file_of(piece, wing), after))
            }
            (Dialect::Spanish, Some((wing, after)))
                if has_wings(first) && matches!(wing, Role::King | Role::Queen) =>
            {
                let wing = CastlingSide::from_king_side(wing == Role::King);
                Some((file_of(first, wing), after))
            }
            _ if first == Role::Pawn => None,
            _ if is_wing => Some((
                Bitboard::from(if first == Role::King {
                    File::E
                } else {
                    File::D
                }),
                rest,
            )),
            _ => Some((
                file_of(first, CastlingSide::KingSide) | file_of(first, CastlingSide::QueenSide),
                rest,
            )),
        }
    }

    fn square_at(self, text: &[char]) -> Option<(Bitboard, &[char])> {
        match self {
            Dialect::English => {
                let (files, rest) = self.files_at(text)?;
                let (rank, rest) = square_word_at(rest).or_else(|| rank_at(rest))?;
                Some((files & rank, rest))
            }
            Dialect::Spanish => {
                let (rank, rest) = rank_at(text)?;
                let (files, rest) = self.files_at(rest)?;
                Some((files & rank, rest))
            }
        }
    }

    fn place_at(self, text: &[char]) -> Option<(Bitboard, &[char])> {
        self.square_at(text)
            .or_else(|| self.files_at(text))
            .or_else(|| rank_at(text))
    }

    /// Whether the text is a square, file, rank or piece, as it stands in the bracket of a move.
    pub(super) fn is_place_or_piece(self, text: &[char]) -> bool {
        let is_place = matches!(self.place_at(text), Some((_, [])));
        is_place || matches!(self.role_at(text), Some((_, [])))
    }

    fn named_at(self, text: &[char]) -> Option<(Named, &[char])> {
        let english_pawn = || {
            let (squares, rest) = self.files_at(text)?;
            let (&letter, rest) = rest.split_first()?;
            (letter == self.letter(Role::Pawn)).then_some((squares, rest))
        };
        let spanish_pawn = || self.files_at(text.strip_prefix(&['P'])?);
        let pawn = match self {
            Dialect::English => english_pawn(),
            Dialect::Spanish => spanish_pawn(),
        };
        if let Some((squares, rest)) = pawn {
            return Some((
                Named {
                    role: Role::Pawn,
                    squares,
                    wing: None,
                },
                rest,
            ));
        }
        // A wing letter is one only before a piece that has wings: `KN` but `KxP`.
        let winged = || match self {
            Dialect::English => {
                let (wing, rest) = self.wing_at(text)?;
                let (role, rest) = self.role_at(rest)?;
                has_wings(role).then_some((role, Some(wing), rest))
            }
            Dialect::Spanish => {
                let (role, rest) = self.role_at(text)?;
                let (wing, rest) = self.wing_at(rest)?;
                has_wings(role).then_some((role, Some(wing), rest))
            }
        };
        let plain = || self.role_at(text).map(|(role, rest)| (role, None, rest));
        let (role, wing, rest) = winged().or_else(plain)?;
        let squares = match (role, wing) {
            (Role::Bishop, Some(CastlingSide::KingSide)) => Bitboard::LIGHT_SQUARES,
            (Role::Bishop, Some(CastlingSide::QueenSide)) => !Bitboard::LIGHT_SQUARES,
            _ => Bitboard::FULL,
        };
        Some((
            Named {
                role,
                squares,
                wing,
            },
            rest,
        ))
    }
}

/// The shape of a descriptive move; `None` if `chars` is not one.
pub(super) fn parse(chars: &[char], dialect: Dialect) -> Option<Shape> {
    let (mover, mut rest) = dialect.named_at(chars)?;
    let mut shape = Shape {
        roles: Roles::only(mover.role),
        from: mover.squares,
        relative: true,
        capture: Capture::Excluded,
        wing: mover.wing,
        ..Shape::new(Kind::Piece)
    };
    if let Some((place, after)) = bracketed(rest, |text| dialect.place_at(text)) {
        shape.from &= place;
        rest = after;
    }
    let is_capture = matches!(rest, ['x' | ':', ..]);
    if is_capture {
        let (taken, after) = dialect.named_at(&rest[1..])?;
        shape.capture = Capture::Demanded;
        shape.captured = Some(taken.role);
        if taken.role == Role::Pawn {
            shape.to = taken.squares;
        } else if taken.role == Role::Bishop && taken.wing.is_some() {
            // The bishop is the opponent's, whose squares the mover sees upside down and thus in the other colour.
            shape.to = !taken.squares;
        }
        rest = after;
        // Behind a pawn's capture a single letter is the promotion, `PxN(Q)`, behind another one a file.
        let bracket = match mover.role {
            Role::Pawn => bracketed(rest, |text| {
                dialect.square_at(text).or_else(|| rank_at(text))
            }),
            _ => bracketed(rest, |text| dialect.place_at(text)),
        };
        if let Some((square, after)) = bracket {
            shape.to &= square;
            rest = after;
        }
    } else {
        rest = match (dialect, rest) {
            (_, ['-', after @ ..]) | (Dialect::Spanish, after) => after,
            (Dialect::English, _) => return None,
        };
        (shape.to, rest) = dialect.square_at(rest)?;
    }
    shape.promotion = promotion(rest, dialect, !is_capture)?;
    // A letter behind another move is an annotation, if it means anything: `P-K4N`.
    let may_promote = mover.role == Role::Pawn && (shape.to & Bitboard::from(Rank::Eighth)).any();
    (shape.promotion.is_none() || may_promote).then_some(shape)
}

/// Whether `chars` is a descriptive move that ends too early: behind the mover, behind the sign, or, where `sq` may
/// follow, behind a file.
pub(super) fn is_half_move(chars: &[char], dialect: Dialect) -> bool {
    let Some((_, mut rest)) = dialect.named_at(chars) else {
        return false;
    };
    if let Some((_, after)) = bracketed(rest, |text| dialect.place_at(text)) {
        rest = after;
    }
    match rest {
        [] | ['-' | 'x' | ':'] => true,
        ['-', file @ ..] => {
            dialect == Dialect::English && matches!(dialect.files_at(file), Some((_, [])))
        }
        _ => false,
    }
}

/// The square as `color` sees it; its own inverse.
pub(super) fn seen_by(color: Color, sq: Square) -> Square {
    if color.is_white() {
        sq
    } else {
        sq.flip_vertical()
    }
}

/// Reads `(Q)`, `=Q`, `/Q`, and a bare `Q` where no square could be meant. The outer `None` is a syntax error.
#[expect(
    clippy::option_option,
    reason = "a promotion may be absent, or present and broken"
)]
fn promotion(rest: &[char], dialect: Dialect, may_be_bare: bool) -> Option<Option<Role>> {
    let rest = match rest {
        [] => return Some(None),
        ['=' | '/', '(', inner @ .., ')'] | ['(', inner @ .., ')'] | ['=' | '/', inner @ ..] => {
            inner
        }
        bare if may_be_bare => bare,
        _ => return None,
    };
    match dialect.role_at(rest)? {
        (Role::Pawn, _) => None,
        (role, []) => Some(Some(role)),
        _ => None,
    }
}

/// Reads `(…)` or `/…` with `inner`; `None` if there is none, or if it holds something else.
fn bracketed(
    text: &[char],
    inner: impl Fn(&[char]) -> Option<(Bitboard, &[char])>,
) -> Option<(Bitboard, &[char])> {
    match text {
        ['(', text @ ..] => match inner(text)? {
            (found, [')', rest @ ..]) => Some((found, rest)),
            _ => None,
        },
        ['/', text @ ..] => inner(text),
        _ => None,
    }
}

/// Reads `sq`, the first rank of old books: `R-K sq.` is the rook's move to the square that the king starts on.
fn square_word_at(text: &[char]) -> Option<(Bitboard, &[char])> {
    match text {
        ['s', 'q', '.', rest @ ..] | ['s', 'q', rest @ ..] => Some((Rank::First.into(), rest)),
        _ => None,
    }
}

fn rank_at(text: &[char]) -> Option<(Bitboard, &[char])> {
    let (&first, rest) = text.split_first()?;
    Some((Bitboard::from(Rank::from_char(first)?), rest))
}

fn has_wings(role: Role) -> bool {
    matches!(role, Role::Knight | Role::Bishop | Role::Rook)
}

fn file_of(piece: Role, wing: CastlingSide) -> Bitboard {
    let files = match piece {
        Role::Rook => [File::A, File::H],
        Role::Knight => [File::B, File::G],
        Role::Bishop => [File::C, File::F],
        _ => [File::D, File::E],
    };
    Bitboard::from(files[usize::from(wing.is_king_side())])
}

fn starting_piece(file: File) -> Role {
    match file {
        File::A | File::H => Role::Rook,
        File::B | File::G => Role::Knight,
        File::C | File::F => Role::Bishop,
        File::D => Role::Queen,
        File::E => Role::King,
    }
}
