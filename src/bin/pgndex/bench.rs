//! `pgndex bench`: every stage against the yardsticks, in one run.
//!
//! Stages and yardsticks take turns, every other time in the opposite order, so that a machine that slows down slows all of
//! them; medians are printed, and each time as a multiple of what validating alone takes on the same threads.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use pgndex::index::PartSizes;
use pgndex::ingest::{ImportOptions, Lines, Progress, Stage, import, run_stage};
use pgndex::search::{Latency, Question, Searcher};
use pgndex::source::Source;
use serde::Serialize;

use crate::Outcome;
use crate::args::{Bench, TextOrJson, reading, threads};
use crate::output::{grouped, say, stdout, table, write_table};

const STAGES: [(&str, Stage); 8] = [
    ("memory copy", Stage::Copy),
    ("count of [Event", Stage::CountEvents),
    ("scan", Stage::Scan),
    ("parse", Stage::Parse),
    ("replay", Stage::Replay),
    ("replay + SAN", Stage::ReplaySan),
    ("pgn-reader: parse", Stage::PgnReaderParse),
    ("pgn-reader: validate", Stage::PgnReaderValidate),
];
const IMPORT: &str = "import, committed";
const YARDSTICK: &str = "pgn-reader: validate";
/// Positions that are asked for.
const POSITIONS: usize = 2000;
/// How often each other question is asked.
const TIMES_ASKED: usize = 100;

/// `bench --format json`, one for each file.
#[derive(Serialize)]
struct Answer {
    file: String,
    bytes: u64,
    games: u64,
    plies: u64,
    threads: usize,
    runs: usize,
    stages: Vec<Row>,
    index_bytes: PartSizes,
    index_bytes_per_game: f64,
    index_bytes_per_pgn_byte: f64,
    position_bytes_per_ply: f64,
    latency: Vec<Latency>,
    questions: Vec<Question>,
    /// Median time to open the index, milliseconds.
    open_ms: f64,
}

#[derive(Serialize)]
struct Row {
    stage: &'static str,
    /// Median wall time.
    seconds: f64,
    games_per_second: f64,
    megabytes_per_second: f64,
    plies_per_second: f64,
    /// Its time as a multiple of validating alone.
    times_validate: f64,
}

pub(crate) fn run(args: &Bench) -> anyhow::Result<Outcome> {
    let mut out = stdout();
    for file in &args.files {
        let answer = bench(file, args)?;
        if args.format == TextOrJson::Json {
            serde_json::to_writer(&mut out, &answer)?;
            writeln!(out)?;
        } else {
            text(&answer, &mut out)?;
        }
        out.flush()?;
    }
    Ok(Outcome::Done)
}

fn bench(file: &Path, args: &Bench) -> anyhow::Result<Answer> {
    let threads = threads(args.threads);
    let source = Source::read_whole(file)?;
    let directory = std::env::temp_dir().join(format!("pgndex-bench-{}", std::process::id()));
    let mut times: Vec<(&'static str, Vec<Duration>)> = STAGES
        .iter()
        .map(|(name, _)| (*name, Vec::new()))
        .chain([(IMPORT, Vec::new())])
        .collect();
    let (mut games, mut plies) = (0, 0);
    for run in 0..args.runs.max(1) {
        say(&format!(
            "{}: run {} of {}",
            file.display(),
            run + 1,
            args.runs.max(1)
        ));
        let mut order: Vec<usize> = (0..times.len()).collect();
        if run % 2 == 1 {
            order.reverse();
        }
        for i in order {
            let elapsed = match STAGES.get(i) {
                Some((name, stage)) => {
                    let (tally, elapsed) =
                        run_stage(&source, *stage, threads).with_context(|| (*name).to_owned())?;
                    if *stage == Stage::Replay {
                        (games, plies) = (tally.games, tally.plies);
                    }
                    elapsed
                }
                None => time_import(file, &directory, threads, args.memory)?,
            };
            times[i].1.push(elapsed);
        }
    }
    let sizes = PartSizes::of(&directory)?;
    let mut opened = Vec::new();
    for _ in 0..args.runs.max(1) {
        let started = Instant::now();
        drop(Searcher::open(&directory)?);
        opened.push(started.elapsed());
    }
    let searcher = Searcher::open(&directory)?;
    // The first round brings the index into memory; the second is measured.
    searcher.time_positions(POSITIONS)?;
    let latency = searcher.time_positions(POSITIONS)?;
    searcher.time_questions(1)?;
    let questions = searcher.time_questions(TIMES_ASKED)?;
    drop(searcher);
    remove(&directory)?;
    let validate = times
        .iter()
        .find(|(name, _)| *name == YARDSTICK)
        .map_or(1.0, |(_, times)| median(times));
    let bytes = source.len() as u64;
    let stages = times
        .iter()
        .map(|(stage, times)| {
            let seconds = median(times);
            Row {
                stage,
                seconds,
                games_per_second: games as f64 / seconds,
                megabytes_per_second: bytes as f64 / 1e6 / seconds,
                plies_per_second: plies as f64 / seconds,
                times_validate: seconds / validate,
            }
        })
        .collect();
    Ok(Answer {
        file: file.display().to_string(),
        bytes,
        games,
        plies,
        threads,
        runs: args.runs.max(1),
        stages,
        index_bytes: sizes,
        index_bytes_per_game: sizes.total as f64 / games.max(1) as f64,
        index_bytes_per_pgn_byte: sizes.total as f64 / bytes.max(1) as f64,
        position_bytes_per_ply: sizes.positions as f64 / (plies + games).max(1) as f64,
        latency,
        questions,
        open_ms: median(&opened) * 1e3,
    })
}

fn median(times: &[Duration]) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64().max(1e-9)
}

