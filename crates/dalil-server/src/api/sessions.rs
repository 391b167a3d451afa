//! Sessions: a question and its answer, checked against documents.

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use dalil_evidence::ledger::request::AnswerSession;
use dalil_proof::decode::{self, JsonReader};
use dalil_service::check::CheckRequest;
use dalil_service::export::ExportSubject;
use dalil_service::job::{self, Job, JobKind};
use dalil_service::session::{self, OpenedSession};

use super::{exports, schema};
use crate::app::App;
use crate::cached_ledger::CachedLedgerResponse;
use crate::caller::Caller;
use crate::extract::{ApiPath, ApiQuery, JsonBody};
use crate::job::JobContext;
use crate::job_failure::localized;
use crate::language::asked_language;
use crate::page::{CursorPage, PageQuery};
use crate::problem::{ApiProblem, ProblemKind};
use crate::reply;
use crate::trace::TraceContext;

/// The sessions of the tenant, in the order of opening
#[utoipa::path(get, path = "/api/v1/sessions", operation_id = "list_sessions", tag = "sessions", params(PageQuery),
    responses((status = 200, description = "A page of sessions.", body = schema::session::SessionPageBody)))]
pub(crate) async fn list(
    caller: Caller,
    ApiQuery(wanted): ApiQuery<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let part = wanted.place()?;
    let items = session::list(&caller.tenant, part).await?;
    reply::json(&headers, &CursorPage::of(items, part, |one| one.index))
}

/// Opens a session: a question and the answer to check
///
/// `{"answer", "query"?, "mode"?, "session_id"?}`. Without an id, the id is derived from the digest
/// of the answer.
#[utoipa::path(post, path = "/api/v1/sessions", operation_id = "open_session", tag = "sessions", request_body = schema::session::NewSessionBody,
    responses((status = 201, description = "The opened session.", body = schema::session::OpenedSessionBody),
              (status = 200, description = "It already existed.", body = schema::session::OpenedSessionBody)))]
pub(crate) async fn open(
    State(app): State<App>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let (session, answer) = decode::request(&body, opening)?;
    let opened = open_session(&app, caller, session, answer).await?;
    if opened.is_new {
        reply::created(&format!("/api/v1/sessions/{}", opened.session_id), &opened)
    } else {
        reply::status(StatusCode::OK, &opened)
    }
}

/// Opens a session in the name of a caller.
pub(crate) async fn open_session(
    app: &App,
    caller: Caller,
    session: AnswerSession,
    answer: String,
) -> Result<OpenedSession, ApiProblem> {
    let (request_context, tenant) = (app.request_context(&caller)?, caller.tenant);
    let open = async move || session::open(&tenant, &session, &answer, &request_context).await;
    app.verbs.run(open).await
}

pub(crate) fn opening(reader: JsonReader<'_, '_>) -> Option<(AnswerSession, String)> {
    let mut fields = reader.object()?;
    let answer = fields.required("answer", decode::filled);
    let query = fields.optional("query", decode::filled);
    let mode = fields.optional("mode", decode::filled);
    let id = fields.optional("session_id", decode::filled);
    fields.done()?;
    let (answer, id) = (answer?, id?);
    let id = id.unwrap_or_else(|| dalil::check::session_id(&answer));
    Some((AnswerSession { id, query: query?, mode: mode? }, answer))
}

/// A session and its ledgers, with the newest one in full
#[utoipa::path(get, path = "/api/v1/sessions/{session_id}", operation_id = "show_session", tag = "sessions",
    params(("session_id" = String, Path, description = "The session.")),
    responses((status = 200, description = "The session.", body = schema::session::SessionDetailsBody)))]
pub(crate) async fn show(
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    reply::json(&headers, &session::show(&caller.tenant, &id).await?)
}

/// The newest ledger of a session
#[utoipa::path(get, path = "/api/v1/sessions/{session_id}/ledger", operation_id = "session_ledger", tag = "sessions",
    params(("session_id" = String, Path, description = "The session.")),
    responses((status = 200, description = "The ledger (spec/ledger.md) and its session.", body = schema::session::SessionLedgerBody)))]
pub(crate) async fn ledger(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let read = async {
        let known = app.ledgers.last(&caller.tenant, &id);
        CachedLedgerResponse::read(&caller.tenant, &id, known).await.map(Some)
    };
    let told = app.ledgers.get(&caller.tenant, &id, read).await?;
    Ok(told.ok_or(ApiProblem::new(ProblemKind::NotFound))?.reply(&headers))
}

/// Exports the newest ledger of a session: recorded first, then a link that expires
///
/// `{"format": "json" | "ledger" | "markdown" | "pdf" | …, "language"?, "reason"?}`. It needs no
/// approval; it needs the scope `export`.
#[utoipa::path(post, path = "/api/v1/sessions/{session_id}/ledger/export", operation_id = "export_ledger", tag = "sessions",
    params(("session_id" = String, Path, description = "The session.")), request_body = schema::export::LedgerExportOrderBody,
    responses((status = 200, description = "The link, and when it expires.", body = exports::DownloadLink)))]
pub(crate) async fn export(
    State(app): State<App>,
    caller: Caller,
    ApiPath(id): ApiPath<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    exports::make(&app, caller, ExportSubject::Ledger(id), &body).await
}

/// Checks the answer of a session, as a job
///
/// `{"documents"?: [ids], "language"?: "en" | "ar"}`; without documents, against all of them.
#[utoipa::path(post, path = "/api/v1/sessions/{session_id}/check", operation_id = "check_session", tag = "sessions",
    params(("session_id" = String, Path, description = "The session.")), request_body = schema::session::CheckOrderBody,
    responses((status = 202, description = "The job that checks it.", body = schema::job::JobBody)))]
pub(crate) async fn check(
    State(app): State<App>,
    caller: Caller,
    (context, headers): (Extension<TraceContext>, HeaderMap),
    ApiPath(id): ApiPath<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiProblem> {
    let job = start_check(&app, caller, context.0, (&id, &body)).await?;
    // A repeated request under the same key may find that its job failed.
    let job = localized(job, asked_language(&headers));
    let mut response = reply::status(StatusCode::ACCEPTED, &job)?;
    let location = format!("/api/v1/jobs/{}", job.job_id);
    if let Ok(location) = axum::http::HeaderValue::from_str(&location) {
        response.headers_mut().insert(axum::http::header::LOCATION, location);
    }
    Ok(response)
}

/// Accepts a job that checks the answer of a session, and begins it.
pub(crate) async fn start_check(
    app: &App,
    caller: Caller,
    context: TraceContext,
    (id, body): (&str, &[u8]),
) -> Result<Job, ApiProblem> {
    // Checked before it is accepted, so that faults are answered now and not by a failed job.
    CheckRequest::parse(body)?;
    session::answer(&caller.tenant, id).await?;
    let request_context = app.request_context(&caller)?;
    let job = job::accept(&caller.tenant, JobKind::Check, id, body, &request_context).await?;
    // A repeated request under the same key may find its job done.
    if job.state == job::JobState::Accepted {
        let by = JobContext::new(caller.actor, context);
        crate::job::start(app, caller.tenant, job.clone(), by);
    }
    Ok(job)
}
