//! `pgndex convert`

use std::io::Write;

use pgndex::export::convert;
use pgndex::ingest::map_chunks;
use pgndex::model::diagnostic::Severity;
use pgndex::notation::{Language, OutputNotation};
use pgndex::source::Trouble;

use crate::Outcome;
use crate::args::{Convert, game_reading, threads};
use crate::output::{say, shown, stdout};

pub(crate) fn run(args: &Convert) -> anyhow::Result<Outcome> {
    let from = game_reading(args.from, args.lang);
    let to = output(args.to, args.to_lang)?;
    let mut out = stdout();
    let mut outcome = Outcome::Done;
    let troubles = map_chunks(
        &args.file,
        args.encoding,
        threads(args.threads),
        |bytes| convert(bytes, from, to),
        |name, chunk, converted| -> anyhow::Result<()> {
            out.write_all(&converted.bytes)?;
            for note in converted.notes {
                if note.severity == Severity::Error {
                    outcome = Outcome::Lossy;
                }
                let token = &chunk.part[note.offset..][..note.len as usize];
                say(&format!(
                    "{name}: offset {}: `{}`: {}; left as it is",
                    chunk.part.offset() + note.offset as u64,
                    shown(&String::from_utf8_lossy(token), 40),
                    note.class.as_str(),
                ));
            }
            Ok(())
        },
    )?;
    for trouble in troubles {
        outcome = Outcome::Lossy;
        let Trouble { class, message } = trouble;
        say(&format!("{}: {class}: {message}", args.file.display()));
    }
    out.flush()?;
    Ok(outcome)
}

/// What to write: the language may stand in `--to` or in `--to-lang`, but not two of them.
fn output(to: OutputNotation, language: Option<Language>) -> anyhow::Result<OutputNotation> {
    match (to.language, language) {
        (Some(ours), Some(other)) if ours != other => {
            anyhow::bail!("--to names {ours} and --to-lang {other}: name one language")
        }
        (ours, other) => Ok(OutputNotation {
            language: ours.or(other),
            ..to
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_the_output_is_named_once() {
        let german = Language::from_code("de");
        let to = |name: &str| {
            name.parse::<OutputNotation>()
                .unwrap_or_else(|e| panic!("{e}"))
        };
        let both = |name, language| output(to(name), language).ok();
        assert_eq!(both("long", german), Some(to("long:de")));
        assert_eq!(both("de", german), Some(to("de")));
        assert_eq!(both("fide:de", None), Some(to("fide:de")));
        assert_eq!(both("nl", german), None);
    }
}
