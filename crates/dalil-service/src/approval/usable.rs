//! Which approvals count at this moment, and that they are used.

use dalil_evidence::access::{Member, TenantMembers};
use dalil_evidence::approval::{self, ApprovalProgress, ApprovalState, ApprovalVote, VoteOutcome};
use dalil_evidence::name::is_confusable_with;
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::fault::Fault;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::catalog::MatterRow;
use dalil_store::{IdempotencyKey, NewRecord, Tenant};

use super::action::{ApprovableAction, ApprovalRequirement};
use super::matter::{CHANGE_GIVEN, CHANGE_USED, ObjectMatters, has_ended, is, name};
use crate::apikey;
use crate::member::{permitted_under_key, replay};
use crate::operation::{OperationFailure, RequestContext, bytes};

/// An approval that counts.
pub(crate) struct UsableApproval {
    pub(super) approval_id: String,
    /// The vote, with the titles that the approver has now.
    pub(crate) vote: ApprovalVote,
    pub(super) expires_at: Time,
}

/// The approvals that something is done on, no more of them than it needs.
///
/// # Errors
/// The actor may not do it, or too few approvals; both are recorded.
pub(crate) async fn found(
    tenant: &Tenant,
    matter: &ApprovableAction,
    terms: &ApprovalRequirement,
    (context, key): (&RequestContext, Option<&IdempotencyKey>),
) -> Result<Vec<UsableApproval>, OperationFailure> {
    let (members, _) = replay(tenant).await?;
    let known =
        ObjectMatters::of(tenant, &terms.subject, (matter.digest()?, &matter.bytes()?)).await?;
    // Approvals are judged by the members and keys as they are now, not as they were when given.
    let mut all =
        usable(tenant, (&members, terms), &known, Some(&context.actor), context.at).await?;
    let allowed = terms.may_do(&members, &context.actor).and_then(|()| {
        let standing = standing(terms, &all);
        if standing.state == ApprovalState::Approved {
            Ok(())
        } else {
            Err(too_few(terms, &standing))
        }
    });
    let about = (terms.role, terms.subject.as_str());
    permitted_under_key(tenant, allowed, about, (context, key)).await?;
    // Approvals that are not needed stay usable. Each is tried without, the oldest first.
    let mut n = 0;
    while n < all.len() {
        let one = all.remove(n);
        if standing(terms, &all).state != ApprovalState::Approved {
            all.insert(n, one);
            n += 1;
        }
    }
    Ok(all)
}

/// The approvals of a matter that count now, for the person who does it.
pub(super) async fn usable(
    tenant: &Tenant,
    (members, terms): (&TenantMembers, &ApprovalRequirement),
    known: &ObjectMatters,
    doer: Option<&Actor>,
    now: Time,
) -> Result<Vec<UsableApproval>, OperationFailure> {
    let mut all = Vec::new();
    for line in known.same().filter(|line| is(line, CHANGE_GIVEN)) {
        let MatterRow { approval_id, who: approver, credential, expires_at, at, .. } = &line.row;
        // The person who does it does not count, nor the one who asked for it: two people are
        // needed.
        let own = doer.is_some_and(|doer| is_confusable_with(name(doer), approver));
        if own
            || known.asked_by(approver, now).is_some()
            || has_ended(line, now)
            || known.use_of(line).is_some()
        {
            continue;
        }
        let Ok(Member { name: approver, titles, .. }) = terms.may_approve(members, approver) else {
            continue;
        };
        // One without an end has ended, above.
        let Some(expires_at) = *expires_at else { continue };
        // A stolen key may have given it.
        if is_revoked(tenant, credential.as_deref()).await? {
            continue;
        }
        let (approver, titles, at) = (approver.clone(), titles.clone(), *at);
        all.push(UsableApproval {
            approval_id: approval_id.clone(),
            vote: ApprovalVote {
                approver,
                outcome: VoteOutcome::Approved,
                titles,
                at,
                reason: None,
            },
            expires_at,
        });
    }
    Ok(all)
}

/// The progress of an approval.
pub(super) fn standing(terms: &ApprovalRequirement, all: &[UsableApproval]) -> ApprovalProgress {
    let votes: Vec<ApprovalVote> = all.iter().map(|one| one.vote.clone()).collect();
    let mut standing = approval::standing(terms.need, &votes);
    if terms.role == dalil_evidence::access::AccessAction::Administer {
        standing.missing.fill(terms.wanted());
    }
    standing
}

/// Whether an approval was given with a key that was revoked.
async fn is_revoked(tenant: &Tenant, credential: Option<&str>) -> Result<bool, OperationFailure> {
    match credential.and_then(|credential| credential.strip_prefix("apikey:")) {
        // A key that cannot be found counts as revoked: a damaged catalog approves nothing.
        Some(id) => Ok(apikey::find(tenant, id).await?.is_none_or(|key| key.revoked_at.is_some())),
        None => Ok(false),
    }
}

fn too_few(terms: &ApprovalRequirement, standing: &ApprovalProgress) -> Fault {
    let (needed, found) = (standing.need.approvers, standing.approved_by.len());
    let expected = if needed == 1 {
        precondition::one_approval_of_exactly_this(needed, terms.wanted())
    } else {
        precondition::approvals_of_exactly_this(needed, terms.wanted())
    };
    let missing = standing.missing_people();
    let found = if found == 1 {
        found::one_that_counts(found, missing)
    } else {
        found::several_that_count(found, missing)
    };
    Fault::new("approvals", "approvals", expected, found).hint(hint::how_to_approve())
}

/// The record that approvals were used; `None` where none are needed, as for the holder of the
/// store.
pub(crate) fn used(
    matter: &ApprovableAction,
    terms: &ApprovalRequirement,
    all: &[UsableApproval],
    context: &RequestContext,
) -> Result<Option<NewRecord>, OperationFailure> {
    if all.is_empty() {
        return Ok(None);
    }
    let digest = matter.digest()?;
    let line = |one: &UsableApproval| {
        let row = MatterRow {
            approval_id: one.approval_id.clone(),
            change: CHANGE_USED.to_owned(),
            matter: digest.clone(),
            action: matter.action().to_owned(),
            object: terms.subject.clone(),
            said: None,
            who: name(&context.actor).to_owned(),
            titles: None,
            credential: None,
            expires_at: None,
            at: context.at,
        };
        row.into()
    };
    let ids: Vec<&str> = all.iter().map(|one| one.approval_id.as_str()).collect();
    let fields = vec![bytes("approvals", canon::bytes(&ids)?)];
    let rows = all.iter().map(line).collect();
    Ok(Some(context.draft(RecordKind::ApprovalUsed, &terms.subject, fields, rows)))
}
