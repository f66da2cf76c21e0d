//! The first law for texts that arrive in blocks: the chunks are those of the whole text, wherever the blocks end.

use proptest::prelude::*;

use super::pgn_text::{Dice, source};
use super::splitting::PIECES;
use crate::split::{Place, Splitter, Window, split};

/// The chunks of a text that is at hand, and of the same text in blocks of the given sizes, one after the other.
fn check(bytes: &[u8], sizes: &[usize]) -> usize {
    let mut n_chunks = 0;
    for (chunk_bytes, max_bytes) in [(1, 1 << 20), (64, 1 << 20), (1, 50), (64, 200)] {
        let splitter = || Splitter::with_max(chunk_bytes, max_bytes);
        let mut whole = Vec::new();
        let mut at_hand = splitter();
        let mut start = 0;
        while let Some(cut) = at_hand.next_chunk(&bytes[start..]) {
            assert!(cut.len > 0 && cut.len <= max_bytes, "{cut:?}");
            whole.push((bytes[start..start + cut.len].to_vec(), cut.place));
            start += cut.len;
        }
        assert_eq!(start, bytes.len(), "chunks cover {:?}", text(bytes));

        let mut window = Window::new(splitter());
        let mut streamed = Vec::new();
        let mut rest = bytes;
        for &size in sizes.iter().cycle() {
            let (block, after) = rest.split_at(size.min(rest.len()));
            if block.is_empty() {
                window.end();
            } else {
                window.push(block.to_vec());
            }
            streamed.extend(std::iter::from_fn(|| window.next_chunk()));
            if block.is_empty() {
                break;
            }
            rest = after;
        }
        assert_eq!(
            streamed,
            whole,
            "blocks of {sizes:?}, chunks of {chunk_bytes} to {max_bytes}, {:?}",
            text(bytes)
        );
        n_chunks += whole.len();
    }
    n_chunks
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..40_usize, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn blocks_change_nothing_in_nasty_games(
        numbers in prop::collection::vec(any::<u16>(), 0..400),
        sizes in sizes(),
    ) {
        check(&source(&mut Dice::new(&numbers)), &sizes);
    }

    #[test]
    fn blocks_change_nothing_in_any_pieces(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60),
        sizes in sizes(),
    ) {
        check(pieces.concat().as_bytes(), &sizes);
    }
}

#[test]
fn a_game_is_handed_out_before_the_text_has_ended() {
    let game = "[Event \"x\"]\n\n1. e4 {good} e5 1-0\n\n";
    let mut window = Window::new(Splitter::new(1));
    window.push(game.repeat(3).into_bytes());
    let chunk = |window: &mut Window| window.next_chunk().map(|(bytes, _)| bytes);
    assert_eq!(chunk(&mut window).as_deref(), Some(game.as_bytes()));
    assert_eq!(chunk(&mut window).as_deref(), Some(game.as_bytes()));
    assert_eq!(chunk(&mut window), None);
    window.end();
    assert_eq!(chunk(&mut window).as_deref(), Some(game.as_bytes()));
    assert_eq!(chunk(&mut window), None);
}

#[test]
fn a_chunk_has_a_greatest_size_and_is_cut_at_the_best_place_there() {
    let cuts = |text: &str| {
        let mut splitter = Splitter::with_max(1, 1000);
        let mut rest = text.as_bytes();
        let mut cuts = Vec::new();
        while let Some(cut) = splitter.next_chunk(rest) {
            rest = &rest[cut.len..];
            cuts.push(cut);
        }
        cuts
    };
    // Games without tags are cut apart.
    let line = "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n";
    for cut in cuts(&line.repeat(200)) {
        assert_eq!((cut.len % line.len(), cut.place), (0, Place::Boundary));
        assert!(cut.len <= 1000);
    }
    // So are games without movetext.
    let tags = "[Event \"x\"]\n[White \"a\"]\n\n";
    for cut in cuts(&tags.repeat(200)) {
        assert_eq!((cut.len % tags.len(), cut.place), (0, Place::Boundary));
    }
    // One long game is cut after a line, one long line anywhere.
    let long = format!("[Event \"x\"]\n{}", "1. e4 e5\n".repeat(200));
    let first = cuts(&long)[0];
    assert_eq!(first.place, Place::InsideGame);
    assert!(long[..first.len].ends_with('\n') && first.len > 900);
    for text in ["{".to_owned() + &"a".repeat(5000), "; a".repeat(2000)] {
        let cuts = cuts(&text);
        assert_eq!((cuts[0].len, cuts[0].place), (1000, Place::InsideGame));
    }
}

#[test]
fn a_stray_brace_hides_a_megabyte_at_most() {
    let game = "[Event \"x\"]\n\n1. e4 e5 1-0\n\n";
    let games = game.repeat(100_000);
    let text = format!("[Event \"x\"]\n\n1. e4 {{ e5 1-0\n\n{games}1. d4 }} 1-0\n");
    let first = split(text.as_bytes(), 1).next().expect("a chunk");
    assert_eq!(&text[first.end..first.end + game.len()], game);
    let read = crate::parse::read_games(text.as_bytes());
    assert_eq!(read.len(), 100_001);
}
