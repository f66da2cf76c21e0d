//! `pgndex verify`

use std::io::Write;

use indicatif::ProgressBar;
use pgndex::index::verify;

use crate::Outcome;
use crate::args::{TextOrJson, Verify};
use crate::output::{grouped, is_watched, stdout};

pub(crate) fn run(args: &Verify) -> anyhow::Result<Outcome> {
    let bar = if is_watched() {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::hidden()
    };
    let verified = verify(&args.index, |games| {
        if games.is_multiple_of(1000) {
            bar.set_message(format!("{} games", grouped(games)));
            bar.tick();
        }
    });
    bar.finish_and_clear();
    let verified = verified?;
    let mut out = stdout();
    if args.format == TextOrJson::Json {
        serde_json::to_writer(&mut out, &verified)?;
        writeln!(out)?;
    } else {
        writeln!(
            out,
            "sound: {} games replayed, {} positions found, {} segments",
            grouped(verified.games),
            grouped(verified.positions),
            grouped(verified.segments)
        )?;
    }
    out.flush()?;
    Ok(Outcome::Done)
}
