//! `pgndex move`

use std::io::Write;

use pgndex::export::every_notation;
use pgndex::model::fen::{FenUse, read_fen};
use pgndex::model::playable::start_of;
use pgndex::notation::{Language, MoveError, languages_of_move, read, without_move_number};
use serde_json::{Value, json};

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
    let text = without_move_number(&args.text);
    match read(text, &pos, reading) {
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
        Err(error @ MoveError::ForeignLetters) => {
            let names: Vec<String> = languages_of_move(text, &pos)
                .into_iter()
                .map(|l| format!("{} ({})", Language::name(l), l.code()))
                .collect();
            anyhow::bail!(
                "{}: `{}`: these are piece letters of {}; choose one with --lang",
                error.class(),
                args.text,
                names.join(", "),
            )
        }
        Err(error) => anyhow::bail!("{}: `{}`: {error}", error.class(), args.text),
    }
}
