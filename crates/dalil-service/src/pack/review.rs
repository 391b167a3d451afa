//! Reviews of a pack by members, and the version that the last approval makes.

use dalil_evidence::access::{self, AccessAction, Member, TenantMembers};
use dalil_evidence::approval::{
    self, ApprovalProgress, ApprovalQuorum, ApprovalState, ApprovalVote, VoteOutcome,
};
use dalil_evidence::decision_class::ApprovalClass;
use dalil_evidence::name::{is_confusable_with, is_spelling};
use dalil_evidence::pack::{self, FlagAcknowledgement, PackDraft, PackReview, SealedPack};
use dalil_evidence::policy::{self, RoutingContext};
use dalil_phrasebook::{expected, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::decode;
use dalil_proof::digest::hex;
use dalil_proof::fault::{Fault, Refused, quote, quoted};
use dalil_proof::id::PackId;
use dalil_proof::json::Json;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::catalog::{DecisionRow, MemberRow, PackApprovalRow};
use dalil_store::{NewRecord, Tenant};
use serde::Serialize;

use super::acknowledged::split;
use super::decline::{DeclinedReview, declined};
use super::review_request::{
    PackReviewRequest, REQUEST_FIELD, ReviewAction, VOTE_FIELD, asked, vote_of,
};
use super::{content, find, free, proved, random, sealed};
use crate::decision::{once, stated};
use crate::member::{permitted, replay};
use crate::operation::{
    OperationFailure, RequestContext, answered, append_if_unchanged, bytes,
    retry_on_conflict_of_kinds, word,
};

/// The result of a review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ReviewOutcome {
    /// The last approval that was needed: the version that it makes, as a stranger verifies it.
    Resolved(SealedPack),
    /// Any other: the state of the pack.
    Waiting(PendingPack),
}

/// A pack that is not approved, or not yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PendingPack {
    /// The pack.
    pub pack_id: PackId,
    /// The state of its approval.
    #[serde(flatten)]
    pub standing: ApprovalProgress,
}

/// The state of the review of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackReviewStatus {
    /// The pack, and the state of its approval.
    #[serde(flatten)]
    pub waiting: PendingPack,
    /// The votes on this version, in order of time.
    pub said: Vec<ApprovalVote>,
    /// The members who declined to decide about it, in order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<DeclinedReview>,
    /// The deadline for votes.
    pub review_until: Option<Time>,
}

/// The state of the review of a version: who approved so far, who must still approve, and the
/// deadline.
///
/// # Errors
/// There is no pack of that name, or it is damaged.
pub async fn standing(
    tenant: &Tenant,
    pack_id: &str,
) -> Result<PackReviewStatus, OperationFailure> {
    let pack = content(tenant, &find(tenant, pack_id).await?).await?;
    let said = votes(tenant, &pack.pack_id, u64::MAX).await?;
    let standing = approval::standing(need(tenant, &pack).await?, &said);
    let declined = declined(tenant, &pack.pack_id).await?;
    let review_until = pack::review_until(&pack);
    let waiting = PendingPack { pack_id: pack.pack_id.clone(), standing };
    Ok(PackReviewStatus { waiting, said, declined, review_until })
}

/// The votes that a member may cast on a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewOptions {
    /// The outcomes that are open to the member, from the mildest.
    pub outcomes: Vec<VoteOutcome>,
    /// Whether the member may decline to decide.
    pub may_decline: bool,
    /// Why the member may not approve, if so.
    pub obstacle: Option<Fault>,
    /// Whether the review period is over, for everyone.
    pub is_overdue: bool,
}

