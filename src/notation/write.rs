//! Legal moves as text, in any form.
//!
//! SAN and its relatives print what [`San`] disambiguates; the rest is spelled here or in the room of its notation. The
//! law of all of them: [`read`](super::read) finds the same move again.

use std::fmt::Write;

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{CastlingSide, Move, Position, Role, Square};

use super::coordinate::{write_iccf, write_smith, write_uci};
use super::descriptive::{Dialect, parse, seen_by};
use super::language::figurine;
use super::{Form, Language};

/// The shortest text in `form` that means `m` and no other legal move of `pos`, in the letters of `language` (English
/// if `None`).
///
/// `m` must be legal. Check and mate signs come from the position; the forms that have none are UCI, ICCF and Smith.
/// SAN is the export format of the PGN standard.
pub fn write<P: Position + Clone>(
    m: Move,
    pos: &P,
    form: Form,
    language: Option<Language>,
) -> String {
    let letters = language.unwrap_or(Language::ENGLISH);
    match form {
        Form::Uci => write_uci(m, pos.castles().mode()),
        Form::Iccf => write_iccf(m, pos.castles().mode()),
        Form::Smith => write_smith(m),
        Form::San if letters == Language::ENGLISH => {
            SanPlus::from_move_and_play_unchecked(&mut pos.clone(), m).to_string()
        }
        Form::San => with_letters(m, pos, |role| letters.letter(role)),
        Form::Figurine => with_letters(m, pos, figurine),
        Form::Long => long(m, letters) + check_sign(m, pos, "+", "#"),
        Form::Fide => fide(m, pos, letters),
        Form::Descriptive => {
            let text = descriptive(m, pos, Dialect::English) + check_sign(m, pos, "ch", "mate");
            with_en_passant(text, m, " e.p.")
        }
        Form::SpanishDescriptive => {
            let text = descriptive(m, pos, Dialect::Spanish) + check_sign(m, pos, "+", "#");
            with_en_passant(text, m, " a.p.")
        }
    }
}

/// The text of a move with the sign of en passant if it is so. Last, so that no check sign is taken for a word of its own
/// where the text is cut at its blanks.
fn with_en_passant(text: String, m: Move, sign: &str) -> String {
    if m.is_en_passant() { text + sign } else { text }
}

/// Laws of Chess, appendix C: castling with zeros, a promotion without a sign, and en passant said.
fn fide<P: Position + Clone>(m: Move, pos: &P, letters: Language) -> String {
    let text = with_letters(m, pos, |role| letters.letter(role));
    let text = match m {
        Move::Castle { .. } => text.replace('O', "0"),
        _ => text.replace('=', ""),
    };
    with_en_passant(text, m, " e.p.")
}

/// SAN with other names for the pieces.
fn with_letters<P: Position + Clone>(
    m: Move,
    pos: &P,
    letter: impl Fn(Role) -> &'static str,
) -> String {
    let san = SanPlus::from_move_and_play_unchecked(&mut pos.clone(), m);
    let text = san.to_string();
    if matches!(san.san, San::Castle(_)) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 4);
    for c in text.chars() {
        match Role::from_char(c) {
            Some(role) if c.is_ascii_uppercase() => out.push_str(letter(role)),
            _ => out.push(c),
        }
    }
    out
}

fn long(m: Move, letters: Language) -> String {
    let piece = |role| match role {
        Role::Pawn => "",
        role => letters.letter(role),
    };
    let mut text = piece(m.role()).to_owned();
    let sign = if m.is_capture() { 'x' } else { '-' };
    // Writing to a string cannot fail.
    let _ = match m {
        Move::Castle { king, rook } => {
            return castling(CastlingSide::from_king_side(rook > king)).to_owned();
        }
        Move::Put { to, .. } => write!(text, "@{to}"),
        Move::EnPassant { from, to } | Move::Normal { from, to, .. } => {
            write!(text, "{from}{sign}{to}")
        }
    };
    if let Some(promotion) = m.promotion() {
        text.push('=');
        text.push_str(letters.letter(promotion));
    }
    text
}

