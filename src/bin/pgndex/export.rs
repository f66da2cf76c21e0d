//! `pgndex export`

use std::io::Write;

use pgndex::export::{CsvWriter, PgnWriter, write_epd_lines, write_ndjson};
use pgndex::search::{Searcher, SortKey, SortOrder};

use crate::Outcome;
use crate::args::{Export, ExportFormat, reading};
use crate::output::file_or_stdout;

pub(crate) fn run(args: &Export) -> anyhow::Result<Outcome> {
    let searcher = Searcher::open(&args.index)?;
    let query = args.query.as_deref().unwrap_or("*");
    let by_id = SortOrder {
        key: SortKey::Id,
        descending: false,
    };
    let mut games = searcher.hits(
        query,
        reading(args.notation, args.lang),
        by_id,
        0,
        usize::MAX,
    )?;
    let outcome = if games.is_empty() {
        Outcome::NothingFound
    } else {
        Outcome::Done
    };
    let mut out = file_or_stdout(args.output.as_deref())?;
    match args.format {
        ExportFormat::Pgn => {
            let mut pgn = PgnWriter::new(args.output_notation);
            while let Some(game) = games.next_game()? {
                pgn.write(game, &mut out)?;
            }
        }
        ExportFormat::Ndjson => {
            while let Some(game) = games.next_game()? {
                write_ndjson(game, &mut out)?;
            }
        }
        ExportFormat::Csv => {
            let mut rows = CsvWriter::new(&mut out, args.output_notation)?;
            while let Some(game) = games.next_game()? {
                rows.write(game)?;
            }
            rows.finish()?;
        }
        ExportFormat::Epd => {
            while let Some(game) = games.next_game()? {
                write_epd_lines(game, &mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}
