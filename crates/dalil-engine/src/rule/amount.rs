//! Amounts: each quantity of a claim beside the one of the evidence that has its role.

use super::bound::Bound;
use super::date;
use super::modality;
use super::number::ONE;
use super::quantity::{Days, Quantity, Value};
use super::text::{Roles, Text};
use super::unit::Measure;
use super::{Finding, Kind, Outcome};

#[cfg(test)]
mod tests;

/// What the quantities of the evidence say about those of the claim.
pub(super) fn findings(claim: &Text<'_>, evidence: &Text<'_>, roles: &Roles<'_>) -> Vec<Finding> {
    let norm = Norm::of(claim, evidence);
    let find = |quantity| finding(quantity, [claim, evidence], roles, norm);
    claim.quantities.iter().filter_map(find).collect()
}

/// Whether a rule is stated, of which another number is another rule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Norm {
    Rule,
    Fact,
}

impl Norm {
    fn of(claim: &Text<'_>, evidence: &Text<'_>) -> Self {
        let stated = |text: &Text<'_>| !modality::forces(&text.words).is_empty();
        if stated(claim) || stated(evidence) { Self::Rule } else { Self::Fact }
    }
}

fn finding(
    quantity: &Quantity,
    texts: [&Text<'_>; 2],
    roles: &Roles<'_>,
    norm: Norm,
) -> Option<Finding> {
    let [claim, evidence] = texts;
    let candidates: Vec<_> = evidence
        .quantities
        .iter()
        .filter(|other| comparable(&quantity.measure, &other.measure))
        .map(|other| {
            (
                roles.fit(quantity.words.start, other.words.start),
                relate(quantity, other, norm),
                other,
            )
        })
        .collect();
    let kind = kind(&quantity.measure);
    let span = claim.span(quantity.words.clone());
    let missing = || Finding::new(kind, Outcome::Missing, claim, span.clone());
    let best = candidates.iter().map(|(fit, ..)| fit.weight).max();
    let Some(best) = best else { return Some(missing()) };
    // A value that is as good in its role as the best is preferred when it agrees.
    let chosen = candidates
        .iter()
        .filter(|(fit, ..)| fit.weight * 100 >= best * AS_GOOD)
        .min_by_key(|(fit, outcome, _)| (severity(*outcome), std::cmp::Reverse(fit.weight)))?;
    let (fit, outcome, other) = chosen;
    let foreign = claim.arabic() != evidence.arabic();
    match outcome {
        Outcome::Conflicts if foreign => None,
        Outcome::Conflicts if !fit.close() => Some(missing()),
        Outcome::Agrees if fit.shared == 0 && !foreign => Some(missing()),
        outcome => {
            let found = evidence.span(other.words.clone());
            Some(missing().met(*outcome, evidence, found))
        }
    }
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
    }
}

fn comparable(a: &Measure, b: &Measure) -> bool {
    let duration = |measure: &Measure| {
        matches!(measure, Measure::Time | Measure::WorkingDays | Measure::Months)
    };
    match (a, b) {
        (Measure::Count(a), Measure::Count(b)) => a.is_empty() || b.is_empty() || shares(a, b),
        (Measure::Ordinal(a), Measure::Ordinal(b)) => shares(a, b),
        (Measure::Money(_), Measure::Money(_)) => true,
        (a, b) => a == b || (duration(a) && duration(b)),
    }
}

fn shares(a: &str, b: &str) -> bool {
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
        return Outcome::Conflicts;
    };
    use Bound::{Above, AtLeast, AtMost, Below, Exact};
    match bounds {
        [AtMost | Below, Above | AtLeast] | [Above | AtLeast, AtMost | Below] => Outcome::Conflicts,
        [Exact, AtMost | Below] | [Exact, Above] => Outcome::Narrower,
        [Below, AtMost] | [Above, AtLeast] => Outcome::Narrower,
        _ => same,
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
    if a != b || c != d {
        return ranges((*a, *b), (*c, *d), [claim.bound, evidence.bound]);
    }
    if a == c { same(claim.bound, evidence.bound, norm) } else { other(claim, evidence, norm) }
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
        (AtLeast | Above, AtLeast | Above) | (AtMost | Below, AtMost | Below)
            if norm == Norm::Fact =>
        {
            if follows {
                Outcome::Agrees
            } else {
                Outcome::Narrower
            }
        }
        (AtLeast | Above, AtMost | Below) if c < e => Outcome::Narrower,
        (AtMost | Below, AtLeast | Above) if c > e => Outcome::Narrower,
        _ => Outcome::Conflicts,
    }
}

/// How many in a hundred of the best fit another must have to be considered.
const AS_GOOD: u32 = 75;

/// How many in a hundred "about" may be off.
const ABOUT: i128 = 5;
