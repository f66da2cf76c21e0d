//! What a whole game can be written in.
//!
//! One word cannot tell its language: `Rh3` is an English rook, a Finnish knight and a French king. A whole game nearly
//! always can. An import asks here when a game stops at a word, before it believes the words that came before.

use std::cmp::Reverse;

use shakmaty::Role;

use super::language_set::LanguageSet;
use super::{Form, Language, PlayedMove, Reading, read};
use crate::model::playable::Playable;

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

/// The other languages than that of `reading` in whose letters all `words` are legal moves one after another from
/// `start`: those that mean the same moves together, the most plausible ones first.
///
/// A game that writes some pawn moves with a letter and some without is in no language that has another choice: Finnish
/// and Dutch both read `e4 e5 Pf3 Pc6`, but who writes `e4` writes no `P` for a pawn. Of what is left, that comes first
/// whose letters name more pieces, then what more people speak.
pub fn fitting_languages<P: Playable>(
    start: &P,
    words: &[&str],
    reading: Reading,
) -> Vec<LanguageSet> {
    let own = reading.language.unwrap_or(Language::ENGLISH);
    let mut fits: Vec<(LanguageSet, Replay)> = Vec::new();
    let mut tried: Vec<(Language, Option<usize>)> = Vec::new();
    for language in candidates(words).filter(|&l| l != own) {
        let known = tried
            .iter()
            .find(|(other, _)| other.is_spelled_like(language));
        let fit = match known {
            Some(&(_, fit)) => fit,
            None => {
                let reading = Reading {
                    language: Some(language),
                    ..reading
                };
                let replay = replay(start, words, reading);
                let fit = replay.reached_end.then(|| {
                    let same = fits
                        .iter()
                        .position(|(_, other)| other.moves == replay.moves);
                    same.unwrap_or_else(|| {
                        fits.push((LanguageSet::default(), replay));
                        fits.len() - 1
                    })
                });
                tried.push((language, fit));
                fit
            }
        };
        if let Some(fit) = fit {
            fits[fit].0.insert(language);
        }
    }
    let pawns = |replay: &Replay| {
        let mut pawns = words
            .iter()
            .zip(&replay.moves)
            .filter(|(_, m)| is_pawn_move(**m));
        let first = pawns.next().is_some_and(|(word, _)| names_its_pawn(word));
        pawns.all(|(word, _)| names_its_pawn(word) == first)
    };
    if fits.iter().any(|(_, replay)| pawns(replay)) {
        fits.retain(|(_, replay)| pawns(replay));
    }
    let n_pieces = |replay: &Replay| replay.moves.iter().filter(|m| !is_pawn_move(**m)).count();
    fits.sort_by_key(|(set, replay)| {
        (
            Reverse(n_pieces(replay)),
            set.most_spoken().map(Language::rank),
        )
    });
    fits.into_iter().map(|(set, _)| set).collect()
}

fn is_pawn_move(played: PlayedMove) -> bool {
    matches!(played, PlayedMove::Move(m) if m.role() == Role::Pawn)
}

fn names_its_pawn(word: &str) -> bool {
    let first = word.chars().find(|c| c.is_alphabetic());
    first.is_some_and(|c| !('a'..='h').contains(&c))
}

/// The forms in which all `words` are legal moves one after another from `start`, in the letters of `language`.
pub fn forms_that_fit<P: Playable>(
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
pub fn foreign_game<P: Playable>(start: &P, words: &[&str]) -> Option<ForeignGame> {
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
    moves: Vec<PlayedMove>,
    reached_end: bool,
}

fn replay<P: Playable>(start: &P, words: &[&str], reading: Reading) -> Replay {
    let mut pos = start.clone();
    let mut moves = Vec::new();
    for word in words {
        let played = match read(word, &pos, reading) {
            Ok(PlayedMove::Move(m)) => {
                pos.play_legal(m);
                PlayedMove::Move(m)
            }
            Ok(PlayedMove::Null) if let Some(passed) = pos.passed() => {
                pos = passed;
                PlayedMove::Null
            }
            _ => {
                return Replay {
                    moves,
                    reached_end: false,
                };
            }
        };
        moves.push(played);
    }
    Replay {
        moves,
        reached_end: true,
    }
}

fn candidates(words: &[&str]) -> impl Iterator<Item = Language> {
    Language::all().filter(|l| l.is_script_of(words.iter().flat_map(|word| word.chars())))
}
