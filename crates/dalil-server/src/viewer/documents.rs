//! Documents: listed, taken in, and opened at the words that a claim rests on.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_service::document::{self, DocumentSummary};
use serde::Deserialize;

use super::error::{PageError, found};
use super::form::{UploadForm, UploadedFile};
use super::highlight::{self, HighlightSegment, MAX_PAGE_CONTEXT_BYTES};
use super::layout::{PageLayout, see, shown};
use super::ledger;
use super::query::ListCursorQuery;
use super::visitor::WebVisitor;
use crate::api::documents::{keep_file, original_bytes};
use crate::page::CursorPage;
use crate::percent::seg;
use crate::permission::Permission;
use crate::scratch_folder::ScratchFolder;

#[derive(Template)]
#[template(path = "documents.html")]
struct DocumentListPage {
    page: PageLayout,
    documents: Vec<DocumentSummary>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let list = async |part| document::page(&tenant, part).await;
    let found = CursorPage::list(&part.page(), list, |one| one.index).await?;
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

/// Keeps a file, and says what names it.
pub(super) async fn keep(visitor: &WebVisitor, file: &UploadedFile) -> Result<String, PageError> {
    let caller = visitor.admit(Permission::Record).await?;
    let kept = keep_file(&visitor.view.app, &caller, &file.path, &file.filename).await?;
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
    verdict: Verdict,
}

impl ReferringClaim {
    fn tone(&self) -> &'static str {
        match self.verdict {
            Verdict::Supported => "good",
            Verdict::Contradicted => "bad",
            Verdict::Weak | Verdict::NotFound => "fair",
        }
    }
}

#[derive(Template)]
#[template(path = "document.html")]
struct DocumentViewPage {
    page: PageLayout,
    one: DocumentSummary,
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
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let one = document::show(&tenant, &id).await?;
    let number = at.page.as_deref().and_then(|page| page.parse::<u64>().ok());
    // A document without text, or without that page, is still shown.
    let text = found(document::text(&tenant, &id, number).await)?;
    let entry = match (&at.session, &at.claim) {
        (Some(session), Some(claim)) => ledger::claim(&tenant, session, claim).await?,
        _ => None,
    };
    let snippet = entry.as_ref().map_or("", |entry| entry.evidence_snippet.as_str());
    let pieces = text
        .map_or_else(Vec::new, |text| highlight::pieces(&text, snippet, MAX_PAGE_CONTEXT_BYTES));
    let is_marked = pieces.iter().any(|piece| piece.is_hit);
    let pieces = match one.media_type.as_str() {
        "text/markdown" => pieces.into_iter().map(HighlightSegment::plain).collect(),
        _ => pieces,
    };
    let claim = at.session.zip(entry).map(|(session, entry)| ReferringClaim {
        session,
        id: entry.claim_id,
        text: entry.claim_text,
        verdict: entry.verdict,
    });
    let keep = claim.as_ref().map_or_else(String::new, |claim| {
        format!("&session={}&claim={}", seg(&claim.session), seg(&claim.id))
    });
    let last = one.pages.unwrap_or(0);
    let page = PageLayout::new(&visitor, "documents", one.filename.clone());
    Ok(shown(&DocumentViewPage {
        page,
        claim,
        before: number.and_then(|number| number.checked_sub(1)).filter(|number| *number > 0),
        after: number.map(|number| number + 1).filter(|number| *number <= last),
        number: number.map_or_else(String::new, |number| number.to_string()),
        keep,
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
    let tenant = visitor.admit(Permission::View).await?.tenant;
    Ok(original_bytes(&tenant, &id, &HeaderMap::new()).await?)
}
