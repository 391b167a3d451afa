//! Quantities: numbers with what they measure, their bounds and the words they stand in.

use std::ops::Range;
use std::sync::LazyLock;

use super::bound::{self, Bound};
use super::date::{self, Date};
use super::number::{self, ONE};
use super::stem;
use super::unit::{Base, Measure, Unit, unit};
use super::word::{Kind, Table, Word};

#[cfg(test)]
mod tests;

/// A quantity of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    /// The words it takes up.
    pub(super) words: Range<usize>,
    pub(super) value: Value,
    pub(super) measure: Measure,
    pub(super) bound: Bound,
    /// Whether the days are said to be days of the calendar.
    pub(super) days: Days,
    /// The period it is counted for, in units of a base: `SAR 500 per month`.
    pub(super) per: Option<(Base, i128)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// From the first to the second, in millionths of the base unit; the same twice for one number.
    Numbers(i128, i128),
    /// The readings of a date; two where day and month cannot be told apart.
    Dates(Vec<Date>),
}

/// What is said about days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Days {
    Plain,
    Calendar,
}

/// The quantities of a text, in order. Beyond [`MAX_QUANTITIES`] the rest is not read.
pub(super) fn quantities(words: &[Word]) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < MAX_QUANTITIES {
        if let Some(length) = reference(words, at) {
            at += length;
            continue;
        }
        match quantity(words, at) {
            Some(quantity) => {
                at = quantity.words.end.max(at + 1);
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    bound::attach(words, &mut found);
    for quantity in &mut found {
        quantity.per = per(words, quantity);
    }
    found
}

/// `section 3.2`, `pages 9 to 17`, `المادة ٥`: numbers that name a place, not an amount.
fn reference(words: &[Word], at: usize) -> Option<usize> {
    REFERENCES.find(&words.get(at)?.form)?;
    let number = |at: usize| {
        words.get(at).is_some_and(|word| matches!(word.kind, Kind::Digits | Kind::Code))
    };
    let mut next = at + 1;
    while words
        .get(next)
        .is_some_and(|word| ["(", ".", "رقم", "من", "from"].contains(&word.form.as_str()))
    {
        next += 1;
    }
    if !number(next) {
        return None;
    }
    next += 1;
    while words.get(next).is_some_and(|word| RANGE_LINKS.contains(&word.form.as_str()))
        && number(next + 1)
    {
        next += 2;
    }
    Some(next - at)
}

fn quantity(words: &[Word], at: usize) -> Option<Quantity> {
    clock(words, at)
        .or_else(|| {
            let (dates, length) = date::date(words, at)?;
            Some(made(at..at + length, Value::Dates(dates), Measure::Date))
        })
        .or_else(|| fraction(words, at))
        .or_else(|| money_first(words, at))
        .or_else(|| number_first(words, at))
        .or_else(|| implied(words, at))
        .or_else(|| ordinal(words, at))
}

fn made(words: Range<usize>, value: Value, measure: Measure) -> Quantity {
    Quantity { words, value, measure, bound: Bound::Exact, days: Days::Plain, per: None }
}

/// `10:30`, `5 pm`, `الساعة ٩ صباحاً`, `noon`.
fn clock(words: &[Word], at: usize) -> Option<Quantity> {
    let word = words.get(at)?;
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let made = |end, minutes: i128| {
        let value = Value::Numbers(minutes * ONE, minutes * ONE);
        Some(made(at..end, value, Measure::Clock))
    };
    match word.form.as_str() {
        "noon" | "midday" => return made(at + 1, 12 * 60),
        "midnight" => return made(at + 1, 0),
        _ => {}
    }
    let hour = number::number(words, at)?;
    let mut end = at + hour.length;
    let hour = hour.value / ONE;
    let led = at
        .checked_sub(1)
        .is_some_and(|before| ["الساعه", "للساعه", "o'clock"].contains(&form(before)));
    let mut minutes = None;
    if form(end) == ":"
        && words.get(end + 1).is_some_and(|word| word.kind == Kind::Digits && word.form.len() == 2)
    {
        minutes = number::digits(form(end + 1)).map(|value| value / ONE);
        end += 2;
    }
    let (half, length) = match (form(end), form(end + 1), form(end + 2)) {
        ("am" | "صباحا" | "ص", ..) => (Some(0), 1),
        ("pm" | "مسا" | "مساا" | "ظهرا" | "عصرا" | "بعد" | "م", ..) if form(end) != "بعد" => {
            (Some(12), 1)
        }
        ("a", ".", "m") => (Some(0), 3),
        ("p", ".", "m") => (Some(12), 3),
        _ => (None, 0),
    };
    end += length;
    if !(0..=24).contains(&hour) || (half.is_none() && minutes.is_none() && !led) {
        return None;
    }
    let hour = match half {
        Some(half) if hour <= 12 => hour % 12 + half,
        _ => hour,
    };
    made(end, hour * 60 + minutes.unwrap_or(0))
}

/// `half of`, `two thirds`, `نصف`: parts of a whole, in percent.
fn fraction(words: &[Word], at: usize) -> Option<Quantity> {
    let word = words.get(at)?;
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let (percent, mut end) = match FRACTIONS.exact(&word.form) {
        Some(percent) => (percent, at + 1),
        None => {
            let number = number::number(words, at)?;
            let next = words.get(at + number.length)?;
            let next = if next.is("-") { words.get(at + number.length + 1)? } else { next };
            let (percent, many) = PARTS.exact(&next.form)?;
            let plain = number.value == ONE && !many || number.value > ONE && many;
            (plain.then_some(percent * number.value / ONE)?, at + number.length + 1)
        }
    };
    let led = before.is_some_and(|word| FRACTION_BARS.contains(&word.form.as_str()));
    let timed = unit(words, end).is_some()
        || words.get(end).is_some_and(|word| word.is("a") || word.is("year"));
    if led || timed {
        return None;
    }
    if words.get(end).is_some_and(|word| word.is("of")) {
        end += 1;
    } else if !word.arabic()
        && FRACTIONS.exact(&word.form).is_some()
        && !words.get(end).is_some_and(|word| word.is("the"))
    {
        return None;
    }
    Some(made(at..end, Value::Numbers(percent, percent), Measure::Percent))
}

/// `SAR 1,000`, `$5 million`.
fn money_first(words: &[Word], at: usize) -> Option<Quantity> {
    let (unit, length) = unit(words, at).filter(|(unit, _)| matches!(unit.base, Base::Money(_)))?;
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
    Some(made(at..end, Value::Numbers(low, high), unit.base.measure()))
}

/// The far end of a range that goes on at a word, and where it ends.
fn range(words: &[Word], start: usize, at: usize) -> Option<(i128, usize)> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let led = (1..=3).any(|back| {
        start
            .checked_sub(back)
            .is_some_and(|before| ["between", "بين", "from", "من"].contains(&form(before)))
    });
    let mut next = at;
    if RANGE_LINKS.contains(&form(at)) || (led && ["and", "و", "حتي"].contains(&form(at))) {
        next += 1;
    } else if !(led && form(at).starts_with('و')) {
        return None;
    }
    if let Some((unit, length)) = unit(words, next)
        && matches!(unit.base, Base::Money(_))
    {
        next += length;
    }
    if date::date(words, next).is_some() {
        return None;
    }
    let number = number::number(words, next).or_else(|| joined(words, next))?;
    Some((number.value, next + number.length))
}

/// Digits after a joined `و`: `و١٠`.
fn joined(words: &[Word], at: usize) -> Option<number::Number> {
    words.get(at).filter(|word| word.is("و"))?;
    let number = number::number(words, at + 1)?;
    Some(number::Number { length: number.length + 1, ..number })
}

/// `15 days`, `12 percent`, `1,000 ريال`, `three copies`, `5 to 10 days`.
fn number_first(words: &[Word], at: usize) -> Option<Quantity> {
    let number = number::number(words, at)?;
    let mut end = at + number.length;
    let (low, mut high) = (number.value, number.value);
    // "5 days to 10 days": the unit of the first end may stand between.
    let between = unit(words, end).map_or(0, |(_, length)| length);
    if let Some((far, next)) = range(words, at, end).or_else(|| range(words, at, end + between)) {
        (high, end) = (far, next);
    }
    let filled = end
        + usize::from(
            words.get(end).is_some_and(|word| word.is("-") || FILLERS.exact(&word.form).is_some()),
        );
    if let Some((unit, length)) =
        unit(words, end).or_else(|| unit(words, filled).map(|(u, l)| (u, l + filled - end)))
    {
        let value = Value::Numbers(unit.amount(low), unit.amount(high));
        let mut found = made(at..end + length, value, unit.base.measure());
        found.days = days(words, end..end + length);
        return Some(found);
    }
    let suffix =
        words.get(end).is_some_and(|word| ["st", "nd", "rd", "th"].contains(&word.form.as_str()));
    if suffix && number.digits {
        let nouns = words.get(end + 1).and_then(noun).unwrap_or_default();
        return Some(made(at..end + 1, Value::Numbers(low, low), Measure::Ordinal(nouns)));
    }
    // "one of them", "one another" and a bare "أحد" count nothing.
    let nouns = nouns_after(words, end);
    if !number.digits && (low == ONE || nouns.is_empty()) {
        return None;
    }
    Some(made(at..end, Value::Numbers(low, high), Measure::Count(nouns)))
}

fn days(words: &[Word], range: Range<usize>) -> Days {
    let said = words
        .get(range)
        .unwrap_or_default()
        .iter()
        .any(|word| word.is("calendar") || word.form.starts_with("تقويمي"));
    if said { Days::Calendar } else { Days::Plain }
}

/// The nouns that a number counts, as keys: the next one or two words that carry meaning.
fn nouns_after(words: &[Word], at: usize) -> String {
    let nouns = words.iter().skip(at).take(2);
    let keys: Vec<String> =
        nouns.map_while(|word| stem::key(word).filter(|_| word.letters())).collect();
    keys.join(" ")
}

/// `أسبوعين`, and one unit after a word that needs a measure: `خلال شهر`, `within a week`.
fn implied(words: &[Word], at: usize) -> Option<Quantity> {
    let article = words.get(at).is_some_and(|word| word.is("a") || word.is("an"));
    let (unit, length) = unit(words, at + usize::from(article))?;
    let end = at + usize::from(article) + length;
    let led = at
        .checked_sub(1)
        .and_then(|before| words.get(before))
        .is_some_and(|word| MEASURED.find(&word.form).is_some());
    let definite = words.get(at).is_some_and(|word| word.form.starts_with("ال"));
    let money = matches!(unit.base, Base::Money(_));
    let arabic = words.get(at).is_some_and(Word::arabic);
    let value = match unit.implied {
        2 => 2,
        1 if led && !definite && !money && (article || arabic) => 1,
        _ => return None,
    };
    if value == 1 && (date::date(words, end).is_some() || ordinal(words, end).is_some()) {
        return None;
    }
    let amount = unit.amount(value * ONE);
    let mut found = made(at..end, Value::Numbers(amount, amount), unit.base.measure());
    found.days = days(words, at..end);
    Some(found)
}

/// `third`, `الثالث`: with the noun beside it.
fn ordinal(words: &[Word], at: usize) -> Option<Quantity> {
    let word = words.get(at)?;
    let place = ORDINALS.exact(&word.form)?;
    let beside = if word.arabic() { at.checked_sub(1)? } else { at + 1 };
    let nouns = words.get(beside).and_then(noun).unwrap_or_default();
    let party = words.get(at + 1).is_some_and(|word| word.form.starts_with("part"));
    if (place == 3 && party) || nouns.is_empty() {
        return None;
    }
    Some(made(at..at + 1, Value::Numbers(place * ONE, place * ONE), Measure::Ordinal(nouns)))
}

/// The noun of an ordinal, which may be a unit: `the first day`.
fn noun(word: &Word) -> Option<String> {
    let unit = || unit(std::slice::from_ref(word), 0).map(|_| stem::stem(&word.form));
    stem::key(word).or_else(unit)
}

/// The period a quantity is counted for: `per month`, `لكل سنة`, `monthly`, `شهرياً`.
fn per(words: &[Word], quantity: &Quantity) -> Option<(Base, i128)> {
    if matches!(quantity.measure, Measure::Date | Measure::Clock | Measure::Ordinal(_)) {
        return None;
    }
    let period = |unit: Unit| Some((unit.base, unit.factor));
    let end = quantity.words.end;
    for at in end..end + PER_REACH {
        let word = words.get(at)?;
        if word.breaks() || word.kind == Kind::Digits {
            return None;
        }
        if let Some(unit) = ADVERBS.exact(&word.form) {
            return period(unit);
        }
        let near = at == end;
        let each = ["per", "each", "every", "لكل", "كل", "/"].contains(&word.form.as_str());
        if each || (near && word.is("a")) {
            return unit(words, at + 1).and_then(|(unit, _)| period(unit));
        }
    }
    None
}

/// How many quantities of one text are read.
pub(super) const MAX_QUANTITIES: usize = 64;

/// How many words after a quantity may say its period.
const PER_REACH: usize = 8;

const RANGE_LINKS: &[&str] = &["to", "-", "–", "—", "الي", "through"];

const FRACTION_BARS: &[&str] = &["first", "second", "in", "other", "the"];

static FRACTIONS: LazyLock<Table<i128>> = LazyLock::new(|| {
    Table::of(&[
        ("half نصف بنصف", 50 * ONE),
        ("ربع", 25 * ONE),
        ("ثلث", 100 * ONE / 3),
        ("ثلثي ثلثا ثلثين", 200 * ONE / 3),
    ])
});

/// Parts that need a number before them, and whether they are plural.
static PARTS: LazyLock<Table<(i128, bool)>> = LazyLock::new(|| {
    Table::of(&[
        ("third", (100 * ONE / 3, false)),
        ("thirds", (100 * ONE / 3, true)),
        ("quarter", (25 * ONE, false)),
        ("quarters", (25 * ONE, true)),
        ("fifth", (20 * ONE, false)),
        ("fifths", (20 * ONE, true)),
        ("tenth", (10 * ONE, false)),
        ("half", (50 * ONE, false)),
    ])
});

static REFERENCES: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::of(&[
        (
            "section sections clause clauses article articles page pages annex appendix schedule chapter paragraph item part figure table",
            (),
        ),
        ("مادة مواد بند بنود فقرة صفحة صفحات ملحق فصل قسم جزء جدول رقم", ()),
    ])
});

