//! Replies to the follow-up questions of a session's newest ledger.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_service::question_reply::{self, RecordedQuestionReply};

use super::schema;
use crate::app::App;
use crate::caller::Caller;
use crate::extract::{ApiPath, JsonBody};
use crate::problem::ApiProblem;
use crate::reply;

/// The follow-up questions of the newest ledger, with their replies
#[utoipa::path(get, path = "/api/v1/sessions/{session_id}/questions", operation_id = "list_questions", tag = "sessions",
    params(("session_id" = String, Path, description = "The session.")),
    responses((status = 200, description = "The questions (spec/ledger.md), in the order of the ledger.", body = schema::question_reply::QuestionListBody)))]
pub(crate) async fn list(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    reply::json(&headers, &question_reply::list(&caller.tenant, &id).await?)
}

/// Records the caller's reply to a follow-up question, or forwards it to another person
///
/// `{"ledger_id", "question", "action": "answered" | "sent_on", "words"?, "sent_to"?}`. The caller
/// must be a person who may review, and so must the person it is sent to.
#[utoipa::path(post, path = "/api/v1/sessions/{session_id}/questions", operation_id = "reply_to_question", tag = "sessions",
    params(("session_id" = String, Path, description = "The session.")), request_body = schema::question_reply::QuestionReplyOrderBody,
    responses((status = 201, description = "The record.", body = schema::question_reply::RecordedQuestionReplyBody)))]
pub(crate) async fn add(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    reply::status(StatusCode::CREATED, &reply_to_question(&app, caller, id, body.to_vec()).await?)
}

/// Records a caller's reply to a question.
pub(crate) async fn reply_to_question(
    app: &App,
    caller: Caller,
    session_id: String,
    order: Vec<u8>,
) -> Result<RecordedQuestionReply, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let record =
        async move || question_reply::record(&tenant, &session_id, &order, &request_context).await;
    app.verbs.run(record).await
}
