//! Requests about packs (spec/pack.md), their review and their differences.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::decision::{
    ApprovalClassBody, PolicyRequirementBody, PromptTemplateUseOrderBody, ProposedActionBody,
    ReversibilityClassBody, SchemaVersionName, SensitivityClassBody,
};
use super::ledger_account::KeptLedgerBody;
use super::member::MemberTitleBody;
use super::pack::{ApprovalVoteBody, SealedPackBody};
use super::scalar::{
    FreeObjectBody, FreeValueBody, LanguageCode, ScoreNumber, TextOrObjectBody, TimeText,
};
use super::tool_call::ToolCallStatementBody;

/// The decision to assemble a pack for.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PackAssembly)]
pub(crate) struct PackAssemblyBody {
    /// The decision.
    #[schema(min_length = 1)]
    decision_id: String,
    /// The account that a person reads; drafted when absent.
    memo: Option<MemoOrderBody>,
    /// The id of the pack; generated when absent.
    #[schema(pattern = "^pack_[0-9a-f]{16}$")]
    pack_id: Option<String>,
}

/// The account that a person reads, in Arabic and English.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MemoOrder)]
pub(crate) struct MemoOrderBody {
    /// The title in Arabic.
    #[schema(min_length = 1)]
    title_ar: String,
    /// The title in English.
    #[schema(min_length = 1)]
    title_en: String,
    /// The account in Arabic, at most 600 words.
    #[schema(min_length = 1)]
    body_ar: String,
    /// The account in English, at most 600 words.
    #[schema(min_length = 1)]
    body_en: String,
    /// The summary in Arabic, at most 120 words.
    #[schema(min_length = 1)]
    executive_summary_ar: String,
    /// The summary in English, at most 120 words.
    #[schema(min_length = 1)]
    executive_summary_en: String,
    /// The language that the other one is a translation of.
    translated_from: Option<LanguageCode>,
}

/// A pack to assemble from a complete request.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PackRequest)]
pub(crate) struct PackRequestBody {
    /// The decision.
    decision: PackDecisionBody,
    /// The calls of tools for it.
    tool_calls: Option<Vec<ToolCallStatementBody>>,
    /// The prompt templates that were used; those of the decision when absent.
    prompts: Option<Vec<PromptTemplateUseOrderBody>>,
    /// The account that a person reads; drafted when absent.
    memo: Option<MemoOrderBody>,
    /// The ledger of the answer that the decision rests on, or its export.
    ledger: Option<KeptLedgerBody>,
    /// The id of the pack.
    #[schema(pattern = "^pack_[0-9a-f]{16}$")]
    pack_id: String,
    /// When it is made.
    created_at: TimeText,
    /// Its version number; 1 when absent.
    #[schema(minimum = 1)]
    version: Option<u64>,
    /// The previous version.
    #[schema(pattern = "^pack_[0-9a-f]{16}$")]
    supersedes: Option<String>,
    /// Who reviewed it.
    #[schema(min_length = 1, max_length = 256)]
    reviewer_id: Option<String>,
    /// When it was reviewed.
    reviewed_at: Option<TimeText>,
    /// Open findings that the reviewer acknowledges.
    acknowledged: Option<Vec<FlagAcknowledgementBody>>,
    /// Full texts, by their digests.
    retained: Option<BTreeMap<String, String>>,
}

