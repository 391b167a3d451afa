//! The clock of the server.

use dalil_proof::time::Time;

use crate::problem::{ApiProblem, ProblemKind};

/// Reads the time, with the function that the program passed to the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServerClock(pub(crate) fn() -> Option<Time>);

impl ServerClock {
    /// The time, unless the machine has none that can be written down.
    pub(crate) fn read(self) -> Option<Time> {
        (self.0)()
    }

    /// The time, for a request that cannot go on without it.
    pub(crate) fn now(self) -> Result<Time, ApiProblem> {
        self.read().ok_or(ApiProblem::new(ProblemKind::Internal))
    }
}
