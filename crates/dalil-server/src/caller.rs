//! Who calls: what a credential says, and nothing that the request says beside it.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use dalil::operations::apikey;
use dalil::store::Tenant;
use dalil_core::apikey::{ApiKeyScope, ApiKeyToken};
use dalil_core::fault::{Fault, quote};
use dalil_core::record::Actor;
use dalil_core::time::Time;

use crate::app::App;
use crate::problem::{ApiProblem, ProblemKind};

/// Somebody whose credential was checked.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Whose evidence it is about.
    pub(crate) tenant: Tenant,
    /// Who acts.
    pub(crate) actor: Actor,
    /// What the credential may be used for.
    pub(crate) scopes: BTreeSet<ApiKeyScope>,
    /// When the credential ends, if it does.
    pub(crate) ends: Option<Time>,
    /// The name of the credential, which is no secret.
    pub(crate) credential: String,
    /// The name of the request, so that a retry gives the first answer.
    pub(crate) key: Option<String>,
}

/// Why nobody is known to call.
pub(crate) enum AuthFailure {
    /// There is no credential, or none that opens anything.
    Unknown,
    /// The credential was good once: its tenant keeps a record of that.
    Ended(Box<Caller>, Fault),
    /// The credential could not be looked up.
    Failed(ApiProblem),
}

impl Caller {
    /// The name of who acts.
    pub(crate) fn name(&self) -> &str {
        match &self.actor {
            Actor::Agent(name) | Actor::Person(name) => name,
            Actor::System => "system",
        }
    }
}

/// Finds out who calls.
pub(crate) async fn identify(app: &App, headers: &HeaderMap) -> Result<Caller, AuthFailure> {
    let token = bearer(headers).ok_or(AuthFailure::Unknown)?;
    // The form decides: no token has the form of a key, so neither is tried for the other.
    let mut caller = match ApiKeyToken::parse(token) {
        Some(token) => by_key(app, &token).await?,
        None => app.authority.by_token(app, token).await?,
    };
    caller.key = idempotency_key(headers).map_err(AuthFailure::Failed)?;
    Ok(caller)
}

/// The one bearer credential of a request.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let (first, second) = (all.next()?, all.next());
    let (scheme, token) = first.to_str().ok()?.split_once(' ')?;
    let token = token.trim_matches(' ');
    // Two headers could be read differently by a proxy before this server.
    (second.is_none() && scheme.eq_ignore_ascii_case("bearer") && !token.is_empty())
        .then_some(token)
}

async fn by_key(app: &App, token: &ApiKeyToken) -> Result<Caller, AuthFailure> {
    let now = app.now().map_err(AuthFailure::Failed)?;
    let tenant = app.tenant(token.tenant()).await.ok_or(AuthFailure::Unknown)?;
    let find = async { Ok(apikey::find(&tenant, token.key_id()).await?.map(Arc::new)) };
    let known = app.keys.get(&tenant, token.key_id(), find).await.map_err(AuthFailure::Failed)?;
    // The MAC before anything is said: only who has the key learns that it was revoked.
    let known = known.filter(|known| known.is(token, &app.pepper)).ok_or(AuthFailure::Unknown)?;
    let caller = Caller {
        tenant,
        actor: known.acts().ok_or(AuthFailure::Unknown)?,
        credential: format!("apikey:{}", known.key_id),
        scopes: known.scopes.clone(),
        ends: known.expires_at,
        key: None,
    };
    let ended = |rule, found: &str| {
        let fault = Fault::new(rule, "header:authorization", "a key that opens something", found);
        AuthFailure::Ended(Box::new(caller.clone()), fault)
    };
    if known.revoked_at.is_some() {
        return Err(ended("revoked", "one that was revoked"));
    }
    if known.has_ended(now) {
        return Err(ended("expired", "one whose time is over"));
    }
    Ok(caller)
}

/// The name that a request gives itself.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiProblem> {
    let mut all = headers.get_all(IDEMPOTENCY_KEY_HEADER).iter();
    let Some(first) = all.next() else { return Ok(None) };
    // Not ignored when it is wrong: the caller would take a retry for safe.
    let text = String::from_utf8_lossy(first.as_bytes());
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    if all.next().is_none() && plain && (1..=200).contains(&text.len()) {
        return Ok(Some(text.into_owned()));
    }
    let expected = "one name of 1 to 200 visible ASCII characters";
    let fault = Fault::new("idempotency_key", "header:idempotency-key", expected, quote(&text));
    Err(ApiProblem::fault(ProblemKind::Malformed, fault))
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiProblem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiProblem> {
        // `guard` put it there. A route without a guard has no caller, and fails closed.
        parts.extensions.get::<Self>().cloned().ok_or(ApiProblem::new(ProblemKind::Unauthenticated))
    }
}

const IDEMPOTENCY_KEY_HEADER: &str = "idempotency-key";
