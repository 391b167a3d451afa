//! The first page: the tasks that wait for the person who is signed in.

use askama::Template;
use axum::Extension;
use axum::response::Response;
use dalil_evidence::approval::VoteOutcome;
use dalil_evidence::pack::MAX_REVIEW_HOURS;
use dalil_phrasebook::{Phrase, pack_view};
use dalil_proof::time::Time;
use dalil_service::claim_review::{self, ClaimAssignment};
use dalil_service::pack::{self, PackVersionSummary};
use dalil_service::question_reply::{self, QuestionAssignment};
use dalil_service::session::{self, SessionSummary};
use dalil_service::{approval, index};

use super::approval_request::ApprovalRequestView;
use super::error::PageError;
use super::layout::{PageLayout, see, shown};
use super::query::newest;
use super::visitor::WebVisitor;
use crate::caller::Caller;
use crate::guard;
use crate::page::CursorPage;
use crate::permission::Permission;

/// A pack that waits for a word of the reader.
struct WaitingPack {
    title: String,
    version: PackVersionSummary,
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    page: PageLayout,
    packs: Vec<WaitingPack>,
    /// That packs were not reviewed in time, if there are such.
    overdue: Option<Phrase>,
    /// Requests of others that the reader may approve.
    asked: Vec<ApprovalRequestView>,
    /// Requests of the reader that others approved, ready to be fetched.
    ready: Vec<ApprovalRequestView>,
    claims: Vec<ClaimAssignment>,
    /// Follow-up questions that others sent on to the reader.
    questions: Vec<QuestionAssignment>,
    /// The newest answers that were checked.
    sessions: Vec<SessionSummary>,
}

impl HomePage {
    /// How many things wait.
    fn waiting(&self) -> usize {
        let asked = self.asked.len() + self.claims.len() + self.questions.len();
        self.packs.len() + self.ready.len() + asked
    }
}

pub(super) async fn home(Extension(visitor): Extension<WebVisitor>) -> Result<Response, PageError> {
    if visitor.session.is_none() {
        return Ok(see("/signin"));
    }
    let visitor = &visitor;
    let caller = visitor.admit(Permission::View).await?;
    let tenant = &caller.tenant;
    let now = visitor.view.app.now()?;
    let page = PageLayout::new(visitor, "", visitor.w.home);
    // A user who may not review is not asked to approve.
    let (packs, overdue) = match page.may_review() {
        true => waiting_packs(visitor, &caller, now).await?,
        false => (Vec::new(), None),
    };
    let list = async |part| approval::requests(tenant, part, now).await;
    let found = CursorPage::list(&newest(MAX_LOOKED_AT, None), list, |one| one.index).await?;
    let app = &visitor.view.app;
    let found = guard::without_hidden_packs(app, &caller, found.items, |one| &one.object).await?;
    let (mut asked, mut ready) = (Vec::new(), Vec::new());
    for one in found {
        let one = ApprovalRequestView::of(one)?.weighed(visitor, &caller).await?;
        let is_asked = one.is_open_to(Some(caller.name())) && one.obstacle.is_none();
        if is_asked && page.may_review() {
            asked.push(one);
        } else if one.is_ready_for(Some(caller.name())) {
            ready.push(one);
        }
    }
    let claims = claim_review::assigned_to(tenant, caller.name()).await?;
    let questions = question_reply::sent_to(tenant, caller.name()).await?;
    let list = async |part| session::list(tenant, part).await;
    let sessions = CursorPage::list(&newest(MAX_SESSIONS, None), list, |one| one.index).await?;
    let sessions = sessions.items;
    Ok(shown(&HomePage { page, packs, overdue, asked, ready, claims, questions, sessions }))
}

/// The packs of the newest ones that the reader may approve, and how many of them were not reviewed
/// in time.
async fn waiting_packs(
    visitor: &WebVisitor,
    caller: &Caller,
    now: Time,
) -> Result<(Vec<WaitingPack>, Option<Phrase>), PageError> {
    let tenant = &caller.tenant;
    let list = async |part| index::packs(tenant, part).await;
    let found = CursorPage::list(&newest(MAX_LOOKED_AT, None), list, |one| one.index).await?;
    let mut open = found.items;
    open.retain(|one| one.superseded_by.is_none() && one.status == "unresolved");
    let app = &visitor.view.app;
    let open = guard::without_hidden_packs(app, caller, open, |one| &one.pack_id).await?;
    let (mut waiting, mut overdue) = (Vec::new(), 0_usize);
    for version in open {
        let options = pack::options(tenant, &version.pack_id, caller.name(), now).await?;
        overdue += usize::from(options.is_overdue);
        if options.outcomes.contains(&VoteOutcome::Approved) {
            let pack = pack::show(tenant, &version.pack_id).await?.pack;
            let title = pack.memo.texts(visitor.language).title.to_owned();
            waiting.push(WaitingPack { title, version });
        }
    }
    let told = || pack_view::packs_not_reviewed_in_time(overdue, MAX_REVIEW_HOURS);
    Ok((waiting, (overdue > 0).then(told)))
}

/// How many packs and requests are looked at: those of the last days in a busy house.
const MAX_LOOKED_AT: u32 = 50;
/// How many answers are listed.
const MAX_SESSIONS: u32 = 5;
