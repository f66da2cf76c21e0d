//! `pgndex remove`

use std::io::Write;

use pgndex::search::{Consent, Removal, Searcher, remove};

use crate::Outcome;
use crate::args::{Remove, TextOrJson, reading};
use crate::output::{grouped, say, shown, stdout, table, write_table};

/// Most games that a dry run shows as text.
const MOST_SHOWN: usize = 20;

pub(crate) fn run(args: &Remove) -> anyhow::Result<Outcome> {
    let consent = match (args.dry_run, args.yes) {
        (true, _) => Consent::DryRun,
        (false, false) => Consent::Few,
        (false, true) => Consent::All,
    };
    let removal = remove(
        &args.index,
        &args.query,
        reading(args.notation, args.lang),
        consent,
    )?;
    for note in &removal.notes {
        say(note);
    }
    let mut out = stdout();
    if args.format == TextOrJson::Json {
        serde_json::to_writer(&mut out, &removal)?;
        writeln!(out)?;
    } else if removal.dry_run {
        would_go(args, &removal, &mut out)?;
    } else {
        writeln!(
            out,
            "removed {} games, {} are left",
            grouped(removal.games),
            grouped(removal.left)
        )?;
    }
    out.flush()?;
    Ok(if removal.games > 0 {
        Outcome::Done
    } else {
        Outcome::NothingFound
    })
}

/// The first games that would go, and how many they are.
fn would_go(args: &Remove, removal: &Removal, out: &mut impl Write) -> anyhow::Result<()> {
    let searcher = Searcher::open(&args.index)?;
    let mut rows = table(&["id", "white", "black", "result", "date", "event"], 99);
    for hit in searcher.games(&removal.ids[..removal.ids.len().min(MOST_SHOWN)])? {
        let hit = hit?;
        rows.add_row([
            hit.id.to_string(),
            shown(&hit.white, 24),
            shown(&hit.black, 24),
            hit.result.to_owned(),
            shown(&hit.date, 10),
            shown(&hit.event, 24),
        ]);
    }
    if removal.games > 0 {
        write_table(&rows, out)?;
    }
    if removal.ids.len() > MOST_SHOWN {
        writeln!(
            out,
            "and {} more",
            grouped((removal.ids.len() - MOST_SHOWN) as u64)
        )?;
    }
    writeln!(
        out,
        "{} games would go, {} would be left; nothing was changed",
        grouped(removal.games),
        grouped(removal.left)
    )?;
    Ok(())
}