/// The votes that a person may cast on a version at a time. Nothing is recorded.
///
/// # Errors
/// There is no pack of that name, or it is damaged.
pub async fn options(
    tenant: &Tenant,
    pack_id: &str,
    reviewer: &str,
    now: Time,
) -> Result<ReviewOptions, OperationFailure> {
    let pack = content(tenant, &find(tenant, pack_id).await?).await?;
    let mut options = ReviewOptions::default();
    let (votes, standing) = match under_review(tenant, &pack).await {
        Ok(found) => found,
        Err(OperationFailure::Refused(refused)) => {
            options.obstacle = refused.refused.into_iter().next();
            return Ok(options);
        }
        Err(failure) => return Err(failure),
    };
    let is_rejected = standing.state == ApprovalState::Rejected;
    if let Some(fault) = pack::overdue(&pack, now).filter(|_| !is_rejected) {
        return Ok(ReviewOptions { obstacle: Some(fault), is_overdue: true, ..options });
    }
    let (members, _) = replay(tenant).await?;
    let aside = declined(tenant, &pack.pack_id).await?;
    for (_, action) in ReviewAction::WIRE_NAMES {
        let asked = PackReviewRequest {
            pack_id: pack.pack_id.clone(),
            new_pack_id: None,
            reviewer_id: reviewer.to_owned(),
            action: *action,
            reason: None,
            acknowledged: Vec::new(),
        };
        let entitled = entitled(&members, &asked, standing.need.class, &pack.agent_name);
        match (open(&asked, (&votes, &aside), &standing).and(entitled), action) {
            (Ok(_), ReviewAction::Vote(outcome)) => options.outcomes.push(*outcome),
            (Ok(_), ReviewAction::Decline) => options.may_decline = true,
            (Err(fault), ReviewAction::Vote(VoteOutcome::Approved)) => {
                options.obstacle = Some(fault);
            }
            (Err(_), _) => {}
        }
    }
    Ok(options)
}

/// The votes on a version whose review is open, and the state of its approval.
///
/// Refused for one that is resolved, is not the newest, or whose decision was erased.
async fn under_review(
    tenant: &Tenant,
    pack: &PackDraft,
) -> Result<(Vec<ApprovalVote>, ApprovalProgress), OperationFailure> {
    newest(tenant, &pack.pack_id).await?;
    let votes = votes(tenant, &pack.pack_id, u64::MAX).await?;
    let standing = approval::standing(need(tenant, pack).await?, &votes);
    Ok((votes, standing))
}

/// The reviewer, as the request names them.
pub fn reviewer(request: &[u8]) -> Option<String> {
    match Json::parse(request).ok()?.get("reviewer_id") {
        Some(Json::Text(name)) => Some(name.to_string()),
        _ => None,
    }
}

/// Records a member's vote on a pack, or that the member declined to vote, and seals the version
/// that the last approval makes.
///
/// `{"pack_id","reviewer_id","outcome"?:"approved"|"declined"|"escalated"|"rejected","reason"?,
/// "acknowledged"?:[{"rule","path"}],"new_pack_id"?}`. The old version is not changed.
///
/// # Errors
/// Every fault in the request; a reviewer who is the agent, not a member, or without the
/// role or title; more than 48 hours; a finding or a concern that was not acknowledged; a second
/// word of the same reviewer; a member who declines without a reason, or with fields that only a
/// vote uses; a pack that does not exist, is resolved or rejected, or is not the newest version.
pub async fn review(
    tenant: &Tenant,
    request: &[u8],
    context: &RequestContext,
) -> Result<ReviewOutcome, OperationFailure> {
    let json = Json::parse(request)?;
    let said = canon::bytes(&json)?;
    let key = context.idempotency_key("pack review", &said)?;
    let asked = decode::value(&json, asked)?;
    let kinds = &[
        RecordKind::PackSealed,
        RecordKind::PackReviewed,
        RecordKind::PayloadErased,
        RecordKind::MemberAdded,
        RecordKind::MemberRemoved,
    ];
    let acks = retry_on_conflict_of_kinds(tenant, kinds, async |snapshot| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return Ok(acks);
        }
        let drafts = drafts(tenant, &asked, said.clone(), context).await?;
        append_if_unchanged(tenant, drafts, key.clone(), snapshot).await
    });
    match acks.await?.as_slice() {
        // Two records mean that this review was the last one needed and sealed a version.
        [_, version] => Ok(ReviewOutcome::Resolved(proved(tenant, version.index).await?)),
        acks => {
            // Up to its own record: a retry gives the first answer, without later votes.
            let until = acks.last().map_or(0, |ack| ack.index);
            let votes = votes(tenant, &asked.pack_id, until).await?;
            let pack = content(tenant, &find(tenant, asked.pack_id.as_str()).await?).await?;
            let standing = approval::standing(need(tenant, &pack).await?, &votes);
            Ok(ReviewOutcome::Waiting(PendingPack { pack_id: asked.pack_id, standing }))
        }
    }
}

