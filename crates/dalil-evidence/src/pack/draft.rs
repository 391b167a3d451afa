//! The content of a pack, before it is sealed and after it was verified.

use std::ops::Deref;

use dalil_phrasebook::Phrase;
use dalil_proof::digest::Digest;
use dalil_proof::id::{DecisionId, PackId, TenantId};
use dalil_proof::json::Json;
use dalil_proof::score::Score;
use dalil_proof::time::Time;
use serde::Serialize;

use crate::access::{AccessAction, Member};
use crate::approval::ApprovalVote;
use crate::decision::{DecisionWords, PromptTemplateUse};
use crate::decision_class::DecisionClasses;
use crate::pack::finding::PackFlag;
use crate::pack::memo::Memo;
use crate::pack::source::PackSource;
use crate::pack::tool::ToolCall;
use crate::policy::PackRequirement;

/// The content of a pack.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackContent {
    /// The version of this format: `1.0`.
    pub schema_version: &'static str,
    /// The name of this version of the pack.
    pub pack_id: PackId,
    /// Which version this is, from 1.
    pub version: u64,
    /// The version before this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<PackId>,
    /// Whether a person has reviewed it.
    pub status: PackStatus,
    /// The decision.
    pub decision_id: DecisionId,
    /// The digest of the decision's canonical JSON.
    pub decision_hash: Digest,
    /// The decision.
    #[serde(flatten)]
    pub words: DecisionWords,
    /// When the decision was made.
    pub decided_at: Time,
    /// The stated confidence of the decision, if it has one.
    pub confidence: Option<Score>,
    /// The classes of the decision.
    #[serde(flatten)]
    pub classes: DecisionClasses,
    /// Whether the decision needs a pack.
    pub requirement: PackRequirement,
    /// Every reason for that.
    pub reasons: Vec<Phrase>,
    /// The lead, deal or partner that the decision is about.
    pub entity_id: String,
    /// Who owns it.
    pub tenant_id: TenantId,
    /// The agent that made the decision.
    pub agent_name: String,
    /// The model that the agent used.
    pub model: Option<String>,
    /// The version of that model.
    pub model_version: Option<String>,
    /// Everything that was consulted.
    pub sources: Vec<PackSource>,
    /// Every call of a tool, failures included.
    pub tool_calls: Vec<ToolCall>,
    /// The prompt templates that were used.
    pub prompts: Vec<PromptTemplateUse>,
    /// How many hours before the decision a source may have been retrieved.
    pub data_freshness_window_hours: u64,
    /// Who reviewed it.
    pub reviewer_id: Option<String>,
    /// When it was reviewed.
    pub reviewed_at: Option<Time>,
    /// All votes of its reviewers, in order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalVote>,
    /// The account a person reads.
    pub memo: Memo,
    /// The ledger of the answer that the decision rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<Json<'static>>,
    /// The trace that links the decision to its evidence.
    pub trace_id: Option<String>,
    /// The flags that a reader should know.
    pub findings: Vec<PackFlag>,
    /// When this version was made.
    pub created_at: Time,
}

/// Whether a person has reviewed a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PackStatus {
    /// No reviewer has.
    Unresolved,
    /// The reviewer has.
    Resolved,
}

/// A pack that has not been sealed.
///
/// Invariant: every rule of this module holds, and every computed field follows from the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PackDraft(pub(super) PackContent);

impl Deref for PackDraft {
    type Target = PackContent;

    fn deref(&self) -> &PackContent {
        &self.0
    }
}

/// A pack that has been verified: its rules, its signature and its place in the trail.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack(pub(super) PackDraft);

impl Deref for Pack {
    type Target = PackDraft;

    fn deref(&self) -> &PackDraft {
        &self.0
    }
}

/// Whether a member of a tenant may look at a pack.
pub fn can_view_evidence_pack(tenant: &TenantId, member: &Member, pack: &PackContent) -> bool {
    *tenant == pack.tenant_id && member.role.may(AccessAction::View)
}

/// The version of the format that this program writes.
pub const SCHEMA_VERSION: &str = "1.0";

/// The tenant of a decision that names none.
pub(super) const DEFAULT_TENANT: &str = "default";

/// An hour in milliseconds.
pub(super) const HOUR_MILLIS: i64 = 3_600_000;
