//! Quantities: numbers with their unit, their bounds and the words around them.

use std::ops::Range;
use std::sync::LazyLock;

use super::bound::{self, QuantityBound};
use super::clock::clock;
use super::date::{self, PartialDate};
use super::number::{self, MILLIONTHS_PER_ONE};
use super::ordinal;
use super::period;
use super::reference::reference;
use super::stem;
use super::unit::{Currency, MeasureUnit, QuantityMeasure, StandardUnit, unit};
use super::word::{PhraseTable, WordKind, WordTable, WordToken};

#[cfg(test)]
mod tests;

/// A quantity of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    /// The words it takes up.
    pub(super) words: Range<usize>,
    pub(super) value: QuantityValue,
    pub(super) measure: QuantityMeasure,
    pub(super) bound: QuantityBound,
    /// Whether the days are calendar days.
    pub(super) days: DayKind,
    /// The period it is counted for, in units of a standard: `SAR 500 per month`.
    pub(super) per: Option<(StandardUnit, i128)>,
    /// Whether a noun before it marks it as a limit: `the cap is 5`.
    pub(super) is_limit: bool,
    /// The smallest step in which it is written, in millionths of the standard unit; 0 where a
    /// rounded value is another value.
    pub(super) grain: i128,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QuantityValue {
    /// From the first to the second, in millionths of the standard unit; the same twice for one number.
    Numbers(i128, i128),
    /// The readings of a date; two where day and month are ambiguous.
    Dates(Vec<PartialDate>),
}

impl QuantityValue {
    /// Whether it is more than one number.
    pub(super) fn is_range(&self) -> bool {
        matches!(self, Self::Numbers(low, high) if low < high)
    }
}

/// The kinds of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayKind {
    Plain,
    Calendar,
}

