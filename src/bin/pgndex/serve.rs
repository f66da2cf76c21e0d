//! `pgndex serve`

use std::sync::mpsc;
use std::time::Duration;

use pgndex::server::{Options, Server};

use crate::Outcome;
use crate::args::{Serve, threads};
use crate::output::say;

pub(crate) fn run(args: &Serve) -> anyhow::Result<Outcome> {
    // From here on an interrupt ends the server in order; before, it ends the program.
    let (interrupt, interrupted) = mpsc::channel();
    ctrlc::set_handler(move || {
        // Whoever interrupts twice is past waiting for the first.
        let _ = interrupt.send(());
    })?;
    let server = Server::start(&Options {
        indexes: args.indexes.clone(),
        bind: args.bind,
        port: args.port,
        timeout: Duration::from_secs(args.timeout),
        n_workers: threads(args.threads),
        log: |text| say(&format!("pgndex: {text}")),
    })?;
    say(&format!("listening on http://{}", server.address()));
    interrupted.recv()?;
    say("stopping");
    server.stop();
    Ok(Outcome::Done)
}
