//! Exports: what left the system, what others must approve before it leaves, and their approval.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::{Listed, seg};
use super::form::{Fields, Form};
use super::frame::{Page, see, shown};
use super::packs::Done;
use super::sessions::Part;
use super::signin::local;
use super::visit::Visitor;
use super::wrong::Wrong;

/// An export, as the API lists it.
#[derive(Deserialize)]
struct Export {
    subject: String,
    format: String,
    #[serde(default)]
    sha256: Option<String>,
    #[serde(default)]
    approved_by: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    at: String,
}

/// What somebody asked others to approve, as the API lists it.
#[derive(Deserialize)]
pub(super) struct Request {
    pub(super) object: String,
    pub(super) matter: Matter,
    pub(super) asked_by: String,
    pub(super) asked_at: String,
    expires_at: String,
    pub(super) state: String,
    pub(super) approved_by: Vec<Approver>,
    pub(super) missing: Vec<String>,
}

/// What exactly is to be approved.
#[derive(Serialize, Deserialize)]
pub(super) struct Matter {
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
pub(super) struct Approver {
    pub(super) name: String,
    pub(super) titles: Vec<String>,
    pub(super) at: String,
    expires_at: String,
}

impl Request {
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
pub(super) async fn requests(visitor: &Visitor, object: &str) -> Result<Vec<Request>, Wrong> {
    let path = format!("{REQUESTS}?order=newest&object={}", seg(object));
    let found: Listed<Request> = visitor.get(&path).await?;
    Ok(found.items)
}

#[derive(Template)]
#[template(path = "exports.html")]
struct All {
    page: Page,
    requests: Vec<Request>,
    more: Option<String>,
    exports: Vec<Export>,
    next: Option<String>,
}

/// Which page of the requests is looked at.
#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    requests: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<Visitor>,
    Query(part): Query<Part>,
    Query(asked): Query<Asked>,
    Query(Done { done }): Query<Done>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let found: Listed<Export> = visitor.get(&format!("/api/v1/exports?{}", part.query())).await?;
    let cursor = asked.requests.map(|cursor| format!("&cursor={}", seg(&cursor)));
    let path = format!("{REQUESTS}?order=newest&limit=10{}", cursor.unwrap_or_default());
    let asked: Listed<Request> = visitor.get(&path).await?;
    let page = Page::new(&visitor, "exports", visitor.w.exports).done(done.as_deref());
    let (requests, more) = (asked.items, asked.next_cursor);
    Ok(shown(&All { page, requests, more, exports: found.items, next: found.next_cursor }))
}

/// Where the bytes are, for a while.
#[derive(Deserialize)]
struct Link {
    download_url: String,
}

/// Asks others to approve that the newest ledger of a session leaves.
pub(super) async fn ledger(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    ask(&visitor, ("export_ledger", &id), &body).await?;
    Ok(see(&format!("/sessions/{}?done=asked", seg(&id))))
}

/// Asks others to approve that a pack leaves.
pub(super) async fn pack(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    ask(&visitor, ("export_pack", &id), &body).await?;
    Ok(see(&format!("/packs/{}?done=asked", seg(&id))))
}

async fn ask(visitor: &Visitor, (action, id): (&str, &str), body: &[u8]) -> Result<(), Wrong> {
    visitor.signed()?;
    let fields = Fields::read(visitor, body)?;
    let matter = Matter {
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
    visitor.post::<Value>(REQUESTS, &matter).await.map(drop)
}

/// Approves what somebody else asked for.
pub(super) async fn approve(
    Extension(visitor): Extension<Visitor>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let fields = Fields::read(&visitor, &body)?;
    drop(visitor.post::<Value>("/api/v1/approvals", &matter(&fields)?).await?);
    let back = local(fields.one("back")).split('?').next().unwrap_or("/exports");
    Ok(see(&format!("{back}?done=approved")))
}

/// Has something exported that others approved, and gives the bytes to be saved.
pub(super) async fn fetch(
    Extension(visitor): Extension<Visitor>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let matter = matter(&Fields::read(&visitor, &body)?)?;
    let object = seg(matter.object.as_deref().unwrap_or_default());
    let path = match matter.action.as_str() {
        "export_pack" => format!("/api/v1/packs/{object}/export"),
        "export_ledger" => format!("/api/v1/sessions/{object}/ledger/export"),
        _ => return Err(Wrong::Form),
    };
    let Matter { format, language, reason, .. } = matter;
    let order = Order { format, language, reason };
    let link: Link = visitor.post(&path, &order).await?;
    // The link may name the public address; what follows it is a path of this server.
    let at = link.download_url.find("/api/v1/").unwrap_or(0);
    let path = link.download_url.get(at..).unwrap_or_default();
    visitor.send(Method::GET, path, None).await
}

/// What is sent to export something.
#[derive(Serialize)]
struct Order {
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    reason: Option<String>,
}

fn matter(fields: &Fields) -> Result<Matter, Wrong> {
    serde_json::from_str(fields.one("matter").unwrap_or_default()).map_err(|_| Wrong::Form)
}

const REQUESTS: &str = "/api/v1/approvals/requests";
