//! The third law, never guess, and that what replaying says of a game is what shakmaty says of it from scratch.

mod variants;

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::san::Suffix;
use shakmaty::san::{San, SanPlus};
use shakmaty::{
    CastlingMode, CastlingSide, EnPassantMode, Move, Position, PositionError, Rank, Role, Square,
};

use super::*;
use crate::model::diagnostic::Severity;
use crate::model::fen::{FenUse, read_fen, write_fen};
use crate::parse::header::read_header;
use crate::parse::read_games;

/// Starts that reach promotions, castling, en passant and crowded ranks sooner than the initial position does. The last
/// two hold more pieces than a game could bring about.
const STARTS: &[(&str, Variant)] = &[
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Variant::Standard,
    ),
    (
        "r6r/PPP2PPP/4k3/8/8/4K3/ppp2ppp/R6R w - - 0 1",
        Variant::Standard,
    ),
    (
        "r3k2r/1bp1qpb1/p2p1np1/n2Np3/1p1NP3/2PB1Q2/PP1B1PPP/R3K2R b KQkq - 0 1",
        Variant::Standard,
    ),
    (
        "4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
        Variant::Standard,
    ),
    (
        "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1",
        Variant::Chess960,
    ),
    (
        "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w KQkq - 0 1",
        Variant::Chess960,
    ),
    (
        "n1n1n3/PPPP4/N1N5/7k/K7/5n1n/4pppp/3N1N1N w - - 0 1",
        Variant::Standard,
    ),
    (
        "4k3/pppppppp/8/PPPPPPPP/pppppppp/8/PPPPPPPP/4K3 w - - 0 1",
        Variant::Standard,
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        Variant::Crazyhouse,
    ),
    (
        "r3k2r/1P3ppp/8/3Q~4/8/8/1p3PPP/R3K2R[QNPPqbnpp] w KQkq - 0 1",
        Variant::Crazyhouse,
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        Variant::Antichess,
    ),
    ("8/P5p1/2k5/8/5K2/2K5/p6P/8 w - - 0 1", Variant::Antichess),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Variant::Atomic,
    ),
    (
        "r3k2r/pP3ppp/2n2n2/8/4Q3/2N2N2/Pp2KPPP/R6R b kq - 0 1",
        Variant::Atomic,
    ),
    (
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        Variant::Horde,
    ),
    ("4k2r/PPP2p1p/8/8/8/6p1/P1P5/P7 w k - 0 1", Variant::Horde),
    (
        "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w - - 2 3",
        Variant::KingOfTheHill,
    ),
    (
        "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
        Variant::RacingKings,
    ),
    ("8/k1K5/8/1r4R1/8/8/8/8 w - - 0 1", Variant::RacingKings),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
        Variant::ThreeCheck,
    ),
    (
        "r3k2r/1bp1qpb1/p2p1np1/n2Np3/1p1NP3/2PB1Q2/PP1B1PPP/R3K2R b KQkq - 1+2 0 1",
        Variant::ThreeCheck,
    ),
    (
        "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB[] w KQkq - 0 1",
        Variant::Crazyhouse,
    ),
];

fn start(idx: usize) -> (VariantPosition, &'static str, Variant) {
    let (text, variant) = STARTS[idx % STARTS.len()];
    let setup = text.parse::<Fen>().expect("a FEN").into_setup();
    let mode = CastlingMode::detect(&setup);
    let pos = VariantPosition::from_setup(variant.rules(), setup, mode)
        .or_else(PositionError::ignore_too_much_material);
    (pos.expect("a position"), text, variant)
}

/// Random legal moves.
fn playout(mut pos: VariantPosition, choices: &[u16]) -> Vec<Move> {
    let mut line = Vec::new();
    for &choice in choices {
        let moves = pos.legal_moves();
        let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else {
            break;
        };
        pos.play_unchecked(m);
        line.push(m);
    }
    line
}

