//! Numbers in digits and in words, English and Arabic, exact to a millionth.

use std::sync::LazyLock;

use super::unit;
use super::word::{WordKind, WordTable, WordToken};

#[cfg(test)]
mod tests;

/// A number, and the words it takes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParsedNumber {
    /// In millionths.
    pub(super) value: i128,
    /// How many words.
    pub(super) length: usize,
    /// Whether any part of it is in digits.
    pub(super) digits: bool,
    /// The smallest step in which it is written, in millionths: a tenth of a million for `88.7 million`.
    pub(super) grain: i128,
}

/// The number that begins at a word.
pub(super) fn number(words: &[WordToken], at: usize) -> Option<ParsedNumber> {
    let word = words.get(at)?;
    let number = match word.kind {
        WordKind::Digits => {
            let number = spaced(words, at).unwrap_or(ParsedNumber {
                value: digits(&word.form)?,
                length: 1,
                digits: true,
                grain: grain(&word.form),
            });
            // `2 and a half million`: the half is added before the scale multiplies.
            scaled(words, at, and_a_half(words, at, number).unwrap_or(number))
        }
        WordKind::Small | WordKind::Capital => match part_of_scale(words, at) {
            Some(part) => part,
            None => {
                let number = in_words(words, at)?;
                and_a_half(words, at, number).map_or(number, |more| scaled(words, at, more))
            }
        },
        WordKind::Mark('[' | '(') => return bracketed(words, at),
        WordKind::Code | WordKind::Mark(_) => return None,
    };
    Some(restated(words, at, number))
}

/// `12 000`, `1 250 000`: thousands parted by single spaces. Only zeros at the end tell them from
/// numbers that stand side by side.
fn spaced(words: &[WordToken], at: usize) -> Option<ParsedNumber> {
    let is_group = |word: &WordToken, size: std::ops::RangeInclusive<usize>| {
        word.kind == WordKind::Digits
            && size.contains(&word.form.len())
            && word.form.bytes().all(|byte| byte.is_ascii_digit())
    };
    let first = words.get(at).filter(|word| is_group(word, 1..=3))?;
    let mut form = first.form.clone();
    let (mut end, mut length) = (first.span.end, 1);
    while let Some(word) = words.get(at + length)
        && is_group(word, 3..=3)
        && (1..=MAX_SPACE_BYTES).contains(&(word.span.start - end))
    {
        form.push_str(&word.form);
        end = word.span.end;
        length += 1;
    }
    let goes_on = words.get(at + length).is_some_and(|word| word.kind == WordKind::Digits);
    let is_told = form.ends_with("000") && first.form != "0";
    let value = digits(&form).filter(|_| length > 1 && is_told && !goes_on)?;
    Some(ParsedNumber { value, length, digits: true, grain: MILLIONTHS_PER_ONE })
}

/// `[three] times`, `(60) days`, `(مائة ألف) ريال`: a number that a form or a law puts in brackets.
/// `[3]` alone is the mark of a note, and `(3)` that of an item, unless a unit follows.
fn bracketed(words: &[WordToken], at: usize) -> Option<ParsedNumber> {
    let WordKind::Mark(open) = words.get(at)?.kind else { return None };
    // Looked at first, so that a row of brackets is not followed to its end from each of them.
    if words.get(at + 1).is_none_or(|word| matches!(word.kind, WordKind::Mark(_))) {
        return None;
    }
    let inside = number(words, at + 1)?;
    let close = at + 1 + inside.length;
    let closing = if open == '[' { ']' } else { ')' };
    let closed = words.get(close).is_some_and(|word| word.kind == WordKind::Mark(closing));
    let next = words.get(close + 1)?;
    let goes_on = match open {
        '[' => next.letters() || next.is("%"),
        _ => {
            let is_scale = matches!(NUMERAL_WORDS.exact(&next.form), Some(NumeralPart::Scale(_)));
            is_scale || unit::unit(words, close + 1).is_some()
        }
    };
    let number = ParsedNumber { length: inside.length + 2, ..inside };
    (closed && goes_on).then(|| scaled(words, at, number))
}

