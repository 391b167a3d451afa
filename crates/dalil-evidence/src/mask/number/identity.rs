//! Numbers of persons: identity cards, passports, social security.

use std::ops::Range;

use crate::mask::checksum::{kuwait, luhn};
use crate::mask::edge::{char_at, char_before, is_after_word, is_word};
use crate::mask::label;
use crate::mask::number::shape::{GroupSeparator, NumberShape};
use crate::mask::number::value;

/// 784, year of birth, seven digits, a check digit.
pub(super) fn emirates_id(shape: &NumberShape<'_>) -> bool {
    let grouped = shape.lengths == [3, 4, 7, 1]
        && shape.is_joined_by(&[GroupSeparator::Hyphen, GroupSeparator::Space]);
    shape.digits.len() == 15
        && shape.digits.starts_with(&[7, 8, 4])
        && (shape.is_bare() || grouped)
        && shape.is_alone()
        && luhn(shape.digits)
}

/// National id (1…) or residence permit (2…): ten digits with a check digit.
pub(super) fn saudi_id(shape: &NumberShape<'_>) -> bool {
    shape.is_bare()
        && shape.digits.len() == 10
        && matches!(shape.digits, [1 | 2, ..])
        && !shape.plus
        && shape.is_alone()
        && luhn(shape.digits)
}

/// Century, birthday, four digits and a check digit.
pub(super) fn kuwait_id(shape: &NumberShape<'_>) -> bool {
    let [1..=3, _, _, m, n, d, e, ..] = shape.digits else { return false };
    shape.is_bare()
        && shape.digits.len() == 12
        && (1..=12).contains(&(m * 10 + n))
        && (1..=31).contains(&(d * 10 + e))
        && !shape.plus
        && shape.is_alone()
        && kuwait(shape.digits)
}

/// Century, year of birth, country, five digits; no check digit, so only with
/// its name beside it.
pub(super) fn qatar_id(shape: &NumberShape<'_>) -> bool {
    let [century @ (2 | 3), decade, _, country @ .., _, _, _, _, _] = shape.digits else {
        return false;
    };
    shape.is_bare()
        && country.len() == 3
        && matches!(country, [0..=8, ..])
        && country.iter().any(|digit| *digit != 0)
        && (*century == 2 || *decade < 4)
        && shape.is_alone()
        && shape.is_labelled(&NATIONAL_ID_WORDS)
}

/// Year and month of birth, four digits and a check digit whose rule is not
/// published; so only with its name beside it.
pub(super) fn bahrain_id(shape: &NumberShape<'_>) -> bool {
    let [_, _, m, n, rest @ ..] = shape.digits else { return false };
    shape.is_bare()
        && rest.len() == 5
        && (1..=12).contains(&(m * 10 + n))
        && shape.is_alone()
        && shape.is_labelled(&NATIONAL_ID_WORDS)
}

/// Seven or eight digits without a structure; only with its name beside it.
pub(super) fn oman_id(shape: &NumberShape<'_>) -> bool {
    shape.is_bare()
        && matches!(shape.digits.len(), 7 | 8)
        && shape.is_alone()
        && shape.is_labelled(&CIVIL_ID_WORDS)
}

/// A passport of digits alone, with its name beside it.
pub(super) fn passport_digits(shape: &NumberShape<'_>) -> bool {
    shape.is_bare()
        && (7..=9).contains(&shape.digits.len())
        && shape.is_alone()
        && shape.is_labelled(&PASSPORT_WORDS)
}

/// A passport of one or two letters and six to eight digits, whose first digit
/// is here, with its name beside it.
pub(super) fn passport(text: &str, at: usize) -> Option<Range<usize>> {
    let is_letter = |at: usize| char_before(text, at).is_some_and(|ch| ch.is_ascii_alphabetic());
    if !is_letter(at) {
        return None;
    }
    let start = at - if is_letter(at - 1) { 2 } else { 1 };
    let tail = text.get(at..)?;
    let digits = tail.chars().take(MAX_PASSPORT_DIGITS + 1).take_while(|ch| value(*ch).is_some());
    let (count, size) = digits.fold((0, 0), |(n, size), ch| (n + 1, size + ch.len_utf8()));
    let fits = (6..=MAX_PASSPORT_DIGITS).contains(&count)
        && !is_after_word(text, start)
        && !char_at(text, at + size).is_some_and(is_word)
        && label::is_before(text, start, &PASSPORT_WORDS);
    fits.then_some(start..at + size)
}

/// Three, two and four digits, none of the ranges that were never given out.
pub(super) fn ssn(shape: &NumberShape<'_>) -> bool {
    let [a, b, c, d, e, f, g, h, i] = shape.digits else { return false };
    let never = matches!((a, b, c), (0, 0, 0) | (6, 6, 6) | (9, _, _))
        || (*d, *e) == (0, 0)
        || (*f, *g, *h, *i) == (0, 0, 0, 0);
    let grouped = shape.lengths == [3, 2, 4]
        && shape.is_joined_by(&[GroupSeparator::Hyphen, GroupSeparator::Space]);
    let fits = grouped && !shape.is_of_code() || shape.is_bare() && shape.is_near(&SSN_WORDS);
    fits && shape.is_alone() && !never
}

const SSN_WORDS: [&str; 3] = ["ssn", "social security", "social-security"];

pub(super) const NATIONAL_ID_WORDS: [&str; 14] = [
    "id",
    "qid",
    "cpr",
    "identity",
    "identification",
    "personal",
    "resident",
    "residence",
    "residency",
    "هوية",
    "شخصي",
    "شخصية",
    "سكاني",
    "بطاقة",
];

pub(super) const CIVIL_ID_WORDS: [&str; 3] = ["civil", "مدني", "مدنية"];

const PASSPORT_WORDS: [&str; 4] = ["passport", "passports", "جواز", "جوازات"];

/// After letters; a passport of digits alone has nine at most (spec/bundle.md).
const MAX_PASSPORT_DIGITS: usize = 8;
