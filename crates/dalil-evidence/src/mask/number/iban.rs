//! International bank account numbers.

use std::ops::Range;

use crate::mask::checksum;
use crate::mask::edge::{char_at, is_after_word, is_mark, is_word};
use crate::mask::label;
use crate::mask::number::{FIELD_NAME_WORDS, value};

/// A text that could be an IBAN.
pub(super) enum IbanCandidate {
    /// One whose check digits are right.
    Right(Range<usize>),
    /// One whose check digits are wrong; it ends here, and nothing in it is
    /// looked at, as a part of it could pass for something else.
    Wrong(usize),
}

/// An IBAN whose first digit is here: two letters before it, and of the length
/// that the country has. Gulf ones may be spaced in any way, others by fours.
pub(super) fn iban(text: &str, at: usize) -> Option<IbanCandidate> {
    let start = letters_before(text, at)?;
    let [first, second] = text.as_bytes().get(start..start + 2)? else { return None };
    let country = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
    let wanted = checksum::iban_length(country)?;
    let loose = GULF_IBAN_COUNTRIES.contains(&&country);
    let is_named =
        text.get(..start)?.ends_with('_') && label::is_before(text, start, &FIELD_NAME_WORDS);
    if is_after_word(text, start) && !is_named || at > start + 2 && !loose {
        return None;
    }
    let mut iban = Vec::with_capacity(wanted);
    let (mut end, mut gap) = (start, true);
    for ch in text.get(start..)?.chars() {
        match (value(ch), ch) {
            (Some(digit), _) => iban.push(b'0' + digit),
            (None, 'a'..='z' | 'A'..='Z') => iban.extend(ch.to_uppercase().map(|ch| ch as u8)),
            (None, ch) if is_mark(ch) => {}
            (None, ' ' | '-' | '\u{a0}' | '\u{202f}')
                if iban.len().is_multiple_of(4) || loose && !gap => {}
            _ => break,
        }
        gap = !ch.is_alphanumeric() && !is_mark(ch);
        end += ch.len_utf8();
        if iban.len() == wanted || end - start > MAX_IBAN_BYTES {
            break;
        }
    }
    if iban.len() != wanted || char_at(text, end).is_some_and(is_word) {
        return None;
    }
    let digits = iban.get(2..4).is_some_and(|check| check.iter().all(u8::is_ascii_digit));
    if digits && checksum::mod_97(&iban) {
        return Some(IbanCandidate::Right(start..end));
    }
    // Where half of it is letters, it was a sentence.
    let numbers = iban.iter().filter(|byte| byte.is_ascii_digit()).count();
    (numbers * 2 > wanted && !gap).then_some(IbanCandidate::Wrong(end))
}

/// Where the two letters start that end here, or one gap before.
fn letters_before(text: &str, at: usize) -> Option<usize> {
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_IBAN_START_BYTES));
    let head = text.get(from..at)?.trim_end_matches(is_mark);
    let head = head.strip_suffix([' ', '\u{a0}', '-']).unwrap_or(head).trim_end_matches(is_mark);
    let start = head.len().checked_sub(2)?;
    let letters = head.get(start..)?.bytes().all(|byte| byte.is_ascii_alphabetic());
    letters.then_some(from + start)
}

/// The Gulf's countries, whose IBANs are found however they are spaced.
const GULF_IBAN_COUNTRIES: [&[u8; 2]; 6] = [b"AE", b"BH", b"KW", b"OM", b"QA", b"SA"];

/// Two letters, a gap and some marks.
const MAX_IBAN_START_BYTES: usize = 16;

/// More than the longest IBAN takes in two-byte digits with gaps.
const MAX_IBAN_BYTES: usize = 160;
