//! Why access is denied.

use dalil_proof::fault::Fault;

use crate::problem::{ApiProblem, ProblemKind};

/// Why access is denied.
pub(crate) enum AccessDenial {
    /// The caller has no permission.
    Refused(Fault),
    /// The authority could not be asked, so access is denied.
    Failed(ApiProblem),
}

impl AccessDenial {
    /// The problem of a decider that does not answer.
    pub(crate) const fn unavailable() -> Self {
        let mut problem = ApiProblem::new(ProblemKind::Busy);
        problem.retry_after = Some(5);
        Self::Failed(problem)
    }
}

impl From<ApiProblem> for AccessDenial {
    fn from(problem: ApiProblem) -> Self {
        Self::Failed(problem)
    }
}

/// Where a fault of a credential is.
pub(crate) const AUTHORIZATION_FAULT_PATH: &str = "header:authorization";
