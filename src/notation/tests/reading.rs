//! Single spellings, errors, prose, and whole games.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, Square};

use super::{language, position, read_move};
use crate::model::move_token::{Check, MoveToken};
use crate::notation::*;

fn read_start(text: &str) -> Result<Move, MoveError> {
    read_move(text, &Chess::default(), Reading::default())
}

#[test]
fn classes_of_what_cannot_be_read() {
    use MoveError::{AmbiguousMove, ForeignLetters, IllegalMove, NotAMove};
    for text in ["Sf3", "Dd4", "Lb5", "Tf1", "Cf3", "Кf3", "Txd4", "exf8D"] {
        assert_eq!(read_start(text), Err(ForeignLetters), "{text}");
    }
    for text in [
        "Kd4", "Rf1", "exd5", "ed", "xd5", "Nxf3", "e5", "O-O", "PxP", "P-K5", "5255", "e2e5",
        "a8", "Castles",
    ] {
        assert_eq!(read_start(text), Err(IllegalMove), "{text}");
    }
    for text in [
        "Zz9", "Qxq9", "nf3", "also", "", "e2e4e5", "Nf3=Q", "N", "--f3", "P-K9", "52541x",
    ] {
        assert_eq!(read_start(text), Err(NotAMove), "{text}");
    }
    for text in ["N-B3", "P-R3"] {
        assert_eq!(read_start(text), Err(AmbiguousMove), "{text}");
    }
    let german = Reading {
        language: language("de"),
        form: None,
    };
    assert_eq!(read("Nf3", &Chess::default(), german), Err(ForeignLetters));
}

#[test]
fn loose_spellings_are_read() {
    let cases = [
        (
            "3n4/P3P1k1/8/8/8/8/p5K1/1N6 w - - 0 1",
            "e7d8n",
            "exd8=N exd8N exd8(N) exd8/N exd8=n exd8=(N) ed8N edN e7:d8=N e7d8n ed=N PxN(N)",
        ),
        (
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "e4d5",
            "exd5 ed5 ed e4xd5 e:d5 e4:d5 xd5 exd ed: ed5: Pxd5 e4d5 e4-d5 E4-D5 PxP KPxP exd5! e4×d5",
        ),
        (
            "8/8/8/8/k2pP3/8/8/7K b - e3 0 1",
            "d4e3",
            "dxe3e.p.+ dxe3 e.p. de3ep PxPe.p. dxe3",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "e1g1",
            "O-O 0-0 o-o 00 O-O+ 0-0!? e1g1 e1h1 5171 Castles(K) 0—0",
        ),
        (
            "k7/8/8/8/8/8/8/K5N1 w - - 0 1",
            "g1f3",
            "Nf3 N-f3 Ng1f3 Ng1-f3 Ngf3 N1f3 ♘f3 ♞f3 ♘\u{fe0e}f3 Nf3!? Nf3$1 N@f3-not",
        ),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/8/1P6/PBPPPPPP/RN1QKBNR w KQkq - 0 2",
            "b2e5",
            "Bxe5 Be5 bxe5 be5 BxP B:e5 Be5: Be5+",
        ),
    ];
    for (fen, uci, texts) in cases {
        let pos = position(fen);
        let m: UciMove = uci.parse().unwrap();
        let m = m.to_move(&pos).unwrap();
        let texts = texts.replace(" e.p.", "\u{a0}e.p.");
        for text in texts.split(' ').filter(|text| !text.ends_with("not")) {
            assert_eq!(read_move(text, &pos, Reading::default()), Ok(m), "{text}");
        }
    }
}

#[test]
fn a_small_b_is_a_pawn_where_a_pawn_could_move_so() {
    let pos = position("4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1");
    let reading = Reading::default();
    assert_eq!(read_move("bxc3", &pos, reading).unwrap().role(), Role::Pawn);
    let pos = position("4k3/8/8/8/8/2p5/8/B3K3 w - - 0 1");
    assert_eq!(
        read_move("bxc3", &pos, reading),
        Err(MoveError::IllegalMove)
    );
}

