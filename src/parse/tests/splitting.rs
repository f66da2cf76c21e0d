//! The first law: whatever the size of chunks, reading them gives what reading the whole gives, offsets included.

use std::ops::Range;

use proptest::prelude::*;

use super::pgn_text::{Dice, source};
use crate::model::diagnostic::Note;
use crate::notation::Reading;
use crate::parse::{GameReader, RawGame};
use crate::split::{lex, split};

/// All games, and the notes on junk that belongs to none.
fn read(bytes: &[u8]) -> (Vec<RawGame>, Vec<Note>) {
    let mut reader = GameReader::new(bytes, Reading::default());
    let mut games = Vec::new();
    let mut game = RawGame::default();
    while reader.read(&mut game) {
        games.push(game.clone());
    }
    (games, reader.leftover_notes())
}

fn shift(range: &mut Range<usize>, by: usize) {
    *range = range.start + by..range.end + by;
}

/// The game as it would have been read if `by` bytes stood before its chunk.
fn shifted(mut game: RawGame, by: usize) -> RawGame {
    shift(&mut game.range, by);
    for tag in &mut game.tags {
        shift(&mut tag.name, by);
        shift(&mut tag.value, by);
    }
    for word in &mut game.words {
        word.start += by;
    }
    for note in &mut game.notes {
        note.offset += by;
    }
    game
}

/// Checks the law for several sizes of chunks, and returns the number of games.
fn check(bytes: &[u8]) -> usize {
    let context = || String::from_utf8_lossy(bytes).into_owned();
    let (whole, whole_leftover) = read(bytes);
    for pair in whole.windows(2) {
        assert_eq!(
            pair[0].range.end,
            pair[1].range.start,
            "games follow each other in {:?}",
            context()
        );
    }
    for chunk_bytes in [1, 7, 64, 1000] {
        let mut games = Vec::new();
        let mut leftover = Vec::new();
        let mut end = 0;
        for chunk in split(bytes, chunk_bytes) {
            assert_eq!(
                chunk.start,
                end,
                "chunks follow each other in {:?}",
                context()
            );
            assert!(
                chunk.len() >= chunk_bytes || chunk.end == bytes.len(),
                "a small chunk in {:?}",
                context()
            );
            // The twin of the splitter: the sequential reader, which knows where games begin because it has read them.
            let is_game_start = whole.iter().any(|game| game.range.start == chunk.start);
            assert!(
                chunk.start == 0 || is_game_start,
                "a cut at {} of {:?}",
                chunk.start,
                context()
            );
            end = chunk.end;
            let (of_chunk, leftover_of_chunk) = read(&bytes[chunk.clone()]);
            games.extend(of_chunk.into_iter().map(|game| shifted(game, chunk.start)));
            leftover.extend(leftover_of_chunk.into_iter().map(|note| Note {
                offset: note.offset + chunk.start,
                ..note
            }));
        }
        assert_eq!(end, bytes.len(), "chunks cover {:?}", context());
        assert_eq!(
            games.len(),
            whole.len(),
            "number of games in {:?}",
            context()
        );
        for (game, want) in games.iter().zip(&whole) {
            assert_eq!(game, want, "chunks of {chunk_bytes} in {:?}", context());
        }
        assert_eq!(
            leftover,
            whole_leftover,
            "chunks of {chunk_bytes} in {:?}",
            context()
        );
    }
    whole.len()
}

/// Pieces from which any structure can be made, well-formed or not.
pub(super) const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "\\",
    ";",
    "%",
    "\n",
    "\r",
    " ",
    "1",
    "e4",
    "-",
    "0",
    "*",
    ".",
    "Event",
    "\n[A \"a\"]\n",
    "\n[B \"b\"]",
    "[A \"",
    "\"]",
    "1-0",
    "1. e4",
    "\nO-O\n",
    "\u{feff}",
    "\r\n",
    "Nf3+",
    "é",
    "<",
    ">",
    "<br>",
    "<a x=\"",
    "&",
    "nbsp",
    "&#8;",
    "\n[X e4 ",
    "\u{a0}",
    "\n\n1. e4 ",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn splitting_changes_nothing_in_nasty_games(numbers in prop::collection::vec(any::<u16>(), 0..400)) {
        check(&source(&mut Dice::new(&numbers)));
    }

    #[test]
    fn splitting_changes_nothing_in_any_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        check(pieces.concat().as_bytes());
    }

    #[test]
    fn splitting_changes_nothing_in_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        check(&bytes);
    }
}

#[test]
fn the_generator_makes_what_it_is_for() {
    let mut state = 1u32;
    let mut n_games = 0;
    let mut n_cuts = 0;
    for _ in 0..300 {
        let numbers: Vec<u16> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as u16
        })
        .take(400)
        .collect();
        let bytes = source(&mut Dice::new(&numbers));
        n_games += check(&bytes);
        n_cuts += split(&bytes, 1).count() - 1;
    }
    // Of some thousand games, a good part can be cut apart: the law is not kept by never cutting.
    assert!(
        n_games > 600 && n_cuts > 150,
        "{n_games} games, {n_cuts} cuts"
    );
}

#[test]
fn words_before_which_the_splitter_may_cut_are_movetext_to_the_reader() {
    const LETTERS: &[u8] = b"KQRBNaceh18x+#O-*0/2=P.";
    let mut words: Vec<Vec<u8>> = vec![Vec::new()];
    let mut n_words = 0;
    for _ in 0..4 {
        words = words
            .iter()
            .flat_map(|word| {
                LETTERS
                    .iter()
                    .map(move |&letter| [word, &[letter][..]].concat())
            })
            .collect();
        for word in &words {
            if !lex::certainly_movetext(word) {
                continue;
            }
            n_words += 1;
            let text = [b"[A \"a\"]\n", &word[..], b"\n[A \"b\"]\n"].concat();
            let (games, _) = read(&text);
            assert_eq!(games.len(), 2, "{:?}", String::from_utf8_lossy(word));
        }
    }
    assert!(n_words > 500, "{n_words}");
}

#[test]
fn junk_before_the_first_game_is_never_cut_off() {
    assert_eq!(
        check(b"Spassky won, 1-0\n[Event \"a\"]\n\n1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n"),
        2
    );
    assert_eq!(check(b"he played e4\n[Event \"a\"]\n\n1. e4 1-0\n"), 1);
    assert_eq!(check(b"1. e4 e5 1-0\n[Event \"a\"]\n\n1. e4 1-0\n"), 2);
}
