//! `pgndex search`

use std::io::Write;

use pgndex::export::{CsvWriter, PgnWriter};
use pgndex::notation::{Form, OutputNotation};
use pgndex::search::{Hit, HitCount, Searcher};
use serde::Serialize;

use crate::Outcome;
use crate::args::{Search, SearchFormat, reading};
use crate::output::{grouped, say, shown, stdout, table, write_table};

/// `search --format json`.
#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    /// How ambiguous piece letters were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    hits: Vec<Hit>,
}

/// `search --count --format json`.
#[derive(Serialize)]
struct Count {
    #[serde(flatten)]
    count: HitCount,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

pub(crate) fn run(args: &Search) -> anyhow::Result<Outcome> {
    let searcher = Searcher::open(&args.index)?;
    if args.count {
        return count(args, &searcher);
    }
    let mut hits = searcher.hits(
        &args.query,
        reading(args.notation, args.lang),
        args.sort,
        args.offset,
        args.limit,
    )?;
    let as_san = OutputNotation {
        form: Form::San,
        language: None,
    };
    let is_text = args.format == SearchFormat::Text;
    hits.notation = args.output_notation.or(is_text.then_some(as_san));
    let outcome = if hits.is_empty() {
        Outcome::NothingFound
    } else {
        Outcome::Done
    };
    let note = (!hits.notes.is_empty()).then(|| hits.notes.join("; "));
    let mut out = stdout();
    if args.format != SearchFormat::Json
        && args.format != SearchFormat::Text
        && let Some(note) = &note
    {
        say(note);
    }
    match args.format {
        SearchFormat::Json => {
            let hits = hits.collect::<Result<Vec<_>, _>>()?;
            serde_json::to_writer_pretty(
                &mut out,
                &Answer {
                    query: &args.query,
                    note,
                    hits,
                },
            )?;
            out.write_all(b"\n")?;
        }
        SearchFormat::Ndjson => {
            for hit in hits {
                serde_json::to_writer(&mut out, &hit?)?;
                out.write_all(b"\n")?;
            }
        }
        SearchFormat::Text => {
            if let Some(note) = note {
                writeln!(out, "{note}")?;
            }
            let mut rows = table(
                &[
                    "id", "white", "black", "result", "date", "event", "eco", "ply", "move",
                    "position",
                ],
                99,
            );
            for hit in hits {
                let hit = hit?;
                let named = |name: &str, elo: Option<u16>| {
                    elo.map_or_else(
                        || shown(name, 24),
                        |elo| format!("{} ({elo})", shown(name, 24)),
                    )
                };
                rows.add_row([
                    hit.id.to_string(),
                    named(&hit.white, hit.white_elo),
                    named(&hit.black, hit.black_elo),
                    hit.result.to_owned(),
                    shown(&hit.date, 10),
                    shown(&hit.event, 24),
                    hit.eco.clone().unwrap_or_default(),
                    ply(&hit),
                    hit.played.unwrap_or_default(),
                    hit.fen.unwrap_or_default(),
                ]);
            }
            if outcome == Outcome::Done {
                write_table(&rows, &mut out)?;
            }
        }
        SearchFormat::Csv => {
            let mut rows = CsvWriter::new(&mut out, args.output_notation)?;
            while let Some(game) = hits.next_game()? {
                rows.write(game)?;
            }
            rows.finish()?;
        }
        SearchFormat::Pgn => {
            let mut games = PgnWriter::new(args.output_notation);
            while let Some(game) = hits.next_game()? {
                games.write(game, &mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}

/// The ply of a hit; in a variation also the ply at which that leaves the main line.
fn ply(hit: &Hit) -> String {
    match (hit.ply, hit.branch_ply) {
        (Some(ply), Some(branch)) => format!("{ply} from {branch}"),
        (Some(ply), None) => ply.to_string(),
        (None, _) => String::new(),
    }
}

fn count(args: &Search, searcher: &Searcher) -> anyhow::Result<Outcome> {
    let (count, notes) = searcher.count(&args.query, reading(args.notation, args.lang))?;
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let mut out = stdout();
    if args.format == SearchFormat::Text {
        if let Some(note) = note {
            writeln!(out, "{note}")?;
        }
        writeln!(
            out,
            "{} games, {} hits: {} white, {} draws, {} black, {} unknown",
            grouped(count.games),
            grouped(count.occurrences),
            grouped(count.white),
            grouped(count.draws),
            grouped(count.black),
            grouped(count.unknown)
        )?;
    } else {
        serde_json::to_writer(&mut out, &Count { count, note })?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(if count.games > 0 {
        Outcome::Done
    } else {
        Outcome::NothingFound
    })
}
