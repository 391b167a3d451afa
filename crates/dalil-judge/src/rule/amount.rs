//! Amounts: each quantity of a claim beside the one of the evidence that has its role.

use std::ops::Range;

use super::bound::QuantityBound;
use super::date;
use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::modality;
use super::number::MILLIONTHS_PER_ONE;
use super::presence;
use super::quantity::{DayKind, Quantity, QuantityValue};
use super::role;
use super::text::{AlignmentFit, AnalyzedText, RoleAlignment};
use super::unit::QuantityMeasure;

#[cfg(test)]
mod tests;

/// Compares the quantities of the claim with those of the evidence.
pub(super) fn findings(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    roles: &RoleAlignment<'_>,
) -> Vec<RuleFinding> {
    let norm = NormOrFact::of(claim, evidence);
    let candidates: Vec<Vec<QuantityCandidate<'_>>> = claim
        .quantities
        .iter()
        .map(|quantity| candidates(quantity, [claim, evidence], roles, norm))
        .collect();
    // A value that agrees with one of the claim is not the rival of another.
    let agreed: Vec<usize> = candidates
        .iter()
        .filter_map(|candidates| chosen(candidates, &[]))
        .filter(|candidate| candidate.outcome == RuleOutcome::Agrees)
        .map(|candidate| candidate.quantity.words.start)
        .collect();
    let find = |(quantity, candidates): (&Quantity, &Vec<QuantityCandidate<'_>>)| {
        let first = chosen(candidates, &[]);
        let rival = |candidate: &QuantityCandidate<'_>| {
            candidate.outcome != RuleOutcome::Agrees
                && agreed.contains(&candidate.quantity.words.start)
        };
        let best =
            if first.as_ref().is_some_and(rival) { chosen(candidates, &agreed) } else { first };
        finding(quantity, best, [claim, evidence])
    };
    let mut found: Vec<RuleFinding> =
        claim.quantities.iter().zip(&candidates).filter_map(find).collect();
    // Where another value of the claim is not there either, the sentence is about something else.
    let apart = found.iter().filter(|one| one.kind.counted() && one.outcome != RuleOutcome::Agrees);
    if apart.count() > 1 {
        found.iter_mut().for_each(|finding| finding.is_tight = false);
    }
    found
}

/// A quantity of the evidence, in relation to one of the claim.
#[derive(Clone, Copy)]
struct QuantityCandidate<'a> {
    fit: AlignmentFit,
    outcome: RuleOutcome,
    /// Whether it is the same number, and does not only follow from its bound.
    is_equal: bool,
    /// Whether its bound points the other way: `at least 1` beside `at most 12`.
    is_opposed: bool,
    quantity: &'a Quantity,
}

/// Whether a rule is stated, of which another number is another rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NormOrFact {
    Rule,
    Fact,
}

impl NormOrFact {
    fn of(claim: &AnalyzedText<'_>, evidence: &AnalyzedText<'_>) -> Self {
        let stated = |text: &AnalyzedText<'_>| !modality::forces(text).is_empty();
        if stated(claim) || stated(evidence) { Self::Rule } else { Self::Fact }
    }
}

fn candidates<'a>(
    quantity: &Quantity,
    texts: [&'a AnalyzedText<'_>; 2],
    roles: &RoleAlignment<'_>,
    norm: NormOrFact,
) -> Vec<QuantityCandidate<'a>> {
    let [claim, evidence] = texts;
    let head = head(claim, quantity);
    let candidate = |other: &'a Quantity| {
        let mut fit = roles.fit(quantity.words.start, other.words.start);
        if head.is_some() && head == self::head(evidence, other) {
            fit.weight += SAME_HEAD_FIT_BONUS;
        }
        let is_equal = quantity.value == other.value;
        let is_opposed = quantity.bound.is_opposed(other.bound);
        let outcome = relate(quantity, other, norm);
        QuantityCandidate { fit, outcome, is_equal, is_opposed, quantity: other }
    };
    let comparable = |other: &&Quantity| comparable(&quantity.measure, &other.measure);
    evidence.quantities.iter().filter(comparable).map(candidate).collect()
}

