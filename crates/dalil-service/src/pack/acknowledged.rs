//! The concerns of a pack that an approver acknowledges, each on its own.

use std::collections::{BTreeMap, BTreeSet};

use dalil_evidence::approval::VoteOutcome;
use dalil_evidence::pack::concern::{PackConcern, concerns};
use dalil_evidence::pack::{FlagAcknowledgement, PackDraft, PackFlag, PackFlagState};
use dalil_phrasebook::{expected, found, hint};
use dalil_proof::decode;
use dalil_proof::fault::Fault;
use dalil_proof::id::PackId;
use dalil_proof::json::Json;
use dalil_proof::time::Time;
use dalil_store::Tenant;

use super::review_request::{
    PackReviewRequest, REQUEST_FIELD, ReviewAction, asked, reviews, vote_of,
};
use crate::operation::{OperationFailure, held_bytes};

/// An acknowledgement of one concern or finding, from the record of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedAcknowledgement {
    /// The concern or the finding.
    pub about: FlagAcknowledgement,
    /// Who acknowledged it.
    pub reviewer: String,
    /// When.
    pub at: Time,
}

/// The acknowledgements of a version by those who approved it, in order of time.
///
/// # Errors
/// A record of it is damaged.
pub async fn acknowledged(
    tenant: &Tenant,
    pack_id: &PackId,
) -> Result<Vec<RecordedAcknowledgement>, OperationFailure> {
    let mut all = Vec::new();
    for stored in reviews(tenant, pack_id).await? {
        let Some(request) = held_bytes(&stored, REQUEST_FIELD) else { continue };
        // One that was erased counts no more.
        let Some(vote) = vote_of(&stored)? else { continue };
        if vote.outcome != VoteOutcome::Approved {
            continue;
        }
        let request = decode::value(&Json::parse(request)?, asked)?;
        let (reviewer, at) = (vote.approver, vote.at);
        all.extend(request.acknowledged.into_iter().map(|about| RecordedAcknowledgement {
            about,
            reviewer: reviewer.clone(),
            at,
        }));
    }
    Ok(all)
}

/// The acknowledgements that go to the findings of the version, and a fault for each concern that
/// an approver has not acknowledged.
pub(super) fn split(
    pack: &PackDraft,
    asked: &PackReviewRequest,
) -> (Vec<FlagAcknowledgement>, Vec<Fault>) {
    let mut faults = Vec::new();
    if asked.action != ReviewAction::Vote(VoteOutcome::Approved) {
        return (asked.acknowledged.clone(), faults);
    }
    let is_open = |finding: &&PackFlag| finding.state == PackFlagState::Open;
    let findings = pack.findings.iter().filter(is_open);
    let findings: BTreeSet<_> = findings.map(|one| (one.rule, one.path.as_str())).collect();
    // The first acknowledgement of each concern; a second one is one of nothing.
    let mut seen = BTreeMap::new();
    for (at, one) in asked.acknowledged.iter().enumerate() {
        seen.entry((one.rule.as_str(), one.path.as_str())).or_insert(at);
    }
    let mut taken = BTreeSet::new();
    for one in concerns(pack) {
        let path = one.path();
        let key = (one.rule(), path.as_str());
        // A concern that is a finding as well is acknowledged as that, and sealed with the version.
        if findings.contains(&key) {
            continue;
        }
        match seen.get(&key) {
            Some(at) => _ = taken.insert(*at),
            None => faults.push(unseen(&one)),
        }
    }
    let others = asked.acknowledged.iter().enumerate().filter(|(at, _)| !taken.contains(at));
    (others.map(|(_, one)| one.clone()).collect(), faults)
}

fn unseen(one: &PackConcern) -> Fault {
    let expected = expected::an_acknowledgement_of_at(one.rule(), one.path());
    Fault::new("unacknowledged", "acknowledged", expected, found::none())
        .hint(hint::each_concern_is_acknowledged_on_its_own())
}
