//! The trail: its records, their receipts, and the newest checkpoint.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::Method;
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;

use super::call::{Listed, saved};
use super::frame::{Page, shown};
use super::verify::TRUST;
use super::visit::Visitor;
use super::wrong::Wrong;

/// How long the trail is.
#[derive(Deserialize)]
struct Length {
    size: u64,
}

/// One record.
#[derive(Clone, Deserialize)]
struct Record {
    index: u64,
    id: String,
    kind: String,
    at: String,
    actor: String,
    subject: String,
    leaf: String,
    #[serde(default)]
    payload: Vec<Field>,
}

#[derive(Clone, Deserialize)]
struct Field {
    name: String,
    verdict: String,
    #[serde(default)]
    by: Option<u64>,
    #[serde(default)]
    object: Option<String>,
}

#[derive(Template)]
#[template(path = "trail.html")]
struct All {
    page: Page,
    size: u64,
    from: u64,
    records: Vec<Record>,
    next: Option<u64>,
    checkpoint: String,
}

/// Where to begin.
#[derive(Deserialize)]
pub(super) struct Start {
    #[serde(default)]
    from: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<Visitor>,
    Query(start): Query<Start>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let Length { size } = visitor.get("/api/v1/tenant").await?;
    let last = size.saturating_sub(1);
    let from = start.from.as_deref().and_then(|from| from.parse().ok()).unwrap_or(last).min(last);
    let Listed { items: records, .. }: Listed<Record> = visitor.get(&back(from)).await?;
    let checkpoint = visitor.text(CHECKPOINT).await?;
    let next = records.last().and_then(|last| last.index.checked_sub(1));
    let page = Page::new(&visitor, "trail", visitor.w.trail);
    Ok(shown(&All { page, size, from, records, next, checkpoint }))
}

#[derive(Template)]
#[template(path = "record.html")]
struct Shown {
    page: Page,
    one: Record,
    receipt: String,
}

pub(super) async fn show(
    Extension(visitor): Extension<Visitor>,
    Path(index): Path<u64>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let found: Listed<Record> = visitor.get(&only(index)).await?;
    let one = found.items.into_iter().next().ok_or(Wrong::Page)?;
    let receipt = visitor.text(&proof(index)).await?;
    let title = format!("{} {index}", visitor.w.record);
    let page = Page::new(&visitor, "trail", title);
    Ok(shown(&Shown { page, one, receipt }))
}

/// The receipt of a record, to be saved.
pub(super) async fn receipt(
    Extension(visitor): Extension<Visitor>,
    Path(index): Path<u64>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let response = visitor.send(Method::GET, &proof(index), None).await?;
    Ok(saved(response, &format!("record-{index}.tlog-proof")))
}

/// The newest checkpoint, to be saved.
pub(super) async fn checkpoint(Extension(visitor): Extension<Visitor>) -> Result<Response, Wrong> {
    visitor.signed()?;
    let response = visitor.send(Method::GET, CHECKPOINT, None).await?;
    Ok(saved(response, "checkpoint.txt"))
}

/// What a verifier believes beforehand, to be saved.
pub(super) async fn trust(Extension(visitor): Extension<Visitor>) -> Result<Response, Wrong> {
    visitor.signed()?;
    let response = visitor.send(Method::GET, TRUST, None).await?;
    Ok(saved(response, "trust.json"))
}

/// The path of records from a place back.
fn back(from: u64) -> String {
    let cursor = BASE64_URL_SAFE_NO_PAD.encode(format!("back:{from}"));
    format!("{RECORDS}?order=newest&limit={MOST}&cursor={cursor}")
}

/// The path of one record.
fn only(index: u64) -> String {
    let cursor = BASE64_URL_SAFE_NO_PAD.encode(format!("from:{index}"));
    format!("{RECORDS}?limit=1&cursor={cursor}")
}

/// The path of a receipt.
fn proof(index: u64) -> String {
    format!("{RECORDS}/{index}/receipt")
}

const RECORDS: &str = "/api/v1/trail/records";
const CHECKPOINT: &str = "/api/v1/trail/checkpoint";
const MOST: u64 = 50;
