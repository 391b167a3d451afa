//! The trail: its records, their receipts, and the newest checkpoint.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::Method;
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;

use super::api_client::{ListReply, saved};
use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::verify::TRUST_PATH;
use super::visitor::WebVisitor;

/// How long the trail is.
#[derive(Deserialize)]
struct TrailSizeReply {
    size: u64,
}

/// One record.
#[derive(Clone, Deserialize)]
struct TrailRecordView {
    index: u64,
    id: String,
    kind: String,
    at: String,
    actor: String,
    subject: String,
    leaf: String,
    #[serde(default)]
    payload: Vec<PayloadFieldView>,
}

#[derive(Clone, Deserialize)]
struct PayloadFieldView {
    name: String,
    verdict: String,
    #[serde(default)]
    by: Option<u64>,
    #[serde(default)]
    object: Option<String>,
}

#[derive(Template)]
#[template(path = "trail.html")]
struct TrailPage {
    page: PageLayout,
    size: u64,
    from: u64,
    records: Vec<TrailRecordView>,
    next: Option<u64>,
    checkpoint: String,
}

/// Where to begin.
#[derive(Deserialize)]
pub(super) struct TrailStartQuery {
    #[serde(default)]
    from: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(start): Query<TrailStartQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let TrailSizeReply { size } = visitor.get("/api/v1/tenant").await?;
    let last = size.saturating_sub(1);
    let from = start.from.as_deref().and_then(|from| from.parse().ok()).unwrap_or(last).min(last);
    let ListReply { items: records, .. }: ListReply<TrailRecordView> =
        visitor.get(&back(from)).await?;
    let checkpoint = visitor.text(CHECKPOINT_PATH).await?;
    // By number and not by cursor, so that people can type a record into the same field.
    let next = records.last().and_then(|last| last.index.checked_sub(1));
    let page = PageLayout::new(&visitor, "trail", visitor.w.trail);
    Ok(shown(&TrailPage { page, size, from, records, next, checkpoint }))
}

#[derive(Template)]
#[template(path = "record.html")]
struct TrailRecordPage {
    page: PageLayout,
    one: TrailRecordView,
    receipt: String,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(index): Path<u64>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let found: ListReply<TrailRecordView> = visitor.get(&only(index)).await?;
    let one = found.items.into_iter().next().ok_or(PageError::Page)?;
    let receipt = visitor.text(&proof(index)).await?;
    let title = format!("{} {index}", visitor.w.record);
    let page = PageLayout::new(&visitor, "trail", title);
    Ok(shown(&TrailRecordPage { page, one, receipt }))
}

/// The receipt of a record, to be saved.
pub(super) async fn receipt(
    Extension(visitor): Extension<WebVisitor>,
    Path(index): Path<u64>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let response = visitor.send(Method::GET, &proof(index), None).await?;
    Ok(saved(response, &format!("record-{index}.tlog-proof")))
}

/// The newest checkpoint, to be saved.
pub(super) async fn checkpoint(
    Extension(visitor): Extension<WebVisitor>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let response = visitor.send(Method::GET, CHECKPOINT_PATH, None).await?;
    Ok(saved(response, "checkpoint.txt"))
}

/// What a verifier believes beforehand, to be saved.
pub(super) async fn trust(
    Extension(visitor): Extension<WebVisitor>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let response = visitor.send(Method::GET, TRUST_PATH, None).await?;
    Ok(saved(response, "trust.json"))
}

/// The path of records from a place back.
fn back(from: u64) -> String {
    let cursor = BASE64_URL_SAFE_NO_PAD.encode(format!("back:{from}"));
    format!("{RECORDS_PATH}?order=newest&limit={MAX_RECORDS_PER_PAGE}&cursor={cursor}")
}

/// The path of one record.
fn only(index: u64) -> String {
    let cursor = BASE64_URL_SAFE_NO_PAD.encode(format!("from:{index}"));
    format!("{RECORDS_PATH}?limit=1&cursor={cursor}")
}

/// The path of a receipt.
fn proof(index: u64) -> String {
    format!("{RECORDS_PATH}/{index}/receipt")
}

const RECORDS_PATH: &str = "/api/v1/trail/records";
const CHECKPOINT_PATH: &str = "/api/v1/trail/checkpoint";
const MAX_RECORDS_PER_PAGE: u64 = 50;
