//! Good games whose tokens are deleted, doubled, split, glued, misspelt and exchanged: never another game, status ok.
//!
//! What comes of a damaged text is a game that some reading of that text has, move by move, or a game that stops. The twin
//! knows nothing of the reader: it cuts the text at blanks, drops the numbers, and asks what each word means alone.

use pgndex::model::diagnostic::Severity;
use pgndex::notation::{PlayedMove, Reading, read};
use pgndex::parse::header::read_header;
use pgndex::parse::read_games;
use pgndex::replay::{Score, Scrutiny, Status, replay};
use proptest::prelude::*;
use shakmaty::{Chess, Position, san::SanPlus, uci::UciMove};

/// A word of a movetext.
#[derive(Clone, Debug)]
struct Token {
    text: String,
    is_move: bool,
}

/// A random game with its numbers.
fn game(choices: &[u16]) -> Vec<Token> {
    let mut pos = Chess::default();
    let mut tokens = Vec::new();
    for (ply, &choice) in choices.iter().enumerate() {
        let moves = pos.legal_moves();
        let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else {
            break;
        };
        if ply % 2 == 0 {
            tokens.push(Token {
                text: format!("{}.", ply / 2 + 1),
                is_move: false,
            });
        }
        tokens.push(Token {
            text: SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string(),
            is_move: true,
        });
    }
    tokens
}

/// What happens to a token.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Delete,
    Double,
    /// At this letter.
    Split(u8),
    /// To the next one.
    Glue,
    /// A letter is another one.
    Misspell(u8, char),
    /// It changes places with the next one.
    Exchange,
    /// Something else stands there.
    Replace(&'static str),
    /// Something else stands before it.
    Insert(&'static str),
}

const WORDS: &[&str] = &[
    "smudge", "??", "N", "-", "...", "Nf", "x", "e", "resigns", "0.35", "(", ")", "{", "}", "e.p.",
    "0 - 0", "sq", "ch", "5.", "12", "9999", "½", "=", "Sf3", "♘f3", "[", "]", ";", "2024", "O-",
];

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        Just(Damage::Delete),
        Just(Damage::Double),
        any::<u8>().prop_map(Damage::Split),
        Just(Damage::Glue),
        (
            any::<u8>(),
            prop::sample::select(
                "abcdefghNBRQK12345678x+#=O-0!? "
                    .chars()
                    .collect::<Vec<_>>()
            )
        )
            .prop_map(|(at, c)| Damage::Misspell(at, c)),
        Just(Damage::Exchange),
        prop::sample::select(WORDS).prop_map(Damage::Replace),
        prop::sample::select(WORDS).prop_map(Damage::Insert),
    ]
}

fn damaged(tokens: &[Token], damages: &[(u16, Damage)]) -> String {
    let mut words: Vec<String> = tokens
        .iter()
        .map(|token| token.text.clone() + " ")
        .collect();
    for &(at, damage) in damages {
        if words.is_empty() {
            break;
        }
        let at = usize::from(at) % words.len();
        let n_letters = words[at].trim_end().len().max(1);
        let letter = |n: u8| usize::from(n) % n_letters;
        match damage {
            Damage::Delete => drop(words.remove(at)),
            Damage::Double => words.insert(at, words[at].clone()),
            Damage::Split(n) if words[at].is_ascii() => words[at].insert(letter(n), ' '),
            Damage::Glue => words[at].truncate(n_letters),
            Damage::Misspell(n, c) if words[at].is_ascii() && words[at].len() > 1 => {
                let letter = letter(n);
                words[at].replace_range(letter..=letter, &c.to_string());
            }
            Damage::Exchange if at + 1 < words.len() => words.swap(at, at + 1),
            Damage::Replace(word) => words[at] = format!("{word} "),
            Damage::Insert(word) => words.insert(at, format!("{word} ")),
            Damage::Split(_) | Damage::Misspell(..) | Damage::Exchange => {}
        }
    }
    words.concat()
}

