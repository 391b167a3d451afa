//! Packs: what was decided, on what basis, how it was reviewed, and whether it holds.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::Method;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::{Listed, saved, seg};
use super::exports::{Request, requests};
use super::form::{Fields, Form};
use super::frame::{Page, see, shown};
use super::sessions::Part;
use super::verify::Report;
use super::visit::Visitor;
use super::wrong::Wrong;

/// A version of a pack, as a list shows it.
#[derive(Deserialize)]
struct Version {
    pack_id: String,
    decision_id: String,
    version: u64,
    #[serde(default)]
    supersedes: Option<String>,
    #[serde(default)]
    superseded_by: Option<String>,
    status: String,
    #[serde(default)]
    reviewer_id: Option<String>,
    created_at: String,
    #[serde(default)]
    retain_until: String,
    #[serde(default)]
    sha256: String,
    index: u64,
}

#[derive(Template)]
#[template(path = "packs.html")]
struct All {
    page: Page,
    packs: Vec<Version>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<Visitor>,
    Query(part): Query<Part>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let found: Listed<Version> = visitor.get(&format!("/api/v1/packs?{}", part.query())).await?;
    let page = Page::new(&visitor, "packs", visitor.w.packs);
    Ok(shown(&All { page, packs: found.items, next: found.next_cursor }))
}

/// What a pack says.
#[derive(Deserialize)]
struct Pack {
    approval_class: String,
    reversibility_class: String,
    sensitivity_class: String,
    #[serde(default)]
    requirement: String,
    #[serde(default)]
    confidence: f64,
    #[serde(default)]
    entity_id: String,
    #[serde(default)]
    agent_name: String,
    #[serde(default)]
    model: String,
    #[serde(default)]
    model_version: String,
    #[serde(default)]
    memo: Option<Memo>,
    #[serde(default)]
    sources: Vec<Source>,
    #[serde(default)]
    tool_calls: Vec<Call>,
    #[serde(default)]
    findings: Vec<Finding>,
    #[serde(default)]
    approvals: Vec<Vote>,
}

#[derive(Deserialize)]
struct Memo {
    title_en: String,
    title_ar: String,
    executive_summary_en: String,
    executive_summary_ar: String,
    body_en: String,
    body_ar: String,
    #[serde(default)]
    translated_from: Option<String>,
}

#[derive(Deserialize)]
struct Source {
    source: String,
    #[serde(default)]
    uri: Option<String>,
    excerpt: String,
    #[serde(default)]
    content_hash: Option<String>,
    retrieved_at: String,
    confidence: f64,
    #[serde(default)]
    stale: bool,
}

#[derive(Deserialize)]
struct Call {
    tool_name: String,
    intended_action: Value,
    actual_action: Value,
    #[serde(default)]
    outcome: Option<String>,
    #[serde(default)]
    contradiction_flag: bool,
    #[serde(default)]
    contradictions: Vec<String>,
    #[serde(default)]
    side_effects: Vec<String>,
    #[serde(default)]
    invoked_at: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Finding {
    pub(super) rule: String,
    path: String,
    pub(super) message: String,
    state: String,
}

#[derive(Deserialize)]
struct Vote {
    approver: String,
    outcome: String,
    #[serde(default)]
    titles: Vec<String>,
    at: String,
}

/// How the review of a pack stands.
#[derive(Deserialize)]
struct Standing {
    approval_class: String,
    required_approvers: u8,
    said: Vec<Vote>,
    missing: Vec<String>,
    #[serde(default)]
    review_until: Option<String>,
}

/// A pack, as the API gives it.
#[derive(Deserialize)]
struct Kept {
    #[serde(flatten)]
    version: Version,
    pack: Pack,
}

#[derive(Template)]
#[template(path = "pack.html")]
struct Shown {
    page: Page,
    version: Version,
    pack: Pack,
    versions: Vec<Version>,
    /// How the review stands, while it is open.
    standing: Option<Standing>,
    requests: Vec<Request>,
    report: Report,
}

/// What the form before this page did.
#[derive(Deserialize)]
pub(super) struct Done {
    #[serde(default)]
    pub(super) done: Option<String>,
}

pub(super) async fn show(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(Done { done }): Query<Done>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let path = format!("/api/v1/packs/{}", seg(&id));
    let Kept { version, pack } = visitor.get(&path).await?;
    let is_open = version.superseded_by.is_none() && version.status == "unresolved";
    let standing = match is_open {
        true => Some(visitor.get(&format!("{path}/standing")).await?),
        false => None,
    };
    let requests = requests(&visitor, &id).await?;
    let versions: Listed<Version> = visitor.get(&format!("{path}/versions")).await?;
    let sealed = visitor.text(&format!("{path}/sealed")).await?;
    let report = Report::own(&visitor, sealed).await?;
    let title = pack.memo.as_ref().map_or(&version.pack_id, |memo| match visitor.w.lang {
        "ar" => &memo.title_ar,
        _ => &memo.title_en,
    });
    let page = Page::new(&visitor, "packs", title.clone()).done(done.as_deref());
    let versions = versions.items;
    Ok(shown(&Shown { page, version, pack, versions, standing, requests, report }))
}

/// The file that a stranger verifies.
pub(super) async fn sealed(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let path = format!("/api/v1/packs/{}/sealed", seg(&id));
    let response = visitor.send(Method::GET, &path, None).await?;
    Ok(saved(response, &format!("{id}.json")))
}

/// Which version to compare with.
#[derive(Deserialize)]
pub(super) struct From {
    from: String,
}

/// What changed from one version to another.
#[derive(Deserialize)]
struct Difference {
    old: Which,
    new: Which,
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Which {
    pack_id: String,
    version: u64,
}

#[derive(Deserialize)]
struct Change {
    path: String,
    change: String,
    #[serde(default)]
    old: Option<Value>,
    #[serde(default)]
    new: Option<Value>,
}

#[derive(Template)]
#[template(path = "changes.html")]
struct Changed {
    page: Page,
    old: Which,
    new: Which,
    changes: Vec<Change>,
}

pub(super) async fn changes(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(From { from }): Query<From>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let path = format!("/api/v1/packs/{}/diff/{}", seg(&from), seg(&id));
    let Difference { old, new, changes } = visitor.get(&path).await?;
    let page = Page::new(&visitor, "packs", visitor.w.compare);
    Ok(shown(&Changed { page, old, new, changes }))
}

/// A review, as the API takes it.
#[derive(Serialize)]
struct Review<'r> {
    outcome: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r str>,
    acknowledged: Vec<Acknowledged<'r>>,
}

#[derive(Serialize)]
struct Acknowledged<'r> {
    rule: &'r str,
    path: &'r str,
}

/// Records what a person says about a pack.
pub(super) async fn review(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(body): Form,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let fields = Fields::read(&visitor, &body)?;
    let named = fields.all("acknowledged").filter_map(|one| one.split_once(' '));
    let acknowledged = named.map(|(rule, path)| Acknowledged { rule, path }).collect();
    let outcome = fields.one("outcome").unwrap_or_default();
    let review = Review { outcome, reason: fields.one("reason"), acknowledged };
    let path = format!("/api/v1/packs/{}", seg(&id));
    drop(visitor.post::<Value>(&format!("{path}/review"), &review).await?);
    let Kept { version, .. } = visitor.get(&path).await?;
    Ok(match version.superseded_by {
        Some(next) => see(&format!("/packs/{}?done=sealed", seg(&next))),
        None => see(&format!("/packs/{}?done=reviewed", seg(&id))),
    })
}
