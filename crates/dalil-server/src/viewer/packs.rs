//! Packs: what was decided, on what basis, how it was reviewed, and whether it holds.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::response::Response;
use dalil::operations::pack;
use dalil_core::anchor::text_digest;
use dalil_core::canon;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::api_client::ListReply;
use super::error::PageError;
use super::exports::{ApprovalRequestView, requests};
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::query::{FormResultQuery, ListCursorQuery};
use super::verify::VerificationReportView;
use super::visitor::WebVisitor;
use crate::percent::seg;
use crate::problem::ApiProblem;

/// A version of a pack, as a list shows it.
#[derive(Deserialize)]
struct PackVersionView {
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
struct PackListPage {
    page: PageLayout,
    packs: Vec<PackVersionView>,
    next: Option<String>,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let found: ListReply<PackVersionView> =
        visitor.get(&format!("/api/v1/packs?{}", part.query())).await?;
    let page = PageLayout::new(&visitor, "packs", visitor.w.packs);
    Ok(shown(&PackListPage { page, packs: found.items, next: found.next_cursor }))
}

/// What a pack says.
#[derive(Deserialize)]
struct PackContentView {
    approval_class: String,
    reversibility_class: String,
    sensitivity_class: String,
    #[serde(default)]
    requirement: String,
    #[serde(default)]
    confidence: Option<f64>,
    #[serde(default)]
    entity_id: String,
    #[serde(default)]
    agent_name: String,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    model_version: Option<String>,
    #[serde(default)]
    objective: Option<String>,
    #[serde(default)]
    recommendation: Option<Value>,
    #[serde(default)]
    rationale: Option<String>,
    #[serde(default)]
    options_considered: Vec<Value>,
    #[serde(default)]
    decided_at: String,
    #[serde(default)]
    reasons: Vec<String>,
    #[serde(default)]
    data_freshness_window_hours: u64,
    #[serde(default)]
    trace_id: Option<String>,
    #[serde(default)]
    prompts: Vec<PromptUseView>,
    #[serde(default)]
    ledger: Option<PackLedgerView>,
    #[serde(default)]
    memo: Option<MemoView>,
    #[serde(default)]
    sources: Vec<PackSourceView>,
    #[serde(default)]
    tool_calls: Vec<ToolCallView>,
    #[serde(default)]
    findings: Vec<PackFlagView>,
    #[serde(default)]
    approvals: Vec<VoteView>,
}

/// A prompt template that was used.
#[derive(Deserialize)]
struct PromptUseView {
    template_name: String,
    #[serde(default)]
    template_version: Option<String>,
}

/// The ledger of the answer that the decision rests on.
#[derive(Deserialize)]
struct PackLedgerView {
    #[serde(default)]
    session_id: Option<String>,
    #[serde(default)]
    entries: Vec<PackClaimView>,
}

/// A claim of that ledger.
#[derive(Deserialize)]
struct PackClaimView {
    claim_text: String,
    verdict: String,
    #[serde(default)]
    evidence_snippet: String,
}

impl PackContentView {
    /// How many claims of the ledger are contradicted.
    fn contradicted_claims(&self) -> usize {
        let entries = self.ledger.iter().flat_map(|ledger| &ledger.entries);
        entries.filter(|claim| claim.verdict == "contradicted").count()
    }

    /// How many calls did not succeed, or did something else than was intended.
    fn failed_calls(&self) -> usize {
        let is_failed = |call: &&ToolCallView| {
            call.contradiction_flag || call.outcome.as_deref() != Some("succeeded")
        };
        self.tool_calls.iter().filter(is_failed).count()
    }

    /// How many sources were too old when the decision was made.
    fn stale_sources(&self) -> usize {
        self.sources.iter().filter(|source| source.stale).count()
    }

    /// Whether the decision is told in words.
    fn is_told(&self) -> bool {
        self.objective.is_some() || self.recommendation.is_some() || self.rationale.is_some()
    }
}

impl PackLedgerView {
    /// The claims that are not supported, the contradicted ones first.
    fn doubtful(&self) -> Vec<&PackClaimView> {
        let of = |verdict: &'static str| {
            self.entries.iter().filter(move |claim| claim.verdict == verdict)
        };
        of("contradicted").chain(of("not_found")).chain(of("weak")).collect()
    }
}