/// The quantities of a text, in order. Beyond [`MAX_QUANTITIES`] the rest is not read.
pub(super) fn quantities(words: &[WordToken]) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < MAX_QUANTITIES {
        // References before anything else: the number of a clause measures nothing.
        if let Some(length) = reference(words, at) {
            at += length;
            continue;
        }
        match quantity(words, at) {
            Some(quantity) => {
                // Always forward, so that the loop ends.
                at = quantity.words.end.max(at + 1);
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    found.iter_mut().for_each(|quantity| labelled(words, quantity));
    bound::attach(words, &mut found);
    // "SAR 500 every month" is an amount for a month, not something that is done monthly.
    let mut periods = Vec::new();
    for quantity in &mut found {
        if let Some((period, at)) = period::of(words, quantity) {
            quantity.per = Some(period);
            periods.push(at);
        }
    }
    found.retain(|one| {
        one.measure != QuantityMeasure::Frequency
            || !periods.iter().any(|at| one.words.contains(at))
    });
    if let Some(scale) = caption(words) {
        found.iter_mut().for_each(|quantity| scaled(quantity, words, scale));
    }
    found
}

/// `the maximum number of hours … is 12`, `Notice (days): 30`: the unit comes before its number.
fn labelled(words: &[WordToken], quantity: &mut Quantity) {
    let QuantityValue::Numbers(low, high) = quantity.value else { return };
    let start = quantity.words.start;
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let is_bare = quantity.measure == QuantityMeasure::Count(String::new());
    let link =
        start.checked_sub(1).filter(|at| ["is", "are", "was", ":", "="].contains(&form(*at)));
    let Some(link) = link.filter(|_| is_bare) else { return };
    let label = words.get(..link).unwrap_or_default().iter().rev();
    let label = label.take_while(|word| !word.breaks() && word.kind != WordKind::Digits);
    let first = link - label.take(MAX_LABEL_WORDS).count();
    // Of several the first: `the number of hours in a day`.
    let units = (first..link).filter_map(|at| unit(words, at));
    let named = units.map(|(unit, _)| unit).find(|unit| unit.standard.is_time());
    if let Some(unit) = named {
        quantity.value = QuantityValue::Numbers(unit.amount(low), unit.amount(high));
        quantity.measure = unit.standard.measure();
    }
}

/// `in thousands`, `بآلاف الريالات`: the factor of the figures of a table.
fn caption(words: &[WordToken]) -> Option<i128> {
    SCALE_CAPTIONS.all(words).first().map(|&(_, _, scale)| scale)
}

/// A figure under a caption: bare digits, or an amount that has no scale of its own.
fn scaled(quantity: &mut Quantity, words: &[WordToken], scale: i128) {
    let QuantityValue::Numbers(low, high) = quantity.value else { return };
    // Years and shares have no separator of thousands and are not scaled.
    let grouped = words
        .get(quantity.words.clone())
        .unwrap_or_default()
        .iter()
        .any(|word| word.kind == WordKind::Digits && word.form.contains(','));
    let figure = match &quantity.measure {
        QuantityMeasure::Money(_) => quantity.grain <= MILLIONTHS_PER_ONE,
        QuantityMeasure::Count(_) => grouped,
        _ => false,
    };
    if figure {
        let times = |value: i128| value.saturating_mul(scale);
        quantity.value = QuantityValue::Numbers(times(low), times(high));
        quantity.grain = times(quantity.grain.max(MILLIONTHS_PER_ONE));
        if matches!(quantity.measure, QuantityMeasure::Count(_)) {
            quantity.measure = QuantityMeasure::Money(Currency::Any);
        }
    }
}

fn quantity(words: &[WordToken], at: usize) -> Option<Quantity> {
    let clock = || {
        let (minutes, end) = clock(words, at)?;
        Some(made(at..end, QuantityValue::Numbers(minutes, minutes), QuantityMeasure::Clock))
    };
    let date = || {
        let (dates, length) = date::date(words, at)?;
        Some(made(at..at + length, QuantityValue::Dates(dates), QuantityMeasure::Date))
    };
    let frequency = || {
        let (times, length) = period::frequency(words, at)?;
        Some(made(
            at..at + length,
            QuantityValue::Numbers(times, times),
            QuantityMeasure::Frequency,
        ))
    };
    // The most special form first: a later one would read only a part of it.
    clock()
        .or_else(date)
        .or_else(frequency)
        .or_else(|| age(words, at))
        .or_else(|| counted_before(words, at))
        .or_else(|| part_of_unit(words, at))
        .or_else(|| fraction(words, at))
        .or_else(|| money_first(words, at))
        .or_else(|| number_first(words, at))
        .or_else(|| implied(words, at))
        .or_else(|| ordinal(words, at))
}

fn made(words: Range<usize>, value: QuantityValue, measure: QuantityMeasure) -> Quantity {
    let (bound, days) = (QuantityBound::Exact, DayKind::Plain);
    Quantity { words, value, measure, bound, days, per: None, is_limit: false, grain: 0 }
}

/// `half a year`, `نصف شهر`, `a quarter of an hour`: a part of a unit of time.
fn part_of_unit(words: &[WordToken], at: usize) -> Option<Quantity> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let share = match form(at) {
        "half" | "نصف" | "لنصف" => 2,
        "quarter" | "ربع" => 4,
        _ => return None,
    };
    let mut next = at + 1;
    next += usize::from(form(next) == "of");
    next += usize::from(["a", "an"].contains(&form(next)));
    let bare = next > at + 1 || words.get(at).is_some_and(WordToken::arabic);
    let (unit, length) = unit(words, next).filter(|(unit, _)| bare && unit.standard.is_time())?;
    let amount = unit.amount(MILLIONTHS_PER_ONE) / share;
    Some(made(at..next + length, QuantityValue::Numbers(amount, amount), unit.standard.measure()))
}

/// `سن الثامنة عشرة`, `the age of 18`: a number of years without their name.
fn age(words: &[WordToken], at: usize) -> Option<Quantity> {
    let lead = bound::start(words, at);
    let before = lead.checked_sub(1).and_then(|before| words.get(before))?;
    let form =
        |back: usize| lead.checked_sub(back).and_then(|at| words.get(at)).map(|word| &*word.form);
    let is_age =
        AGE_WORDS.find(&before.form).is_some() || (form(1) == Some("of") && form(2) == Some("age"));
    let (years, length) = match ordinal::compound(words, at) {
        Some((years, length)) => (years * MILLIONTHS_PER_ONE, length),
        None => number::number(words, at).map(|number| (number.value, number.length))?,
    };
    let years = years.checked_mul(MONTHS_PER_YEAR).filter(|_| is_age)?;
    let end = at + length;
    let is_named =
        unit_after(words, end).is_some() || words.get(end).is_some_and(|word| word.is("-"));
    let measure = StandardUnit::Month.measure();
    (!is_named).then(|| made(at..end, QuantityValue::Numbers(years, years), measure))
}

/// `الأشهر الستة الأولى`: the number comes after its unit, and both have the article.
fn counted_before(words: &[WordToken], at: usize) -> Option<Quantity> {
    let is_definite = words.get(at).is_some_and(|word| word.form.starts_with("ال"));
    let (unit, length) =
        unit(words, at).filter(|(unit, _)| is_definite && unit.standard.is_time())?;
    let numeral = words.get(at + length).filter(|word| number::is_definite(&word.form))?;
    let number = number::number(words, at + length)?;
    let is_few = number.length == 1 && numeral.arabic() && number.value <= 10 * MILLIONTHS_PER_ONE;
    let amount = unit.amount(number.value);
    let measure = unit.standard.measure();
    is_few.then(|| made(at..at + length + 1, QuantityValue::Numbers(amount, amount), measure))
}

/// `half of`, `two thirds`, `نصف`: parts of a whole, in percent.
fn fraction(words: &[WordToken], at: usize) -> Option<Quantity> {
    let word = words.get(at)?;
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let (percent, mut end) = match FRACTION_WORDS.exact(&word.form) {
        // "نصف مليون" is a number.
        Some(_) if number::number(words, at).is_some() => return None,
        Some(percent) => (percent, at + 1),
        None => {
            let number = number::number(words, at)?;
            let after = at + number.length;
            let after = after + usize::from(words.get(after).is_some_and(|word| word.is("-")));
            let (percent, many) = FRACTION_DENOMINATORS.exact(&words.get(after)?.form)?;
            let plain = number.value == MILLIONTHS_PER_ONE && !many
                || number.value > MILLIONTHS_PER_ONE && many;
            (plain.then_some(percent * number.value / MILLIONTHS_PER_ONE)?, after + 1)
        }
    };
    // `the first half` and `in half` are no shares.
    let led = before.is_some_and(|word| FRACTION_BLOCKERS.contains(&word.form.as_str()));
    let timed = unit(words, end).is_some()
        || words.get(end).is_some_and(|word| word.is("a") || word.is("year"));
    if led || timed {
        return None;
    }
    if words.get(end).is_some_and(|word| word.is("of")) {
        end += 1;
    } else if !word.arabic()
        && FRACTION_WORDS.exact(&word.form).is_some()
        && !words.get(end).is_some_and(|word| word.is("the"))
    {
        return None;
    }
    Some(made(at..end, QuantityValue::Numbers(percent, percent), QuantityMeasure::Percent))
}

/// `SAR 1,000`, `$5 million`.
fn money_first(words: &[WordToken], at: usize) -> Option<Quantity> {
    let (unit, length) =
        unit(words, at).filter(|(unit, _)| matches!(unit.standard, StandardUnit::Money(_)))?;
    let number = number::number(words, at + length)?;
    let mut end = at + length + number.length;
    let mut low = number.value;
    if words.get(end).is_some_and(|word| word.is("m")) {
        low = low.saturating_mul(1_000_000);
        end += 1;
    }
    let high = range(words, at, end).map_or(low, |(high, next)| {
        end = next;
        high
    });
    // "USD 500 dollars" is one amount.
    let found = made(at..end, QuantityValue::Numbers(low, high), unit.standard.measure());
    Some(Quantity { grain: number.grain, ..found })
}

/// The far end of a range that continues at a word, and where it ends.
fn range(words: &[WordToken], start: usize, at: usize) -> Option<(i128, usize)> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let led = (1..=3).any(|back| {
        start
            .checked_sub(back)
            .is_some_and(|before| ["between", "بين", "from", "من"].contains(&form(before)))
    });
    let mut next = at;
    if is_list_mark(words, at) {
        return None;
    }
    if let Some(far) = bound::far_end(words, start, at) {
        next = far;
    } else if RANGE_LINKS.contains(&form(at)) || (led && ["and", "و", "حتي"].contains(&form(at)))
    {
        next += 1;
    } else if !(led && form(at).starts_with('و')) {
        return None;
    }
    if let Some((unit, length)) = unit(words, next)
        && matches!(unit.standard, StandardUnit::Money(_))
    {
        next += length;
    }
    // A date after the link is a quantity of its own and no end of a range.
    if date::date(words, next).is_some() {
        return None;
    }
    let number = number::number(words, next).or_else(|| joined(words, next))?;
    // "from 25 to 20" is a change, and no range.
    let first = number::number(words, start).map_or(0, |first| first.value);
    (number.value >= first).then_some((number.value, next + number.length))
}

