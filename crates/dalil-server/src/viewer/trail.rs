//! The trail: its records, their receipts, and the newest checkpoint.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use dalil_proof::record::RecordKind;
use dalil_service::index::ListRange;
use dalil_service::trail::{self, RecordSummary};
use dalil_service::{keys, member, pack, tenant};
use dalil_store::Tenant;
use serde::Deserialize;

use super::admission::saved;
use super::error::PageError;
use super::layout::{PageLayout, shown};
use super::timeline::{TimelineEdges, TrailDay, TrailEntry, subject_kind, timeline};
use super::visitor::WebVisitor;
use crate::api::trail::{receipt_of, records_in};
use crate::caller::Caller;
use crate::guard;
use crate::percent::seg;
use crate::permission::Permission;
use crate::reply;

#[derive(Template)]
#[template(path = "trail.html")]
struct TrailPage {
    page: PageLayout,
    size: u64,
    from: u64,
    wanted: TrailFilter,
    /// Whose records can be asked for, as the word of an actor.
    people: Vec<String>,
    days: Vec<TrailDay>,
    titles: BTreeMap<String, String>,
    next: Option<u64>,
    checkpoint: String,
}

impl TrailPage {
    /// Every kind of record, as its word.
    fn kinds(&self) -> Vec<&'static str> {
        RecordKind::WORDS.iter().map(|(word, _)| *word).collect()
    }

    /// The title of a record's subject.
    fn title_of(&self, one: &RecordSummary) -> Option<&str> {
        self.titles.get(&one.subject).map(String::as_str)
    }

    /// The page of the subject that is shown alone.
    fn subject_title(&self) -> &str {
        let subject = &self.wanted.subject;
        self.titles.get(subject).unwrap_or(subject)
    }
}

/// The filter of the records; by default all are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct TrailFilter {
    #[serde(default)]
    kind: String,
    /// As the word of an actor: `person:amal`.
    #[serde(default)]
    who: String,
    #[serde(default)]
    subject: String,
}

impl TrailFilter {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn of_subject(&self) -> bool {
        !self.subject.is_empty()
    }

    fn record_kind(&self) -> Option<RecordKind> {
        RecordKind::WORDS.iter().find(|(word, _)| *word == self.kind).map(|(_, kind)| *kind)
    }

    /// The address of these records from a place back.
    fn address(&self, from: &u64) -> String {
        let Self { kind, who, subject } = self;
        let [kind, who, subject] = [kind, who, subject].map(|text| seg(text));
        format!("/trail?from={from}&kind={kind}&who={who}&subject={subject}")
    }

    /// The records, the newest first, and where those before begin.
    async fn records(
        &self,
        tenant: &Tenant,
        from: u64,
    ) -> Result<(Vec<RecordSummary>, Option<u64>), PageError> {
        let kind = self.record_kind();
        let (wanted, part) = ((self.who.as_str(), kind), (from, MAX_RECORDS_PER_PAGE as usize));
        if self.of_subject() {
            let found = trail::show_of_subject(tenant, &self.subject, wanted, part).await?;
            return Ok((found.records, found.next));
        }
        if !self.who.is_empty() {
            let found = trail::show_of_actor(tenant, wanted, part).await?;
            return Ok((found.records, found.next));
        }
        let part = ListRange { from, limit: MAX_RECORDS_PER_PAGE, newest: true };
        let records = match kind {
            Some(kind) => trail::show_kinds(tenant, &[kind], part).await?,
            None => records_in(tenant, part).await?,
        };
        // By number and not by cursor, so that people can type a record into the same field.
        let next = records.last().and_then(|last| last.index.checked_sub(1));
        Ok((records, next))
    }
}

