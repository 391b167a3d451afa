//! Ledgers: every claim of one answer, with its verdict and the words it rests on.
//!
//! ```text
//! LedgerRequest (claims, matches) ─assign─▶ entries ─▶ summary, flags, questions ─▶ Ledger ─▶ exports
//!                                                                                    └─▶ gate
//! ```
//!
//! A ledger is a function of its request: equal requests give equal bytes and
//! equal ids, and nothing in a ledger ever changes. A new check of the same
//! session is a new ledger that names the one before it.
//!
//! Out of scope: finding the claims of an answer, and judging a chunk against a
//! claim. The results of both arrive in the request.

use dalil_phrasebook::{Phrase, judge_note, proof_check};
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::id::Uuid;
use dalil_proof::score::Score;
use dalil_proof::time::Time;
use serde::Serialize;

use self::citation::{CitationResolution, CitedPassages};
use self::confidence::ConfidenceBand;
use self::issue::{ClaimIssue, IssueKind};
use self::passage::EvidencePassage;
use self::request::{
    CharOffsets, Claim, ClaimMatch, EvidenceDocument, JudgeIdentity, LedgerDocument, LedgerRequest,
    NotClaim, VerdictJudge,
};
use self::risk::RiskFlag;
use self::summary::LedgerSummary;
use self::verdict::{Verdict, VerdictAssignment};
use crate::claim::{ClaimImportance, ClaimKind};

pub mod citation;
pub mod confidence;
pub mod dataset;
pub mod export;
pub mod gate;
pub mod issue;
pub mod passage;
pub mod place;
mod question;
pub mod question_reply;
pub mod request;
pub mod review;
pub mod risk;
pub mod summary;
#[cfg(test)]
mod tests;
pub mod verdict;
pub mod verify;

/// Every claim of one answer with its verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ledger {
    /// Made from the digest of everything else.
    pub id: Uuid,
    /// Everything else.
    #[serde(flatten)]
    pub content: LedgerContent,
}

/// The content of a ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LedgerContent {
    /// The session that was checked.
    pub session_id: String,
    /// When it was checked.
    pub created_at: Time,
    /// The same: a ledger never changes.
    pub updated_at: Time,
    /// The ledger of the check before this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_ledger_id: Option<String>,
    /// The claims, in the order of the answer.
    pub entries: Vec<LedgerEntry>,
    /// The claims, counted.
    pub summary: LedgerSummary,
    /// Risks that a reader should act on.
    pub risk_flags: Vec<RiskFlag>,
    /// Questions to ask next.
    pub follow_up_questions: Vec<String>,
    /// Who judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeIdentity>,
    /// The documents that the claims were looked for in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<Vec<LedgerDocument>>,
    /// The parts of the answer that are not claims.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_claims: Option<Vec<NotClaim>>,
    /// What became of the citations in the answer, when there is an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citations: Option<Vec<CitationResolution>>,
}

/// One claim with its finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LedgerEntry {
    /// Made from the digest of the finding, its session and its time.
    pub id: Uuid,
    /// The rest.
    #[serde(flatten)]
    pub finding: ClaimFinding,
}

/// The finding about one claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimFinding {
    /// What names the claim.
    pub claim_id: String,
    /// The claim.
    pub claim_text: String,
    /// The kind of its statement.
    pub claim_type: ClaimKind,
    /// How much it matters.
    pub claim_importance: ClaimImportance,
    /// Where it begins in the answer, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_offset: Option<u64>,
    /// Where it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_offset: Option<u64>,
    /// Whether it should cite a source, where the request states that; otherwise it should.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_citation: Option<bool>,
    /// Whether it holds.
    pub verdict: Verdict,
    /// How sure that is.
    pub confidence_score: Score,
    /// How that is shown.
    pub confidence_band: ConfidenceBand,
    /// The result of the confidence formula for the best match, when its components are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calculated_confidence: Option<Score>,
    /// The chunks it rests on, best first.
    pub evidence_chunk_ids: Vec<String>,
    /// The words it rests on.
    pub evidence_snippet: String,
    /// Where they are in the text of the document, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence_offsets: Option<CharOffsets>,
    /// The document they are from; nothing when there is no evidence.
    pub source_document: Option<EvidenceDocument>,
    /// Why.
    pub notes: String,
    /// All evidence about the claim, for and against: first the basis of the
    /// verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence_passages: Vec<EvidencePassage>,
    /// Defects of the evidence or of the citations.
    #[serde(rename = "findings", skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<ClaimIssue>,
    /// Who gave the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<VerdictJudge>,
}

impl ClaimFinding {
    /// The passages that say otherwise than those that the verdict rests on.
    pub fn opposing(&self) -> impl Iterator<Item = &EvidencePassage> {
        // `verdict::assign` puts the basis of the verdict first.
        let own = self.evidence_passages.first().map(|best| best.stance.is_for());
        self.evidence_passages.iter().filter(move |one| Some(one.stance.is_for()) != own)
    }

    /// Whether one document supports what another contradicts.
    pub fn is_conflict(&self) -> bool {
        let is_said = |issue: &ClaimIssue| issue.kind == IssueKind::ConflictingSources;
        self.issues.iter().any(is_said) || self.opposing().next().is_some()
    }
}

