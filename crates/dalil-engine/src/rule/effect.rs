//! Effects: what findings mean for a verdict, and the verdict by rules alone.

use dalil_core::ledger::verdict::Verdict;

use super::text::{Roles, Text};
use super::{Finding, Kind, Outcome, Reliability, compare};

#[cfg(test)]
mod tests;

/// What findings mean for a verdict, with the finding that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect<'a> {
    /// The evidence says otherwise, by a finding that decides.
    Contradicts(&'a Finding),
    /// The evidence seems to say otherwise, by a finding that only advises.
    Doubts(&'a Finding),
    /// What the claim is about is not in the evidence, which therefore cannot support it.
    Withholds(&'a Finding),
    /// The evidence supports the claim in part at most.
    Weakens(&'a Finding),
    /// What could be compared agrees.
    Confirms(&'a Finding),
    /// There was nothing to compare.
    Silent,
}

/// What findings mean for a verdict.
pub fn effect(findings: &[Finding]) -> Effect<'_> {
    let first = |outcome| findings.iter().find(move |finding| finding.outcome == outcome);
    let agreed = findings
        .iter()
        .find(|finding| finding.outcome == Outcome::Agrees && finding.kind.counted());
    let decides = |finding: &&Finding| {
        finding.outcome == Outcome::Conflicts && finding.reliability() == Reliability::Decides
    };
    if let Some(finding) = findings.iter().find(decides) {
        return Effect::Contradicts(finding);
    }
    let framed =
        |finding: &&Finding| finding.kind == Kind::Frame && finding.outcome == Outcome::Missing;
    if let Some(finding) = findings.iter().find(framed) {
        return Effect::Withholds(finding);
    }
    if let Some(finding) = first(Outcome::Conflicts) {
        return Effect::Doubts(finding);
    }
    let missing = findings
        .iter()
        .find(|finding| finding.outcome == Outcome::Missing && finding.kind.counted());
    if let Some(finding) = missing
        && agreed.is_none()
    {
        return Effect::Withholds(finding);
    }
    let weaker = |finding: &&Finding| {
        matches!(finding.outcome, Outcome::Missing | Outcome::Narrower | Outcome::Wider)
    };
    if let Some(finding) = findings.iter().find(weaker) {
        return Effect::Weakens(finding);
    }
    first(Outcome::Agrees).map_or(Effect::Silent, Effect::Confirms)
}

/// The share of the claim's terms that the evidence has near each other, in ten-thousandths.
///
/// A claim without a term that carries meaning shares nothing.
pub fn overlap(claim: &str, evidence: &str) -> u16 {
    let (claim, evidence) = (Text::of(claim), Text::of(evidence));
    let roles = Roles::of(&claim, &evidence);
    let (_, fit) = roles.focus();
    let share = (fit.shared * 10_000).checked_div(fit.total).unwrap_or_default();
    u16::try_from(share).unwrap_or(10_000)
}

/// The verdict by rules alone, for text that the model reads badly.
pub fn verdict(claim: &str, evidence: &str) -> Verdict {
    let findings = compare(claim, evidence);
    let overlap = overlap(claim, evidence);
    match effect(&findings) {
        Effect::Contradicts(_) => Verdict::Contradicted,
        Effect::Withholds(_) => Verdict::NotFound,
        Effect::Doubts(_) | Effect::Weakens(_) if overlap >= PART => Verdict::Weak,
        Effect::Confirms(_) if overlap >= MOST => Verdict::Supported,
        Effect::Silent if overlap >= NEARLY_ALL => Verdict::Supported,
        Effect::Confirms(_) | Effect::Silent if overlap >= PART => Verdict::Weak,
        Effect::Doubts(_) | Effect::Weakens(_) | Effect::Confirms(_) | Effect::Silent => {
            Verdict::NotFound
        }
    }
}

impl Kind {
    /// Whether it is a value, without which a claim that states it says little.
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

const PART: u16 = 4_000;

const MOST: u16 = 6_000;

const NEARLY_ALL: u16 = 7_500;
