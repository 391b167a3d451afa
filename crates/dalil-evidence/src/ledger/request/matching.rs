//! The match of one chunk with one claim, with the reasons that a person needs to trust it.

use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::json::MAX_INTEGER;
use dalil_proof::score::Score;
use serde::Serialize;

use super::context::{self, CharOffsets};
use super::document::{EvidenceDocument, document};
use crate::ledger::confidence::ConfidenceComponents;
use crate::ledger::verdict::SupportLevel;

/// The verdict on one claim by one chunk.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimMatch {
    /// The chunk.
    pub chunk_id: String,
    /// The document it is from.
    pub document: EvidenceDocument,
    /// How similar it is to the claim.
    pub similarity: Score,
    /// How strongly it supports the claim.
    pub support: SupportLevel,
    /// Whether it contradicts the claim.
    pub contradicts: bool,
    /// Its words.
    pub snippet: String,
    /// Where they are in the text of the document, in characters.
    pub snippet_offsets: Option<CharOffsets>,
    /// The components of the confidence formula.
    pub components: Option<ConfidenceComponents>,
    /// Why a reader of the document cannot see the words, when so.
    pub hidden: Option<String>,
    /// The words that cannot both be true; a contradiction without them only may conflict.
    pub reason: Option<ConflictReason>,
    /// The part of the claim that the words do not state.
    pub missing: Option<String>,
    /// Who judged this match.
    pub judge: Option<VerdictJudge>,
    /// Whether the answer cites or names the document.
    pub named: bool,
    /// The ids of the documents that this one claims to amend or replace.
    pub amends: Vec<String>,
}

/// Two phrases that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConflictReason {
    /// The words of the claim.
    pub claim_words: String,
    /// The words of the evidence.
    pub evidence_words: String,
}

/// Who gave a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerdictJudge {
    /// Which of the judges.
    pub kind: JudgeKind,
    /// The name of the model.
    pub name: String,
    /// The digest of its weights, when they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest>,
}

/// The judges that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgeKind {
    /// The model in the program.
    Fast,
    /// A model in a file.
    Deep,
    /// A model behind an endpoint.
    External,
}

impl JudgeKind {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 3] =
        [("fast", Self::Fast), ("deep", Self::Deep), ("external", Self::External)];

    /// The published word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Deep => "deep",
            Self::External => "external",
        }
    }
}

impl VerdictJudge {
    /// `deep, dalil-judge/2 sha256:0123456789ab…`.
    pub fn label(&self) -> String {
        let mut label = format!("{}, {}", self.kind.word(), self.name);
        if let Some(digest) = self.sha256 {
            let digest = digest.to_string();
            // `sha256:` and twelve digits, enough to tell
            // models apart by eye; the JSON has all of them.
            label.extend([" ", digest.get(..19).unwrap_or(&digest), "…"]);
        }
        label
    }
}

pub(super) fn one_match(reader: JsonReader<'_, '_>) -> Option<ClaimMatch> {
    let mut fields = reader.object()?;
    let chunk_id = fields.required("chunk_id", decode::filled);
    let document = fields.required("document", document);
    let similarity = fields.required("similarity", decode::score);
    let support = fields.required("support", |word| word.choice(&SupportLevel::WIRE_NAMES));
    let contradicts = fields.or("contradicts", false, decode::flag);
    let snippet = fields.required("snippet", decode::owned);
    let snippet_offsets = fields.optional("snippet_offsets", context::offsets);
    let components = fields.optional("components", components);
    let hidden = fields.optional("hidden", decode::filled);
    let reason = fields.optional("reason", conflict_reason);
    let missing = fields.optional("missing", decode::filled);
    let judge = fields.optional("judge", verdict_judge);
    let named = fields.or("named", false, decode::flag);
    let amends = fields.or("amends", Vec::new(), |list| list.list(decode::filled));
    fields.done()?;
    Some(ClaimMatch {
        chunk_id: chunk_id?,
        document: document?,
        similarity: similarity?,
        support: support?,
        contradicts: contradicts?,
        snippet: snippet?,
        snippet_offsets: snippet_offsets?,
        components: components?,
        hidden: hidden?,
        reason: reason?,
        missing: missing?,
        judge: judge?,
        named: named?,
        amends: amends?,
    })
}

fn components(reader: JsonReader<'_, '_>) -> Option<ConfidenceComponents> {
    let mut fields = reader.object()?;
    let semantic_similarity = fields.required("semantic_similarity", decode::score);
    let evidence_count = fields.required("evidence_count", |count| count.whole(0..=MAX_INTEGER));
    let directness = fields.required("directness", decode::score);
    let source_quality = fields.required("source_quality", decode::score);
    fields.done()?;
    Some(ConfidenceComponents {
        semantic_similarity: semantic_similarity?,
        evidence_count: evidence_count?,
        directness: directness?,
        source_quality: source_quality?,
    })
}

pub(super) fn conflict_reason(reader: JsonReader<'_, '_>) -> Option<ConflictReason> {
    let mut fields = reader.object()?;
    let claim_words = fields.required("claim_words", decode::filled);
    let evidence_words = fields.required("evidence_words", decode::filled);
    fields.done()?;
    Some(ConflictReason { claim_words: claim_words?, evidence_words: evidence_words? })
}

pub(super) fn verdict_judge(reader: JsonReader<'_, '_>) -> Option<VerdictJudge> {
    let mut fields = reader.object()?;
    let kind = fields.required("kind", |word| word.choice(&JudgeKind::WIRE_NAMES));
    let name = fields.required("name", decode::filled);
    let sha256 = fields.optional("sha256", decode::digest);
    fields.done()?;
    Some(VerdictJudge { kind: kind?, name: name?, sha256: sha256? })
}
