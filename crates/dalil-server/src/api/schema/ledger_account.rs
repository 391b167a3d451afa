//! The parts of a ledger about the whole answer (spec/ledger.md).

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::ledger::{EvidenceDocumentBody, VerdictBody};
use super::scalar::{DigestText, ScoreNumber, UuidText};

/// The counts of the claims. Coverage and unsupported rate count claims that are not minor.
#[derive(Serialize, ToSchema)]
#[schema(as = LedgerSummary)]
pub(crate) struct LedgerSummaryBody {
    /// Whether there was anything to check.
    state: LedgerStateBody,
    /// How many claims there are.
    total_claims: u64,
    /// How many of each verdict.
    by_verdict: VerdictCountsBody,
    /// How many of each importance.
    by_importance: ImportanceCountsBody,
    /// The share of supported claims, with weak ones counted half; nothing when there are none to
    /// count.
    #[schema(required = true)]
    evidence_coverage: Option<ScoreNumber>,
    /// Supported and weak claims, as the contract of ledgers counts them.
    coverage_any_evidence: Option<ScoreNumber>,
    /// The share of claims not found; 0 when there are none to count.
    unsupported_rate: ScoreNumber,
}

/// Whether an answer has claims.
#[derive(Serialize, ToSchema)]
#[schema(as = LedgerState, rename_all = "snake_case")]
pub(crate) enum LedgerStateBody {
    /// It has, and they were checked.
    Checked,
    /// It has none: a refusal, a greeting, a question.
    NoCheckableClaim,
}

/// How many of each verdict.
#[derive(Serialize, ToSchema)]
#[schema(as = VerdictCounts)]
pub(crate) struct VerdictCountsBody {
    /// Supported.
    supported: u64,
    /// Weak.
    weak: u64,
    /// Contradicted.
    contradicted: u64,
    /// Not found.
    not_found: u64,
}

/// How many of each importance.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportanceCounts)]
pub(crate) struct ImportanceCountsBody {
    /// Critical.
    critical: u64,
    /// Material.
    material: u64,
    /// Minor.
    minor: u64,
}

/// One risk and the claims it touches.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskFlag)]
pub(crate) struct RiskFlagBody {
    /// Derived from the digest of the risk, its session and its time.
    id: UuidText,
    /// The kind of risk.
    r#type: RiskKindBody,
    /// The severity.
    severity: RiskSeverityBody,
    /// In words.
    description: String,
    /// The claims.
    affected_claim_ids: Vec<String>,
    /// The recommended action.
    mitigation: String,
}

/// The risks, in the order they are listed: the contract's six, then ours.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskKind, rename_all = "snake_case")]
pub(crate) enum RiskKindBody {
    /// A critical claim has no evidence.
    MissingEvidence,
    /// The evidence contradicts a claim.
    Contradiction,
    /// The overall confidence is too low.
    LowConfidence,
    /// The evidence is old.
    OutdatedSource,
    /// Two partial matches are equally good.
    AmbiguousEvidence,
    /// One document supports what another contradicts.
    ConflictingSources,
    /// A citation names no passage.
    UnresolvedCitation,
    /// A citation names a passage that does not bear on its claim.
    UnrelatedCitation,
}

/// The severity of a risk.
#[derive(Serialize, ToSchema)]
#[schema(as = RiskSeverity, rename_all = "snake_case")]
pub(crate) enum RiskSeverityBody {
    /// Do not rely on the answer.
    High,
    /// Look again.
    Medium,
    /// Good to know.
    Low,
}

/// The judge, with enough to judge again.
#[derive(Serialize, ToSchema)]
#[schema(as = JudgeIdentity)]
pub(crate) struct JudgeIdentityBody {
    /// The program and its version.
    engine: String,
    /// The name of the model.
    model: String,
    /// The digest of its weights, when they are known.
    #[schema(nullable = false)]
    model_sha256: Option<DigestText>,
    /// The digests of an external judge's replies, in the order of the claims.
    #[schema(nullable = false)]
    replies: Option<Vec<DigestText>>,
}

/// A document that was searched for evidence.
#[derive(Serialize, ToSchema)]
#[schema(as = LedgerDocument)]
pub(crate) struct LedgerDocumentBody {
    /// Its id.
    id: String,
    /// Its file name.
    filename: String,
    /// The digest of its bytes.
    sha256: DigestText,
    /// How many chunks it was split into.
    chunks: u64,
    /// The unreadable parts of it.
    #[schema(nullable = false)]
    problems: Option<Vec<String>>,
}

/// A part of the answer that states nothing to check.
#[derive(Serialize, ToSchema)]
#[schema(as = NotClaim)]
pub(crate) struct NotClaimBody {
    /// The first character.
    start: u64,
    /// One after the last.
    end: u64,
    /// Why it is not a claim.
    reason: String,
}

/// A range of characters.
#[derive(Serialize, ToSchema)]
#[schema(as = CharOffsets)]
pub(crate) struct CharOffsetsBody {
    /// The first character.
    start: u64,
    /// One after the last.
    end: u64,
}

/// The target of a citation, or why it has none.
#[derive(Serialize, ToSchema)]
#[schema(as = CitationResolution)]
pub(crate) struct CitationResolutionBody {
    /// The digits of the citation.
    chunk_hash: String,
    /// Its place in the answer, in characters, when it is in there.
    #[schema(nullable = false)]
    position: Option<u64>,
    /// The claim that cites, when the request states it.
    #[schema(nullable = false)]
    claim_id: Option<String>,
    /// Whether it names one chunk.
    resolved: bool,
    /// The chunk, with the first citation that names it.
    #[schema(nullable = false)]
    chunk: Option<CitableChunkBody>,
    /// Why there is none.
    #[schema(nullable = false)]
    error: Option<String>,
}

/// A chunk that citations may name.
#[derive(Serialize, ToSchema)]
#[schema(as = CitableChunk)]
pub(crate) struct CitableChunkBody {
    /// Its id.
    chunk_id: String,
    /// Its text, which its anchor is derived from.
    text: String,
    /// The document it is from.
    #[schema(nullable = false)]
    document: Option<EvidenceDocumentBody>,
}

/// A ledger or its export, stored unchanged in a pack (spec/pack.md).
#[derive(Serialize, ToSchema)]
#[schema(as = KeptLedger)]
pub(crate) struct KeptLedgerBody {
    /// The claims.
    entries: Vec<KeptLedgerEntryBody>,
    /// The counts of the claims.
    summary: KeptLedgerSummaryBody,
    /// The other fields, unchanged.
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// A claim of a ledger in a pack.
#[derive(Serialize, ToSchema)]
#[schema(as = KeptLedgerEntry)]
pub(crate) struct KeptLedgerEntryBody {
    /// The claim.
    #[schema(nullable = false)]
    claim_text: Option<String>,
    /// Whether it holds.
    #[schema(nullable = false)]
    verdict: Option<VerdictBody>,
    /// The other fields, unchanged.
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// The counts of a ledger in a pack; those that are present are correct.
#[derive(Serialize, ToSchema)]
#[schema(as = KeptLedgerSummary)]
pub(crate) struct KeptLedgerSummaryBody {
    /// How many claims there are.
    #[schema(nullable = false)]
    total_claims: Option<u64>,
    /// The share of claims with evidence.
    evidence_coverage: Option<f64>,
    /// The other fields, unchanged.
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}
