//! Issues: defects in the evidence of one claim, worded for its reader.

use dalil_phrasebook::{Language, Phrase, ledger};
use serde::Serialize;

use super::citation::CitedPassages;
use super::place::long;
use super::request::Claim;
use super::request::document::EvidenceDocument;
use super::verdict::{ConflictRuling, RelevantMatch, Stance, Verdict, VerdictAssignment};
use crate::anchor::Anchor;

/// Something about the evidence of a claim that its reader must know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimIssue {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: IssueKind,
    /// The citation that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation: Option<Anchor>,
    /// The document that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<EvidenceDocument>,
    /// The stance of that document towards the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stance: Option<Stance>,
    /// How documents that disagree were weighed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruling: Option<ConflictRuling>,
    /// The missing part, or why it cannot be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// In words.
    pub message: String,
}

/// The defects that the evidence of a claim can have, in the order of listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueKind {
    /// A citation names no passage, or more than one.
    UnresolvedCitation,
    /// A citation names a passage that does not bear on the claim.
    UnrelatedCitation,
    /// One document supports what another contradicts.
    ConflictingSources,
    /// A judge finds that the evidence contradicts it, but shows no words.
    MayConflict,
    /// A reader of the document cannot see the evidence.
    HiddenEvidence,
    /// The evidence states a part of the claim only.
    MissingPart,
}

impl IssueKind {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 6] = [
        ("unresolved_citation", Self::UnresolvedCitation),
        ("unrelated_citation", Self::UnrelatedCitation),
        ("conflicting_sources", Self::ConflictingSources),
        ("may_conflict", Self::MayConflict),
        ("hidden_evidence", Self::HiddenEvidence),
        ("missing_part", Self::MissingPart),
    ];
}

impl ClaimIssue {
    pub(super) fn new(kind: IssueKind) -> Self {
        let (citation, document, stance, ruling, detail) = (None, None, None, None, None);
        Self { kind, citation, document, stance, ruling, detail, message: String::new() }
    }

    /// With its message, which follows from the rest.
    pub(super) fn worded(mut self) -> Self {
        self.message = self.phrase().into_text(Language::English).into_owned();
        self
    }

    /// The text for a person.
    pub fn phrase(&self) -> Phrase {
        let cite = format!("[cite:{}]", self.citation.as_ref().map_or("", Anchor::as_str));
        let place = self.document.as_ref().map(long);
        let detail = self.detail.as_deref().filter(|detail| !detail.is_empty());
        match (self.kind, place, detail) {
            (IssueKind::UnresolvedCitation, _, Some(_)) => ledger::issue_ambiguous_citation(cite),
            (IssueKind::UnresolvedCitation, _, None) => ledger::issue_unresolved_citation(cite),
            (IssueKind::UnrelatedCitation, None, _) => ledger::issue_unrelated_citation(cite),
            (IssueKind::UnrelatedCitation, Some(place), _) => {
                ledger::issue_unrelated_citation_at(cite, place)
            }
            (IssueKind::ConflictingSources, place, _) => {
                let says = match self.stance {
                    Some(Stance::Contradicts) => Stance::Contradicts,
                    _ => Stance::Supports,
                };
                let ruling = match self.ruling {
                    Some(ConflictRuling::Named) => ledger::ruling_named(),
                    Some(ConflictRuling::Amended) => ledger::ruling_amended(),
                    Some(ConflictRuling::Open) | None => ledger::ruling_open(),
                };
                ledger::issue_conflicting_sources(stated(place), says.label(), ruling)
            }
            (IssueKind::MayConflict, place, Some(_)) => {
                ledger::issue_may_conflict_hidden(stated(place))
            }
            (IssueKind::MayConflict, place, None) => ledger::issue_may_conflict(stated(place)),
            (IssueKind::HiddenEvidence, place, detail) => {
                ledger::issue_hidden_evidence(stated(place), detail.unwrap_or(""))
            }
            (IssueKind::MissingPart, _, detail) => ledger::issue_missing_part(detail.unwrap_or("")),
        }
    }
}

/// A place, which only a ledger from another program can leave out.
fn stated(place: Option<Phrase>) -> Phrase {
    place.unwrap_or_else(|| Phrase::verbatim(""))
}

/// The issues of a claim, each once.
pub(super) fn issues(
    claim: &Claim,
    assignment: &VerdictAssignment<'_>,
    cited: &CitedPassages<'_>,
) -> Vec<ClaimIssue> {
    let mut issues = cited.issues(claim, assignment);
    issues.extend(conflict(assignment));
    for one in &assignment.passages {
        if one.stance == Stance::MayConflict {
            issues.push(about(IssueKind::MayConflict, one, one.found.hidden.clone()));
        }
        if let Some(why) = &one.found.hidden {
            issues.push(about(IssueKind::HiddenEvidence, one, Some(why.clone())));
        }
    }
    // A missing part is an issue only where it is the reason why the claim is weak.
    let best = assignment.evidence.first().filter(|_| assignment.verdict == Verdict::Weak);
    if let Some(missing) = best.and_then(|best| best.missing.clone()) {
        let detail = Some(missing);
        issues.push(ClaimIssue { detail, ..ClaimIssue::new(IssueKind::MissingPart) }.worded());
    }
    // In the published order of the kinds; stable, so
    // within a kind the order of the passages stays.
    issues.sort_by_key(|issue| {
        IssueKind::WIRE_NAMES.iter().position(|(_, kind)| *kind == issue.kind)
    });
    // Two passages of one page give the same sentence, which a reader needs once.
    let mut seen = std::collections::HashSet::new();
    issues.retain(|issue| seen.insert(issue.message.clone()));
    issues
}

fn about(kind: IssueKind, one: &RelevantMatch<'_>, detail: Option<String>) -> ClaimIssue {
    let document = Some(one.found.document.clone());
    let stance = Some(one.stance);
    ClaimIssue { document, stance, detail, ..ClaimIssue::new(kind) }.worded()
}

/// The passage that contradicts the verdict.
fn conflict(assignment: &VerdictAssignment<'_>) -> Option<ClaimIssue> {
    let ruling = assignment.conflict;
    ruling?;
    let is_for = assignment.verdict != Verdict::Contradicted;
    let own = assignment.evidence.first().map(|best| best.document.id.as_str());
    let opposes = |one: &&RelevantMatch<'_>| {
        let opposite = if is_for { one.stance == Stance::Contradicts } else { one.stance.is_for() };
        opposite && one.found.hidden.is_none()
    };
    let is_other = |one: &&RelevantMatch<'_>| Some(one.found.document.id.as_str()) != own;
    let mut others = assignment.passages.iter().filter(opposes);
    // A passage of another document shows the disagreement best; one of the same is the fallback.
    let one = others.clone().find(is_other).or_else(|| others.next())?;
    let issue = ClaimIssue { ruling, ..about(IssueKind::ConflictingSources, one, None) };
    Some(issue.worded())
}
