//! Sessions: listed, opened and checked.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::response::Response;
use dalil_core::digest::Digest;
use serde::{Deserialize, Serialize};

use super::api_client::ListReply;
use super::documents::{DocumentReply, keep};
use super::error::PageError;
use super::form::{FormBody, FormFields, UploadForm};
use super::layout::{PageLayout, see, shown};
use super::query::ListCursorQuery;
use super::visitor::WebVisitor;
use crate::percent::seg;
use crate::scratch_folder::ScratchFolder;

/// A session, as a list shows it.
#[derive(Deserialize)]
struct SessionItem {
    session_id: String,
    query: Option<String>,
    created_at: String,
}

#[derive(Template)]
#[template(path = "sessions.html")]
struct SessionListPage {
    page: PageLayout,
    sessions: Vec<SessionItem>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let found: ListReply<SessionItem> =
        visitor.get(&format!("/api/v1/sessions?{}", part.query())).await?;
    let page = PageLayout::new(&visitor, "sessions", visitor.w.sessions);
    Ok(shown(&SessionListPage { page, sessions: found.items, next: found.next_cursor }))
}

#[derive(Template)]
#[template(path = "session-new.html")]
struct NewSessionPage {
    page: PageLayout,
    documents: Vec<DocumentReply>,
}

pub(super) async fn new(Extension(visitor): Extension<WebVisitor>) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let found: ListReply<DocumentReply> = visitor.get("/api/v1/documents?limit=1000").await?;
    let page = PageLayout::new(&visitor, "sessions", visitor.w.session_new);
    Ok(shown(&NewSessionPage { page, documents: found.items }))
}

/// What is sent to open a session.
#[derive(Serialize)]
struct OpenSessionRequestBody<'o> {
    answer: &'o str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'o str>,
    mode: &'static str,
    session_id: String,
}

#[derive(Deserialize)]
struct OpenSessionReply {
    session_id: String,
}

/// What is sent to check an answer.
#[derive(Serialize)]
struct CheckRequestBody<'o> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<String>,
    language: &'o str,
}

#[derive(Deserialize)]
struct CheckJobReply {
    job_id: String,
}

/// Takes in what was uploaded, opens a session, and has its answer checked.
pub(super) async fn open(
    Extension(visitor): Extension<WebVisitor>,
    form: UploadForm,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let folder = ScratchFolder::new(&visitor.view.app.scratch).await?;
    let (fields, files) = form.stored(&visitor, folder.path()).await?;
    let mut documents: Vec<String> = fields.all("document").map(str::to_owned).collect();
    // No document chosen means all of them, and new ones are among all.
    let is_chosen = !documents.is_empty();
    for file in &files {
        let kept = keep(&visitor, file).await?;
        if is_chosen {
            documents.push(kept);
        }
    }
    let (query, answer) = (fields.one("query"), fields.text("answer"));
    // Browsers end lines as mail does; a model does not.
    let answer = answer.replace("\r\n", "\n");
    // By question and answer: the same answer to another question is another session.
    let name = Digest::of(format!("{}\n{answer}", fields.text("query")).as_bytes()).hex();
    let session_id = format!("ses_{}", name.get(..16).unwrap_or(&name));
    let opening = OpenSessionRequestBody { answer: &answer, query, mode: "answer", session_id };
    let opened: OpenSessionReply = visitor.post("/api/v1/sessions", &opening).await?;
    start_check(&visitor, &opened.session_id, documents).await
}

/// Has the answer of a session checked again, against every document.
pub(super) async fn check(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    FormFields::read(&visitor, &body)?;
    start_check(&visitor, &id, Vec::new()).await
}

async fn start_check(
    visitor: &WebVisitor,
    id: &str,
    documents: Vec<String>,
) -> Result<Response, PageError> {
    let order = CheckRequestBody { documents, language: visitor.language.tag() };
    let path = format!("/api/v1/sessions/{}/check", seg(id));
    let job: CheckJobReply = visitor.post(&path, &order).await?;
    Ok(see(&format!("/sessions/{}?job={}", seg(id), seg(&job.job_id))))
}