/// The term right after a quantity: `notice` in `5 days of notice`.
pub(super) fn head<'a>(text: &'a AnalyzedText<'_>, quantity: &Quantity) -> Option<&'a str> {
    let end = quantity.words.end;
    let term = text.terms.iter().find(|term| (end..=end + 1).contains(&term.at))?;
    Some(&term.key)
}

fn finding(
    quantity: &Quantity,
    chosen: Option<QuantityCandidate<'_>>,
    texts: [&AnalyzedText<'_>; 2],
) -> Option<RuleFinding> {
    let [claim, evidence] = texts;
    let span = claim.span(quantity.words.clone());
    let missing = RuleFinding::new(kind(&quantity.measure), RuleOutcome::Missing, claim, span);
    // A number that counts nothing may be part of a name: COVID 19.
    let named = quantity.measure == QuantityMeasure::Count(String::new());
    // A monthly amount can be worded in many ways, so a missing frequency is no finding.
    let loose =
        matches!(quantity.measure, QuantityMeasure::Frequency | QuantityMeasure::Ordinal(_));
    // The evidence may word a figure differently if it has it in another role or bound, or without
    // its unit: it is neither confirmed nor missing.
    let missed = || {
        let is_held = presence::holds_figure(&claim.words, quantity, &evidence.words);
        (!loose && !is_held).then(|| missing.clone())
    };
    let Some(QuantityCandidate { fit, outcome, quantity: other, .. }) = chosen else {
        return missed().filter(|_| !named);
    };
    let foreign = claim.arabic() != evidence.arabic();
    match outcome {
        // Across languages no shared word shows that two values have one role.
        RuleOutcome::Conflicts if foreign => None,
        RuleOutcome::Conflicts if named && !fit.whole() => None,
        RuleOutcome::Conflicts if !fit.close() => missed(),
        // The same number among other words only may be a coincidence.
        RuleOutcome::Agrees if fit.shared == 0 && !foreign => missed(),
        outcome => {
            let met = missing.met(outcome, evidence, evidence.span(other.words.clone()));
            let is_tight =
                outcome == RuleOutcome::Conflicts && role::is_one(texts, quantity, other);
            Some(RuleFinding { is_tight, ..met })
        }
    }
}

/// A value of the claim without an equal in the evidence, and the one in its place.
pub(super) fn rival(
    texts: [&AnalyzedText<'_>; 2],
    roles: &RoleAlignment<'_>,
) -> Option<(RuleKind, Range<usize>, Range<usize>)> {
    let [claim, evidence] = texts;
    let norm = NormOrFact::of(claim, evidence);
    let told = |quantity: &Quantity, one: &Quantity| {
        comparable(&quantity.measure, &one.measure)
            && relate(quantity, one, norm) != RuleOutcome::Conflicts
    };
    let free: Vec<&Quantity> = evidence
        .quantities
        .iter()
        .filter(|one| !claim.quantities.iter().any(|quantity| told(quantity, one)))
        .collect();
    let lone = claim
        .quantities
        .iter()
        .filter(|quantity| !evidence.quantities.iter().any(|one| told(quantity, one)));
    let rival = |quantity: &Quantity| {
        let alike = free.iter().filter(|one| comparable(&quantity.measure, &one.measure));
        let best =
            alike.max_by_key(|one| roles.fit(quantity.words.start, one.words.start).weight)?;
        Some((kind(&quantity.measure), quantity.words.clone(), best.words.clone()))
    };
    lone.into_iter().find_map(rival)
}

/// The candidate with the same role, of those that do not begin at an excluded word.
///
/// Of those that fit about as well as the best, the one that agrees; and when
/// the best conflicts without being close, one that agrees elsewhere.
fn chosen<'a>(
    candidates: &[QuantityCandidate<'a>],
    excluded: &[usize],
) -> Option<QuantityCandidate<'a>> {
    let free = || {
        let free = |one: &&QuantityCandidate<'a>| !excluded.contains(&one.quantity.words.start);
        candidates.iter().filter(free).copied()
    };
    let best = free().map(|candidate| candidate.fit.weight).max()?;
    let mildest = |margin: u32| {
        let good = free().filter(|candidate| candidate.fit.weight.saturating_add(margin) >= best);
        good.min_by_key(|one| (one.severity(), !one.is_equal, std::cmp::Reverse(one.fit.weight)))
    };
    let candidate = mildest(MAX_FIT_DEFICIT)?;
    let agrees = free().any(|candidate| candidate.outcome == RuleOutcome::Agrees);
    // Where another value agrees, a rival is believed only if it fits almost wholly.
    let sure = if agrees { candidate.fit.whole() } else { candidate.fit.close() };
    // A bare number may be a year or part of a name, so that any other that agrees is believed.
    let is_bare = candidate.quantity.measure == QuantityMeasure::Count(String::new());
    let sure = sure && !(agrees && is_bare);
    let doubtful = candidate.outcome == RuleOutcome::Conflicts && !sure;
    if doubtful { mildest(u32::MAX) } else { Some(candidate) }
}

impl QuantityCandidate<'_> {
    /// How much it speaks against the claim. A bound that points the other way is likely that of
    /// something else, so that it is not preferred to one that conflicts.
    fn severity(&self) -> u8 {
        match self.outcome {
            RuleOutcome::Agrees => 0,
            RuleOutcome::Narrower | RuleOutcome::Wider if self.is_opposed => 3,
            RuleOutcome::Narrower | RuleOutcome::Wider => 1,
            RuleOutcome::Missing => 2,
            RuleOutcome::Conflicts => 3,
        }
    }
}

