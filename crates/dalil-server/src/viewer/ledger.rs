//! A session: its answer, its ledger, and how far a check is.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use dalil::operations::session;
use serde::Deserialize;

use super::error::PageError;
use super::exports::{ApprovalRequestView, requests};
use super::layout::{PageLayout, see, shown};
use super::visitor::WebVisitor;
use super::words::ViewerTexts;

mod answer;

use crate::percent::seg;
use answer::AnswerSegment;

/// A ledger, as the API gives it.
#[derive(Clone, Deserialize)]
pub(super) struct LedgerReply {
    pub(super) id: String,
    pub(super) created_at: String,
    pub(super) entries: Vec<LedgerEntryView>,
    pub(super) summary: LedgerSummaryView,
    #[serde(default)]
    pub(super) risk_flags: Vec<RiskFlagView>,
    #[serde(default)]
    pub(super) follow_up_questions: Vec<String>,
    #[serde(default)]
    judge: Option<LedgerJudgeView>,
    #[serde(default)]
    pub(super) documents: Vec<ConsultedDocumentView>,
}

/// A document that was consulted, and what could not be read or seen of it.
#[derive(Clone, Deserialize)]
pub(super) struct ConsultedDocumentView {
    pub(super) filename: String,
    #[serde(default)]
    pub(super) problems: Vec<String>,
}

#[derive(Clone, Deserialize)]
pub(super) struct LedgerSummaryView {
    pub(super) by_verdict: VerdictCountsView,
    pub(super) evidence_coverage: Option<f64>,
    pub(super) unsupported_rate: f64,
}

#[derive(Clone, Deserialize)]
pub(super) struct VerdictCountsView {
    supported: u64,
    weak: u64,
    contradicted: u64,
    not_found: u64,
}

/// A claim and its verdict.
#[derive(Clone, Deserialize)]
pub(super) struct LedgerEntryView {
    pub(super) claim_id: String,
    pub(super) claim_text: String,
    pub(super) claim_type: String,
    pub(super) claim_importance: String,
    pub(super) verdict: String,
    pub(super) confidence_score: f64,
    #[serde(default)]
    pub(super) confidence_band: String,
    #[serde(default)]
    pub(super) evidence_chunk_ids: Vec<String>,
    #[serde(default)]
    pub(super) evidence_snippet: String,
    #[serde(default)]
    pub(super) source_document: Option<EvidenceSourceView>,
    #[serde(default)]
    pub(super) notes: String,
    #[serde(default)]
    start_offset: Option<usize>,
    #[serde(default)]
    end_offset: Option<usize>,
    #[serde(default)]
    evidence_passages: Vec<PassageView>,
    #[serde(default)]
    pub(super) findings: Vec<serde_json::Value>,
    #[serde(default)]
    pub(super) judge: Option<VerdictJudgeView>,
}

/// Words that say something about a claim.
#[derive(Clone, Deserialize)]
pub(super) struct PassageView {
    pub(super) document: EvidenceSourceView,
    pub(super) snippet: String,
    pub(super) stance: String,
    #[serde(default)]
    pub(super) reason: Option<ConflictReasonView>,
}

/// Words that cannot both be true.
#[derive(Clone, Deserialize)]
pub(super) struct ConflictReasonView {
    pub(super) claim_words: String,
    pub(super) evidence_words: String,
}

/// Who gave a verdict.
#[derive(Clone, Deserialize)]
pub(super) struct VerdictJudgeView {
    pub(super) kind: String,
    pub(super) name: String,
}

impl PassageView {
    fn is_for(&self) -> bool {
        self.stance.starts_with("supports")
    }
}

impl LedgerEntryView {
    /// The words that cannot both be true, where the verdict rests on them.
    pub(super) fn reason(&self) -> Option<&ConflictReasonView> {
        self.evidence_passages.first().and_then(|best| best.reason.as_ref())
    }

    /// The passages that say otherwise than those that the verdict rests on.
    pub(super) fn opposing(&self) -> Vec<&PassageView> {
        let own = self.evidence_passages.first().map(PassageView::is_for);
        self.evidence_passages.iter().filter(|one| Some(one.is_for()) != own).collect()
    }
}

/// Where evidence is.
#[derive(Clone, Deserialize)]
pub(super) struct EvidenceSourceView {
    pub(super) id: String,
    pub(super) filename: String,
    #[serde(default)]
    pub(super) page_number: Option<u64>,
    #[serde(default)]
    pub(super) heading_path: Option<Vec<String>>,
}