/// Whether a dash belongs to the number before it alone, as in `1- 15 days`: the mark of a list.
fn is_list_mark(words: &[WordToken], dash: usize) -> bool {
    let around = dash.checked_sub(1).and_then(|at| words.get(at..at + 3));
    let Some([before, dash, next]) = around else { return false };
    let is_dash = ["-", "–", "—"].contains(&dash.form.as_str());
    is_dash && before.span.end == dash.span.start && dash.span.end < next.span.start
}

/// Digits after a joined `و`: `و١٠`.
fn joined(words: &[WordToken], at: usize) -> Option<number::ParsedNumber> {
    words.get(at).filter(|word| word.is("و"))?;
    let number = number::number(words, at + 1)?;
    Some(number::ParsedNumber { length: number.length + 1, ..number })
}

/// `15 days`, `12 percent`, `1,000 ريال`, `three copies`, `5 to 10 days`.
fn number_first(words: &[WordToken], at: usize) -> Option<Quantity> {
    let number = number::number(words, at)?;
    let mut end = at + number.length;
    if begins_name(words, end) {
        return None;
    }
    let (low, mut high) = (number.value, number.value);
    // "5 days to 10 days": the unit of the first end may come in between.
    let between = unit(words, end).map_or(0, |(_, length)| length);
    if let Some((far, next)) = range(words, at, end).or_else(|| range(words, at, end + between)) {
        (high, end) = (far, next);
    }
    if let Some((unit, length)) = unit_after(words, end) {
        let after = end + length;
        let half = number::half_after(words, after).filter(|_| unit.standard.is_time());
        let more = half.map_or(0, |_| unit.amount(MILLIONTHS_PER_ONE) / 2);
        let value = QuantityValue::Numbers(unit.amount(low) + more, unit.amount(high) + more);
        let mut found = made(at..after + half.unwrap_or(0), value, unit.standard.measure());
        found.days = days(words, end..after);
        // A time is never a rounded one: 30 days are not 31.
        found.grain = if unit.standard.is_time() { 0 } else { unit.amount(number.grain) };
        return Some(found);
    }
    let suffix =
        words.get(end).is_some_and(|word| ["st", "nd", "rd", "th"].contains(&word.form.as_str()));
    if suffix && number.digits {
        let nouns = words.get(end + 1).and_then(noun).unwrap_or_default();
        return Some(made(
            at..end + 1,
            QuantityValue::Numbers(low, low),
            QuantityMeasure::Ordinal(nouns),
        ));
    }
    // Without a unit a numeral with the article is the number of something: `المادة الستون`.
    if words.get(at).is_some_and(|word| number::is_definite(&word.form)) {
        return None;
    }
    // "one of them", "one another" and a bare "أحد" count nothing.
    let nouns = nouns_after(words, end);
    if !number.digits && (low == MILLIONTHS_PER_ONE || nouns.is_empty()) {
        return None;
    }
    let found = made(at..end, QuantityValue::Numbers(low, high), QuantityMeasure::Count(nouns));
    // A plain whole number is a count; no other is a rounding of it.
    let grain = if number.grain == MILLIONTHS_PER_ONE { 0 } else { number.grain };
    Some(Quantity { grain, ..found })
}

