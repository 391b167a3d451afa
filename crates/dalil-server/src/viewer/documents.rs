//! Documents: listed, taken in, and opened at the words that a claim rests on.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::verdict::Verdict;
use dalil_service::document::{self, DocumentSummary};
use dalil_service::document_view::RenderedPart;
use dalil_store::Tenant;
use serde::Deserialize;

use super::error::PageError;
use super::form::{UploadForm, UploadedFile};
use super::layout::{PageLayout, see, shown};
use super::ledger;
use super::page_view::{self, PageView, PageViewContent, QuotedWords, ViewExtent};
use super::query::ListCursorQuery;
use super::visitor::WebVisitor;
use crate::api::documents::{keep_file, original_bytes};
use crate::page::CursorPage;
use crate::percent::seg;
use crate::permission::Permission;
use crate::reply;
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

/// Stores a file, and returns the id of its document.
pub(super) async fn keep(visitor: &WebVisitor, file: &UploadedFile) -> Result<String, PageError> {
    let caller = visitor.admit(Permission::Record).await?;
    let kept = keep_file(&visitor.view.app, &caller, &file.path, &file.filename).await?;
    Ok(kept.document_id)
}

/// The part of a document that is viewed.
#[derive(Deserialize)]
pub(super) struct DocumentViewQuery {
    #[serde(default)]
    page: Option<String>,
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    claim: Option<String>,
    /// Which of the passages of the claim.
    #[serde(default)]
    passage: Option<usize>,
}

impl DocumentViewQuery {
    /// The page; one that is no number is as good as none.
    fn number(&self) -> Option<u32> {
        self.page.as_deref().and_then(|page| page.parse().ok()).filter(|page| *page > 0)
    }

    /// The claim that the document is opened for.
    async fn finding(&self, tenant: &Tenant) -> Result<Option<ClaimFinding>, PageError> {
        match (&self.session, &self.claim) {
            (Some(session), Some(claim)) => ledger::claim(tenant, session, claim).await,
            _ => Ok(None),
        }
    }

    /// The words that are looked for.
    fn quoted(&self, claim: Option<&ClaimFinding>, document: &str) -> QuotedWords {
        claim.map_or_else(QuotedWords::default, |claim| {
            QuotedWords::of(claim, document, self.passage)
        })
    }
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
    before: Option<u32>,
    after: Option<u32>,
    /// The query that links to other pages keep.
    keep: String,
    view: PageView,
}

impl DocumentViewPage {
    /// How many pages can be turned to.
    fn last(&self) -> Option<u64> {
        self.view.page.map(|(_, last)| u64::from(last)).or(self.one.pages)
    }

    /// The page that is shown; the whole document when there is none.
    fn number(&self) -> String {
        self.view.page.map_or_else(String::new, |(number, _)| number.to_string())
    }
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(at): Query<DocumentViewQuery>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let one = document::show(&tenant, &id).await?;
    let finding = at.finding(&tenant).await?;
    let wanted = (at.number(), at.quoted(finding.as_ref(), &id));
    let view = PageView::of(&visitor.view.app, &tenant, &one, wanted, ViewExtent::Whole).await?;
    let claim = at.session.zip(finding).map(|(session, finding)| ReferringClaim {
        session,
        id: finding.claim_id,
        text: finding.claim_text,
        verdict: finding.verdict,
    });
    let passage = at.passage.map_or_else(String::new, |passage| format!("&passage={passage}"));
    let keep = claim.as_ref().map_or_else(String::new, |claim| {
        format!("&session={}&claim={}{passage}", seg(&claim.session), seg(&claim.id))
    });
    let beside = |step: i64| {
        let (number, last) = view.page?;
        let number = u32::try_from(i64::from(number) + step).ok()?;
        (1..=last).contains(&number).then_some(number)
    };
    let (before, after) = (beside(-1), beside(1));
    let page = PageLayout::new(&visitor, "documents", one.filename.clone());
    Ok(shown(&DocumentViewPage { page, claim, before, after, keep, view, one }))
}

#[derive(Template)]
#[template(path = "view.html")]
pub(super) struct DocumentViewPart {
    pub(super) page: PageLayout,
    pub(super) view: PageView,
}

/// A document around the words of a claim, as a part of the claim's page.
pub(super) async fn view(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(at): Query<DocumentViewQuery>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let one = document::show(&tenant, &id).await?;
    let finding = at.finding(&tenant).await?;
    let wanted = (at.number(), at.quoted(finding.as_ref(), &id));
    let view = PageView::of(&visitor.view.app, &tenant, &one, wanted, ViewExtent::Around).await?;
    let page = PageLayout::new(&visitor, "documents", one.filename);
    Ok(shown(&DocumentViewPart { page, view }))
}

/// A page of a document as a picture; nothing of one that cannot be drawn.
pub(super) async fn picture(
    Extension(visitor): Extension<WebVisitor>,
    Path((id, picture)): Path<(String, String)>,
    asked: HeaderMap,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let one = document::show(&tenant, &id).await?;
    let number: Option<u32> = picture.strip_suffix(".png").and_then(|page| page.parse().ok());
    // Written in one way alone, so that one picture has one address.
    let number = number.filter(|number| *number > 0 && format!("{number}.png") == picture);
    let number = number.ok_or(PageError::Page)?;
    let drawn = page_view::picture(&visitor.view.app, &tenant, &one, number).await?;
    Ok(reply::picture(&asked, drawn.map_err(|_| PageError::Page)?))
}

/// The bytes of a document as they came: to be saved, never shown as a page of ours.
pub(super) async fn original(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    Ok(original_bytes(&tenant, &id, &HeaderMap::new()).await?)
}
