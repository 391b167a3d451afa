//! A session: its answer, its ledger, and the progress of a check.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use dalil_evidence::access::Member;
use dalil_evidence::ledger::question_reply::{QuestionCounts, QuestionThread};
use dalil_evidence::ledger::{ClaimFinding, Ledger};
use dalil_phrasebook::Phrase;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_render::answer_segment::{self, AnswerSegment};
use dalil_service::claim_review;
use dalil_service::job::{Job, JobState};
use dalil_service::question_reply;
use dalil_service::session::{self, LedgerListEntry, SessionDetails};
use dalil_store::Tenant;

use super::chart::CoverageChart;
use super::error::{PageError, found};
use super::layout::{PageLayout, see, shown};
use super::visitor::WebVisitor;
use crate::api::jobs::job_status;
use crate::app::App;
use crate::job_registry::JobProgress;
use crate::ledger_head::LedgerHead;
use crate::percent::seg;
use crate::permission::Permission;

mod claim_view;
mod excerpt;
mod query;
mod question;
mod review;
#[cfg(test)]
mod tests;
mod view;

use claim_view::{ClaimView, claim_tone};
use excerpt::EvidenceExcerpt;
use query::{ClaimPart, LedgerQuery, MAX_LISTED_CLAIMS};
use question::QuestionDraft;
pub(super) use question::reply;
pub(super) use review::review;
use review::{ReviewDraft, reviewers};
use view::{LedgerPageView, readiness_tone};

/// The progress of a check.
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
struct SessionPage<'l> {
    page: PageLayout,
    session_id: String,
    answer: Vec<AnswerSegment>,
    ledger: Option<LedgerPageView<'l>>,
    /// The places, among all claims, of those that the filter takes.
    listed: Vec<usize>,
    part: ClaimPart,
    /// The place of the claim that is open.
    open: Option<usize>,
    excerpt: Option<EvidenceExcerpt>,
    reviewers: Vec<Member>,
    draft: ReviewDraft,
    questions: Vec<QuestionThread>,
    question_part: ClaimPart,
    question_draft: QuestionDraft,
    /// The record of the newest ledger.
    record: u64,
    earlier: Vec<LedgerListEntry>,
    /// Nothing before the answer was checked twice.
    coverage: Option<CoverageChart>,
    query: LedgerQuery,
    progress: Option<CheckProgressView>,
}

impl SessionPage<'_> {
    /// The claim at a place of a ledger.
    fn claim<'p>(
        &self,
        ledger: &'p LedgerPageView<'_>,
        place: &usize,
    ) -> Option<&'p ClaimView<'p>> {
        ledger.claims.get(*place)
    }

    /// Whether the claim at a place is open.
    fn is_open_place(&self, place: &usize) -> bool {
        self.open == Some(*place)
    }

    /// Whether the claim of a number is open.
    fn is_open_number(&self, number: &usize) -> bool {
        self.open.map(|place| place + 1) == Some(*number)
    }

    /// The claims of the list that come before and after the open one.
    fn beside<'p>(
        &self,
        ledger: &'p LedgerPageView<'_>,
    ) -> (Option<&'p ClaimView<'p>>, Option<&'p ClaimView<'p>>) {
        let at = self.listed.iter().position(|place| Some(*place) == self.open);
        let beside = |at: Option<usize>| {
            at.and_then(|at| self.listed.get(at)).and_then(|place| ledger.claims.get(*place))
        };
        (beside(at.and_then(|at| at.checked_sub(1))), beside(at.map(|at| at + 1)))
    }

    /// The questions of the part that the page shows, with their numbers.
    fn part_of_questions(&self) -> impl Iterator<Item = (usize, &QuestionThread)> {
        let ClaimPart { from, to, .. } = self.question_part;
        self.questions.iter().enumerate().skip(from).take(to - from).map(|(at, one)| (at + 1, one))
    }

    /// Whether the question of a number is open.
    fn is_open_question(&self, number: &usize) -> bool {
        self.query.question == Some(*number)
    }

    /// How many questions were answered.
    fn questions_answered(&self) -> Phrase {
        QuestionCounts::of(&self.questions).phrase()
    }

    /// The part of the list that the page shows.
    fn part_of_list(&self) -> &[usize] {
        self.listed.get(self.part.from..self.part.to).unwrap_or(&[])
    }

    /// Whether every claim has a cell of its own that can be aimed at.
    fn has_wide_cells(&self, ledger: &LedgerPageView<'_>) -> bool {
        ledger.claims.len() <= MAX_WIDE_CELLS
    }
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(query): Query<LedgerQuery>,
) -> Result<Response, PageError> {
    page(&visitor, &id, query, (ReviewDraft::default(), QuestionDraft::default())).await
}