/// The record of a review, and that of the version if it makes one.
async fn drafts(
    tenant: &Tenant,
    asked: &PackReviewRequest,
    said: Vec<u8>,
    context: &RequestContext,
) -> Result<Vec<NewRecord>, OperationFailure> {
    let old = newest(tenant, &asked.pack_id).await?;
    let mut votes = votes(tenant, &asked.pack_id, u64::MAX).await?;
    let aside = declined(tenant, &old.pack_id).await?;
    let times = votes.iter().map(|vote| vote.at).chain(aside.iter().map(|one| one.at));
    let said_last = times.fold(old.created_at, Time::max);
    let context = &context.not_before(said_last);
    let need = need(tenant, &old).await?;
    let standing = approval::standing(need, &votes);
    open(asked, (&votes, &aside), &standing)?;
    let member = member(tenant, asked, (standing.need.class, &old.agent_name), context).await?;
    let outcome = match asked.action {
        ReviewAction::Vote(outcome) => outcome,
        ReviewAction::Decline => {
            if let Some(fault) = pack::overdue(&old, context.at) {
                return Err(fault.into());
            }
            let declined = DeclinedReview::by(&member, context.at, asked)?;
            return Ok(vec![declined.record(&asked.pack_id, said, context)?]);
        }
    };
    let (approver, titles) = (member.name.clone(), member.titles.clone());
    let reason = asked.reason.clone();
    let vote = ApprovalVote { approver, outcome, titles, at: context.at, reason };
    // Every other rule, also for a review that resolves nothing.
    let alone = version(tenant, asked, &old, &vote, context).await?;
    votes.push(vote.clone());
    let mut drafts = vec![record(asked, &vote, said, context)?];
    let is_last = approval::standing(need, &votes).state == ApprovalState::Approved;
    // The vote and the version are one entry: no crash leaves an approved pack without its version.
    if outcome == VoteOutcome::Approved && is_last {
        let review = PackReview { approvals: votes, ..alone };
        drafts.push(sealed(tenant, &pack::review(&old, &review)?, context).await?);
    }
    Ok(drafts)
}

/// The pack of that name, if it is the newest version and unresolved.
async fn newest(tenant: &Tenant, pack_id: &PackId) -> Result<PackDraft, OperationFailure> {
    let line = find(tenant, pack_id.as_str()).await?;
    let newest = super::newest(tenant, &line.row.decision_id).await?;
    if let Some(newest) = newest.filter(|newest| newest.pack_id != pack_id.as_str()) {
        let expected = match newest.line {
            Some(_) => precondition::newest_version(quote(&newest.pack_id)),
            None => precondition::newest_version_erased(quote(&newest.pack_id)),
        };
        let fault = Fault::new("superseded", "pack_id", expected, quoted(pack_id.as_str()));
        let hint = hint::assemble_the_version_that_follows();
        return Err(if newest.line.is_some() { fault } else { fault.hint(hint) }.into());
    }
    if line.row.status == "resolved" {
        let expected = precondition::a_pack_that_waits_for_its_review();
        let found = found::pack_resolved(quote(pack_id.as_str()));
        return Err(Fault::new("resolved", "pack_id", expected, found).into());
    }
    content(tenant, &line).await
}

/// Refuses a word about a pack that was rejected, and a second word of the same person.
fn open(
    asked: &PackReviewRequest,
    (votes, aside): (&[ApprovalVote], &[DeclinedReview]),
    standing: &ApprovalProgress,
) -> Result<(), Fault> {
    if standing.state == ApprovalState::Rejected {
        let found = found::pack_rejected(quote(asked.pack_id.as_str()));
        let fault =
            Fault::new("rejected", "pack_id", precondition::a_pack_that_nobody_rejected(), found);
        return Err(fault.hint(hint::assemble_the_version_that_follows()));
    }
    // Votes of one person under two spellings must not make a quorum.
    let is_own = |name: &str| is_confusable_with(name, &asked.reviewer_id);
    let has_voted = votes.iter().any(|vote| is_own(&vote.approver));
    // An approver may still reject; a second approval would count twice.
    let is_rejection = asked.action == ReviewAction::Vote(VoteOutcome::Rejected);
    if !is_rejection && aside.iter().any(|one| is_own(&one.reviewer)) {
        return Err(DeclinedReview::refused(&asked.reviewer_id));
    }
    if has_voted && !is_rejection {
        let found = found::who_has_reviewed_it(quote(&asked.reviewer_id));
        let expected = precondition::another_reviewer_each_counts_once();
        return Err(Fault::new("same_reviewer", REVIEWER_PATH, expected, found));
    }
    Ok(())
}

