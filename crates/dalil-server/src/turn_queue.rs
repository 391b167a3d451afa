//! A fair queue for slow work: a limit on concurrent tasks, and fairness among the parties that
//! wait.
//!
//! A semaphore is first come, first served, so that a caller with a hundred checks would block all
//! others. Here each party has a queue of its own, and the parties take turns.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

#[cfg(test)]
mod tests;

/// Turns, and the parties that wait for one.
#[derive(Clone)]
pub(crate) struct TurnQueue(Arc<Mutex<TurnState>>);

struct TurnState {
    free: usize,
    /// The parties that wait, the next one first, each with its own in their order.
    waiting: VecDeque<(String, VecDeque<oneshot::Sender<WorkTurn>>)>,
}

/// The right to work, which passes to the next party when it is dropped.
pub(crate) struct WorkTurn(Option<TurnQueue>);

impl TurnQueue {
    /// Creates a queue with `count` turns at a time.
    pub(crate) fn new(count: u64) -> Self {
        let free = usize::try_from(count).unwrap_or(1);
        Self(Arc::new(Mutex::new(TurnState { free, waiting: VecDeque::new() })))
    }

    /// Waits for a turn of a party. A caller that stops waiting loses only its place.
    pub(crate) async fn take(&self, party: &str) -> WorkTurn {
        let Some(heard) = self.state().begin(party) else {
            return WorkTurn(Some(self.clone()));
        };
        // The sender is in the queue until it sends a turn.
        heard.await.unwrap_or(WorkTurn(None))
    }

    /// Whether a turn is free, so that the next caller need not wait.
    pub(crate) fn is_free(&self) -> bool {
        self.state().free > 0
    }

    /// How many of a party wait.
    pub(crate) fn waiting(&self, party: &str) -> usize {
        let state = self.state();
        let own = state.waiting.iter().find(|(known, _)| known == party);
        own.map_or(0, |(_, queue)| queue.iter().filter(|one| !one.is_closed()).count())
    }

    /// Gives a turn to the next party.
    fn pass_on(&self) {
        loop {
            let next = self.state().next();
            let Some(next) = next else { return };
            match next.send(WorkTurn(Some(self.clone()))) {
                Ok(()) => return,
                // The receiver is gone: the turn is still to be given.
                Err(mut turn) => turn.0 = None,
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TurnState {
    /// Takes a turn that is free, or a place in the queue.
    fn begin(&mut self, party: &str) -> Option<oneshot::Receiver<WorkTurn>> {
        if let Some(left) = self.free.checked_sub(1) {
            self.free = left;
            return None;
        }
        let (said, heard) = oneshot::channel();
        match self.waiting.iter_mut().find(|(known, _)| known == party) {
            Some((_, queue)) => queue.push_back(said),
            None => self.waiting.push_back((party.to_owned(), VecDeque::from([said]))),
        }
        Some(heard)
    }

    /// The next sender in the queue; if there is none, the turn becomes free.
    fn next(&mut self) -> Option<oneshot::Sender<WorkTurn>> {
        while let Some((party, mut queue)) = self.waiting.pop_front() {
            let Some(next) = queue.pop_front() else { continue };
            if !queue.is_empty() {
                self.waiting.push_back((party, queue));
            }
            return Some(next);
        }
        self.free += 1;
        None
    }
}

impl Drop for WorkTurn {
    fn drop(&mut self) {
        if let Some(queue) = self.0.take() {
            queue.pass_on();
        }
    }
}