static FILLERS: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::of(&[(
        "full paid unpaid consecutive additional more further whole clear extra calendar complete",
        (),
    )])
});

/// Words after which one unit is meant by its name alone.
static MEASURED: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::of(&[("within for after than least خلال لمدة مدتها مدته بعد قبل عن ولمدة مدة", ())])
});

static ADVERBS: LazyLock<Table<Unit>> = LazyLock::new(|| {
    let unit = |base, factor: i128| Unit { base, factor: factor * ONE, implied: 0 };
    Table::of(&[
        ("hourly", unit(Base::Second, 3_600)),
        ("daily يوميا", unit(Base::Day, 86_400)),
        ("weekly أسبوعيا", unit(Base::Day, 7 * 86_400)),
        ("monthly شهريا", unit(Base::Month, 1)),
        ("annually yearly سنويا", unit(Base::Month, 12)),
    ])
});

static ORDINALS: LazyLock<Table<i128>> = LazyLock::new(|| {
    Table::of(&[
        ("first الأول الأولى", 1),
        ("second الثاني الثانية", 2),
        ("third الثالث الثالثة", 3),
        ("fourth الرابع الرابعة", 4),
        ("fifth الخامس الخامسة", 5),
        ("sixth السادس السادسة", 6),
        ("seventh السابع السابعة", 7),
        ("eighth الثامن الثامنة", 8),
        ("ninth التاسع التاسعة", 9),
        ("tenth العاشر العاشرة", 10),
        ("thirtieth", 30),
    ])
});
