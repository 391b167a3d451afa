//! Obligations: their evidence, their status, their history.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_phrasebook::precondition;
use dalil_proof::fault::{Fault, quoted};
use dalil_proof::time::Time;
use dalil_service::index;
use dalil_service::obligation::{self, ObligationHistory};
use dalil_store::Tenant;
use serde::Deserialize;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery, JsonBody};
use crate::page::{CursorPage, PageQuery};
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;

/// Records of obligations, in order
#[utoipa::path(get, path = "/api/v1/obligations", operation_id = "list_obligations", tag = "obligations", params(PageQuery),
    responses((status = 200, description = "A page of records.", body = schema::obligation::ObligationPageBody)))]
pub(crate) async fn list(
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let items = index::obligations(&caller.tenant, part).await?;
    reply::json(&headers, &CursorPage::of(items, part, |one| one.index))
}

/// Packages the evidence of obligations, and records it (spec/record.md)
#[utoipa::path(post, path = "/api/v1/obligations", operation_id = "package_obligations", tag = "obligations", request_body = schema::obligation_request::ObligationPackageOrderBody,
    responses((status = 201, description = "The recorded and the skipped obligations.", body = schema::obligation::RecordedPackageBody)))]
pub(crate) async fn package(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done =
        app.verbs.run(async move || obligation::package(&tenant, &body, &request_context).await);
    let packaged = done.await?;
    app.metrics.recorded_obligations.add_many(packaged.records.len());
    app.metrics.skipped_obligations.add_many(packaged.skipped.len());
    // Which they are is in the records, whose places are no secret; a log has no names.
    let places = packaged.records.iter().map(|one| one.ack.index);
    let places: Vec<u64> = places.chain(packaged.skipped.iter().map(|one| one.ack.index)).collect();
    if let (Some(first), Some(last)) = (places.first(), places.last()) {
        let message = format!("{}; records {first} to {last}", packaged.tally());
        app.log.event("obligations", &message);
    }
    reply::status(StatusCode::CREATED, &packaged)
}

/// Records that the status of an obligation changed (spec/record.md)
#[utoipa::path(post, path = "/api/v1/obligations/status", operation_id = "change_obligation_status", tag = "obligations", request_body = schema::obligation_request::StatusChangeOrderBody,
    responses((status = 201, description = "The record.", body = schema::obligation::RecordedObligationBody)))]
pub(crate) async fn status(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done =
        app.verbs.run(async move || obligation::status(&tenant, &body, &request_context).await);
    reply::status(StatusCode::CREATED, &done.await?)
}

/// Which of the expected obligations have no evidence
#[utoipa::path(post, path = "/api/v1/obligations/missing", operation_id = "find_missing_obligations", tag = "obligations", request_body = schema::obligation_request::ExpectedObligationsBody,
    responses((status = 200, description = "The missing obligations, and why.", body = schema::obligation::ObligationCoverageBody)))]
pub(crate) async fn missing(
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let expected = obligation::expected(&body)?;
    reply::status(StatusCode::OK, &obligation::missing(&caller.tenant, &expected).await?)
}

/// Validates the records of obligations: their amendment histories, and whether any is missing
/// (spec/record.md)
#[utoipa::path(post, path = "/api/v1/obligations/validate", operation_id = "validate_obligations", tag = "obligations", request_body = schema::obligation_request::StoredValidationOrderBody,
    responses((status = 200, description = "The findings.", body = schema::obligation::StoredValidationBody)))]
pub(crate) async fn validate(
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    reply::status(StatusCode::OK, &obligation::validate(&caller.tenant, &body).await?)
}

/// The status of obligations after the amendments of their newest evidence (spec/record.md)
#[utoipa::path(post, path = "/api/v1/obligations/resolve", operation_id = "resolve_obligations", tag = "obligations", request_body = schema::obligation_request::StoredResolveOrderBody,
    responses((status = 200, description = "The state of each.", body = schema::obligation::ResolvedObligationsBody)))]
pub(crate) async fn resolve(
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    reply::status(StatusCode::OK, &obligation::resolve(&caller.tenant, &body).await?)
}

/// The obligations that should have evidence.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "the body is read by its own reader; this is its schema")]
pub(crate) struct ExpectedObligations {
    /// Their ids.
    expected_obligation_ids: Vec<String>,
}

/// A signed statement of which of the expected obligations have evidence (spec/record.md)
///
/// A DSSE envelope over the newest checkpoint; `dalil verify` verifies it with a trail export and
/// the list.
#[utoipa::path(post, path = "/api/v1/obligations/completeness", tag = "obligations",
    request_body = ExpectedObligations,
    responses((status = 200, description = "The statement.", body = CompletenessEnvelope)))]
pub(crate) async fn completeness(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let expected = obligation::expected(&body)?;
    let request_context = app.request_context(&caller)?;
    let (_, envelope) =
        obligation::completeness(&caller.tenant, &expected, &request_context).await?;
    reply::status(StatusCode::OK, &envelope)
}

/// A statement of completeness, signed.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "the envelope writes itself; this is its schema")]
#[expect(non_snake_case, reason = "DSSE names its field so")]
pub(crate) struct CompletenessEnvelope {
    /// The statement, as canonical JSON in base64.
    payload: String,
    /// `application/vnd.dalil.completeness+json`.
    payloadType: String,
    /// The signatures.
    signatures: Vec<CompletenessSignature>,
}

/// A signature of a statement.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "the envelope writes itself; this is its schema")]
pub(crate) struct CompletenessSignature {
    /// The key, as `name+hash`.
    keyid: String,
    /// The signature, in base64.
    sig: String,
}

/// The time of a history.
#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ObligationHistoryQuery {
    /// The history up to this time, in RFC 3339.
    as_of: Option<String>,
}

/// The history of an obligation: all of it, or up to a time
#[utoipa::path(get, path = "/api/v1/obligations/{obligation_id}/history", operation_id = "obligation_history", tag = "obligations",
    params(("obligation_id" = String, Path, description = "The obligation."), ObligationHistoryQuery),
    responses((status = 200, description = "Its records.", body = schema::obligation::ObligationHistoryBody)))]
pub(crate) async fn history(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    ApiQuery(asked): ApiQuery<ObligationHistoryQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let at = asked.as_of.as_deref().map(time).transpose()?;
    reply::json(&headers, &history_of(&caller.tenant, &id, at).await?)
}

/// The history of an obligation that is there.
pub(crate) async fn history_of(
    tenant: &Tenant,
    id: &str,
    at: Option<Time>,
) -> Result<ObligationHistory, ApiProblem> {
    let history = obligation::history(tenant, id, at).await?;
    if history.records.is_empty() && at.is_none() {
        let fault = Fault::new(
            "not_found",
            "obligation_id",
            precondition::an_obligation_of_this_tenant(),
            quoted(id),
        );
        return Err(ApiProblem::fault(ProblemKind::NotFound, fault));
    }
    Ok(history)
}

fn time(text: &str) -> Result<Time, ApiProblem> {
    text.parse().map_err(|_| {
        let fault = Fault::new("time", "as_of", Time::EXPECTED, quoted(text));
        ApiProblem::fault(ProblemKind::Malformed, fault)
    })
}
