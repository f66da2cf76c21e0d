//! Connections: taken, bounded, and ended.
//!
//! axum's own loop bounds neither the number of connections nor how long one may take to say what it wants; hyper can,
//! so the loop is here.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Most connections at once; the next one waits until one ends.
const MOST_CONNECTIONS: usize = 1024;
/// Most bytes of a request's line and headers.
const MOST_HEAD_BYTES: usize = 32 << 10;
/// How long a client may take to send them.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// How long answers in progress are waited for at the end.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// Pause after a connection that could not be taken, mostly because the process has too many files open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves until `stop`, then answers what was asked.
pub(super) async fn serve(listener: &TcpListener, router: &Router, stop: impl Future<Output = ()>) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MOST_HEAD_BYTES);
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut stop = pin!(stop);
    loop {
        let next = async {
            let place = Arc::clone(&connections).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, stream) = tokio::select! {
            () = &mut stop => break,
            next = next => match next {
                (place, Ok((stream, _))) => (place, stream),
                (_, Err(_)) => {
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
        };
        // Answers are small and written whole; waiting for more to send would only delay them.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A connection that breaks is its client's affair.
            let _ = connection.await;
            drop(place);
        });
    }
    let _ = tokio::time::timeout(LAST_ANSWERS, graceful.shutdown()).await;
}