/// Whether letters that are no unit directly follow a number: `37signals` is a name.
fn begins_name(words: &[WordToken], end: usize) -> bool {
    let pair = end.checked_sub(1).and_then(|last| words.get(last).zip(words.get(end)));
    pair.is_some_and(|(last, next)| {
        last.kind == WordKind::Digits
            && last.span.end == next.span.start
            && next.letters()
            && next.form.chars().count() > MAX_SUFFIX_LETTERS
            && unit(words, end).is_none()
    })
}

/// The unit after a number, and how many words lead to its end: `15 or more consecutive days`.
fn unit_after(words: &[WordToken], end: usize) -> Option<(MeasureUnit, usize)> {
    let open = bound::open_end(words, end).unwrap_or(0);
    let filler = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| word.is("-") || QUANTITY_FILLERS.exact(&word.form).is_some())
    };
    let filled = open + usize::from(filler(end + open));
    [0, open, filled].into_iter().find_map(|skip| {
        let (unit, length) = unit(words, end + skip)?;
        Some((unit, length + skip))
    })
}

fn days(words: &[WordToken], range: Range<usize>) -> DayKind {
    let said = words
        .get(range)
        .unwrap_or_default()
        .iter()
        .any(|word| word.is("calendar") || word.form.starts_with("تقويمي"));
    if said { DayKind::Calendar } else { DayKind::Plain }
}

