//! Exports: what left the system, and the forms that let it leave.

use askama::Template;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::call::{Listed, seg};
use super::form::Fields;
use super::frame::{Page, shown};
use super::sessions::Part;
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

#[derive(Template)]
#[template(path = "exports.html")]
struct All {
    page: Page,
    exports: Vec<Export>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<Visitor>,
    Query(part): Query<Part>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let found: Listed<Export> = visitor.get(&format!("/api/v1/exports?{}", part.query())).await?;
    let page = Page::new(&visitor, "exports", visitor.w.exports);
    Ok(shown(&All { page, exports: found.items, next: found.next_cursor }))
}

/// What is sent to export something.
#[derive(Serialize)]
struct Order<'o> {
    format: &'o str,
    language: &'o str,
    approved_by: Vec<&'o str>,
    reason: &'o str,
}

/// Where the bytes are, for a while.
#[derive(Deserialize)]
struct Link {
    download_url: String,
}

/// Exports the newest ledger of a session.
pub(super) async fn ledger(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Wrong> {
    export(&visitor, &format!("/api/v1/sessions/{}/ledger/export", seg(&id)), &body).await
}

/// Exports a pack.
pub(super) async fn pack(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Wrong> {
    export(&visitor, &format!("/api/v1/packs/{}/export", seg(&id)), &body).await
}

/// Has something exported, and gives the bytes to be saved.
async fn export(visitor: &Visitor, path: &str, body: &[u8]) -> Result<Response, Wrong> {
    visitor.signed()?;
    let fields = Fields::read(visitor, body)?;
    let order = Order {
        format: fields.one("format").unwrap_or("json"),
        language: visitor.language.tag(),
        approved_by: fields.all("approver").flat_map(|all| all.split(',')).map(str::trim).collect(),
        reason: fields.one("reason").unwrap_or_default(),
    };
    let link: Link = visitor.post(path, &order).await?;
    // The link may name the public address; what follows it is a path of this server.
    let at = link.download_url.find("/api/v1/").unwrap_or(0);
    let path = link.download_url.get(at..).unwrap_or_default();
    visitor.send(Method::GET, path, None).await
}