/// The version that a review makes, with every rule checked over it.
async fn version(
    tenant: &Tenant,
    asked: &PackReviewRequest,
    old: &PackDraft,
    vote: &ApprovalVote,
    context: &RequestContext,
) -> Result<PackReview, OperationFailure> {
    let pack_id = match &asked.new_pack_id {
        Some(id) => id.clone(),
        None => PackId::from_random(random()?),
    };
    free(tenant, &pack_id, "new_pack_id").await?;
    // A rejection needs no acknowledgement of the findings.
    let open = old.findings.iter().filter(|finding| finding.state == pack::PackFlagState::Open);
    let (given, mut faults) = split(old, asked);
    let seen = match vote.outcome {
        VoteOutcome::Approved => given,
        VoteOutcome::Escalated | VoteOutcome::Rejected => open
            .map(|one| FlagAcknowledgement { rule: one.rule.to_owned(), path: one.path.clone() })
            .collect(),
    };
    let review = PackReview {
        pack_id,
        reviewer_id: vote.approver.clone(),
        reviewed_at: context.at,
        acknowledged: seen,
        approvals: Vec::new(),
    };
    if let Err(refused) = pack::review(old, &review) {
        faults.extend(refused.refused);
    }
    if faults.is_empty() { Ok(review) } else { Err(Refused { refused: faults }.into()) }
}

/// The reviewer of the agent's decision, under the name that the member has, if the reviewer may
/// do this.
async fn member(
    tenant: &Tenant,
    asked: &PackReviewRequest,
    (class, agent): (ApprovalClass, &str),
    context: &RequestContext,
) -> Result<Member, OperationFailure> {
    let PackReviewRequest { pack_id, reviewer_id, .. } = asked;
    let (members, _) = replay(tenant).await?;
    let allowed = match &context.actor {
        Actor::Agent(name) => Err(Fault::new("role", "actor", expected::a_person(), quoted(name))
            .hint(hint::an_agent_records_what_it_did_people_review_it())),
        // Granting needs the strict comparison: a name that merely looks alike is another person.
        Actor::Person(name) if !is_spelling(name, reviewer_id) => {
            let expected = precondition::who_does_this(quote(name));
            Err(Fault::new("other_reviewer", REVIEWER_PATH, expected, quoted(reviewer_id))
                .hint(hint::each_reviewer_speaks_for_nobody_else()))
        }
        Actor::Person(_) | Actor::System => entitled(&members, asked, class, agent),
    };
    let member =
        permitted(tenant, allowed, AccessAction::Review, pack_id.as_str(), context).await?;
    since_added(tenant, member, context).await?;
    Ok(member.clone())
}

/// Refuses a vote that is dated before its member was added: it cannot have been cast then.
async fn since_added(
    tenant: &Tenant,
    member: &Member,
    context: &RequestContext,
) -> Result<(), OperationFailure> {
    let changes = tenant.select(&MemberRow::query().name(&member.name)).await?;
    let added = changes.iter().rev().find(|found| found.row.change == "added");
    match added.map(|found| found.row.at).filter(|added| *added > context.at) {
        Some(added) => {
            let expected =
                precondition::a_time_not_before_when_was_added(added, quote(&member.name));
            Err(Fault::new("time_order", "at", expected, found::value(context.at)).into())
        }
        None => Ok(()),
    }
}

