//! Numbers with something between their digits: broken over lines, grouped in any way, marked up.
//!
//! A sheet shows an identity number with thousands, a page breaks it, a chat spells it digit by
//! digit. Any of these could be a list of other numbers, so a word for the number must be right
//! before it, and its check digit must be right.

use std::ops::Range;

use crate::mask::builtin::BuiltinMaskRule;
use crate::mask::checksum::{self, kuwait, luhn};
use crate::mask::edge::{char_at, char_before, is_word};
use crate::mask::label;
use crate::mask::number::account::CARD_WORDS;
use crate::mask::number::identity::{CIVIL_ID_WORDS, NATIONAL_ID_WORDS};
use crate::mask::number::phone::{PHONE_NOUNS, is_gulf_number};
use crate::mask::number::value;

/// A number that starts with this digit and has something between its digits.
pub(super) fn spread(text: &str, at: usize) -> Option<(BuiltinMaskRule, Range<usize>)> {
    let mut digits = Vec::with_capacity(MAX_SPREAD_DIGITS);
    let mut end = at;
    let mut separator: Option<&str> = None;
    let mut is_split = false;
    loop {
        let rest = text.get(end..)?;
        let digit = rest.chars().next().and_then(value)?;
        digits.push(digit);
        end += rest.chars().next().map_or(0, char::len_utf8);
        let rest = text.get(end..)?;
        // A sheet with a gap in a column of numbers writes each of them as a fraction.
        if is_whole_fraction(rest) {
            is_split = true;
            break;
        }
        let gap = gap(rest);
        if rest.get(gap..)?.chars().next().and_then(value).is_none() {
            break;
        }
        // Two kinds of separators are two things, as in a date with its hour; a line may end
        // anywhere.
        let between = rest.get(..gap)?;
        if gap > 0 && !between.contains(['\n', '<']) {
            if separator.is_some_and(|one| one != between) {
                return None;
            }
            separator = Some(between);
        }
        is_split |= gap > 0;
        end += gap;
        if digits.len() == MAX_SPREAD_DIGITS {
            return None;
        }
    }
    let is_alone = !char_at(text, end).is_some_and(is_word);
    if !is_split || !is_alone || digits.len() < MIN_SPREAD_DIGITS {
        return None;
    }
    let is_labelled = |words: &[&str]| label::is_before(text, at, words);
    let is_identity =
        || [&NATIONAL_ID_WORDS[..], &CIVIL_ID_WORDS, &OTHER_ID_WORDS].into_iter().any(is_labelled);
    // One number in ten has a right check digit by chance, so a word before it must name its kind.
    let rule = match *digits {
        [1 | 2, ..] if digits.len() == 10 && luhn(&digits) && is_identity() => {
            BuiltinMaskRule::SaudiId
        }
        [7, 8, 4, ..] if digits.len() == 15 && luhn(&digits) && is_identity() => {
            BuiltinMaskRule::EmiratesId
        }
        [1..=3, ..] if digits.len() == 12 && kuwait(&digits) && is_identity() => {
            BuiltinMaskRule::KuwaitId
        }
        [1..=9, ..] if digits.len() >= 13 && luhn(&digits) && is_labelled(&CARD_WORDS) => {
            BuiltinMaskRule::CreditCard
        }
        [0, 5, ..] if digits.len() == 10 && is_labelled(&PHONE_NOUNS) => BuiltinMaskRule::Phone,
        _ if is_gulf_number(&digits) && is_labelled(&PHONE_NOUNS) => BuiltinMaskRule::Phone,
        _ => return None,
    };
    let start = if char_before(text, at) == Some('+') { at - 1 } else { at };
    Some((rule, start..end))
}

/// Whether a fraction follows that adds nothing: `.0`.
fn is_whole_fraction(rest: &str) -> bool {
    let after = rest.strip_prefix(".0");
    after.is_some_and(|after| !after.starts_with(|ch| value(ch).is_some() || ch == '.'))
}

/// An IBAN whose first digit is here, with something between its letters and digits, after its
/// name.
pub(super) fn spread_iban(text: &str, at: usize) -> Option<Range<usize>> {
    let second = letter_before(text, at)?;
    let start = letter_before(text, second)?;
    let letter = |at: usize| text.as_bytes().get(at).map(u8::to_ascii_uppercase);
    let wanted = checksum::iban_length([letter(start)?, letter(second)?])?;
    if char_before(text, start).is_some_and(is_word) || !label::is_before(text, start, &IBAN_WORDS)
    {
        return None;
    }
    let mut iban = Vec::with_capacity(wanted);
    let mut end = start;
    while iban.len() < wanted {
        let rest = text.get(end + gap(text.get(end..)?)..)?;
        let ch = rest.chars().next()?;
        let digit = value(ch).map(|digit| b'0' + digit);
        iban.push(digit.or_else(|| u8::try_from(ch).ok().filter(u8::is_ascii_alphabetic))?);
        end = text.len() - rest.len() + ch.len_utf8();
    }
    iban.make_ascii_uppercase();
    let fits = !char_at(text, end).is_some_and(is_word) && checksum::mod_97(&iban);
    fits.then_some(start..end)
}

/// The place of the letter that ends here, or one separator before.
fn letter_before(text: &str, at: usize) -> Option<usize> {
    let head = text.get(..at)?;
    let is_letter = |head: &str| head.ends_with(|ch: char| ch.is_ascii_alphabetic());
    let bare = head.strip_suffix(SPREAD_SEPARATORS).unwrap_or(head);
    [head, bare].into_iter().find(|head| is_letter(head)).map(|head| head.len() - 1)
}

/// How long the gap is that a text starts with: one separator, the marks of bold text, or the end
/// of a line; nothing when there is none.
fn gap(text: &str) -> usize {
    let broken = text.strip_prefix('-').unwrap_or(text);
    let line = LINE_ENDS.iter().find_map(|end| broken.strip_prefix(end));
    if let Some(next) = line {
        let deeper = next.trim_start_matches([' ', '\t', '>']);
        let indent = (next.len() - deeper.len()).min(MAX_INDENT_BYTES);
        return text.len() - next.len() + indent;
    }
    let bold = BOLD_MARKS.iter().find(|mark| text.starts_with(**mark));
    let one = || text.chars().next().filter(|ch| SPREAD_SEPARATORS.contains(ch));
    bold.map_or_else(|| one().map_or(0, char::len_utf8), |mark| mark.len())
}

/// The separators between two digits: spaces of any width, and marks that group or list.
const SPREAD_SEPARATORS: [char; 14] = [
    ' ', '\u{a0}', '\u{2007}', '\u{2009}', '\u{200a}', '\u{202f}', '-', '\u{2011}', '\u{2013}',
    '.', ',', '/', '_', '\u{66c}',
];

const LINE_ENDS: [&str; 6] = ["\r\n", "\n", "<br>", "<br/>", "<br />", "<BR>"];
const BOLD_MARKS: [&str; 3] = ["**", "__", "*"];
/// Words that say that a number with a check digit is a person's; without one they say too little.
const OTHER_ID_WORDS: [&str; 5] = ["nid", "national", "iqama", "إقامة", "وطنية"];
const IBAN_WORDS: [&str; 5] = ["iban", "ibans", "آيبان", "أيبان", "ايبان"];

/// A card has no more digits.
const MAX_SPREAD_DIGITS: usize = 19;
/// An identity number of Saudi Arabia has no fewer.
const MIN_SPREAD_DIGITS: usize = 10;
/// The most that a continued line may be indented.
const MAX_INDENT_BYTES: usize = 8;
