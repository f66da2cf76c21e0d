//! What a whole game can be written in.
//!
//! One word cannot tell its language: `Rh3` is an English rook, a Finnish knight and a French king. A whole game nearly
//! always can. An import asks here when a game stops at a word, before it believes the words that came before.

use shakmaty::{Move, Position};

use super::{Form, Language, PlayedMove, Reading, read};

/// A game that replays further in the letters of another language than in English ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignGame {
    /// The languages in which it replays furthest.
    pub languages: Vec<Language>,
    /// Whether it replays to its end in them.
    pub is_whole: bool,
    /// How many of the first moves are the same in English and in every language that gets further than English:
    /// these are right whatever the language is, the next one is not known.
    pub n_safe_plies: usize,
}

/// The languages in whose letters all `words` are legal moves one after another from `start`.
///
/// Up to a null move, that is: what follows one is not looked at.
pub fn languages_that_fit<P: Position + Clone>(start: &P, words: &[&str]) -> Vec<Language> {
    candidates(words)
        .filter(|&l| {
            let reading = Reading {
                form: None,
                language: Some(l),
            };
            replay(start, words, reading).reached_end
        })
        .collect()
}

/// The forms in which all `words` are legal moves one after another from `start`, in the letters of `language`.
///
/// Up to a null move, as in [`languages_that_fit`].
pub fn forms_that_fit<P: Position + Clone>(
    start: &P,
    words: &[&str],
    language: Option<Language>,
) -> Vec<Form> {
    Form::ALL
        .into_iter()
        .filter(|&form| {
            let reading = Reading {
                form: Some(form),
                language,
            };
            replay(start, words, reading).reached_end
        })
        .collect()
}

/// Whether a game that stops in English letters is one in other letters.
///
/// `None` if English replays it to the end, or no language further than English. Needed even when the stop itself was
/// at a foreign letter: `h4 a6 Rh3 … Hxd5` is Icelandic, and its `Rh3` was legal in English and wrong.
pub fn foreign_game<P: Position + Clone>(start: &P, words: &[&str]) -> Option<ForeignGame> {
    let english = replay(start, words, Reading::default());
    if english.reached_end {
        return None;
    }
    let further: Vec<(Language, Replay)> = candidates(words)
        .filter(|&l| l != Language::ENGLISH)
        .map(|l| {
            (
                l,
                replay(
                    start,
                    words,
                    Reading {
                        form: None,
                        language: Some(l),
                    },
                ),
            )
        })
        .filter(|(_, replay)| replay.reached_end || replay.moves.len() > english.moves.len())
        .collect();
    let rank = |replay: &Replay| (replay.reached_end, replay.moves.len());
    let furthest = further.iter().map(|(_, replay)| rank(replay)).max()?;
    let n_same = |replay: &Replay| {
        let pairs = english.moves.iter().zip(&replay.moves);
        pairs.take_while(|(ours, theirs)| ours == theirs).count()
    };
    let n_safe_plies = further.iter().map(|(_, replay)| n_same(replay)).min()?;
    Some(ForeignGame {
        languages: further
            .iter()
            .filter(|(_, replay)| rank(replay) == furthest)
            .map(|&(l, _)| l)
            .collect(),
        is_whole: furthest.0,
        n_safe_plies,
    })
}

struct Replay {
    moves: Vec<Move>,
    reached_end: bool,
}

fn replay<P: Position + Clone>(start: &P, words: &[&str], reading: Reading) -> Replay {
    let mut pos = start.clone();
    let mut moves = Vec::new();
    for word in words {
        match read(word, &pos, reading) {
            Ok(PlayedMove::Move(m)) => {
                pos.play_unchecked(m);
                moves.push(m);
            }
            // Passing the turn may leave no legal position, and a foreign game with null moves is not worth the trouble.
            Ok(PlayedMove::Null) => break,
            Err(_) => {
                return Replay {
                    moves,
                    reached_end: false,
                };
            }
        }
    }
    Replay {
        moves,
        reached_end: true,
    }
}

fn candidates(words: &[&str]) -> impl Iterator<Item = Language> {
    Language::all().filter(|l| l.is_script_of(words.iter().flat_map(|word| word.chars())))
}
