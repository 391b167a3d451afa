//! Terms: the words and numbers of a text, folded so that forms of one word meet.
//!
//! A term is a run of letters, or a number. Letters are lower-cased and lose
//! their marks; Arabic letters that writers exchange become one; then a light
//! stemmer of the script takes endings and prefixes off. A number is the same
//! term in digits of any kind and in words. Stop words are no terms.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use self::spelled::SpelledNumber;

mod arabic;
mod english;
mod number;
mod spelled;
#[cfg(test)]
mod tests;

/// A folded word or number, as a 64-bit hash of its spelling.
///
/// Two terms that collide are taken for each other: a document made to collide
/// can raise its own rank, which it can do by repeating words as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TermHash(pub(super) u64);

impl TermHash {
    /// The hash as a database has it: the same bits, with a sign.
    pub fn to_signed(self) -> i64 {
        self.0.cast_signed()
    }

    /// The hash that a database has as this number.
    pub fn of_signed(number: i64) -> Self {
        Self(number.cast_unsigned())
    }

    /// The term of a folded spelling (FNV-1a).
    fn of(folded: &str) -> Self {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(folded.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }
}

/// The letters that most of a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextScript {
    /// Latin and all that is not Arabic, texts without letters too.
    Other,
    /// Arabic.
    Arabic,
}

impl TextScript {
    /// The script of a text.
    pub(super) fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Other;
        }
        let letters = text.chars().filter(|ch| ch.is_alphabetic()).count();
        let arabic = text.chars().filter(|ch| arabic::is_letter(*ch)).count();
        if arabic * 2 > letters { Self::Arabic } else { Self::Other }
    }

    /// The other one.
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Other => Self::Arabic,
            Self::Arabic => Self::Other,
        }
    }
}

/// The terms of a text, in order.
pub(super) fn terms(text: &str) -> Vec<TermHash> {
    let mut found = Vec::with_capacity(text.len() / 6);
    each(text, |folded| found.push(TermHash::of(folded)));
    found
}

/// Gives the folded spelling of every term of a text, in order.
fn each(text: &str, mut take: impl FnMut(&str)) {
    let mut rest = text;
    let mut spelled = SpelledNumber::default();
    while let Some(at) = rest.find(char::is_alphanumeric) {
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with(number::is_digit) {
            // Digits end a number in words: `twenty 5` is two numbers.
            tell(spelled.finish(), &mut take);
            let (number, after) = number::split(rest);
            number::each(number, &mut take);
            rest = ordinal(after);
        } else {
            let (word, after) = split(rest);
            rest = after;
            each_word(&fold(word), &mut spelled, &mut take);
        }
    }
    tell(spelled.finish(), &mut take);
}

/// Gives the terms of a folded word, which may go on with a number in words.
fn each_word(folded: &str, spelled: &mut SpelledNumber, take: &mut impl FnMut(&str)) {
    if let Some(part) = spelled::part(folded) {
        tell(spelled.take(part), take);
        return;
    }
    // `one hundred and eighty` is one number.
    if folded == "and" {
        return;
    }
    tell(spelled.finish(), take);
    if let Some(unit) = spelled::dual(folded) {
        take("2");
        take(stem(unit));
    } else if !is_stop_word(folded) {
        take(stem(folded));
    }
}

fn tell(number: Option<u32>, take: &mut impl FnMut(&str)) {
    if let Some(number) = number {
        take(&number.to_string());
    }
}

/// The word that a text starts with, and the rest; a possessive ending is part of neither.
fn split(text: &str) -> (&str, &str) {
    let inside = |ch: char| ch.is_alphanumeric() || is_combining_mark(ch) || ch == TATWEEL;
    let end = text.find(|ch| !inside(ch)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let after = rest.strip_prefix(['\'', '’']);
    let owned = after.and_then(|after| after.strip_prefix(['s', 'S']));
    match owned.filter(|after| !after.starts_with(inside)) {
        Some(after) => (word, after),
        None => (word, rest),
    }
}

/// A text without the ending of the ordinal number before it.
fn ordinal(text: &str) -> &str {
    let Some((ending, after)) = text.split_at_checked(2) else { return text };
    let is_ordinal =
        ["st", "nd", "rd", "th"].iter().any(|known| ending.eq_ignore_ascii_case(known));
    if is_ordinal && !after.starts_with(char::is_alphanumeric) { after } else { text }
}

/// A word in lower case, without marks, with one letter for letters that are exchanged.
fn fold(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    // The compatibility form also makes plain letters of Arabic presentation forms.
    let plain = word.nfkd().filter(|ch| !is_combining_mark(*ch) && *ch != TATWEEL);
    Cow::Owned(plain.flat_map(char::to_lowercase).map(arabic::letter).collect())
}

fn stem(folded: &str) -> &str {
    if folded.bytes().all(|byte| byte.is_ascii_lowercase()) {
        english::stem(folded)
    } else if folded.starts_with(arabic::is_letter) {
        arabic::stem(folded)
    } else {
        folded
    }
}

fn is_stop_word(folded: &str) -> bool {
    english::STOP_WORDS.binary_search(&folded).is_ok()
        || arabic::STOP_WORDS.binary_search(&folded).is_ok()
}

/// Stretches Arabic letters and has no meaning.
const TATWEEL: char = '\u{640}';
