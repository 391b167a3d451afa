//! Exports: what left the system, what others must approve before it leaves, and their approval.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::api_client::ListReply;
use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::query::{FormResultQuery, ListCursorQuery};
use super::signin::local;
use super::visitor::WebVisitor;
use crate::percent::seg;

/// An export, as the API lists it.
#[derive(Deserialize)]
struct ExportItem {
    subject: String,
    format: String,
    #[serde(default)]
    sha256: Option<String>,
    #[serde(default)]
    exported_by: Option<String>,
    #[serde(default)]
    approved_by: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    at: String,
}

/// What somebody asked others to approve, as the API lists it.
#[derive(Deserialize)]
pub(super) struct ApprovalRequestView {
    pub(super) object: String,
    pub(super) matter: ApprovableActionBody,
    pub(super) asked_by: String,
    pub(super) asked_at: String,
    expires_at: String,
    pub(super) state: String,
    pub(super) approved_by: Vec<ApproverView>,
    pub(super) missing: Vec<String>,
}

/// What exactly is to be approved.
#[derive(Serialize, Deserialize)]
pub(super) struct ApprovableActionBody {
    pub(super) action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    object: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) withhold: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) legal_basis: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) records: Option<Vec<u64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) scope: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct ApproverView {
    pub(super) name: String,
    pub(super) titles: Vec<String>,
    pub(super) at: String,
    expires_at: String,
}

impl ApprovalRequestView {
    /// The matter as the API takes it.
    pub(super) fn body(&self) -> String {
        serde_json::to_string(&self.matter).unwrap_or_default()
    }

    /// Until when it stands as it does: the first end of what it rests on.
    pub(super) fn until(&self) -> &str {
        let ends = self.approved_by.iter().map(|one| one.expires_at.as_str());
        match self.state.as_str() {
            "approved" => ends.min().unwrap_or(&self.expires_at),
            _ => &self.expires_at,
        }
    }

    /// Whether somebody may try to approve it: whoever neither asked nor approved.
    pub(super) fn is_open_to(&self, who: Option<&str>) -> bool {
        let own = who == Some(self.asked_by.as_str());
        let said = self.approved_by.iter().any(|one| who == Some(one.name.as_str()));
        self.state == "waiting" && !own && !said
    }

    /// Whether somebody may fetch what it is about.
    pub(super) fn is_ready_for(&self, who: Option<&str>) -> bool {
        let leaves = matches!(self.matter.action.as_str(), "export_pack" | "export_ledger");
        leaves && self.state == "approved" && who == Some(self.asked_by.as_str())
    }
}

/// What was asked for about one thing, the newest first.
pub(super) async fn requests(
    visitor: &WebVisitor,
    object: &str,
) -> Result<Vec<ApprovalRequestView>, PageError> {
    let path = format!("{APPROVAL_REQUESTS_PATH}?order=newest&object={}", seg(object));
    let found: ListReply<ApprovalRequestView> = visitor.get(&path).await?;
    Ok(found.items)
}

#[derive(Template)]
#[template(path = "exports.html")]
struct ExportListPage {
    page: PageLayout,
    requests: Vec<ApprovalRequestView>,
    more: Option<String>,
    exports: Vec<ExportItem>,
    next: Option<String>,
}

/// Which page of the requests is looked at.
#[derive(Deserialize)]
pub(super) struct ApprovalCursorQuery {
    #[serde(default)]
    requests: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
    Query(asked): Query<ApprovalCursorQuery>,
    Query(FormResultQuery { done }): Query<FormResultQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let found: ListReply<ExportItem> =
        visitor.get(&format!("/api/v1/exports?{}", part.query())).await?;
    let cursor = asked.requests.map(|cursor| format!("&cursor={}", seg(&cursor)));
    let path =
        format!("{APPROVAL_REQUESTS_PATH}?order=newest&limit=10{}", cursor.unwrap_or_default());
    let asked: ListReply<ApprovalRequestView> = visitor.get(&path).await?;
    let page = PageLayout::new(&visitor, "exports", visitor.w.exports).done(done.as_deref());
    let (requests, more) = (asked.items, asked.next_cursor);
    Ok(shown(&ExportListPage {
        page,
        requests,
        more,
        exports: found.items,
        next: found.next_cursor,
    }))
}

/// Where the bytes are, for a while.
#[derive(Deserialize)]
struct DownloadLinkReply {
    download_url: String,
}

/// Asks others to approve that the newest ledger of a session leaves.
pub(super) async fn ledger(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    ask(&visitor, ("export_ledger", &id), &body).await?;
    Ok(see(&format!("/sessions/{}?done=asked", seg(&id))))
}

/// Asks others to approve that a pack leaves.
pub(super) async fn pack(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    ask(&visitor, ("export_pack", &id), &body).await?;
    Ok(see(&format!("/packs/{}?done=asked", seg(&id))))
}

async fn ask(
    visitor: &WebVisitor,
    (action, id): (&str, &str),
    body: &[u8],
) -> Result<(), PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(visitor, body)?;
    let matter = ApprovableActionBody {
        action: action.to_owned(),
        object: Some(id.to_owned()),
        format: Some(fields.one("format").unwrap_or("json").to_owned()),
        language: Some(visitor.language.tag().to_owned()),
        reason: fields.one("reason").map(str::to_owned),
        content: None,
        from: None,
        withhold: None,
        legal_basis: None,
        records: None,
        scope: None,
    };
    visitor.post::<Value>(APPROVAL_REQUESTS_PATH, &matter).await.map(drop)
}

/// Approves what somebody else asked for.
pub(super) async fn approve(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    drop(visitor.post::<Value>("/api/v1/approvals", &matter(&fields)?).await?);
    // Without its query, which may hold the result of an earlier form.
    let back = local(fields.one("back")).split('?').next().unwrap_or("/exports");
    Ok(see(&format!("{back}?done=approved")))
}

/// Has something exported that others approved, and gives the bytes to be saved.
pub(super) async fn fetch(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let matter = matter(&FormFields::read(&visitor, &body)?)?;
    let object = seg(matter.object.as_deref().unwrap_or_default());
    let path = match matter.action.as_str() {
        "export_pack" => format!("/api/v1/packs/{object}/export"),
        "export_ledger" => format!("/api/v1/sessions/{object}/ledger/export"),
        // The matter comes from the browser: only these two can be fetched with it. The API
        // counts the approvals again.
        _ => return Err(PageError::Form),
    };
    let ApprovableActionBody { format, language, reason, .. } = matter;
    let order = ExportRequestBody { format, language, reason };
    let link: DownloadLinkReply = visitor.post(&path, &order).await?;
    // The link may name the public address; what follows it is a path of this server.
    let at = link.download_url.find("/api/v1/").unwrap_or(0);
    let path = link.download_url.get(at..).unwrap_or_default();
    visitor.send(Method::GET, path, None).await
}

/// What is sent to export something.
#[derive(Serialize)]
struct ExportRequestBody {
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    reason: Option<String>,
}

fn matter(fields: &FormFields) -> Result<ApprovableActionBody, PageError> {
    serde_json::from_str(fields.text("matter")).map_err(|_| PageError::Form)
}

const APPROVAL_REQUESTS_PATH: &str = "/api/v1/approvals/requests";
