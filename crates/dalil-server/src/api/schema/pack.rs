//! Packs (spec/pack.md): the sealed evidence of a decision.

use serde::Serialize;
use utoipa::ToSchema;

use super::decision::{
    ApprovalClassBody, PackRequirementBody, ReversibilityClassBody, SensitivityClassBody,
};
use super::ledger_account::KeptLedgerBody;
use super::member::MemberTitleBody;
use super::scalar::{
    DigestText, FreeObjectBody, LanguageCode, ScoreNumber, TextOrObjectBody, TimeText,
};
use super::tool_call::ToolCallBody;

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = PackPage)]
pub(crate) struct PackPageBody {
    /// The items.
    items: Vec<PackVersionSummaryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// One version of a pack.
#[derive(Serialize, ToSchema)]
#[schema(as = PackVersionSummary)]
pub(crate) struct PackVersionSummaryBody {
    /// Its id.
    pack_id: String,
    /// The decision.
    decision_id: String,
    /// Its version number, from 1.
    version: u64,
    /// The previous version.
    #[schema(nullable = false)]
    supersedes: Option<String>,
    /// The next version.
    #[schema(nullable = false)]
    superseded_by: Option<String>,
    /// Whether a person has reviewed it.
    status: PackStatusBody,
    /// Its state today.
    state: PackStateBody,
    /// The reviewer.
    #[schema(nullable = false)]
    reviewer_id: Option<String>,
    /// When it was made.
    created_at: TimeText,
    /// When its retention ends.
    retain_until: TimeText,
    /// The digest of its canonical bytes.
    sha256: DigestText,
    /// The index of its record.
    index: u64,
}

/// Whether a person has reviewed a pack.
#[derive(Serialize, ToSchema)]
#[schema(as = PackStatus, rename_all = "lowercase")]
pub(crate) enum PackStatusBody {
    /// Not reviewed.
    Unresolved,
    /// A person has reviewed it.
    Resolved,
}

/// The state of a version of a pack: by the votes on it, and by the versions after it.
#[derive(Serialize, ToSchema)]
#[schema(as = PackState, rename_all = "snake_case")]
pub(crate) enum PackStateBody {
    /// No votes yet.
    Unresolved,
    /// At least one approval, and more are needed.
    PartlyApproved,
    /// At least one rejection, which ends it.
    Rejected,
    /// The reviewer has resolved it.
    Resolved,
    /// A later version follows, whatever the votes on this one.
    Superseded,
}

/// A pack, with its state.
#[derive(Serialize, ToSchema)]
#[schema(as = PackDetails)]
pub(crate) struct PackDetailsBody {
    /// Its id.
    pack_id: String,
    /// The decision.
    decision_id: String,
    /// Its version number, from 1.
    version: u64,
    /// The previous version.
    #[schema(nullable = false)]
    supersedes: Option<String>,
    /// The next version.
    #[schema(nullable = false)]
    superseded_by: Option<String>,
    /// Whether a person has reviewed it.
    status: PackStatusBody,
    /// Its state today.
    state: PackStateBody,
    /// The reviewer.
    #[schema(nullable = false)]
    reviewer_id: Option<String>,
    /// When it was made.
    created_at: TimeText,
    /// When its retention ends.
    retain_until: TimeText,
    /// The digest of its canonical bytes.
    sha256: DigestText,
    /// The index of its record.
    index: u64,
    /// Its content.
    pack: PackContentBody,
}

/// The content of a pack.
#[derive(Serialize, ToSchema)]
#[schema(as = PackContent)]
pub(crate) struct PackContentBody {
    /// The version of this format: `1.0`.
    schema_version: String,
    /// The id of this version of the pack.
    pack_id: String,
    /// Its version number, from 1.
    version: u64,
    /// The previous version.
    #[schema(nullable = false)]
    supersedes: Option<String>,
    /// Whether a person has reviewed it.
    status: PackStatusBody,
    /// The decision.
    decision_id: String,
    /// The digest of the decision's canonical JSON.
    decision_hash: DigestText,
    /// Its objective.
    #[schema(nullable = false)]
    objective: Option<String>,
    /// The proposed action: an object.
    #[schema(nullable = false)]
    recommendation: Option<FreeObjectBody>,
    /// The reason.
    #[schema(nullable = false)]
    rationale: Option<String>,
    /// The alternatives that were considered: texts or objects.
    #[schema(nullable = false)]
    options_considered: Option<Vec<TextOrObjectBody>>,
    /// When the decision was made.
    decided_at: TimeText,
    /// The decision's own confidence, when it states one.
    #[schema(required = true)]
    confidence: Option<ScoreNumber>,
    /// Who must approve it.
    approval_class: ApprovalClassBody,
    /// How hard it is to undo.
    reversibility_class: ReversibilityClassBody,
    /// How sensitive it is.
    sensitivity_class: SensitivityClassBody,
    /// Whether the decision needs a pack.
    requirement: PackRequirementBody,
    /// Every reason for that.
    reasons: Vec<String>,
    /// The lead, deal or partner that the decision is about.
    entity_id: String,
    /// The tenant that owns it.
    tenant_id: String,
    /// The agent that made the decision.
    agent_name: String,
    /// The model that the agent used.
    #[schema(required = true)]
    model: Option<String>,
    /// The version of that model.
    #[schema(required = true)]
    model_version: Option<String>,
    /// Every source that was consulted.
    sources: Vec<PackSourceBody>,
    /// Every call of a tool, failures included.
    tool_calls: Vec<ToolCallBody>,
    /// The prompt templates that were used.
    prompts: Vec<PromptTemplateUseBody>,
    /// The maximum age of a source at the time of the decision, in hours.
    data_freshness_window_hours: u64,
    /// Who reviewed it.
    #[schema(required = true)]
    reviewer_id: Option<String>,
    /// When it was reviewed.
    #[schema(required = true)]
    reviewed_at: Option<TimeText>,
    /// All votes of reviewers, in order of time.
    #[schema(nullable = false)]
    approvals: Option<Vec<ApprovalVoteBody>>,
    /// The account a person reads.
    memo: MemoBody,
    /// The ledger of the answer that the decision rests on.
    #[schema(nullable = false)]
    ledger: Option<KeptLedgerBody>,
    /// The trace that links the decision to its evidence.
    #[schema(required = true)]
    trace_id: Option<String>,
    /// Flags for its reader.
    findings: Vec<PackFlagBody>,
    /// When this version was made.
    created_at: TimeText,
}

/// A source that was consulted.
#[derive(Serialize, ToSchema)]
#[schema(as = PackSource)]
pub(crate) struct PackSourceBody {
    /// The name of the system or site.
    source: String,
    /// Where it can be found again.
    #[schema(nullable = false)]
    uri: Option<String>,
    /// Its internal reference, when it has no URI.
    #[schema(nullable = false)]
    reference: Option<String>,
    /// The exact words, at most 2000 characters.
    excerpt: String,
    /// The digest of the full text that the excerpt is from.
    #[schema(nullable = false)]
    content_hash: Option<DigestText>,
    /// When it was retrieved.
    retrieved_at: TimeText,
    /// How reliable it is.
    confidence: ScoreNumber,
    /// Whether it was older than the freshness window when the decision was made.
    stale: bool,
}

/// One prompt template that was used.
#[derive(Serialize, ToSchema)]
#[schema(as = PromptTemplateUse)]
pub(crate) struct PromptTemplateUseBody {
    /// The template.
    template_name: String,
    /// Its version, when that is known.
    #[schema(nullable = false)]
    template_version: Option<String>,
    /// How long it was when filled, when that is known.
    #[schema(nullable = false)]
    rendered_length: Option<u64>,
    /// Whether a system prompt came before it, when that is known.
    #[schema(nullable = false)]
    system_prompt_present: Option<bool>,
}

/// The decision and its reasons, in both languages.
#[derive(Serialize, ToSchema)]
#[schema(as = Memo)]
pub(crate) struct MemoBody {
    /// The title in Arabic.
    title_ar: String,
    /// The title in English.
    title_en: String,
    /// The account in Arabic, at most 600 words.
    body_ar: String,
    /// The account in English, at most 600 words.
    body_en: String,
    /// The summary in Arabic, at most 120 words.
    executive_summary_ar: String,
    /// The summary in English, at most 120 words.
    executive_summary_en: String,
    /// The language that the other one is a translation of, when it is one.
    #[schema(nullable = false)]
    translated_from: Option<LanguageCode>,
}

/// Something that a reader of the pack should know.
#[derive(Serialize, ToSchema)]
#[schema(as = PackFlag)]
pub(crate) struct PackFlagBody {
    /// A short, stable name.
    rule: String,
    /// Where, as a path into the pack.
    path: String,
    /// The text of the flag, in one sentence.
    message: String,
    /// Whether the reviewer has to acknowledge it.
    state: PackFlagStateBody,
}

/// Whether a reviewer has to acknowledge a finding.
#[derive(Serialize, ToSchema)]
#[schema(as = PackFlagState, rename_all = "lowercase")]
pub(crate) enum PackFlagStateBody {
    /// It needs no acknowledgement.
    Note,
    /// Acknowledgement is needed and missing.
    Open,
    /// The reviewer has acknowledged it.
    Acknowledged,
}

/// One person's vote on a pack.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalVote)]
pub(crate) struct ApprovalVoteBody {
    /// Who.
    approver: String,
    /// The vote.
    outcome: VoteOutcomeBody,
    /// The titles that the approver had.
    titles: Vec<MemberTitleBody>,
    /// When.
    at: TimeText,
    /// Why, in the approver's own words.
    #[schema(nullable = false)]
    reason: Option<String>,
}

/// A reviewer's vote, from the mildest.
#[derive(Serialize, ToSchema)]
#[schema(as = VoteOutcome, rename_all = "lowercase")]
pub(crate) enum VoteOutcomeBody {
    /// It may go ahead.
    Approved,
    /// A higher class must decide.
    Escalated,
    /// It may not go ahead.
    Rejected,
}

/// A sealed pack, as it is stored and exported.
#[derive(Serialize, ToSchema)]
#[schema(as = SealedPack)]
pub(crate) struct SealedPackBody {
    /// The pack's canonical bytes with their signatures.
    envelope: DsseEnvelopeBody,
    /// The receipt of the record of its sealing.
    #[schema(nullable = false)]
    receipt: Option<String>,
    /// The salt of that record's commitment, in hex.
    #[schema(nullable = false)]
    salt: Option<String>,
}

/// A DSSE envelope: bytes with their signatures.
#[derive(Serialize, ToSchema)]
#[schema(as = DsseEnvelope)]
pub(crate) struct DsseEnvelopeBody {
    /// The bytes, in Base64.
    payload: String,
    /// The type of the payload: `application/vnd.dalil.pack+json`.
    #[schema(rename = "payloadType")]
    payload_type: String,
    /// The signatures.
    signatures: Vec<DsseSignatureBody>,
}

/// A signature over an envelope.
#[derive(Serialize, ToSchema)]
#[schema(as = DsseSignature)]
pub(crate) struct DsseSignatureBody {
    /// The key, by its name and hash.
    keyid: String,
    /// The signature, in Base64.
    sig: String,
}
