//! Tasks on several threads.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

#[cfg(test)]
mod tests;

/// Runs each task once, on at most `threads` threads, each with a state of its own.
///
/// Tasks are taken in their order, by whichever thread is free. Their results must
/// not depend on that: a task owns the part of the result it writes.
pub fn share<T: Send, S>(
    threads: usize,
    tasks: Vec<T>,
    start: impl Fn() -> S + Sync,
    run: impl Fn(&mut S, T) + Sync,
) {
    let others = threads.min(tasks.len()).saturating_sub(1);
    let tasks = Mutex::new(tasks.into_iter());
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut state = start();
        while let Some(task) = next() {
            run(&mut state, task);
        }
    };
    match pool(others) {
        Some(pool) => pool.in_place_scope(|scope| {
            for _ in 0..others {
                scope.spawn(|_| work());
            }
            work();
        }),
        None => work(),
    }
}

/// Threads that wait for tasks beside the caller's own; none where the system gives none.
///
/// A model has thousands of short steps a second. Threads that were started for each of them
/// mostly ran after the caller's, on its processor: two threads were no faster than one.
fn pool(others: usize) -> Option<Arc<ThreadPool>> {
    if others == 0 {
        return None;
    }
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&others) {
        return Some(Arc::clone(pool));
    }
    let builder = ThreadPoolBuilder::new().num_threads(others.min(MAX_POOL_THREADS));
    let pool = Arc::new(builder.thread_name(|n| format!("kernel-{n}")).build().ok()?);
    pools.insert(others, Arc::clone(&pool));
    Some(pool)
}

/// A pool for each number of threads that was asked for; a process asks for one or two.
static POOLS: Mutex<BTreeMap<usize, Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());
/// Threads of one pool. More than a machine has processors gain nothing.
const MAX_POOL_THREADS: usize = 256;
