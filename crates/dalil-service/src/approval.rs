//! Approvals: one-time permissions by members, each with their own credential.
//!
//! ```text
//! approval.asked ─▶ approval.given, one for each approver ─▶ export.made, approval.used
//! ```
//!
//! An approval is bound to one [`ApprovableAction`], ends after 48 hours, and is used once:
//! the record of the action and the record of the use are one entry, which is
//! rejected when another use was recorded in between.

use dalil_evidence::access::{self, TenantMembers};
use dalil_evidence::approval::{ApprovalVote, VoteOutcome};
use dalil_evidence::name::is_confusable_with;
use dalil_evidence::pack::MAX_REVIEW_HOURS;
use dalil_phrasebook::{expected, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::digest::hex;
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::catalog::MatterRow;
use dalil_store::{Error, EvidenceRow, IndexedRow, Tenant};

use crate::member::{permitted_under_key, replay};
use crate::operation::{
    OperationFailure, RequestContext, answered, append_if_unchanged, bytes, one,
    retry_on_conflict_of_kinds,
};
use crate::pack::random;
pub use action::{ApprovableAction, ApprovableExport, ApprovalRequest, asked};
pub(super) use action::{ApprovalRequirement, resolve};
pub use list::{
    ApprovalLifecycle, ApprovalRequestSummary, ApprovalSummary, ApproverSummary, about, approvals,
    requests,
};
use matter::{CHANGE_ASKED, CHANGE_GIVEN, ObjectMatters, has_ended, is, name};
pub(super) use usable::{found, used};

mod action;
mod list;
mod matter;
#[cfg(test)]
mod tests;
mod usable;

/// On whose word something is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalBasis {
    /// That of the members of these names, as the holder of the store states.
    Named(Vec<String>),
    /// On what members gave for exactly this, each with their own credential.
    Given,
}

impl ApprovalBasis {
    /// On the word of one member.
    pub fn by(name: &str) -> Self {
        Self::Named(vec![name.to_owned()])
    }

    /// The names that were stated.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Named(names) => names,
            Self::Given => &[],
        }
    }
}

/// Asks for approval. A second request while the first is open returns the first.
///
/// # Errors
/// An object that does not exist; a person who may not do it even with approval.
pub async fn ask(
    tenant: &Tenant,
    asked: &ApprovalRequest,
    context: &RequestContext,
) -> Result<ApprovalRequestSummary, OperationFailure> {
    // Once, outside the loop: the action has the digest of its object, so a change meanwhile
    // makes it another action, which this record cannot approve.
    let (matter, terms) = resolve(tenant, asked).await?;
    let said = matter.bytes()?;
    let key = context.idempotency_key_of_actor("approval ask", &said)?;
    let index = retry_on_conflict_of_kinds(tenant, APPROVAL_CONFLICT_KINDS, async |snapshot| {
        // Inside the loop: a conflict may be the first attempt of this very request.
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return Ok(one(acks)?.index);
        }
        let (members, _) = replay(tenant).await?;
        let allowed = terms.may_do(&members, &context.actor);
        let about = (terms.role, terms.subject.as_str());
        permitted_under_key(tenant, allowed, about, (context, key.as_ref())).await?;
        let known = ObjectMatters::of(tenant, &terms.subject, (matter.digest()?, &said)).await?;
        let own = name(&context.actor);
        let open = known.same().rfind(|line| {
            is(line, CHANGE_ASKED) && line.row.who == own && !has_ended(line, context.at)
        });
        // A request whose approvals were used is done; asking again is a new one.
        if let Some(open) = open.filter(|open| known.used_since(open).is_none()) {
            return Ok(open.index);
        }
        let line = (format!("ask_{}", hex(&random::<8>()?)), CHANGE_ASKED, None, None);
        let rows = vec![stated(&matter, &terms, line, context)?];
        let fields = vec![bytes(MATTER_FIELD, said.clone())];
        let draft = context.draft(RecordKind::ApprovalAsked, &terms.subject, fields, rows);
        Ok(one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)?.index)
    });
    let index = index.await?;
    list::request_at(tenant, index, context.at).await
}

/// Approves an action, as the member of the caller's credential.
///
/// # Errors
/// An action that does not exist, or has changed since the request; a caller who is no member,
/// or without the role or the title; the agent; the requester; a second approval.
pub async fn give(
    tenant: &Tenant,
    asked: &ApprovalRequest,
    credential: &str,
    context: &RequestContext,
) -> Result<ApprovalSummary, OperationFailure> {
    let (matter, terms) = resolve(tenant, asked).await?;
    let said = matter.bytes()?;
    let key = context.idempotency_key_of_actor("approval give", &said)?;
    let index = retry_on_conflict_of_kinds(tenant, APPROVAL_CONFLICT_KINDS, async |snapshot| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return Ok(one(acks)?.index);
        }
        let (members, _) = replay(tenant).await?;
        let known = ObjectMatters::of(tenant, &terms.subject, (matter.digest()?, &said)).await?;
        let allowed = vote(&members, &terms, &known, context);
        let about = (terms.role, terms.subject.as_str());
        let vote = permitted_under_key(tenant, allowed, about, (context, key.as_ref())).await?;
        let id = format!("apr_{}", hex(&random::<8>()?));
        let titles = vote.titles.iter().map(|title| title.as_str()).collect::<Vec<_>>();
        let line = (id, CHANGE_GIVEN, Some(titles.join(", ")), Some(credential));
        let rows = vec![stated(&matter, &terms, line, context)?];
        let fields = vec![bytes(MATTER_FIELD, said.clone()), bytes("vote", canon::bytes(&vote)?)];
        let draft = context.draft(RecordKind::ApprovalGiven, &terms.subject, fields, rows);
        Ok(one(append_if_unchanged(tenant, vec![draft], key.clone(), snapshot).await?)?.index)
    });
    let index = index.await?;
    list::approval_at(tenant, index, context.at).await
}