/// Makes the ledger of a request.
///
/// # Errors
/// None: every part of a ledger has a canonical form.
pub fn check(request: &LedgerRequest) -> Result<Ledger, NotCanonical> {
    let floor = request.options.min_weak_similarity;
    // Citations first: the defects of a claim's citations are part of its entry.
    let cited = CitedPassages::of(request);
    let assigned: Vec<AssignedClaim<'_>> = request
        .claims
        .iter()
        .map(|claim| {
            let assignment = verdict::assign(&claim.matches, floor);
            let issues = issue::issues(claim, &assignment, &cited);
            AssignedClaim { claim, assignment, issues }
        })
        .collect();
    let entries = assigned
        .iter()
        .map(|one| entry(request, one))
        .collect::<Result<Vec<LedgerEntry>, NotCanonical>>()?;
    let content = LedgerContent {
        session_id: request.session.id.clone(),
        created_at: request.created_at,
        updated_at: request.created_at,
        previous_ledger_id: request.previous_ledger_id.clone(),
        summary: LedgerSummary::of(&entries),
        risk_flags: risk::flags(request, &assigned, &cited)?,
        follow_up_questions: question::follow_ups(&entries, request.options.language),
        judge: request.judge.clone(),
        documents: request.documents.clone(),
        not_claims: request.not_claims.clone(),
        citations: cited.resolutions,
        entries,
    };
    // The content has the ids of its entries and flags, so a change of any part shows in this one.
    Ok(Ledger { id: Uuid::from_digest(&canon::digest(&content)?), content })
}

/// A claim, its verdict and the defects of its evidence.
#[derive(Debug)]
struct AssignedClaim<'r> {
    claim: &'r Claim,
    assignment: VerdictAssignment<'r>,
    issues: Vec<ClaimIssue>,
}

fn entry(request: &LedgerRequest, one: &AssignedClaim<'_>) -> Result<LedgerEntry, NotCanonical> {
    let AssignedClaim { claim, assignment, issues } = one;
    let best = assignment.evidence.first();
    let chunk_ids = assignment.evidence.iter().map(|one| one.chunk_id.clone());
    // A claim without evidence has no match to name its judge; the claim itself names it then.
    let judge = best.and_then(|best| best.judge.clone()).or_else(|| claim.judge.clone());
    let finding = ClaimFinding {
        claim_id: claim.claim_id.clone(),
        claim_text: claim.claim_text.clone(),
        claim_type: claim.claim_type,
        claim_importance: claim.importance,
        start_offset: claim.start_offset,
        end_offset: claim.end_offset,
        requires_citation: claim.requires_citation,
        verdict: assignment.verdict,
        confidence_score: assignment.confidence,
        confidence_band: ConfidenceBand::of(assignment.confidence),
        calculated_confidence: best.and_then(|best| best.components).map(confidence::calculate),
        evidence_chunk_ids: distinct(chunk_ids),
        evidence_snippet: best.map_or_else(String::new, |best| best.snippet.clone()),
        evidence_offsets: best.and_then(|best| best.snippet_offsets),
        source_document: best.map(|best| best.document.clone()),
        notes: claim
            .notes
            .clone()
            .unwrap_or_else(|| notes(request, claim, assignment).english().to_owned()),
        evidence_passages: assignment.passages.iter().map(EvidencePassage::of).collect(),
        issues: issues.clone(),
        judge,
    };
    Ok(LedgerEntry { id: part_id(request, "entry", &finding)?, finding })
}

/// The name of a part of a ledger: it differs from session to session and from check to check.
fn part_id(
    request: &LedgerRequest,
    name: &str,
    part: &impl Serialize,
) -> Result<Uuid, NotCanonical> {
    // The array of spec/ledger.md, "Ledger". Without session
    // and time, equal findings of two checks would have one id.
    let named = (&request.session.id, request.created_at, &request.previous_ledger_id, name, part);
    canon::digest(&named).map(|digest| Uuid::from_digest(&digest))
}

/// Why a claim has its verdict, in the contract's words.
fn notes(request: &LedgerRequest, claim: &Claim, assignment: &VerdictAssignment<'_>) -> Phrase {
    let snippet = assignment.evidence.first().map_or("", |best| best.snippet.as_str());
    match assignment.verdict {
        Verdict::Supported => judge_note::supported_by(snippet),
        Verdict::Weak if assignment.passages.first().is_some_and(|best| !best.stance.is_for()) => {
            judge_note::may_conflict(snippet)
        }
        Verdict::Weak => judge_note::partially_supported_by(snippet),
        Verdict::Contradicted => judge_note::contradicted_by(snippet),
        Verdict::NotFound => {
            // A claim that is not found in the stored part of a document may be in the
            // rest, so the note must mention it.
            let cut = cut_documents(request, claim);
            if !cut.is_empty() {
                let cut = Phrase::fold(cut.iter().map(Phrase::verbatim), proof_check::list);
                judge_note::not_in_what_was_kept(cut)
            } else if claim.matches.is_empty() {
                judge_note::none_in_documents()
            } else {
                judge_note::not_adequately_supported()
            }
        }
    }
}

/// The documents that were cut before the claim was looked for in them.
fn cut_documents(request: &LedgerRequest, claim: &Claim) -> Vec<String> {
    let cut = |one: &&ClaimMatch| one.document.truncated == Some(true);
    let matched = claim.matches.iter().filter(cut).map(|one| one.document.filename.clone());
    distinct(request.truncated.iter().cloned().chain(matched))
}

/// The values without repeats, in order.
fn distinct(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    values.filter(|value| seen.insert(value.clone())).collect()
}