/// All positions of a line, from its start.
fn positions(start: &VariantPosition, line: &[Move]) -> Vec<VariantPosition> {
    let mut all = vec![start.clone()];
    for &m in line {
        let mut pos = all[all.len() - 1].clone();
        pos.play_unchecked(m);
        all.push(pos);
    }
    all
}

fn sans(start: &VariantPosition, line: &[Move]) -> Vec<String> {
    let mut pos = start.clone();
    line.iter()
        .map(|&m| SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string())
        .collect()
}

fn game_text(start_idx: usize, words: &[String]) -> String {
    let (_, fen, variant) = start(start_idx);
    format!(
        "[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Variant \"{variant}\"]\n\n{} *\n\n",
        words.join(" ")
    )
}

/// The check that a move gave which led to `pos`, by the sign that SAN has for it.
fn check_of(pos: &VariantPosition) -> Check {
    match Suffix::from_position(pos) {
        None => Check::None,
        Some(Suffix::Check) => Check::Check,
        Some(Suffix::Checkmate) => Check::Mate,
    }
}

/// Everything that a replay says.
#[derive(Debug, Default)]
struct Seen {
    score: Score,
    keys: Vec<PositionKey>,
}

impl PlyVisitor for Seen {
    fn start(&mut self, pos: &impl Playable, key: PositionKey) {
        self.score.start(pos, key);
        self.keys = vec![key];
    }

    fn before(&mut self, pos: &impl Playable, played: PlayedMove) {
        self.score.before(pos, played);
    }

    fn after(&mut self, pos: &impl Playable, played: PlayedMove, key: PositionKey, check: Check) {
        self.score.after(pos, played, key, check);
        self.keys.push(key);
        assert_eq!(check, check_of(&pos.clone().into()), "check in {pos:?}");
    }
}

/// Replays all games of a text.
fn replay_all(text: &str, scrutiny: Scrutiny) -> Vec<(RawGame, Replayed, Seen)> {
    let bytes = text.as_bytes();
    let replay_one = |mut game: RawGame| {
        let header = read_header(bytes, &mut game);
        let mut seen = Seen::default();
        let replayed = replay(
            bytes,
            &mut game,
            &header,
            Reading::default(),
            scrutiny,
            &mut seen,
        );
        (game, replayed, seen)
    };
    read_games(bytes).into_iter().map(replay_one).collect()
}

/// Checks that a replay saw exactly the first moves of `line`.
fn check_prefix(start_idx: usize, line: &[Move], seen: &Seen) {
    let (pos, _, variant) = start(start_idx);
    let positions = positions(&pos, line);
    let keys: Vec<PositionKey> = positions
        .iter()
        .map(|pos| PositionKey::of(pos, variant))
        .collect();
    assert_eq!(seen.keys, keys, "keys");
    assert_eq!(seen.score.san, sans(&pos, line), "SAN");
    assert_eq!(seen.score.positions, positions, "positions");
    let ucis: Vec<String> = line
        .iter()
        .map(|m| m.to_uci(pos.castles().mode()).to_string())
        .collect();
    assert_eq!(seen.score.uci, ucis, "UCI");
    for (last, want) in seen.score.positions.iter().zip(&positions) {
        let written = write_fen(last);
        let read = read_fen(&written, variant, FenUse::Tag).expect("a FEN");
        assert_eq!(&read.pos, want, "{written}");
        assert_eq!(write_fen(&read.pos), written);
        if variant != Variant::Crazyhouse {
            // Of its clocks and pockets other tests speak.
            let want = Fen::from_position(want, EnPassantMode::Always).to_string();
            assert_eq!(written, want);
        }
    }
}

/// A move in SAN, in English letters, that no piece of `pos` can make.
fn illegal_san(pos: &VariantPosition, choice: u16) -> Option<String> {
    let legal = pos.legal_moves();
    let castling = CastlingSide::ALL
        .into_iter()
        .filter(|&side| pos.castling_moves(side).is_empty());
    let mut words: Vec<String> = castling.map(|side| San::Castle(side).to_string()).collect();
    for role in Role::ALL {
        for to in Square::ALL {
            if (role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth))
                || legal.iter().any(|m| m.role() == role && m.to() == to)
            {
                continue;
            }
            words.push(
                San::Normal {
                    role,
                    file: None,
                    rank: None,
                    capture: false,
                    to,
                    promotion: None,
                }
                .to_string(),
            );
        }
    }
    words.get(usize::from(choice) % words.len().max(1)).cloned()
}

