//! A session: its answer, its ledger, and how far a check is.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use dalil::keep::session;
use serde::Deserialize;

use super::call::seg;
use super::exports::{Request, requests};
use super::frame::{Page, see, shown};
use super::visit::Visitor;
use super::words::Words;
use super::wrong::Wrong;

mod answer;

use answer::Piece;

/// A ledger, as the API gives it.
#[derive(Clone, Deserialize)]
pub(super) struct Ledger {
    pub(super) id: String,
    pub(super) created_at: String,
    pub(super) entries: Vec<Entry>,
    pub(super) summary: Summary,
    #[serde(default)]
    pub(super) risk_flags: Vec<Risk>,
    #[serde(default)]
    pub(super) follow_up_questions: Vec<String>,
    #[serde(default)]
    judge: Option<Judge>,
    #[serde(default)]
    pub(super) documents: Vec<ConsultedDocument>,
}

/// A document that was consulted, and what could not be read or seen of it.
#[derive(Clone, Deserialize)]
pub(super) struct ConsultedDocument {
    pub(super) filename: String,
    #[serde(default)]
    pub(super) problems: Vec<String>,
}

#[derive(Clone, Deserialize)]
pub(super) struct Summary {
    pub(super) by_verdict: ByVerdict,
    pub(super) evidence_coverage: Option<f64>,
    pub(super) unsupported_rate: f64,
}

#[derive(Clone, Deserialize)]
pub(super) struct ByVerdict {
    supported: u64,
    weak: u64,
    contradicted: u64,
    not_found: u64,
}

/// A claim and its verdict.
#[derive(Clone, Deserialize)]
pub(super) struct Entry {
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
    pub(super) source_document: Option<Source>,
    #[serde(default)]
    pub(super) notes: String,
    #[serde(default)]
    start_offset: Option<usize>,
    #[serde(default)]
    end_offset: Option<usize>,
    #[serde(default)]
    evidence_passages: Vec<ShownPassage>,
    #[serde(default)]
    pub(super) findings: Vec<serde_json::Value>,
    #[serde(default)]
    pub(super) judge: Option<ShownJudge>,
}

/// Words that say something about a claim.
#[derive(Clone, Deserialize)]
pub(super) struct ShownPassage {
    pub(super) document: Source,
    pub(super) snippet: String,
    pub(super) stance: String,
    #[serde(default)]
    pub(super) reason: Option<ShownReason>,
}

/// Words that cannot both be true.
#[derive(Clone, Deserialize)]
pub(super) struct ShownReason {
    pub(super) claim_words: String,
    pub(super) evidence_words: String,
}

/// Who gave a verdict.
#[derive(Clone, Deserialize)]
pub(super) struct ShownJudge {
    pub(super) kind: String,
    pub(super) name: String,
}

impl ShownPassage {
    fn is_for(&self) -> bool {
        self.stance.starts_with("supports")
    }
}

impl Entry {
    /// The words that cannot both be true, where the verdict rests on them.
    pub(super) fn reason(&self) -> Option<&ShownReason> {
        self.evidence_passages.first().and_then(|best| best.reason.as_ref())
    }

    /// The passages that say otherwise than those that the verdict rests on.
    pub(super) fn opposing(&self) -> Vec<&ShownPassage> {
        let own = self.evidence_passages.first().map(ShownPassage::is_for);
        self.evidence_passages.iter().filter(|one| Some(one.is_for()) != own).collect()
    }
}

/// Where evidence is.
#[derive(Clone, Deserialize)]
pub(super) struct Source {
    pub(super) id: String,
    pub(super) filename: String,
    #[serde(default)]
    pub(super) page_number: Option<u64>,
    #[serde(default)]
    pub(super) heading_path: Option<Vec<String>>,
}

#[derive(Clone, Deserialize)]
pub(super) struct Risk {
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
struct Judge {
    engine: String,
    model: String,
    #[serde(default)]
    model_sha256: Option<String>,
}

impl Ledger {
    pub(super) fn counts(&self) -> [(&'static str, u64); 4] {
        let ByVerdict { supported, weak, contradicted, not_found } = self.summary.by_verdict;
        [
            ("supported", supported),
            ("weak", weak),
            ("contradicted", contradicted),
            ("not_found", not_found),
        ]
    }

    /// The documents of which something could not be read or seen.
    pub(super) fn troubled(&self) -> Vec<&ConsultedDocument> {
        self.documents.iter().filter(|one| !one.problems.is_empty()).collect()
    }

    /// The number of a claim, from 1.
    pub(super) fn number(&self, claim: &str) -> usize {
        self.entries.iter().position(|entry| entry.claim_id == claim).map_or(0, |at| at + 1)
    }

    pub(super) fn judged(&self) -> Option<String> {
        let Judge { engine, model, model_sha256 } = self.judge.as_ref()?;
        let digest =
            model_sha256.as_deref().and_then(|digest| digest.get(..19)).unwrap_or_default();
        Some(format!("{engine}, {model} {digest}").trim_end().to_owned())
    }
}

impl Risk {
    pub(super) fn tone(&self) -> &'static str {
        if self.severity == "high" { "bad" } else { "fair" }
    }
}

/// A session with its newest ledger, as the API gives it.
#[derive(Deserialize)]
struct Session {
    session_id: String,
    query: Option<String>,
    #[serde(default)]
    ledgers: Vec<Earlier>,
    ledger: Option<Ledger>,
}

/// A ledger that another followed.
#[derive(Deserialize)]
struct Earlier {
    ledger_id: String,
    #[serde(default)]
    coverage: Option<f64>,
    created_at: String,
}

/// Which claims are looked at.
#[derive(Default, Deserialize)]
pub(super) struct Filter {
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

impl Filter {
    fn takes(&self, entry: &Entry) -> bool {
        let fits = |wanted: &str, found: &str| wanted.is_empty() || wanted == found;
        let text = self.text.trim().to_lowercase();
        fits(&self.verdict, &entry.verdict)
            && fits(&self.importance, &entry.claim_importance)
            && fits(&self.kind, &entry.claim_type)
            && entry.claim_text.to_lowercase().contains(&text)
    }
}

/// How far a check is.
struct Progress {
    address: String,
    going: Going,
}

impl Progress {
    fn runs(&self) -> bool {
        !self.address.is_empty()
    }

