//! Modality: obligations, permissions, recommendations and prohibitions.

use std::sync::LazyLock;

use super::bound;
use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::negation;
use super::text::{AlignmentFit, AnalyzedText, RoleAlignment};
use super::word::{PhraseTable, WordToken};

#[cfg(test)]
mod tests;

/// Compares the modality of a claim with that of a sentence of the evidence.
pub(super) fn findings(
    texts: [&AnalyzedText<'_>; 2],
    roles: &RoleAlignment<'_>,
    sentence: usize,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    let [claim, evidence] = texts;
    // A duty in a sentence of other words may be that of someone else.
    if !fit.tight() {
        return Vec::new();
    }
    let found: Vec<_> = forces(evidence)
        .into_iter()
        .filter(|&(at, ..)| evidence.sentence(at) == sentence)
        .collect();
    let said = forces(claim);
    let whole = claim.span(0..claim.words.len());
    if said.is_empty() {
        // A permission is weaker than a fact.
        let may = found
            .iter()
            .find(|&&(_, _, force)| matches!(force, ModalForce::May | ModalForce::Should));
        let wider = |&(at, length, _): &(usize, usize, ModalForce)| {
            let place = evidence.span(at..at + length);
            RuleFinding::new(RuleKind::Modality, RuleOutcome::Wider, claim, whole.clone()).met(
                RuleOutcome::Wider,
                evidence,
                place,
            )
        };
        return may.map(wider).into_iter().collect();
    }

    let find = |(at, length, force): (usize, usize, ModalForce)| {
        // Of equal fits the first in the text; `max_by_key` alone would give the last.
        let near = |&&(other, ..): &&(usize, usize, ModalForce)| {
            (roles.fit(at, other).weight, std::cmp::Reverse(other))
        };
        let &(place, words, other) = found.iter().max_by_key(near)?;
        let outcome = match other.relation(force) {
            ForceRelation::Same if is_borne_by_another(texts, at, place) => return None,
            ForceRelation::Same => RuleOutcome::Agrees,
            ForceRelation::Weaker => RuleOutcome::Narrower,
            ForceRelation::Stronger => RuleOutcome::Wider,
            ForceRelation::Opposed => {
                let acts = near_terms(claim, at, length);
                let others = near_terms(evidence, place, words);
                // `must not smoke` is not opposed to `may eat`: the act has to be the same.
                let same = acts.iter().any(|act| others.contains(act));
                if !same {
                    return None;
                }
                RuleOutcome::Conflicts
            }
            ForceRelation::Open => return None,
        };
        let base =
            RuleFinding::new(RuleKind::Modality, outcome, claim, claim.span(at..at + length));
        Some(base.met(outcome, evidence, evidence.span(place..place + words)))
    };
    said.into_iter().filter_map(find).collect()
}

/// Whether who has a duty in the claim is only spoken of behind the duty of the evidence: `clients
/// must notify` beside `the provider shall notify the client`.
fn is_borne_by_another(texts: [&AnalyzedText<'_>; 2], at: usize, place: usize) -> bool {
    let [claim, evidence] = texts;
    let bearers = |text: &AnalyzedText<'_>, at: usize| -> Vec<String> {
        let from = at.saturating_sub(MAX_ACT_REACH_WORDS);
        let clause = text.clause(at);
        let terms = text.terms.iter().filter(|term| (from..at).contains(&term.at));
        terms.filter(|term| text.clause(term.at) == clause).map(|term| term.key.clone()).collect()
    };
    let (said, found) = (bearers(claim, at), bearers(evidence, place));
    let behind =
        |key: &String| evidence.terms.iter().any(|term| term.at > place && term.key == *key);
    !found.is_empty() && !said.iter().any(|key| found.contains(key)) && said.iter().any(behind)
}

/// The terms that a force is about: those after it in its clause, or else those before it.
fn near_terms<'a>(text: &'a AnalyzedText<'_>, at: usize, length: usize) -> Vec<&'a str> {
    let within = |range: std::ops::Range<usize>| {
        let terms = text.terms.iter().filter(move |term| range.contains(&term.at));
        terms.map(|term| term.key.as_str()).collect::<Vec<_>>()
    };
    let after = within(at + length..at + length + MAX_ACT_REACH_WORDS);
    if after.is_empty() { within(at.saturating_sub(MAX_ACT_REACH_WORDS)..at) } else { after }
}

/// The force of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModalForce {
    Must,
    /// `shall`: a duty of one party that may be a right of another.
    Shall,
    Should,
    May,
    Entitled,
    Exempt,
    Forbidden,
    /// Forbidden but for an exception: `may not … unless`.
    Guarded,
}