fn kind(measure: &QuantityMeasure) -> RuleKind {
    match measure {
        QuantityMeasure::Count(_) => RuleKind::Number,
        QuantityMeasure::Percent => RuleKind::Percent,
        QuantityMeasure::Money(_) => RuleKind::Money,
        QuantityMeasure::Time | QuantityMeasure::WorkingDays | QuantityMeasure::Months => {
            RuleKind::Duration
        }
        QuantityMeasure::Length
        | QuantityMeasure::Mass
        | QuantityMeasure::Heat
        | QuantityMeasure::Storage
        | QuantityMeasure::Area
        | QuantityMeasure::Volume => RuleKind::Unit,
        QuantityMeasure::Ordinal(_) => RuleKind::Ordinal,
        QuantityMeasure::Date => RuleKind::Date,
        QuantityMeasure::Clock => RuleKind::Time,
        QuantityMeasure::Frequency => RuleKind::Frequency,
    }
}

pub(super) fn comparable(a: &QuantityMeasure, b: &QuantityMeasure) -> bool {
    match (a, b) {
        (QuantityMeasure::Count(a), QuantityMeasure::Count(b)) => {
            a.is_empty() || b.is_empty() || shares(a, b)
        }
        (QuantityMeasure::Ordinal(a), QuantityMeasure::Ordinal(b)) => shares(a, b),
        // Also two currencies, so that the other currency is a conflict (`across`), not a missing
        // value.
        (QuantityMeasure::Money(_), QuantityMeasure::Money(_)) => true,
        (a, b) => a == b || (a.is_duration() && b.is_duration()),
    }
}

pub(super) fn shares(a: &str, b: &str) -> bool {
    a.split(' ').any(|key| b.split(' ').any(|other| key == other))
}

/// The relation of a quantity of the evidence to one of the claim.
fn relate(claim: &Quantity, evidence: &Quantity, norm: NormOrFact) -> RuleOutcome {
    match (&claim.value, &evidence.value) {
        (QuantityValue::Dates(a), QuantityValue::Dates(b)) => {
            dates(a, b, [claim.bound, evidence.bound])
        }
        (QuantityValue::Numbers(..), QuantityValue::Numbers(..)) => {
            // Units and periods first: bare numbers compare only where these are the same.
            if let Some(outcome) = across(claim, evidence) {
                return outcome;
            }
            match periods(claim, evidence) {
                Some(outcome) => outcome,
                None => numbers(claim, evidence, norm),
            }
        }
        _ => RuleOutcome::Conflicts,
    }
}

