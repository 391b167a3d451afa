//! Sessions: listed, opened and checked.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::response::Response;
use dalil_proof::decode;
use dalil_proof::digest::Digest;
use dalil_service::document::{self, DocumentSummary};
use dalil_service::session::{self, SessionSummary};
use serde_json::json;

use super::documents::keep;
use super::error::PageError;
use super::form::{FormBody, FormFields, UploadForm};
use super::layout::{PageLayout, see, shown};
use super::ledger::LedgerBrief;
use super::query::ListCursorQuery;
use super::visitor::WebVisitor;
use crate::api::sessions::{open_session, opening, start_check};
use crate::page::{CursorPage, PageQuery};
use crate::percent::seg;
use crate::permission::Permission;
use crate::problem::{ApiProblem, ProblemKind};
use crate::scratch_folder::ScratchFolder;

#[derive(Template)]
#[template(path = "sessions.html")]
struct SessionListPage {
    page: PageLayout,
    sessions: Vec<ListedSession>,
    next: Option<String>,
}

/// A question, and the readiness of its answer.
struct ListedSession {
    summary: SessionSummary,
    brief: Option<LedgerBrief>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let list = async |part| session::list(&tenant, part).await;
    let found = CursorPage::list(&part.page(), list, |one| one.index).await?;
    let mut sessions = Vec::with_capacity(found.items.len());
    for summary in found.items {
        let brief = LedgerBrief::of(&visitor.view.app, &tenant, &summary.session_id).await?;
        sessions.push(ListedSession { summary, brief });
    }
    let page = PageLayout::new(&visitor, "sessions", visitor.w.sessions);
    Ok(shown(&SessionListPage { page, sessions, next: found.next_cursor }))
}

#[derive(Template)]
#[template(path = "session-new.html")]
struct NewSessionPage {
    page: PageLayout,
    documents: Vec<DocumentSummary>,
    draft: NewSessionDraft,
}

/// The input of a refused form, and why, so that nothing has to be typed again.
#[derive(Default)]
struct NewSessionDraft {
    query: String,
    answer: String,
    chosen: Vec<String>,
    /// The file that was refused, and why.
    fault: Option<(String, String)>,
}

impl NewSessionDraft {
    fn has(&self, document_id: &str) -> bool {
        self.chosen.iter().any(|one| one == document_id)
    }
}

pub(super) async fn new(Extension(visitor): Extension<WebVisitor>) -> Result<Response, PageError> {
    asked(&visitor, NewSessionDraft::default()).await
}

/// The form of a new check, with the text typed into it before.
async fn asked(visitor: &WebVisitor, draft: NewSessionDraft) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let wanted = PageQuery { limit: Some(MAX_LISTED_DOCUMENTS), cursor: None, order: None };
    let list = async |part| document::page(&tenant, part).await;
    let found = CursorPage::list(&wanted, list, |one| one.index).await?;
    let page = PageLayout::new(visitor, "sessions", visitor.w.session_new);
    Ok(shown(&NewSessionPage { page, documents: found.items, draft }))
}

/// Stores the uploaded files, opens a session, and has its answer checked.
pub(super) async fn open(
    Extension(visitor): Extension<WebVisitor>,
    form: UploadForm,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let folder = ScratchFolder::new(&visitor.view.app.scratch).await?;
    let (fields, files) = form.stored(&visitor, folder.path()).await?;
    let mut documents: Vec<String> = fields.all("document").map(str::to_owned).collect();
    // It is checked against the files added here and those chosen; with neither, against all.
    for file in &files {
        match keep(&visitor, file).await {
            Ok(kept) => documents.push(kept),
            Err(PageError::Problem(problem)) if is_about_file(&problem) => {
                let why = match problem.faults.iter().any(|fault| fault.rule == "empty") {
                    true => visitor.w.file_empty.to_owned(),
                    false => problem.detail(visitor.language),
                };
                let draft = NewSessionDraft {
                    query: fields.text("query").to_owned(),
                    answer: fields.text("answer").to_owned(),
                    chosen: documents,
                    fault: Some((file.filename.clone(), why)),
                };
                let mut page = asked(&visitor, draft).await?;
                *page.status_mut() = problem.kind.status();
                return Ok(page);
            }
            Err(wrong) => return Err(wrong),
        }
    }
    let (query, answer) = (fields.one("query"), fields.text("answer"));
    // Browsers end lines as mail does; a model does not.
    let answer = answer.replace("\r\n", "\n");
    // By question and answer: the same answer to another question is another session.
    let name = Digest::of(format!("{}\n{answer}", fields.text("query")).as_bytes()).hex();
    let session_id = format!("ses_{}", name.get(..16).unwrap_or(&name));
    let mut order = json!({"answer": answer, "mode": "answer", "session_id": session_id});
    if let (Some(query), Some(members)) = (query, order.as_object_mut()) {
        members.insert("query".to_owned(), query.into());
    }
    let (session, answer) = decode::request(order.to_string().as_bytes(), opening)?;
    let caller = visitor.admit(Permission::Record).await?;
    let opened = open_session(&visitor.view.app, caller, session, answer).await?;
    begin_check(&visitor, &opened.session_id, documents).await
}

/// Whether a person can do something about a file that was not taken.
fn is_about_file(problem: &ApiProblem) -> bool {
    match problem.kind {
        ProblemKind::Malformed
        | ProblemKind::Refused
        | ProblemKind::TooLarge
        | ProblemKind::MediaType => true,
        ProblemKind::Unauthenticated
        | ProblemKind::Forbidden
        | ProblemKind::NotFound
        | ProblemKind::Method
        | ProblemKind::NotAcceptable
        | ProblemKind::Conflict
        | ProblemKind::Gone
        | ProblemKind::TooMany
        | ProblemKind::Internal
        | ProblemKind::Busy
        | ProblemKind::Timeout => false,
    }
}

/// Has the answer of a session checked again, against every document.
pub(super) async fn check(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    FormFields::read(&visitor, &body)?;
    begin_check(&visitor, &id, Vec::new()).await
}

async fn begin_check(
    visitor: &WebVisitor,
    id: &str,
    documents: Vec<String>,
) -> Result<Response, PageError> {
    let caller = visitor.admit(Permission::Record).await?;
    let mut order = json!({"language": visitor.language.tag()});
    if let (false, Some(members)) = (documents.is_empty(), order.as_object_mut()) {
        members.insert("documents".to_owned(), documents.into());
    }
    let (order, context) = (order.to_string(), visitor.outside.context());
    let job = start_check(&visitor.view.app, caller, context, (id, order.as_bytes())).await?;
    Ok(see(&format!("/sessions/{}?job={}", seg(id), seg(&job.job_id))))
}

/// How many documents can be chosen among.
const MAX_LISTED_DOCUMENTS: u32 = 1000;
