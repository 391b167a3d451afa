//! Amounts: each quantity of a claim beside the one of the evidence that has its role.

use std::ops::Range;

use super::bound::Bound;
use super::date;
use super::modality;
use super::number::ONE;
use super::quantity::{Days, Quantity, Value};
use super::role;
use super::text::{Fit, Roles, Text};
use super::unit::Measure;
use super::{Finding, Kind, Outcome};

#[cfg(test)]
mod tests;

/// What the quantities of the evidence say about those of the claim.
pub(super) fn findings(claim: &Text<'_>, evidence: &Text<'_>, roles: &Roles<'_>) -> Vec<Finding> {
    let norm = Norm::of(claim, evidence);
    let candidates: Vec<Vec<Candidate<'_>>> = claim
        .quantities
        .iter()
        .map(|quantity| candidates(quantity, [claim, evidence], roles, norm))
        .collect();
    // A value that agrees with one of the claim is not the rival of another.
    let agreed: Vec<usize> = candidates
        .iter()
        .filter_map(|candidates| chosen(candidates, &[]))
        .filter(|candidate| candidate.outcome == Outcome::Agrees)
        .map(|candidate| candidate.quantity.words.start)
        .collect();
    let find = |(quantity, candidates): (&Quantity, &Vec<Candidate<'_>>)| {
        let first = chosen(candidates, &[]);
        let rival = |candidate: &Candidate<'_>| {
            candidate.outcome == Outcome::Conflicts
                && agreed.contains(&candidate.quantity.words.start)
        };
        let best =
            if first.as_ref().is_some_and(rival) { chosen(candidates, &agreed) } else { first };
        finding(quantity, best, [claim, evidence])
    };
    let mut found: Vec<Finding> =
        claim.quantities.iter().zip(&candidates).filter_map(find).collect();
    // Where another value of the claim is not there either, the sentence is about something else.
    let apart = found.iter().filter(|one| one.kind.counted() && one.outcome != Outcome::Agrees);
    if apart.count() > 1 {
        found.iter_mut().for_each(|finding| finding.is_tight = false);
    }
    found
}

/// A quantity of the evidence, as what it is to one of the claim.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    fit: Fit,
    outcome: Outcome,
    quantity: &'a Quantity,
}

/// Whether a rule is stated, of which another number is another rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Norm {
    Rule,
    Fact,
}

impl Norm {
    fn of(claim: &Text<'_>, evidence: &Text<'_>) -> Self {
        let stated = |text: &Text<'_>| !modality::forces(text).is_empty();
        if stated(claim) || stated(evidence) { Self::Rule } else { Self::Fact }
    }
}

fn candidates<'a>(
    quantity: &Quantity,
    texts: [&'a Text<'_>; 2],
    roles: &Roles<'_>,
    norm: Norm,
) -> Vec<Candidate<'a>> {
    let [claim, evidence] = texts;
    let head = head(claim, quantity);
    let candidate = |other: &'a Quantity| {
        let mut fit = roles.fit(quantity.words.start, other.words.start);
        if head.is_some() && head == self::head(evidence, other) {
            fit.weight += SAME_HEAD;
        }
        Candidate { fit, outcome: relate(quantity, other, norm), quantity: other }
    };
    let comparable = |other: &&Quantity| comparable(&quantity.measure, &other.measure);
    evidence.quantities.iter().filter(comparable).map(candidate).collect()
}

/// The term right after a quantity: `notice` in `5 days of notice`.
pub(super) fn head<'a>(text: &'a Text<'_>, quantity: &Quantity) -> Option<&'a str> {
    let end = quantity.words.end;
    let term = text.terms.iter().find(|term| (end..=end + 1).contains(&term.at))?;
    Some(&term.key)
}