/// The page of a session, with the text typed into its form before.
async fn page(
    visitor: &WebVisitor,
    id: &str,
    query: LedgerQuery,
    (draft, question_draft): (ReviewDraft, QuestionDraft),
) -> Result<Response, PageError> {
    let caller = visitor.admit(Permission::View).await?;
    let tenant = &caller.tenant;
    let (mut progress, mut failed) = (None, None);
    if let Some(job) = &query.job {
        match followed(visitor, tenant, id, job).await? {
            CheckJobState::Runs(now) => progress = Some(now),
            CheckJobState::Done => return Ok(see(&format!("/sessions/{}", seg(id)))),
            CheckJobState::Failed(why) => failed = Some(why),
        }
    }
    let session = session::show(tenant, id).await?;
    let closed = newest(&session)?;
    let reviews = claim_review::said(tenant, id).await?;
    let questions = questions(tenant, id, closed.as_ref()).await?;
    let ledger = closed.as_ref().map(|closed| LedgerPageView::new(closed, &reviews));
    let listed = ledger.as_ref().map_or_else(Vec::new, |ledger| {
        ledger.filtered(&query).iter().map(|one| one.number - 1).collect()
    });
    let open = ledger.as_ref().and_then(|ledger| opened(ledger, &query, &listed));
    let claim = ledger.as_ref().zip(open).and_then(|(ledger, open)| ledger.claims.get(open));
    let at = listed.iter().position(|place| Some(*place) == open).unwrap_or(0);
    // An answer that was erased, or never kept, is no reason to hide the ledger.
    let text = session::answer(tenant, id).await.ok().map(|(_, answer)| answer);
    let findings = ledger.iter().flat_map(|ledger| &ledger.entries).map(|entry| &entry.finding);
    let answer = text.map_or_else(Vec::new, |text| {
        answer_segment::pieces(&text, &findings.collect::<Vec<&ClaimFinding>>())
    });
    let excerpt = EvidenceExcerpt::of(tenant, id, claim).await?;
    let SessionDetails { session_id, query: question, mut ledgers, .. } = session;
    let coverage = ledgers.iter().map(|one| (one.created_at.clone(), one.coverage, one.index));
    let coverage = CoverageChart::of(coverage, visitor.w);
    // The last one is shown whole; these are those before it.
    let record = ledgers.pop().map_or(0, |newest| newest.index);
    let title = question.unwrap_or_else(|| session_id.clone());
    let mut page = PageLayout::new(visitor, "sessions", title).done(query.done.as_deref());
    if let Some(why) = failed {
        page = page.saying("bad", format!("{}: {why}", visitor.w.check_failed));
    }
    let reviewers = match page.may_review() {
        true => reviewers(tenant).await?,
        false => Vec::new(),
    };
    let part = ClaimPart::of(query.part, at, listed.len());
    let places = listed.get(part.from..part.to).unwrap_or(&[]).iter();
    let claims = places.filter_map(|place| ledger.as_ref()?.claims.get(*place));
    let claims: Vec<&str> = claims.map(|one| one.claim_id.as_str()).collect();
    let answer = beside_list(answer, &claims);
    let question_part = query.question_part(questions.len());
    Ok(shown(&SessionPage {
        page,
        session_id,
        answer,
        ledger,
        listed,
        part,
        open,
        excerpt,
        reviewers,
        draft,
        questions,
        question_part,
        question_draft,
        record,
        earlier: ledgers,
        coverage,
        query,
        progress,
    }))
}

/// The part of an answer that has the claims of the list, from the first of them on: a page has
/// room for as many claims of an answer as of the list. Three dots mark the parts that are left
/// out.
fn beside_list(pieces: Vec<AnswerSegment>, listed: &[&str]) -> Vec<AnswerSegment> {
    if pieces.iter().filter(|one| one.claim.is_some()).count() <= MAX_LISTED_CLAIMS {
        return pieces;
    }
    let is_listed = |one: &AnswerSegment| {
        one.claim.as_ref().is_some_and(|(id, _)| listed.contains(&id.as_str()))
    };
    let first = pieces.iter().position(is_listed).unwrap_or(0);
    let dots = |text: &str| AnswerSegment { text: text.to_owned(), claim: None };
    let mut part = Vec::new();
    if first > 0 {
        part.push(dots("… "));
    }
    let mut room = MAX_LISTED_CLAIMS;
    for one in pieces.into_iter().skip(first) {
        if one.claim.is_some() {
            if room == 0 {
                part.push(dots(" …"));
                break;
            }
            room -= 1;
        }
        part.push(one);
    }
    part
}

