//! Remarks: notes beside the verdict of a claim, in one line each.

use dalil_evidence::ledger::ClaimFinding;
use dalil_evidence::ledger::issue::ClaimIssue;
use dalil_evidence::ledger::passage::EvidencePassage;
use dalil_evidence::ledger::place::long;
use dalil_phrasebook::{Phrase, ledger};

/// The issues of a claim's evidence; where passages disagree, both of them.
pub fn remarks(finding: &ClaimFinding) -> Vec<Phrase> {
    let mut lines: Vec<Phrase> = finding.issues.iter().map(ClaimIssue::phrase).collect();
    let mut opposing = finding.opposing().peekable();
    // A reader of a passage against the verdict needs the one for it beside it.
    if opposing.peek().is_some() {
        let own = finding.evidence_passages.first();
        lines.extend(own.into_iter().chain(opposing).map(quoted));
    }
    lines
}

/// `contradicts: "…" (HR.pdf, Page 3); the claim says “60 days”, the evidence says “10 days”`.
pub fn quoted(one: &EvidencePassage) -> Phrase {
    let passage = ledger::passage(one.stance.label(), &one.snippet, long(&one.document));
    match &one.reason {
        Some(reason) => ledger::passage_with_reason(passage, reason.phrase()),
        None => passage,
    }
}
