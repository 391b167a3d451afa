//! Reviews of claims: what people say about the claims of a session's newest ledger.

use dalil_evidence::access::{self, AccessAction, TenantMembers};
use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::review::{
    AnswerReadiness, ClaimReview, ClaimReviewOrder, ClaimStanding,
};
use dalil_evidence::name::is_spelling;
use dalil_phrasebook::{expected, hint, precondition};
use dalil_proof::canon;
use dalil_proof::fault::{Fault, quoted};
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::record::{Actor, RecordKind};
use dalil_store::Tenant;
use serde::Serialize;

use crate::member::{MEMBER_CONFLICT_KINDS, permitted_under_key, replay};
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, held_bytes,
    none, one, retry_on_conflict_of_subject,
};
use crate::session;

#[cfg(test)]
mod tests;

/// A review that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedClaimReview {
    /// What was said.
    pub review: ClaimReview,
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// What people said about the claims of a session, and how its answer stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimReviewList {
    /// How the answer stands; nothing before it was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readiness: Option<AnswerReadiness>,
    /// What was said, in order of time, about every ledger of the session.
    pub reviews: Vec<ClaimReview>,
}

/// Records what somebody says about a claim: `{"ledger_id","claim_id","action","assigned_to"?,
/// "reason"?}`.
///
/// # Errors
/// Every fault in the request; an agent; a person without the role; a ledger that is not the newest
/// one of the session, or a claim that it does not have; somebody assigned who may not review.
pub async fn record(
    tenant: &Tenant,
    session_id: &str,
    request: &[u8],
    deed: &RequestContext,
) -> Result<RecordedClaimReview, OperationFailure> {
    let order = ClaimReviewOrder::parse(request)?;
    let named = [session_id.as_bytes(), b"\n", request].concat();
    let key = deed.idempotency_key_of_actor("claim review", &named)?;
    let ack = retry_on_conflict_of_subject(tenant, session_id, async |look| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        let (members, _) = replay(tenant).await?;
        let allowed = reviewer(&members, &deed.actor);
        let about = (AccessAction::Review, session_id);
        let reviewer = permitted_under_key(tenant, allowed, about, (deed, key.as_ref())).await?;
        may_be_asked(&members, order.assigned_to.as_deref(), "assigned_to")?;
        claimed(&session::closed(tenant, session_id).await?.1, &order)?;
        // Words that answer others are not before them, even by a clock that is behind.
        let said_last = said(tenant, session_id).await?.iter().map(|one| one.at).max();
        let deed = deed.not_before(said_last.unwrap_or(deed.at));
        let ClaimReviewOrder { ledger_id, claim_id, action, assigned_to, reason } = order.clone();
        let at = deed.at;
        let review = ClaimReview { ledger_id, claim_id, action, reviewer, at, assigned_to, reason };
        let fields = vec![bytes(REVIEW_FIELD, canon::bytes(&review)?)];
        let draft = deed.draft(RecordKind::ClaimReviewed, session_id, fields, Vec::new());
        let look = look.and_kinds(MEMBER_CONFLICT_KINDS);
        one(append_if_unchanged(tenant, vec![draft], key.clone(), look).await?)
    })
    .await?;
    // From the record, so that a retry gives what was said first.
    let stored = tenant.record(ack.index).await?;
    let field = stored.as_ref().and_then(|stored| held_bytes(stored, REVIEW_FIELD));
    let erased = || {
        let index = ack.index.to_string();
        none(precondition::a_review_that_was_not_erased(), "index", &index)
    };
    Ok(RecordedClaimReview { review: ClaimReview::parse(field.ok_or_else(erased)?)?, ack })
}

/// What was said about the claims of a session, and how its answer stands now.
///
/// # Errors
/// There is no such session, or a record of it is not what it was.
pub async fn list(tenant: &Tenant, session_id: &str) -> Result<ClaimReviewList, OperationFailure> {
    let reviews = said(tenant, session_id).await?;
    let readiness = match session::newest(tenant, session_id).await? {
        Some(_) => {
            let (_, ledger, _) = session::closed(tenant, session_id).await?;
            Some(AnswerReadiness::of(&ledger.content, &ledger.id.to_string(), &reviews))
        }
        None => {
            session::show(tenant, session_id).await?;
            None
        }
    };
    Ok(ClaimReviewList { readiness, reviews })
}

/// What was said about the claims of a session, in order of time.
///
/// # Errors
/// A record of it is not what it was.
pub async fn said(tenant: &Tenant, session_id: &str) -> Result<Vec<ClaimReview>, OperationFailure> {
    let mut reviews = Vec::new();
    for stored in tenant.history(session_id).await? {
        // What was erased counts no more.
        if stored.record.envelope().kind == RecordKind::ClaimReviewed
            && let Some(field) = held_bytes(&stored, REVIEW_FIELD)
        {
            reviews.push(ClaimReview::parse(field)?);
        }
    }
    Ok(reviews)
}

