//! Conditions: prerequisites of a statement, and whose discretion it is at.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::text::{AlignmentFit, AnalyzedText};
use super::word::PhraseTable;

/// Which conditions of the evidence a claim leaves out, and which it adds.
pub(super) fn findings(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    sentence: usize,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    let mut findings = left_out(claim, evidence, sentence, fit);
    findings.extend(added(claim, evidence, fit));
    findings
}

/// The conditions of a sentence of the evidence, as kept or left out by the claim.
fn left_out(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    sentence: usize,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    let known = claim.keys();
    let here = |condition: &Range<usize>| evidence.sentence(condition.start) == sentence;
    let find = |condition: Range<usize>| {
        let keys = own(evidence, &condition, sentence);
        let shared = keys.iter().filter(|key| known.contains(*key)).count();
        let kept = shared * 2 >= keys.len() && shared > 0;
        let outcome = if kept && is_conceded(claim, &keys) {
            RuleOutcome::Conflicts
        } else if kept {
            RuleOutcome::Agrees
        } else {
            RuleOutcome::Wider
        };
        let whole = claim.span(0..claim.words.len());
        let base = RuleFinding::new(RuleKind::Condition, outcome, claim, whole);
        let met = base.met(outcome, evidence, evidence.span(condition));
        RuleFinding { is_tight: outcome == RuleOutcome::Conflicts && fit.sharp(), ..met }
    };
    // In a looser fit a condition may belong to something that the claim leaves out.
    let conditions = if fit.tight() { conditions(evidence) } else { Vec::new() };
    conditions.into_iter().filter(here).map(find).collect()
}

/// Whether the claim states that it holds under any condition: `even with the consent of`.
fn is_conceded(claim: &AnalyzedText<'_>, keys: &BTreeSet<&str>) -> bool {
    CONCESSION_MARKERS.all(&claim.words).into_iter().any(|(at, length, ())| {
        let clause = claim.words.iter().skip(at + length).take_while(|word| !word.breaks()).count();
        let conceded = at + length..at + length + clause;
        let is_told = |key: &&&str| {
            claim.terms.iter().any(|term| conceded.contains(&term.at) && term.key == ***key)
        };
        keys.iter().filter(is_told).count() * 2 >= keys.len()
    })
}

/// The conditions of the claim that the evidence does not state.
fn added(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    let found = evidence.keys();
    let find = |condition: Range<usize>| {
        let keys = keys(claim, &condition);
        let shared = keys.iter().filter(|key| found.contains(*key)).count();
        // Terms of the added condition cannot be shared; the others must fit without them.
        let rest = AlignmentFit { total: fit.total.saturating_sub(keys.len()), ..fit };
        let new = !keys.is_empty() && shared * 2 < keys.len() && rest.tight();
        let span = claim.span(condition);
        new.then(|| RuleFinding::new(RuleKind::Condition, RuleOutcome::Narrower, claim, span))
    };
    conditions(claim).into_iter().filter_map(find).collect()
}

/// The words of each condition of a text, from its marker to the end of its clause.
fn conditions(text: &AnalyzedText<'_>) -> Vec<Range<usize>> {
    let form = |at: usize| text.words.get(at).map_or("", |word| word.form.as_str());
    let is_quantity = |at: usize| text.quantities.iter().any(|one| one.words.contains(&at));
    // `is provided`, `متى شاء` and `as long as a year` say no condition.
    let is_condition = |&(at, length, ()): &(usize, usize, ())| {
        let before = at.checked_sub(1).map_or("", form);
        let is_verb = form(at) == "provided" && FORMS_OF_BE.contains(&before);
        let is_will = form(at).ends_with("متي") && WILL_WORDS_AR.contains(&form(at + length));
        let is_length = form(at + length - 1) == "as" && is_quantity(at + length);
        !is_verb && !is_will && !is_length
    };
    let condition = |(at, length, ()): (usize, usize, ())| {
        let clause = text.words.iter().skip(at + length).take_while(|word| !word.breaks()).count();
        at..at + length + clause
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    let markers = CONDITION_MARKERS.all(&text.words).into_iter().filter(is_condition);
    for range in markers.map(condition) {
        // A marker inside of a condition is a part of it.
        let inside = found.last().is_some_and(|last| last.contains(&range.start));
        if !inside {
            found.push(range);
        }
    }
    found
}

/// The terms of a condition that the rest of its sentence does not have, or all of them.
fn own<'a>(
    text: &'a AnalyzedText<'_>,
    condition: &Range<usize>,
    sentence: usize,
) -> BTreeSet<&'a str> {
    let outside = |at: usize| text.sentence(at) == sentence && !condition.contains(&at);
    let rest: BTreeSet<&str> =
        text.terms.iter().filter(|term| outside(term.at)).map(|term| term.key.as_str()).collect();
    let all = keys(text, condition);
    let own: BTreeSet<&str> = all.difference(&rest).copied().collect();
    if own.is_empty() { all } else { own }
}

fn keys<'a>(text: &'a AnalyzedText<'_>, condition: &Range<usize>) -> BTreeSet<&'a str> {
    text.terms
        .iter()
        .filter(|term| condition.contains(&term.at))
        .map(|term| term.key.as_str())
        .collect()
}

const FORMS_OF_BE: &[&str] = &["is", "are", "be", "was", "were", "been", "being"];

const WILL_WORDS_AR: &[&str] = &["شا", "شات", "اراد", "ارادت", "رغب", "رغبت"];

static CONCESSION_MARKERS: LazyLock<PhraseTable<()>> = LazyLock::new(|| {
    PhraseTable::of(&[(
        "even with|even if|even when|even where|even after|regardless of|irrespective of|ولو|حتى لو|حتى وإن|حتى إذا|حتى بعد|حتى مع|بغض النظر عن|بصرف النظر عن",
        (),
    )])
});

static CONDITION_MARKERS: LazyLock<PhraseTable<()>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "subject to|unless|only if|only where|only when|only for|only with|only after|only on|only in|only to|provided that|provided|on condition that|conditional on|conditional upon|contingent on|if|except|except where|except for|other than|at the discretion of|at its discretion|at the sole discretion of|in the discretion of|with the approval of|with the written approval of|with the consent of|with the prior consent of|with prior approval|with the prior written consent of|without the prior written consent of|without the consent of|without the written consent of|without prior written consent|without approval|depending on|as long as|so long as|where|in the event|in case of|when|until|upon approval|upon the approval of|upon the written approval of|upon the consent of|subject to approval|on request|upon request|upon written request|at the request of|on the request of|upon the request of|of request|of a request|of written request|where feasible|if feasible|excluding",
            (),
        ),
        (
            "بشرط|شريطة|رهنا|إلا إذا|ما لم|إلا|إذا|باستثناء|عدا|ما عدا|فيما عدا|وفقا لتقدير|وفق تقدير|حسب تقدير|بحسب تقدير|بناء على تقدير|لتقدير|بموافقة|بعد موافقة|بعد الحصول على موافقة|بناء على طلب|بناء على موافقة|عند الطلب|مع مراعاة|في حال|في حالة|عند|متى|على أن|ان وجد|دون موافقة|حسب السلطة التقديرية",
            (),
        ),
    ])
});
