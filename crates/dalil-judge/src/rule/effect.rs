//! Effects: maps findings to a verdict, and gives the verdict by rules alone.

use dalil_evidence::ledger::verdict::Verdict;

use super::compare;
use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::reliability::RuleReliability;
use super::text::{AnalyzedText, RoleAlignment};

#[cfg(test)]
mod tests;

/// The effect of findings on a verdict, with the finding that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleEffect<'a> {
    /// The evidence contradicts the claim, by a finding that decides.
    Contradicts(&'a RuleFinding),
    /// The evidence seems to contradict the claim, by a finding that only advises.
    Doubts(&'a RuleFinding),
    /// The claim's subject is not in the evidence, which therefore cannot support it.
    Withholds(&'a RuleFinding),
    /// The evidence supports the claim in part at most.
    Weakens(&'a RuleFinding),
    /// All that could be compared agrees.
    Confirms(&'a RuleFinding),
    /// There was nothing to compare.
    Silent,
}

/// Returns the effect of findings on a verdict.
pub fn effect(findings: &[RuleFinding]) -> RuleEffect<'_> {
    let first = |outcome| findings.iter().find(move |finding| finding.outcome == outcome);
    let agreed = findings
        .iter()
        .find(|finding| finding.outcome == RuleOutcome::Agrees && finding.kind.counted());
    let decides = |finding: &&RuleFinding| {
        finding.outcome == RuleOutcome::Conflicts
            && finding.reliability() == RuleReliability::Decides
    };
    // By strength: a conflict that decides, a frame, any conflict, then a missing value.
    if let Some(finding) = findings.iter().find(decides) {
        return RuleEffect::Contradicts(finding);
    }
    let framed = |finding: &&RuleFinding| {
        finding.kind == RuleKind::Frame && finding.outcome == RuleOutcome::Missing
    };
    if let Some(finding) = findings.iter().find(framed) {
        return RuleEffect::Withholds(finding);
    }
    if let Some(finding) = first(RuleOutcome::Conflicts) {
        return RuleEffect::Doubts(finding);
    }
    let missing = findings
        .iter()
        .find(|finding| finding.outcome == RuleOutcome::Missing && finding.kind.counted());
    // Beside a value that agrees a missing one only weakens, below.
    if let Some(finding) = missing
        && agreed.is_none()
    {
        return RuleEffect::Withholds(finding);
    }
    let weaker = |finding: &&RuleFinding| {
        matches!(finding.outcome, RuleOutcome::Missing | RuleOutcome::Narrower | RuleOutcome::Wider)
    };
    if let Some(finding) = findings.iter().find(weaker) {
        return RuleEffect::Weakens(finding);
    }
    first(RuleOutcome::Agrees).map_or(RuleEffect::Silent, RuleEffect::Confirms)
}

/// The share of the claim's terms that the evidence has near each other, in ten-thousandths.
///
/// A claim without a term that carries meaning shares nothing.
pub fn overlap(claim: &str, evidence: &str) -> u16 {
    let (claim, evidence) = (AnalyzedText::of(claim), AnalyzedText::of(evidence));
    let roles = RoleAlignment::of(&claim, &evidence);
    let (_, fit) = roles.focus();
    let share = (fit.shared * 10_000).checked_div(fit.total).unwrap_or(0);
    u16::try_from(share).unwrap_or(10_000)
}

/// The verdict by rules alone. No judge uses it: the rule suite measures with it the quality of
/// the rules without a model.
pub fn verdict(claim: &str, evidence: &str) -> Verdict {
    let findings = compare(claim, evidence);
    let overlap = overlap(claim, evidence);
    match effect(&findings) {
        RuleEffect::Contradicts(_) => Verdict::Contradicted,
        RuleEffect::Withholds(_) => Verdict::NotFound,
        RuleEffect::Doubts(_) | RuleEffect::Weakens(_)
            if overlap >= MIN_WEAK_OVERLAP_BASIS_POINTS =>
        {
            Verdict::Weak
        }
        RuleEffect::Confirms(_) if overlap >= MIN_CONFIRMED_OVERLAP_BASIS_POINTS => {
            Verdict::Supported
        }
        RuleEffect::Silent if overlap >= MIN_SILENT_OVERLAP_BASIS_POINTS => Verdict::Supported,
        RuleEffect::Confirms(_) | RuleEffect::Silent
            if overlap >= MIN_WEAK_OVERLAP_BASIS_POINTS =>
        {
            Verdict::Weak
        }
        RuleEffect::Doubts(_)
        | RuleEffect::Weakens(_)
        | RuleEffect::Confirms(_)
        | RuleEffect::Silent => Verdict::NotFound,
    }
}

impl RuleKind {
    /// Whether it is a value, without which the claim that states it has little content.
    pub fn counted(self) -> bool {
        match self {
            Self::Number
            | Self::Percent
            | Self::Money
            | Self::Unit
            | Self::Duration
            | Self::Date
            | Self::Time
            | Self::Frequency => true,
            Self::Ordinal
            | Self::Quantifier
            | Self::Negation
            | Self::Modality
            | Self::Condition
            | Self::Name
            | Self::Order
            | Self::Party
            | Self::Frame => false,
        }
    }
}

/// Shares of the claim's terms that a sentence must have, chosen by hand. No verdict of the product
/// depends on them.
const MIN_WEAK_OVERLAP_BASIS_POINTS: u16 = 4_000;

const MIN_CONFIRMED_OVERLAP_BASIS_POINTS: u16 = 6_000;

const MIN_SILENT_OVERLAP_BASIS_POINTS: u16 = 7_500;
