//! Risk flags: risks in a ledger that its reader should act on, with the action.

use std::borrow::Cow;
use std::collections::HashSet;

use dalil_phrasebook::{Language, Phrase, ledger, ledger_check, proof_check};
use dalil_proof::canon::NotCanonical;
use dalil_proof::id::Uuid;
use serde::Serialize;

use super::citation::{CitationResolution, CitedPassages};
use super::issue::IssueKind;
use super::request::LedgerRequest;
use super::request::document::EvidenceDocument;
use super::request::matching::ClaimMatch;
use super::verdict::{ConflictRuling, SupportLevel, Verdict, VerdictAssignment};
use super::{AssignedClaim, part_id};
use crate::anchor::Anchor;
use crate::claim::ClaimImportance;

/// One risk and the claims it touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RiskFlag {
    /// Made from the digest of the risk, its session and its time.
    pub id: Uuid,
    /// The rest.
    #[serde(flatten)]
    pub risk: LedgerRisk,
}

/// One risk of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerRisk {
    /// Which of them.
    #[serde(rename = "type")]
    pub kind: RiskKind,
    /// How bad.
    pub severity: RiskSeverity,
    /// In words.
    pub description: String,
    /// The claims.
    pub affected_claim_ids: Vec<String>,
    /// The mitigation.
    pub mitigation: Phrase,
}

impl LedgerRisk {
    /// Its text in a language: in Arabic, the claims that it touches, or the citations of the
    /// ledger that name nothing.
    pub fn described(&self, citations: &[CitationResolution], language: Language) -> Cow<'_, str> {
        match language {
            Language::English => Cow::Borrowed(&self.description),
            // A citation may belong to no claim.
            Language::Arabic if self.affected_claim_ids.is_empty() => {
                let open = citations.iter().filter(|one| !one.resolved);
                let phrase = unresolved_citations(open.map(|one| one.chunk_hash.as_str()));
                Cow::Owned(phrase.text(language).to_owned())
            }
            Language::Arabic => {
                let claims = self.affected_claim_ids.iter().map(Phrase::verbatim);
                let claims = Phrase::fold(claims, proof_check::list);
                ledger::risk_of_claims(claims).into_text(language)
            }
        }
    }
}

/// The risks, in the order they are listed: the contract's six, then ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskKind {
    /// A critical claim has no evidence.
    MissingEvidence,
    /// The evidence contradicts it.
    Contradiction,
    /// The claims together are not sure enough.
    LowConfidence,
    /// The evidence is old.
    OutdatedSource,
    /// Two partial matches are as good as each other.
    AmbiguousEvidence,
    /// One document supports what another contradicts.
    ConflictingSources,
    /// A citation names no passage.
    UnresolvedCitation,
    /// A citation names a passage that does not bear on its claim.
    UnrelatedCitation,
}

impl RiskKind {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 8] = [
        ("missing_evidence", Self::MissingEvidence),
        ("contradiction", Self::Contradiction),
        ("low_confidence", Self::LowConfidence),
        ("outdated_source", Self::OutdatedSource),
        ("ambiguous_evidence", Self::AmbiguousEvidence),
        ("conflicting_sources", Self::ConflictingSources),
        ("unresolved_citation", Self::UnresolvedCitation),
        ("unrelated_citation", Self::UnrelatedCitation),
    ];

    /// The words a person reads.
    pub const fn label(self) -> Phrase {
        match self {
            Self::MissingEvidence => ledger::risk_missing_evidence(),
            Self::Contradiction => ledger::risk_contradiction(),
            Self::LowConfidence => ledger::risk_low_confidence(),
            Self::OutdatedSource => ledger::risk_outdated_source(),
            Self::AmbiguousEvidence => ledger::risk_ambiguous_evidence(),
            Self::ConflictingSources => ledger::risk_conflicting_sources(),
            Self::UnresolvedCitation => ledger::risk_unresolved_citation(),
            Self::UnrelatedCitation => ledger::risk_unrelated_citation(),
        }
    }

    /// The mitigation.
    pub const fn mitigation(self) -> Phrase {
        match self {
            Self::MissingEvidence => ledger::mitigation_missing_evidence(),
            Self::Contradiction => ledger::mitigation_contradiction(),
            Self::LowConfidence => ledger::mitigation_low_confidence(),
            Self::OutdatedSource => ledger::mitigation_outdated_source(),
            Self::AmbiguousEvidence => ledger::mitigation_ambiguous_evidence(),
            Self::ConflictingSources => ledger::mitigation_conflicting_sources(),
            Self::UnresolvedCitation => ledger::mitigation_unresolved_citation(),
            Self::UnrelatedCitation => ledger::mitigation_unrelated_citation(),
        }
    }

    const fn severity(self) -> RiskSeverity {
        match self {
            Self::MissingEvidence
            | Self::Contradiction
            | Self::ConflictingSources
            | Self::UnresolvedCitation => RiskSeverity::High,
            Self::LowConfidence
            | Self::OutdatedSource
            | Self::AmbiguousEvidence
            | Self::UnrelatedCitation => RiskSeverity::Medium,
        }
    }
}