/// The shortest of the candidates that the reader resolves to `m`. Asking the reader makes the law hold by construction.
fn descriptive<P: Position + Clone>(m: Move, pos: &P, dialect: Dialect) -> String {
    let from = match m {
        Move::Castle { king, rook } => {
            return castling(CastlingSide::from_king_side(rook > king)).to_owned();
        }
        // No descriptive notation has drops, so they are spelled as everywhere else.
        Move::Put { .. } => return write_uci(m, pos.castles().mode()),
        Move::Normal { from, .. } | Move::EnPassant { from, .. } => seen_by(pos.turn(), from),
    };
    let to = seen_by(pos.turn(), m.to());
    let letter = dialect.letter(m.role());
    let mut movers = vec![letter.to_string()];
    if m.role() == Role::Pawn {
        for short in [true, false] {
            let file = dialect.file_name(from.file(), short);
            movers.push(match dialect {
                Dialect::English => format!("{file}{letter}"),
                Dialect::Spanish => format!("{letter}{file}"),
            });
        }
    } else if let Some(wing) = visible_wing(m.role(), from) {
        let wing = dialect.wing_letter(wing);
        movers.push(match dialect {
            Dialect::English => format!("{wing}{letter}"),
            Dialect::Spanish => format!("{letter}{wing}"),
        });
    }
    for short in [true, false] {
        movers.push(format!("{letter}({})", dialect.square_name(from, short)));
    }
    let mut goals = Vec::new();
    if let Some(captured) = m.capture() {
        let taken = dialect.letter(captured);
        goals.push(format!("x{taken}"));
        for short in [true, false] {
            if captured == Role::Pawn {
                let file = dialect.file_name(to.file(), short);
                goals.push(match dialect {
                    Dialect::English => format!("x{file}{taken}"),
                    Dialect::Spanish => format!("x{taken}{file}"),
                });
            }
            if !m.is_en_passant() {
                goals.push(format!("x{taken}({})", dialect.square_name(to, short)));
            }
        }
    } else {
        let hyphen = if dialect == Dialect::English { "-" } else { "" };
        goals.extend(
            [true, false].map(|short| format!("{hyphen}{}", dialect.square_name(to, short))),
        );
    }
    let mut texts: Vec<String> = movers
        .iter()
        .flat_map(|mover| goals.iter().map(move |goal| format!("{mover}{goal}")))
        .collect();
    texts.sort_by_key(String::len);
    let promotion = m
        .promotion()
        .map_or(String::new(), |role| format!("({})", dialect.letter(role)));
    let legal = pos.legal_moves();
    let means_m = |text: &String| {
        let chars: Vec<char> = text.chars().collect();
        parse(&chars, dialect).is_some_and(|shape| shape.find_among(&legal, pos) == Ok(m))
    };
    texts
        .into_iter()
        .map(|text| text + &promotion)
        .find(means_m)
        .expect("the last candidate names both squares, or for en passant origin and file")
}

/// The wing that a piece certainly came from: a bishop's by its colour, a knight's or rook's only while it is at home.
fn visible_wing(role: Role, from: Square) -> Option<CastlingSide> {
    match (role, from) {
        (Role::Bishop, sq) => Some(CastlingSide::from_king_side(sq.is_light())),
        (Role::Knight, Square::B1) | (Role::Rook, Square::A1) => Some(CastlingSide::QueenSide),
        (Role::Knight, Square::G1) | (Role::Rook, Square::H1) => Some(CastlingSide::KingSide),
        _ => None,
    }
}

fn castling(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    }
}

fn check_sign<P: Position + Clone>(
    m: Move,
    pos: &P,
    check: &'static str,
    mate: &'static str,
) -> &'static str {
    let mut after = pos.clone();
    after.play_unchecked(m);
    match Suffix::from_position(&after) {
        Some(Suffix::Check) => check,
        Some(Suffix::Checkmate) => mate,
        None => "",
    }
}
