//! Ledgers (spec/ledger.md): the claims of an answer, each with its verdict and evidence.

use serde::Serialize;
use utoipa::ToSchema;

use super::ledger_account::{
    CharOffsetsBody, CitationResolutionBody, JudgeIdentityBody, LedgerDocumentBody,
    LedgerSummaryBody, NotClaimBody, RiskFlagBody,
};
use super::scalar::{DigestText, FreeObjectBody, ScoreNumber, TimeText, UuidText};

/// Every claim of one answer with its verdict.
#[derive(Serialize, ToSchema)]
#[schema(as = Ledger)]
pub(crate) struct LedgerBody {
    /// Derived from the digest of everything else.
    id: UuidText,
    /// The session that was checked.
    session_id: String,
    /// When it was checked.
    created_at: TimeText,
    /// The same as `created_at`: a ledger never changes.
    updated_at: TimeText,
    /// The ledger of the previous check.
    #[schema(nullable = false)]
    previous_ledger_id: Option<String>,
    /// The claims, in the order of the answer.
    entries: Vec<LedgerEntryBody>,
    /// The counts of the claims.
    summary: LedgerSummaryBody,
    /// Risks that a reader should act on.
    risk_flags: Vec<RiskFlagBody>,
    /// Questions to ask next.
    follow_up_questions: Vec<String>,
    /// The judge.
    #[schema(nullable = false)]
    judge: Option<JudgeIdentityBody>,
    /// The documents that were searched for evidence.
    #[schema(nullable = false)]
    documents: Option<Vec<LedgerDocumentBody>>,
    /// The parts of the answer that are not claims.
    #[schema(nullable = false)]
    not_claims: Option<Vec<NotClaimBody>>,
    /// The results of resolving the citations in the answer, when there is an answer.
    #[schema(nullable = false)]
    citations: Option<Vec<CitationResolutionBody>>,
}

/// One claim with its finding.
#[derive(Serialize, ToSchema)]
#[schema(as = LedgerEntry)]
pub(crate) struct LedgerEntryBody {
    /// Derived from the digest of the finding, its session and its time.
    id: UuidText,
    /// The id of the claim.
    claim_id: String,
    /// The claim.
    claim_text: String,
    /// The kind of its statement.
    claim_type: ClaimKindBody,
    /// How much it matters.
    claim_importance: ClaimImportanceBody,
    /// Where it begins in the answer, in characters.
    #[schema(nullable = false)]
    start_offset: Option<u64>,
    /// Where it ends.
    #[schema(nullable = false)]
    end_offset: Option<u64>,
    /// Whether it should cite a source, where the request states that.
    #[schema(nullable = false)]
    requires_citation: Option<bool>,
    /// Whether it holds.
    verdict: VerdictBody,
    /// The confidence of the verdict.
    confidence_score: ScoreNumber,
    /// The band of that confidence.
    confidence_band: ConfidenceBandBody,
    /// The result of the confidence formula for the best match, when its components are known.
    #[schema(nullable = false)]
    calculated_confidence: Option<ScoreNumber>,
    /// The chunks it rests on, best first.
    evidence_chunk_ids: Vec<String>,
    /// The words it rests on.
    evidence_snippet: String,
    /// Where they are in the text of the document, in characters.
    #[schema(nullable = false)]
    evidence_offsets: Option<CharOffsetsBody>,
    /// The document they are from; nothing when there is no evidence.
    #[schema(required = true)]
    source_document: Option<EvidenceDocumentBody>,
    /// The reason for the verdict.
    notes: String,
    /// All evidence about the claim, for and against; the basis of the verdict comes first.
    #[schema(nullable = false)]
    evidence_passages: Option<Vec<EvidencePassageBody>>,
    /// Defects of the evidence or of the citations.
    #[schema(nullable = false)]
    findings: Option<Vec<ClaimIssueBody>>,
    /// The judge that gave the verdict.
    #[schema(nullable = false)]
    judge: Option<VerdictJudgeBody>,
}

/// The kind of a claim's statement.
#[derive(Serialize, ToSchema)]
#[schema(as = ClaimKind, rename_all = "snake_case")]
pub(crate) enum ClaimKindBody {
    /// Something about the world.
    Fact,
    /// A rule: an obligation, a permission or a prohibition.
    Policy,
    /// A number, an amount, a date or a duration.
    Numeric,
    /// The meaning of a term.
    Definition,
}

/// How much a claim matters to the question.
#[derive(Serialize, ToSchema)]
#[schema(as = ClaimImportance, rename_all = "snake_case")]
pub(crate) enum ClaimImportanceBody {
    /// Background.
    Minor,
    /// Supports the answer.
    Material,
    /// Is the answer.
    Critical,
}

/// Whether a claim holds.
#[derive(Serialize, ToSchema)]
#[schema(as = Verdict, rename_all = "snake_case")]
pub(crate) enum VerdictBody {
    /// The evidence states it.
    Supported,
    /// The evidence supports it in part.
    Weak,
    /// The evidence contradicts it.
    Contradicted,
    /// There is no evidence.
    NotFound,
}

/// A passage's stance on a claim, as far as a person can check it.
#[derive(Serialize, ToSchema)]
#[schema(as = Stance, rename_all = "snake_case")]
pub(crate) enum StanceBody {
    /// It states the claim.
    Supports,
    /// It states the claim in part.
    SupportsInPart,
    /// It cannot be true together with the claim, and the words are named.
    Contradicts,
    /// A judge finds a contradiction, but no words show it.
    MayConflict,
}

