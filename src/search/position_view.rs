//! A position as a board needs it: where each piece may go, and the way there.
//!
//! A page that asks for this needs no rules of chess of its own, and so cannot disagree with the index about them.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::variant::VariantPosition;
use shakmaty::{CastlingMode, Color, Move, Position};

use crate::error::{Error, Result};
use crate::model::fen::{FenUse, read_fen, write_fen};
use crate::model::playable::start_of;
use crate::model::variant::Variant;
use crate::notation::{Form, OutputNotation, PlayedMove, Reading};
use crate::replay::{canonical_san, uci};
use crate::search::chess::{after, play_moves};
use crate::search::openings::{Opening, opening_on};

/// A position and its legal moves.
///
/// ```json
/// {"fen":"7k/8/8/8/8/8/8/K7 w - - 0 1","turn":"white","check":false,"outcome":null,"opening":null,"line":[],
///  "dests":{"a1":["a2","b1","b2"]},"legal":[{"uci":"a1a2","san":"Ka2","text":"Ka2"}]}
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionView {
    /// The position.
    pub fen: String,
    /// `white` or `black`.
    pub turn: &'static str,
    /// Whether the side to move is in check.
    pub check: bool,
    /// `1-0`, `0-1` or `1/2-1/2` when the game is over by the rules.
    pub outcome: Option<String>,
    /// The deepest named position on the way.
    pub opening: Option<Opening>,
    /// The moves that were played.
    pub line: Vec<LineMove>,
    /// Squares that each piece may go to; castling is there as the king's move and as king takes rook.
    pub dests: BTreeMap<String, Vec<String>>,
    /// All legal moves.
    pub legal: Vec<LegalMove>,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineMove {
    /// The move.
    #[serde(flatten)]
    pub played: LegalMove,
    /// The position after it.
    pub fen: String,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegalMove {
    /// UCI.
    pub uci: String,
    /// Canonical SAN.
    pub san: String,
    /// In the notation that was asked for.
    pub text: String,
}

impl PositionView {
    /// The position after `play` from `fen`; moves may be written in any notation, and the end of a FEN may be missing.
    ///
    /// # Errors
    ///
    /// When FEN or moves cannot be read.
    pub fn new(
        fen: Option<&str>,
        variant: Variant,
        play: &str,
        reading: Reading,
        notation: Option<OutputNotation>,
    ) -> Result<PositionView> {
        let start = match fen {
            None => start_of(variant),
            Some(fen) => {
                read_fen(fen, variant, FenUse::Tag)
                    .map_err(|reason| Error::Position {
                        class: "bad_fen",
                        message: format!("`{}`: {reason}", fen.trim()),
                    })?
                    .pos
            }
        };
        let notation = notation.unwrap_or(OutputNotation {
            form: Form::San,
            language: None,
        });
        let written = |before: &VariantPosition, played: PlayedMove, after: &_| LegalMove {
            uci: uci(before, played),
            san: canonical_san(before, played, after),
            text: notation.write(played, before),
        };
        let moves = play_moves(&start, play, reading)?;
        let mut positions = vec![start];
        let mut line = Vec::new();
        for (played, after) in moves {
            let before = positions.last().unwrap_or(&after);
            line.push(LineMove {
                played: written(before, played, &after),
                fen: write_fen(&after),
            });
            positions.push(after);
        }
        let opening = opening_on(&positions, variant);
        let pos = positions.pop().unwrap_or_else(|| start_of(variant));
        let mut dests: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut legal = Vec::new();
        for m in pos.legal_moves() {
            let played = PlayedMove::Move(m);
            if let Some(after) = after(&pos, played) {
                legal.push(written(&pos, played, &after));
            }
            for (from, to) in squares(m) {
                let squares = dests.entry(from).or_default();
                // Each promotion is a move of its own to the same square.
                if squares.last() != Some(&to) {
                    squares.push(to);
                }
            }
        }
        Ok(PositionView {
            fen: write_fen(&pos),
            turn: match pos.turn() {
                Color::White => "white",
                Color::Black => "black",
            },
            check: pos.is_check(),
            outcome: pos.outcome().known().map(|outcome| outcome.to_string()),
            opening,
            line,
            dests,
            legal,
        })
    }
}

/// From where to where a piece is moved on a board; a piece that is dropped comes from nowhere.
fn squares(m: Move) -> Vec<(String, String)> {
    let mut ways = Vec::new();
    if let Move::Put { .. } = m {
        return ways;
    }
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let text = m.to_uci(mode).to_string();
        if let Some((from, to)) = text.split_at_checked(2) {
            let way = (from.to_owned(), to.chars().take(2).collect());
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(fen: Option<&str>, play: &str) -> PositionView {
        PositionView::new(fen, Variant::Standard, play, Reading::default(), None)
            .expect("a position")
    }

    #[test]
    fn a_board_learns_where_pieces_may_go() {
        let start = view(None, "");
        assert_eq!((start.legal.len(), start.dests.len()), (20, 10));
        assert_eq!(start.dests["g1"], ["f3", "h3"]);
        let castling = view(Some("4k3/8/8/8/8/8/8/4K2R w K"), "");
        for to in ["g1", "h1"] {
            assert!(castling.dests["e1"].contains(&to.to_owned()), "{to}");
        }
        let promotion = view(Some("8/P6k/8/8/8/8/8/K7 w"), "");
        assert_eq!(promotion.dests["a7"], ["a8"]);
        assert_eq!(
            promotion
                .legal
                .iter()
                .filter(|m| m.uci.starts_with("a7"))
                .count(),
            4
        );
    }

    #[test]
    fn the_way_there_is_told_move_by_move() {
        let view = PositionView::new(
            None,
            Variant::Standard,
            "1. e4 e5 2. Sf3",
            Reading {
                language: crate::notation::Language::from_code("de"),
                form: None,
            },
            "fr".parse().ok(),
        )
        .expect("a position");
        let line: Vec<_> = view
            .line
            .iter()
            .map(|m| (&m.played.san[..], &m.played.text[..]))
            .collect();
        assert_eq!(line, [("e4", "e4"), ("e5", "e5"), ("Nf3", "Cf3")]);
        assert_eq!(view.line.last().map(|m| &m.fen), Some(&view.fen));
        assert_eq!(view.turn, "black");
    }

    #[test]
    fn the_end_of_a_game_is_said() {
        let mate = view(None, "f3 e5 g4 Qh4");
        assert_eq!((mate.outcome.as_deref(), mate.check), (Some("0-1"), true));
        assert_eq!(
            view(Some("7k/8/8/8/8/8/8/K7 w"), "").outcome.as_deref(),
            Some("1/2-1/2")
        );
        assert_eq!(view(None, "").outcome, None);
        let standard = Variant::Standard;
        assert!(PositionView::new(None, standard, "e5", Reading::default(), None).is_err());
        assert!(PositionView::new(Some("8 w"), standard, "", Reading::default(), None).is_err());
    }

    #[test]
    fn a_dropped_piece_is_legal_and_comes_from_no_square() {
        let fen = Some("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1");
        let house = PositionView::new(fen, Variant::Crazyhouse, "", Reading::default(), None);
        let house = house.expect("a position");
        assert!(house.legal.iter().any(|m| m.uci == "N@e4"));
        assert_eq!(house.dests.keys().collect::<Vec<_>>(), ["e1"]);
    }
}