/// The nouns that a number counts, as keys: the next one or two words that carry meaning.
fn nouns_after(words: &[WordToken], at: usize) -> String {
    let nouns = words.iter().skip(at).take(2);
    let keys: Vec<String> =
        nouns.map_while(|word| stem::key(word).filter(|_| word.letters())).collect();
    keys.join(" ")
}

/// `أسبوعين`, and one unit after a word that needs a measure: `خلال شهر`, `within a week`.
fn implied(words: &[WordToken], at: usize) -> Option<Quantity> {
    let article = words.get(at).is_some_and(|word| word.is("a") || word.is("an"));
    let (unit, length) = unit(words, at + usize::from(article))?;
    let end = at + usize::from(article) + length;
    let led = at
        .checked_sub(1)
        .and_then(|before| words.get(before))
        .is_some_and(|word| UNIT_LEAD_WORDS.find(&word.form).is_some());
    let definite = words.get(at).is_some_and(|word| word.form.starts_with("ال"));
    let money = matches!(unit.standard, StandardUnit::Money(_));
    let arabic = words.get(at).is_some_and(WordToken::arabic);
    // "a quarter of an hour" is a part of the hour.
    let of = |at: usize| words.get(at).is_some_and(|word| word.is("of"));
    if article && of(end) && part_of_unit(words, at + 1).is_some() {
        return None;
    }
    // `سنة واحدة`: the number comes after its unit.
    let one = usize::from(
        arabic
            && words
                .get(end)
                .is_some_and(|word| ["واحد", "واحده", "واحدا"].contains(&word.form.as_str())),
    );
    let end = end + one;
    let value = match unit.implied {
        2 => 2,
        1 if one > 0 && !definite && !money => 1,
        1 if led && !definite && !money && (article || arabic) => 1,
        _ => return None,
    };
    // A unit before a date or an ordinal is a part of it: `بعد يوم ١ مايو`.
    if value == 1 && (date::date(words, end).is_some() || ordinal(words, end).is_some()) {
        return None;
    }
    let half = number::half_after(words, end).filter(|_| unit.standard.is_time());
    let amount = unit.amount(value * MILLIONTHS_PER_ONE)
        + half.map_or(0, |_| unit.amount(MILLIONTHS_PER_ONE) / 2);
    let end = end + half.unwrap_or(0);
    let mut found = made(at..end, QuantityValue::Numbers(amount, amount), unit.standard.measure());
    found.days = days(words, at..end);
    Some(found)
}

