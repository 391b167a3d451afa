//! Who calls: what a credential says, and nothing that the request says beside it.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use dalil::keep::apikey;
use dalil::store::Tenant;
use dalil_core::apikey::{Scope, Token};
use dalil_core::fault::{Fault, quote};
use dalil_core::record::Actor;

use crate::app::App;
use crate::problem::{Kind, Problem};

/// Somebody whose credential was checked.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Whose evidence it is about.
    pub(crate) tenant: Tenant,
    /// Who acts.
    pub(crate) actor: Actor,
    /// What the credential may be used for.
    pub(crate) scopes: BTreeSet<Scope>,
    /// The name of the credential, which is no secret.
    pub(crate) credential: String,
    /// The name of the request, so that a retry gives the first answer.
    pub(crate) key: Option<String>,
}

/// Why nobody is known to call.
pub(crate) enum Stranger {
    /// There is no credential, or none that opens anything.
    Unknown,
    /// The credential was good once: its tenant keeps a record of that.
    Ended(Box<Caller>, Fault),
    /// The credential could not be looked up.
    Failed(Problem),
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
pub(crate) async fn identify(app: &App, headers: &HeaderMap) -> Result<Caller, Stranger> {
    let token = bearer(headers).ok_or(Stranger::Unknown)?;
    let mut caller = match Token::parse(token) {
        Some(token) => by_key(app, &token).await?,
        None => app.authority.by_token(app, token).await?,
    };
    caller.key = named(headers).map_err(Stranger::Failed)?;
    Ok(caller)
}

/// The one bearer credential of a request.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let (first, second) = (all.next()?, all.next());
    let (scheme, token) = first.to_str().ok()?.split_once(' ')?;
    let token = token.trim_matches(' ');
    (second.is_none() && scheme.eq_ignore_ascii_case("bearer") && !token.is_empty())
        .then_some(token)
}

async fn by_key(app: &App, token: &Token) -> Result<Caller, Stranger> {
    let now = app.now().map_err(Stranger::Failed)?;
    let tenant = app.tenant(token.tenant()).await.ok_or(Stranger::Unknown)?;
    let find = async { Ok(apikey::find(&tenant, token.key_id()).await?.map(Arc::new)) };
    let known = app.keys.get(&tenant, token.key_id(), find).await.map_err(Stranger::Failed)?;
    let known = known.filter(|known| known.is(token, &app.pepper)).ok_or(Stranger::Unknown)?;
    let caller = Caller {
        tenant,
        actor: known.acts().ok_or(Stranger::Unknown)?,
        credential: format!("apikey:{}", known.key_id),
        scopes: known.scopes.clone(),
        key: None,
    };
    let ended = |rule, found: &str| {
        let fault = Fault::new(rule, "header:authorization", "a key that opens something", found);
        Stranger::Ended(Box::new(caller.clone()), fault)
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
fn named(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut all = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(first) = all.next() else { return Ok(None) };
    let text = String::from_utf8_lossy(first.as_bytes());
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    if all.next().is_none() && plain && (1..=200).contains(&text.len()) {
        return Ok(Some(text.into_owned()));
    }
    let expected = "one name of 1 to 200 visible ASCII characters";
    let fault = Fault::new("idempotency_key", "header:idempotency-key", expected, quote(&text));
    Err(Problem::fault(Kind::Malformed, fault))
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or(Problem::new(Kind::Unauthenticated))
    }
}

const IDEMPOTENCY_KEY: &str = "idempotency-key";
