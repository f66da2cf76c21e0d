//! `pgndex explore`

use std::io::Write;

use pgndex::search::{Exploration, ExploredMove, Explorer, Searcher};

use crate::Outcome;
use crate::args::{Explore, TextOrJson, reading};
use crate::output::{grouped, shown, stdout, table, write_table};

/// Width of a bar, in characters.
const BAR: u64 = 30;

pub(crate) fn run(args: &Explore) -> anyhow::Result<Outcome> {
    let searcher = Searcher::open(&args.index)?;
    let answer = searcher.explore(&Explorer {
        fen: args.fen.as_deref(),
        play: args.play.as_deref(),
        filter: args.filter.as_deref(),
        reading: reading(args.notation, args.lang),
        notation: args.output_notation,
    })?;
    let mut out = stdout();
    if args.format == TextOrJson::Json {
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
    } else {
        text(&answer, &mut out)?;
    }
    out.flush()?;
    Ok(if answer.games > 0 {
        Outcome::Done
    } else {
        Outcome::NothingFound
    })
}

fn text(answer: &Exploration, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(opening) = answer.opening {
        writeln!(out, "{} {}", opening.eco, opening.name)?;
    }
    writeln!(
        out,
        "{}\n{} games: {} white, {} draws, {} black, {} unknown\n",
        answer.fen,
        grouped(answer.games),
        grouped(answer.white),
        grouped(answer.draws),
        grouped(answer.black),
        grouped(answer.unknown)
    )?;
    if !answer.moves.is_empty() {
        let mut rows = table(
            &[
                "move",
                "white / draw / black",
                "games",
                "rating",
                "performance",
                "last",
            ],
            2,
        );
        for row in &answer.moves {
            rows.add_row([
                row.text.clone().unwrap_or_else(|| row.san.clone()),
                bar(row),
                grouped(row.games),
                row.average_rating
                    .map(|r| format!("{r:.0}"))
                    .unwrap_or_default(),
                row.performance.map(|p| p.to_string()).unwrap_or_default(),
                row.last_played.map(|y| y.to_string()).unwrap_or_default(),
            ]);
        }
        write_table(&rows, out)?;
    }
    if !answer.top_games.is_empty() {
        writeln!(out, "\ntop games")?;
        let mut rows = table(&["id", "white", "black", "result", "date", "event"], 99);
        for game in &answer.top_games {
            let named = |name: &str, elo: Option<u16>| {
                elo.map_or_else(
                    || shown(name, 24),
                    |elo| format!("{} ({elo})", shown(name, 24)),
                )
            };
            rows.add_row([
                game.id.to_string(),
                named(&game.white, game.white_elo),
                named(&game.black, game.black_elo),
                game.result.to_owned(),
                shown(&game.date, 10),
                shown(&game.event, 30),
            ]);
        }
        write_table(&rows, out)?;
    }
    Ok(())
}

/// White's wins, draws and Black's wins as shares of one bar.
fn bar(row: &ExploredMove) -> String {
    let decided = row.white + row.draws + row.black;
    if decided == 0 {
        return String::new();
    }
    let white = (row.white * BAR + decided / 2) / decided;
    let black = ((row.black * BAR + decided / 2) / decided).min(BAR - white);
    let draws = BAR - white - black;
    [
        "█".repeat(white as usize),
        "▒".repeat(draws as usize),
        "·".repeat(black as usize),
    ]
    .concat()
}
