//! Dates: days, months and years of the Gregorian and the Hijri calendar.

use std::sync::LazyLock;

use super::number::digits;
use super::word::{WordKind, WordTable, WordToken};

#[cfg(test)]
mod tests;

/// A date, or the parts of one that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartialDate {
    pub(super) calendar: CalendarSystem,
    pub(super) year: Option<i64>,
    pub(super) month: Option<i64>,
    pub(super) day: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CalendarSystem {
    Gregorian,
    Hijri,
}

/// How two dates stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateRelation {
    Same,
    /// The first states a part that the second leaves open.
    Finer,
    Different,
}

impl PartialDate {
    /// Compares this date with another.
    ///
    /// Hijri dates are converted by the tabular calendar, which differs from the
    /// sighted and the Umm al-Qura calendars by at most a day or so; one day is
    /// therefore no difference.
    pub(super) fn relation(&self, other: &Self) -> DateRelation {
        if self.calendar == other.calendar {
            let parts = [(self.year, other.year), (self.month, other.month), (self.day, other.day)];
            let differ =
                |&(a, b): &(Option<i64>, Option<i64>)| a.is_some() && b.is_some() && a != b;
            let finer = |&(a, b): &(Option<i64>, Option<i64>)| a.is_some() && b.is_none();
            // `March` and `2026` have no part in common and are not the same date.
            let shared = parts.iter().any(|(a, b)| a.is_some() && b.is_some());
            return match () {
                () if parts.iter().any(differ) || !shared => DateRelation::Different,
                () if parts.iter().any(finer) => DateRelation::Finer,
                () => DateRelation::Same,
            };
        }
        let (Some((a, b)), Some((c, d))) = (self.days(), other.days()) else {
            return DateRelation::Different;
        };
        if b + 1 < c || d + 1 < a {
            DateRelation::Different
        } else if b - a < d - c {
            DateRelation::Finer
        } else {
            DateRelation::Same
        }
    }

    /// The first and the last day, counted from a day long ago; nothing without a year.
    pub(super) fn days(&self) -> Option<(i64, i64)> {
        let year = self.year?;
        let to_day = match self.calendar {
            CalendarSystem::Gregorian => gregorian,
            CalendarSystem::Hijri => hijri,
        };
        Some(match (self.month, self.day) {
            (Some(month), Some(day)) => (to_day(year, month, day), to_day(year, month, day)),
            // The Hijri formula has no thirteenth month: the last ends where the next year begins.
            (Some(12), None) => (to_day(year, 12, 1), to_day(year + 1, 1, 1) - 1),
            (Some(month), None) => (to_day(year, month, 1), to_day(year, month + 1, 1) - 1),
            (None, _) => (to_day(year, 1, 1), to_day(year + 1, 1, 1) - 1),
        })
    }
}

/// The readings of the date that begins at a word, and how many words it takes.
pub(super) fn date(words: &[WordToken], at: usize) -> Option<(Vec<PartialDate>, usize)> {
    let form = |offset: usize| words.get(at + offset).map(|word| word.form.as_str());
    // The fullest form first, a year alone last.
    numeric(words, at)
        .or_else(|| day_first(words, at))
        .or_else(|| month_first(words, at))
        .or_else(|| year_alone(words, at))
        .map(|(mut dates, length)| {
            let era = form(length).and_then(|form| ERAS.exact(form));
            let Some(calendar) = era else { return (dates, length) };
            for date in &mut dates {
                date.calendar = calendar;
            }
            (dates, length + 1)
        })
}

/// `2026-01-31`, `31/01/2026`, `31.1.2026`. Which of day and month is first may be open.
fn numeric(words: &[WordToken], at: usize) -> Option<(Vec<PartialDate>, usize)> {
    let first = words.get(at).filter(|word| word.kind == WordKind::Digits)?;
    let dotted: Vec<&str> = first.form.split('.').collect();
    let (parts, length) = if let [a, b, c] = dotted.as_slice() {
        ([whole(a)?, whole(b)?, whole(c)?], 1)
    } else {
        let mark = words.get(at + 1).filter(|word| word.is("-") || word.is("/"))?;
        let second = words.get(at + 2).filter(|word| word.kind == WordKind::Digits)?;
        words.get(at + 3).filter(|word| word.form == mark.form)?;
        let third = words.get(at + 4).filter(|word| word.kind == WordKind::Digits)?;
        ([whole(&first.form)?, whole(&second.form)?, whole(&third.form)?], 5)
    };
    let [a, b, c] = parts;
    let of = |year, month, day| {
        // The Hijri years 1300 to 1499 are 1882 to 2076.
        let calendar = if (1300..1500).contains(&year) {
            CalendarSystem::Hijri
        } else {
            CalendarSystem::Gregorian
        };
        let date = PartialDate { calendar, year: Some(year), month: Some(month), day: Some(day) };
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(date)
    };
    // With the year first the order is that of ISO 8601; with the year last both are kept.
    let mut dates: Vec<PartialDate> = if a >= 1000 {
        of(a, b, c).into_iter().collect()
    } else if c >= 1000 {
        [of(c, b, a), of(c, a, b)].into_iter().flatten().collect()
    } else {
        Vec::new()
    };
    dates.dedup();
    (!dates.is_empty()).then_some((dates, length))
}