#[derive(Clone, Deserialize)]
pub(super) struct RiskFlagView {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) severity: String,
    pub(super) description: String,
    #[serde(default)]
    pub(super) affected_claim_ids: Vec<String>,
    #[serde(default)]
    pub(super) mitigation: Option<String>,
}

#[derive(Clone, Deserialize)]
struct LedgerJudgeView {
    engine: String,
    model: String,
    #[serde(default)]
    model_sha256: Option<String>,
}

impl LedgerReply {
    pub(super) fn counts(&self) -> [(&'static str, u64); 4] {
        let VerdictCountsView { supported, weak, contradicted, not_found } =
            self.summary.by_verdict;
        [
            ("supported", supported),
            ("weak", weak),
            ("contradicted", contradicted),
            ("not_found", not_found),
        ]
    }

    /// The documents of which something could not be read or seen.
    pub(super) fn troubled(&self) -> Vec<&ConsultedDocumentView> {
        self.documents.iter().filter(|one| !one.problems.is_empty()).collect()
    }

    /// The number of a claim, from 1.
    pub(super) fn number(&self, claim: &str) -> usize {
        self.entries.iter().position(|entry| entry.claim_id == claim).map_or(0, |at| at + 1)
    }

    pub(super) fn judged(&self) -> Option<String> {
        let LedgerJudgeView { engine, model, model_sha256 } = self.judge.as_ref()?;
        let digest =
            model_sha256.as_deref().and_then(|digest| digest.get(..19)).unwrap_or_default();
        Some(format!("{engine}, {model} {digest}").trim_end().to_owned())
    }
}

impl RiskFlagView {
    pub(super) fn tone(&self) -> &'static str {
        if self.severity == "high" { "bad" } else { "fair" }
    }
}

/// A session with its newest ledger, as the API gives it.
#[derive(Deserialize)]
struct SessionReply {
    session_id: String,
    query: Option<String>,
    #[serde(default)]
    ledgers: Vec<EarlierLedger>,
    ledger: Option<LedgerReply>,
}

/// A ledger that another followed.
#[derive(Deserialize)]
struct EarlierLedger {
    ledger_id: String,
    #[serde(default)]
    coverage: Option<f64>,
    created_at: String,
}

/// Which claims are looked at.
#[derive(Default, Deserialize)]
pub(super) struct ClaimFilterQuery {
    #[serde(default)]
    verdict: String,
    #[serde(default)]
    importance: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    job: Option<String>,
    #[serde(default)]
    done: Option<String>,
}

impl ClaimFilterQuery {
    fn takes(&self, entry: &LedgerEntryView) -> bool {
        let fits = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
        let text = self.text.trim().to_lowercase();
        fits(&self.verdict, &entry.verdict)
            && fits(&self.importance, &entry.claim_importance)
            && fits(&self.kind, &entry.claim_type)
            && entry.claim_text.to_lowercase().contains(&text)
    }
}

/// How far a check is.
struct CheckProgressView {
    address: String,
    going: JobProgressReply,
}

impl CheckProgressView {
    fn runs(&self) -> bool {
        !self.address.is_empty()
    }

