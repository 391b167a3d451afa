//! The trail: its records, their receipts, and the newest checkpoint.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use dalil_proof::record::RecordKind;
use dalil_service::index::ListRange;
use dalil_service::trail::{self, RecordSummary};
use dalil_service::{keys, tenant};
use serde::Deserialize;

use super::admission::saved;
use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::visitor::WebVisitor;
use crate::api::trail::{receipt_of, records_in};
use crate::permission::Permission;
use crate::reply;

#[derive(Template)]
#[template(path = "trail.html")]
struct TrailPage {
    page: PageLayout,
    size: u64,
    from: u64,
    /// The kind that is shown alone, if one is.
    kind: String,
    days: Vec<TrailDay>,
    next: Option<u64>,
    checkpoint: String,
}

impl TrailPage {
    /// Every kind of record, as its word.
    fn kinds(&self) -> Vec<&'static str> {
        RecordKind::WORDS.iter().map(|(word, _)| *word).collect()
    }
}

/// The records of one day, the newest first.
struct TrailDay {
    date: String,
    records: Vec<RecordSummary>,
}

impl TrailDay {
    /// Records in their order, by the day that they are of.
    fn group(records: Vec<RecordSummary>) -> Vec<Self> {
        let mut days: Vec<Self> = Vec::new();
        for one in records {
            let date = one.at.get(..10).unwrap_or(&one.at).to_owned();
            match days.last_mut().filter(|day| day.date == date) {
                Some(day) => day.records.push(one),
                None => days.push(Self { date, records: vec![one] }),
            }
        }
        days
    }
}

/// Where to begin.
#[derive(Deserialize)]
pub(super) struct TrailStartQuery {
    #[serde(default)]
    from: Option<String>,
    #[serde(default)]
    kind: String,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(start): Query<TrailStartQuery>,
) -> Result<Response, PageError> {
    let own = visitor.admit(Permission::View).await?.tenant;
    let size = tenant::show(&own).await?.size;
    let last = size.saturating_sub(1);
    let from = start.from.as_deref().and_then(|from| from.parse().ok()).unwrap_or(last).min(last);
    let part = ListRange { from, limit: MAX_RECORDS_PER_PAGE, newest: true };
    let known = RecordKind::WORDS.iter().find(|(word, _)| *word == start.kind);
    let records = match known {
        Some((_, kind)) => trail::show_kinds(&own, &[*kind], part).await?,
        None => records_in(&own, part).await?,
    };
    let checkpoint = trail::checkpoint(&own, None).await?.to_string();
    // By number and not by cursor, so that people can type a record into the same field.
    let next = records.last().and_then(|last| last.index.checked_sub(1));
    let page = PageLayout::new(&visitor, "trail", visitor.w.trail);
    let (days, kind) = (TrailDay::group(records), start.kind);
    Ok(shown(&TrailPage { page, size, from, kind, days, next, checkpoint }))
}

#[derive(Template)]
#[template(path = "record.html")]
struct TrailRecordPage {
    page: PageLayout,
    one: RecordSummary,
    receipt: String,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(index): Path<u64>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let found = trail::show(&tenant, index, 1).await?.records;
    let one = found.into_iter().next().ok_or(PageError::Page)?;
    let receipt = receipt_of(&tenant, index).await?.to_string();
    let title = format!("{} {index}", visitor.w.record);
    let page = PageLayout::new(&visitor, "trail", title);
    Ok(shown(&TrailRecordPage { page, one, receipt }))
}

/// The receipt of a record, to be saved.
pub(super) async fn receipt(
    Extension(visitor): Extension<WebVisitor>,
    Path(index): Path<u64>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let receipt = receipt_of(&tenant, index).await?.to_string();
    Ok(saved(reply::text(&HeaderMap::new(), receipt), &format!("record-{index}.tlog-proof")))
}

/// The newest checkpoint, to be saved.
pub(super) async fn checkpoint(
    Extension(visitor): Extension<WebVisitor>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let checkpoint = trail::checkpoint(&tenant, None).await?.to_string();
    Ok(saved(reply::text(&HeaderMap::new(), checkpoint), "checkpoint.txt"))
}

/// What a verifier believes beforehand, to be saved.
pub(super) async fn trust(
    Extension(visitor): Extension<WebVisitor>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let trust = keys::trust(&tenant, None).await?;
    Ok(saved(reply::json(&HeaderMap::new(), &trust)?, "trust.json"))
}

const MAX_RECORDS_PER_PAGE: u32 = 50;
