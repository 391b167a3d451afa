//! Streamed answers: limited in all and for each credential.
//!
//! Each holds its corpus in memory, for as long as its caller writes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::problem::{ApiProblem, ProblemKind};

/// How many streams each owner has open.
#[derive(Clone, Default)]
pub(crate) struct OpenStreams(Arc<Mutex<HashMap<String, usize>>>);

/// The place of one, free again when this is gone.
pub(crate) struct StreamPlace {
    open: OpenStreams,
    owner: String,
}

impl OpenStreams {
    /// A place for one more of an owner.
    ///
    /// # Errors
    /// There is none now.
    pub(crate) fn enter(&self, owner: &str) -> Result<StreamPlace, ApiProblem> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = open.get(owner).map_or(0, |count| *count);
        if own >= MAX_STREAMS_PER_OWNER || open.values().sum::<usize>() >= MAX_STREAMS {
            return Err(ApiProblem { retry_after: Some(1), ..ApiProblem::new(ProblemKind::Busy) });
        }
        open.insert(owner.to_owned(), own + 1);
        Ok(StreamPlace { open: self.clone(), owner: owner.to_owned() })
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.owner);
            }
        }
    }
}

/// Chosen, not measured: a model writes for a minute, and each holds its chunks and their index.
const MAX_STREAMS: usize = 64;
/// An application with one key has more users than one; four such keys fill all places.
const MAX_STREAMS_PER_OWNER: usize = 16;