/// `1 January 2026`, `1st of January`, `١ يناير ٢٠٢٦`, `١ من شهر رمضان ١٤٤٧`.
fn day_first(words: &[WordToken], at: usize) -> Option<(Vec<PartialDate>, usize)> {
    let day = day(words, at)?;
    let mut next = at + 1;
    for link in [&["st", "nd", "rd", "th"][..], &["of", "من"][..], &["شهر"][..]] {
        if words.get(next).is_some_and(|word| link.contains(&word.form.as_str())) {
            next += 1;
        }
    }
    let (calendar, month, taken) = month(words, next)?;
    next += taken;
    let (year, taken) = year_after(words, next);
    let date = PartialDate { calendar, year, month: Some(month), day: Some(day) };
    Some((vec![date], next + taken - at))
}

/// `January 1, 2026`, `January 2026`, `رمضان ١٤٤٧`, `March`.
fn month_first(words: &[WordToken], at: usize) -> Option<(Vec<PartialDate>, usize)> {
    let (calendar, month, taken) = month(words, at)?;
    let mut next = at + taken;
    let named = words.get(at).is_some_and(|word| word.kind == WordKind::Capital || word.arabic());
    let mut date = PartialDate { calendar, year: None, month: Some(month), day: None };
    if let Some(day) = day(words, next) {
        date.day = Some(day);
        next += 1;
        if words
            .get(next)
            .is_some_and(|word| ["st", "nd", "rd", "th"].contains(&word.form.as_str()))
        {
            next += 1;
        }
    }
    let (year, taken) = year_after(words, next);
    date.year = year;
    // "may" is a verb and "صفر" is zero: a month alone must be one without doubt.
    let doubtful = words
        .get(at)
        .is_none_or(|word| ["may", "march", "صفر", "اب", "رجب"].contains(&word.form.as_str()));
    let alone = date.year.is_none() && date.day.is_none();
    (named && !(alone && doubtful)).then_some((vec![date], next + taken - at))
}

/// `2026`, `عام ٢٠٢٦`, `1447 AH`: four digits of a likely year, with nothing that they count.
fn year_alone(words: &[WordToken], at: usize) -> Option<(Vec<PartialDate>, usize)> {
    let year = year(words, at)?;
    let after = words.get(at + 1);
    let era = after.and_then(|word| ERAS.exact(&word.form));
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let led = before.is_some_and(|word| WORDS_BEFORE_YEAR.exact(&word.form).is_some());
    // `2000 employees` are counted; `in 2000 Riyadh` names a year.
    let counts = after.is_some_and(|word| word.letters() && era.is_none() && !led);
    let gregorian = (1900..2100).contains(&year) && !counts;
    let calendar = match era {
        Some(era) => era,
        None if gregorian => CalendarSystem::Gregorian,
        None if led && (1300..1500).contains(&year) => CalendarSystem::Hijri,
        None => return None,
    };
    Some((vec![PartialDate { calendar, year: Some(year), month: None, day: None }], 1))
}

fn day(words: &[WordToken], at: usize) -> Option<i64> {
    let word = words.get(at)?;
    match word.kind {
        WordKind::Digits => whole(&word.form).filter(|day| (1..=31).contains(day)),
        WordKind::Small | WordKind::Capital => DAY_ORDINALS.find(&word.form),
        WordKind::Code | WordKind::Mark(_) => None,
    }
}

fn month(words: &[WordToken], at: usize) -> Option<(CalendarSystem, i64, usize)> {
    let word = words.get(at).filter(|word| word.letters())?;
    let pair = words.get(at + 1).map(|next| format!("{} {}", word.form, next.form));
    let long = |&(name, calendar, month): &(&str, CalendarSystem, i64)| {
        let same = pair
            .as_deref()
            .is_some_and(|pair| pair == name || pair.strip_prefix(['و', 'ل', 'ب']) == Some(name));
        same.then_some((calendar, month, 2))
    };
    TWO_WORD_MONTHS.iter().find_map(long).or_else(|| {
        // A short name is no part of a longer word: "باب" is not August.
        let short = word.form.chars().count() < 5;
        let found = if short { MONTHS.exact(&word.form) } else { MONTHS.find(&word.form) };
        let (calendar, month) = found?;
        Some((calendar, month, 1))
    })
}

fn year_after(words: &[WordToken], at: usize) -> (Option<i64>, usize) {
    let skip = usize::from(words.get(at).is_some_and(|word| {
        word.is(",")
            || word.is("،")
            || word.is("of")
            || word.is("عام")
            || word.is("سنه")
            || word.is("لعام")
            || word.is("من")
    }));
    match year(words, at + skip) {
        Some(year) => (Some(year), skip + 1),
        None => (None, 0),
    }
}

