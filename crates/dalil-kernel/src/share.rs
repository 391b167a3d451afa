//! Tasks on several threads.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

#[cfg(test)]
mod tests;

/// Runs each task once, on at most `threads` threads, each with a state of its own.
///
/// Tasks are taken in their order, by whichever thread is free. What they
/// compute must not depend on that: a task owns the part of the result it writes.
pub fn share<T: Send, S>(
    threads: usize,
    tasks: Vec<T>,
    start: impl Fn() -> S + Sync,
    run: impl Fn(&mut S, T) + Sync,
) {
    let others = 1..threads.min(tasks.len());
    let tasks = Mutex::new(tasks.into_iter());
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut state = start();
        while let Some(task) = next() {
            run(&mut state, task);
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> = others.map(|_| scope.spawn(work)).collect();
        work();
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}
