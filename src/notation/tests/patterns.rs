//! What a text without a position means, token by token.

use shakmaty::{CastlingSide, Color, File, Move, Role, Square};

use super::language;
use crate::model::move_token::{Check, MoveToken};
use crate::notation::*;

/// A token by its facts.
fn played(
    color: Color,
    role: Role,
    squares: &str,
    capture: Option<Role>,
    promotion: Option<Role>,
) -> MoveToken {
    let (from, to) = squares.split_at(2);
    let (from, to): (Square, Square) = (from.parse().unwrap(), to.parse().unwrap());
    let m = Move::Normal {
        role,
        from,
        capture,
        to,
        promotion,
    };
    MoveToken::new(color, m, Check::None)
}

#[test]
fn patterns_say_no_more_than_the_text() {
    use Color::{Black, White};
    use Role::{Knight, Pawn, Queen, Rook};
    let fits = |text: &str, token| {
        pattern(text, Reading::default())
            .unwrap()
            .pattern
            .matches(token)
    };
    let nf3 = played(White, Knight, "g1f3", None, None);
    let nxf3 = played(White, Knight, "g1f3", Some(Pawn), None);
    for text in [
        "Nf3", "N-f3", "Ng1-f3", "Ngf3", "N1f3", "g1f3", "7163", "♞f3", "N-KB3", "N-B3", "KN-B3",
        "Sf3", "Nf3!?",
    ] {
        assert!(fits(text, nf3), "{text}");
    }
    for text in [
        "Nxf3", "N:f3", "Nbf3", "Ng1xf3", "Rf3", "N-QB3", "Nf3+", "Nf3#", "g1xf3", "5133", "NxP",
    ] {
        assert!(!fits(text, nf3), "{text}");
    }
    for text in [
        "Nf3", "Nxf3", "N:f3", "g1f3", "NxP", "NxBP", "NxKBP", "Ng1xf3",
    ] {
        assert!(fits(text, nxf3), "{text}");
    }
    for text in ["N-f3", "Ng1-f3", "N-B3", "NxN", "NxQBP", "NxRP"] {
        assert!(!fits(text, nxf3), "{text}");
    }
    let e4 = played(White, Pawn, "e2e4", None, None);
    let dxe4 = played(Black, Pawn, "d5e4", Some(Pawn), None);
    assert!(fits("e4", e4) && fits("e2-e4", e4) && fits("P-K4", e4) && fits("e2e4", e4));
    assert!(
        !fits("e4", dxe4)
            && fits("de4", dxe4)
            && fits("dxe4", dxe4)
            && fits("xe4", dxe4)
            && fits("de", dxe4)
    );
    let rook = played(White, Rook, "e2e4", None, None);
    assert!(
        fits("e2e4", rook)
            && !fits("e2-e4", rook)
            && fits("P-K4", played(Black, Pawn, "e7e5", None, None))
    );
    let a8 = played(White, Pawn, "a7a8", None, Some(Queen));
    assert!(
        fits("a8=Q", a8)
            && fits("a8Q", a8)
            && fits("a7a8q", a8)
            && fits("P-R8(Q)", a8)
            && fits("17181", a8)
    );
    assert!(!fits("a8", a8) && !fits("a7a8", a8) && !fits("a8=N", a8));
}

#[test]
fn castling_patterns_match_castling_only() {
    let fits = |text: &str, token| {
        pattern(text, Reading::default())
            .unwrap()
            .pattern
            .matches(token)
    };
    let castle = |color: Color, side: CastlingSide| {
        let rank = color.backrank();
        let king = Square::from_coords(File::E, rank);
        let rook = Square::from_coords(
            if side.is_king_side() {
                File::H
            } else {
                File::A
            },
            rank,
        );
        MoveToken::new(color, Move::Castle { king, rook }, Check::None)
    };
    let king = castle(Color::White, CastlingSide::KingSide);
    let queen = castle(Color::Black, CastlingSide::QueenSide);
    for text in [
        "O-O", "0-0", "o-o", "00", "e1g1", "e1h1", "5171", "Castles", "e1-g1",
    ] {
        assert!(fits(text, king), "{text}");
        assert_eq!(fits(text, queen), text == "Castles", "{text}");
    }
    for text in ["O-O-O", "000", "e8c8", "e8a8", "5838"] {
        assert!(fits(text, queen) && !fits(text, king), "{text}");
    }
    assert!(!fits("Kg1", king) && !fits("Ke1-g1", king) && !fits("e1f1", king));
    assert!(!fits(
        "O-O",
        played(Color::White, Role::King, "e1f1", None, None)
    ));
}

#[test]
fn check_signs_restrict_patterns() {
    let m = Move::Normal {
        role: Role::Rook,
        from: Square::A1,
        capture: None,
        to: Square::A8,
        promotion: None,
    };
    let [none, check, mate] =
        [Check::None, Check::Check, Check::Mate].map(|c| MoveToken::new(Color::White, m, c));
    let fits = |text: &str, code: &str| {
        let reading = Reading {
            form: None,
            language: language(code),
        };
        let found = pattern(text, reading).unwrap().pattern;
        [none, check, mate].map(|token| found.matches(token))
    };
    assert_eq!(fits("Ra8", "en"), [true, true, true]);
    assert_eq!(fits("Ra8+", "en"), [false, true, true]);
    assert_eq!(fits("Ra8 dis ch", "en"), [false, true, true]);
    assert_eq!(fits("Ra8#", "en"), [false, false, true]);
    assert_eq!(fits("R-R8mate", "en"), [false, false, true]);
    assert_eq!(fits("Ra8++", "en"), [false, false, true]);
    assert_eq!(fits("Ta8++", "de"), [false, true, true]);
}

#[test]
fn foreign_letters_in_patterns_are_explained() {
    let note = |text: &str| pattern(text, Reading::default()).map(|found| found.note);
    assert_eq!(note("Nf3"), Ok(None));
    assert_eq!(note("Rf1"), Ok(None));
    let said = |text: &str| note(text).unwrap().unwrap();
    assert_eq!(
        said("Sf3"),
        "read as German: Nf3; Czech, Slovak: Bf3; Dutch has no S"
    );
    assert_eq!(
        said("Lxh7+"),
        "read as German: Bxh7; Estonian: Qxh7; French has no L"
    );
    assert!(
        said("Cf3").starts_with("read as French: Nf3"),
        "{}",
        said("Cf3")
    );
    let error = note("Hf3").unwrap_err().to_string();
    assert!(
        error.contains("Hungarian") && error.contains("Polish") && error.contains("--lang"),
        "{error}"
    );
    assert!(note("Zz9").unwrap_err().to_string().contains("not a move"));
    let german = Reading {
        form: None,
        language: language("de"),
    };
    assert_eq!(pattern("Sf3", german).unwrap().note, None);
    assert!(pattern("Nf3", german).is_err());
}

#[test]
fn drops_are_no_piece_moves() {
    let token = MoveToken::new(
        Color::White,
        Move::Put {
            role: Role::Knight,
            to: Square::F3,
        },
        Check::None,
    );
    let fits = |text: &str| {
        pattern(text, Reading::default())
            .unwrap()
            .pattern
            .matches(token)
    };
    assert!(fits("N@f3") && !fits("Nf3") && !fits("Q@f3") && !fits("N@f4"));
    assert!(looks_like_move(b"N@f3", Reading::default()));
}
