//! The law that reading undoes writing, and that no foreign game is taken for an English one, on random games.
//!
//! All variants. The number of games is small here; forty million triples were run once in release.

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Chess, File, Move, Position, PositionError, Role};

use super::{read_move, token};
use crate::notation::*;

/// Plays `n_plies` random moves, the choices drawn from `seed`, and calls `visit` for each.
fn random_game<P: Position>(start: P, seed: u64, n_plies: usize, mut visit: impl FnMut(&P, Move)) {
    let mut pos = start;
    let mut state = seed | 1;
    for _ in 0..n_plies {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return;
        }
        // Xorshift is enough to choose moves by.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let m = moves[usize::try_from(state >> 33).unwrap() % moves.len()];
        visit(&pos, m);
        pos.play_unchecked(m);
    }
}

/// Starts that reach promotions, castling and crowded ranks sooner than the initial position does.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r6r/PPP2PPP/4k3/8/8/4K3/ppp2ppp/R6R w - - 0 1",
    "r3k2r/1bp1qpb1/p2p1np1/n2Np3/1p1NP3/2PB1Q2/PP1B1PPP/R3K2R b KQkq - 0 1",
    "4k3/8/1Q3Q2/3Q4/1Q3Q2/8/8/4K3 w - - 0 1",
    "n1n1n3/PPPP4/N1N5/7k/K7/5n1n/4pppp/3N1N1N w - - 0 1",
    "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/4K3 w - - 0 1",
];

/// Chess960 starts, among them kings and rooks on inner squares.
const STARTS_960: [&str; 4] = [
    "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1",
    "rk4r1/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w KQkq - 0 1",
    "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w KQkq - 0 1",
    "5rkr/pppppppp/8/8/8/8/PPPPPPPP/5RKR w KQkq - 0 1",
];

