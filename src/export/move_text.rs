//! One move in every notation.

use serde_json::{Map, Value};
use shakmaty::Position;

use crate::notation::{Form, Language, PlayedMove, write};

/// The forms that every move is shown in, by their names in the answer.
const FORMS: [(&str, Form); 6] = [
    ("uci", Form::Uci),
    ("san", Form::San),
    ("lan", Form::Long),
    ("figurine", Form::Figurine),
    ("iccf", Form::Iccf),
    ("descriptive", Form::Descriptive),
];

/// A legal move in each form, and under `letters` its SAN in each language, by code. A null move has only UCI and SAN.
pub fn every_notation<P: Position + Clone>(pos: &P, played: PlayedMove) -> Map<String, Value> {
    let mut answer = Map::new();
    let PlayedMove::Move(m) = played else {
        answer.insert("uci".to_owned(), Value::from("0000"));
        answer.insert("san".to_owned(), Value::from("--"));
        return answer;
    };
    for (name, form) in FORMS {
        answer.insert(name.to_owned(), Value::from(write(m, pos, form, None)));
    }
    let letters: Map<String, Value> = Language::all()
        .map(|language| {
            let text = write(m, pos, Form::San, Some(language));
            (language.code().to_owned(), Value::from(text))
        })
        .collect();
    answer.insert("letters".to_owned(), Value::Object(letters));
    answer
}