    fn doing(&self, w: &'static ViewerTexts) -> &'static str {
        match self.going.stage.as_str() {
            "reading" => w.reading_documents,
            "judging" => w.judging_claims,
            _ => w.progress,
        }
    }

    fn counted(&self) -> Option<(u64, u64)> {
        let JobProgressReply { done, all, .. } = self.going;
        (all > 0).then_some((done, all))
    }
}

/// A job, as the API gives it.
#[derive(Deserialize)]
struct JobReply {
    state: String,
    #[serde(default)]
    result: Option<JobFailureReply>,
    #[serde(default)]
    progress: JobProgressReply,
}

/// How far a job is.
#[derive(Default, Deserialize)]
struct JobProgressReply {
    stage: String,
    done: u64,
    all: u64,
}

#[derive(Default, Deserialize)]
struct JobFailureReply {
    #[serde(default)]
    refused: Vec<JobFaultView>,
}

#[derive(Deserialize)]
struct JobFaultView {
    message: String,
}

#[derive(Template)]
#[template(path = "session.html")]
struct SessionPage {
    page: PageLayout,
    session_id: String,
    answer: Vec<AnswerSegment>,
    ledger: Option<LedgerReply>,
    earlier: Vec<EarlierLedger>,
    shown: Vec<(usize, LedgerEntryView)>,
    filter: ClaimFilterQuery,
    progress: Option<CheckProgressView>,
    requests: Vec<ApprovalRequestView>,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(filter): Query<ClaimFilterQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let mut progress = None;
    let mut failed = None;
    if let Some(job) = &filter.job {
        match followed(&visitor, &id, job).await? {
            CheckJobState::Runs(now) => progress = Some(now),
            CheckJobState::Done => return Ok(see(&format!("/sessions/{}", seg(&id)))),
            CheckJobState::Failed(why) => failed = Some(why),
        }
    }
    let session: SessionReply = visitor.get(&format!("/api/v1/sessions/{}", seg(&id))).await?;
    let text = answered(&visitor, &id).await?;
    let SessionReply { session_id, query, mut ledgers, ledger } = session;
    // The last one is shown whole; these are those before it.
    ledgers.pop();
    let entries = ledger.as_ref().map_or(&[] as &[LedgerEntryView], |ledger| &ledger.entries);
    let numbered = entries.iter().enumerate().filter(|(_, entry)| filter.takes(entry));
    let shown_entries = numbered.map(|(at, entry)| (at + 1, entry.clone())).collect();
    let answer = answer::pieces(&text, entries);
    let title = query.unwrap_or_else(|| session_id.clone());
    let mut page = PageLayout::new(&visitor, "sessions", title).done(filter.done.as_deref());
    if let Some(why) = failed {
        page = page.saying("bad", format!("{}: {why}", visitor.w.check_failed));
    }
    let requests = match &ledger {
        Some(_) => requests(&visitor, &id).await?,
        None => Vec::new(),
    };
    let whole = SessionPage {
        page,
        session_id,
        answer,
        ledger,
        earlier: ledgers,
        shown: shown_entries,
        filter,
        progress,
        requests,
    };
    Ok(shown(&whole))
}

/// The answer of a session that the API has just shown to this visitor.
async fn answered(visitor: &WebVisitor, id: &str) -> Result<String, PageError> {
    let tenant = visitor.tenant().await?;
    // An answer that was erased, or never kept, is no reason to hide the ledger.
    Ok(session::answer(&tenant, id).await.map(|(_, answer)| answer).unwrap_or_default())
}

#[derive(Template)]
#[template(path = "progress.html")]
struct CheckProgressPage {
    page: PageLayout,
    progress: CheckProgressView,
}

/// How far a check is, for a page that follows it.
pub(super) async fn progress(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(filter): Query<ClaimFilterQuery>,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let job = filter.job.ok_or(PageError::Page)?;
    match followed(&visitor, &id, &job).await? {
        CheckJobState::Runs(progress) => {
            let page = PageLayout::new(&visitor, "sessions", visitor.w.checking);
            Ok(shown(&CheckProgressPage { page, progress }))
        }
        CheckJobState::Done => Ok(gone(&format!("/sessions/{}", seg(&id)))),
        // The page itself says why, so it is opened again with its job.
        CheckJobState::Failed(_) => Ok(gone(&format!("/sessions/{}?job={}", seg(&id), seg(&job)))),
    }
}

/// How a job stands.
enum CheckJobState {
    Runs(CheckProgressView),
    Done,
    Failed(String),
}

async fn followed(visitor: &WebVisitor, id: &str, job: &str) -> Result<CheckJobState, PageError> {
    let found: JobReply = visitor.get(&format!("/api/v1/jobs/{}", seg(job))).await?;
    match found.state.as_str() {
        "done" => Ok(CheckJobState::Done),
        "failed" => {
            let refused = found.result.unwrap_or_default().refused;
            let why: Vec<String> = refused.into_iter().map(|one| one.message).collect();
            Ok(CheckJobState::Failed(why.join("; ")))
        }
        _ => {
            let address = format!("/sessions/{}/progress?job={}", seg(id), seg(job));
            Ok(CheckJobState::Runs(CheckProgressView { address, going: found.progress }))
        }
    }
}

/// Sends a page that follows something to another.
fn gone(address: &str) -> Response {
    let mut response = Response::default();
    if let Ok(address) = HeaderValue::from_str(address) {
        // htmx would follow a status 303 itself, and put the page into the part that it refreshes.
        response.headers_mut().insert(HeaderName::from_static("hx-redirect"), address);
    }
    response
}

/// The claim of a session, for the page of a document.
pub(super) async fn claim(
    visitor: &WebVisitor,
    session: &str,
    claim: &str,
) -> Result<Option<LedgerEntryView>, PageError> {
    let found: Option<SessionReply> =
        visitor.find(&format!("/api/v1/sessions/{}", seg(session))).await?;
    let entries = found.and_then(|found| found.ledger).map(|ledger| ledger.entries);
    Ok(entries.unwrap_or_default().into_iter().find(|entry| entry.claim_id == claim))
}
