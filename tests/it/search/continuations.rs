//! What was played from a position: ready sums with their notable games answer what a scan of the postings does.

use pgndex::model::variant::Variant;
use pgndex::notation::Reading;
use pgndex::search::{Consent, Mode, Searcher, Selection, Wishes, remove};
use shakmaty::{Chess, Position};

use super::twin::fen;
use crate::support::{self, Random, import_with, options, position, scratch, write};

/// A selection that admits every game, but asks for something that ready sums do not know.
fn by_scan(selection: &Selection) -> Selection {
    Selection {
        modes: Some(vec![Mode::Rated, Mode::Casual]),
        ..selection.clone()
    }
}

fn check(searcher: &Searcher, positions: &[Chess]) -> u64 {
    let mut n_games = 0;
    for pos in positions {
        let pos = &pos.clone().into();
        for (most_plies, n_top, n_recent) in [
            (None, 15, 0),
            (Some(50), 4, 8),
            (None, 0, 3),
            (Some(51), 15, 1),
        ] {
            let selection = Selection {
                most_plies,
                ..Selection::default()
            };
            for top_rating in [0, 2000] {
                let wishes = Wishes {
                    n_top,
                    top_rating,
                    n_recent,
                    history: false,
                };
                let ask = |selection: &Selection| {
                    let found = searcher.continuations(pos, Variant::Standard, selection, wishes);
                    found.expect("an answer")
                };
                let (ready, scanned) = (ask(&selection), ask(&by_scan(&selection)));
                n_games += ready.results.games();
                assert_eq!(
                    format!("{ready:?}"),
                    format!("{scanned:?}"),
                    "{most_plies:?} {wishes:?} {}",
                    fen(pos)
                );
            }
        }
    }
    n_games
}

/// Games that shuffle their pieces: they reach the start position again and again, also late, with other moves each time,
/// and some of these moves nobody else plays.
fn shufflers(random: &mut Random, n: usize) -> Vec<String> {
    let games = (0..n).map(|i| {
        let n_rounds = [0, 1, 2, 13, 14][random.below(5)];
        let mut pos = Chess::default();
        let mut text = String::new();
        let mut play = |san: &str| {
            let m = san
                .parse::<shakmaty::san::San>()
                .expect("SAN")
                .to_move(&pos)
                .expect("a legal move");
            pos.play_unchecked(m);
            text += san;
            text.push(' ');
        };
        for _ in 0..n_rounds {
            for san in ["Nf3", "Nf6", "Ng1", "Ng8"] {
                play(san);
            }
        }
        if !random.one_in(4) {
            play(
                ["e4", "d4", "Nf3", "a3", "h4", "g4", "Na3", "c3"]
                    [random.below(if i % 9 == 0 { 8 } else { 3 })],
            );
        }
        let result = random.pick(&["1-0", "0-1", "1/2-1/2", "*"]);
        let (white, black) = (1990 + random.below(300), 1990 + random.below(300));
        let elos = if random.one_in(5) {
            String::new()
        } else {
            format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n")
        };
        format!("[Event \"shuffle\"]\n{elos}[Result \"{result}\"]\n\n{text}{result}\n\n")
    });
    games.collect()
}

#[test]
fn ready_sums_answer_what_a_scan_does() {
    let dir = scratch();
    let index = dir.path().join("games.idx");
    let mut random = Random::new(31);
    let mut positions = vec![Chess::default()];
    for san in ["e4", "Nf3", "a3", "g4"] {
        let pos = Chess::default();
        let m = san
            .parse::<shakmaty::san::San>()
            .expect("SAN")
            .to_move(&pos)
            .expect("a legal move");
        positions.push(pos.play(m).expect("a legal move"));
    }
    for fen in [
        "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2",
        "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3 2",
    ] {
        positions.push(position(fen, shakmaty::CastlingMode::Standard));
    }
    // Nine segments, so that eight of them are merged; some with long lists and some without.
    for (part, n_games) in [900, 300, 20, 400, 500, 260, 5, 700, 300]
        .into_iter()
        .enumerate()
    {
        let games = shufflers(&mut random, n_games).concat()
            + &support::games(part as u64, 60, support::PLAIN).concat();
        let source = write(dir.path(), &format!("{part}.pgn"), games);
        import_with(&index, &[source], &options(1));
        if matches!(part, 0 | 4 | 8) {
            let searcher = Searcher::open(&index).expect("an index");
            assert!(check(&searcher, &positions) > 5000);
        }
    }
    let before = Searcher::open(&index).expect("an index");
    let removed = remove(
        &index,
        "event:shuffle white_elo:[2100 TO 2200]",
        Reading::default(),
        Consent::All,
    );
    assert!(removed.expect("games are removed").games > 100);
    let after = Searcher::open(&index).expect("an index");
    assert!(check(&after, &positions) < check(&before, &positions));
}
