//! Packs: the decision, its basis, its reviews, and its verification.

use askama::Template;
use axum::Extension;
use axum::extract::{Path, Query};
use axum::response::Response;
use dalil_evidence::approval::{ApprovalVote, VoteOutcome};
use dalil_evidence::pack::concern::concerns;
use dalil_evidence::pack::{MemoTexts, PackDraft, PackStatus};
use dalil_phrasebook::Language;
use dalil_phrasebook::viewer::ViewerTexts;
use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_service::index;
use dalil_service::pack::{
    self, DeclinedReview, PackReviewStatus, PackVersionSummary, RecordedAcknowledgement,
    ReviewOptions,
};
use serde::Deserialize;
use serde_json::json;

use super::approval_request::{ApprovalRequestView, requests};
use super::chain::ChainLink;
use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::pack_changes::{ToldChange, told};
use super::pack_claims::{PackClaim, claims, doubtful, short_anchor, text};
use super::pack_review::{ConcernView, PackRemark, concern_views, remarks};
use super::query::{FormResultQuery, ListCursorQuery};
use super::verify::VerificationReportView;
use super::visitor::WebVisitor;
use crate::api::packs::review_as;
use crate::guard;
use crate::page::CursorPage;
use crate::percent::seg;
use crate::permission::Permission;
use crate::problem::ProblemKind;

#[derive(Template)]
#[template(path = "packs.html")]
struct PackListPage {
    page: PageLayout,
    packs: Vec<ListedPack>,
    next: Option<String>,
}

/// A version of a pack, and its decision.
struct ListedPack {
    version: PackVersionSummary,
    title: String,
    concerns: usize,
}

pub(super) async fn list(
    Extension(visitor): Extension<WebVisitor>,
    Query(part): Query<ListCursorQuery>,
) -> Result<Response, PageError> {
    let (app, caller) = (&visitor.view.app, visitor.admit(Permission::View).await?);
    let tenant = &caller.tenant;
    let list = async |part| index::packs(tenant, part).await;
    let found = CursorPage::list(&part.page(), list, |one| one.index).await?;
    // A title is a part of its pack, which may be hidden from a viewer of the list.
    let seen = guard::without_hidden_packs(app, &caller, found.items, |one| &one.pack_id).await?;
    let mut packs = Vec::with_capacity(seen.len());
    for version in seen {
        let content = ReviewedPackView(pack::show(tenant, &version.pack_id).await?.pack);
        let title = content.memo.texts(visitor.language).title.to_owned();
        packs.push(ListedPack { version, title, concerns: content.concerns() });
    }
    let page = PageLayout::new(&visitor, "packs", visitor.w.packs);
    Ok(shown(&PackListPage { page, packs, next: found.next_cursor }))
}

/// A pack, with the data for a reviewer.
struct ReviewedPackView(PackDraft);

impl std::ops::Deref for ReviewedPackView {
    type Target = PackDraft;

    fn deref(&self) -> &PackDraft {
        &self.0
    }
}

impl ReviewedPackView {
    /// How many things a reviewer should look at.
    fn concerns(&self) -> usize {
        concerns(&self.0).len()
    }

    /// Whether the decision has a text.
    fn is_told(&self) -> bool {
        let words = &self.words;
        words.objective.is_some() || words.recommendation.is_some() || words.rationale.is_some()
    }

    /// The session of the ledger.
    fn ledger_session(&self) -> Option<&str> {
        self.ledger.as_ref().and_then(|ledger| text(ledger, "session_id"))
    }

    /// The claims that are not supported, the contradicted ones first.
    fn doubtful(&self) -> Vec<PackClaim<'_>> {
        doubtful(self.ledger.as_ref())
    }

    /// Whether the ledger has no claim that was checked.
    fn is_unchecked(&self) -> bool {
        claims(self.ledger.as_ref()).next().is_none()
    }

    /// The short anchor by which a memo cites a source.
    fn anchor(&self, excerpt: &str) -> String {
        short_anchor(excerpt)
    }

    /// The short anchor of each source, in their order.
    fn anchors(&self) -> Vec<String> {
        self.sources.iter().map(|source| self.anchor(&source.excerpt)).collect()
    }

    /// The note above a memo that is a translation from the other language.
    fn translation_note(&self, language: Language) -> Option<&'static str> {
        let is_translated = self.memo.translated_from.is_some_and(|from| from != language);
        is_translated.then_some(ViewerTexts::in_language(language).memo_translated)
    }
}

#[derive(Template)]
#[template(path = "pack.html")]
struct PackPage {
    page: PageLayout,
    version: PackVersionSummary,
    pack: ReviewedPackView,
    versions: Vec<PackVersionSummary>,
    /// Whether it is unresolved and the newest version.
    is_open: bool,
    /// The record of its decision, if that was erased.
    erased: Option<u64>,
    /// The state of the review, while it is open.
    standing: Option<PackReviewStatus>,
    /// The votes that the visitor may cast, while the review is open.
    options: ReviewOptions,
    requests: Vec<ApprovalRequestView>,
    report: VerificationReportView,
    /// The votes on this version, in order of time.
    votes: Vec<ApprovalVote>,
    /// The members who declined to vote.
    declined: Vec<DeclinedReview>,
    acknowledged: Vec<RecordedAcknowledgement>,
    chain: Vec<ChainLink>,
    draft: PackReviewDraft,
    /// The language of the reader, and the other one of the memo.
    languages: [Language; 2],
}

