//! Remarks: what a reader is told beside the verdict of a claim, in one line each.

use dalil_phrasebook::Language;

use super::ClaimFinding;
use super::passage::EvidencePassage;
use super::place::long;

/// What is wrong with the evidence of a claim; where passages disagree, both of them.
pub fn remarks(finding: &ClaimFinding, language: Language) -> Vec<String> {
    let mut lines: Vec<String> =
        finding.issues.iter().map(|issue| issue.message_in(language)).collect();
    let mut opposing = finding.opposing().peekable();
    // Whoever reads a passage against the verdict needs the one for it beside it.
    if opposing.peek().is_some() {
        let own = finding.evidence_passages.first();
        lines.extend(own.into_iter().chain(opposing).map(|one| quoted(one, language)));
    }
    lines
}

/// `contradicts: "…" (HR.pdf, Page 3); the claim says “60 days”, the evidence says “10 days”`.
pub fn quoted(one: &EvidencePassage, language: Language) -> String {
    let stance = one.stance.label_in(language);
    let place = long(&one.document, language);
    let words = match language {
        Language::English => format!("{stance}: \"{}\" ({place})", one.snippet),
        Language::Arabic => format!("{stance}: «{}» ({place})", one.snippet),
    };
    let reason = one.reason.as_ref().map(|reason| reason.sentence_in(language));
    reason.map_or(words.clone(), |reason| format!("{words}{} {reason}", language.pick(";", "؛")))
}