/// The decision of a pack. `decision_id`, `entity_id`, `agent_name` and the classes (or
/// `action_type`) must be there.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PackDecision)]
pub(crate) struct PackDecisionBody {
    /// The version of this format.
    schema_version: Option<SchemaVersionName>,
    /// Its id.
    #[schema(min_length = 1)]
    decision_id: String,
    /// Its tenant, which is that of the caller.
    tenant_id: Option<String>,
    /// Its subject.
    #[schema(min_length = 1, max_length = 256)]
    entity_id: String,
    /// The agent that decided.
    agent_name: String,
    /// The model that the agent used.
    #[schema(min_length = 1, max_length = 256)]
    model: Option<String>,
    /// The version of that model.
    #[schema(min_length = 1, max_length = 256)]
    model_version: Option<String>,
    /// The agent's confidence.
    confidence: Option<ScoreNumber>,
    /// The evidence for the decision.
    evidence: Option<Vec<PackEvidenceBody>>,
    /// The maximum age of evidence, in hours; 24 when absent.
    #[schema(maximum = 876000)]
    freshness_window_hours: Option<u64>,
    /// Another name of the same field; both may be given only if they are equal.
    #[schema(maximum = 876000)]
    data_freshness_window_hours: Option<u64>,
    /// The action, in one word.
    #[schema(min_length = 1, max_length = 256)]
    action_type: Option<String>,
    /// Who must approve it.
    approval_class: Option<ApprovalClassBody>,
    /// How hard it is to undo.
    reversibility_class: Option<ReversibilityClassBody>,
    /// How sensitive it is.
    sensitivity_class: Option<SensitivityClassBody>,
    /// Whether the lawful basis for personal data was checked.
    pdpl_check: Option<bool>,
    /// The requirements of policies.
    policy_requirements: Option<Vec<PolicyRequirementBody>>,
    /// The actions that the decision proposes.
    next_actions: Option<Vec<ProposedActionBody>>,
    /// The session whose newest ledger it rests on.
    session_id: Option<String>,
    /// The prompt templates that were used.
    prompts: Option<Vec<PromptTemplateUseOrderBody>>,
    /// The trace that links the decision to its evidence.
    #[schema(min_length = 1, max_length = 256)]
    trace_id: Option<String>,
    /// Read, not shown.
    #[schema(min_length = 1, max_length = 256)]
    span_id: Option<String>,
    /// Read, not shown.
    #[schema(min_length = 1, max_length = 256)]
    correlation_id: Option<String>,
    /// Read, not shown.
    locale: Option<LanguageCode>,
    /// When it was decided.
    created_at: Option<TimeText>,
    /// Its objective.
    #[schema(min_length = 1)]
    objective: Option<String>,
    /// The recommended action, in the agent's own words.
    recommendation: Option<FreeObjectBody>,
    /// The reason.
    #[schema(min_length = 1, max_length = 5000)]
    rationale: Option<String>,
    /// The alternatives that were considered.
    options_considered: Option<Vec<TextOrObjectBody>>,
}

/// Evidence for a decision.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PackEvidence)]
pub(crate) struct PackEvidenceBody {
    /// The name of the system or site.
    #[schema(min_length = 1, max_length = 256)]
    source: String,
    /// Where it can be found again.
    #[schema(min_length = 1, max_length = 2048)]
    uri: Option<String>,
    /// Its internal reference, when it has no URI.
    #[schema(min_length = 1, max_length = 2048)]
    reference: Option<String>,
    /// The exact words.
    #[schema(min_length = 1, max_length = 2000)]
    excerpt: String,
    /// The digest of the full text that the excerpt is from.
    #[schema(pattern = "^(sha256:)?[0-9a-f]{64}$")]
    content_hash: Option<String>,
    /// When it was retrieved.
    retrieved_at: TimeText,
    /// How reliable it is.
    confidence: ScoreNumber,
}

/// A finding that is acknowledged.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FlagAcknowledgement)]
pub(crate) struct FlagAcknowledgementBody {
    /// Its rule.
    #[schema(min_length = 1)]
    rule: String,
    /// Its place in the pack.
    #[schema(min_length = 1)]
    path: String,
}

/// A vote on a pack.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PackReviewOrder)]
pub(crate) struct PackReviewOrderBody {
    /// `approved` when absent.
    outcome: Option<ReviewActionBody>,
    /// The reason; required to decline.
    #[schema(max_length = 2000)]
    reason: Option<String>,
    /// Open findings and concerns that the reviewer acknowledges: an approval needs each of them.
    /// None from a member who declines.
    acknowledged: Option<Vec<FlagAcknowledgementBody>>,
    /// The id of the new version; generated when absent. None from a member who declines.
    #[schema(pattern = "^pack_[0-9a-f]{16}$")]
    new_pack_id: Option<String>,
}