/// A move in SAN without the disambiguation that it needs.
fn ambiguous_san(pos: &VariantPosition, choice: u16) -> Option<String> {
    let legal = pos.legal_moves();
    let mut words = Vec::new();
    for m in &legal {
        let &Move::Normal {
            role,
            to,
            capture,
            promotion,
            ..
        } = m
        else {
            continue;
        };
        let twins = legal
            .iter()
            .filter(|other| matches!(other, Move::Normal { .. }))
            .filter(|other| other.role() == role && other.to() == to)
            .count();
        if role != Role::Pawn && twins > 1 {
            words.push(
                San::Normal {
                    role,
                    file: None,
                    rank: None,
                    capture: capture.is_some(),
                    to,
                    promotion,
                }
                .to_string(),
            );
        }
    }
    words.get(usize::from(choice) % words.len().max(1)).cloned()
}

/// Replaces one move of the game in the middle of three, and checks that it stops there and nowhere else.
fn check_stop(
    start_idx: usize,
    choices: &[u16],
    at: u16,
    bad: impl Fn(&VariantPosition) -> Option<String>,
    class: Class,
) -> Result<(), TestCaseError> {
    let (pos, _, _) = start(start_idx);
    let line = playout(pos.clone(), choices);
    let good = sans(&pos, &line);
    let positions = positions(&pos, &line);
    // The first place from `at` on where there is such a move; most games have one.
    let mut places = (0..line.len()).map(|i| (usize::from(at) + i) % line.len());
    let Some((at, word)) = places.find_map(|at| Some((at, bad(&positions[at])?))) else {
        return Ok(());
    };
    let mut damaged = good.clone();
    damaged[at].clone_from(&word);
    // A game that is whole in other letters is a foreign one, which is another class's business.
    let words: Vec<&str> = damaged.iter().map(String::as_str).collect();
    if notation::foreign_game(&pos, &words).is_some_and(|foreign| foreign.is_whole) {
        return Ok(());
    }

    let neighbour = game_text(start_idx, &good);
    let middle = game_text(start_idx, &damaged);
    let text = format!("{neighbour}{middle}{neighbour}");
    for scrutiny in [Scrutiny::Moves, Scrutiny::Everything] {
        let games = replay_all(&text, scrutiny);
        prop_assert_eq!(games.len(), 3);
        for (game, replayed, seen) in [&games[0], &games[2]] {
            prop_assert_eq!(
                (replayed.status, replayed.plies as usize),
                (Status::Ok, line.len())
            );
            prop_assert_eq!(&game.notes, &[], "notes of a neighbour");
            check_prefix(start_idx, &line, seen);
        }
        let (game, replayed, seen) = &games[1];
        prop_assert_eq!(
            (replayed.status, replayed.plies as usize),
            (Status::Partial, at),
            "{}",
            text
        );
        check_prefix(start_idx, &line[..at], seen);
        let movetext = neighbour.len() + middle.find("\n\n").expect("a blank line") + 2;
        let offset = movetext + good[..at].iter().map(|word| word.len() + 1).sum::<usize>();
        let want = Note::error(class, offset, word.len()).at_ply(at as u32 + 1);
        prop_assert_eq!(&game.notes, &[want], "{}", text);
    }
    Ok(())
}

/// A line in which each move may have variations, and how it is written.
#[derive(Debug, Default)]
struct Tree {
    text: String,
    /// Start ply, positions and moves of each variation, in the order in which they begin.
    variations: Vec<(u32, Vec<(VariantPosition, MoveToken)>)>,
}

