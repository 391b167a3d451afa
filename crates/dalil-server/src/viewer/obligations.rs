//! Obligations, with everything that happened to them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::response::Response;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_proof::record::Actor;
use dalil_proof::score::Score;
use dalil_proof::time::Time;
use dalil_service::index::{self, ObligationSummary};
use dalil_service::obligation::{ObligationContent, ObligationEvent, ObligationRecord};

use super::chart::ConfidenceChart;
use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::query::ListCursorQuery;
use super::visitor::WebVisitor;
use crate::api::obligations::history_of;
use crate::page::CursorPage;
use crate::percent::seg;
use crate::permission::Permission;

#[cfg(test)]
mod tests;

#[derive(Template)]
#[template(path = "obligations.html")]
struct ObligationListPage {
    page: PageLayout,
    /// None where no record gives a confidence.
    chart: Option<ConfidenceChart>,
    obligations: Vec<ObligationSummary>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let list = async |part| index::obligations(&tenant, part).await;
    let found = CursorPage::list(&part.page(), list, |one| one.index).await?;
    let page = PageLayout::new(&visitor, "obligations", visitor.w.obligations);
    let obligations = newest_of_each(found.items);
    let things = obligations.iter().filter_map(|one| {
        let address = format!("/obligations/{}", seg(&one.obligation_id));
        Some((one.obligation_id.clone(), address, one.confidence.and_then(Score::new)?))
    });
    let chart = ConfidenceChart::of(things, visitor.w);
    Ok(shown(&ObligationListPage { page, chart, obligations, next: found.next_cursor }))
}

/// The newest record of each obligation, of records the newest first. A change of status names no
/// document and is certain of itself; the evidence before it gives both for the obligation.
fn newest_of_each(items: Vec<ObligationSummary>) -> Vec<ObligationSummary> {
    let mut known: BTreeMap<String, ObligationSummary> = BTreeMap::new();
    for mut one in items {
        if one.event != RECORDED_EVENT {
            (one.doc_filename, one.confidence) = (None, None);
        }
        match known.entry(one.obligation_id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(one);
            }
            Entry::Occupied(mut entry) if entry.get().doc_filename.is_none() => {
                let newer = entry.get_mut();
                newer.doc_filename = one.doc_filename;
                newer.confidence = newer.confidence.or(one.confidence);
            }
            Entry::Occupied(_) => {}
        }
    }
    known.into_values().collect()
}

/// One amendment of an obligation.
struct AmendmentRow {
    /// The status or the action, a word of the published format.
    word: Option<String>,
    clause: Option<String>,
    /// The document that it is from.
    source: Option<String>,
}

/// One record, as a person reads it.
struct ObligationTimelineRow {
    index: u64,
    at: Time,
    actor: String,
    event: ObligationEvent,
    said: String,
}

#[derive(Template)]
#[template(path = "obligation.html")]
struct ObligationPage {
    page: PageLayout,
    status: Option<String>,
    clause: Option<String>,
    place: String,
    chart: Option<ConfidenceChart>,
    /// The evidence for it: names of columns, and their values.
    proofs: Vec<(Cow<'static, str>, String)>,
    /// The amendments of it, the oldest first.
    amendments: Vec<AmendmentRow>,
    records: Vec<ObligationTimelineRow>,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let history = history_of(&tenant, &id, None).await?;
    let (w, evidence, records) = (visitor.w, history.evidence.as_ref(), &history.records);
    let text = |name: &str| filled(evidence?.get(name));
    let number = text("page_number").map(|number| format!("{} {number}", w.page));
    let place = [text("doc_filename"), text("section_reference"), number];
    let place: Vec<String> = place.into_iter().flatten().collect();
    let mut proofs = evidence.map_or_else(Vec::new, |evidence| proofs(w, evidence));
    let newest = records.iter().rev().find(|one| one.event == ObligationEvent::Recorded);
    let terms = newest.and_then(|one| one.terms.as_ref());
    proofs.extend(terms.into_iter().flat_map(|terms| {
        TERM_NAMES.iter().filter_map(|name| Some((w.of(name), filled(terms.get(name))?)))
    }));
    let rules = newest.into_iter().flat_map(rules);
    proofs.extend(rules.map(|rule| (Cow::Borrowed(w.obligation_note), w.of(rule).into_owned())));
    let known = evidence.and_then(|evidence| known_score(evidence.get("confidence")));
    let address = format!("/obligations/{}", seg(&id));
    let chart = ConfidenceChart::of(known.map(|known| (id.clone(), address, known)), w);
    let page = PageLayout::new(&visitor, "obligations", id);
    Ok(shown(&ObligationPage {
        page,
        clause: text("source_clause"),
        place: place.join(", "),
        chart,
        proofs,
        amendments: evidence.map_or_else(Vec::new, amendments),
        records: records.iter().map(|one| line(w, one)).collect(),
        status: history.status,
    }))
}

/// The rules of the findings about a record.
fn rules(record: &ObligationRecord) -> impl Iterator<Item = &str> {
    let findings = match &record.findings {
        Some(Json::List(findings)) => findings.as_slice(),
        _ => &[],
    };
    findings.iter().filter_map(|finding| match finding.get("rule") {
        Some(Json::Text(rule)) => Some(&**rule),
        _ => None,
    })
}

/// The amendments of an obligation.
fn amendments(evidence: &Json<'_>) -> Vec<AmendmentRow> {
    let entries = match evidence.get("amendment_history") {
        Some(Json::List(entries)) => entries.as_slice(),
        _ => &[],
    };
    let first =
        |entry: &Json<'_>, names: [&str; 2]| names.iter().find_map(|name| filled(entry.get(name)));
    let row = |entry: &Json<'_>| AmendmentRow {
        word: first(entry, ["status", "action"]),
        clause: first(entry, ["clause", "amendment_source_clause"]),
        source: filled(entry.get("doc_id")),
    };
    entries.iter().map(row).collect()
}