/// The relation of a claim's modality to the evidence's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForceRelation {
    Same,
    /// The claim is weaker.
    Weaker,
    /// The claim is stronger than the evidence, which does not deny it.
    Stronger,
    Opposed,
    /// Nothing follows.
    Open,
}

impl ModalForce {
    /// The relation of a claim's modality to this one of the evidence.
    pub(super) fn relation(self, claim: Self) -> ForceRelation {
        use ModalForce::{Entitled, Exempt, Forbidden, Guarded, May, Must, Shall, Should};
        match (self, claim) {
            (Forbidden, Forbidden)
            | (Must | Shall, Must | Shall)
            | (May | Entitled, May | Entitled) => ForceRelation::Same,
            (Should, Should) | (Exempt, Exempt) | (Guarded, Guarded | May | Entitled) => {
                ForceRelation::Same
            }
            // Whether the claim speaks of the exception or of the rule is not known.
            (Guarded, Forbidden | Must | Shall | Should | Exempt) => ForceRelation::Open,
            (Forbidden | May | Entitled | Must | Shall | Should | Exempt, Guarded) => {
                ForceRelation::Open
            }
            (Forbidden, May | Entitled | Must | Shall | Should | Exempt) => ForceRelation::Opposed,
            (May | Entitled | Must | Shall | Should, Forbidden) => ForceRelation::Opposed,
            (May | Exempt | Entitled, Must)
            | (May | Exempt, Shall)
            | (Must, Exempt)
            | (Shall, Exempt) => ForceRelation::Opposed,
            (Must, May | Should) | (Shall, Should | May) => ForceRelation::Weaker,
            (Should, Must | Shall) | (May, Should) => ForceRelation::Stronger,
            (Must | Shall, Entitled) | (Entitled, Shall | Should) => ForceRelation::Open,
            (Should, May | Entitled | Exempt) | (May | Entitled, Exempt) => ForceRelation::Open,
            (Exempt, May | Entitled | Should | Forbidden) => ForceRelation::Open,
        }
    }
}

/// The forces of a text: the word each begins at, how many words say it, and which it is.
pub(super) fn forces(text: &AnalyzedText<'_>) -> Vec<(usize, usize, ModalForce)> {
    let words = &text.words;
    let bounds = bound::places(words);
    let mut forces = FORCE_PHRASES.all(words);
    forces.retain(|&(at, length, _)| (length > 1 || stated(words, at)) && !offered(words, at));
    // "May" in a date is no permission.
    forces.retain(|(at, ..)| !text.quantities.iter().any(|quantity| quantity.words.contains(at)));
    for (at, length, force) in &mut forces {
        // `may not exceed 5` is a duty to keep a bound and forbids nothing else.
        let within = bounds.iter().any(|range| range.start < *at + *length && *at < range.end);
        if *force == ModalForce::Forbidden && within {
            *force = ModalForce::Shall;
        } else if *force == ModalForce::Forbidden && negation::excepted(words, *at + *length) {
            *force = ModalForce::Guarded;
        } else if *force != ModalForce::Exempt
            && nobody(words, *at)
            && !bound::limits(words, *at, MAX_LIMIT_REACH_WORDS)
        {
            *force = ModalForce::Forbidden;
        }
    }
    forces.extend(duties(words));
    forces.sort_by_key(|&(at, ..)| at);
    forces.truncate(MAX_FORCES);
    forces
}

/// Whether a word expresses a requirement or a permission, and is no name or aside: `as required
/// by law`.
fn stated(words: &[WordToken], at: usize) -> bool {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    if !["required", "permitted", "allowed", "prohibited"].contains(&form(at)) {
        return form(at) != "may" || form(at + 1) != "or" || form(at + 2) != "may";
    }
    let before = words.get(at.saturating_sub(3)..at).unwrap_or_default();
    let verb = before.iter().any(|word| FORMS_OF_BE.contains(&word.form.as_str()));
    verb && form(at + 1) != "by"
}

/// `may or may not`: neither is stated.
fn offered(words: &[WordToken], at: usize) -> bool {
    let before = words.get(at.saturating_sub(2)..at).unwrap_or_default();
    before.iter().map(|word| word.form.as_str()).eq(["may", "or"])
}

