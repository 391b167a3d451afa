//! Obligations: their evidence, their status, their history.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil::keep::{index, obligation};
use dalil_core::fault::{Fault, quote};
use dalil_core::time::Time;
use serde::Deserialize;

use crate::app::App;
use crate::ask::{Json, Path, Query};
use crate::caller::Caller;
use crate::page::{Page, Wanted};
use crate::problem::{Kind, Problem};
use crate::reply;

/// Records of obligations, in order
#[utoipa::path(get, path = "/api/v1/obligations", tag = "obligations", params(Wanted),
    responses((status = 200, description = "A page of them.", body = Object)))]
pub(crate) async fn list(
    caller: Caller,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let part = wanted.place()?;
    let items = index::obligations(&caller.tenant, part).await?;
    reply::json(&headers, &Page::of(items, part, |one| one.index))
}

/// Packages the evidence of obligations, and records it (spec/record.md)
#[utoipa::path(post, path = "/api/v1/obligations", tag = "obligations", request_body = Object,
    responses((status = 201, description = "What was recorded and what was skipped.", body = Object)))]
pub(crate) async fn package(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json,
) -> Result<Response, Problem> {
    let (deed, tenant) = (app.deed(&caller)?, caller.tenant);
    let done = app.verbs.run(async move || obligation::package(&tenant, &body, &deed).await);
    reply::status(StatusCode::CREATED, &done.await?)
}

/// Records that the status of an obligation changed (spec/record.md)
#[utoipa::path(post, path = "/api/v1/obligations/status", tag = "obligations", request_body = Object,
    responses((status = 201, description = "The record.", body = Object)))]
pub(crate) async fn status(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json,
) -> Result<Response, Problem> {
    let (deed, tenant) = (app.deed(&caller)?, caller.tenant);
    let done = app.verbs.run(async move || obligation::status(&tenant, &body, &deed).await);
    reply::status(StatusCode::CREATED, &done.await?)
}

/// Which of the expected obligations have no evidence
#[utoipa::path(post, path = "/api/v1/obligations/missing", tag = "obligations", request_body = Object,
    responses((status = 200, description = "Those that are missing, and why.", body = Object)))]
pub(crate) async fn missing(caller: Caller, Json(body): Json) -> Result<Response, Problem> {
    let expected = obligation::expected(&body)?;
    reply::status(StatusCode::OK, &obligation::missing(&caller.tenant, &expected).await?)
}

/// As of when.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AsOf {
    /// As it stood at this time, in RFC 3339.
    as_of: Option<String>,
}

/// The history of an obligation: all of it, or as it stood at a time
#[utoipa::path(get, path = "/api/v1/obligations/{obligation_id}/history", tag = "obligations",
    params(("obligation_id" = String, Path, description = "The obligation."), AsOf),
    responses((status = 200, description = "Its records.", body = Object)))]
pub(crate) async fn history(
    caller: Caller,
    Path(id): Path<String>,
    Query(asked): Query<AsOf>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let at = asked.as_of.as_deref().map(time).transpose()?;
    let history = obligation::history(&caller.tenant, &id, at).await?;
    if history.records.is_empty() && at.is_none() {
        let fault =
            Fault::new("not_found", "obligation_id", "an obligation of this tenant", quote(&id));
        return Err(Problem::fault(Kind::NotFound, fault));
    }
    reply::json(&headers, &history)
}

fn time(text: &str) -> Result<Time, Problem> {
    text.parse().map_err(|_| {
        let fault = Fault::new("time", "as_of", Time::EXPECTED, quote(text));
        Problem::fault(Kind::Malformed, fault)
    })
}
