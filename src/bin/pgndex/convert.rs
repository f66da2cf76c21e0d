//! `pgndex convert`

use std::io::Write;

use pgndex::export::convert;
use pgndex::ingest::map_chunks;
use pgndex::model::diagnostic::Severity;
use pgndex::notation::OutputNotation;
use pgndex::source::Trouble;

use crate::Outcome;
use crate::args::{Convert, reading, threads};
use crate::output::{say, shown, stdout};

pub(crate) fn run(args: &Convert) -> anyhow::Result<Outcome> {
    let from = reading(args.from, args.lang);
    let to = OutputNotation {
        form: args.to,
        language: args.to_lang,
    };
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
