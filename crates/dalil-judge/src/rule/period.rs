//! Periods: the time base of an amount, and frequencies.

use std::sync::LazyLock;

use super::number::{self, MILLIONTHS_PER_ONE};
use super::quantity::Quantity;
use super::unit::{MeasureUnit, QuantityMeasure, StandardUnit, unit};
use super::word::{WordKind, WordTable, WordToken};

#[cfg(test)]
mod tests;

/// The period a quantity is counted for, and the word that states it: `per month`,
/// `لكل سنة`, `monthly`, `شهرياً`.
pub(super) fn of(
    words: &[WordToken],
    quantity: &Quantity,
) -> Option<((StandardUnit, i128), usize)> {
    if matches!(
        quantity.measure,
        QuantityMeasure::Date
            | QuantityMeasure::Clock
            | QuantityMeasure::Ordinal(_)
            | QuantityMeasure::Frequency
    ) {
        return None;
    }
    let end = quantity.words.end;
    for at in end..end + MAX_PERIOD_REACH_WORDS {
        let word = words.get(at)?;
        if word.breaks() || word.kind == WordKind::Digits {
            return None;
        }
        if let Some(unit) = PERIOD_ADVERBS.exact(&word.form) {
            return Some(((unit.standard, unit.factor), at));
        }
        // `a month` is a period right after its amount; further on it is any month.
        let near = at == end;
        let each = ["per", "each", "every", "لكل", "كل", "/"].contains(&word.form.as_str());
        if each || (near && word.is("a")) {
            let (unit, _) = unit(words, at + 1)?;
            return Some(((unit.standard, unit.factor), at));
        }
    }
    None
}

/// How many times a year something is done that is done `once a month`, `every two weeks`,
/// `annually` or `مرتين في السنة`, in millionths, and how many words say so.
pub(super) fn frequency(words: &[WordToken], at: usize) -> Option<(i128, usize)> {
    if let Some((times, length)) = times(words, at)
        && let Some((year, period)) = each(words, at + length)
    {
        return Some((times.saturating_mul(year) / MILLIONTHS_PER_ONE, length + period));
    }
    if let Some(found) = basis(words, at) {
        return Some(found);
    }
    let form = words.get(at)?.form.as_str();
    // Arabic writes `and` onto it: `وكل`.
    let form = if matches!(form, "وكل" | "فكل") { "كل" } else { form };
    if let Some(unit) = PERIOD_ADVERBS.exact(form) {
        return Some((yearly(unit, MILLIONTHS_PER_ONE)?, 1));
    }
    // `for every two years` is the span counted for, not a frequency.
    let counted = at.checked_sub(1).and_then(|before| words.get(before));
    let counted =
        counted.is_some_and(|word| ["for", "عن", "in", "of"].contains(&word.form.as_str()));
    if !["every", "each", "كل"].contains(&form) || counted {
        return None;
    }
    let (year, length) = period(words, at + 1)?;
    let end = at + 1 + length;
    // `every year three times`, `كل سنة 3 مرات`.
    let (count, more) = times(words, end).unwrap_or((MILLIONTHS_PER_ONE, 0));
    Some((year.saturating_mul(count) / MILLIONTHS_PER_ONE, length + 1 + more))
}

/// `on an annual basis`, `بصفة سنوية`.
fn basis(words: &[WordToken], at: usize) -> Option<(i128, usize)> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let (adjective, length) = match (form(at), form(at + 1), form(at + 3)) {
        ("on", "a" | "an", "basis") => (form(at + 2), 4),
        ("بشكل" | "بصفه" | "بصوره", adjective, _) => (adjective, 2),
        _ => return None,
    };
    let unit = PERIOD_ADJECTIVES.exact(adjective).or_else(|| PERIOD_ADVERBS.exact(adjective))?;
    Some((yearly(unit, MILLIONTHS_PER_ONE)?, length))
}

