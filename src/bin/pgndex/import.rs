//! `pgndex import`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use pgndex::ingest::{ImportOptions, ImportSummary, Lines, Progress, ReportSink, import};

use crate::Outcome;
use crate::args::{Import, Letters, TextOrJson, game_reading, threads};
use crate::letters;
use crate::output::{grouped, is_watched, say, stdout};

/// A worker with less memory would use it up by the first pages of each segment, and leave hundreds of tiny segments to be
/// merged: then fewer workers are faster.
const LEAST_WORKER_BYTES: u64 = 32 << 20;

pub(crate) fn run(args: &Import) -> anyhow::Result<Outcome> {
    let progress = Arc::new(Progress::default());
    let stopper = Arc::clone(&progress);
    let stop = move || {
        // An import that waits for a pipe does not look at the flag; whoever asks twice means now. Nothing is lost by that:
        // what is not committed was never there.
        if stopper.stop.swap(true, Ordering::Relaxed) {
            say("pgndex: interrupted twice, stopping at once");
            std::process::exit(2);
        }
    };
    ctrlc::set_handler(stop).context("cannot watch for Ctrl-C")?;
    let report = match &args.report {
        Some(path) => {
            let file = File::create(path).with_context(|| path.display().to_string())?;
            Some(ReportSink {
                path: path.clone(),
                out: Box::new(BufWriter::new(file)),
            })
        }
        None => None,
    };
    let options = ImportOptions {
        threads: n_workers(threads(args.threads), args.memory),
        memory_bytes: args.memory,
        reading: game_reading(args.notation, args.lang),
        encoding: args.encoding,
        variations: if args.variations {
            Lines::WithVariations
        } else {
            Lines::Main
        },
        strict: args.strict,
    };
    let done = Arc::new(AtomicBool::new(false));
    let bar = is_watched().then(|| watch(Arc::clone(&progress), Arc::clone(&done)));
    let result = import(&args.index, &args.sources, &options, report, &progress);
    done.store(true, Ordering::Relaxed);
    if let Some(bar) = bar {
        // The bar draws on a thread of its own; one that panicked has drawn its last.
        let _ = bar.join();
    }
    let summary = match result {
        Err(error @ pgndex::Error::FewerMoves { .. }) => {
            let advice = match args.lang {
                Some(Letters::Of(_)) => "; --lang auto reads each game in its own letters",
                _ => "",
            };
            say(&format!("pgndex: {error}{advice}"));
            return Ok(Outcome::Lossy);
        }
        other => other?,
    };
    for remark in &summary.remarks {
        let class = remark
            .class
            .map_or_else(String::new, |class| format!("{class}: "));
        say(&format!("{}: {class}{}", remark.source, remark.message));
    }
    for source in &summary.reread {
        say(&letters::reread(source, &asked(args)));
    }
    for source in &summary.foreign {
        say(&letters::foreign(source, args.lang == Some(Letters::Auto)));
    }
    if args.format == TextOrJson::Json {
        let mut out = stdout();
        serde_json::to_writer(&mut out, &summary)?;
        out.write_all(b"\n")?;
        out.flush()?;
    } else {
        say(&text(&summary, args.report.is_some()));
    }
    Ok(if summary.lost_something() {
        Outcome::Lossy
    } else {
        Outcome::Done
    })
}

/// The flags that say how games are read, as they were given.
fn asked(args: &Import) -> String {
    let mut flags = Vec::new();
    match args.lang {
        Some(Letters::Of(language)) => flags.push(format!("--lang {}", language.code())),
        Some(Letters::Auto) => flags.push("--lang auto".to_owned()),
        None => {}
    }
    if let Some(form) = args.notation.and_then(|notation| notation.0) {
        flags.push(format!("--notation {}", form.name()));
    }
    if let Some(encoding) = args.encoding {
        flags.push(format!("--encoding {}", encoding.name()));
    }
    if flags.is_empty() {
        return "without --lang".to_owned();
    }
    format!("with {}", flags.join(" "))
}

fn text(summary: &ImportSummary, reported: bool) -> String {
    let mut parts = vec![format!(
        "imported {} games",
        grouped(summary.ok + summary.partial)
    )];
    if summary.partial > 0 {
        let n = grouped(summary.partial);
        parts.push(format!(", {n} of them only up to a bad move"));
    }
    if summary.rejected > 0 {
        parts.push(format!("; left out {}", grouped(summary.rejected)));
    }
    if summary.unchanged > 0 {
        let n = grouped(summary.unchanged);
        parts.push(format!("; {n} games were in the index already, unchanged"));
    }
    parts.extend(letters::read_in(&summary.read_in, &summary.foreign));
    let seconds = summary.seconds.max(1e-9);
    parts.push(format!(
        "\n{} plies, {:.1} MB in {:.2} s: {} games/s, {:.1} MB/s",
        grouped(summary.plies),
        summary.bytes as f64 / 1e6,
        summary.seconds,
        grouped((summary.games as f64 / seconds) as u64),
        summary.bytes as f64 / 1e6 / seconds,
    ));
    if summary.lost_something() && !reported {
        parts.push("\n--report FILE says which games and why".to_owned());
    }
    parts.concat()
}

/// Draws a progress bar until the import is done.
fn watch(progress: Arc<Progress>, done: Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let bar = ProgressBar::new(0);
        let template = "{bar:30} {bytes}/{total_bytes}  {binary_bytes_per_sec}  {msg}  ETA {eta}";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let started = Instant::now();
        while !done.load(Ordering::Relaxed) {
            bar.set_length(progress.total_bytes.load(Ordering::Relaxed));
            bar.set_position(progress.bytes.load(Ordering::Relaxed));
            let games = progress.games.load(Ordering::Relaxed);
            let rate = games as f64 / started.elapsed().as_secs_f64().max(1e-3);
            bar.set_message(format!(
                "{} games, {}/s",
                grouped(games),
                grouped(rate as u64)
            ));
            std::thread::sleep(Duration::from_millis(100));
        }
        bar.finish_and_clear();
    })
}

/// How many workers share so much memory, of so many that are wanted.
fn n_workers(wanted: usize, memory_bytes: u64) -> usize {
    let affordable = (memory_bytes / LEAST_WORKER_BYTES).max(1);
    usize::try_from(affordable).map_or(wanted, |affordable| wanted.min(affordable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_memory_is_shared_by_few_workers() {
        assert_eq!(n_workers(8, 64 << 20), 2);
        assert_eq!(n_workers(8, 2 << 30), 8);
        assert_eq!(n_workers(1, 64 << 20), 1);
        assert_eq!(n_workers(8, 1), 1);
    }
}