/// A claim that somebody is asked to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimAssignment {
    /// The session.
    pub session_id: String,
    /// The claim.
    pub claim_text: String,
    /// Who asked, and when.
    pub review: ClaimReview,
}

/// The claims that somebody is asked to look at and that nobody has decided since, the newest
/// assignment first. Assignments among the newest reviews of claims are found.
///
/// # Errors
/// The store cannot be read, or a record is not what it was.
pub async fn assigned_to(
    tenant: &Tenant,
    name: &str,
) -> Result<Vec<ClaimAssignment>, OperationFailure> {
    let newest = (MAX_LOOKED_AT, true);
    let indices =
        tenant.indices_of_kinds(&[RecordKind::ClaimReviewed], MAX_INTEGER, newest).await?;
    let mut sessions: Vec<String> = Vec::new();
    for index in indices {
        let stored = tenant.record(index).await?;
        let field = stored.as_ref().and_then(|stored| {
            Some((stored.record.envelope().subject.clone(), held_bytes(stored, REVIEW_FIELD)?))
        });
        let Some((session, field)) = field else { continue };
        let review = ClaimReview::parse(field)?;
        let is_own = review.assigned_to.as_deref().is_some_and(|own| is_spelling(own, name));
        if is_own && !sessions.contains(&session) {
            sessions.push(session);
        }
    }
    let mut claims = Vec::new();
    for session_id in sessions {
        let reviews = said(tenant, &session_id).await?;
        let ledger = match session::closed(tenant, &session_id).await {
            Ok((_, ledger, _)) => ledger,
            // Erased since: there is nothing left to look at.
            Err(OperationFailure::Refused(_)) => continue,
            Err(failure) => return Err(failure),
        };
        let id = ledger.id.to_string();
        for entry in &ledger.content.entries {
            let finding = &entry.finding;
            let standing = ClaimStanding::of(&reviews, &id, &finding.claim_id);
            let Some(review) = standing.assigned else { continue };
            if review.assigned_to.as_deref().is_some_and(|own| is_spelling(own, name)) {
                let (claim_text, review) = (finding.claim_text.clone(), review.clone());
                claims.push(ClaimAssignment { session_id: session_id.clone(), claim_text, review });
            }
        }
    }
    claims.sort_by_key(|one| std::cmp::Reverse(one.review.at));
    Ok(claims)
}

/// The name of somebody who may review.
pub(crate) fn reviewer(members: &TenantMembers, actor: &Actor) -> Result<String, Fault> {
    match actor {
        // No credential of the server stands for the system: this is whoever holds the store.
        Actor::System => Ok("system".to_owned()),
        Actor::Agent(name) => {
            let fault = Fault::new("role", "actor", expected::a_person(), quoted(name));
            Err(fault.hint(hint::an_agent_records_what_it_did_people_review_it()))
        }
        // Until somebody administers, the scopes of a key are all that was said.
        Actor::Person(name) if !members.has_admin() => Ok(name.clone()),
        Actor::Person(name) => {
            access::allow(members, name, AccessAction::Review, "actor").map(|own| own.name.clone())
        }
    }
}

/// Refuses to ask somebody who could not reply.
pub(crate) fn may_be_asked(
    members: &TenantMembers,
    name: Option<&str>,
    path: &str,
) -> Result<(), Fault> {
    match name {
        Some(name) if members.has_admin() => {
            access::allow(members, name, AccessAction::Review, path).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// Refuses words about another ledger than the newest, which the person has not seen.
fn claimed(ledger: &Ledger, order: &ClaimReviewOrder) -> Result<(), Fault> {
    let newest = ledger.id.to_string();
    if order.ledger_id != newest {
        let expected = precondition::the_newest_ledger_of_the_session(quoted(&newest));
        let fault = Fault::new("superseded", "ledger_id", expected, quoted(&order.ledger_id));
        return Err(fault.hint(hint::look_at_the_newest_ledger()));
    }
    let is_there = ledger.content.entries.iter().any(|one| one.finding.claim_id == order.claim_id);
    if is_there {
        return Ok(());
    }
    let expected = precondition::a_claim_of_the_newest_ledger();
    Err(Fault::new("not_found", "claim_id", expected, quoted(&order.claim_id)))
}

/// The name of what these records commit to.
const REVIEW_FIELD: &str = "review";
/// How many reviews of claims are looked at for assignments: those of some weeks in a busy house.
pub(crate) const MAX_LOOKED_AT: u32 = 200;
