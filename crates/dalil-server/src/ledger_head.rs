//! The part of a ledger that lists show: its claims without their texts. It is cached, so that a
//! list of answers reads each ledger once and not on every request.

use std::sync::Arc;

use dalil_evidence::ledger::review::{AnswerReadiness, ClaimGround, ClaimReview, ClaimStandings};
use dalil_evidence::ledger::verdict::Verdict;
use dalil_evidence::ledger::{ClaimFinding, Ledger};
use dalil_proof::digest::Digest;
use dalil_service::session;
use dalil_store::Tenant;

use crate::problem::ApiProblem;

/// The claims of a ledger, as far as a list shows them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LedgerHead {
    ledger: Digest,
    id: String,
    pub(crate) claims: Vec<ClaimHead>,
}

/// A claim without its words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ClaimHead {
    claim_id: String,
    ground: ClaimGround,
    pub(crate) colour: ClaimColour,
}

/// The colour of a claim: that of its verdict, unless its sources disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimColour {
    Conflict,
    Verdict(Verdict),
}

impl ClaimColour {
    pub(crate) fn of(finding: &ClaimFinding) -> Self {
        if finding.is_conflict() { Self::Conflict } else { Self::Verdict(finding.verdict) }
    }
}

impl LedgerHead {
    /// The head of the newest ledger of a session, if it was checked; from the cache while it is
    /// current.
    pub(crate) async fn read(
        tenant: &Tenant,
        session_id: &str,
        known: Option<Arc<Self>>,
    ) -> Result<Option<Arc<Self>>, ApiProblem> {
        let Some(ledger) = session::newest_digest(tenant, session_id).await? else {
            return Ok(None);
        };
        // A write to the table may have been about another session. Then the lake is not read again.
        if let Some(known) = known.filter(|known| known.ledger == ledger) {
            return Ok(Some(known));
        }
        let content = tenant.lake()?.get(&ledger).await?;
        Ok(Some(Arc::new(Self::of(ledger, &Ledger::parse(&content)?))))
    }

    fn of(digest: Digest, ledger: &Ledger) -> Self {
        let claim = |finding: &ClaimFinding| ClaimHead {
            claim_id: finding.claim_id.clone(),
            ground: ClaimGround::of(finding),
            colour: ClaimColour::of(finding),
        };
        let claims = ledger.content.entries.iter().map(|entry| claim(&entry.finding));
        Self { ledger: digest, id: ledger.id.to_string(), claims: claims.collect() }
    }

    /// The readiness of the answer after reviews, in order of time.
    pub(crate) fn readiness(&self, reviews: &[ClaimReview]) -> AnswerReadiness {
        let standings = ClaimStandings::new(reviews, &self.id);
        let need = |claim: &ClaimHead| standings.of(&claim.claim_id).need_on(claim.ground);
        AnswerReadiness::of_needs(self.claims.iter().map(need))
    }

    /// How many bytes it takes, in about.
    pub(crate) fn bytes(head: &Arc<Self>) -> usize {
        let claims = head.claims.iter().map(|one| size_of::<ClaimHead>() + one.claim_id.len());
        size_of::<Self>() + head.id.len() + claims.sum::<usize>()
    }
}
