//! Roles: whether two values are the one value of two sentences about the same thing.

use std::collections::BTreeSet;

use super::amount::{comparable, head, shares};
use super::bound::QuantityBound;
use super::quantity::{Quantity, QuantityValue};
use super::text::{AlignmentFit, AnalyzedText};
use super::unit::QuantityMeasure;
use super::word::WordToken;

/// Whether a value of the claim and one of the evidence stand alone in clauses of nearly the same
/// words, so that a difference between them decides.
pub(super) fn is_one(texts: [&AnalyzedText<'_>; 2], said: &Quantity, found: &Quantity) -> bool {
    let [claim, evidence] = texts;
    let clause = |at: usize| evidence.clause(at);
    let own = clause(found.words.start)..=clause(found.words.end.saturating_sub(1));
    let sentence = evidence.sentence(found.words.start);
    let near = |at: usize| own.contains(&clause(at));
    let here = |at: usize| evidence.sentence(at) == sentence;
    let (narrow, wide) = (in_clause(claim, evidence, near), in_clause(claim, evidence, here));
    let headed = head(claim, said).is_some() && head(claim, said) == head(evidence, found);
    let is_clear = |fit: AlignmentFit| {
        // Where the evidence also has the value of the claim, the other one may belong elsewhere.
        let told = evidence.quantities.iter().any(|one| one.value == said.value);
        counts_alike(said, found) && alike(said, found, fit) && (!told || headed || fit.mirrors())
    };
    let other = |one: &Quantity| headed && head(evidence, one) != head(evidence, found);
    // What happened then must be in the same words: "founded in 1975", "listed in 1994".
    let close = narrow.sharp() && (said.measure != QuantityMeasure::Date || narrow.mirrors());
    let in_clause = close
        && is_clear(narrow)
        && alone(evidence, found, |one| near(one.words.end.saturating_sub(1)) && !other(one));
    // A further value that the claim has not may mean another case.
    let new = |one: &Quantity| {
        one != found && !claim.quantities.iter().any(|said| said.value == one.value)
    };
    let in_sentence = wide.mirrors()
        && is_clear(wide)
        && alone(evidence, found, |one| here(one.words.start) && !other(one))
        && !evidence.quantities.iter().any(|one| here(one.words.start) && new(one));
    alone(claim, said, |_| true)
        && (in_clause || in_sentence)
        && !supposes(claim)
        && !is_alternative(evidence, found)
        && !is_conditional(evidence, sentence)
}

/// `four or six wheels`, `between 1 May and 30 June`: one of several values.
fn is_alternative(text: &AnalyzedText<'_>, quantity: &Quantity) -> bool {
    let before = quantity.words.start.checked_sub(1).and_then(|before| text.words.get(before));
    before.is_some_and(|word| ["or", "او", "between", "بين"].contains(&word.form.as_str()))
}

/// How well the claim fits one clause of the evidence.
fn in_clause(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    here: impl Fn(usize) -> bool,
) -> AlignmentFit {
    let keys = claim.keys();
    let clause = || evidence.terms.iter().filter(|term| here(term.at));
    let held: BTreeSet<&str> = clause().map(|term| term.key.as_str()).collect();
    let shared = held.intersection(&keys).count();
    AlignmentFit { shared, total: keys.len(), around: clause().count(), ..AlignmentFit::default() }
}

/// Whether a sentence has a value that the claim has not, so that it may be about another case.
pub(super) fn has_other_values(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    sentence: usize,
) -> bool {
    let here =
        evidence.quantities.iter().filter(|one| evidence.sentence(one.words.start) == sentence);
    here.into_iter().any(|one| !claim.quantities.iter().any(|said| said.value == one.value))
}

/// Whether a sentence holds under a condition, or but for an exception.
pub(super) fn is_conditional(text: &AnalyzedText<'_>, sentence: usize) -> bool {
    let here = text.words.iter().filter(|word| word.sentence == sentence);
    here.into_iter().any(|word| CONDITION_WORDS.contains(&word.form.as_str()))
}

/// Whether no other value of a text could be meant.
fn alone(text: &AnalyzedText<'_>, quantity: &Quantity, here: impl Fn(&Quantity) -> bool) -> bool {
    let rivals = text.quantities.iter().filter(|one| here(one));
    rivals.filter(|one| comparable(&quantity.measure, &one.measure)).count() == 1
}

/// Whether two counts are of the same things.
fn counts_alike(said: &Quantity, found: &Quantity) -> bool {
    match (&said.measure, &found.measure) {
        (QuantityMeasure::Count(a), QuantityMeasure::Count(b)) => !a.is_empty() && shares(a, b),
        _ => true,
    }
}

/// Whether two values have the same bound and period, or differ in that alone.
///
/// An exact value beside a bound may be an instance of the rule: then it must break it.
fn alike(said: &Quantity, found: &Quantity, fit: AlignmentFit) -> bool {
    let class = |bound: QuantityBound| match bound {
        QuantityBound::Exact | QuantityBound::About => 0,
        QuantityBound::AtLeast | QuantityBound::Above => 1,
        QuantityBound::AtMost | QuantityBound::Below => 2,
    };
    let apart = said.per.is_some() && found.per.is_some() && said.per != found.per;
    let (a, c) = match (&said.value, &found.value) {
        (QuantityValue::Numbers(a, _), QuantityValue::Numbers(c, _)) => (*a, *c),
        (said, found) if said == found => (0, 0),
        _ => (0, 1),
    };
    match (class(said.bound), class(found.bound)) {
        _ if apart || (found.per.is_none() && said.per.is_some()) => a == c && fit.mirrors(),
        (said, found) if said == found => true,
        _ if a == c => fit.mirrors(),
        (0, 1) => a < c,
        (0, 2) => a > c,
        _ => fit.mirrors(),
    }
}

/// Whether a claim reckons with a case rather than restating a rule.
fn supposes(claim: &AnalyzedText<'_>) -> bool {
    claim.words.iter().any(|word: &WordToken| SUPPOSITION_WORDS.contains(&word.form.as_str()))
}

const SUPPOSITION_WORDS: &[&str] = &[
    "if",
    "together",
    "altogether",
    "combined",
    "double",
    "twice",
    "remaining",
    "left",
    "still",
    "someone",
    "would",
    "earlier",
    "later",
    "sum",
    "average",
    "exactly",
    "اذا",
    "لو",
    "اجمالا",
    "مجموع",
    "معا",
    "ضعف",
];

const CONDITION_WORDS: &[&str] = &[
    "if",
    "unless",
    "except",
    "otherwise",
    "either",
    "provided",
    "whether",
    "until",
    "apart",
    "save",
    "instead",
    "اذا",
    "الا",
    "عدا",
    "باستثنا",
    "والا",
    "فان",
    "بشرط",
    "شريطه",
    "لكن",
    "ولكن",
    "but",
];
