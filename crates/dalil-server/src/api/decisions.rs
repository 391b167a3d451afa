//! Decisions of agents, and their tool calls.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_service::{decision, index};
use serde::Serialize;

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery, JsonBody};
use crate::page::{CursorPage, PageQuery};
use crate::problem::ApiProblem;
use crate::reply;

/// Decisions, in the order in which they were recorded
#[utoipa::path(get, path = "/api/v1/decisions", operation_id = "list_decisions", tag = "decisions", params(PageQuery),
    responses((status = 200, description = "A page of decisions.", body = schema::decision::DecisionPageBody)))]
pub(crate) async fn list(
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let items = index::decisions(&caller.tenant, part).await?;
    reply::json(&headers, &CursorPage::of(items, part, |one| one.index))
}

/// Records a decision (spec/pack.md) and returns whether it needs a pack
#[utoipa::path(post, path = "/api/v1/decisions", operation_id = "record_decision", tag = "decisions", request_body = schema::decision::DecisionOrderBody,
    responses((status = 201, description = "The requirement and every reason.", body = schema::decision::RecordedDecisionBody)))]
pub(crate) async fn record(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done = app
        .verbs
        .run(async move || decision::record(&tenant, &body, &request_context).await)
        .await?;
    reply::created(&format!("/api/v1/decisions/{}", done.decision_id), &done)
}

/// A decision
#[utoipa::path(get, path = "/api/v1/decisions/{decision_id}", operation_id = "show_decision", tag = "decisions",
    params(("decision_id" = String, Path, description = "The decision.")),
    responses((status = 200, description = "Its details.", body = schema::decision::DecisionSummaryBody)))]
pub(crate) async fn show(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    reply::json(&headers, &index::show_decision(&caller.tenant, &id).await?)
}

/// The calls of a decision.
#[derive(Serialize)]
struct ToolCallsResponse {
    tool_calls: Vec<dalil_proof::json::Json<'static>>,
}

/// The tool calls of a decision
#[utoipa::path(get, path = "/api/v1/decisions/{decision_id}/tool-calls", operation_id = "list_decision_tool_calls", tag = "decisions",
    params(("decision_id" = String, Path, description = "The decision.")),
    responses((status = 200, description = "The calls.", body = schema::tool_call::DecisionToolCallsBody)))]
pub(crate) async fn calls(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let tool_calls = decision::calls(&caller.tenant, &id).await?;
    if tool_calls.is_empty() {
        // Calls may be recorded before their decision; with neither, there is nothing of that name.
        index::show_decision(&caller.tenant, &id).await?;
    }
    reply::json(&headers, &ToolCallsResponse { tool_calls })
}

/// Records an announced tool call of an agent, or its result (spec/pack.md)
#[utoipa::path(post, path = "/api/v1/tool-calls", operation_id = "record_tool_call", tag = "decisions", request_body = schema::tool_call::ToolCallOrderBody,
    responses((status = 201, description = "The record.", body = schema::tool_call::RecordedToolCallBody)))]
pub(crate) async fn tool(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let done = app.verbs.run(async move || decision::tool(&tenant, &body, &request_context).await);
    reply::status(StatusCode::CREATED, &done.await?)
}