/// `third`, `الثالث`: with the noun beside it.
fn ordinal(words: &[WordToken], at: usize) -> Option<Quantity> {
    let word = words.get(at)?;
    let place = ordinal::place(&word.form)?;
    let beside = if word.arabic() { at.checked_sub(1)? } else { at + 1 };
    let nouns = words.get(beside).and_then(noun).filter(|nouns| !nouns.is_empty())?;
    let party = words.get(at + 1).is_some_and(|word| word.form.starts_with("part"));
    // A third party is an outsider, not the third of several.
    if place == 3 && party {
        return None;
    }
    Some(made(
        at..at + 1,
        QuantityValue::Numbers(place * MILLIONTHS_PER_ONE, place * MILLIONTHS_PER_ONE),
        QuantityMeasure::Ordinal(nouns),
    ))
}

/// The noun of an ordinal, which may be a unit: `the first day`.
fn noun(word: &WordToken) -> Option<String> {
    let unit = || unit(std::slice::from_ref(word), 0).map(|_| stem::stem(&word.form));
    stem::key(word).or_else(unit)
}

/// How many words before a number may name its unit.
const MAX_LABEL_WORDS: usize = 12;

/// Letters right behind a number that may be a suffix of it: `2nd`, `3x`, `5bn`.
const MAX_SUFFIX_LETTERS: usize = 3;

const MONTHS_PER_YEAR: i128 = 12;

/// Words that an age follows.
static AGE_WORDS: LazyLock<WordTable<()>> =
    LazyLock::new(|| WordTable::of(&[("aged سن عمره عمرها", ())]));

/// How many quantities of one text are read.
pub(super) const MAX_QUANTITIES: usize = 64;

const RANGE_LINKS: &[&str] = &["to", "-", "–", "—", "الي", "through"];

const FRACTION_BLOCKERS: &[&str] = &["first", "second", "in", "other", "the"];

static FRACTION_WORDS: LazyLock<WordTable<i128>> = LazyLock::new(|| {
    WordTable::of(&[
        ("half نصف بنصف", 50 * MILLIONTHS_PER_ONE),
        ("ربع", 25 * MILLIONTHS_PER_ONE),
        ("ثلث", 100 * MILLIONTHS_PER_ONE / 3),
        ("ثلثي ثلثا ثلثين", 200 * MILLIONTHS_PER_ONE / 3),
    ])
});

/// Parts that need a number before them, and whether they are plural.
static FRACTION_DENOMINATORS: LazyLock<WordTable<(i128, bool)>> = LazyLock::new(|| {
    WordTable::of(&[
        ("third", (100 * MILLIONTHS_PER_ONE / 3, false)),
        ("thirds", (100 * MILLIONTHS_PER_ONE / 3, true)),
        ("quarter", (25 * MILLIONTHS_PER_ONE, false)),
        ("quarters", (25 * MILLIONTHS_PER_ONE, true)),
        ("fifth", (20 * MILLIONTHS_PER_ONE, false)),
        ("fifths", (20 * MILLIONTHS_PER_ONE, true)),
        ("tenth", (10 * MILLIONTHS_PER_ONE, false)),
        ("half", (50 * MILLIONTHS_PER_ONE, false)),
    ])
});

static QUANTITY_FILLERS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    WordTable::of(&[(
        "full paid unpaid consecutive additional more further whole clear extra calendar complete",
        (),
    )])
});

/// Words after which one unit is meant by its name alone.
static UNIT_LEAD_WORDS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    WordTable::of(&[("within for after than least خلال لمدة مدتها مدته بعد قبل عن ولمدة مدة", ())])
});

/// Captions with the scale of a table's figures.
static SCALE_CAPTIONS: LazyLock<PhraseTable<i128>> = LazyLock::new(|| {
    PhraseTable::of(&[
        ("in thousands|thousands of dollars|بآلاف|بالآلاف|بألوف", 1_000),
        ("in millions|millions of dollars|بملايين|بالملايين", 1_000_000),
    ])
});