/// Whether a text forbids.
pub(super) fn forbids(text: &AnalyzedText<'_>) -> bool {
    forces(text).iter().any(|&(_, _, force)| force == ModalForce::Forbidden)
}

/// `no employee may` is a prohibition.
fn nobody(words: &[WordToken], at: usize) -> bool {
    let before = words.get(at.saturating_sub(6)..at).unwrap_or_default();
    let clause = before.iter().rev().take_while(|word| !word.breaks());
    clause
        .into_iter()
        .any(|word| ["no", "nobody", "none", "neither", "nothing"].contains(&word.form.as_str()))
}

/// `على المدير قبول الطلب` is a duty and `للموظف أن يأخذ` a permission, where they begin a clause.
fn duties(words: &[WordToken]) -> Vec<(usize, usize, ModalForce)> {
    // Inside of a clause both are plain prepositions.
    let begins = |at: usize| {
        at.checked_sub(1).is_none_or(|before| words.get(before).is_some_and(WordToken::breaks))
    };
    let clause = |at: usize| words.iter().skip(at + 1).take_while(|word| !word.breaks()).take(8);
    let duty = |(at, word): (usize, &WordToken)| {
        let form = word.form.strip_prefix('و').unwrap_or(&word.form);
        if form == "علي" && begins(at) {
            Some((at, 1, ModalForce::Must))
        } else if form.starts_with("لل")
            && begins(at)
            && clause(at).into_iter().any(|word| word.is("ان"))
        {
            Some((at, 1, ModalForce::May))
        } else {
            None
        }
    };
    words.iter().enumerate().filter_map(duty).collect()
}

/// The distance in words from a modality to a bound that is its object: `nobody may … more than 5`.
const MAX_LIMIT_REACH_WORDS: usize = 7;

/// How many forces of one text are read.
const MAX_FORCES: usize = 32;

/// The distance in words from a modality to its act, on each side.
const MAX_ACT_REACH_WORDS: usize = 6;

const FORMS_OF_BE: &[&str] = &["is", "are", "be", "was", "were", "been"];

static FORCE_PHRASES: LazyLock<PhraseTable<ModalForce>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "must|have to|has to|is required to|are required to|is obliged to|are obliged to|required|mandatory|obligatory|compulsory|is bound to|are bound to",
            ModalForce::Must,
        ),
        (
            "يجب|يلزم|يتعين|تلتزم|يلتزم|يشترط|إلزامي|إلزامية|ملزم|ملزمة|واجب|لا بد|عليه أن|عليهم أن|تجب",
            ModalForce::Must,
        ),
        ("shall", ModalForce::Shall),
        (
            "should|ought to|is advised to|are advised to|recommended|is encouraged to|are encouraged to|advisable|ينبغي|يفضل|يستحسن|يوصى|ينصح|تنصح|توصي",
            ModalForce::Should,
        ),
        (
            "may|can|is allowed to|are allowed to|is permitted to|are permitted to|permitted|allowed|optional|يجوز|يمكن|يسمح|بإمكان|اختياري|اختيارية|تجوز|مسموح|يستطيع|تستطيع|بوسع",
            ModalForce::May,
        ),
        (
            "is entitled to|are entitled to|entitled|has the right to|have the right to|right to|eligible|يستحق|تستحق|يستحقون|يحق|مؤهل|من حق",
            ModalForce::Entitled,
        ),
        (
            "need not|not required|not obliged|does not need to|do not need to|does not have to|do not have to|not need to|no obligation|no need to|exempt|not mandatory|not compulsory|لا يلزم|لا يشترط|لا يجب|غير ملزم|غير إلزامي|غير إلزامية|يعفى|لا حاجة|غير مطلوب|معفى|معفاة|لا يتعين",
            ModalForce::Exempt,
        ),
        ("can only|may only|could only", ModalForce::Guarded),
        (
            "must not|may not|shall not|cannot|can not|can't|mustn't|is prohibited|are prohibited|prohibited|forbidden|not allowed|not permitted|not entitled|is barred|are barred|no right|should not|not eligible|is not entitled to|are not entitled to|is not permitted|are not permitted",
            ModalForce::Forbidden,
        ),
        (
            "لا يجوز|يحظر|تحظر|يمنع|لا يحق|ممنوع|محظور|لا يسمح|لا يمكن|لا ينبغي|غير مسموح|لا يستحق|لا تستحق|يجب ألا|يجب لا|يجب عدم|لا تجوز|محظورة|ممنوعة|يحرم",
            ModalForce::Forbidden,
        ),
    ])
});