    fn doing(&self, w: &'static Words) -> &'static str {
        match self.going.stage.as_str() {
            "reading" => w.reading_documents,
            "judging" => w.judging_claims,
            _ => w.progress,
        }
    }

    fn counted(&self) -> Option<(u64, u64)> {
        let Going { done, all, .. } = self.going;
        (all > 0).then_some((done, all))
    }
}

/// A job, as the API gives it.
#[derive(Deserialize)]
struct Job {
    state: String,
    #[serde(default)]
    result: Option<Broken>,
    #[serde(default)]
    progress: Going,
}

/// How far a job is.
#[derive(Default, Deserialize)]
struct Going {
    stage: String,
    done: u64,
    all: u64,
}

#[derive(Default, Deserialize)]
struct Broken {
    #[serde(default)]
    refused: Vec<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
}

#[derive(Template)]
#[template(path = "session.html")]
struct Shown {
    page: Page,
    session_id: String,
    answer: Vec<Piece>,
    ledger: Option<Ledger>,
    earlier: Vec<Earlier>,
    shown: Vec<(usize, Entry)>,
    filter: Filter,
    progress: Option<Progress>,
    requests: Vec<Request>,
}

pub(super) async fn show(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(filter): Query<Filter>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let mut progress = None;
    let mut failed = None;
    if let Some(job) = &filter.job {
        match followed(&visitor, &id, job).await? {
            Followed::Runs(now) => progress = Some(now),
            Followed::Done => return Ok(see(&format!("/sessions/{}", seg(&id)))),
            Followed::Failed(why) => failed = Some(why),
        }
    }
    let session: Session = visitor.get(&format!("/api/v1/sessions/{}", seg(&id))).await?;
    let text = answered(&visitor, &id).await?;
    let Session { session_id, query, mut ledgers, ledger } = session;
    ledgers.pop();
    let entries = ledger.as_ref().map_or(&[] as &[Entry], |ledger| &ledger.entries);
    let numbered = entries.iter().enumerate().filter(|(_, entry)| filter.takes(entry));
    let shown_entries = numbered.map(|(at, entry)| (at + 1, entry.clone())).collect();
    let answer = answer::pieces(&text, entries);
    let title = query.unwrap_or_else(|| session_id.clone());
    let mut page = Page::new(&visitor, "sessions", title).done(filter.done.as_deref());
    if let Some(why) = failed {
        page = page.saying("bad", format!("{}: {why}", visitor.w.check_failed));
    }
    let requests = match &ledger {
        Some(_) => requests(&visitor, &id).await?,
        None => Vec::new(),
    };
    let whole = Shown {
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
async fn answered(visitor: &Visitor, id: &str) -> Result<String, Wrong> {
    let tenant = visitor.tenant().await?;
    // An answer that was erased, or never kept, is no reason to hide the ledger.
    Ok(session::answer(&tenant, id).await.map(|(_, answer)| answer).unwrap_or_default())
}

#[derive(Template)]
#[template(path = "progress.html")]
struct Following {
    page: Page,
    progress: Progress,
}

/// How far a check is, for a page that follows it.
pub(super) async fn progress(
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(filter): Query<Filter>,
) -> Result<Response, Wrong> {
    visitor.signed()?;
    let job = filter.job.ok_or(Wrong::Page)?;
    match followed(&visitor, &id, &job).await? {
        Followed::Runs(progress) => {
            let page = Page::new(&visitor, "sessions", visitor.w.checking);
            Ok(shown(&Following { page, progress }))
        }
        Followed::Done => Ok(gone(&format!("/sessions/{}", seg(&id)))),
        Followed::Failed(_) => Ok(gone(&format!("/sessions/{}?job={}", seg(&id), seg(&job)))),
    }
}

/// How a job stands.
enum Followed {
    Runs(Progress),
    Done,
    Failed(String),
}

async fn followed(visitor: &Visitor, id: &str, job: &str) -> Result<Followed, Wrong> {
    let found: Job = visitor.get(&format!("/api/v1/jobs/{}", seg(job))).await?;
    match found.state.as_str() {
        "done" => Ok(Followed::Done),
        "failed" => {
            let refused = found.result.unwrap_or_default().refused;
            let why: Vec<String> = refused.into_iter().map(|one| one.message).collect();
            Ok(Followed::Failed(why.join("; ")))
        }
        _ => {
            let address = format!("/sessions/{}/progress?job={}", seg(id), seg(job));
            Ok(Followed::Runs(Progress { address, going: found.progress }))
        }
    }
}

/// Sends a page that follows something to another.
fn gone(address: &str) -> Response {
    let mut response = Response::default();
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(HeaderName::from_static("hx-redirect"), address);
    }
    response
}

/// The claim of a session, for the page of a document.
pub(super) async fn claim(
    visitor: &Visitor,
    session: &str,
    claim: &str,
) -> Result<Option<Entry>, Wrong> {
    let found: Option<Session> =
        visitor.find(&format!("/api/v1/sessions/{}", seg(session))).await?;
    let entries = found.and_then(|found| found.ledger).map(|ledger| ledger.entries);
    Ok(entries.unwrap_or_default().into_iter().find(|entry| entry.claim_id == claim))
}
