//! Terms: the words and numbers of a text, folded so that forms of one word meet.
//!
//! A term is a run of letters, or a number. Letters are lower-cased and lose
//! their marks; Arabic letters that writers exchange become one; then a light
//! stemmer of the script takes endings and prefixes off. A number is the same
//! term however its digits and thousands are written. Stop words are no terms.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

mod arabic;
mod english;
mod number;
#[cfg(test)]
mod tests;

/// A folded word or number, as a 64-bit hash of its spelling.
///
/// Two terms that collide are taken for each other: a document made to collide
/// can raise its own rank, which it can do by repeating words as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Term(pub(super) u64);

impl Term {
    /// The term of a folded spelling (FNV-1a).
    fn of(folded: &str) -> Self {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(folded.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }
}

/// The terms of a text, in order.
pub(super) fn terms(text: &str) -> Vec<Term> {
    let mut found = Vec::with_capacity(text.len() / 6);
    each(text, |folded| found.push(Term::of(folded)));
    found
}

/// Gives the folded spelling of every term of a text, in order.
fn each(text: &str, mut take: impl FnMut(&str)) {
    let mut rest = text;
    while let Some(at) = rest.find(char::is_alphanumeric) {
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with(number::is_digit) {
            let (number, after) = number::split(rest);
            number::each(number, &mut take);
            rest = ordinal(after);
        } else {
            let (word, after) = split(rest);
            rest = after;
            let folded = fold(word);
            if !is_stop_word(&folded) {
                take(stem(&folded));
            }
        }
    }
}

/// The word that a text starts with, and what follows; a possessive ending is part of neither.
fn split(text: &str) -> (&str, &str) {
    let inside = |ch: char| ch.is_alphanumeric() || is_combining_mark(ch) || ch == TATWEEL;
    let end = text.find(|ch| !inside(ch)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let owned = ["'s", "’s"].iter().find_map(|ending| rest.strip_prefix(ending));
    match owned.filter(|after| !after.starts_with(inside)) {
        Some(after) => (word, after),
        None => (word, rest),
    }
}

/// A text without the ending of the ordinal number before it.
fn ordinal(text: &str) -> &str {
    let ended = ["st", "nd", "rd", "th"].iter().find_map(|ending| text.strip_prefix(ending));
    ended.filter(|after| !after.starts_with(char::is_alphanumeric)).unwrap_or(text)
}

/// A word in lower case, without marks, with one letter for letters that are exchanged.
fn fold(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
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

/// Stretches Arabic letters and says nothing.
const TATWEEL: char = '\u{640}';
