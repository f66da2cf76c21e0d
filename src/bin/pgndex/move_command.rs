//! `pgndex move`

use std::io::Write;

use pgndex::model::fen::{FenUse, read_fen};
use pgndex::model::playable::start_of;
use pgndex::notation::{Form, Language, PlayedMove, read, write};
use serde_json::{Map, Value, json};
use shakmaty::variant::VariantPosition;

use crate::Outcome;
use crate::args::{Move, TextOrJson, reading};
use crate::output::stdout;

pub(crate) fn run(args: &Move) -> anyhow::Result<Outcome> {
    let pos = match &args.fen {
        Some(fen) => {
            read_fen(fen, args.variant, FenUse::Tag)
                .map_err(|e| anyhow::anyhow!("bad_fen: `{fen}`: {e}"))?
                .pos
        }
        None => start_of(args.variant),
    };
    let reading = reading(args.notation, args.lang);
    let mut out = stdout();
    match read(&args.text, &pos, reading) {
        Ok(played) => {
            let answer = every_notation(&pos, played);
            if args.format == TextOrJson::Json {
                serde_json::to_writer(&mut out, &answer)?;
                writeln!(out)?;
            } else {
                for (name, text) in &answer {
                    match text {
                        Value::Object(letters) => {
                            for (code, text) in letters {
                                writeln!(out, "{code:12} {}", text.as_str().unwrap_or_default())?;
                            }
                        }
                        text => writeln!(out, "{name:12} {}", text.as_str().unwrap_or_default())?,
                    }
                }
            }
            out.flush()?;
            Ok(Outcome::Done)
        }
        Err(error) if args.format == TextOrJson::Json => {
            serde_json::to_writer(&mut out, &json!({ "error": error.class() }))?;
            writeln!(out)?;
            out.flush()?;
            Ok(Outcome::NothingFound)
        }
        Err(error) => anyhow::bail!("{}: `{}`: {error}", error.class(), args.text),
    }
}

fn every_notation(pos: &VariantPosition, played: PlayedMove) -> Map<String, Value> {
    let mut answer = Map::new();
    let PlayedMove::Move(m) = played else {
        answer.insert("uci".to_owned(), Value::from("0000"));
        answer.insert("san".to_owned(), Value::from("--"));
        return answer;
    };
    let forms = [
        ("uci", Form::Uci),
        ("san", Form::San),
        ("lan", Form::Long),
        ("figurine", Form::Figurine),
        ("iccf", Form::Iccf),
        ("descriptive", Form::Descriptive),
    ];
    for (name, form) in forms {
        answer.insert(name.to_owned(), Value::from(write(m, pos, form, None)));
    }
    let letters: Map<String, Value> = Language::all()
        .map(|language| {
            (
                language.code().to_owned(),
                Value::from(write(m, pos, Form::San, Some(language))),
            )
        })
        .collect();
    answer.insert("letters".to_owned(), Value::Object(letters));
    answer
}
