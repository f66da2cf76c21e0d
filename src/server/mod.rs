//! HTTP: pgndex's own API, the API of the Lichess opening explorer, and the web page, over one or more indexes.
//!
//! The only room that knows axum, tokio or a status code, and the only one that is asynchronous. It opens indexes, asks
//! them through `search` and `export`, and turns answers into responses; it decides nothing about chess. All work on an
//! index runs on threads of its own behind a gate, so that slow questions cannot starve quick ones of
//! the threads that read requests.
//!
//! Nobody who asks is trusted: no path is ever made from a request, every size is bounded, and every question has a
//! deadline.

mod answer;
mod api;
mod connections;
mod failure;
mod gate;
mod headers;
mod lichess;
mod page;
mod params;
mod router;
mod shelf;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::error::{Error, Result};
use crate::server::gate::Gate;
use crate::server::shelf::Shelf;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// Directories of the indexes; the first one answers who names none.
    pub indexes: Vec<PathBuf>,
    /// The address to listen on.
    pub bind: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// How long a question may take.
    pub timeout: Duration,
    /// How many questions are worked on at once.
    pub n_workers: usize,
    /// Told what goes wrong within the server and cannot be told to its clients.
    pub log: fn(&str),
}

/// What every handler shares.
struct Shared {
    shelf: Shelf,
    gate: Gate,
    log: fn(&str),
}

/// A server that listens. Dropped, it goes on until its process ends.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Opens the indexes and begins to listen.
    ///
    /// # Errors
    ///
    /// When an index cannot be opened, two have the same name, or the address cannot be listened on.
    pub fn start(options: &Options) -> Result<Server> {
        let shared = Arc::new(Shared {
            shelf: Shelf::open(&options.indexes, options.log)?,
            gate: Gate::new(options.n_workers, options.timeout),
            log: options.log,
        });
        let address = SocketAddr::new(options.bind, options.port);
        let named = |e: io::Error| Error::io(address.to_string(), e);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(options.n_workers.max(1) + 1)
            .enable_all()
            .build()
            .map_err(named)?;
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(named)?;
        let address = listener.local_addr().map_err(named)?;
        let (stop, stopped) = oneshot::channel();
        let router = router::router(shared);
        let thread = std::thread::spawn(move || {
            runtime.block_on(connections::serve(&listener, &router, async {
                // A sender that was dropped has nobody who could stop the server.
                if stopped.await.is_err() {
                    std::future::pending::<()>().await;
                }
            }));
        });
        Ok(Server {
            address,
            stop,
            thread,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more connections, answers what was asked, and ends.
    pub fn stop(self) {
        // Neither fails while the thread runs; if it does not, there is nothing left to stop.
        let _ = self.stop.send(());
        let _ = self.thread.join();
    }
}