/// `half a million`, `نصف مليون`, `a quarter of a billion`.
fn part_of_scale(words: &[WordToken], at: usize) -> Option<ParsedNumber> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let share = match form(at) {
        "half" | "نصف" | "بنصف" => 2,
        "quarter" | "ربع" | "بربع" => 4,
        _ => return None,
    };
    let mut next = at + 1;
    for link in ["of", "a"] {
        next += usize::from(form(next) == link);
    }
    match NUMERAL_WORDS.exact(form(next)) {
        Some(NumeralPart::Scale(scale)) if scale >= 1_000 => Some(ParsedNumber {
            value: scale * MILLIONTHS_PER_ONE / share,
            length: next + 1 - at,
            digits: false,
            grain: scale * MILLIONTHS_PER_ONE / 10,
        }),
        _ => None,
    }
}

/// `two and a half`, `ثلاثة ونصف`.
fn and_a_half(words: &[WordToken], at: usize, number: ParsedNumber) -> Option<ParsedNumber> {
    let length = half_after(words, at + number.length)
        .filter(|_| number.value < 1_000 * MILLIONTHS_PER_ONE)?;
    let value = number.value + MILLIONTHS_PER_ONE / 2;
    Some(ParsedNumber {
        value,
        length: number.length + length,
        grain: MILLIONTHS_PER_ONE / 10,
        ..number
    })
}

/// How many words say that a half is added.
pub(super) fn half_after(words: &[WordToken], at: usize) -> Option<usize> {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    match (form(at), form(at + 1), form(at + 2)) {
        ("and", "a", "half") => Some(3),
        ("و", "نصف" | "النصف", _) => Some(2),
        ("ونصف" | "ونصفا" | "والنصف", ..) => Some(1),
        _ => None,
    }
}

/// The step of the last digit of a number, in millionths.
fn grain(form: &str) -> i128 {
    let NumberSeparators::Decimal(mark) = mark(form) else { return MILLIONTHS_PER_ONE };
    let places = form.rsplit_once(mark).map_or(0, |(_, part)| part.len().min(6));
    (0..places).fold(MILLIONTHS_PER_ONE, |grain, _| grain / 10)
}

/// Digits with separators: `1,000.5`, `1.000,5`, `1000`. More than 18 digits are not a number.
pub(super) fn digits(form: &str) -> Option<i128> {
    let (whole, part) = match mark(form) {
        NumberSeparators::Decimal(mark) => form.rsplit_once(mark)?,
        NumberSeparators::None => (form, ""),
        NumberSeparators::Wrong => return None,
    };
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    let part: String = part.chars().take(6).collect();
    // 18 digits and six places stay far below 2^127, also after a scale.
    if whole.len() > 18 {
        return None;
    }
    let whole: i128 = whole.parse().ok()?;
    let part: i128 = if part.is_empty() { 0 } else { format!("{part:0<6}").parse().ok()? };
    Some(whole * MILLIONTHS_PER_ONE + part)
}

/// The meaning of the separators of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberSeparators {
    /// The one before the fraction.
    Decimal(char),
    /// None, or marks between thousands.
    None,
    /// Those of no number, such as `3.2.1`.
    Wrong,
}

fn mark(form: &str) -> NumberSeparators {
    let count = |mark: char| form.matches(mark).count();
    let grouped = |mark| {
        let groups = form.split(mark).skip(1).all(|group| group.len() == 3);
        if groups { NumberSeparators::None } else { NumberSeparators::Wrong }
    };
    match (count(','), count('.')) {
        (0, 0) => NumberSeparators::None,
        // A single point is decimal, also before three digits.
        (0, 1) => NumberSeparators::Decimal('.'),
        (0, _) => grouped('.'),
        // One comma is decimal unless three digits follow: `3,5` but `3,500`.
        (1, 0) if grouped(',') == NumberSeparators::Wrong => NumberSeparators::Decimal(','),
        (_, 0) => grouped(','),
        _ => {
            let last = if form.rfind('.') > form.rfind(',') { '.' } else { ',' };
            if count(last) == 1 { NumberSeparators::Decimal(last) } else { NumberSeparators::Wrong }
        }
    }
}

