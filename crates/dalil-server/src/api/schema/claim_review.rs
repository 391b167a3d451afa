//! Reviews of claims.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, TimeText};

/// A person's action on a claim.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ClaimReviewAction)]
pub(crate) enum ClaimReviewActionName {
    /// The verdict is right.
    Agreed,
    /// The verdict is wrong.
    Disagreed,
    /// Settles the claim: it may be relied on as the reason says.
    Resolved,
    /// A comment without a decision.
    Commented,
    /// Another person is asked to look.
    Assigned,
}

/// A review of a claim.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ClaimReviewOrder)]
pub(crate) struct ClaimReviewOrderBody {
    /// The newest ledger of the session.
    #[schema(min_length = 1, max_length = 200)]
    ledger_id: String,
    /// A claim of it.
    #[schema(min_length = 1, max_length = 200)]
    claim_id: String,
    /// The action.
    action: ClaimReviewActionName,
    /// The person asked to look; for `assigned` only.
    #[schema(min_length = 1, max_length = 200)]
    assigned_to: Option<String>,
    /// The reason; required for `disagreed`, `resolved` and `commented`.
    #[schema(min_length = 1, max_length = 2000)]
    reason: Option<String>,
}

/// One person's review of one claim.
#[derive(Serialize, ToSchema)]
#[schema(as = ClaimReview)]
pub(crate) struct ClaimReviewBody {
    /// The ledger that has the claim.
    ledger_id: String,
    /// The claim.
    claim_id: String,
    /// The action.
    action: ClaimReviewActionName,
    /// Who.
    reviewer: String,
    /// When.
    at: TimeText,
    /// The person asked to look.
    #[schema(nullable = false)]
    assigned_to: Option<String>,
    /// Why, in the reviewer's own words.
    #[schema(nullable = false)]
    reason: Option<String>,
}

/// A recorded review.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedClaimReview)]
pub(crate) struct RecordedClaimReviewBody {
    /// The review.
    review: ClaimReviewBody,
    /// The index of its record in the trail, from 0.
    index: u64,
    /// The id of its record.
    id: String,
    /// The leaf hash of its record.
    leaf: DigestText,
}

/// The state of an answer as a whole.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AnswerState)]
pub(crate) enum AnswerStateName {
    /// There is no claim to check.
    NothingToCheck,
    /// Claims need a person.
    NeedsPerson,
    /// People looked at every claim that needed it, and some do not hold.
    NeedsCorrection,
    /// Every claim can be relied on.
    Ready,
}

/// The state of an answer, and the number of claims behind it.
#[derive(Serialize, ToSchema)]
#[schema(as = AnswerReadiness)]
pub(crate) struct AnswerReadinessBody {
    /// The state.
    state: AnswerStateName,
    /// How many claims need a person, or correction.
    #[schema(nullable = false)]
    claims: Option<u64>,
}

/// The reviews of a session's claims.
#[derive(Serialize, ToSchema)]
#[schema(as = ClaimReviewList)]
pub(crate) struct ClaimReviewListBody {
    /// The state of the answer; absent before it was checked.
    #[schema(nullable = false)]
    readiness: Option<AnswerReadinessBody>,
    /// The reviews, in order of time.
    reviews: Vec<ClaimReviewBody>,
}