#[test]
fn null_moves_are_read() {
    for text in ["--", "Z0", "@@@@", "null", "0000"] {
        assert_eq!(
            read(text, &Chess::default(), Reading::default()),
            Ok(PlayedMove::Null)
        );
        let found = pattern(text, Reading::default()).unwrap();
        assert!(found.pattern.matches(MoveToken::null(Color::White)));
    }
}

#[test]
fn drops_are_read_in_every_spelling() {
    use shakmaty::variant::{Variant, VariantPosition};

    let fen: Fen = "4k3/8/8/8/8/8/8/4K3[QNP] w - - 0 1".parse().unwrap();
    let mode = CastlingMode::Standard;
    let pos = VariantPosition::from_setup(Variant::Crazyhouse, fen.into_setup(), mode).unwrap();
    let drop = |role| Move::Put {
        role,
        to: Square::E4,
    };
    for (text, role) in [
        ("N@e4", Role::Knight),
        ("n@e4", Role::Knight),
        ("♘@e4", Role::Knight),
        ("@e4", Role::Pawn),
        ("P@e4", Role::Pawn),
        ("Q@e4+", Role::Queen),
    ] {
        let read = read_move(text, &pos, Reading::default());
        assert_eq!(read, Ok(drop(role)), "{text}");
        assert!(looks_like_move(text.as_bytes(), Reading::default()));
        let found = pattern(text, Reading::default()).unwrap().pattern;
        let token = MoveToken::new(Color::White, drop(role), Check::Check);
        assert!(found.matches(token), "{text}");
    }
    for text in ["B@e4", "Ne4", "K@e4", "P@e8", "N@e1"] {
        let read = read_move(text, &pos, Reading::default());
        assert_eq!(read, Err(MoveError::IllegalMove), "{text}");
    }
}

#[test]
fn prose_is_no_move() {
    let is_move = |text: &str| looks_like_move(text.as_bytes(), Reading::default());
    for text in [
        "Zz9", "Kd4", "exd", "ed", "xd5", "O-O", "0-0", "00", "PxP", "QxN", "Sf3", "a8", "Castles",
        "Qxq9", "N-K9", "5254", "TxT", "Кf3", "e9", "i4", "--", "nf3", "NF3", "E4", "sf3", "qXe4",
        "BC4", "nbd2",
    ] {
        assert!(is_move(text), "{text}");
    }
    for text in [
        "also",
        "resigns",
        "mate",
        "N",
        "D",
        "e.p.",
        "game2",
        "ch",
        "be",
        "",
        "1-0",
        "½-½",
        "*",
        "White",
        "2031",
        "d4-pawns",
        "B33",
        "round1",
        "Time:",
        "well-played",
        "+",
        "!?",
        "(=)",
        "12",
        "Round",
        "a",
        "dis",
        "\u{fffd}",
    ] {
        assert!(!is_move(text), "{text}");
    }
    assert!(!looks_like_move(b"\xff\xfe", Reading::default()));
}

