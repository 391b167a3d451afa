//! Passages: all evidence about a claim, for and against.

use dalil_phrasebook::{Phrase, ledger};
use dalil_proof::score::Score;
use serde::Serialize;

use super::request::context::CharOffsets;
use super::request::document::EvidenceDocument;
use super::request::matching::{ConflictReason, VerdictJudge};
use super::verdict::{RelevantMatch, Stance};

/// Words of a document that say something about a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvidencePassage {
    /// The chunk.
    pub chunk_id: String,
    /// The document it is from.
    pub document: EvidenceDocument,
    /// Its words.
    pub snippet: String,
    /// Where they are in the text of the document, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offsets: Option<CharOffsets>,
    /// How similar it is to the claim.
    pub similarity: Score,
    /// Its stance towards the claim.
    pub stance: Stance,
    /// The words that cannot both be true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ConflictReason>,
    /// The part of the claim that it does not state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Why a reader of the document cannot see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<String>,
    /// Whether the answer cites or names its document.
    #[serde(skip_serializing_if = "is_false")]
    pub named: bool,
    /// The ids of the documents that its document amends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amends: Vec<String>,
    /// Who judged it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<VerdictJudge>,
}

impl EvidencePassage {
    /// The passage of a match.
    pub(super) fn of(one: &RelevantMatch<'_>) -> Self {
        let found = one.found;
        Self {
            chunk_id: found.chunk_id.clone(),
            document: found.document.clone(),
            snippet: found.snippet.clone(),
            offsets: found.snippet_offsets,
            similarity: found.similarity,
            stance: one.stance,
            reason: found.reason.clone(),
            missing: found.missing.clone(),
            hidden: found.hidden.clone(),
            named: found.named,
            amends: found.amends.clone(),
            judge: found.judge.clone(),
        }
    }
}

impl ConflictReason {
    /// The two phrases in a sentence.
    pub fn phrase(&self) -> Phrase {
        ledger::cannot_both_be_true(&self.claim_words, &self.evidence_words)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