/// Where to begin, and which records to show.
#[derive(Deserialize)]
pub(super) struct TrailStartQuery {
    #[serde(default)]
    from: Option<String>,
    #[serde(flatten)]
    wanted: TrailFilter,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(start): Query<TrailStartQuery>,
) -> Result<Response, PageError> {
    let caller = visitor.admit(Permission::View).await?;
    let own = &caller.tenant;
    let size = tenant::show(own).await?.size;
    let last = size.saturating_sub(1);
    let from = start.from.as_deref().and_then(|from| from.parse().ok()).unwrap_or(last).min(last);
    let wanted = start.wanted;
    // Not every record instead of those of a kind that there is not.
    if !wanted.kind.is_empty() && wanted.record_kind().is_none() {
        return Err(PageError::Page);
    }
    let (records, next) = wanted.records(own, from).await?;
    let titles = titles(&visitor, &caller, &records).await?;
    let heads = match records.first().zip(records.last()) {
        Some((newest, oldest)) => {
            trail::witnessed_heads(own, oldest.index + 1..=newest.index + 1).await?
        }
        None => Vec::new(),
    };
    // Gaps between records that a filter left out have no meaning.
    let edges = wanted.is_empty().then_some(TimelineEdges {
        today: visitor.view.app.now()?.to_string(),
        before: match next {
            Some(before) => trail::show(own, before, 1).await?.records.pop().map(|one| one.at),
            None => None,
        },
        is_newest: from == last,
    });
    let people = people(own, &records, &wanted.who).await?;
    let checkpoint = trail::checkpoint(own, None).await?.to_string();
    let days = timeline(records, &heads, edges.as_ref());
    let page = PageLayout::new(&visitor, "trail", visitor.w.trail);
    Ok(shown(&TrailPage { page, size, from, wanted, people, days, titles, next, checkpoint }))
}

/// The members, and the other actors of these records.
async fn people(
    tenant: &Tenant,
    records: &[RecordSummary],
    wanted: &str,
) -> Result<Vec<String>, PageError> {
    let members = member::list(tenant).await?.members.into_iter();
    let mut people: BTreeSet<String> =
        members.map(|member| format!("person:{}", member.name)).collect();
    people.insert("system".to_owned());
    people.extend(records.iter().map(|one| one.actor.clone()));
    people.extend(Some(wanted).filter(|who| !who.is_empty()).map(str::to_owned));
    Ok(people.into_iter().collect())
}

/// The titles of the subjects of records, where they have one.
async fn titles(
    visitor: &WebVisitor,
    caller: &Caller,
    records: &[RecordSummary],
) -> Result<BTreeMap<String, String>, PageError> {
    let (app, own) = (&visitor.view.app, &caller.tenant);
    let mut kinds = BTreeMap::new();
    for one in records {
        // Others write about a pack or a session too: exports, approvals, refusals.
        kinds.entry(one.subject.clone()).or_insert_with(|| subject_kind(&one.kind, &one.subject));
    }
    let is_pack = |subject: &str| kinds.get(subject).is_some_and(|kind| kind == "pack");
    let packs: Vec<String> = kinds.keys().filter(|one| is_pack(one)).cloned().collect();
    let mut titles = BTreeMap::new();
    // A title is a part of its pack, which may be hidden from a user who may see the trail.
    for id in guard::without_hidden_packs(app, caller, packs, |id| id.as_str()).await? {
        // One that was erased, or is damaged, has none; its id is shown.
        if let Ok(details) = pack::show(own, &id).await {
            titles.insert(id, details.pack.memo.texts(visitor.language).title.to_owned());
        }
    }
    for (subject, kind) in kinds {
        if let Some(title) = trail::subject_title(own, &kind, &subject).await? {
            titles.insert(subject, shortened(&title));
        }
    }
    Ok(titles)
}

/// A title that has room on a line; a clause may be long.
fn shortened(title: &str) -> String {
    let mut chars = title.chars();
    let start: String = chars.by_ref().take(MAX_TITLE_CHARS).collect();
    if chars.next().is_none() { start } else { start + "…" }
}

#[derive(Template)]
#[template(path = "record.html")]
struct TrailRecordPage {
    page: PageLayout,
    one: RecordSummary,
    /// The title of its subject.
    name: Option<String>,
    receipt: String,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(index): Path<u64>,
) -> Result<Response, PageError> {
    let caller = visitor.admit(Permission::View).await?;
    let found = trail::show(&caller.tenant, index, 1).await?.records;
    let name = titles(&visitor, &caller, &found).await?.into_values().next();
    let one = found.into_iter().next().ok_or(PageError::Page)?;
    let receipt = receipt_of(&caller.tenant, index).await?.to_string();
    let title = format!("{} {index}", visitor.w.record);
    let page = PageLayout::new(&visitor, "trail", title);
    Ok(shown(&TrailRecordPage { page, one, name, receipt }))
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

/// The trust file of a verifier, to be saved.
pub(super) async fn trust(
    Extension(visitor): Extension<WebVisitor>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let trust = keys::trust(&tenant, None).await?;
    Ok(saved(reply::json(&HeaderMap::new(), &trust)?, "trust.json"))
}

const MAX_RECORDS_PER_PAGE: u32 = 50;
/// How much of a title is shown on a line.
const MAX_TITLE_CHARS: usize = 90;
