//! What ends the games of each variant, and what its rules allow that others do not.

use super::*;

/// Replays one game of a variant; status, plies, and the SAN of the last move.
fn check_end(
    variant: Variant,
    fen: &str,
    words: &str,
    want: (Status, u32, &str),
    class: Option<Class>,
) {
    let fen = match fen {
        "" => String::new(),
        fen => format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"),
    };
    let text = format!("[Event \"?\"]\n[Variant \"{variant}\"]\n{fen}\n{words} *\n\n");
    let games = replay_all(&text, Scrutiny::Moves);
    let (game, replayed, seen) = &games[0];
    let last = seen.score.san.last().map_or("", String::as_str);
    assert_eq!((replayed.status, replayed.plies, last), want, "{text}");
    let error = game.notes.iter().find(|n| n.severity == Severity::Error);
    assert_eq!(error.map(|note| note.class), class, "{text}");
}

#[test]
fn what_ends_a_game_by_the_rules_of_its_variant_is_its_last_move() {
    let hill = "8/8/8/8/8/3K4/8/k7 w - - 0 1";
    let race = "8/1K6/8/8/8/8/k7/8 w - - 0 1";
    for (variant, fen, words, n_plies, last) in [
        (
            Variant::ThreeCheck,
            "",
            "e4 e5 Bc4 Nc6 Bxf7 Kxf7 Qh5 g6 Qxg6",
            9,
            "Qxg6#",
        ),
        (
            Variant::Atomic,
            "",
            "Nf3 f6 e3 d5 Nd4 a6 Ne6 c6 Nxd8",
            9,
            "Nxd8#",
        ),
        (Variant::KingOfTheHill, hill, "Ke4", 1, "Ke4#"),
        (Variant::RacingKings, race, "Kb8", 1, "Kb8#"),
        (
            Variant::Antichess,
            "8/8/8/8/8/1p6/P7/8 w - - 0 1",
            "axb3",
            1,
            "axb3#",
        ),
        (
            Variant::Horde,
            "4k3/8/8/8/8/8/p7/1P6 b - - 0 1",
            "axb1=Q",
            1,
            "axb1=Q#",
        ),
    ] {
        check_end(variant, fen, words, (Status::Ok, n_plies, last), None);
        for after in ["Kd8", "--", "a1", "Ka2", "e5", "Qe4"] {
            let words = format!("{words} {after}");
            let want = (Status::Partial, n_plies, last);
            check_end(variant, fen, &words, want, Some(Class::IllegalMove));
        }
    }
    // Black may still draw the race, so it is not over when White arrives.
    let close = "8/k1K5/8/8/8/8/8/8 w - - 0 1";
    let want = (Status::Ok, 2, "Ka8");
    check_end(Variant::RacingKings, close, "Kd8 Ka8", want, None);
    // In standard chess the same moves go on.
    let words = "e4 e5 Bc4 Nc6 Bxf7+ Kxf7 Qh5+ g6 Qxg6+ hxg6";
    check_end(Variant::Standard, "", words, (Status::Ok, 10, "hxg6"), None);
}

#[test]
fn rules_of_a_variant_are_those_of_no_other() {
    let zh = Variant::Crazyhouse;
    let ok = |n, last| (Status::Ok, n, last);
    let cut = |n, last| (Status::Partial, n, last);
    let illegal = Some(Class::IllegalMove);
    check_end(zh, "", "e4 d5 exd5 Qxd5 P@e4 P@e6", ok(6, "@e6"), None);
    check_end(zh, "", "e4 d5 exd5 Qxd5 N@e4", cut(4, "Qxd5"), illegal);
    check_end(zh, "", "e4 d5 exd5 Qxd5 P@e8", cut(4, "Qxd5"), illegal);
    check_end(
        Variant::Standard,
        "",
        "e4 d5 exd5 Qxd5 P@e4",
        cut(4, "Qxd5"),
        illegal,
    );
    let anti = Variant::Antichess;
    check_end(anti, "", "e3 b5 d3 a6", cut(2, "b5"), illegal);
    check_end(
        anti,
        "8/P6p/8/8/8/8/8/4K3 w - - 0 1",
        "a8=K h5 Kb7",
        ok(3, "Kb7"),
        None,
    );
    check_end(
        anti,
        "8/7p/8/8/4K1K1/8/8/8 w - - 0 1",
        "Kf4",
        cut(0, ""),
        Some(Class::AmbiguousMove),
    );
    check_end(
        Variant::RacingKings,
        "8/8/8/8/8/1k6/6RK/8 w - - 0 1",
        "Rg1 Kb4 Kg2+",
        ok(3, "Kg2"),
        None,
    );
    check_end(
        Variant::RacingKings,
        "8/8/8/8/8/1k6/6RK/8 w - - 0 1",
        "Rg1 Kb4 Rb1",
        cut(2, "Kb4"),
        illegal,
    );
    // A game without a FEN begins where its variant begins.
    check_end(Variant::Horde, "", "e5 d6 exd6", ok(3, "exd6"), None);
    check_end(Variant::RacingKings, "", "Nd4 Rb3", ok(2, "Rb3"), None);
}
