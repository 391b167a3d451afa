//! Obligations, with everything that happened to them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;

use super::api_client::ListReply;
use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::query::ListCursorQuery;
use super::visitor::WebVisitor;
use super::words::ViewerTexts;
use crate::percent::seg;

#[cfg(test)]
mod tests;

/// An obligation, as a list shows it.
#[derive(Deserialize)]
struct ObligationItem {
    obligation_id: String,
    event: String,
    #[serde(default)]
    doc_filename: Option<String>,
    #[serde(default)]
    recorded_at: Option<String>,
}

#[derive(Template)]
#[template(path = "obligations.html")]
struct ObligationListPage {
    page: PageLayout,
    obligations: Vec<ObligationItem>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let path = format!("/api/v1/obligations?{}", part.query());
    let found: ListReply<ObligationItem> = visitor.get(&path).await?;
    let page = PageLayout::new(&visitor, "obligations", visitor.w.obligations);
    let obligations = newest_of_each(found.items);
    Ok(shown(&ObligationListPage { page, obligations, next: found.next_cursor }))
}

/// The newest record of each obligation, of records the newest first. A change of status names no
/// document; the evidence before it does.
fn newest_of_each(items: Vec<ObligationItem>) -> Vec<ObligationItem> {
    let mut known: BTreeMap<String, ObligationItem> = BTreeMap::new();
    for one in items {
        match known.entry(one.obligation_id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(one);
            }
            Entry::Occupied(mut entry) if entry.get().doc_filename.is_none() => {
                entry.get_mut().doc_filename = one.doc_filename;
            }
            Entry::Occupied(_) => {}
        }
    }
    known.into_values().collect()
}

/// Everything that happened to an obligation, as the API gives it.
#[derive(Deserialize)]
struct ObligationHistoryReply {
    status: Option<String>,
    evidence: Option<Value>,
    records: Vec<ObligationEventView>,
}

#[derive(Deserialize)]
struct ObligationEventView {
    index: u64,
    at: String,
    actor: Value,
    event: String,
    content: Value,
    #[serde(default)]
    findings: Vec<ObligationFindingView>,
}

#[derive(Deserialize)]
struct ObligationFindingView {
    rule: String,
}

/// One record, as a person reads it.
struct ObligationTimelineRow {
    index: u64,
    at: String,
    actor: String,
    event: String,
    said: String,
}

#[derive(Template)]
#[template(path = "obligation.html")]
struct ObligationPage {
    page: PageLayout,
    status: Option<String>,
    clause: Option<String>,
    place: String,
    /// What vouches for it: names of columns, and what is in them.
    proofs: Vec<(&'static str, String)>,
    records: Vec<ObligationTimelineRow>,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let path = format!("/api/v1/obligations/{}/history", seg(&id));
    let ObligationHistoryReply { status, evidence, records } = visitor.get(&path).await?;
    if records.is_empty() {
        return Err(PageError::Page);
    }
    let text = |name: &str| evidence.as_ref().and_then(|all| all.get(name)).map(plain);
    let place = ["doc_filename", "section_reference"].iter().filter_map(|name| text(name));
    let number = text("page_number").filter(|number| !number.is_empty());
    let number = number.map(|number| format!("{} {number}", visitor.w.page));
    let place: Vec<String> = place.filter(|part| !part.is_empty()).chain(number).collect();
    let mut proofs =
        evidence.as_ref().map(|evidence| proofs(visitor.w, evidence)).unwrap_or_default();
    let newest = records.iter().rev().find(|one| one.event == "recorded");
    let findings = newest.into_iter().flat_map(|one| &one.findings);
    proofs.extend(
        findings.map(|one| (visitor.w.obligation_note, visitor.w.of(&one.rule).to_owned())),
    );
    let page = PageLayout::new(&visitor, "obligations", id);
    Ok(shown(&ObligationPage {
        page,
        status,
        clause: text("source_clause").filter(|clause| !clause.is_empty()),
        place: place.join(", "),
        proofs,
        records: records.into_iter().map(|one| line(&visitor, one)).collect(),
    }))
}

/// Who found an obligation, who checked it, what came of it, and what amended it.
fn proofs(w: &'static ViewerTexts, evidence: &Value) -> Vec<(&'static str, String)> {
    let text = |name: &str| evidence.get(name).map(plain).unwrap_or_default();
    let amendments = match evidence.get("amendment_history") {
        Some(Value::Array(entries)) if !entries.is_empty() => {
            let named = ["status", "action", "clause", "amendment_source_clause", "doc_id"];
            let entry = |entry: &Value| {
                let parts = named.iter().filter_map(|name| entry.get(name)).map(plain);
                parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
            };
            entries.iter().map(entry).collect::<Vec<_>>().join("; ")
        }
        _ => String::new(),
    };
    let all = [
        (w.result, w.of(&text("verification_result")).to_owned()),
        (w.confidence, text("confidence")),
        (w.extraction_model, text("extraction_model")),
        (w.verification_model, text("verification_model")),
        (w.amendments, amendments),
    ];
    all.into_iter().filter(|(_, said)| !said.is_empty()).collect()
}

fn line(visitor: &WebVisitor, happened: ObligationEventView) -> ObligationTimelineRow {
    let ObligationEventView { index, at, actor, event, content, findings: _ } = happened;
    let w = visitor.w;
    let erased = content.get("erased").and_then(|erased| erased.get("by"));
    let present = content.get("present");
    let entry = present.and_then(|all| all.get("amendment_history")).and_then(|list| list.get(0));
    let changed = entry.and_then(|entry| entry.get("new_status")).map(plain);
    let reason =
        present.and_then(|all| all.get("reason")).or(entry.and_then(|one| one.get("reason")));
    let clause = present.and_then(|all| all.get("source_clause"));
    let said = match (erased, changed, reason, clause) {
        (Some(by), ..) => format!("{} {by}", w.erased_by),
        (None, Some(status), reason, _) => {
            let reason = reason.map(plain).filter(|reason| !reason.is_empty());
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("{}{reason}", w.of(&status))
        }
        (None, None, Some(reason), _) => plain(reason),
        (None, None, None, Some(clause)) => plain(clause),
        (None, None, None, None) => String::new(),
    };
    ObligationTimelineRow { index, at, actor: acted(&actor), event, said }
}

/// Who acted: by name, or the kind of those that have none.
fn acted(actor: &Value) -> String {
    let named = ["id", "kind"].iter().find_map(|field| actor.get(field));
    plain(named.unwrap_or(actor))
}

/// A text itself, nothing for null, anything else as it is written.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