/// The follow-up questions of a session's newest ledger, with the replies to them.
async fn questions(
    tenant: &Tenant,
    id: &str,
    ledger: Option<&Ledger>,
) -> Result<Vec<QuestionThread>, PageError> {
    let Some(ledger) = ledger else { return Ok(Vec::new()) };
    let replies = question_reply::said(tenant, id).await?;
    let asked = &ledger.content.follow_up_questions;
    Ok(QuestionThread::all(asked, &ledger.id.to_string(), &replies))
}

/// The readiness of an answer, and a cell for each of its claims, for a list.
pub(super) struct LedgerBrief {
    pub(super) cells: Vec<String>,
    pub(super) tone: &'static str,
    pub(super) said: Phrase,
}

impl LedgerBrief {
    /// That of a session, if it was checked.
    pub(super) async fn of(
        app: &App,
        tenant: &Tenant,
        id: &str,
    ) -> Result<Option<Self>, PageError> {
        let known = app.ledger_heads.last(tenant, id);
        let read = LedgerHead::read(tenant, id, known);
        let Some(head) = app.ledger_heads.get(tenant, id, read).await? else { return Ok(None) };
        let readiness = head.readiness(&claim_review::said(tenant, id).await?);
        let claims = head.claims.iter().take(MAX_BRIEF_CELLS);
        Ok(Some(Self {
            cells: claims.map(|claim| claim_tone(claim.colour)).collect(),
            tone: readiness_tone(readiness),
            said: readiness.phrase(),
        }))
    }
}

/// How many cells a line of a list has room for.
const MAX_BRIEF_CELLS: usize = 40;

/// The newest ledger of a session, if it was checked.
fn newest(session: &SessionDetails) -> Result<Option<Ledger>, PageError> {
    match &session.ledger {
        Json::Null => Ok(None),
        ledger => Ok(Some(Ledger::parse(&canon::bytes(ledger)?)?)),
    }
}

/// The claim that is open: the one of the address, else the first of the list that needs a person,
/// else the first.
fn opened(ledger: &LedgerPageView<'_>, query: &LedgerQuery, listed: &[usize]) -> Option<usize> {
    let named = query.claim.as_deref();
    let named = named.and_then(|name| ledger.claims.iter().find(|one| one.claim_id == name));
    let needs = |place: &&usize| ledger.claims.get(**place).is_some_and(ClaimView::needs_person);
    let first = || listed.iter().find(needs).or(listed.first()).copied();
    named.map(|one| one.number - 1).or_else(first)
}

/// How many claims have a cell that can be aimed at; more are only a picture.
const MAX_WIDE_CELLS: usize = 60;

#[derive(Template)]
#[template(path = "progress.html")]
struct CheckProgressPage {
    page: PageLayout,
    progress: CheckProgressView,
}

/// The progress of a check, for a page that follows it.
pub(super) async fn progress(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(query): Query<LedgerQuery>,
) -> Result<Response, PageError> {
    let tenant = visitor.admit(Permission::View).await?.tenant;
    let job = query.job.ok_or(PageError::Page)?;
    match followed(&visitor, &tenant, &id, &job).await? {
        CheckJobState::Runs(progress) => {
            let page = PageLayout::new(&visitor, "sessions", visitor.w.checking);
            Ok(shown(&CheckProgressPage { page, progress }))
        }
        CheckJobState::Done => Ok(gone(&format!("/sessions/{}", seg(&id)))),
        // The page itself gives the reason, so it is opened again with its job.
        CheckJobState::Failed(_) => Ok(gone(&format!("/sessions/{}?job={}", seg(&id), seg(&job)))),
    }
}

/// The state of a job.
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
    let found = job_status(&visitor.view.app, tenant, job, visitor.language).await?;
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

/// Why a check failed, in the words of its faults.
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
    let Some(ledger) = newest(&session)? else { return Ok(None) };
    let mut findings = ledger.content.entries.into_iter().map(|entry| entry.finding);
    Ok(findings.find(|finding| finding.claim_id == claim))
}
