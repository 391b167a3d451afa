//! Presence: whether a passage holds the figures of a claim at all.
//!
//! The other rules compare values of one role and need a sentence that fits. A
//! figure that no line of a whole passage holds, in whatever role, cannot be
//! confirmed by it, however alike the subject.

use std::collections::BTreeSet;

use super::bound::QuantityBound;
use super::number::{self, MILLIONTHS_PER_ONE};
use super::quantity::{Quantity, QuantityValue, quantities};
use super::stem::stem;
use super::unit::QuantityMeasure;
use super::word::{WordKind, WordToken, words};

#[cfg(test)]
mod tests;

/// Whether every figure of a claim is in a passage, in whatever unit or scale of its kind: 60 % is
/// not 60 days, and a bare number of a table may be either.
///
/// Dates, ordinals and frequencies without a number are not looked for: they have too many forms.
pub fn holds_figures(claim: &str, passage: &str) -> bool {
    let claim = words(claim);
    let asked = asked_figures(&claim);
    // Without a figure to look for, the passage is not analysed at all.
    if asked.is_empty() {
        return true;
    }
    let passage = words(passage);
    let held = figures(&passage, FigureKind::of);
    asked.iter().all(|one| {
        let said = readings(&claim, one);
        let kind = FigureKind::of(&one.measure);
        let fits =
            |held: &PassageFigure| kind.is_none() || held.kind.is_none() || held.kind == kind;
        let mut held = held.iter().filter(|held| fits(held));
        held.any(|held| {
            let factors = factors(kind, held.kind);
            said.iter().any(|said| same(*said, held.reading, factors))
        })
    })
}

/// Whether evidence has the figure of a quantity, in whatever role, or as a bare number.
pub(super) fn holds_figure(
    claim: &[WordToken],
    quantity: &Quantity,
    evidence: &[WordToken],
) -> bool {
    let kind = FigureKind::of_statement(&quantity.measure);
    let said = readings(claim, quantity);
    is_figure(claim, quantity)
        && figures(evidence, FigureKind::of_statement).iter().any(|held| {
            let fits = kind.is_none() || held.kind.is_none() || held.kind == kind;
            fits && said.iter().any(|said| same(*said, held.reading, factors(kind, held.kind)))
        })
}

/// Whether a line states figures of a kind that the claim has figures of, and none of the claim's.
///
/// A line with another percentage, amount or period is about another case, or contradicts it, even
/// where the claim's figure is elsewhere in its passage.
pub fn states_other_figures(claim: &str, line: &str) -> bool {
    let claim = words(claim);
    let asked = asked_figures(&claim);
    if asked.is_empty() {
        return false;
    }
    let held = figures(&words(line), FigureKind::of_statement);
    let is_other = |kind: FigureKind| {
        let asked = asked.iter().filter(|one| FigureKind::of_statement(&one.measure) == Some(kind));
        let said: Vec<Reading> = asked.flat_map(|one| readings(&claim, one)).collect();
        let is_said = |held: &PassageFigure| {
            let factors = factors(Some(kind), held.kind);
            said.iter().any(|said| same(*said, held.reading, factors))
        };
        // A bare number of the line may be the figure with its unit left out.
        let may_be = |held: &&PassageFigure| held.kind.is_none() || held.kind == Some(kind);
        !said.is_empty()
            && held.iter().any(|held| held.kind == Some(kind))
            && !held.iter().filter(may_be).any(is_said)
    };
    [FigureKind::Percent, FigureKind::Money, FigureKind::Duration].into_iter().any(is_other)
}

/// The figures of a claim that evidence is asked for.
fn asked_figures(claim: &[WordToken]) -> Vec<Quantity> {
    quantities(claim).into_iter().filter(|one| is_figure(claim, one)).collect()
}

/// Whether a paraphrase keeps it. One of something is often written without a number.
fn is_figure(words: &[WordToken], quantity: &Quantity) -> bool {
    match quantity.measure {
        QuantityMeasure::Date | QuantityMeasure::Ordinal(_) => false,
        QuantityMeasure::Count(_) | QuantityMeasure::Frequency => {
            bare(words, quantity).is_some_and(|(value, _)| value != MILLIONTHS_PER_ONE)
        }
        _ => matches!(quantity.value, QuantityValue::Numbers(..)),
    }
}

/// A value in millionths, and the step in which it is written.
type Reading = (i128, i128);

/// The kind of a figure, where its unit states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FigureKind {
    Percent,
    Money,
    Duration,
}

impl FigureKind {
    fn of(measure: &QuantityMeasure) -> Option<Self> {
        match measure {
            QuantityMeasure::Percent => Some(Self::Percent),
            QuantityMeasure::Money(_) => Some(Self::Money),
            measure if measure.is_duration() => Some(Self::Duration),
            _ => None,
        }
    }

    /// The same, where an event every four years is also a matter of years.
    fn of_statement(measure: &QuantityMeasure) -> Option<Self> {
        match measure {
            QuantityMeasure::Frequency => Some(Self::Duration),
            measure => Self::of(measure),
        }
    }
}