/// Dates agree when any two of their readings do.
fn dates(
    claim: &[date::PartialDate],
    evidence: &[date::PartialDate],
    bounds: [QuantityBound; 2],
) -> RuleOutcome {
    let relations = || claim.iter().flat_map(|a| evidence.iter().map(|b| a.relation(b)));
    let same = if relations().any(|relation| relation == date::DateRelation::Same) {
        RuleOutcome::Agrees
    } else if relations().any(|relation| relation == date::DateRelation::Finer) {
        RuleOutcome::Narrower
    } else {
        return if follows(claim, evidence, bounds) {
            RuleOutcome::Agrees
        } else {
            RuleOutcome::Conflicts
        };
    };
    use QuantityBound::{Above, AtLeast, AtMost, Below, Exact};
    // The date is the same, its bound may not be: `by 1 May` and `from 1 May` exclude each other.
    match bounds {
        [AtMost | Below, Above | AtLeast] | [Above | AtLeast, AtMost | Below] => {
            RuleOutcome::Conflicts
        }
        [Exact, AtMost | Below] | [Exact, Above] => RuleOutcome::Narrower,
        [Below, AtMost] | [Above, AtLeast] => RuleOutcome::Narrower,
        _ => same,
    }
}

/// `after 1993` follows from `1994`, and `before 1993` from `1992`.
fn follows(
    claim: &[date::PartialDate],
    evidence: &[date::PartialDate],
    bounds: [QuantityBound; 2],
) -> bool {
    // The first reading: where day and month are open, the day comes first.
    let days = |dates: &[date::PartialDate]| dates.first().and_then(date::PartialDate::days);
    let (Some(claim), Some(evidence)) = (days(claim), days(evidence)) else { return false };
    match bounds {
        [QuantityBound::Above | QuantityBound::AtLeast, QuantityBound::Exact] => {
            evidence.0 > claim.1
        }
        [QuantityBound::Below | QuantityBound::AtMost, QuantityBound::Exact] => {
            evidence.1 < claim.0
        }
        _ => false,
    }
}

/// Durations in units that do not measure each other, and amounts in two currencies.
fn across(claim: &Quantity, evidence: &Quantity) -> Option<RuleOutcome> {
    let (QuantityValue::Numbers(a, _), QuantityValue::Numbers(b, _)) =
        (&claim.value, &evidence.value)
    else {
        return None;
    };
    let days = |seconds: &i128| seconds / 86_400;
    // From 28 days a month to 31, and a day more for each year.
    let near = |days: i128, months: i128| months * 28 <= days && days <= months * 31 + months / 12;
    let about = |close| Some(if close { RuleOutcome::Wider } else { RuleOutcome::Conflicts });
    match (&claim.measure, &evidence.measure) {
        (QuantityMeasure::Money(a), QuantityMeasure::Money(b)) if !a.may_be(*b) => {
            Some(RuleOutcome::Conflicts)
        }
        (QuantityMeasure::Time, QuantityMeasure::Months) => about(near(days(a), *b)),
        (QuantityMeasure::Months, QuantityMeasure::Time) => about(near(days(b), *a)),
        (QuantityMeasure::Time, QuantityMeasure::WorkingDays) => {
            // Five working days make a week. Plain days may be meant as working days, calendar
            // days may not.
            let week = *b == 5 * MILLIONTHS_PER_ONE && days(a) == 7 * MILLIONTHS_PER_ONE;
            about((days(a) == *b && claim.days == DayKind::Plain) || week)
        }
        (QuantityMeasure::WorkingDays, QuantityMeasure::Time) => {
            let week = *a == 5 * MILLIONTHS_PER_ONE && days(b) == 7 * MILLIONTHS_PER_ONE;
            about((days(b) == *a && evidence.days == DayKind::Plain) || week)
        }
        (QuantityMeasure::WorkingDays, QuantityMeasure::Months)
        | (QuantityMeasure::Months, QuantityMeasure::WorkingDays) => Some(RuleOutcome::Conflicts),
        _ => None,
    }
}

