//! A session: its answer, its ledger, and how far a check is.

use std::ops::Deref;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use dalil_evidence::ledger::passage::EvidencePassage;
use dalil_evidence::ledger::request::{ConflictReason, LedgerDocument};
use dalil_evidence::ledger::risk::{LedgerRisk, RiskSeverity};
use dalil_evidence::ledger::verdict::{Stance, Verdict};
use dalil_evidence::ledger::{ClaimFinding, Ledger, LedgerContent};
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_service::job::{Job, JobState};
use dalil_service::session::{self, LedgerListEntry, SessionDetails};
use dalil_store::Tenant;
use serde::Deserialize;

use super::approval_request::{ApprovalRequestView, requests};
use super::error::{PageError, found};
use super::layout::{PageLayout, see, shown, word};
use super::visitor::WebVisitor;
use crate::api::jobs::job_status;
use crate::job_registry::JobProgress;
use crate::percent::seg;
use crate::permission::Permission;

mod answer;

use answer::AnswerSegment;

/// A ledger, and what its page counts.
struct SessionLedgerView(Ledger);

impl Deref for SessionLedgerView {
    type Target = LedgerContent;

    fn deref(&self) -> &LedgerContent {
        &self.0.content
    }
}

impl SessionLedgerView {
    /// The newest ledger of a session, if it was checked.
    fn of(session: &SessionDetails) -> Result<Option<Self>, PageError> {
        match &session.ledger {
            Json::Null => Ok(None),
            ledger => Ok(Some(Self(Ledger::parse(&canon::bytes(ledger)?)?))),
        }
    }

    fn id(&self) -> String {
        self.0.id.to_string()
    }

    fn counts(&self) -> [(Verdict, usize); 4] {
        let counts = &self.summary.by_verdict;
        Verdict::ALL.map(|verdict| {
            let count = match verdict {
                Verdict::Supported => counts.supported,
                Verdict::Weak => counts.weak,
                Verdict::Contradicted => counts.contradicted,
                Verdict::NotFound => counts.not_found,
            };
            (verdict, count)
        })
    }

    /// The documents of which something could not be read or seen.
    fn troubled(&self) -> Vec<&LedgerDocument> {
        self.documents.iter().flatten().filter(|one| !one.problems.is_empty()).collect()
    }

    /// The number of a claim, from 1.
    fn number(&self, claim: &str) -> usize {
        self.entries.iter().position(|one| one.finding.claim_id == claim).map_or(0, |at| at + 1)
    }

    fn judged(&self) -> Option<String> {
        let judge = self.judge.as_ref()?;
        let digest = judge.model_sha256.as_ref().map(|digest| format!(" {digest}"));
        let digest = digest.as_deref().and_then(|digest| digest.get(..20)).unwrap_or("");
        Some(format!("{}, {}{digest}", judge.engine, judge.model))
    }

    fn tone(&self, risk: &LedgerRisk) -> &'static str {
        if risk.severity == RiskSeverity::High { "bad" } else { "fair" }
    }
}

/// A claim and its verdict, with its number from 1.
struct NumberedClaim {
    number: usize,
    finding: ClaimFinding,
}

impl Deref for NumberedClaim {
    type Target = ClaimFinding;

    fn deref(&self) -> &ClaimFinding {
        &self.finding
    }
}

impl NumberedClaim {
    /// The words that cannot both be true, where the verdict rests on them.
    fn reason(&self) -> Option<&ConflictReason> {
        self.evidence_passages.first().and_then(|best| best.reason.as_ref())
    }

    /// The passages that say otherwise than those that the verdict rests on.
    fn opposing(&self) -> Vec<&EvidencePassage> {
        let own = self.evidence_passages.first().map(is_for);
        self.evidence_passages.iter().filter(|one| Some(is_for(one)) != own).collect()
    }

    fn is_weak(&self) -> bool {
        self.verdict == Verdict::Weak
    }
}

fn is_for(passage: &EvidencePassage) -> bool {
    match passage.stance {
        Stance::Supports | Stance::SupportsInPart => true,
        Stance::Contradicts | Stance::MayConflict => false,
    }
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
    fn takes(&self, entry: &ClaimFinding) -> bool {
        let fits = |wanted: &str, found: String| wanted.is_empty() || wanted == found;
        let text = self.text.trim().to_lowercase();
        fits(&self.verdict, word(&entry.verdict))
            && fits(&self.importance, word(&entry.claim_importance))
            && fits(&self.kind, word(&entry.claim_type))
            && entry.claim_text.to_lowercase().contains(&text)
    }
}