/// Writes `line`, with variations made from `choices`, and returns what they are.
fn write_tree(
    tree: &mut Tree,
    mut pos: VariantPosition,
    line: &[Move],
    ply: u32,
    choices: &mut std::slice::Iter<u16>,
    number: Option<usize>,
) {
    for (i, &m) in line.iter().enumerate() {
        let before = pos.clone();
        tree.text += &SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string();
        tree.text.push(' ');
        if let Some(number) = number {
            tree.variations[number].1.push((
                pos.clone(),
                move_token(PlayedMove::Move(m), &pos, check_of(&pos)),
            ));
        }
        while let Some(&choice) = choices.next()
            && choice % 3 == 0
        {
            tree.text += "( ";
            let rest = choices.as_slice();
            let variation = playout(
                before.clone(),
                &rest[..rest.len().min(usize::from(choice) % 5)],
            );
            tree.variations.push((ply + i as u32, Vec::new()));
            let number = tree.variations.len() - 1;
            write_tree(
                tree,
                before.clone(),
                &variation,
                ply + i as u32,
                choices,
                Some(number),
            );
            tree.text += ") ";
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn a_replay_says_what_shakmaty_says_from_scratch(
        start_idx in 0..STARTS.len(), choices in prop::collection::vec(any::<u16>(), 0..150)
    ) {
        let (pos, _, _) = start(start_idx);
        let line = playout(pos.clone(), &choices);
        let text = game_text(start_idx, &sans(&pos, &line));
        for scrutiny in [Scrutiny::Moves, Scrutiny::Everything] {
            let games = replay_all(&text, scrutiny);
            let (game, replayed, seen) = &games[0];
            prop_assert_eq!((replayed.status, replayed.plies as usize), (Status::Ok, line.len()));
            prop_assert_eq!(&game.notes, &[]);
            check_prefix(start_idx, &line, seen);
        }
    }

    #[test]
    fn an_illegal_move_ends_its_game_there_and_harms_no_other(
        start_idx in 0..STARTS.len(), choices in prop::collection::vec(any::<u16>(), 1..80), at: u16, choice: u16
    ) {
        check_stop(start_idx, &choices, at, |pos| illegal_san(pos, choice), Class::IllegalMove)?;
    }

    #[test]
    fn an_ambiguous_move_ends_its_game_there_and_harms_no_other(
        start_idx in 0..STARTS.len(), choices in prop::collection::vec(any::<u16>(), 1..80), at: u16, choice: u16
    ) {
        check_stop(start_idx, &choices, at, |pos| ambiguous_san(pos, choice), Class::AmbiguousMove)?;
    }

    #[test]
    fn variations_are_played_from_the_position_that_they_replace_a_move_of(
        start_idx in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..30),
        branches in prop::collection::vec(any::<u16>(), 0..80),
    ) {
        let (pos, _, variant) = start(start_idx);
        let line = playout(pos.clone(), &choices);
        let mut tree = Tree::default();
        write_tree(&mut tree, pos, &line, 0, &mut branches.iter(), None);
        let text = game_text(start_idx, &[tree.text]);
        let games = replay_all(&text, Scrutiny::Everything);
        let (game, replayed, seen) = &games[0];
        prop_assert_eq!((replayed.status, replayed.plies as usize), (Status::Ok, line.len()));
        prop_assert_eq!(&game.notes, &[]);
        check_prefix(start_idx, &line, seen);
        let header = read_header(text.as_bytes(), &mut game.clone());
        let played = play_variations(text.as_bytes(), game, &header, Reading::default());
        let wanted: Vec<VariationLine> = tree.variations.iter().map(|(from_ply, moves)| VariationLine {
            from_ply: *from_ply,
            keys: moves.iter().map(|(pos, _)| PositionKey::of(pos, variant).in_variation().0).collect(),
            moves: moves.iter().map(|(_, token)| *token).collect(),
        }).collect();
        prop_assert_eq!(played, wanted, "{}", text);
    }

    #[test]
    fn null_moves_pass_the_turn_and_nothing_else(
        start_idx in 0..STARTS.len(), choices in prop::collection::vec(any::<u16>(), 0..60)
    ) {
        let (mut pos, _, variant) = start(start_idx);
        let mut words = Vec::new();
        let mut keys = vec![PositionKey::of(&pos, variant)];
        let mut n_nulls = 0;
        for choice in choices {
            let moves = pos.legal_moves();
            if choice % 4 == 0 && !pos.is_check() && !pos.is_variant_end() {
                let mut setup = pos.to_setup(EnPassantMode::Legal);
                setup.turn = !setup.turn;
                setup.ep_square = None;
                let swapped = VariantPosition::from_setup(pos.variant(), setup, pos.castles().mode());
                pos = swapped.or_else(PositionError::ignore_too_much_material).expect("a position");
                words.push(["--", "Z0", "null", "@@@@"][usize::from(choice / 4 % 4)].to_owned());
                n_nulls += 1;
            } else if let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) {
                words.push(SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string());
            } else {
                break;
            }
            keys.push(PositionKey::of(&pos, variant));
        }
        let text = game_text(start_idx, &words);
        let games = replay_all(&text, Scrutiny::Moves);
        let (game, replayed, seen) = &games[0];
        prop_assert_eq!((replayed.status, replayed.plies as usize), (Status::Ok, words.len()), "{}", text);
        prop_assert_eq!(&seen.keys, &keys, "{}", text);
        prop_assert!(game.notes.iter().all(|note| note.class == Class::NullMove && note.severity == Severity::Warning));
        prop_assert_eq!(game.notes.len(), n_nulls);
    }

    #[test]
    fn the_fast_way_to_read_a_move_means_what_the_slow_way_means(
        start_idx in 0..STARTS.len(),
        choices in prop::collection::vec(any::<u16>(), 0..40),
        texts in prop::collection::vec("(([KQRBN][a-h]?[1-8]?|P?([a-h][1-8]?)?)x?[a-h][1-8](=?[QRBNK])?|[KQRBNP]?@[a-h][1-8]|O-O|O-O-O|0-0)[+#]?[!?]{0,2}", 40),
    ) {
        let (pos, _, _) = start(start_idx);
        let line = playout(pos.clone(), &choices);
        let pos = &positions(&pos, &line)[line.len()];
        let written = pos.legal_moves().into_iter().map(|m| San::from_move(pos, m).to_string());
        for text in texts.into_iter().chain(written) {
            let fast = resolve(text.as_bytes(), pos, Reading::default());
            prop_assert_eq!(fast, notation::read(&text, pos, Reading::default()), "{} in {:?}", text, pos);
        }
    }
}

