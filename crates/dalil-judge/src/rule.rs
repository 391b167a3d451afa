//! Rules: values, negation, modality and names, compared so that a person can follow.
//!
//! [`compare`] finds comparable values, [`effect`] maps findings to a
//! verdict, and [`RuleFinding::note`] explains them. The rules read English
//! and Arabic. They do not understand a sentence: two values are compared only
//! when the words around them show that they have the same role, and in doubt
//! the rules find nothing.
//!
//! Every finding is a function of the two texts. Time grows in proportion to
//! their length; of each text at most 4,000 words and 64 quantities are read.

use text::{AnalyzedText, RoleAlignment};

mod amount;
mod antonym;
mod bound;
mod clock;
mod condition;
mod contrast;
mod date;
mod effect;
mod finding;
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
pub use finding::{RuleFinding, RuleKind, RuleOutcome};
pub use presence::{holds_figures, is_named, naming_words, states_other_figures};
pub use reliability::RuleReliability;

/// Compares a claim with a sentence of evidence, or a few.
pub fn compare(claim: &str, evidence: &str) -> Vec<RuleFinding> {
    let (claim, evidence) = (AnalyzedText::of(claim), AnalyzedText::of(evidence));
    match frame::denial(&claim) {
        Some(denial) => frame::turned(&claim, &evidence, &denial),
        None => stated(&claim, &evidence),
    }
}

/// The findings for a claim that states something, unless a frame replaces them.
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
    // Last: a frame replaces all findings inside it.
    frame::framed([claim, evidence], sentence, findings)
}
