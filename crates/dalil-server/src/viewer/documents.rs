//! Documents: listed, taken in, and opened at the words that a claim rests on.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::Method;
use axum::response::Response;
use serde::Deserialize;

use super::api_client::ListReply;
use super::error::PageError;
use super::form::{UploadForm, UploadedFile};
use super::layout::{PageLayout, see, shown};
use super::ledger;
use super::query::ListCursorQuery;
use super::visitor::WebVisitor;
use crate::percent::seg;
use crate::scratch_folder::ScratchFolder;

mod mark;

use mark::HighlightSegment;

/// A document, as the API gives it.
#[derive(Deserialize)]
pub(super) struct DocumentReply {
    pub(super) document_id: String,
    pub(super) filename: String,
    media_type: String,
    sha256: String,
    size: u64,
    retrieved_at: String,
    #[serde(default)]
    document_date: Option<String>,
    #[serde(default)]
    pages: Option<u64>,
    index: u64,
}

#[derive(Template)]
#[template(path = "documents.html")]
struct DocumentListPage {
    page: PageLayout,
    documents: Vec<DocumentReply>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let found: ListReply<DocumentReply> =
        visitor.get(&format!("/api/v1/documents?{}", part.query())).await?;
    let page = PageLayout::new(&visitor, "documents", visitor.w.documents);
    Ok(shown(&DocumentListPage { page, documents: found.items, next: found.next_cursor }))
}

/// Takes in documents, and shows the list, or the one if it is alone.
pub(super) async fn upload(
    Extension(visitor): Extension<WebVisitor>,
    form: UploadForm,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let folder = ScratchFolder::new(&visitor.view.app.scratch).await?;
    let (_, files) = form.stored(&visitor, folder.path()).await?;
    let mut kept = Vec::new();
    for file in &files {
        kept.push(keep(&visitor, file).await?);
    }
    match kept.as_slice() {
        [only] => Ok(see(&format!("/documents/{}", seg(only)))),
        _ => Ok(see("/documents")),
    }
}

#[derive(Deserialize)]
struct DocumentUploadReply {
    document_id: String,
}

/// Gives a file to the API, and says what names it.
pub(super) async fn keep(visitor: &WebVisitor, file: &UploadedFile) -> Result<String, PageError> {
    let path = format!("/api/v1/documents?filename={}", seg(&file.filename));
    let content = ("application/octet-stream", file.body().await?);
    let kept: DocumentUploadReply = visitor.sent(Method::POST, &path, content).await?;
    Ok(kept.document_id)
}

/// What of a document is looked at.
#[derive(Deserialize)]
pub(super) struct DocumentViewQuery {
    #[serde(default)]
    page: Option<String>,
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    claim: Option<String>,
}

/// The claim that a document is opened for.
struct ReferringClaim {
    session: String,
    id: String,
    text: String,
    verdict: String,
}

impl ReferringClaim {
    fn tone(&self) -> &'static str {
        match self.verdict.as_str() {
            "supported" => "good",
            "contradicted" => "bad",
            _ => "fair",
        }
    }
}

#[derive(Template)]
#[template(path = "document.html")]
struct DocumentViewPage {
    page: PageLayout,
    one: DocumentReply,
    claim: Option<ReferringClaim>,
    /// The page that is shown; the whole document when there is none.
    number: String,
    before: Option<u64>,
    after: Option<u64>,
    /// What links to other pages keep.
    keep: String,
    pieces: Vec<HighlightSegment>,
    is_marked: bool,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(at): Query<DocumentViewQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let path = format!("/api/v1/documents/{}", seg(&id));
    let one: DocumentReply = visitor.get(&path).await?;
    let number = at.page.as_deref().and_then(|page| page.parse::<u64>().ok());
    let query = number.map(|number| format!("?page={number}")).unwrap_or_default();
    let text = match visitor.text(&format!("{path}/text{query}")).await {
        // A document without text, or without that page, is still shown.
        Err(wrong) if !wrong.is_missing() => return Err(wrong),
        text => text.unwrap_or_default(),
    };
    let entry = match (&at.session, &at.claim) {
        (Some(session), Some(claim)) => ledger::claim(&visitor, session, claim).await?,
        _ => None,
    };
    let snippet = entry.as_ref().map_or("", |entry| entry.evidence_snippet.as_str());
    let pieces = mark::pieces(&text, snippet);
    let is_marked = pieces.iter().any(|piece| piece.is_hit);
    let session = at.session.unwrap_or_default();
    let claim = entry.map(|entry| ReferringClaim {
        session: session.clone(),
        id: entry.claim_id,
        text: entry.claim_text,
        verdict: entry.verdict,
    });
    let keep = claim
        .as_ref()
        .map(|claim| format!("&session={}&claim={}", seg(&claim.session), seg(&claim.id)));
    let last = one.pages.unwrap_or_default();
    let page = PageLayout::new(&visitor, "documents", one.filename.clone());
    Ok(shown(&DocumentViewPage {
        page,
        claim,
        before: number.and_then(|number| number.checked_sub(1)).filter(|number| *number > 0),
        after: number.map(|number| number + 1).filter(|number| *number <= last),
        number: number.map(|number| number.to_string()).unwrap_or_default(),
        keep: keep.unwrap_or_default(),
        pieces,
        is_marked,
        one,
    }))
}

/// The bytes of a document as they came: to be saved, never shown as a page of ours.
pub(super) async fn original(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let path = format!("/api/v1/documents/{}/original", seg(&id));
    visitor.send(Method::GET, &path, None).await
}