impl PackPage {
    /// The concerns of the pack.
    fn concern_views(&self) -> Vec<ConcernView<'_>> {
        concern_views(&self.page, &self.pack, &self.acknowledged)
    }

    /// The remarks about this version.
    fn remarks(&self) -> Vec<PackRemark<'_>> {
        remarks(&self.page, &self.votes, &self.declined)
    }

    /// Whether the visitor may approve, and so acknowledges the concerns.
    fn may_approve(&self) -> bool {
        self.page.may_review() && self.options.outcomes.contains(&VoteOutcome::Approved)
    }

    /// Whether the visitor has something to decide.
    fn may_decide(&self) -> bool {
        self.page.may_review() && (!self.options.outcomes.is_empty() || self.options.may_decline)
    }

    /// The memo in the language of the reader.
    fn memo_here(&self) -> MemoTexts<'_> {
        let [here, _] = self.languages;
        self.pack.memo.texts(here)
    }

    /// The memo in the other language.
    fn memo_there(&self) -> MemoTexts<'_> {
        let [_, there] = self.languages;
        self.pack.memo.texts(there)
    }

    /// The notes above the memo in each language, when it is a translation.
    fn notes(&self) -> (Option<&'static str>, Option<&'static str>) {
        let [here, there] = self.languages;
        (self.pack.translation_note(here), self.pack.translation_note(there))
    }
}

/// The input of a review form that was refused, and why, so that it need not be typed again.
#[derive(Default)]
struct PackReviewDraft {
    reason: String,
    acknowledged: Vec<String>,
    fault: Option<String>,
}

impl PackReviewDraft {
    fn has_seen(&self, value: &str) -> bool {
        self.acknowledged.iter().any(|one| one == value)
    }
}

pub(super) async fn show(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(FormResultQuery { done }): Query<FormResultQuery>,
) -> Result<Response, PageError> {
    page(&visitor, &id, done.as_deref(), PackReviewDraft::default()).await
}

/// The page of a pack, with the earlier input of its form.
async fn page(
    visitor: &WebVisitor,
    id: &str,
    done: Option<&str>,
    draft: PackReviewDraft,
) -> Result<Response, PageError> {
    let (app, caller) = (&visitor.view.app, visitor.admit(Permission::ViewPack).await?);
    guard::view_pack(app, &caller, id).await?;
    let details = pack::show(&caller.tenant, id).await?;
    let (version, content) = (details.version, ReviewedPackView(details.pack));
    let is_open = version.superseded_by.is_none() && version.status == "unresolved";
    // A version that was superseded keeps what was said about it; a resolved one has its votes.
    let votes = match content.status {
        PackStatus::Unresolved => pack::said(&caller.tenant, &content).await?,
        PackStatus::Resolved => content.approvals.clone(),
    };
    // The remarks about an approved version are records of the one that was under review.
    let reviewed = match (&content.status, &content.supersedes) {
        (PackStatus::Resolved, Some(before)) => before.clone(),
        _ => content.pack_id.clone(),
    };
    // The version that was under review may be hidden from the reader of this one.
    let seen = guard::without_hidden_packs(app, &caller, vec![reviewed], |id| id.as_str()).await?;
    let (declined, acknowledged) = match seen.first() {
        Some(id) => (
            pack::declined(&caller.tenant, id).await?,
            pack::acknowledged(&caller.tenant, id).await?,
        ),
        None => (Vec::new(), Vec::new()),
    };
    let erased = pack::erased_decision(&caller.tenant, &content).await?;
    // Without its decision the state of the review is unknown; the content of the pack is still
    // there.
    let is_reviewed = is_open && erased.is_none();
    let standing = match is_reviewed {
        true => Some(pack::standing(&caller.tenant, id).await?),
        false => None,
    };
    let options = match is_reviewed {
        true => pack::options(&caller.tenant, id, caller.name(), app.now()?).await?,
        false => ReviewOptions::default(),
    };
    // Data beyond this one pack: a person who may see it alone may not see the rest of the tenant.
    let caller = visitor.admit(Permission::View).await?;
    let tenant = &caller.tenant;
    let requests = requests(visitor, &caller, id).await?;
    let versions = pack::versions(tenant, id).await?;
    let versions = guard::without_hidden_versions(app, &caller, versions).await?;
    let version = guard::without_hidden_neighbours(app, &caller, version).await?;
    // Verified here, and not let out: it leaves by an export.
    let sealed = canon::bytes(&pack::sealed_file(tenant, id).await?)?;
    let report = VerificationReportView::stored(visitor, sealed.into()).await?;
    let title = content.memo.texts(visitor.w.language()).title.to_owned();
    let page = PageLayout::new(visitor, "packs", title).done(done);
    let chain = chain(visitor.w, &content, &version, &versions);
    let languages = match visitor.language {
        Language::English => [Language::English, Language::Arabic],
        Language::Arabic => [Language::Arabic, Language::English],
    };
    Ok(shown(&PackPage {
        page,
        version,
        pack: content,
        versions,
        is_open,
        erased,
        standing,
        options,
        requests,
        report,
        votes,
        declined,
        acknowledged,
        chain,
        draft,
        languages,
    }))
}