/// How bad a risk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskSeverity {
    /// Do not rely on the answer.
    High,
    /// Look again.
    Medium,
    /// Good to know.
    Low,
}

impl RiskSeverity {
    /// The word a person reads.
    pub const fn label(self) -> Phrase {
        match self {
            Self::High => ledger::severity_high(),
            Self::Medium => ledger::severity_medium(),
            Self::Low => ledger::severity_low(),
        }
    }
}

/// The flags of a ledger: at most one of each kind.
pub(super) fn flags(
    request: &LedgerRequest,
    assigned: &[AssignedClaim<'_>],
    cited: &CitedPassages<'_>,
) -> Result<Vec<RiskFlag>, NotCanonical> {
    let outdated = |one: &AssignedClaim<'_>| {
        let best = one.assignment.evidence.first();
        best.is_some_and(|best| is_outdated(request, &best.document))
    };
    let is = |one: &AssignedClaim<'_>, verdict| one.assignment.verdict == verdict;
    // The published order of the types; one place for each, so no type can occur twice.
    let risks = [
        per_claim(MISSING_EVIDENCE_RISK, assigned, |one| {
            is(one, Verdict::NotFound) && one.claim.importance == ClaimImportance::Critical
        }),
        per_claim(CONTRADICTION_RISK, assigned, |one| is(one, Verdict::Contradicted)),
        low_confidence(assigned),
        per_claim(OUTDATED_SOURCE_RISK, assigned, outdated),
        per_claim(AMBIGUOUS_EVIDENCE_RISK, assigned, |one| {
            is(one, Verdict::Weak) && is_ambiguous(&one.assignment)
        }),
        per_claim(CONFLICTING_SOURCES_RISK, assigned, conflicts),
        unresolved(assigned, cited),
        per_claim(UNRELATED_CITATION_RISK, assigned, |one| has(one, IssueKind::UnrelatedCitation)),
    ];
    let flag = |risk: LedgerRisk| Ok(RiskFlag { id: part_id(request, "flag", &risk)?, risk });
    risks.into_iter().flatten().map(flag).collect()
}

