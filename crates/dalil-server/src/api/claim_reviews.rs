//! Reviews of claims in a session's newest ledger.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_service::claim_review::{self, RecordedClaimReview};

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, JsonBody};
use crate::problem::ApiProblem;
use crate::reply;

/// The reviews of a session's claims, and the state of its answer
#[utoipa::path(get, path = "/api/v1/sessions/{session_id}/reviews", operation_id = "list_claim_reviews", tag = "sessions",
    params(("session_id" = String, Path, description = "The session.")),
    responses((status = 200, description = "The reviews (spec/ledger.md), in order of time.", body = schema::claim_review::ClaimReviewListBody)))]
pub(crate) async fn list(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    reply::json(&headers, &claim_review::list(&caller.tenant, &id).await?)
}

/// Records the caller's review of a claim of the newest ledger
///
/// `{"ledger_id", "claim_id", "action": "agreed" | "disagreed" | "resolved" | "commented" |
/// "assigned", "reason"?, "assigned_to"?}`. The reviewer is the caller, who must be a person who
/// may review.
#[utoipa::path(post, path = "/api/v1/sessions/{session_id}/reviews", operation_id = "review_claim", tag = "sessions",
    params(("session_id" = String, Path, description = "The session.")), request_body = schema::claim_review::ClaimReviewOrderBody,
    responses((status = 201, description = "The record.", body = schema::claim_review::RecordedClaimReviewBody)))]
pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    reply::status(StatusCode::CREATED, &review_claim(&app, caller, id, body.to_vec()).await?)
}

/// Records a caller's review of a claim.
pub(crate) async fn review_claim(
    app: &App,
    caller: Caller,
    session_id: String,
    order: Vec<u8>,
) -> Result<RecordedClaimReview, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let record =
        async move || claim_review::record(&tenant, &session_id, &order, &request_context).await;
    app.verbs.run(record).await
}