#[derive(Deserialize)]
struct MemoView {
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
struct PackSourceView {
    source: String,
    #[serde(default)]
    uri: Option<String>,
    #[serde(default)]
    reference: Option<String>,
    excerpt: String,
    #[serde(default)]
    content_hash: Option<String>,
    retrieved_at: String,
    confidence: f64,
    #[serde(default)]
    stale: bool,
}

impl PackSourceView {
    /// The short anchor by which a memo cites it.
    fn anchor(&self) -> String {
        text_digest(&self.excerpt).hex().chars().take(MIN_ANCHOR_CHARS).collect()
    }
}

#[derive(Deserialize)]
struct ToolCallView {
    tool_name: String,
    intended_action: Value,
    actual_action: Value,
    #[serde(default)]
    inputs: Value,
    #[serde(default)]
    outputs: Value,
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
pub(super) struct PackFlagView {
    pub(super) rule: String,
    path: String,
    pub(super) message: String,
    state: String,
}

#[derive(Deserialize)]
struct VoteView {
    approver: String,
    outcome: String,
    #[serde(default)]
    titles: Vec<String>,
    at: String,
}

/// How the review of a pack stands.
#[derive(Deserialize)]
struct ReviewStatusReply {
    approval_class: String,
    required_approvers: u8,
    said: Vec<VoteView>,
    missing: Vec<String>,
    #[serde(default)]
    review_until: Option<String>,
}

/// A pack, as the API gives it.
#[derive(Deserialize)]
struct PackReply {
    #[serde(flatten)]
    version: PackVersionView,
    pack: PackContentView,
}

#[derive(Template)]
#[template(path = "pack.html")]
struct PackPage {
    page: PageLayout,
    version: PackVersionView,
    pack: PackContentView,
    versions: Vec<PackVersionView>,
    /// How the review stands, while it is open.
    standing: Option<ReviewStatusReply>,
    requests: Vec<ApprovalRequestView>,
    report: VerificationReportView,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(FormResultQuery { done }): Query<FormResultQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let path = format!("/api/v1/packs/{}", seg(&id));
    let PackReply { version, pack: content } = visitor.get(&path).await?;
    let is_open = version.superseded_by.is_none() && version.status == "unresolved";
    let standing = match is_open {
        true => Some(visitor.get(&format!("{path}/standing")).await?),
        false => None,
    };
    let requests = requests(&visitor, &id).await?;
    let versions: ListReply<PackVersionView> = visitor.get(&format!("{path}/versions")).await?;
    // Verified here, and not let out: it leaves by an export.
    let sealed = pack::sealed_file(&visitor.tenant().await?, &id).await;
    let sealed = canon::bytes(&sealed.map_err(ApiProblem::from)?).map_err(ApiProblem::from)?;
    let report = VerificationReportView::own(&visitor, sealed.into()).await?;
    let title = content.memo.as_ref().map_or(&version.pack_id, |memo| match visitor.w.lang {
        "ar" => &memo.title_ar,
        _ => &memo.title_en,
    });
    let page = PageLayout::new(&visitor, "packs", title.clone()).done(done.as_deref());
    let versions = versions.items;
    Ok(shown(&PackPage { page, version, pack: content, versions, standing, requests, report }))
}

/// Which version to compare with.
#[derive(Deserialize)]
pub(super) struct PackDiffQuery {
    from: String,
}

/// What changed from one version to another.
#[derive(Deserialize)]
struct PackDiffReply {
    old: DiffVersionView,
    new: DiffVersionView,
    changes: Vec<PackChangeView>,
}

#[derive(Deserialize)]
struct DiffVersionView {
    pack_id: String,
    version: u64,
}

#[derive(Deserialize)]
struct PackChangeView {
    path: String,
    change: String,
    #[serde(default)]
    old: Option<Value>,
    #[serde(default)]
    new: Option<Value>,
}

#[derive(Template)]
#[template(path = "changes.html")]
struct PackDiffPage {
    page: PageLayout,
    old: DiffVersionView,
    new: DiffVersionView,
    changes: Vec<PackChangeView>,
}

pub(super) async fn changes(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(PackDiffQuery { from }): Query<PackDiffQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let path = format!("/api/v1/packs/{}/diff/{}", seg(&from), seg(&id));
    let PackDiffReply { old, new, changes } = visitor.get(&path).await?;
    let page = PageLayout::new(&visitor, "packs", visitor.w.compare);
    Ok(shown(&PackDiffPage { page, old, new, changes }))
}

/// A review, as the API takes it.
#[derive(Serialize)]
struct ReviewRequestBody<'r> {
    outcome: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r str>,
    acknowledged: Vec<AcknowledgedFlagBody<'r>>,
}

#[derive(Serialize)]
struct AcknowledgedFlagBody<'r> {
    rule: &'r str,
    path: &'r str,
}

/// Records what a person says about a pack.
pub(super) async fn review(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    // A rule has no spaces; a path may.
    let named = fields.all("acknowledged").filter_map(|one| one.split_once(' '));
    let acknowledged = named.map(|(rule, path)| AcknowledgedFlagBody { rule, path }).collect();
    let outcome = fields.text("outcome");
    let review = ReviewRequestBody { outcome, reason: fields.one("reason"), acknowledged };
    let path = format!("/api/v1/packs/{}", seg(&id));
    drop(visitor.post::<Value>(&format!("{path}/review"), &review).await?);
    // Asked again, since the last approval seals another version, to which people are led.
    let PackReply { version, .. } = visitor.get(&path).await?;
    Ok(match version.superseded_by {
        Some(next) => see(&format!("/packs/{}?done=sealed", seg(&next))),
        None => see(&format!("/packs/{}?done=reviewed", seg(&id))),
    })
}

/// How many digits of a digest a citation has at least; spec/sources.md.
const MIN_ANCHOR_CHARS: usize = 8;