/// `once`, `twice`, `three times`, `مرة واحدة`, in millionths.
fn times(words: &[WordToken], at: usize) -> Option<(i128, usize)> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    match form(at) {
        "once" => Some((MILLIONTHS_PER_ONE, 1)),
        "مره" => Some((MILLIONTHS_PER_ONE, 1 + usize::from(form(at + 1) == "واحده"))),
        "twice" | "مرتين" | "مرتان" => Some((2 * MILLIONTHS_PER_ONE, 1)),
        "thrice" => Some((3 * MILLIONTHS_PER_ONE, 1)),
        _ => {
            let number = number::number(words, at)?;
            let named = ["times", "time", "مرات", "مره"].contains(&form(at + number.length));
            named.then_some((number.value, number.length + 1))
        }
    }
}

/// `a month`, `per calendar quarter`, `in every two years`, `في السنة`: how many of them a year has.
fn each(words: &[WordToken], at: usize) -> Option<(i128, usize)> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let mut next = at;
    next += usize::from(["in", "within", "during", "في", "خلال"].contains(&form(next)));
    let article =
        ["a", "an", "per", "each", "every", "any", "the", "كل", "لكل"].contains(&form(next));
    next += usize::from(article);
    if next == at {
        return None;
    }
    let (year, length) = period(words, next)?;
    Some((year, next + length - at))
}

/// How many periods of this length a year has, and how many words say the length.
fn period(words: &[WordToken], at: usize) -> Option<(i128, usize)> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    if form(at) == "other" {
        let (unit, length) = unit(words, at + 1)?;
        return Some((yearly(unit, 2 * MILLIONTHS_PER_ONE)?, length + 1));
    }
    match number::number(words, at) {
        Some(number) => {
            let (unit, length) = unit(words, at + number.length)?;
            Some((yearly(unit, number.value)?, number.length + length))
        }
        None => {
            let (unit, length) = unit(words, at)?;
            let count = if unit.implied == 2 { 2 * MILLIONTHS_PER_ONE } else { MILLIONTHS_PER_ONE };
            Some((yearly(unit, count)?, length))
        }
    }
}

fn yearly(unit: MeasureUnit, count: i128) -> Option<i128> {
    let year = match unit.standard {
        StandardUnit::Month => 12,
        StandardUnit::Second | StandardUnit::Day => YEAR_SECONDS,
        StandardUnit::WorkingDay => YEAR_WORKING_DAYS,
        _ => return None,
    };
    // Millionths twice, since the divisor is in millionths; zero of a unit has no frequency.
    (year * MILLIONTHS_PER_ONE * MILLIONTHS_PER_ONE).checked_div(unit.amount(count))
}

/// How many words after a quantity may say its period.
const MAX_PERIOD_REACH_WORDS: usize = 8;

/// A year of 365.25 days.
const YEAR_SECONDS: i128 = 31_557_600;

/// 52 weeks of five days.
const YEAR_WORKING_DAYS: i128 = 260;

const fn counted_in(standard: StandardUnit, factor: i128) -> MeasureUnit {
    MeasureUnit { standard, factor: factor * MILLIONTHS_PER_ONE, implied: 0 }
}

/// Words that say how often in `on a … basis` alone: annual leave is no leave once a year.
static PERIOD_ADJECTIVES: LazyLock<WordTable<MeasureUnit>> = LazyLock::new(|| {
    let unit = counted_in;
    WordTable::of(&[
        ("يومي يومية", unit(StandardUnit::Day, 86_400)),
        ("أسبوعي أسبوعية", unit(StandardUnit::Day, 7 * 86_400)),
        ("شهري شهرية", unit(StandardUnit::Month, 1)),
        ("فصلي فصلية", unit(StandardUnit::Month, 3)),
        ("annual سنوي سنوية", unit(StandardUnit::Month, 12)),
    ])
});

static PERIOD_ADVERBS: LazyLock<WordTable<MeasureUnit>> = LazyLock::new(|| {
    let unit = counted_in;
    WordTable::of(&[
        ("hourly", unit(StandardUnit::Second, 3_600)),
        ("daily يوميا", unit(StandardUnit::Day, 86_400)),
        ("weekly أسبوعيا", unit(StandardUnit::Day, 7 * 86_400)),
        ("fortnightly biweekly", unit(StandardUnit::Day, 14 * 86_400)),
        ("monthly شهريا", unit(StandardUnit::Month, 1)),
        ("quarterly فصليا", unit(StandardUnit::Month, 3)),
        ("annually yearly سنويا", unit(StandardUnit::Month, 12)),
    ])
});
