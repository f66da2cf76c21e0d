//! The command line of pgndex: arguments, output, exit codes. Everything else is in the library.
//!
//! Results go to stdout, progress and summaries to stderr. Exit status: 0 done or found, 1 nothing found, 2 error,
//! 3 an import that finished but lost something. A reader that closes the pipe early is no error.

mod args;
mod bench;
mod convert;
mod dedupe;
mod explore;
mod export;
mod import;
mod info;
mod letters;
mod move_command;
mod output;
mod remove;
mod search;
#[cfg(feature = "server")]
mod serve;
mod verify;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    NothingFound,
    Lossy,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = match args.command {
        Command::Import(args) => import::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Move(args) => move_command::run(&args),
        Command::Remove(args) => remove::run(&args),
        Command::Dedupe(args) => dedupe::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Verify(args) => verify::run(&args),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NothingFound) => ExitCode::from(1),
        Ok(Outcome::Lossy) => ExitCode::from(3),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::say(&format!("pgndex: {}", message(&error)));
            ExitCode::from(2)
        }
    }
}

/// The error and its causes, without those that the text before them ends with already.
fn message(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(kind)
            || cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind)
                == Some(io::ErrorKind::BrokenPipe)
            || matches!(cause.downcast_ref::<csv::Error>().map(csv::Error::kind), Some(csv::ErrorKind::Io(e)) if kind(e))
    })
}