/// A figure of a passage.
#[derive(Clone, Copy, Debug)]
struct PassageFigure {
    reading: Reading,
    kind: Option<FigureKind>,
}

/// A quantity in its standard unit, and the bare number of it.
fn readings(words: &[WordToken], quantity: &Quantity) -> Vec<Reading> {
    let mut readings = Vec::new();
    if let QuantityValue::Numbers(low, high) = quantity.value {
        readings.extend([(low, quantity.grain), (high, quantity.grain)]);
    }
    readings.extend(bare(words, quantity));
    if quantity.bound == QuantityBound::About {
        for (value, grain) in &mut readings {
            *grain = rounding_step(*value).max(*grain);
        }
    }
    readings
}

/// The words of a text that can name something. A number of one or two digits names nothing, as any
/// text may have it.
pub fn naming_words(text: &str) -> BTreeSet<String> {
    words(text).iter().filter_map(name_key).collect()
}

/// Whether these words of a text have those of a name, up to its first comma or bracket:
/// *Salisbury, MD* is named by *in Salisbury*.
pub fn is_named(name: &str, naming: &BTreeSet<String>) -> bool {
    let name = words(name);
    let mut parts = name.split(|word| matches!(word.kind, WordKind::Mark(',' | '،' | '(' | '[')));
    // The mark that a cell begins with ends no name.
    let wanted = parts.by_ref().find(|part| part.iter().any(|word| name_key(word).is_some()));
    let Some(wanted) = wanted else { return false };
    wanted.iter().filter_map(name_key).all(|key| naming.contains(&key))
}

/// What a word of a name is compared by.
fn name_key(word: &WordToken) -> Option<String> {
    match word.kind {
        WordKind::Digits => (word.form.len() > 2).then(|| word.form.clone()),
        WordKind::Small | WordKind::Capital => Some(stem(&word.form)),
        WordKind::Code => Some(word.form.clone()),
        WordKind::Mark(_) => None,
    }
}

/// The step of a rounded number: the last of its digits that is not 0.
fn rounding_step(value: i128) -> i128 {
    let tens = std::iter::successors(Some(1_i128), |step| step.checked_mul(10));
    tens.take_while(|step| value != 0 && value % step == 0).last().unwrap_or(0)
}

/// The number of a quantity, whatever it counts.
fn bare(words: &[WordToken], quantity: &Quantity) -> Option<Reading> {
    let number = quantity.words.clone().find_map(|at| number::number(words, at));
    number.map(|number| (number.value, number.grain))
}

/// Every figure of a passage: its quantities, and every number that has no unit of a kind.
fn figures(
    words: &[WordToken],
    kind_of: fn(&QuantityMeasure) -> Option<FigureKind>,
) -> Vec<PassageFigure> {
    let quantities = quantities(words);
    let mut figures = Vec::new();
    for quantity in &quantities {
        let kind = kind_of(&quantity.measure);
        let read = readings(words, quantity).into_iter();
        figures.extend(read.map(|reading| PassageFigure { reading, kind }));
    }
    let is_taken = |at: usize| {
        let mut of_kind = quantities.iter().filter(|one| kind_of(&one.measure).is_some());
        of_kind.any(|one| one.words.contains(&at))
    };
    let bare = (0..words.len()).filter(|at| !is_taken(*at));
    let bare = bare.filter_map(|at| number::number(words, at));
    figures.extend(
        bare.map(|number| PassageFigure { reading: (number.value, number.grain), kind: None }),
    );
    figures
}

/// Whether two are one value: equal, rounded to the coarser step, or one of them the other times
/// one of `factors`.
fn same((one, one_grain): Reading, (other, other_grain): Reading, factors: &[i128]) -> bool {
    let step = one_grain.max(other_grain);
    let near =
        |a: i128, b: i128| a == b || a.saturating_sub(b).saturating_abs().saturating_mul(2) <= step;
    let scaled = |factor: i128| {
        let close = |small: i128, large: i128| {
            let raised = small.saturating_mul(factor);
            // A rounded figure differs by less than one in two hundred.
            small != 0
                && raised.saturating_sub(large).saturating_abs().saturating_mul(200) <= large.abs()
        };
        close(one, other) || close(other, one)
    };
    near(one, other) || factors.iter().any(|factor| scaled(*factor))
}

/// How many times one figure another may be and mean the same: months of a year, days of a week,
/// hours of a day and minutes among durations; the thousands and millions of a table's head among
/// amounts of money and bare numbers; hundredths between a share and a bare number.
fn factors(one: Option<FigureKind>, other: Option<FigureKind>) -> &'static [i128] {
    match (one, other) {
        (Some(FigureKind::Duration), Some(FigureKind::Duration)) => &[7, 12, 24, 60],
        (Some(FigureKind::Money) | None, Some(FigureKind::Money) | None) => &[1_000, 1_000_000],
        (Some(FigureKind::Percent), None) | (None, Some(FigureKind::Percent)) => &[100],
        _ => &[],
    }
}