/// The move text without its numbers, cut into the pieces that stand between blanks.
fn pieces(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Whether some reading of the words, each alone or with its neighbours glued, apart or left out, has these moves in order.
fn has_reading(words: &[String], moves: &[String]) -> bool {
    // From each word on, whether the moves from each ply on can be read: a search over both, in order.
    let mut reachable = vec![(0_usize, 0_usize, Chess::default())];
    let mut seen = std::collections::HashSet::new();
    while let Some((at, ply, pos)) = reachable.pop() {
        if ply == moves.len() {
            return true;
        }
        if at >= words.len() || !seen.insert((at, ply)) {
            continue;
        }
        // What is no move may be left out, as numbers are.
        reachable.push((at + 1, ply, pos.clone()));
        for n_words in 1..=5.min(words.len() - at) {
            let joined = words[at..at + n_words].join(" ");
            let bare = joined.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            for text in [
                joined.as_str(),
                bare,
                bare.trim_end_matches(['(', ')', '{', '}']),
            ] {
                let Ok(PlayedMove::Move(m)) = read(text, &pos, Reading::default()) else {
                    continue;
                };
                let uci = UciMove::from_standard(m).to_string();
                if uci == moves[ply] {
                    let mut after = pos.clone();
                    after.play_unchecked(m);
                    reachable.push((at + n_words, ply + 1, after));
                }
            }
        }
    }
    false
}

/// Checks the law on a movetext. Returns whether the game is whole.
fn check(original: &[Token], movetext: &str) -> bool {
    let text = format!("[Event \"a\"]\n[Result \"*\"]\n\n{movetext}*\n");
    let mut games = read_games(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    let game = &mut games[0];
    let header = read_header(text.as_bytes(), game);
    let mut score = Score::default();
    let scrutiny = Scrutiny::Everything;
    let replayed = replay(
        text.as_bytes(),
        game,
        &header,
        Reading::default(),
        scrutiny,
        &mut score,
    );
    let is_said = game
        .notes
        .iter()
        .any(|note| note.severity == Severity::Error);
    assert_eq!(replayed.status == Status::Partial, is_said, "{text}");
    // Comments and variations hide what stands in them.
    let mut visible = String::new();
    let (mut depth, mut in_comment) = (0, false);
    for c in movetext.chars() {
        match c {
            '{' if !in_comment => in_comment = true,
            '}' if in_comment => in_comment = false,
            _ if in_comment => {}
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '[' | ']' | '"' => visible.push(' '),
            c => visible.push(c),
        }
    }
    let words = pieces(&visible);
    assert!(
        has_reading(&words, &score.uci),
        "{text}: no reading has {:?}",
        score.uci
    );
    if replayed.status == Status::Ok {
        // Every word that could be a move was played, or the numbers say that it was none: each move word of the original
        // that is still there stands in the game.
        let n_words = words
            .iter()
            .filter(|word| {
                original
                    .iter()
                    .any(|token| token.is_move && token.text == **word)
            })
            .count();
        let hidden = text.contains(';');
        assert!(
            hidden || n_words <= score.uci.len(),
            "{text}: {n_words} moves, but {} plies, ok",
            score.uci.len()
        );
    }
    replayed.status == Status::Ok
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn a_damaged_game_is_never_another_game(
        choices in prop::collection::vec(any::<u16>(), 1..40),
        damages in prop::collection::vec((any::<u16>(), damage()), 0..4),
    ) {
        let tokens = game(&choices);
        let movetext = damaged(&tokens, &damages);
        let is_whole = check(&tokens, &movetext);
        prop_assert!(is_whole || !damages.is_empty());
    }

    /// A word in place of one move, in a game whose numbers stand: the game stops there.
    #[test]
    fn a_word_in_place_of_a_move_stops_the_game(
        choices in prop::collection::vec(any::<u16>(), 1..40),
        at in any::<u16>(),
        word in prop::sample::select(&["smudge", "??", "Nf", "9999", "blurred", "N", "=", "O-"][..]),
    ) {
        let tokens = game(&choices);
        let moves: Vec<usize> = (0..tokens.len()).filter(|&i| tokens[i].is_move).collect();
        let nth = usize::from(at) % moves.len();
        let mut words: Vec<String> = tokens.iter().map(|token| token.text.clone()).collect();
        word.clone_into(&mut words[moves[nth]]);
        let text = format!("[Event \"a\"]\n\n{} *\n", words.join(" "));
        let mut games = read_games(text.as_bytes());
        let header = read_header(text.as_bytes(), &mut games[0]);
        let mut score = Score::default();
        let replayed = replay(text.as_bytes(), &mut games[0], &header, Reading::default(), Scrutiny::Moves, &mut score);
        // A sign behind White's move may be what somebody thought of it.
        let is_remark = matches!(word, "??" | "N" | "=") && nth % 2 == 1;
        prop_assert!(is_remark || replayed.plies as usize == nth, "{}: {:?}", text, replayed);
        prop_assert!(is_remark || replayed.status == Status::Partial, "{}: {:?}", text, replayed);
    }
}
