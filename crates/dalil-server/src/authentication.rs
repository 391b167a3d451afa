//! Authenticates the caller by the one credential of a request.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use dalil_evidence::apikey::ApiKeyToken;
use dalil_phrasebook::{Phrase, expected, found, precondition};
use dalil_proof::fault::{Fault, quoted};
use dalil_service::apikey;

use crate::app::App;
use crate::caller::{AuthFailure, Caller};
use crate::problem::{ApiProblem, ProblemKind};

/// Authenticates the caller.
pub(crate) async fn identify(app: &App, headers: &HeaderMap) -> Result<Caller, AuthFailure> {
    let token = bearer(headers).ok_or(AuthFailure::Unknown)?;
    // The form decides: no token has the form of a key, so neither is tried for the other.
    let mut caller = match ApiKeyToken::parse(token) {
        Some(token) => by_key(app, &token).await?,
        None => {
            app.authority
                .by_token(&app.tenants, app.now().map_err(AuthFailure::Failed)?, token)
                .await?
        }
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
    let tenant = app.tenants.find(token.tenant()).await.ok_or(AuthFailure::Unknown)?;
    let find = async { Ok(apikey::find(&tenant, token.key_id()).await?.map(Arc::new)) };
    let known = app.keys.get(&tenant, token.key_id(), find).await.map_err(AuthFailure::Failed)?;
    // The MAC comes first: only the holder of the key learns that it was revoked.
    let known = known.filter(|known| known.is(token, &app.pepper)).ok_or(AuthFailure::Unknown)?;
    let caller = Caller {
        tenant,
        actor: known.acts().ok_or(AuthFailure::Unknown)?,
        credential: format!("apikey:{}", known.key_id),
        scopes: known.scopes.clone(),
        ends: known.expires_at,
        key: None,
    };
    let ended = |rule, found: Phrase| {
        let fault = Fault::new(
            rule,
            "header:authorization",
            precondition::a_key_that_opens_something(),
            found,
        );
        AuthFailure::Ended(Box::new(caller.clone()), fault)
    };
    if known.revoked_at.is_some() {
        return Err(ended("revoked", found::one_that_was_revoked()));
    }
    if known.has_ended(now) {
        return Err(ended("expired", found::one_whose_time_is_over()));
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
    let expected = expected::idempotency_key();
    let fault = Fault::new("idempotency_key", "header:idempotency-key", expected, quoted(&text));
    Err(ApiProblem::fault(ProblemKind::Malformed, fault))
}

const IDEMPOTENCY_KEY_HEADER: &str = "idempotency-key";