/// `1.2 million`, `٣ ملايين`, `5k`.
fn scaled(words: &[WordToken], at: usize, number: ParsedNumber) -> ParsedNumber {
    let mut number = number;
    while let Some(word) = words.get(at + number.length) {
        let scale = match NUMERAL_WORDS.exact(&word.form) {
            Some(NumeralPart::Scale(scale)) => scale,
            Some(_) => break,
            None => match SCALE_ABBREVIATIONS.exact(&word.form) {
                Some(scale) => scale,
                None => break,
            },
        };
        // A run such as `million million million` stops at the limit.
        number.value = number.value.saturating_mul(scale).min(MAX_NUMBER_MILLIONTHS);
        number.grain = number.grain.saturating_mul(scale).min(MAX_NUMBER_MILLIONTHS);
        number.length += 1;
    }
    number
}

/// `fifteen (15)`: the same number twice is one number.
fn restated(words: &[WordToken], at: usize, number: ParsedNumber) -> ParsedNumber {
    let mark = |offset: usize, mark| {
        words.get(at + number.length + offset).is_some_and(|word| word.kind == WordKind::Mark(mark))
    };
    if !mark(0, '(') {
        return number;
    }
    let inside = at + number.length + 1;
    let again = match words.get(inside).map(|word| word.kind) {
        Some(WordKind::Digits) => {
            words.get(inside).and_then(|word| digits(&word.form)).map(|v| (v, 1))
        }
        Some(WordKind::Small | WordKind::Capital) => {
            in_words(words, inside).map(|number| (number.value, number.length))
        }
        _ => None,
    };
    match again {
        Some((value, length)) if value == number.value && mark(1 + length, ')') => {
            ParsedNumber { length: number.length + length + 2, digits: true, ..number }
        }
        _ => number,
    }
}

fn in_words(words: &[WordToken], at: usize) -> Option<ParsedNumber> {
    let mut sum = NumeralSum::default();
    let mut length = 0;
    while let Some((part, link, taken)) = next_part(words, at + length, length == 0) {
        if !sum.takes(part, link) {
            break;
        }
        sum.add(part);
        length += taken;
    }
    let grain = match sum.last {
        Some(NumeralPart::Scale(scale)) if scale >= 1_000 => scale * MILLIONTHS_PER_ONE,
        _ => MILLIONTHS_PER_ONE,
    };
    Some(ParsedNumber { value: sum.total()?, length, digits: false, grain })
}

/// Whether a word is a numeral with the article.
pub(super) fn is_definite(form: &str) -> bool {
    NUMERAL_WORDS.exact(form).is_none() && definite(form).is_some()
}

/// The part that a numeral with the article is: `الستين`, `الخمسة`. Not `الواحد`, `الأحد` and
/// `الاثنين`, which are mostly *each*, *Sunday* and *Monday*, nor the scales: `الألف`.
fn definite(form: &str) -> Option<NumeralPart> {
    let part = NUMERAL_WORDS.exact(form.strip_prefix("ال")?)?;
    match part {
        NumeralPart::Small(0..=2) | NumeralPart::Scale(_) | NumeralPart::Times(..) => None,
        NumeralPart::Small(_) | NumeralPart::Ten => Some(part),
    }
}