fn finding(
    quantity: &Quantity,
    chosen: Option<Candidate<'_>>,
    texts: [&Text<'_>; 2],
) -> Option<Finding> {
    let [claim, evidence] = texts;
    let span = claim.span(quantity.words.clone());
    let missing = Finding::new(kind(&quantity.measure), Outcome::Missing, claim, span);
    // A number that counts nothing may be part of a name: COVID 19.
    let named = quantity.measure == Measure::Count(String::new());
    // What is monthly may be said in many ways, so that a frequency is never missed.
    let loose = matches!(quantity.measure, Measure::Frequency | Measure::Ordinal(_));
    let Some(Candidate { fit, outcome, quantity: other }) = chosen else {
        return (!named && !loose).then_some(missing);
    };
    let foreign = claim.arabic() != evidence.arabic();
    match outcome {
        Outcome::Conflicts if foreign => None,
        Outcome::Conflicts if !fit.close() => (!loose).then_some(missing),
        Outcome::Agrees if fit.shared == 0 && !foreign => Some(missing),
        outcome => {
            let met = missing.met(outcome, evidence, evidence.span(other.words.clone()));
            let is_tight = outcome == Outcome::Conflicts && role::is_one(texts, quantity, other);
            Some(Finding { is_tight, ..met })
        }
    }
}

/// A value of the claim that no value of the evidence equals, and the one that stands in its place.
pub(super) fn rival(
    texts: [&Text<'_>; 2],
    roles: &Roles<'_>,
) -> Option<(Kind, Range<usize>, Range<usize>)> {
    let [claim, evidence] = texts;
    let norm = Norm::of(claim, evidence);
    let told = |quantity: &Quantity, one: &Quantity| {
        comparable(&quantity.measure, &one.measure)
            && relate(quantity, one, norm) != Outcome::Conflicts
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
fn chosen<'a>(candidates: &[Candidate<'a>], excluded: &[usize]) -> Option<Candidate<'a>> {
    let free = || {
        let free = |one: &&Candidate<'a>| !excluded.contains(&one.quantity.words.start);
        candidates.iter().filter(free).copied()
    };
    let best = free().map(|candidate| candidate.fit.weight).max()?;
    let mildest = |margin: u32| {
        let good = free().filter(|candidate| candidate.fit.weight.saturating_add(margin) >= best);
        good.min_by_key(|one| (severity(one.outcome), std::cmp::Reverse(one.fit.weight)))
    };
    let candidate = mildest(MARGIN)?;
    let agrees = free().any(|candidate| candidate.outcome == Outcome::Agrees);
    let sure = if agrees { candidate.fit.whole() } else { candidate.fit.close() };
    let doubtful = candidate.outcome == Outcome::Conflicts && !sure;
    if doubtful { mildest(u32::MAX) } else { Some(candidate) }
}

fn severity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Agrees => 0,
        Outcome::Narrower | Outcome::Wider => 1,
        Outcome::Missing => 2,
        Outcome::Conflicts => 3,
    }
}

fn kind(measure: &Measure) -> Kind {
    match measure {
        Measure::Count(_) => Kind::Number,
        Measure::Percent => Kind::Percent,
        Measure::Money(_) => Kind::Money,
        Measure::Time | Measure::WorkingDays | Measure::Months => Kind::Duration,
        Measure::Length
        | Measure::Mass
        | Measure::Heat
        | Measure::Storage
        | Measure::Area
        | Measure::Volume => Kind::Unit,
        Measure::Ordinal(_) => Kind::Ordinal,
        Measure::Date => Kind::Date,
        Measure::Clock => Kind::Time,
        Measure::Frequency => Kind::Frequency,
    }
}

pub(super) fn comparable(a: &Measure, b: &Measure) -> bool {
    match (a, b) {
        (Measure::Count(a), Measure::Count(b)) => a.is_empty() || b.is_empty() || shares(a, b),
        (Measure::Ordinal(a), Measure::Ordinal(b)) => shares(a, b),
        (Measure::Money(_), Measure::Money(_)) => true,
        (a, b) => a == b || (a.is_duration() && b.is_duration()),
    }
}

pub(super) fn shares(a: &str, b: &str) -> bool {
    a.split(' ').any(|key| b.split(' ').any(|other| key == other))
}

/// What a quantity of the evidence says about one of the claim.
fn relate(claim: &Quantity, evidence: &Quantity, norm: Norm) -> Outcome {
    match (&claim.value, &evidence.value) {
        (Value::Dates(a), Value::Dates(b)) => dates(a, b, [claim.bound, evidence.bound]),
        (Value::Numbers(..), Value::Numbers(..)) => {
            if let Some(outcome) = across(claim, evidence) {
                return outcome;
            }
            match periods(claim, evidence) {
                Some(outcome) => outcome,
                None => numbers(claim, evidence, norm),
            }
        }
        _ => Outcome::Conflicts,
    }
}

