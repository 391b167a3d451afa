//! Packs: the sealed, signed evidence of one decision.
//!
//! ```text
//! request ─assemble─▶ Draft ─seal─▶ sealed bytes ─parse─▶ UnverifiedPack ─open─▶ Pack
//!                       ▲                                                          │
//!                       └───────────────── review, amend ◀────────────────────────┘
//! ```
//!
//! [`PackContent`] is what a pack says. In a [`PackDraft`] every rule of this module
//! holds over it; a [`Pack`] has been verified as well. Nothing in a pack is
//! changed: a review or an edit is a new version that names the old one.

use std::ops::Deref;

use serde::Serialize;

use crate::approval::ApprovalVote;
use crate::decision::DecisionWords;
use crate::decision_class::DecisionClasses;
use crate::decode::JsonReader;
use crate::digest::Digest;
use crate::id::{DecisionId, PackId, TenantId};
use crate::json::Json;
use crate::policy::{self, PackRequirement};
use crate::score::Score;
use crate::time::Time;

pub use crate::pack::assemble::assemble;
pub use crate::pack::finding::{FlagAcknowledgement, PackFlag, PackFlagState};
pub use crate::pack::memo::{Memo, MemoLanguage};
pub use crate::pack::open::UnverifiedPack;
pub use crate::pack::prompt::PromptTemplateUse;
pub use crate::pack::seal::{PACK_FIELD, PACK_PAYLOAD_TYPE, SealedPack, seal};
pub use crate::pack::source::PackSource;
pub use crate::pack::tool::ToolCall;
pub use crate::pack::version::{MAX_REVIEW_HOURS, PackReview, amend, independence, review};

pub mod diff;
pub mod tool;

mod assemble;
mod cite;
mod content;
mod finding;
mod ledger;
mod memo;
mod open;
mod prompt;
mod seal;
mod source;
mod version;

#[cfg(test)]
mod tests;

/// What a pack says.
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
    /// What was decided.
    #[serde(flatten)]
    pub words: DecisionWords,
    /// When the decision was made.
    pub decided_at: Time,
    /// How sure the decision is of itself, when it says so.
    pub confidence: Option<Score>,
    /// The classes of the decision.
    #[serde(flatten)]
    pub classes: DecisionClasses,
    /// Whether the decision needs a pack.
    pub requirement: PackRequirement,
    /// Every reason for that.
    pub reasons: Vec<String>,
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
    /// What everybody said who reviewed it, in order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalVote>,
    /// The account a person reads.
    pub memo: Memo,
    /// The ledger of the answer that the decision rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<Json<'static>>,
    /// The trace that links the decision to its evidence.
    pub trace_id: Option<String>,
    /// What a reader should know about it.
    pub findings: Vec<PackFlag>,
    /// When this version was made.
    pub created_at: Time,
}

/// Whether a person has reviewed a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PackStatus {
    /// Nobody has.
    Unresolved,
    /// The reviewer has.
    Resolved,
}

/// A pack that has not been sealed.
///
/// Invariant: every rule of this module holds, and every computed field is what
/// follows from the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PackDraft(PackContent);

impl Deref for PackDraft {
    type Target = PackContent;

    fn deref(&self) -> &PackContent {
        &self.0
    }
}

impl PackDraft {
    /// Computes what follows from the rest of `content`, or pushes what does not fit.
    ///
    /// `findings` is what `reader`'s object calls the acknowledged findings.
    fn settle(
        reader: JsonReader<'_, '_>,
        mut content: PackContent,
        findings: &str,
        acknowledged: &[FlagAcknowledgement],
    ) -> Option<Self> {
        // Bounded where it is read, so neither step fails.
        let window =
            i64::try_from(content.data_freshness_window_hours).ok()?.checked_mul(HOUR_MILLIS)?;
        for source in &mut content.sources {
            // Years 0 to 9999 in milliseconds cannot overflow.
            // Exactly at the window a source is fresh.
            let age = content.decided_at.millis() - source.retrieved_at.millis();
            source.stale = age > window;
        }
        (content.requirement, content.reasons) =
            policy::requirement(content.classes, content.confidence);
        content.status = match content.reviewer_id {
            Some(_) => PackStatus::Resolved,
            None => PackStatus::Unresolved,
        };
        // Approvals and findings are both checked, so that one reply has the faults of both.
        let mut faults = version::approved(&content, &reader.member("approvals"));
        match finding::all(&content, acknowledged, &reader.member(findings)) {
            Ok(found) => content.findings = found,
            Err(found) => faults.extend(found),
        }
        let sound = faults.is_empty();
        for fault in faults {
            reader.push::<()>(fault);
        }
        sound.then_some(Self(content))
    }
}

/// A pack that has been verified: its rules, its signature and its place in the trail.
#[derive(Clone, Debug, PartialEq)]
pub struct Pack(PackDraft);

impl Deref for Pack {
    type Target = PackDraft;

    fn deref(&self) -> &PackDraft {
        &self.0
    }
}

/// A value kept as it is, its members in order of their names, so that equal values are equal.
pub(crate) fn kept(reader: JsonReader<'_, '_>) -> Option<Json<'static>> {
    let mut json = reader.json.clone().into_owned();
    sort_members(&mut json);
    Some(json)
}

fn sort_members(json: &mut Json<'static>) {
    match json {
        Json::Object(members) => {
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            members.iter_mut().for_each(|(_, value)| sort_members(value));
        }
        Json::List(items) => items.iter_mut().for_each(sort_members),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => {}
    }
}

/// The version of the format that this program writes.
pub const SCHEMA_VERSION: &str = "1.0";

/// The tenant of a decision that names none.
const DEFAULT_TENANT: &str = "default";

/// An hour in milliseconds.
const HOUR_MILLIS: i64 = 3_600_000;
