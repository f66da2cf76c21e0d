//! What old books, annotators and other languages put into and behind a move.

use shakmaty::{Move, Role};

use super::{language, position, read_move};
use crate::notation::*;

/// Reads each text in the position, and says which move it is or the class of what is wrong.
fn check_each(fen: &str, texts: &[(&str, &str)]) {
    let pos = position(fen);
    for &(text, want) in texts {
        let got = match read_move(text, &pos, Reading::default()) {
            Ok(m) => write(m, &pos, Form::Uci, None),
            Err(error) => error.class().to_owned(),
        };
        assert_eq!(got, want, "{text} in {fen}");
    }
}

#[test]
fn the_sign_chooses_between_descriptive_moves() {
    // The queen takes on h7 with mate, on a2 and g5 without a check.
    check_each(
        "6k1/5ppp/8/6p1/8/3B3Q/p7/K6R w - - 0 1",
        &[
            ("QxP mate", "h3h7"),
            ("QxPmate.", "h3h7"),
            ("QxP#", "h3h7"),
            ("QxP‡", "h3h7"),
            ("QxP", "h3h7"),
        ],
    );
    // Two pawns can be taken: h7 with check, a6 without.
    let two = "6k1/5ppp/p7/8/8/3B4/8/6K1 w - - 0 1";
    check_each(
        two,
        &[
            ("BxP", "ambiguous_move"),
            ("BxP ch", "d3h7"),
            ("BxP ch.", "d3h7"),
            ("BxP†", "d3h7"),
            ("BxP+", "d3h7"),
            // None mates and none discovers a check, so that nothing is chosen.
            ("BxP mate", "ambiguous_move"),
            ("BxP dis. ch.", "ambiguous_move"),
            ("BxRP ch", "d3h7"),
            // One move fits: its sign may be wrong.
            ("BxKRP", "d3h7"),
            ("BxQRP ch", "d3a6"),
            // SAN is strict.
            ("Bxh7", "d3h7"),
        ],
    );
    // The knight leaves the rook's file: only one goal of it is a double check.
    let discovered = "4k3/8/8/8/4N3/8/8/4RK1N w - - 0 1";
    check_each(
        discovered,
        &[
            ("N-N3", "ambiguous_move"),
            ("N-N3 dis ch", "e4g3"),
            ("N-N3 disch", "e4g3"),
            ("N-N3 dis. ch.", "e4g3"),
            ("N-N3 dbl ch", "ambiguous_move"),
            ("N-B6 dbl. ch.", "e4f6"),
            ("N-KB6 dbl ch", "e4f6"),
            ("N-N3 ch", "e4g3"),
        ],
    );
    // Both captures discover the rook's check.
    let both = "3k4/8/8/8/1p3p2/3N4/8/3R2K1 w - - 0 1";
    check_each(
        both,
        &[("NxP dis ch", "ambiguous_move"), ("NxBP dis ch", "d3f4")],
    );
    check_each(
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        &[("Castles", "ambiguous_move")],
    );
    // Castling short checks along the f-file.
    check_each(
        "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        &[("Castles ch", "e1g1"), ("Castles", "ambiguous_move")],
    );
}

#[test]
fn en_passant_is_a_demand_where_the_goal_is_open() {
    // Black pawns on d5, which has just come, and on f6; the white one on e5.
    check_each(
        "4k3/8/5p2/3pP3/8/8/8/4K3 w - d6 0 1",
        &[
            ("PxP", "ambiguous_move"),
            ("PxP e.p.", "e5d6"),
            ("PxP ep", "e5d6"),
            ("ed e.p.", "e5d6"),
            ("exd6 e.p.", "e5d6"),
            ("ef e.p.", "illegal_move"),
            ("exf6 e.p.", "e5f6"),
        ],
    );
    // Only an ordinary capture is left, which is another move than was written.
    check_each(
        "4k3/8/5p2/4P3/8/8/8/4K3 w - - 0 1",
        &[
            ("PxP", "e5f6"),
            ("PxP e.p.", "illegal_move"),
            ("PxBP e.p.", "illegal_move"),
        ],
    );
}