/// Amounts for periods that differ: `SAR 1,000 per month` is `SAR 12,000 per year`.
fn periods(claim: &Quantity, evidence: &Quantity) -> Option<RuleOutcome> {
    let (Some((a, x)), Some((b, y))) = (claim.per, evidence.per) else { return None };
    if (a, x) == (b, y) {
        return None;
    }
    let (QuantityValue::Numbers(c, _), QuantityValue::Numbers(e, _)) =
        (&claim.value, &evidence.value)
    else {
        return None;
    };
    // c / x = e / y without a division; values that overflow are not equal.
    let equal = a == b && c.checked_mul(y) == e.checked_mul(x) && c.checked_mul(y).is_some();
    Some(if equal { RuleOutcome::Agrees } else { RuleOutcome::Conflicts })
}

fn numbers(claim: &Quantity, evidence: &Quantity, norm: NormOrFact) -> RuleOutcome {
    let (QuantityValue::Numbers(a, b), QuantityValue::Numbers(c, d)) =
        (&claim.value, &evidence.value)
    else {
        return RuleOutcome::Conflicts;
    };
    if a == b
        && c == d
        && a != c
        && let Some(outcome) = rounded(claim, evidence)
    {
        return outcome;
    }
    if a != b || c != d {
        return ranges((*a, *b), (*c, *d), [claim.bound, evidence.bound]);
    }
    if a == c { same(claim.bound, evidence.bound, norm) } else { other(claim, evidence, norm) }
}

/// `$88.7 million` of 88,713 thousand: the same figure, written in larger steps.
fn rounded(claim: &Quantity, evidence: &Quantity) -> Option<RuleOutcome> {
    let (QuantityValue::Numbers(a, _), QuantityValue::Numbers(c, _)) =
        (&claim.value, &evidence.value)
    else {
        return None;
    };
    let is_bounded =
        |one: &Quantity| !matches!(one.bound, QuantityBound::Exact | QuantityBound::About);
    // A bound is meant exactly: 88.7 is above `at most 88`.
    if is_bounded(claim) || is_bounded(evidence) {
        return None;
    }
    let off = (a - c).abs();
    if claim.measure == QuantityMeasure::Frequency {
        return (off * 100 <= c.abs() * MAX_FREQUENCY_SLACK_PERCENT).then_some(RuleOutcome::Agrees);
    }
    // Rounding moves a figure by half a step at most.
    let within = |grain: i128| grain > 0 && off.saturating_mul(2) <= grain;
    match (claim.grain, evidence.grain) {
        (a, c) if a > c && c > 0 && within(a) => {
            // A whole number is no sign of rounding: 88 is only near to 88.4.
            let stepped = a != MILLIONTHS_PER_ONE || claim.bound == QuantityBound::About;
            Some(if stepped { RuleOutcome::Agrees } else { RuleOutcome::Wider })
        }
        (a, c) if c > a && a > 0 && within(c) => Some(RuleOutcome::Narrower),
        _ => None,
    }
}

fn ranges(claim: (i128, i128), evidence: (i128, i128), bounds: [QuantityBound; 2]) -> RuleOutcome {
    if claim == evidence {
        RuleOutcome::Agrees
    } else if claim.0 == claim.1 && (evidence.0..=evidence.1).contains(&claim.0) {
        // The ends of a range name it: "up to 10" of "5 to 10".
        match bounds {
            [QuantityBound::AtMost, _] if claim.0 == evidence.1 => RuleOutcome::Agrees,
            [QuantityBound::AtLeast, _] if claim.0 == evidence.0 => RuleOutcome::Agrees,
            _ => RuleOutcome::Narrower,
        }
    } else {
        RuleOutcome::Conflicts
    }
}