#[test]
fn whole_games_tell_their_language_and_form() {
    let start = Chess::default();
    let codes = |words: &[&str]| {
        let fitting = fitting_languages(&start, words, Reading::default()).into_iter();
        let codes = fitting.map(|set| set.iter().map(Language::code).collect::<Vec<_>>().join(" "));
        codes.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        codes(&["e4", "e5", "Sf3", "Sc6", "Lb5"]),
        "de sv da no hr sl"
    );
    assert_eq!(codes(&["e4", "e5", "Hf3", "Hc6"]), "hu");
    assert_eq!(codes(&["e4", "e5", "Кf3", "Кc6", "Сb5"]), "ru uk");
    assert_eq!(codes(&["e4", "e5", "Nf3"]), "");
    // Who writes `e4` does not write `Pf3` for a pawn move.
    assert_eq!(codes(&["e4", "e5", "Pf3", "Pc6", "Lb5", "a6"]), "nl");
    assert_eq!(codes(&["Pe4", "Pe5", "Pf3", "Pc6", "Lb5"]), "fi hr sl");
    // Null moves are moves of a game like others.
    assert_eq!(
        codes(&["e4", "e5", "Sf3", "Sc6", "--", "Sd4", "Sd4"]),
        "de pl sv da no hr sl"
    );
    assert_eq!(
        forms_that_fit(&start, &["e2e4", "e7e5", "g1f3"], None),
        [
            Form::San,
            Form::Fide,
            Form::Long,
            Form::Uci,
            Form::Figurine,
            Form::Smith
        ]
    );
    assert_eq!(
        forms_that_fit(&start, &["P4R", "P4R", "C3AR"], None),
        [Form::SpanishDescriptive]
    );
}

#[test]
fn a_foreign_game_is_right_only_up_to_the_first_difference() {
    let start = Chess::default();
    assert_eq!(foreign_game(&start, &["e4", "e5", "Nf3"]), None);
    assert_eq!(foreign_game(&start, &["e4", "e5", "Zz9"]), None);
    let found = foreign_game(&start, &["e4", "e5", "Sf3", "Sc6", "Lb5"]).unwrap();
    assert_eq!(
        (found.languages.len(), found.is_whole, found.n_safe_plies),
        (6, true, 2)
    );
    // The Icelandic knight goes where an English rook could.
    let found = foreign_game(&start, &["h4", "a6", "Rh3", "e6", "Hg1", "Dxh4"]).unwrap();
    assert_eq!(found.languages, [language("is").unwrap()]);
    assert_eq!((found.is_whole, found.n_safe_plies), (true, 2));
}

#[test]
fn a_game_in_descriptive_notation_ends_in_mate() {
    let evans = "1. P-K4 P-K4 2. N-KB3 N-QB3 3. B-B4 B-B4 4. P-QN4 BxNP 5. P-B3 B-R4 6. P-Q4 PxP 7. O-O P-Q6 \
        8. Q-N3 Q-B3 9. P-K5 Q-N3 10. R-K1 KN-K2 11. B-R3 P-N4 12. QxP R-QN1 13. Q-R4 B-N3 14. QN-Q2 B-N2 \
        15. N-K4 Q-B4 16. BxQP Q-R4 17. N-B6ch PxN 18. PxP R-N1 19. QR-Q1 QxN 20. RxNch NxR 21. QxPch KxQ \
        22. B-B5dblch K-K1 23. B-Q7ch K-B1 24. BxNmate";
    let old = evans
        .replace("N-", "Kt-")
        .replace("xN", "xKt")
        .replace("O-O", "Castles");
    let spanish = [
        ("P4R", "e2e4"),
        ("C3AR", "g1f3"),
        ("C3AD", "b1c3"),
        ("P4TD", "a2a4"),
    ];
    for text in [evans, &old] {
        let mut pos = Chess::default();
        for word in split_line(text) {
            let m =
                read_move(word, &pos, Reading::default()).unwrap_or_else(|e| panic!("{word}: {e}"));
            pos.play_unchecked(m);
        }
        assert!(pos.is_checkmate());
    }
    for (text, uci) in spanish {
        let reading = Reading {
            form: Some(Form::SpanishDescriptive),
            language: None,
        };
        let m = read_move(text, &Chess::default(), reading).unwrap();
        assert_eq!(write(m, &Chess::default(), Form::Uci, None), uci);
    }
    let rooks = position("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
    let read = |text| read_move(text, &rooks, Reading::default());
    assert_eq!(read("R-B1"), Err(MoveError::AmbiguousMove));
    assert_eq!(read("QR-B1").unwrap().to(), Square::C1);
    assert_eq!(read("R(R1)-KB1").unwrap().to(), Square::F1);
}
