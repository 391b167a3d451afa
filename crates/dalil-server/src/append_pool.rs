//! Threads for operations that append, which run to completion even if the client disconnects.
//!
//! An operation that reads before it appends stays on one thread from its beginning to
//! its end, so it runs on one of a few threads, which each run many at a time. A
//! request that is cut short, by its caller or by its time limit, does not cut
//! its operation short.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{LocalSet, spawn_local};

use crate::problem::{ApiProblem, ProblemKind};

type AppendTask = Box<dyn FnOnce() -> Pin<Box<dyn Future<Output = ()>>> + Send>;

/// The threads.
pub(crate) struct AppendPool {
    threads: Vec<mpsc::UnboundedSender<AppendTask>>,
    next: AtomicUsize,
}

impl AppendPool {
    /// Starts them, on the runtime that is current.
    ///
    /// # Errors
    /// The system has no more threads.
    pub(crate) fn start(count: usize) -> Result<Self, std::io::Error> {
        let threads = (0..count.max(1)).map(|_| thread(Handle::current()));
        Ok(Self { threads: threads.collect::<Result<_, _>>()?, next: AtomicUsize::new(0) })
    }

    /// Runs work to its end, and returns its result.
    pub(crate) async fn run<T, E, F>(
        &self,
        work: impl FnOnce() -> F + Send + 'static,
    ) -> Result<T, ApiProblem>
    where
        T: Send + 'static,
        E: Into<ApiProblem> + Send + 'static,
        F: Future<Output = Result<T, E>> + 'static,
    {
        let (done, wait) = oneshot::channel();
        // The work is moved into its thread. Dropping the future that waits drops only the waiting.
        self.begin(move || async move {
            // The caller may be gone.
            drop(done.send(work().await));
        });
        match wait.await {
            Ok(done) => done.map_err(Into::into),
            Err(_) => Err(ApiProblem::new(ProblemKind::Internal)),
        }
    }

    /// Runs work to its end; no caller waits for it.
    pub(crate) fn begin<F>(&self, work: impl FnOnce() -> F + Send + 'static)
    where
        F: Future<Output = ()> + 'static,
    {
        let next = self.next.fetch_add(1, Ordering::Relaxed) % self.threads.len().max(1);
        let Some(thread) = self.threads.get(next) else { return };
        // A thread ends only with the server.
        drop(thread.send(Box::new(move || Box::pin(work()))));
    }
}

fn thread(runtime: Handle) -> Result<mpsc::UnboundedSender<AppendTask>, std::io::Error> {
    let (sender, mut waiting) = mpsc::unbounded_channel::<AppendTask>();
    let take = async move {
        while let Some(work) = waiting.recv().await {
            // Not awaited: the next one starts while this one waits for the store.
            drop(spawn_local(work()));
        }
    };
    let serve = move || runtime.block_on(LocalSet::new().run_until(take));
    std::thread::Builder::new().name("verbs".to_owned()).spawn(serve)?;
    Ok(sender)
}

impl fmt::Debug for AppendPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Verbs({})", self.threads.len())
    }
}