/// From the ledger over the versions to the record of this one and the checkpoint over it.
fn chain(
    w: &'static ViewerTexts,
    pack: &ReviewedPackView,
    version: &PackVersionSummary,
    versions: &[PackVersionSummary],
) -> Vec<ChainLink> {
    let link = |label: String, address: String| ChainLink { label, address, is_here: false };
    let ledger = pack.ledger_session();
    let ledger = ledger.map(|id| link(w.ledger.to_owned(), format!("/sessions/{}", seg(id))));
    let packs = versions.iter().map(|one| ChainLink {
        is_here: one.pack_id == version.pack_id,
        ..link(
            format!("{} {} {}", w.pack, w.version_short, one.version),
            format!("/packs/{}", seg(&one.pack_id)),
        )
    });
    let record = (format!("{} {}", w.record, version.index), format!("/trail/{}", version.index));
    let checkpoint = (w.checkpoint.to_owned(), "/trail/checkpoint".to_owned());
    let proof = [record, checkpoint].map(|(label, address)| link(label, address));
    ledger.into_iter().chain(packs).chain(proof).collect()
}

/// Which version to compare with.
#[derive(Deserialize)]
pub(super) struct PackDiffQuery {
    from: String,
}

#[derive(Template)]
#[template(path = "changes.html")]
struct PackDiffPage {
    page: PageLayout,
    /// The title of the newer version.
    subject: String,
    old: PackVersionSummary,
    new: PackVersionSummary,
    told: Vec<ToldChange>,
}

pub(super) async fn changes(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    Query(PackDiffQuery { from }): Query<PackDiffQuery>,
) -> Result<Response, PageError> {
    let (app, caller) = (&visitor.view.app, visitor.admit(Permission::ViewPack).await?);
    guard::view_pack(app, &caller, &from).await?;
    guard::view_pack(app, &caller, &id).await?;
    let diff = pack::diff(&caller.tenant, &from, &id).await?;
    let old = pack::show(&caller.tenant, &from).await?;
    let new = pack::show(&caller.tenant, &id).await?;
    let page = PageLayout::new(&visitor, "packs", visitor.w.compare);
    let told = told(&page, &diff, (&old.pack, &new.pack));
    let subject = new.pack.memo.texts(visitor.language).title.to_owned();
    Ok(shown(&PackDiffPage { page, subject, old: old.version, new: new.version, told }))
}

/// Records a person's vote on a pack.
pub(super) async fn review(
    Extension(visitor): Extension<WebVisitor>,
    Path(id): Path<String>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    visitor.signed_in()?;
    let fields = FormFields::read(&visitor, &body)?;
    // A rule has no spaces; a path may.
    let named = fields.all("acknowledged").filter_map(|one| one.split_once(' '));
    let acknowledged = named.map(|(rule, path)| json!({"rule": rule, "path": path}));
    let acknowledged: Vec<_> = acknowledged.collect();
    let mut review = json!({"outcome": fields.text("outcome")});
    if let Some(members) = review.as_object_mut() {
        // Boxes that were ticked before the person chose otherwise vouch for nothing.
        if fields.text("outcome") == "approved" {
            members.insert("acknowledged".to_owned(), acknowledged.into());
        }
        members.extend(fields.one("reason").map(|reason| ("reason".to_owned(), reason.into())));
    }
    let caller = visitor.admit(Permission::Review).await?;
    let (app, tenant) = (&visitor.view.app, caller.tenant.clone());
    match review_as(app, caller, &id, review.to_string().as_bytes()).await {
        Ok(_) => {}
        Err(problem) if matches!(problem.kind, ProblemKind::Refused | ProblemKind::Conflict) => {
            let draft = PackReviewDraft {
                reason: fields.text("reason").to_owned(),
                acknowledged: fields.all("acknowledged").map(str::to_owned).collect(),
                fault: problem
                    .faults
                    .first()
                    .map(|fault| fault.message.clone().into_text(visitor.language).into_owned()),
            };
            let mut page = page(&visitor, &id, None, draft).await?;
            *page.status_mut() = problem.kind.status();
            return Ok(page);
        }
        Err(problem) => return Err(problem.into()),
    }
    // Asked again, since the last approval seals another version, to which people are led.
    let version = pack::show(&tenant, &id).await?.version;
    Ok(match version.superseded_by {
        Some(next) => see(&format!("/packs/{}?done=sealed", seg(&next))),
        None => see(&format!("/packs/{}?done=reviewed", seg(&id))),
    })
}
