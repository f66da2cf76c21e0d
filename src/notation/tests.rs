//! The vectors of the specification; the laws, the patterns and the single spellings have their files.
//!
//! `vectors.json` is a copy of the specification's vectors.

mod books;
mod laws;
mod patterns;
mod reading;

use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::san::Suffix;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::*;
use crate::model::move_token::{Check, MoveToken};

fn vectors() -> Value {
    serde_json::from_str(include_str!("vectors.json")).unwrap()
}

fn text<'a>(vector: &'a Value, key: &str) -> &'a str {
    vector[key].as_str().unwrap_or_default()
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}

fn language(code: &str) -> Option<Language> {
    Some(Language::from_code(code).unwrap()).filter(|&l| l != Language::ENGLISH)
}

fn read_move<P: Position + Clone>(
    text: &str,
    pos: &P,
    reading: Reading,
) -> Result<Move, MoveError> {
    match read(text, pos, reading)? {
        PlayedMove::Move(m) => Ok(m),
        PlayedMove::Null => panic!("{text} is a null move"),
    }
}

/// The reading that a vector asks for, and the one that finds the form by itself.
fn readings(vector: &Value) -> [Reading; 2] {
    let language = language(text(vector, "lang"));
    let form = Some(text(vector, "form").parse().unwrap());
    [
        Reading { form, language },
        Reading {
            form: None,
            language,
        },
    ]
}

fn check_of<P: Position>(pos: &P) -> Check {
    match Suffix::from_position(pos) {
        None => Check::None,
        Some(Suffix::Check) => Check::Check,
        Some(Suffix::Checkmate) => Check::Mate,
    }
}

/// The token of a legal move of `pos`.
fn token<P: Position + Clone>(pos: &P, m: Move) -> MoveToken {
    let mut after = pos.clone();
    after.play_unchecked(m);
    MoveToken::new(pos.turn(), m, check_of(&after))
}

#[test]
fn vector_games_replay() {
    for game in vectors()["games"].as_array().unwrap() {
        let id = text(game, "id");
        let words = split_line(text(game, "text"));
        for reading in readings(game) {
            let mut pos = Chess::default();
            let mut uci = Vec::new();
            let mut san = Vec::new();
            for word in &words {
                assert!(looks_like_move(word.as_bytes(), reading), "{id} {word}");
                let m =
                    read_move(word, &pos, reading).unwrap_or_else(|e| panic!("{id} {word}: {e}"));
                let found = pattern(word, reading).unwrap();
                assert!(found.pattern.matches(token(&pos, m)), "{id} {word}");
                uci.push(write(m, &pos, Form::Uci, None));
                san.push(write(m, &pos, Form::San, None));
                pos.play_unchecked(m);
            }
            assert_eq!(uci.join(" "), text(game, "uci"), "{id}");
            assert_eq!(san.join(" "), text(game, "san"), "{id}");
            let fen = Fen::from_position(&pos, shakmaty::EnPassantMode::Legal);
            assert_eq!(fen.to_string(), text(game, "final_fen"), "{id}");
        }
    }
}

#[test]
fn vector_games_are_written_as_they_stand() {
    for game in vectors()["games"].as_array().unwrap() {
        let (id, reading) = (text(game, "id"), readings(game)[0]);
        // FIDE spells castling with zeros and abbreviated algebraic drops signs: neither is what we write.
        if matches!(text(game, "form"), "fide" | "abbreviated") {
            continue;
        }
        let mut pos = Chess::default();
        for word in split_line(text(game, "text")) {
            let m = read_move(word, &pos, reading).unwrap();
            let written = write(m, &pos, reading.form.unwrap(), reading.language);
            assert_eq!(written, word, "{id}");
            pos.play_unchecked(m);
        }
    }
}

#[test]
fn vector_moves_resolve() {
    for vector in vectors()["moves"].as_array().unwrap() {
        let pos = position(text(vector, "fen"));
        let written = text(vector, "text");
        for reading in readings(vector) {
            let found = read_move(written, &pos, reading);
            let Some(uci) = vector["uci"].as_str() else {
                let error = found.expect_err(written);
                assert!(
                    text(vector, "note").starts_with(error.class()),
                    "{written}: {error}"
                );
                continue;
            };
            let m = found.unwrap_or_else(|e| panic!("{written} in {reading:?}: {e}"));
            assert_eq!(write(m, &pos, Form::Uci, None), uci, "{written}");
            assert_eq!(
                write(m, &pos, Form::San, None),
                text(vector, "san"),
                "{written}"
            );
            let form = reading.form.unwrap_or(Form::San);
            let back = write(m, &pos, form, reading.language);
            assert_eq!(read_move(&back, &pos, reading), Ok(m), "{back}");
            let found = pattern(written, reading).unwrap();
            assert!(found.pattern.matches(token(&pos, m)), "{written}");
        }
    }
}
