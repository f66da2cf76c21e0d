//! `pgndex convert`

use std::io::Write;

use pgndex::export::convert;
use pgndex::ingest::map_chunks;
use pgndex::model::diagnostic::Severity;
use pgndex::notation::OutputNotation;
use pgndex::source::Source;

use crate::Outcome;
use crate::args::{Convert, reading, threads};
use crate::output::{say, shown, stdout};

pub(crate) fn run(args: &Convert) -> anyhow::Result<Outcome> {
    let source = Source::open(&args.file)?;
    let from = reading(args.from, args.lang);
    let to = OutputNotation {
        form: args.to,
        language: args.to_lang,
    };
    let mut out = stdout();
    let mut outcome = Outcome::Done;
    map_chunks(
        &source,
        threads(args.threads),
        |bytes| convert(bytes, from, to),
        |range, converted| -> anyhow::Result<()> {
            out.write_all(&converted.bytes)?;
            for note in converted.notes {
                if note.severity == Severity::Error {
                    outcome = Outcome::Lossy;
                }
                let token = &source[range.start + note.offset..][..note.len as usize];
                say(&format!(
                    "{}: offset {}: `{}`: {}; left as it is",
                    source.name(),
                    range.start + note.offset,
                    shown(&String::from_utf8_lossy(token), 40),
                    note.class.as_str(),
                ));
            }
            Ok(())
        },
    )?;
    out.flush()?;
    Ok(outcome)
}
