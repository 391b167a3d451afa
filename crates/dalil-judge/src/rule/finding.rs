//! Findings: the compared values, the result, and the place.

use std::ops::Range;

use super::note::excerpt;
use super::text::AnalyzedText;

/// Something in a claim beside what the evidence says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFinding {
    /// What was compared.
    pub kind: RuleKind,
    /// What came of it.
    pub outcome: RuleOutcome,
    /// Where in the claim, in bytes.
    pub claim: Range<usize>,
    /// Where in the evidence, in bytes.
    pub evidence: Option<Range<usize>>,
    /// The words of the claim, cut short where they are long.
    pub said: String,
    /// The words of the evidence.
    pub found: Option<String>,
    /// Whether the two sentences are so alike that nothing but this differs.
    pub(super) is_tight: bool,
}

/// What was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// A count of things.
    Number,
    /// A part of a hundred or a fraction.
    Percent,
    /// An amount in a currency.
    Money,
    /// A length, mass, temperature, area, volume or size of storage.
    Unit,
    /// A length of time.
    Duration,
    /// A date of the Gregorian or the Hijri calendar.
    Date,
    /// A time of the day.
    Time,
    /// How often something is done.
    Frequency,
    /// A place in a sequence.
    Ordinal,
    /// How many of all.
    Quantifier,
    /// What is affirmed and what is denied.
    Negation,
    /// What must, may, should and must not be.
    Modality,
    /// What must hold first, and whose discretion it is.
    Condition,
    /// A name, a code or a place.
    Name,
    /// Which of two comes first: who is older than whom.
    Order,
    /// Which party of a contract, or whose side, something is the duty or the right of.
    Party,
    /// Whether a sentence states what it says, or denies, rejects, repeals, proposes or asks it.
    Frame,
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleOutcome {
    /// The evidence says the same.
    Agrees,
    /// The claim is more definite than the evidence, or says less than it.
    Narrower,
    /// The claim says more than the evidence, or only nearly the same.
    Wider,
    /// The evidence says otherwise.
    Conflicts,
    /// The evidence does not say it.
    Missing,
}

impl RuleFinding {
    pub(super) fn new(
        kind: RuleKind,
        outcome: RuleOutcome,
        claim: &AnalyzedText<'_>,
        span: Range<usize>,
    ) -> Self {
        let said = excerpt(claim.raw.get(span.clone()).unwrap_or_default());
        Self { kind, outcome, claim: span, evidence: None, said, found: None, is_tight: false }
    }

    pub(super) fn met(
        self,
        outcome: RuleOutcome,
        evidence: &AnalyzedText<'_>,
        span: Range<usize>,
    ) -> Self {
        let found = excerpt(evidence.raw.get(span.clone()).unwrap_or_default());
        Self { outcome, evidence: Some(span), found: Some(found), ..self }
    }
}
