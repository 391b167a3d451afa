//! Reviews of claims in a session's newest ledger.

use dalil_evidence::ledger::Ledger;
use dalil_evidence::ledger::review::{
    AnswerReadiness, ClaimReview, ClaimReviewOrder, ClaimStandings,
};
use dalil_evidence::name::is_spelling;
use dalil_phrasebook::{Phrase, precondition};
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use dalil_store::Tenant;
use serde::Serialize;

use crate::ledger_remark::{self, LedgerRemark};
use crate::operation::{OperationFailure, RecordAck, RequestContext};
use crate::session;

#[cfg(test)]
mod tests;

/// A review that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedClaimReview {
    /// The review.
    pub review: ClaimReview,
    /// Its record.
    #[serde(flatten)]
    pub ack: RecordAck,
}

/// The reviews of a session's claims, and the state of its answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimReviewList {
    /// The state of the answer; absent before it was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readiness: Option<AnswerReadiness>,
    /// The reviews, in order of time, of every ledger of the session.
    pub reviews: Vec<ClaimReview>,
}

/// Records a review of a claim: `{"ledger_id","claim_id","action","assigned_to"?,
/// "reason"?}`.
///
/// # Errors
/// Every fault in the request; an agent; a person without the role; a ledger that is not the newest
/// one of the session, or a claim that it does not have; an assignee who may not review.
pub async fn record(
    tenant: &Tenant,
    session_id: &str,
    request: &[u8],
    context: &RequestContext,
) -> Result<RecordedClaimReview, OperationFailure> {
    let (review, ack) = ledger_remark::record(tenant, session_id, request, context).await?;
    Ok(RecordedClaimReview { review, ack })
}

impl LedgerRemark for ClaimReview {
    type Order = ClaimReviewOrder;

    const KIND: RecordKind = RecordKind::ClaimReviewed;
    const VERB: &'static str = "claim review";
    const FIELD: &'static str = "review";
    const ASKED_PATH: &'static str = "assigned_to";

    fn order(request: &[u8]) -> Result<ClaimReviewOrder, Refused> {
        ClaimReviewOrder::parse(request)
    }

    fn ledger_id(order: &ClaimReviewOrder) -> &str {
        &order.ledger_id
    }

    fn check(ledger: &Ledger, order: &ClaimReviewOrder) -> Result<(), Fault> {
        if ledger.content.entries.iter().any(|one| one.finding.claim_id == order.claim_id) {
            return Ok(());
        }
        let expected = precondition::a_claim_of_the_newest_ledger();
        Err(Fault::new("not_found", "claim_id", expected, quoted(&order.claim_id)))
    }

    fn asked_by_order(order: &ClaimReviewOrder) -> Option<&str> {
        order.assigned_to.as_deref()
    }

    fn made(order: ClaimReviewOrder, reviewer: String, at: Time) -> Self {
        let ClaimReviewOrder { ledger_id, claim_id, action, assigned_to, reason } = order;
        Self { ledger_id, claim_id, action, reviewer, at, assigned_to, reason }
    }

    fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        Self::parse(bytes)
    }

    fn asked(&self) -> Option<&str> {
        self.assigned_to.as_deref()
    }

    fn at(&self) -> Time {
        self.at
    }

    fn not_erased() -> Phrase {
        precondition::a_review_that_was_not_erased()
    }
}

/// The reviews of a session's claims, and the state of its answer now.
///
/// # Errors
/// There is no such session, or a record of it is damaged.
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

/// The reviews of a session's claims, in order of time.
///
/// # Errors
/// A record of it is damaged.
pub async fn said(tenant: &Tenant, session_id: &str) -> Result<Vec<ClaimReview>, OperationFailure> {
    ledger_remark::said(tenant, session_id).await
}

/// A claim that is assigned to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimAssignment {
    /// The session.
    pub session_id: String,
    /// The claim.
    pub claim_text: String,
    /// Who asked, and when.
    pub review: ClaimReview,
}

/// The claims that are assigned to a person and undecided since, the newest
/// assignment first. Only assignments among the newest reviews are found.
///
/// # Errors
/// The store cannot be read, or a record is damaged.
pub async fn assigned_to(
    tenant: &Tenant,
    name: &str,
) -> Result<Vec<ClaimAssignment>, OperationFailure> {
    let sessions = ledger_remark::sessions_asking::<ClaimReview>(tenant, name).await?;
    let mut claims = Vec::new();
    for session_id in sessions {
        let reviews = said(tenant, &session_id).await?;
        let ledger = match session::closed(tenant, &session_id).await {
            Ok((_, ledger, _)) => ledger,
            // Erased since: there is nothing left to look at.
            Err(OperationFailure::Refused(_)) => continue,
            Err(failure) => return Err(failure),
        };
        let standings = ClaimStandings::new(&reviews, &ledger.id.to_string());
        for entry in &ledger.content.entries {
            let finding = &entry.finding;
            let Some(review) = standings.of(&finding.claim_id).assigned else { continue };
            if review.assigned_to.as_deref().is_some_and(|own| is_spelling(own, name)) {
                let (claim_text, review) = (finding.claim_text.clone(), review.clone());
                claims.push(ClaimAssignment { session_id: session_id.clone(), claim_text, review });
            }
        }
    }
    claims.sort_by_key(|one| std::cmp::Reverse(one.review.at));
    Ok(claims)
}