/// The next part of a number, how it is joined to the one before, and how many words it takes.
fn next_part(
    words: &[WordToken],
    at: usize,
    first: bool,
) -> Option<(NumeralPart, NumeralLink, usize)> {
    let word = words.get(at)?;
    // "ألفا درهم" are two thousand, "خمسة عشر ألفاً" fifteen.
    if let Some(part) = SCALE_DUALS_AR.exact(&word.form).filter(|_| first) {
        return Some((part, NumeralLink::Plain, 1));
    }
    if let Some(part) = NUMERAL_WORDS.exact(&word.form).or_else(|| definite(&word.form)) {
        return Some((part, NumeralLink::Plain, 1));
    }
    let after = || words.get(at + 1).and_then(|next| NUMERAL_WORDS.exact(&next.form));
    match word.form.as_str() {
        "-" if !first => return after().map(|part| (part, NumeralLink::Plain, 2)),
        "و" if !first => return after().map(|part| (part, NumeralLink::Waw, 2)),
        "and" if !first => {
            // Not across the two ends of "between one hundred and two hundred".
            let scale = words.get(at + 2).and_then(|next| NUMERAL_WORDS.exact(&next.form));
            let ends = matches!(scale, Some(NumeralPart::Scale(_)));
            return after().filter(|_| !ends).map(|part| (part, NumeralLink::And, 2));
        }
        _ => {}
    }
    // Arabic writes `and` onto the word; a preposition can only open a number.
    let rest = match word.form.strip_prefix('و') {
        Some(rest) => rest,
        None if first => word.form.strip_prefix(['ب', 'ل', 'ف'])?,
        None => return None,
    };
    NUMERAL_WORDS.exact(rest).map(|part| (part, NumeralLink::Waw, 1))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NumeralLink {
    Plain,
    And,
    Waw,
}

#[derive(Default)]
struct NumeralSum {
    total: i128,
    group: i128,
    last: Option<NumeralPart>,
}

impl NumeralSum {
    /// Whether a part may follow those before it.
    fn takes(&self, part: NumeralPart, link: NumeralLink) -> bool {
        let Some(last) = self.last else { return true };
        match (last, part) {
            // `hundred thousand` grows without a link; with `و` the next scale has to be smaller.
            (NumeralPart::Scale(last), NumeralPart::Scale(scale)) => {
                (link == NumeralLink::Plain) == (scale > last)
            }
            (NumeralPart::Small(_), NumeralPart::Scale(_)) => link == NumeralLink::Plain,
            // `خمسة عشر` is fifteen, `مئتان وعشرة` two hundred and ten.
            (NumeralPart::Small(a), NumeralPart::Ten) => {
                if a < 10 {
                    link == NumeralLink::Plain
                } else {
                    a >= 100 && link == NumeralLink::Waw
                }
            }
            (NumeralPart::Small(a), NumeralPart::Small(b)) => match link {
                NumeralLink::Plain => (20..100).contains(&a) && b < 10,
                NumeralLink::And => a >= 100 && b < 100,
                NumeralLink::Waw => (a < 10 && (20..100).contains(&b)) || (a >= 100 && b < 100),
            },
            (NumeralPart::Scale(_), NumeralPart::Small(_) | NumeralPart::Ten) => true,
            (NumeralPart::Scale(last), NumeralPart::Times(_, scale)) => {
                link == NumeralLink::Waw && scale < last
            }
            (NumeralPart::Small(_) | NumeralPart::Ten | NumeralPart::Times(..), _) => false,
        }
    }

    fn add(&mut self, part: NumeralPart) {
        match part {
            NumeralPart::Small(value) => self.group = self.group.saturating_add(value),
            NumeralPart::Ten => self.group = self.group.saturating_add(10),
            NumeralPart::Scale(100) => self.group = self.group.max(1).saturating_mul(100),
            // `a thousand million`: the larger scale multiplies all words so far.
            NumeralPart::Scale(scale)
                if self.group == 0
                    && matches!(self.last, Some(NumeralPart::Scale(last)) if last < scale) =>
            {
                self.total = self.total.saturating_mul(scale);
            }
            NumeralPart::Scale(scale) => {
                self.total = self.total.saturating_add(self.group.max(1).saturating_mul(scale));
                self.group = 0;
            }
            NumeralPart::Times(value, scale) => {
                self.total = self.total.saturating_add(value * scale);
            }
        }
        // The parts that may follow depend on the size of a part, not on its spelling.
        self.last = Some(match part {
            NumeralPart::Times(_, scale) => NumeralPart::Scale(scale),
            NumeralPart::Ten => NumeralPart::Small(10),
            other => other,
        });
    }

    fn total(&self) -> Option<i128> {
        self.last?;
        Some(
            self.total
                .saturating_add(self.group)
                .saturating_mul(MILLIONTHS_PER_ONE)
                .min(MAX_NUMBER_MILLIONTHS),
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumeralPart {
    Small(i128),
    /// `عشر` after a unit: fifteen is `خمسة عشر`.
    Ten,
    Scale(i128),
    /// A dual or a written-together multiple of a scale: `ألفان`.
    Times(i128, i128),
}

/// One, in millionths.
pub(super) const MILLIONTHS_PER_ONE: i128 = 1_000_000;

/// A space between thousands may be one that does not break, or a thin one.
const MAX_SPACE_BYTES: usize = 3;

/// A number larger than this is held to be this.
const MAX_NUMBER_MILLIONTHS: i128 = 1_000_000_000_000_000_000 * MILLIONTHS_PER_ONE;

static NUMERAL_WORDS: LazyLock<WordTable<NumeralPart>> = LazyLock::new(|| {
    use NumeralPart::{Scale, Small, Ten, Times};
    WordTable::of(&[
        ("zero صفر", Small(0)),
        ("one واحد واحدة واحدا أحد إحدى", Small(1)),
        ("two اثنان اثنين اثنتان اثنتين إثنان إثنين اثنا اثني اثنتا اثنتي", Small(2)),
        ("three ثلاثة ثلاث ثلاثا", Small(3)),
        ("four أربعة أربع أربعا", Small(4)),
        ("five خمسة خمس خمسا", Small(5)),
        ("six ستة ست ستا", Small(6)),
        ("seven سبعة سبع سبعا", Small(7)),
        ("eight ثمانية ثماني ثمان ثمانيا", Small(8)),
        ("nine تسعة تسع تسعا", Small(9)),
        ("ten", Small(10)),
        ("عشرة عشر عشرا", Ten),
        ("eleven", Small(11)),
        ("twelve", Small(12)),
        ("thirteen", Small(13)),
        ("fourteen", Small(14)),
        ("fifteen", Small(15)),
        ("sixteen", Small(16)),
        ("seventeen", Small(17)),
        ("eighteen", Small(18)),
        ("nineteen", Small(19)),
        ("twenty عشرون عشرين", Small(20)),
        ("thirty ثلاثون ثلاثين", Small(30)),
        ("forty أربعون أربعين", Small(40)),
        ("fifty خمسون خمسين", Small(50)),
        ("sixty ستون ستين", Small(60)),
        ("seventy سبعون سبعين", Small(70)),
        ("eighty ثمانون ثمانين", Small(80)),
        ("ninety تسعون تسعين", Small(90)),
        ("dozen دزينة", Scale(12)),
        ("hundred مئة مائة", Scale(100)),
        ("مئتان مئتين مائتان مائتين مئتا مئتي مائتا مائتي", Small(200)),
        ("ثلاثمئة ثلاثمائة", Small(300)),
        ("أربعمئة أربعمائة", Small(400)),
        ("خمسمئة خمسمائة", Small(500)),
        ("ستمئة ستمائة", Small(600)),
        ("سبعمئة سبعمائة", Small(700)),
        ("ثمانمئة ثمانمائة", Small(800)),
        ("تسعمئة تسعمائة", Small(900)),
        ("thousand thousands ألف ألفا آلاف", Scale(1_000)),
        ("ألفان ألفين ألفي", Times(2, 1_000)),
        ("million millions مليون مليونا ملايين", Scale(1_000_000)),
        ("مليونان مليونين مليوني", Times(2, 1_000_000)),
        ("billion billions مليار مليارا مليارات", Scale(1_000_000_000)),
        ("ملياران مليارين ملياري", Times(2, 1_000_000_000)),
        ("trillion تريليون", Scale(1_000_000_000_000)),
    ])
});

/// Scales that follow digits only.
static SCALE_ABBREVIATIONS: LazyLock<WordTable<i128>> =
    LazyLock::new(|| WordTable::of(&[("k", 1_000), ("mn", 1_000_000), ("bn", 1_000_000_000)]));

/// Duals that look like singulars, where no number comes before them.
static SCALE_DUALS_AR: LazyLock<WordTable<NumeralPart>> = LazyLock::new(|| {
    WordTable::of(&[
        ("ألفا", NumeralPart::Times(2, 1_000)),
        ("مليونا", NumeralPart::Times(2, 1_000_000)),
        ("مليارا", NumeralPart::Times(2, 1_000_000_000)),
    ])
});
