//! The content of a member's review, as a request and as its record.

use dalil_evidence::approval::{self, ApprovalVote, VoteOutcome};
use dalil_evidence::pack::FlagAcknowledgement;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::id::PackId;
use dalil_proof::record::RecordKind;
use dalil_store::Tenant;
use dalil_store::trail::StoredRecord;

use crate::operation::{OperationFailure, held_bytes};

/// A review, as a request.
pub(super) struct PackReviewRequest {
    pub(super) pack_id: PackId,
    pub(super) new_pack_id: Option<PackId>,
    pub(super) reviewer_id: String,
    pub(super) action: ReviewAction,
    pub(super) reason: Option<String>,
    pub(super) acknowledged: Vec<FlagAcknowledgement>,
}

/// The action of a member on a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewAction {
    /// A vote, which is counted.
    Vote(VoteOutcome),
    /// To stand aside, which is no vote.
    Decline,
}

impl ReviewAction {
    /// Every action with the word it is written as, from the mildest.
    pub const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("approved", Self::Vote(VoteOutcome::Approved)),
        ("declined", Self::Decline),
        ("escalated", Self::Vote(VoteOutcome::Escalated)),
        ("rejected", Self::Vote(VoteOutcome::Rejected)),
    ];
}

/// Reads a request.
pub(super) fn asked(reader: JsonReader<'_, '_>) -> Option<PackReviewRequest> {
    let id = |id: JsonReader<'_, '_>| id.parsed("id", PackId::EXPECTED);
    let approve = ReviewAction::Vote(VoteOutcome::Approved);
    let mut fields = reader.object()?;
    let pack_id = fields.required("pack_id", id);
    let reviewer_id = fields.required("reviewer_id", decode::label);
    let action = fields.or("outcome", approve, |word| word.choice(ReviewAction::WIRE_NAMES));
    let reason = fields.optional("reason", approval::reason);
    let acknowledged = fields.or("acknowledged", Vec::new(), |list| list.list(acknowledgement));
    let new_pack_id = fields.optional("new_pack_id", id);
    fields.done()?;
    Some(PackReviewRequest {
        pack_id: pack_id?,
        new_pack_id: new_pack_id?,
        reviewer_id: reviewer_id?,
        action: action?,
        reason: reason?,
        acknowledged: acknowledged?,
    })
}

fn acknowledgement(reader: JsonReader<'_, '_>) -> Option<FlagAcknowledgement> {
    let mut fields = reader.object()?;
    let rule = fields.required("rule", decode::filled);
    let path = fields.required("path", decode::filled);
    fields.done()?;
    Some(FlagAcknowledgement { rule: rule?, path: path? })
}

/// The records of the reviews of a version, in order.
pub(super) async fn reviews(
    tenant: &Tenant,
    pack_id: &PackId,
) -> Result<Vec<StoredRecord>, OperationFailure> {
    Ok(tenant.history_of_kind(pack_id.as_str(), RecordKind::PackReviewed).await?)
}

/// The vote of a record, if it has one that was not erased.
pub(super) fn vote_of(stored: &StoredRecord) -> Result<Option<ApprovalVote>, OperationFailure> {
    Ok(held_bytes(stored, VOTE_FIELD).map(ApprovalVote::parse).transpose()?)
}

/// The field of a `pack.reviewed` record that has the request.
pub(super) const REQUEST_FIELD: &str = "review";
/// The field of a `pack.reviewed` record that has the vote, beside the request.
pub(super) const VOTE_FIELD: &str = "vote";
