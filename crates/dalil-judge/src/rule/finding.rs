//! Findings: the compared values, the result, and the place.

use std::ops::Range;

use super::note::excerpt;
use super::text::AnalyzedText;

/// A part of a claim beside the corresponding part of the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFinding {
    /// The kind of comparison.
    pub kind: RuleKind,
    /// Its result.
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

/// The kind of comparison.
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
    /// Affirmation and denial.
    Negation,
    /// Obligation, permission, recommendation and prohibition.
    Modality,
    /// Prerequisites and discretion.
    Condition,
    /// A name, a code or a place.
    Name,
    /// Which of two comes first: who is older than whom.
    Order,
    /// Which party of a contract, or whose side, something is the duty or the right of.
    Party,
    /// Whether a sentence states its content, or denies, rejects, repeals, proposes or asks it.
    Frame,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleOutcome {
    /// Equal.
    Agrees,
    /// The claim is more definite than the evidence, or states less.
    Narrower,
    /// The claim states more than the evidence, or only nearly the same.
    Wider,
    /// The evidence differs.
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
