//! Rules: values, negation, modality and names, compared so that a person can follow.
//!
//! [`compare`] finds what can be compared, [`effect`] says what it means for a
//! verdict, and [`RuleFinding::note`] says it to a person. The rules read English
//! and Arabic. They do not know what a sentence means: two values meet only
//! when the words around them say that they have the same role, and where the
//! rules cannot tell they find nothing.
//!
//! Every finding is a function of the two texts. Time grows in proportion to
//! their length; of each text at most 4,000 words and 64 quantities are read.

use std::ops::Range;

use text::{AnalyzedText, RoleAlignment};

mod amount;
mod antonym;
mod bound;
mod clock;
mod condition;
mod contrast;
mod date;
mod effect;
mod frame;
mod frame_words;
mod modality;
mod name;
mod negation;
mod note;
mod number;
mod order;
mod ordinal;
mod party;
mod period;
mod polarity;
mod presence;
mod quantifier;
mod quantity;
mod reference;
mod reliability;
mod role;
mod stem;
mod text;
mod unit;
mod word;

#[cfg(test)]
mod tests;

pub use contrast::{WordPair, conflicting_words};
pub use effect::{RuleEffect, effect, overlap, verdict};
pub use presence::holds_figures;
pub use reliability::RuleReliability;

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
    is_tight: bool,
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

/// Compares a claim with a sentence of evidence, or a few.
pub fn compare(claim: &str, evidence: &str) -> Vec<RuleFinding> {
    let (claim, evidence) = (AnalyzedText::of(claim), AnalyzedText::of(evidence));
    match frame::denial(&claim) {
        Some(denial) => frame::turned(&claim, &evidence, &denial),
        None => stated(&claim, &evidence),
    }
}

/// What is found for a claim that states something, as far as no frame takes it away.
fn stated(claim: &AnalyzedText<'_>, evidence: &AnalyzedText<'_>) -> Vec<RuleFinding> {
    let roles = RoleAlignment::of(claim, evidence);
    let (sentence, fit) = roles.focus();
    let mut findings = amount::findings(claim, evidence, &roles);
    findings.extend(modality::findings([claim, evidence], &roles, sentence, fit));
    // Two prohibitions agree, whatever words they deny.
    if !(modality::forbids(claim) && modality::forbids(evidence)) {
        findings.extend(polarity::findings([claim, evidence], &roles, sentence, fit));
    }
    findings.extend(quantifier::findings(claim, evidence, sentence, fit));
    findings.extend(condition::findings(claim, evidence, sentence, fit));
    findings.extend(name::findings(claim, evidence, &roles, fit));
    findings.extend(order::findings(claim, evidence, sentence, fit));
    findings.extend(party::findings(claim, evidence, sentence, fit));
    // Under a condition, or with other values, the sentence may be about another case: then a
    // difference in words decides nothing.
    let is_open = role::is_conditional(evidence, sentence)
        || role::has_other_values(claim, evidence, sentence);
    for finding in findings.iter_mut().filter(|finding| !finding.kind.is_value()) {
        finding.is_tight |= fit.mirrors();
        finding.is_tight &= !is_open;
    }
    // Last: a frame replaces all findings of what it holds.
    frame::framed([claim, evidence], sentence, findings)
}

impl RuleFinding {
    fn new(
        kind: RuleKind,
        outcome: RuleOutcome,
        claim: &AnalyzedText<'_>,
        span: Range<usize>,
    ) -> Self {
        let said = note::excerpt(claim.raw.get(span.clone()).unwrap_or_default());
        Self { kind, outcome, claim: span, evidence: None, said, found: None, is_tight: false }
    }

    fn met(self, outcome: RuleOutcome, evidence: &AnalyzedText<'_>, span: Range<usize>) -> Self {
        let found = note::excerpt(evidence.raw.get(span.clone()).unwrap_or_default());
        Self { outcome, evidence: Some(span), found: Some(found), ..self }
    }
}