fn year(words: &[WordToken], at: usize) -> Option<i64> {
    let word =
        words.get(at).filter(|word| word.kind == WordKind::Digits && word.form.len() == 4)?;
    whole(&word.form).filter(|year| (1300..2200).contains(year))
}

fn whole(form: &str) -> Option<i64> {
    if form.len() > 4 || form.contains(['.', ',']) {
        return None;
    }
    digits(form).and_then(|value| i64::try_from(value / 1_000_000).ok())
}

/// The day number of a Gregorian date, from 1 March of year 0.
fn gregorian(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 12 { (year + 1, month - 12) } else { (year, month) };
    // The year is taken to begin in March, so that the leap day is its last.
    let shifted = (month + 9) % 12;
    let year = year - shifted / 10;
    365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (shifted * 306 + 5) / 10
        + day
        - 1
}

/// The day number of a Hijri date of the tabular calendar, on the same count.
fn hijri(year: i64, month: i64, day: i64) -> i64 {
    // The tabular calendar has eleven leap years in thirty.
    let leap = (3 + 11 * year).div_euclid(30);
    day + (59 * (month - 1) + 1) / 2 + (year - 1) * 354 + leap + HIJRI_EPOCH - 1
}

/// 16 July 622 of the Julian calendar, which is 19 July of the Gregorian.
const HIJRI_EPOCH: i64 = 227_320;

static MONTHS: LazyLock<WordTable<(CalendarSystem, i64)>> = LazyLock::new(|| {
    let gregorian = |month| (CalendarSystem::Gregorian, month);
    let hijri = |month| (CalendarSystem::Hijri, month);
    WordTable::of(&[
        ("january jan يناير", gregorian(1)),
        ("february feb فبراير شباط", gregorian(2)),
        ("march mar مارس آذار", gregorian(3)),
        ("april apr أبريل إبريل نيسان", gregorian(4)),
        ("may مايو أيار", gregorian(5)),
        ("june jun يونيو يونيه حزيران", gregorian(6)),
        ("july jul يوليو يوليه تموز", gregorian(7)),
        ("august aug أغسطس آب", gregorian(8)),
        ("september sep sept سبتمبر أيلول", gregorian(9)),
        ("october oct أكتوبر", gregorian(10)),
        ("november nov نوفمبر", gregorian(11)),
        ("december dec ديسمبر", gregorian(12)),
        ("muharram محرم", hijri(1)),
        ("safar صفر", hijri(2)),
        ("rajab رجب", hijri(7)),
        ("shaban sha'ban شعبان", hijri(8)),
        ("ramadan رمضان", hijri(9)),
        ("shawwal شوال", hijri(10)),
    ])
});

/// Months of two words, folded.
const TWO_WORD_MONTHS: &[(&str, CalendarSystem, i64)] = &[
    ("كانون الثاني", CalendarSystem::Gregorian, 1),
    ("تشرين الاول", CalendarSystem::Gregorian, 10),
    ("تشرين الثاني", CalendarSystem::Gregorian, 11),
    ("كانون الاول", CalendarSystem::Gregorian, 12),
    ("ربيع الاول", CalendarSystem::Hijri, 3),
    ("rabi i", CalendarSystem::Hijri, 3),
    ("ربيع الاخر", CalendarSystem::Hijri, 4),
    ("ربيع الثاني", CalendarSystem::Hijri, 4),
    ("rabi ii", CalendarSystem::Hijri, 4),
    ("جمادي الاولي", CalendarSystem::Hijri, 5),
    ("جمادي الاخره", CalendarSystem::Hijri, 6),
    ("جمادي الثانيه", CalendarSystem::Hijri, 6),
    ("ذو القعده", CalendarSystem::Hijri, 11),
    ("ذي القعده", CalendarSystem::Hijri, 11),
    ("ذو الحجه", CalendarSystem::Hijri, 12),
    ("ذي الحجه", CalendarSystem::Hijri, 12),
];

static ERAS: LazyLock<WordTable<CalendarSystem>> = LazyLock::new(|| {
    WordTable::of(&[
        ("ah هـ ه هجرية هجري hijri", CalendarSystem::Hijri),
        ("ad ce م ميلادية ميلادي", CalendarSystem::Gregorian),
    ])
});

static WORDS_BEFORE_YEAR: LazyLock<WordTable<()>> = LazyLock::new(|| {
    WordTable::of(&[(
        "in year of since until from during by fiscal fy عام سنة العام لعام منذ السنة المالية",
        (),
    )])
});

static DAY_ORDINALS: LazyLock<WordTable<i64>> = LazyLock::new(|| {
    WordTable::of(&[
        ("first الأول أول غرة", 1),
        ("second", 2),
        ("third", 3),
        ("fifth", 5),
        ("tenth", 10),
        ("fifteenth", 15),
    ])
});