/// How far a check is.
struct CheckProgressView {
    address: String,
    going: JobProgress,
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
        let JobProgress { done, all, .. } = self.going;
        (all > 0).then_some((done, all))
    }
}

#[derive(Template)]
#[template(path = "session.html")]
struct SessionPage {
    page: PageLayout,
    session_id: String,
    answer: Vec<AnswerSegment>,
    ledger: Option<SessionLedgerView>,
    earlier: Vec<LedgerListEntry>,
    shown: Vec<NumberedClaim>,
    filter: ClaimFilterQuery,
    progress: Option<CheckProgressView>,
    requests: Vec<ApprovalRequestView>,
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(filter): Query<ClaimFilterQuery>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let mut progress = None;
    let mut failed = None;
    if let Some(job) = &filter.job {
        match followed(&visitor, &tenant, &id, job).await? {
            CheckJobState::Runs(now) => progress = Some(now),
            CheckJobState::Done => return Ok(see(&format!("/sessions/{}", seg(&id)))),
            CheckJobState::Failed(why) => failed = Some(why),
        }
    }
    let session = session::show(&tenant, &id).await?;
    let ledger = SessionLedgerView::of(&session)?;
    // An answer that was erased, or never kept, is no reason to hide the ledger.
    let text = session::answer(&tenant, &id).await.ok().map(|(_, answer)| answer);
    let SessionDetails { session_id, query, mut ledgers, .. } = session;
    // The last one is shown whole; these are those before it.
    ledgers.pop();
    let entries = ledger.iter().flat_map(|ledger| &ledger.entries).map(|entry| &entry.finding);
    let entries: Vec<&ClaimFinding> = entries.collect();
    let numbered = entries.iter().enumerate().filter(|(_, entry)| filter.takes(entry));
    let numbered = numbered.map(|(at, entry)| (at + 1, (*entry).clone()));
    let claims = numbered.map(|(number, finding)| NumberedClaim { number, finding }).collect();
    let answer = text.map_or_else(Vec::new, |text| answer::pieces(&text, &entries));
    let title = query.unwrap_or_else(|| session_id.clone());
    let mut page = PageLayout::new(&visitor, "sessions", title).done(filter.done.as_deref());
    if let Some(why) = failed {
        page = page.saying("bad", format!("{}: {why}", visitor.w.check_failed));
    }
    let requests = match &ledger {
        Some(_) => requests(&visitor, &tenant, &id).await?,
        None => Vec::new(),
    };
    let whole = SessionPage {
        page,
        session_id,
        answer,
        ledger,
        earlier: ledgers,
        shown: claims,
        filter,
        progress,
        requests,
    };
    Ok(shown(&whole))
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
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let job = filter.job.ok_or(PageError::Page)?;
    match followed(&visitor, &tenant, &id, &job).await? {
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

async fn followed(
    visitor: &WebVisitor,
    tenant: &Tenant,
    id: &str,
    job: &str,
) -> Result<CheckJobState, PageError> {
    let found = job_status(&visitor.view.app, tenant, job).await?;
    match (found.job.state, found.progress) {
        (JobState::Done, _) => Ok(CheckJobState::Done),
        (JobState::Failed, _) => Ok(CheckJobState::Failed(why(&found.job))),
        (JobState::Accepted, Some(going)) => {
            let address = format!("/sessions/{}/progress?job={}", seg(id), seg(job));
            Ok(CheckJobState::Runs(CheckProgressView { address, going }))
        }
        (JobState::Accepted, None) => {
            Err(PageError::impossible("viewer: a job that goes on has no progress"))
        }
    }
}

/// What was wrong with a check, in the words of its faults.
fn why(job: &Job) -> String {
    let faults = match job.result.as_ref().and_then(|result| result.get("refused")) {
        Some(Json::List(faults)) => faults.as_slice(),
        _ => &[],
    };
    let messages = faults.iter().filter_map(|fault| match fault.get("message") {
        Some(Json::Text(message)) => Some(&**message),
        _ => None,
    });
    messages.collect::<Vec<&str>>().join("; ")
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
    tenant: &Tenant,
    session: &str,
    claim: &str,
) -> Result<Option<ClaimFinding>, PageError> {
    let Some(session) = found(session::show(tenant, session).await)? else { return Ok(None) };
    let Some(SessionLedgerView(ledger)) = SessionLedgerView::of(&session)? else { return Ok(None) };
    let mut findings = ledger.content.entries.into_iter().map(|entry| entry.finding);
    Ok(findings.find(|finding| finding.claim_id == claim))
}
