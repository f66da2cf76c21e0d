//! How many questions are worked on at once, how many may wait, and for how long.
//!
//! A question needs a core and memory for its lists. More of them at once than there are cores would only make each
//! slower, so the rest waits; and when too many wait, the next is told so at once instead of being kept until it gives
//! up. What has begun cannot be stopped from outside: it keeps its place until it sees its deadline.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::time::timeout_at;

use crate::search::Limits;
use crate::server::failure::Failure;

/// Most questions that may wait.
const MOST_WAITING: usize = 512;
/// Most clauses of a query. Each may hold a list of every ply of the index while it is worked on.
const MOST_CLAUSES: usize = 32;
/// How long a question that does not see its deadline is waited for.
const GRACE: Duration = Duration::from_secs(1);

pub(super) struct Gate {
    /// Places for those that wait or work.
    inside: Arc<Semaphore>,
    workers: Arc<Semaphore>,
    timeout: Duration,
}

impl Gate {
    pub(super) fn new(n_workers: usize, timeout: Duration) -> Gate {
        let n_workers = n_workers.max(1);
        Gate {
            inside: Arc::new(Semaphore::new(n_workers + MOST_WAITING)),
            workers: Arc::new(Semaphore::new(n_workers)),
            timeout,
        }
    }

    /// How long a question may take.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Works on a question on another thread.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Limits) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let deadline = Instant::now() + self.timeout;
        let limits = Limits {
            deadline: Some(deadline),
            most_clauses: Some(MOST_CLAUSES),
        };
        let inside = Arc::clone(&self.inside)
            .try_acquire_owned()
            .map_err(|_| Failure::busy())?;
        let worker = timeout_at(deadline.into(), Arc::clone(&self.workers).acquire_owned())
            .await
            .map_err(|_| Failure::busy())?
            .map_err(|_| Failure::busy())?;
        let done = tokio::task::spawn_blocking(move || {
            let _places = (inside, worker);
            work(limits)
        });
        match timeout_at((deadline + GRACE).into(), done).await {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => Err(Failure::internal(&panic.to_string())),
            Err(_) => Err(Failure::too_slow()),
        }
    }
}