/// Dates agree when any two of their readings do.
fn dates(claim: &[date::Date], evidence: &[date::Date], bounds: [Bound; 2]) -> Outcome {
    let relations = || claim.iter().flat_map(|a| evidence.iter().map(|b| a.relation(b)));
    let same = if relations().any(|relation| relation == date::Relation::Same) {
        Outcome::Agrees
    } else if relations().any(|relation| relation == date::Relation::Finer) {
        Outcome::Narrower
    } else {
        return if follows(claim, evidence, bounds) { Outcome::Agrees } else { Outcome::Conflicts };
    };
    use Bound::{Above, AtLeast, AtMost, Below, Exact};
    match bounds {
        [AtMost | Below, Above | AtLeast] | [Above | AtLeast, AtMost | Below] => Outcome::Conflicts,
        [Exact, AtMost | Below] | [Exact, Above] => Outcome::Narrower,
        [Below, AtMost] | [Above, AtLeast] => Outcome::Narrower,
        _ => same,
    }
}

/// `after 1993` follows from `1994`, and `before 1993` from `1992`.
fn follows(claim: &[date::Date], evidence: &[date::Date], bounds: [Bound; 2]) -> bool {
    let days = |dates: &[date::Date]| dates.first().and_then(date::Date::days);
    let (Some(claim), Some(evidence)) = (days(claim), days(evidence)) else { return false };
    match bounds {
        [Bound::Above | Bound::AtLeast, Bound::Exact] => evidence.0 > claim.1,
        [Bound::Below | Bound::AtMost, Bound::Exact] => evidence.1 < claim.0,
        _ => false,
    }
}

/// Durations in units that do not measure each other, and amounts in two currencies.
fn across(claim: &Quantity, evidence: &Quantity) -> Option<Outcome> {
    let (Value::Numbers(a, _), Value::Numbers(b, _)) = (&claim.value, &evidence.value) else {
        return None;
    };
    let days = |seconds: &i128| seconds / 86_400;
    let near = |days: i128, months: i128| months * 28 <= days && days <= months * 31 + months / 12;
    let about = |close| Some(if close { Outcome::Wider } else { Outcome::Conflicts });
    match (&claim.measure, &evidence.measure) {
        (Measure::Money(a), Measure::Money(b)) if !a.may_be(*b) => Some(Outcome::Conflicts),
        (Measure::Time, Measure::Months) => about(near(days(a), *b)),
        (Measure::Months, Measure::Time) => about(near(days(b), *a)),
        (Measure::Time, Measure::WorkingDays) => {
            let week = *b == 5 * ONE && days(a) == 7 * ONE;
            about((days(a) == *b && claim.days == Days::Plain) || week)
        }
        (Measure::WorkingDays, Measure::Time) => {
            about(days(b) == *a && evidence.days == Days::Plain)
        }
        (Measure::WorkingDays, Measure::Months) | (Measure::Months, Measure::WorkingDays) => {
            Some(Outcome::Conflicts)
        }
        _ => None,
    }
}

/// Amounts for periods that differ: `SAR 1,000 per month` is `SAR 12,000 per year`.
fn periods(claim: &Quantity, evidence: &Quantity) -> Option<Outcome> {
    let (Some((a, x)), Some((b, y))) = (claim.per, evidence.per) else { return None };
    if (a, x) == (b, y) {
        return None;
    }
    let (Value::Numbers(c, _), Value::Numbers(e, _)) = (&claim.value, &evidence.value) else {
        return None;
    };
    let equal = a == b && c.checked_mul(y) == e.checked_mul(x) && c.checked_mul(y).is_some();
    Some(if equal { Outcome::Agrees } else { Outcome::Conflicts })
}