/// How a confidence is shown.
#[derive(Serialize, ToSchema)]
#[schema(as = ConfidenceBand, rename_all = "snake_case")]
pub(crate) enum ConfidenceBandBody {
    /// From 0.85.
    High,
    /// From 0.7.
    Good,
    /// From 0.5.
    Moderate,
    /// From 0.3.
    Low,
    /// Below that.
    VeryLow,
}

/// Where a chunk is from.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidenceDocument)]
pub(crate) struct EvidenceDocumentBody {
    /// Its id.
    id: String,
    /// Its file name.
    filename: String,
    /// The page, from 1.
    #[schema(nullable = false)]
    page_number: Option<u64>,
    /// The headings above the chunk.
    #[schema(nullable = false)]
    heading_path: Option<Vec<String>>,
    /// Its date.
    #[schema(nullable = false)]
    date: Option<String>,
    /// Whether it was cut before it was searched.
    #[schema(nullable = false)]
    truncated: Option<bool>,
    /// Its location, as the retrieving application states it.
    #[schema(nullable = false)]
    uri: Option<String>,
    /// Other metadata of the application about the chunk.
    #[schema(nullable = false)]
    metadata: Option<FreeObjectBody>,
}

/// Words of a document that say something about a claim.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidencePassage)]
pub(crate) struct EvidencePassageBody {
    /// The chunk.
    chunk_id: String,
    /// The document it is from.
    document: EvidenceDocumentBody,
    /// Its text.
    snippet: String,
    /// Where they are in the text of the document, in characters.
    #[schema(nullable = false)]
    offsets: Option<CharOffsetsBody>,
    /// How similar it is to the claim.
    similarity: ScoreNumber,
    /// Its stance on the claim.
    stance: StanceBody,
    /// The words that cannot both be true.
    #[schema(nullable = false)]
    reason: Option<ConflictReasonBody>,
    /// The part of the claim that it does not state.
    #[schema(nullable = false)]
    missing: Option<String>,
    /// Why a reader of the document cannot see it.
    #[schema(nullable = false)]
    hidden: Option<String>,
    /// Whether the answer cites or names its document.
    #[schema(nullable = false)]
    named: Option<bool>,
    /// The ids of the documents that its document amends.
    #[schema(nullable = false)]
    amends: Option<Vec<String>>,
    /// The judge of the passage.
    #[schema(nullable = false)]
    judge: Option<VerdictJudgeBody>,
}

/// Two phrases that cannot both be true.
#[derive(Serialize, ToSchema)]
#[schema(as = ConflictReason)]
pub(crate) struct ConflictReasonBody {
    /// The words of the claim.
    claim_words: String,
    /// The words of the evidence.
    evidence_words: String,
}

/// A defect of a claim's evidence that its reader must know.
#[derive(Serialize, ToSchema)]
#[schema(as = ClaimIssue)]
pub(crate) struct ClaimIssueBody {
    /// Its kind.
    r#type: IssueKindBody,
    /// The citation that it is about.
    #[schema(nullable = false)]
    citation: Option<String>,
    /// The document that it is about.
    #[schema(nullable = false)]
    document: Option<EvidenceDocumentBody>,
    /// The stance of that document on the claim.
    #[schema(nullable = false)]
    stance: Option<StanceBody>,
    /// How documents that disagree were weighed.
    #[schema(nullable = false)]
    ruling: Option<ConflictRulingBody>,
    /// The missing part, or why it cannot be seen.
    #[schema(nullable = false)]
    detail: Option<String>,
    /// In words.
    message: String,
}

/// Defects of a claim's evidence, in the order of the list.
#[derive(Serialize, ToSchema)]
#[schema(as = IssueKind, rename_all = "snake_case")]
pub(crate) enum IssueKindBody {
    /// A citation names no passage, or more than one.
    UnresolvedCitation,
    /// A citation names a passage that does not bear on the claim.
    UnrelatedCitation,
    /// One document supports what another contradicts.
    ConflictingSources,
    /// A judge finds a contradiction in the evidence, but shows no words.
    MayConflict,
    /// A reader of the document cannot see the evidence.
    HiddenEvidence,
    /// The evidence states a part of the claim only.
    MissingPart,
}

/// How a conflict was resolved where one document supports a claim that another contradicts.
#[derive(Serialize, ToSchema)]
#[schema(as = ConflictRuling, rename_all = "snake_case")]
pub(crate) enum ConflictRulingBody {
    /// By the document that the answer cites or names.
    Named,
    /// By the later document, which amends the other.
    Amended,
    /// By none: the contradiction remains.
    Open,
}

/// The judge that gave a verdict.
#[derive(Serialize, ToSchema)]
#[schema(as = VerdictJudge)]
pub(crate) struct VerdictJudgeBody {
    /// The kind of judge.
    kind: JudgeKindBody,
    /// The name of the model.
    name: String,
    /// The digest of its weights, when they are known.
    #[schema(nullable = false)]
    sha256: Option<DigestText>,
}

/// The kinds of judges.
#[derive(Serialize, ToSchema)]
#[schema(as = JudgeKind, rename_all = "snake_case")]
pub(crate) enum JudgeKindBody {
    /// The model in the program.
    Fast,
    /// A model in a file.
    Deep,
    /// A model behind an endpoint.
    External,
}