/// Imports a file into a new index.
fn time_import(
    file: &Path,
    directory: &Path,
    threads: usize,
    memory_bytes: u64,
) -> anyhow::Result<Duration> {
    remove(directory)?;
    let options = ImportOptions {
        threads,
        memory_bytes,
        reading: reading(None, None).into(),
        encoding: None,
        variations: Lines::Main,
        strict: false,
    };
    let started = Instant::now();
    import(
        directory,
        &[file.to_owned()],
        &options,
        None,
        &Progress::default(),
    )?;
    Ok(started.elapsed())
}

fn remove(directory: &Path) -> anyhow::Result<()> {
    match std::fs::remove_dir_all(directory) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(e).context(directory.display().to_string())
        }
        _ => Ok(()),
    }
}

fn text(answer: &Answer, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{}: {:.1} MB, {} games, {} plies; {} threads, median of {}\n",
        answer.file,
        answer.bytes as f64 / 1e6,
        grouped(answer.games),
        grouped(answer.plies),
        answer.threads,
        answer.runs
    )?;
    let mut rows = table(
        &[
            "stage",
            "seconds",
            "games/s",
            "MB/s",
            "plies/s",
            "x validate",
        ],
        1,
    );
    for row in &answer.stages {
        rows.add_row([
            row.stage.to_owned(),
            format!("{:.3}", row.seconds),
            grouped(row.games_per_second as u64),
            format!("{:.1}", row.megabytes_per_second),
            grouped(row.plies_per_second as u64),
            format!("{:.2}", row.times_validate),
        ]);
    }
    write_table(&rows, out)?;
    let sizes = answer.index_bytes;
    let mut rows = table(&["index", "bytes", "per game"], 1);
    for (part, bytes) in [
        ("games", sizes.games),
        ("positions", sizes.positions),
        ("moves", sizes.moves),
        ("tags", sizes.tags),
        ("columns", sizes.columns),
        ("total", sizes.total),
    ] {
        rows.add_row([
            part.to_owned(),
            grouped(bytes),
            format!("{:.1}", bytes as f64 / answer.games.max(1) as f64),
        ]);
    }
    writeln!(out)?;
    write_table(&rows, out)?;
    writeln!(
        out,
        "{:.2} times the PGN; positions {:.2} bytes a ply\n",
        answer.index_bytes_per_pgn_byte, answer.position_bytes_per_ply
    )?;
    let mut rows = table(&["position of", "asked", "p50 µs", "p99 µs"], 1);
    for class in &answer.latency {
        rows.add_row([
            class.class.to_owned(),
            grouped(class.n as u64),
            format!("{:.0}", class.p50_us),
            format!("{:.0}", class.p99_us),
        ]);
    }
    write_table(&rows, out)?;
    let mut rows = table(&["question", "games", "p50 ms", "p99 ms"], 1);
    for question in &answer.questions {
        rows.add_row([
            question.question.to_owned(),
            grouped(question.games),
            format!("{:.2}", question.p50_us / 1e3),
            format!("{:.2}", question.p99_us / 1e3),
        ]);
    }
    writeln!(out)?;
    write_table(&rows, out)?;
    writeln!(out, "opening the index: {:.1} ms\n", answer.open_ms)?;
    Ok(())
}