/// The risk of the claims that it touches, when there are any.
fn per_claim(
    (kind, words): (RiskKind, &str),
    assigned: &[AssignedClaim<'_>],
    touches: impl Fn(&AssignedClaim<'_>) -> bool,
) -> Option<LedgerRisk> {
    let touched = assigned.iter().filter(|one| touches(one));
    let ids: Vec<String> = touched.map(|one| one.claim.claim_id.clone()).collect();
    let count = ids.len();
    (count > 0).then(|| risk(kind, format!("{count} {words}"), ids))
}

/// The citations that name no passage, also those that belong to no claim.
fn unresolved(assigned: &[AssignedClaim<'_>], cited: &CitedPassages<'_>) -> Option<LedgerRisk> {
    let anchors = cited.unresolved();
    let is_none = anchors.is_empty();
    let phrase = unresolved_citations(anchors.into_iter().map(Anchor::as_str));
    // A citation may belong to no claim, so this list may be empty although the risk is there.
    let touched = assigned.iter().filter(|one| has(one, IssueKind::UnresolvedCitation));
    let ids = touched.map(|one| one.claim.claim_id.clone()).collect();
    let description = phrase.english().to_owned();
    (!is_none).then(|| risk(RiskKind::UnresolvedCitation, description, ids))
}

/// The text about citations that name no passage: how many there are, and the first of them, each
/// once.
pub fn unresolved_citations<'a>(anchors: impl IntoIterator<Item = &'a str>) -> Phrase {
    let mut names: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    for anchor in anchors {
        if seen.insert(anchor) && seen.len() <= MAX_NAMED_CITATIONS {
            names.push(anchor);
        }
    }
    if seen.len() > names.len() {
        names.push("…");
    }
    ledger_check::citations_name_no_passage(seen.len(), names.join(", "))
}

fn has(one: &AssignedClaim<'_>, kind: IssueKind) -> bool {
    one.issues.iter().any(|issue| issue.kind == kind)
}

/// The mean of all confidences is below 0.6; exactly 0.6 is not.
fn low_confidence(assigned: &[AssignedClaim<'_>]) -> Option<LedgerRisk> {
    let units = |one: &AssignedClaim<'_>| u64::from(one.assignment.confidence.units());
    let total: u64 = assigned.iter().map(units).sum();
    let count = assigned.len() as u64;
    // total / count < 0.6, multiplied out: the exact mean, not a rounded one.
    if count == 0 || total >= MIN_CONFIDENCE_UNITS * count {
        return None;
    }
    // total / count / 100, rounded half up.
    let percent = (total * 2 + count * 100) / (count * 200);
    let low = assigned.iter().filter(|one| units(one) < MIN_CONFIDENCE_UNITS);
    let ids = low.map(|one| one.claim.claim_id.clone()).collect();
    Some(risk(RiskKind::LowConfidence, format!("Overall confidence is low ({percent}%)"), ids))
}

fn risk(kind: RiskKind, description: String, affected_claim_ids: Vec<String>) -> LedgerRisk {
    let (severity, mitigation) = (kind.severity(), kind.mitigation());
    LedgerRisk { kind, severity, description, affected_claim_ids, mitigation }
}

fn is_outdated(request: &LedgerRequest, document: &EvidenceDocument) -> bool {
    let allowed = request.options.outdated_days;
    document.date.as_ref().is_some_and(|date| date.is_older_than(allowed, request.created_at))
}

/// Two partial matches from different chunks within 0.05 of each other.
///
/// In order of similarity, if any such two exist then two neighbours are such.
fn is_ambiguous(assignment: &VerdictAssignment<'_>) -> bool {
    let partial = assignment.passages.iter().map(|one| one.found);
    let mut partial: Vec<&ClaimMatch> =
        partial.filter(|one| one.support == SupportLevel::Partial).collect();
    partial.sort_by_key(|one| one.similarity);
    partial.windows(2).any(|pair| match pair {
        // In order of similarity, so the difference is not negative.
        [a, b] => {
            a.chunk_id != b.chunk_id
                && b.similarity.units() - a.similarity.units() <= MAX_AMBIGUOUS_GAP_UNITS
        }
        _ => false,
    })
}

/// One document supports what another contradicts, and neither amends the other.
fn conflicts(one: &AssignedClaim<'_>) -> bool {
    let ruling = one.assignment.conflict;
    matches!(ruling, Some(ConflictRuling::Named | ConflictRuling::Open))
}

/// The most citations that the description of a risk names; the ledger lists all.
const MAX_NAMED_CITATIONS: usize = 5;
/// 0.6 in ten-thousandths.
const MIN_CONFIDENCE_UNITS: u64 = 6_000;
/// 0.05 in ten-thousandths.
const MAX_AMBIGUOUS_GAP_UNITS: u16 = 500;

const MISSING_EVIDENCE_RISK: (RiskKind, &str) =
    (RiskKind::MissingEvidence, "critical claim(s) have no supporting evidence");
const CONTRADICTION_RISK: (RiskKind, &str) =
    (RiskKind::Contradiction, "claim(s) contradict the source documents");
const OUTDATED_SOURCE_RISK: (RiskKind, &str) =
    (RiskKind::OutdatedSource, "claim(s) rest on a source that may be outdated");
const AMBIGUOUS_EVIDENCE_RISK: (RiskKind, &str) =
    (RiskKind::AmbiguousEvidence, "claim(s) rest on evidence that is open to interpretation");
const CONFLICTING_SOURCES_RISK: (RiskKind, &str) = (
    RiskKind::ConflictingSources,
    "claim(s) are supported by one document and contradicted by another",
);
const UNRELATED_CITATION_RISK: (RiskKind, &str) =
    (RiskKind::UnrelatedCitation, "claim(s) cite a passage that does not bear on them");