/// A member's action on a version, from the mildest.
#[derive(Serialize, ToSchema)]
#[schema(as = ReviewAction, rename_all = "lowercase")]
pub(crate) enum ReviewActionBody {
    /// It may go ahead.
    Approved,
    /// The member abstains: no vote.
    Declined,
    /// A higher class must decide.
    Escalated,
    /// It may not go ahead.
    Rejected,
}

/// A member who declined to decide about a version.
#[derive(Serialize, ToSchema)]
#[schema(as = DeclinedReview)]
pub(crate) struct DeclinedReviewBody {
    /// Who.
    reviewer: String,
    /// The titles that the member had.
    titles: Vec<MemberTitleBody>,
    /// When.
    at: TimeText,
    /// Why, in the member's own words.
    reason: String,
}

/// The result of a review.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ReviewOutcome)]
pub(crate) enum ReviewOutcomeBody {
    /// After the last required approval: the new version.
    Resolved(Box<SealedPackBody>),
    /// Any other: the state of the pack.
    Waiting(PendingPackBody),
}

/// A pack that is not approved, or not yet.
#[derive(Serialize, ToSchema)]
#[schema(as = PendingPack)]
pub(crate) struct PendingPackBody {
    /// The pack.
    pack_id: String,
    /// Whether it is approved.
    state: ApprovalStateBody,
    /// The class, which decides the titles.
    approval_class: ApprovalClassBody,
    /// How many approvers are required.
    required_approvers: u8,
    /// The approvers that count.
    approved_by: Vec<String>,
    /// Who must still approve.
    missing: Vec<String>,
}

/// Whether something is approved.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalState, rename_all = "lowercase")]
pub(crate) enum ApprovalStateBody {
    /// Approvals are missing.
    Waiting,
    /// Every required approval is there.
    Approved,
    /// There is a rejection.
    Rejected,
}

/// The state of the review of a version.
#[derive(Serialize, ToSchema)]
#[schema(as = PackReviewStatus)]
pub(crate) struct PackReviewStatusBody {
    /// The pack.
    pack_id: String,
    /// Whether it is approved.
    state: ApprovalStateBody,
    /// The class, which decides the titles.
    approval_class: ApprovalClassBody,
    /// How many approvers are required.
    required_approvers: u8,
    /// The approvers that count.
    approved_by: Vec<String>,
    /// Who must still approve.
    missing: Vec<String>,
    /// The votes on this version, in order of time.
    said: Vec<ApprovalVoteBody>,
    /// The members who declined to decide about it, in order of time.
    #[schema(nullable = false)]
    declined: Option<Vec<DeclinedReviewBody>>,
    /// The deadline for votes.
    #[schema(required = true)]
    review_until: Option<TimeText>,
}

/// The differences between two versions.
#[derive(Serialize, ToSchema)]
#[schema(as = PackDifference)]
pub(crate) struct PackDifferenceBody {
    /// The previous version.
    old: PackVersionBody,
    /// The next version.
    new: PackVersionBody,
    /// Every change, in order of the fields' names.
    changes: Vec<PackChangeBody>,
}

/// A version of a pack.
#[derive(Serialize, ToSchema)]
#[schema(as = PackVersion)]
pub(crate) struct PackVersionBody {
    /// Its id.
    pack_id: String,
    /// Its number, from 1.
    version: u64,
}

/// One change.
#[derive(Serialize, ToSchema)]
#[schema(as = PackChange)]
pub(crate) struct PackChangeBody {
    /// The place, as a path into the new version, or into the old one for a removed value.
    path: String,
    /// The kind of change.
    change: PackChangeKindBody,
    /// The old value.
    #[schema(nullable = false)]
    old: Option<FreeValueBody>,
    /// The new value.
    #[schema(nullable = false)]
    new: Option<FreeValueBody>,
}

/// The kind of change of a part of a pack.
#[derive(Serialize, ToSchema)]
#[schema(as = PackChangeKind, rename_all = "lowercase")]
pub(crate) enum PackChangeKindBody {
    /// It was added.
    Added,
    /// It was removed.
    Removed,
    /// Its value changed.
    Changed,
}