/// The models that found and verified an obligation, and the result.
fn proofs(w: &'static ViewerTexts, evidence: &Json<'_>) -> Vec<(Cow<'static, str>, String)> {
    let text = |name: &str| filled(evidence.get(name));
    let all = [
        (w.result, text("verification_result").map(|word| w.of(&word).into_owned())),
        (w.confidence, score(evidence.get("confidence"))),
        (w.extraction_model, text("extraction_model")),
        (w.verification_model, text("verification_model")),
    ];
    all.into_iter().filter_map(|(name, said)| Some((Cow::Borrowed(name), said?))).collect()
}

fn line(w: &'static ViewerTexts, record: &ObligationRecord) -> ObligationTimelineRow {
    let said = match &record.content {
        ObligationContent::Erased { by } => format!("{} {by}", w.erased_by),
        ObligationContent::Present(content) => happened(w, content),
        ObligationContent::Missing | ObligationContent::Altered => String::new(),
    };
    let actor = actor_name(w, &record.actor);
    ObligationTimelineRow { index: record.index, at: record.at, actor, event: record.event, said }
}

/// The name of an actor for readers, as on the pages of the trail.
fn actor_name(w: &ViewerTexts, actor: &Actor) -> String {
    match actor {
        Actor::Agent(name) => w.agent_named(name),
        Actor::Person(name) => name.clone(),
        Actor::System => w.system.to_owned(),
    }
}

/// The text of a record: a change of status and its reason, a reason alone, or the clause.
fn happened(w: &'static ViewerTexts, content: &Json<'_>) -> String {
    let entry = match content.get("amendment_history") {
        Some(Json::List(entries)) => entries.first(),
        _ => None,
    };
    let changed = entry.and_then(|entry| filled(entry.get("new_status")));
    let reason = content.get("reason").or_else(|| entry.and_then(|entry| entry.get("reason")));
    match (changed, filled(reason)) {
        (Some(status), Some(reason)) => format!("{}: {reason}", w.of(&status)),
        (Some(status), None) => w.of(&status).into_owned(),
        (None, Some(reason)) => reason,
        (None, None) => filled(content.get("source_clause")).unwrap_or_default(),
    }
}

/// A confidence as people read it.
fn score(value: Option<&Json<'_>>) -> Option<String> {
    known_score(value).map(|score| format!("{}%", score.percent()))
}

fn known_score(value: Option<&Json<'_>>) -> Option<Score> {
    match value {
        Some(Json::Number(number)) => Score::new(*number),
        _ => None,
    }
}

/// A text itself, anything else as it is written; nothing for null or an empty value.
fn filled(value: Option<&Json<'_>>) -> Option<String> {
    let text = match value? {
        Json::Text(text) => text.to_string(),
        Json::Null => return None,
        other => String::from_utf8(canon::bytes(other).ok()?).ok()?,
    };
    Some(text).filter(|text| !text.is_empty())
}

/// The word for an obligation that was recorded with its evidence.
const RECORDED_EVENT: &str = "recorded";

/// The terms of an obligation that are shown, in this order.
const TERM_NAMES: [&str; 10] = [
    "obligation_type",
    "obligation_text",
    "responsible_party",
    "counterparty",
    "frequency",
    "deadline",
    "parties",
    "effective_date",
    "verification_reason",
    "content_hash",
];
