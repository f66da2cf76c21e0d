//! `pgndex dedupe`

use std::io::Write;

use pgndex::search::{Consent, dedupe};

use crate::Outcome;
use crate::args::{Dedupe, TextOrJson};
use crate::output::{grouped, stdout};

pub(crate) fn run(args: &Dedupe) -> anyhow::Result<Outcome> {
    let consent = if args.dry_run {
        Consent::DryRun
    } else {
        Consent::All
    };
    let found = dedupe(&args.index, args.mode.into(), consent)?;
    let mut out = stdout();
    if args.format == TextOrJson::Json {
        serde_json::to_writer(&mut out, &found)?;
        writeln!(out)?;
    } else {
        for group in &found.groups {
            let others: Vec<String> = group[1..].iter().map(ToString::to_string).collect();
            writeln!(out, "{}: {}", group[0], others.join(" "))?;
        }
        let (n_groups, games, left) = (
            grouped(found.groups.len() as u64),
            grouped(found.games),
            grouped(found.left),
        );
        if found.dry_run {
            writeln!(
                out,
                "{n_groups} groups; {games} games would go, {left} would be left; nothing was changed"
            )?;
        } else {
            writeln!(
                out,
                "{n_groups} groups; removed {games} games, {left} are left"
            )?;
        }
    }
    out.flush()?;
    Ok(if found.groups.is_empty() {
        Outcome::NothingFound
    } else {
        Outcome::Done
    })
}