/// The same number under two bounds.
fn same(claim: QuantityBound, evidence: QuantityBound, norm: NormOrFact) -> RuleOutcome {
    use QuantityBound::{About, Above, AtLeast, AtMost, Below, Exact};
    match (claim, evidence) {
        (About, _) => RuleOutcome::Agrees,
        // Rules are often restated without `at least`: `a notice of 30 days`.
        (Exact, AtLeast) if norm == NormOrFact::Rule => RuleOutcome::Agrees,
        (Exact, AtLeast | AtMost | About) => RuleOutcome::Narrower,
        (Exact | AtLeast | AtMost, Exact) => RuleOutcome::Agrees,
        (AtLeast, AtLeast | Above) | (AtMost, AtMost | Below) => RuleOutcome::Agrees,
        (Above, Above) | (Below, Below) => RuleOutcome::Agrees,
        // `more than 5` excludes the 5 that `at least 5` allows.
        (Above, AtLeast) | (Below, AtMost) => RuleOutcome::Conflicts,
        (AtLeast | AtMost | Above | Below, About) => RuleOutcome::Wider,
        (Exact, Above | Below) | (Above | Below, Exact) => RuleOutcome::Conflicts,
        (AtLeast | Above, AtMost | Below) | (AtMost | Below, AtLeast | Above) => {
            RuleOutcome::Conflicts
        }
    }
}

/// Two numbers that differ, under their bounds.
fn other(claim: &Quantity, evidence: &Quantity, norm: NormOrFact) -> RuleOutcome {
    use QuantityBound::{About, Above, AtLeast, AtMost, Below, Exact};
    let (QuantityValue::Numbers(c, _), QuantityValue::Numbers(e, _)) =
        (&claim.value, &evidence.value)
    else {
        return RuleOutcome::Conflicts;
    };
    let rising = |bound| matches!(bound, AtLeast | Above);
    let falling = |bound| matches!(bound, AtMost | Below);
    let (claimed, found) = (claim.bound, evidence.bound);
    // A claim that names a limit states its value; another number is another limit.
    let follows = !claim.is_limit && ((rising(claimed) && c < e) || (falling(claimed) && c > e));
    match (claimed, found) {
        (About, _) | (Exact, About) => {
            let close = (c - e).abs().saturating_mul(100)
                <= e.abs().saturating_mul(MAX_ABOUT_SLACK_PERCENT);
            match (close, claimed) {
                (true, About) => RuleOutcome::Agrees,
                (true, _) => RuleOutcome::Narrower,
                (false, _) => RuleOutcome::Conflicts,
            }
        }
        // A fact may be an instance of a bound; of a rule another number is another rule.
        (Exact, AtLeast | Above) if c > e && norm == NormOrFact::Fact => RuleOutcome::Narrower,
        (Exact, AtMost | Below) if c < e && norm == NormOrFact::Fact => RuleOutcome::Narrower,
        (AtLeast | Above, Exact | About) | (AtMost | Below, Exact | About) if follows => {
            RuleOutcome::Agrees
        }
        (Above, Above) | (Below, Below) if follows && norm == NormOrFact::Fact => {
            RuleOutcome::Agrees
        }
        (AtLeast | Above, AtMost | Below) if c < e => RuleOutcome::Narrower,
        (AtMost | Below, AtLeast | Above) if c > e => RuleOutcome::Narrower,
        _ => RuleOutcome::Conflicts,
    }
}

/// How much worse than the best a fit may be and still be considered: about one term five words off.
const MAX_FIT_DEFICIT: u32 = 8;

/// The bonus to the fit of two quantities with the same following term.
const SAME_HEAD_FIT_BONUS: u32 = 40;

/// How many in a hundred two frequencies may be apart: a month is no whole number of weeks.
const MAX_FREQUENCY_SLACK_PERCENT: i128 = 3;

/// How many in a hundred "about" may be off.
const MAX_ABOUT_SLACK_PERCENT: i128 = 5;
