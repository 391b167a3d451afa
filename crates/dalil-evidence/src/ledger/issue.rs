//! Issues: what is wrong with the evidence of one claim, said to its reader.

use dalil_phrasebook::Language;
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
    /// What it is.
    #[serde(rename = "type")]
    pub kind: IssueKind,
    /// The citation that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation: Option<Anchor>,
    /// The document that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<EvidenceDocument>,
    /// What that document says about the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stance: Option<Stance>,
    /// How documents that disagree were weighed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruling: Option<ConflictRuling>,
    /// What is missing, or why it cannot be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// In words.
    pub message: String,
}

/// What can be wrong with the evidence of a claim, in the order it is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueKind {
    /// A citation names no passage, or more than one.
    UnresolvedCitation,
    /// A citation names a passage that does not bear on the claim.
    UnrelatedCitation,
    /// One document supports what another contradicts.
    ConflictingSources,
    /// A judge holds that the evidence says otherwise, but shows no words.
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
        self.message = self.message_in(Language::English);
        self
    }

    /// What a person reads, in a language.
    pub fn message_in(&self, language: Language) -> String {
        let place = self.document.as_ref().map(|document| long(document, language));
        let place = place.as_deref().unwrap_or_default();
        let detail = self.detail.as_deref().unwrap_or_default();
        match language {
            Language::English => self.english(place, detail),
            Language::Arabic => self.arabic(place, detail),
        }
    }

    fn cite(&self) -> String {
        format!("[cite:{}]", self.citation.as_ref().map(Anchor::as_str).unwrap_or_default())
    }

    fn english(&self, place: &str, detail: &str) -> String {
        match self.kind {
            IssueKind::UnresolvedCitation if !detail.is_empty() => {
                format!("{} names more than one passage of the documents", self.cite())
            }
            IssueKind::UnresolvedCitation => {
                format!("{} names no passage of the documents", self.cite())
            }
            IssueKind::UnrelatedCitation if place.is_empty() => {
                format!("{} names a passage that does not bear on the claim", self.cite())
            }
            IssueKind::UnrelatedCitation => {
                format!("{} names a passage that does not bear on the claim ({place})", self.cite())
            }
            IssueKind::ConflictingSources => {
                let says = match self.stance {
                    Some(Stance::Contradicts) => "contradicts",
                    _ => "supports",
                };
                let why = match self.ruling {
                    Some(ConflictRuling::Named) => {
                        "the verdict is that of the document that the answer cites or names"
                    }
                    Some(ConflictRuling::Amended) => {
                        "the verdict is that of the later document, which amends it"
                    }
                    _ => "nothing says which document prevails",
                };
                format!("Documents disagree: {place} {says} the claim; {why}")
            }
            IssueKind::MayConflict if !detail.is_empty() => {
                format!("May conflict: {place}, in words that a reader cannot see")
            }
            IssueKind::MayConflict => {
                format!("May conflict: {place}; the judge names no words that cannot both be true")
            }
            IssueKind::HiddenEvidence => {
                format!("A reader of {place} cannot see this evidence: {detail}")
            }
            IssueKind::MissingPart => format!("The evidence does not state: {detail}"),
        }
    }

    fn arabic(&self, place: &str, detail: &str) -> String {
        match self.kind {
            IssueKind::UnresolvedCitation if !detail.is_empty() => {
                format!("الاستشهاد {} يدل على أكثر من مقطع في الوثائق", self.cite())
            }
            IssueKind::UnresolvedCitation => {
                format!("الاستشهاد {} لا يدل على أي مقطع في الوثائق", self.cite())
            }
            IssueKind::UnrelatedCitation if place.is_empty() => {
                format!("الاستشهاد {} يدل على مقطع لا صلة له بالادعاء", self.cite())
            }
            IssueKind::UnrelatedCitation => {
                format!("الاستشهاد {} يدل على مقطع لا صلة له بالادعاء ({place})", self.cite())
            }
            IssueKind::ConflictingSources => {
                let says = match self.stance {
                    Some(Stance::Contradicts) => "يناقض",
                    _ => "يؤيّد",
                };
                let why = match self.ruling {
                    Some(ConflictRuling::Named) => {
                        "والحكم للوثيقة التي تستشهد بها الإجابة أو تسمّيها"
                    }
                    Some(ConflictRuling::Amended) => "والحكم للوثيقة اللاحقة التي تعدّلها",
                    _ => "ولا شيء يبيّن أيّ الوثيقتين تُقدَّم",
                };
                format!("الوثائق متعارضة: {place} {says} الادعاء؛ {why}")
            }
            IssueKind::MayConflict if !detail.is_empty() => {
                format!("قد يتعارض: {place}، في كلمات لا يراها القارئ")
            }
            IssueKind::MayConflict => {
                format!("قد يتعارض: {place}؛ ولم يذكر الحَكَم كلمات لا يصح الجمع بينها")
            }
            IssueKind::HiddenEvidence => {
                format!("لا يرى قارئ {place} هذا الدليل: {detail}")
            }
            IssueKind::MissingPart => format!("لا يذكر الدليل: {detail}"),
        }
    }
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
    // What is missing is a finding only where it is the reason why the claim is weak.
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

/// The passage that says the opposite of the verdict.
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