#[test]
fn a_null_move_in_check_is_illegal() {
    let games = replay_all(
        "[Event \"?\"]\n\n1. e4 f5 2. Qh5+ -- 3. Qxe8 *\n",
        Scrutiny::Moves,
    );
    let (game, replayed, _) = &games[0];
    assert_eq!((replayed.status, replayed.plies), (Status::Partial, 3));
    assert_eq!(
        game.notes
            .iter()
            .map(|note| (note.class, note.ply))
            .collect::<Vec<_>>(),
        [(Class::IllegalMove, Some(4))]
    );
}

#[test]
fn the_generators_find_what_they_look_for() {
    let fen: Fen = "4k3/8/8/8/8/8/4K3/R6R w - - 0 1".parse().expect("a FEN");
    let pos = VariantPosition::from_setup(
        Variant::Standard.rules(),
        fen.into_setup(),
        CastlingMode::Standard,
    )
    .expect("a position");
    assert_eq!(
        ambiguous_san(&pos, 0).as_deref().map(|word| &word[..1]),
        Some("R")
    );
    let word = illegal_san(&pos, 3).expect("an illegal move");
    assert_eq!(
        resolve(word.as_bytes(), &pos, Reading::default()),
        Err(MoveError::IllegalMove),
        "{word}"
    );
}
