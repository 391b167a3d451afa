//! The caller: identified by the credential alone, and by nothing else in the request.

use std::collections::BTreeSet;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use dalil_evidence::apikey::ApiKeyScope;
use dalil_proof::fault::Fault;
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_store::Tenant;

use crate::problem::{ApiProblem, ProblemKind};

/// A caller whose credential was checked.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Whose evidence it is about.
    pub(crate) tenant: Tenant,
    /// The actor of its records.
    pub(crate) actor: Actor,
    /// The scopes of the credential.
    pub(crate) scopes: BTreeSet<ApiKeyScope>,
    /// When the credential ends, if it does.
    pub(crate) ends: Option<Time>,
    /// The name of the credential, which is no secret.
    pub(crate) credential: String,
    /// The name of the request, so that a retry gives the first answer.
    pub(crate) key: Option<String>,
}

/// A caller that needs no credential, since it runs this program. No request from outside can claim
/// this: only `mcp::stdio` adds it.
#[derive(Clone, Debug)]
pub(crate) struct LocalCaller(pub(crate) Caller);

/// Why a caller is not authenticated.
pub(crate) enum AuthFailure {
    /// There is no credential, or none that opens anything.
    Unknown,
    /// The credential was good once: its tenant keeps a record of that.
    Ended(Box<Caller>, Fault),
    /// The credential could not be looked up.
    Failed(ApiProblem),
}

impl Caller {
    /// The name of the actor.
    pub(crate) fn name(&self) -> &str {
        match &self.actor {
            Actor::Agent(name) | Actor::Person(name) => name,
            Actor::System => "system",
        }
    }

    /// Whether a key of the API was shown.
    pub(crate) fn is_key(&self) -> bool {
        self.credential.starts_with("apikey:")
    }

    /// The kind of actor, as OpenFGA knows it.
    pub(crate) fn user(&self) -> &'static str {
        match self.actor {
            Actor::Agent(_) => "agent",
            Actor::Person(_) | Actor::System => "user",
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiProblem> {
        // `guard` put it there. A route without a guard has no caller, and fails closed.
        parts.extensions.get::<Self>().cloned().ok_or(ApiProblem::new(ProblemKind::Unauthenticated))
    }
}