/// Why the caller may not approve an action, if they may not. Nothing is recorded: it is no
/// attempt.
///
/// # Errors
/// An action that does not exist, or has changed since the request.
pub async fn obstacle(
    tenant: &Tenant,
    asked: &ApprovalRequest,
    context: &RequestContext,
) -> Result<Option<Fault>, OperationFailure> {
    let (matter, terms) = resolve(tenant, asked).await?;
    let (members, _) = replay(tenant).await?;
    let said = matter.bytes()?;
    let known = ObjectMatters::of(tenant, &terms.subject, (matter.digest()?, &said)).await?;
    Ok(vote(&members, &terms, &known, context).err())
}

/// The record of an approval, if the approver may give it.
fn vote(
    members: &TenantMembers,
    terms: &ApprovalRequirement,
    known: &ObjectMatters,
    context: &RequestContext,
) -> Result<ApprovalVote, Fault> {
    // An agent must not approve, whatever role a person of its name has.
    let Actor::Person(person) = &context.actor else {
        let found = quoted(name(&context.actor));
        return Err(
            Fault::new("role", "actor", expected::a_person(), found).hint(hint::people_approve())
        );
    };
    let member = terms.may_approve(members, person)?;
    if let Some(index) = known.asked_by(person, context.at) {
        let expected = precondition::somebody_else_than_who_asked_for_it();
        let found = found::person_in_record(quote(person), index);
        return Err(Fault::new("self_approval", "actor", expected, found));
    }
    // Confusable, not equal: another spelling of one's own name is no second person.
    let mine = |line: &&IndexedRow<MatterRow>| is_confusable_with(&line.row.who, person);
    let given =
        |line: &&IndexedRow<MatterRow>| is(line, CHANGE_GIVEN) && known.use_of(line).is_none();
    let again = known.same().filter(mine).filter(given).find(|line| !has_ended(line, context.at));
    if let Some(line) = again {
        let expected = precondition::another_approver_each_counts_once();
        let found = found::person_who_approved_in_record(quote(person), line.index);
        return Err(Fault::new("same_approver", "actor", expected, found));
    }
    let (approver, titles) = (member.name.clone(), member.titles.clone());
    let (outcome, at) = (VoteOutcome::Approved, context.at);
    Ok(ApprovalVote { approver, outcome, titles, at, reason: None })
}

/// The row of something that was asked for or given.
fn stated(
    matter: &ApprovableAction,
    terms: &ApprovalRequirement,
    (id, change, titles, credential): (String, &str, Option<String>, Option<&str>),
    context: &RequestContext,
) -> Result<EvidenceRow, OperationFailure> {
    let row = MatterRow {
        approval_id: id,
        change: change.to_owned(),
        matter: matter.digest()?,
        action: matter.action().to_owned(),
        object: terms.subject.clone(),
        said: Some(String::from_utf8_lossy(&matter.bytes()?).into_owned()),
        who: name(&context.actor).to_owned(),
        titles,
        credential: credential.map(str::to_owned),
        expires_at: Some(ends(context.at)?),
        at: context.at,
    };
    Ok(row.into())
}

/// When something ends that was asked for or given at a time.
fn ends(at: Time) -> Result<Time, OperationFailure> {
    let end = at.millis().saturating_add(MAX_REVIEW_HOURS * 60 * 60 * 1000);
    let damaged = || Error::damaged("date an approval", "the clock").saw("a time", at);
    Time::from_millis(end).ok_or_else(|| damaged().into())
}

impl ApprovalRequirement {
    /// Refuses a caller who may not do it, even with the approval of others.
    pub(super) fn may_do(&self, members: &TenantMembers, actor: &Actor) -> Result<(), Fault> {
        match actor {
            // No credential of the server acts as the system: only the holder of the store does.
            Actor::System => Ok(()),
            Actor::Agent(name) => {
                Err(Fault::new("role", "actor", expected::a_person(), quoted(name))
                    .hint(hint::an_agent_records_what_it_did_people_let_it_leave()))
            }
            Actor::Person(name)
                if self.agent.as_ref().is_some_and(|own| is_confusable_with(own, name)) =>
            {
                let expected = precondition::somebody_who_is_not_the_agent();
                Err(Fault::new("role", "actor", expected, quoted(name))
                    .hint(hint::somebody_else_must_let_out_what_the_agent_decided()))
            }
            Actor::Person(name) => access::allow(members, name, self.doer, "actor").map(|_| ()),
        }
    }
}

/// The field with the approved action.
const MATTER_FIELD: &str = "matter";
/// The kinds of records that could change whether something is approved.
pub(super) const APPROVAL_CONFLICT_KINDS: &[RecordKind] = &[
    RecordKind::ApikeyRevoked,
    RecordKind::ApprovalAsked,
    RecordKind::ApprovalGiven,
    RecordKind::ApprovalUsed,
    RecordKind::MemberAdded,
    RecordKind::MemberRemoved,
    RecordKind::PayloadErased,
];