fn numbers(claim: &Quantity, evidence: &Quantity, norm: Norm) -> Outcome {
    let (Value::Numbers(a, b), Value::Numbers(c, d)) = (&claim.value, &evidence.value) else {
        return Outcome::Conflicts;
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
fn rounded(claim: &Quantity, evidence: &Quantity) -> Option<Outcome> {
    let (Value::Numbers(a, _), Value::Numbers(c, _)) = (&claim.value, &evidence.value) else {
        return None;
    };
    let is_bounded = |one: &Quantity| !matches!(one.bound, Bound::Exact | Bound::About);
    if is_bounded(claim) || is_bounded(evidence) {
        return None;
    }
    let off = (a - c).abs();
    if claim.measure == Measure::Frequency {
        return (off * 100 <= c.abs() * FREQUENCY_SLACK).then_some(Outcome::Agrees);
    }
    let within = |grain: i128| grain > 0 && off.saturating_mul(2) <= grain;
    match (claim.grain, evidence.grain) {
        (a, c) if a > c && c > 0 && within(a) => {
            let stepped = a != ONE || claim.bound == Bound::About;
            Some(if stepped { Outcome::Agrees } else { Outcome::Wider })
        }
        (a, c) if c > a && a > 0 && within(c) => Some(Outcome::Narrower),
        _ => None,
    }
}

fn ranges(claim: (i128, i128), evidence: (i128, i128), bounds: [Bound; 2]) -> Outcome {
    if claim == evidence {
        Outcome::Agrees
    } else if claim.0 == claim.1 && (evidence.0..=evidence.1).contains(&claim.0) {
        // The ends of a range are what it is called by: "up to 10" of "5 to 10".
        match bounds {
            [Bound::AtMost, _] if claim.0 == evidence.1 => Outcome::Agrees,
            [Bound::AtLeast, _] if claim.0 == evidence.0 => Outcome::Agrees,
            _ => Outcome::Narrower,
        }
    } else {
        Outcome::Conflicts
    }
}

/// The same number under two bounds.
fn same(claim: Bound, evidence: Bound, norm: Norm) -> Outcome {
    use Bound::{About, Above, AtLeast, AtMost, Below, Exact};
    match (claim, evidence) {
        (About, _) => Outcome::Agrees,
        (Exact, AtLeast) if norm == Norm::Rule => Outcome::Agrees,
        (Exact, AtLeast | AtMost | About) => Outcome::Narrower,
        (Exact | AtLeast | AtMost, Exact) => Outcome::Agrees,
        (AtLeast, AtLeast | Above) | (AtMost, AtMost | Below) => Outcome::Agrees,
        (Above, Above) | (Below, Below) => Outcome::Agrees,
        (Above, AtLeast) | (Below, AtMost) => Outcome::Conflicts,
        (AtLeast | AtMost | Above | Below, About) => Outcome::Wider,
        (Exact, Above | Below) | (Above | Below, Exact) => Outcome::Conflicts,
        (AtLeast | Above, AtMost | Below) | (AtMost | Below, AtLeast | Above) => Outcome::Conflicts,
    }
}

/// Two numbers that differ, under their bounds.
fn other(claim: &Quantity, evidence: &Quantity, norm: Norm) -> Outcome {
    use Bound::{About, Above, AtLeast, AtMost, Below, Exact};
    let (Value::Numbers(c, _), Value::Numbers(e, _)) = (&claim.value, &evidence.value) else {
        return Outcome::Conflicts;
    };
    let rising = |bound| matches!(bound, AtLeast | Above);
    let falling = |bound| matches!(bound, AtMost | Below);
    let (claimed, found) = (claim.bound, evidence.bound);
    let follows = (rising(claimed) && c < e) || (falling(claimed) && c > e);
    match (claimed, found) {
        (About, _) | (Exact, About) => {
            let close = (c - e).abs().saturating_mul(100) <= e.abs().saturating_mul(ABOUT);
            match (close, claimed) {
                (true, About) => Outcome::Agrees,
                (true, _) => Outcome::Narrower,
                (false, _) => Outcome::Conflicts,
            }
        }
        (Exact, AtLeast | Above) if c > e && norm == Norm::Fact => Outcome::Narrower,
        (Exact, AtMost | Below) if c < e && norm == Norm::Fact => Outcome::Narrower,
        (AtLeast | Above, Exact | About) | (AtMost | Below, Exact | About) if follows => {
            Outcome::Agrees
        }
        (Above, Above) | (Below, Below) if follows && norm == Norm::Fact => Outcome::Agrees,
        (AtLeast | Above, AtMost | Below) if c < e => Outcome::Narrower,
        (AtMost | Below, AtLeast | Above) if c > e => Outcome::Narrower,
        _ => Outcome::Conflicts,
    }
}

/// How much worse than the best a fit may be and still be considered: about one term five words off.
const MARGIN: u32 = 8;

/// What the same term right after both quantities adds to their fit.
const SAME_HEAD: u32 = 40;

/// How many in a hundred two frequencies may be apart: a month is no whole number of weeks.
const FREQUENCY_SLACK: i128 = 3;

/// How many in a hundred "about" may be off.
const ABOUT: i128 = 5;