/// The member who reviews: not the agent, with the role and, to approve, a title that counts.
fn entitled<'m>(
    members: &'m TenantMembers,
    asked: &PackReviewRequest,
    class: ApprovalClass,
    agent: &str,
) -> Result<&'m Member, Fault> {
    let other = |name: &str| pack::independence(name, agent, REVIEWER_PATH).map_or(Ok(()), Err);
    other(&asked.reviewer_id)?;
    let member = access::allow(members, &asked.reviewer_id, AccessAction::Review, REVIEWER_PATH)?;
    // The member's own spelling as well: the request may use one that does not look like the agent.
    other(&member.name)?;
    if asked.action == ReviewAction::Vote(VoteOutcome::Approved) {
        approval::allow(class, &member.name, &member.titles, REVIEWER_PATH)?;
    }
    Ok(member)
}

/// The record of a member's vote.
fn record(
    asked: &PackReviewRequest,
    vote: &ApprovalVote,
    said: Vec<u8>,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let titles = vote.titles.iter().map(|title| title.as_str()).collect::<Vec<_>>().join(", ");
    let row = PackApprovalRow {
        approval_id: format!("rev_{}", hex(&random::<8>()?)),
        pack_id: asked.pack_id.to_string(),
        approver: vote.approver.clone(),
        role: titles,
        outcome: word(&vote.outcome)?,
        reason: asked.reason.clone(),
        at: context.at,
    };
    let fields = vec![bytes(REQUEST_FIELD, said), bytes(VOTE_FIELD, canon::bytes(vote)?)];
    let rows = vec![row.into()];
    Ok(context.draft(RecordKind::PackReviewed, asked.pack_id.as_str(), fields, rows))
}

/// The votes on a pack, up to a record.
async fn votes(
    tenant: &Tenant,
    pack_id: &PackId,
    until: u64,
) -> Result<Vec<ApprovalVote>, OperationFailure> {
    let mut votes = Vec::new();
    for line in tenant.select(&PackApprovalRow::query().pack_id(pack_id.as_str())).await? {
        let stored = tenant.record(line.index).await?;
        // A vote that was erased counts no more.
        if let (true, Some(stored)) = (line.index <= until, stored) {
            votes.extend(vote_of(&stored)?);
        }
    }
    Ok(votes)
}

/// The votes on a version, in order of time.
///
/// # Errors
/// A record of it is damaged.
pub async fn said(
    tenant: &Tenant,
    pack: &PackDraft,
) -> Result<Vec<ApprovalVote>, OperationFailure> {
    votes(tenant, &pack.pack_id, u64::MAX).await
}

/// The record of the decision that a pack is about, if its content was erased.
///
/// # Errors
/// The store cannot be read.
pub async fn erased_decision(
    tenant: &Tenant,
    pack: &PackDraft,
) -> Result<Option<u64>, OperationFailure> {
    let id = pack.decision_id.as_str();
    // An erasure takes the row and leaves the record.
    match tenant.select(&DecisionRow::query().decision_id(id)).await?.is_empty() {
        true => once(tenant, id, RecordKind::DecisionRecorded).await,
        false => Ok(None),
    }
}

/// The approvals that a pack needs: by its class, or by any rule over the recorded decision,
/// whichever is more.
async fn need(tenant: &Tenant, pack: &PackDraft) -> Result<ApprovalQuorum, OperationFailure> {
    let routes = policy::routes(&RoutingContext {
        // The pack has neither of these two. The recorded decision, below, adds what they require.
        action_type: None,
        classes: pack.classes,
        has_evidence: !pack.sources.is_empty(),
        has_pdpl_check: true,
        high_stakes: pack.classes.high_stakes(),
        confidence: pack.confidence,
    });
    let mut required = routes.iter().map(|route| route.approvers).max().unwrap_or(0);
    // Without its decision it is unknown whether more approvers are needed, so nothing is approved.
    if let Some(index) = erased_decision(tenant, pack).await? {
        let found = found::record_erased(index);
        let expected = precondition::the_decision_which_says_whose_approval_it_needs();
        return Err(Fault::new("erased", "decision_id", expected, found).into());
    }
    let id = pack.decision_id.as_str();
    if once(tenant, id, RecordKind::DecisionRecorded).await?.is_some() {
        let assessment = policy::assess(&canon::bytes(&stated(tenant, id).await?)?)?;
        required = required.max(assessment.required_approvers);
    }
    Ok(ApprovalQuorum::of(pack.classes.approval, required))
}

const REVIEWER_PATH: &str = "reviewer_id";
