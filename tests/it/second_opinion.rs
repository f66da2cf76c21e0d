//! pgn-reader and our reader, which share no code, agree on games that both understand.
//!
//! They differ by design on what pgn-reader skips without a word (other notations, unclosed comments, tags that repeat),
//! so only samples in clean English SAN are held against it, and random games in export format.

use std::fs;
use std::path::Path;

use pgndex::notation::Reading;
use pgndex::parse::header::read_header;
use pgndex::parse::{RawGame, WordKind, read_games, yardstick};
use pgndex::replay::{Scrutiny, Status, replay};
use proptest::prelude::*;
use shakmaty::{Chess, Position, san::SanPlus};

fn main_line_words(game: &RawGame) -> u64 {
    let mut depth = 0;
    let mut n_words = 0;
    for word in &game.words {
        match word.kind {
            WordKind::Open => depth += 1,
            WordKind::Close => depth -= 1,
            WordKind::Move => n_words += u64::from(depth == 0),
            WordKind::Unread | WordKind::Skipped => {}
        }
    }
    n_words
}

/// Checks that both readers see the same games, the same moves, and the same stops.
fn check(bytes: &[u8], name: &str) {
    let mut ours = yardstick::Tally::default();
    let mut words = 0;
    for mut game in read_games(bytes) {
        words += main_line_words(&game);
        let header = read_header(bytes, &mut game);
        let replayed = replay(
            bytes,
            &mut game,
            &header,
            Reading::default(),
            Scrutiny::Moves,
            &mut (),
        );
        ours.games += 1;
        ours.plies += u64::from(replayed.plies);
        ours.failed += u64::from(replayed.status != Status::Ok);
    }
    let parsed = yardstick::parse(bytes).expect("pgn-reader reads it");
    assert_eq!(
        (ours.games, words),
        (parsed.games, parsed.plies),
        "parsing {name}"
    );
    assert_eq!(
        ours,
        yardstick::validate(bytes).expect("pgn-reader reads it"),
        "validating {name}"
    );
}

#[test]
fn both_readers_see_the_same_in_clean_samples() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("data-samples");
    for name in [
        "classics.pgn",
        "annotated.pgn",
        "latin1.pgn",
        "from-position.pgn",
        "chess960.pgn",
    ] {
        check(&fs::read(samples.join(name)).expect("a sample"), name);
    }
}

/// A game in export format, its moves chosen by `choices`.
fn export(choices: &[u8], result: &str) -> String {
    let mut text = format!("[Event \"?\"]\n[Result \"{result}\"]\n\n");
    let mut pos = Chess::default();
    for (ply, &choice) in choices.iter().enumerate() {
        let moves = pos.legal_moves();
        let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else {
            break;
        };
        if ply % 2 == 0 {
            text += &(ply / 2 + 1).to_string();
            text += ". ";
        }
        text += &SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string();
        text.push(if ply % 8 == 7 { '\n' } else { ' ' });
        if choice == 7 {
            text += "{ as played (before) } $1 ";
        }
    }
    text + result + "\n\n"
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_readers_see_the_same_in_random_games(
        games in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..120), 0..4_usize), 1..6)
    ) {
        let text: String =
            games.iter().map(|(choices, result)| export(choices, ["1-0", "0-1", "1/2-1/2", "*"][*result])).collect();
        check(text.as_bytes(), &text);
    }
}