#[test]
fn old_books_are_read() {
    check_each(
        "3r2k1/5ppp/8/2n5/8/8/3R1PPP/3R2K1 w - - 0 1",
        &[
            ("R-K sq", "d1e1"),
            ("R-Ksq.", "d1e1"),
            ("R - K sq.", "d1e1"),
            ("R(Q sq.)-K sq.", "d1e1"),
            ("R/Qsq-K1", "d1e1"),
            ("R/1-K1", "d1e1"),
            ("K-B sq.", "g1f1"),
            ("K-R sq", "g1h1"),
            ("R (Q2) - K2", "d2e2"),
            ("R/2-K2", "d2e2"),
            ("R×R", "d2d8"),
            ("RXR", "d2d8"),
            ("RxR mate", "d2d8"),
            ("RxR(Q8)", "d2d8"),
            ("RxR(8)", "d2d8"),
            ("P - K R 4", "h2h4"),
            ("P-KKt4", "g2g4"),
            ("P-Kt4", "g2g4"),
        ],
    );
    check_each(
        "1n2k3/P7/8/8/8/8/8/4K2R w K - 0 1",
        &[
            ("PxN=Q", "a7b8q"),
            ("PxN(Q)", "a7b8q"),
            ("PxKt (Kt)", "a7b8n"),
            ("PxN/R", "a7b8r"),
            ("P-R8 (Q)", "a7a8q"),
            ("P-R8=Kt", "a7a8n"),
            ("P-QR8Q", "a7a8q"),
            ("P-R8", "illegal_move"),
            ("Castles (KR)", "e1g1"),
            ("Castles KR", "e1g1"),
            ("castles K", "e1g1"),
        ],
    );
}

#[test]
fn signs_may_be_glued_to_a_move() {
    check_each(
        "r1bqkbnr/pPp2ppp/8/4n3/3pP3/8/1PP2PPP/RNBQKBNR w KQkq - 0 1",
        &[
            ("Nf3+-", "g1f3"),
            ("Nf3+/=", "g1f3"),
            ("Nf3N", "g1f3"),
            ("Nf3!N", "g1f3"),
            ("Nf3D", "g1f3"),
            ("Nf3TN!?", "g1f3"),
            ("f4=", "f2f4"),
            ("f4+=", "f2f4"),
            ("f4!=", "f2f4"),
            ("f4-+", "f2f4"),
            ("f4−+", "f2f4"),
            ("f4N", "f2f4"),
            ("f4→", "f2f4"),
            ("f4⇆", "f2f4"),
            ("f2f4N", "f2f4"),
            ("P-KB4N", "f2f4"),
            ("P-KB4 TN", "f2f4"),
            ("N-KB3=", "g1f3"),
            ("6264N", "f2f4"),
            ("b8=", "illegal_move"),
            ("bxa8=", "illegal_move"),
            ("bxa8N", "b7a8n"),
            ("bxa8=N=", "b7a8n"),
            ("bxa8=QN", "b7a8q"),
            ("bxa8Q+-", "b7a8q"),
            ("bxa8D", "foreign_letters"),
            ("Sf3N", "foreign_letters"),
            ("Nf3=Q", "not_a_move"),
            ("f4Q", "not_a_move"),
            ("Nf3B", "not_a_move"),
        ],
    );
    let pos = position("r3k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for text in ["O-O-+", "O-O+-", "0-0N", "O-O=", "0-0D", "Castles="] {
        assert!(
            read_move(text, &pos, Reading::default())
                .unwrap()
                .is_castle(),
            "{text}"
        );
    }
}

#[test]
fn promotions_are_read_in_small_letters_of_their_language() {
    let pos = position("2n5/3P4/7k/8/8/8/8/4K3 w - - 0 1");
    let promoted = |text: &str, code: &str| {
        let reading = Reading {
            form: None,
            language: language(code),
        };
        read_move(text, &pos, reading)
            .ok()
            .and_then(Move::promotion)
    };
    for (text, code, role) in [
        ("d8d", "de", Some(Role::Queen)),
        ("d8D", "de", Some(Role::Queen)),
        ("dxc8d", "de", Some(Role::Queen)),
        ("d8s", "de", Some(Role::Knight)),
        ("d7d8d", "de", Some(Role::Queen)),
        ("d8f", "fr", Some(Role::Bishop)),
        ("d8=d", "fr", Some(Role::Queen)),
        ("d8b", "pt", Some(Role::Bishop)),
        ("d8b", "hu", Some(Role::Rook)),
        ("d8b", "en", Some(Role::Bishop)),
        ("d8b", "de", None),
        ("d8d", "en", None),
    ] {
        assert_eq!(promoted(text, code), role, "{text} in {code}");
    }
}