/// Starts of variants: pockets, kings that are pieces like others or none at all, checks that end the game.
const STARTS_OF_VARIANTS: [(Variant, &str); 12] = [
    (
        Variant::Crazyhouse,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    ),
    (
        Variant::Crazyhouse,
        "r3k2r/1P3ppp/8/3Q~4/8/8/1p3PPP/R3K2R[QRBNPPqrbnpp] w KQkq - 0 1",
    ),
    (
        Variant::Antichess,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ),
    (
        Variant::Antichess,
        "8/PPP3pp/2k5/8/5K2/2K2K2/pp5P/8 w - - 0 1",
    ),
    (
        Variant::Atomic,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        Variant::Horde,
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
    ),
    (Variant::Horde, "4k2r/PPP2p1p/8/8/8/6p1/P1P5/P7 w k - 0 1"),
    (
        Variant::KingOfTheHill,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        Variant::RacingKings,
        "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    ),
    (
        Variant::ThreeCheck,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
    ),
    (
        Variant::Crazyhouse,
        "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB[] w KQkq - 0 1",
    ),
    (
        Variant::Atomic,
        "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w KQkq - 0 1",
    ),
];

const N_STARTS: usize = STARTS.len() + STARTS_960.len() + STARTS_OF_VARIANTS.len();

fn start(idx: usize) -> VariantPosition {
    let chess = STARTS.iter().chain(&STARTS_960);
    let chess = chess.map(|fen| (Variant::Chess, *fen));
    let mut all = chess.chain(STARTS_OF_VARIANTS);
    let (variant, fen) = all.nth(idx % N_STARTS).unwrap();
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    let mode = CastlingMode::detect(&setup);
    // Some starts have more pieces than a game could bring about; the rules work all the same.
    VariantPosition::from_setup(variant, setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap()
}

/// Every form in every set of letters that changes it.
fn spellings() -> Vec<(Form, Option<Language>)> {
    let with_letters = |form: Form| {
        let languages = Language::all().filter(move |_| form.has_letters());
        [None]
            .into_iter()
            .chain(languages.map(Some))
            .map(move |l| (form, l))
    };
    Form::ALL.into_iter().flat_map(with_letters).collect()
}

/// Checks every spelling of every move of one random game, and says how many there were.
fn check_round_trips(start_idx: usize, seed: u64) -> usize {
    let spellings = spellings();
    let mut n_triples = 0;
    random_game(start(start_idx), seed, 120, |pos, m| {
        let is_standard = pos.castles().mode() == CastlingMode::Standard;
        let token = token(pos, m);
        for &(form, language) in &spellings {
            let text = write(m, pos, form, language);
            let reading = Reading {
                form: Some(form),
                language,
            };
            let context = || format!("{text} in {reading:?} at {pos:?}");
            assert_eq!(read_move(&text, pos, reading), Ok(m), "{}", context());
            let is_automatic = !matches!(form, Form::Smith | Form::SpanishDescriptive);
            if is_automatic {
                let reading = Reading {
                    form: None,
                    language,
                };
                assert_eq!(read_move(&text, pos, reading), Ok(m), "{}", context());
            }
            assert!(looks_like_move(text.as_bytes(), reading), "{}", context());
            // Coordinates name the rook in Chess960, which the token does not know.
            if is_standard || !m.is_castle() || !matches!(form, Form::Uci | Form::Iccf) {
                let found = pattern(&text, reading).unwrap();
                assert!(found.pattern.matches(token), "{}", context());
                assert!(found.pattern.clone().for_side(pos.turn()).matches(token));
                assert!(!found.pattern.for_side(pos.turn().other()).matches(token));
            }
            n_triples += 1;
        }
    });
    n_triples
}

/// Checks that a game written in every spelling, with numbers and in one line, is cut into its moves again.
fn check_cuts(start_idx: usize, seed: u64) {
    let spellings = spellings();
    let mut written = vec![Vec::new(); spellings.len()];
    random_game(start(start_idx), seed, 60, |pos, m| {
        for (&(form, language), texts) in spellings.iter().zip(&mut written) {
            texts.push(write(m, pos, form, language));
        }
    });
    for (spelling, texts) in spellings.iter().zip(written) {
        let numbered = |(idx, text): (usize, &String)| match idx % 2 {
            0 => format!("{}. {text}", idx / 2 + 1),
            _ => text.clone(),
        };
        let line: Vec<String> = texts.iter().enumerate().map(numbered).collect();
        assert_eq!(split_line(&line.join(" ")), texts, "{spelling:?}");
        assert_eq!(split_line(&texts.join(", ")), texts, "{spelling:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_undoes_writing(start_idx in 0..N_STARTS, seed: u64) {
        check_round_trips(start_idx, seed);
    }

    #[test]
    fn cutting_undoes_joining(start_idx in 0..N_STARTS, seed: u64) {
        check_cuts(start_idx, seed);
    }

    /// What is glued behind a move and is no part of it changes nothing.
    #[test]
    fn signs_change_no_move(
        start_idx in 0..N_STARTS,
        seed: u64,
        sign in proptest::sample::select(vec![
            "!", "?!", "=", "+-", "-+", "+/=", "=/+", "±", "∞", "→", "⇆", "□", "!=", "?+-", "⩲!", "N", "!N", "D", "TN", "RR",
        ]),
    ) {
        random_game(start(start_idx), seed, 40, |pos, m| {
            for form in [Form::San, Form::Fide, Form::Long, Form::Figurine, Form::Descriptive, Form::Uci] {
                let text = write(m, pos, form, None);
                // A letter may be the end of a text without a rank, and `+` and `=` make another sign together.
                let is_letter = sign.ends_with(char::is_alphabetic);
                let may_be_letter = is_letter
                    && (form == Form::Uci || form == Form::Descriptive && (m.is_capture() || m.role() == Role::Pawn));
                let touches = text.ends_with('+') && sign.starts_with('=');
                if may_be_letter || touches {
                    continue;
                }
                let glued = [&text, sign].concat();
                let reading = Reading { form: Some(form), language: None };
                let (move_text, signs) = strip_annotations(&glued);
                assert_eq!(each_sign(signs).concat(), signs);
                assert_eq!(read_move(move_text, pos, reading), Ok(m), "{glued}");
                assert_eq!(read_move(&glued, pos, reading), Ok(m), "{glued}");
                assert_eq!(read_move(&glued, pos, Reading::default()), Ok(m), "{glued}");
            }
        });
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,12}", letters in "[KQRBNPa-h1-8x:=()+#♘O0-]{0,8}") {
        for text in [text, letters] {
            for form in Form::ALL.map(Some).into_iter().chain([None]) {
                let reading = Reading { form, language: None };
                let _ = read(&text, &Chess::default(), reading);
                let _ = pattern(&text, reading);
                let _ = looks_like_move(text.as_bytes(), reading);
            }
            split_line(&text);
            spaced_castling(&text);
            bracket_belongs("RxN", &text);
            bracket_belongs(&text, "Q");
            continues_move(&text, "(Q)");
            let (rest, signs) = strip_annotations(&text);
            assert_eq!([rest, signs].concat(), text);
            each_sign(signs);
        }
    }

    /// What shakmaty reads as SAN and we read as well must be the same move.
    #[test]
    fn san_agrees_with_shakmaty(start_idx in 0..N_STARTS, seed: u64) {
        random_game(start(start_idx), seed, 60, |pos, m| {
            for other in pos.legal_moves() {
                let mut san = shakmaty::san::San::from_move(pos, other);
                if let shakmaty::san::San::Normal { file, rank, .. } = &mut san {
                    *file = file.filter(|_| m.to().file() > File::C);
                    *rank = None;
                }
                let theirs = san.to_move(pos);
                let ours = read_move(&san.to_string(), pos, Reading::default());
                assert_eq!(theirs.ok(), ours.ok(), "{san} at {pos:?}");
            }
        });
    }
}

/// The million triples of the issue: `cargo test --release million -- --ignored`.
#[test]
#[ignore = "takes a minute; run when a reader or writer changes"]
fn a_million_round_trips() {
    let mut n_triples = 0;
    let mut seed = 1;
    while n_triples < 1_000_000 {
        n_triples += check_round_trips(seed, (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        seed += 1;
    }
    assert!(n_triples >= 1_000_000);
}

/// The law that no foreign game is taken for an English one, as far as the game itself can tell.
#[test]
fn foreign_games_are_never_wrong_english_ones() {
    for seed in 1..40 {
        for language in Language::all() {
            let (mut moves, mut words) = (Vec::new(), Vec::new());
            random_game(Chess::default(), seed * 7919, 80, |pos, m| {
                moves.push(m);
                words.push(write(m, pos, Form::San, Some(language)));
            });
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let Some(found) = foreign_game(&Chess::default(), &words) else {
                // English to the end, so it must be the same game.
                let mut pos = Chess::default();
                for (word, &m) in words.iter().zip(&moves) {
                    assert_eq!(
                        read_move(word, &pos, Reading::default()),
                        Ok(m),
                        "{language} {words:?}"
                    );
                    pos.play_unchecked(m);
                }
                continue;
            };
            assert!(
                found.is_whole && found.languages.contains(&language),
                "{language} {found:?}"
            );
            let mut pos = Chess::default();
            for (word, &m) in words.iter().zip(&moves).take(found.n_safe_plies) {
                assert_eq!(
                    read_move(word, &pos, Reading::default()),
                    Ok(m),
                    "{language} {word}"
                );
                pos.play_unchecked(m);
            }
        }
    }
}
