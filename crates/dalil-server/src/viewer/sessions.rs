//! Sessions: listed, opened and checked.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::response::Response;
use dalil_core::digest::Digest;
use serde::{Deserialize, Serialize};

use super::call::{Listed, seg};
use super::documents::{Document, keep};
use super::form::{Fields, Form, Upload};
use super::frame::{Page, see, shown};
use super::visit::Visitor;
use super::wrong::Wrong;
use crate::api::documents::Folder;

/// A session, as a list shows it.
#[derive(Deserialize)]
struct Asked {
    session_id: String,
    query: Option<String>,
    created_at: String,
}

#[derive(Template)]
#[template(path = "sessions.html")]
struct All {
    page: Page,
    sessions: Vec<Asked>,
    next: Option<String>,
}

/// Which part of a list is looked at.
#[derive(Deserialize)]
pub(super) struct Part {
    cursor: Option<String>,
}

impl Part {
    /// The query that asks the API for it.
    pub(super) fn query(&self) -> String {
        let cursor = self.cursor.as_deref().map(|cursor| format!("&cursor={}", seg(cursor)));
        format!("order=newest&limit=50{}", cursor.unwrap_or_default())
    }
}

pub(super) async fn list(
    Extension(visitor): Extension<Visitor>,
    Query(part): Query<Part>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let found: Listed<Asked> = visitor.get(&format!("/api/v1/sessions?{}", part.query())).await?;
    let page = Page::new(&visitor, "sessions", visitor.w.sessions);
    Ok(shown(&All { page, sessions: found.items, next: found.next_cursor }))
}

#[derive(Template)]
#[template(path = "session-new.html")]
struct New {
    page: Page,
    documents: Vec<Document>,
}

pub(super) async fn new(Extension(visitor): Extension<Visitor>) -> Result<Response, Wrong> {
    visitor.signed()?;
    let found: Listed<Document> = visitor.get("/api/v1/documents?limit=1000").await?;
    let page = Page::new(&visitor, "sessions", visitor.w.session_new);
    Ok(shown(&New { page, documents: found.items }))
}

/// What is sent to open a session.
#[derive(Serialize)]
struct Opening<'o> {
    answer: &'o str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'o str>,
    mode: &'static str,
    session_id: String,
}

#[derive(Deserialize)]
struct Opened {
    session_id: String,
}

/// What is sent to check an answer.
#[derive(Serialize)]
struct Order<'o> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<String>,
    language: &'o str,
}

#[derive(Deserialize)]
struct Job {
    job_id: String,
}

/// Takes in what was uploaded, opens a session, and has its answer checked.
pub(super) async fn open(
    Extension(visitor): Extension<Visitor>,
    form: Upload,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let folder = Folder::new(&visitor.view.app).await?;
    let (fields, files) = form.stored(&visitor, folder.path()).await?;
    let mut documents: Vec<String> = fields.all("document").map(str::to_owned).collect();
    let is_chosen = !documents.is_empty();
    for file in &files {
        let kept = keep(&visitor, file).await?;
        if is_chosen {
            documents.push(kept);
        }
    }
    let (query, answer) = (fields.one("query"), fields.one("answer").unwrap_or_default());
    // Browsers end lines as mail does; a model does not.
    let answer = answer.replace("\r\n", "\n");
    let name = Digest::of(format!("{}\n{answer}", query.unwrap_or_default()).as_bytes()).hex();
    let session_id = format!("ses_{}", name.get(..16).unwrap_or(&name));
    let opening = Opening { answer: &answer, query, mode: "answer", session_id };
    let opened: Opened = visitor.post("/api/v1/sessions", &opening).await?;
    checked(&visitor, &opened.session_id, documents).await
}

/// Has the answer of a session checked again, against every document.
pub(super) async fn check(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    Fields::read(&visitor, &body)?;
    checked(&visitor, &id, Vec::new()).await
}

async fn checked(visitor: &Visitor, id: &str, documents: Vec<String>) -> Result<Response, Wrong> {
    let order = Order { documents, language: visitor.language.tag() };
    let path = format!("/api/v1/sessions/{}/check", seg(id));
    let job: Job = visitor.post(&path, &order).await?;
    Ok(see(&format!("/sessions/{}?job={}", seg(id), seg(&job.job_id))))
}
