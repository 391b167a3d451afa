//! Words that label the number beside them, in English and Arabic.
//!
//! A label comes right before its number, with small words and marks between:
//! `Mobile no. (office): …`, `رقم جوالي هو …`.

use std::ops::Range;

/// Whether one of the labels is right before a place.
pub(super) fn is_before(text: &str, at: usize, labels: &[&str]) -> bool {
    for word in words_before(text, at) {
        if is_one_of(word, labels) {
            return true;
        }
        if !is_one_of(word, &LABEL_FILLER_WORDS) {
            return false;
        }
    }
    false
}

/// Whether one of the labels is the next word, and nothing follows it in its line
/// but a mark: `416 60 039 office`, but not `72 128 827 mobile users`.
pub(super) fn is_after(text: &str, at: usize, labels: &[&str]) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let Some(rest) = rest.strip_prefix([' ', '-', '(']) else { return false };
    let rest = rest.strip_prefix('(').unwrap_or(rest);
    let word = rest.split_once(|ch: char| !ch.is_alphabetic()).map_or(rest, |(word, _)| word);
    let ended = rest.get(word.len()..).and_then(|rest| rest.chars().next()).is_none_or(|ch| {
        matches!(ch, '\n' | '\r' | '\\' | ',' | '.' | ';' | ')' | '/' | '،' | '؛')
    });
    ended && word.len() <= MAX_LABEL_DISTANCE_BYTES && is_one_of(word, labels)
}

/// Whether one of the labels is shortly before or after a place.
pub(super) fn is_near(text: &str, place: &Range<usize>, labels: &[&str]) -> bool {
    let from = text.ceil_char_boundary(place.start.saturating_sub(MAX_CONTEXT_BYTES_BEFORE));
    let to = text.floor_char_boundary(text.len().min(place.end + MAX_CONTEXT_BYTES_AFTER));
    [text.get(from..place.start), text.get(place.end..to)]
        .into_iter()
        .flatten()
        .flat_map(|near| near.split(|ch: char| !ch.is_alphanumeric()))
        .any(|word| is_one_of(word, labels))
}

/// Whether the next word is one of these.
pub(super) fn is_followed_by(text: &str, at: usize, words: &[&str]) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start_matches([' ', '\u{a0}']);
    let length =
        rest.char_indices().find(|(at, ch)| *at > MAX_LABEL_DISTANCE_BYTES || !ch.is_alphabetic());
    let word = rest.get(..length.map_or(rest.len(), |(at, _)| at)).unwrap_or_default();
    is_one_of(word, words)
}

/// The words before a place that may be a label, the nearest first.
fn words_before(text: &str, at: usize) -> impl Iterator<Item = &str> {
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_LABEL_DISTANCE_BYTES));
    let mut head = text.get(from..at).unwrap_or_default();
    std::iter::from_fn(move || {
        head = head.trim_end_matches(|ch: char| !ch.is_alphanumeric());
        let rest = head.trim_end_matches(char::is_alphanumeric);
        let word = head.get(rest.len()..)?;
        head = rest;
        (!word.is_empty()).then_some(word)
    })
    .take(MAX_WORDS_BETWEEN)
}

/// Whether a word is one of the labels: in any case, or in Arabic with the
/// particles that are written with a word.
pub(super) fn is_one_of(word: &str, labels: &[&str]) -> bool {
    if word.is_ascii() {
        return labels.iter().any(|label| word.eq_ignore_ascii_case(label));
    }
    LABEL_PREFIXES_AR
        .iter()
        .filter_map(|particle| word.strip_prefix(particle))
        .any(|word| labels.iter().any(|label| is_form_of(word, label)))
}

fn is_form_of(word: &str, label: &str) -> bool {
    // Most differ in the second byte of a letter, which is asked first.
    let second = |text: &str| (text.as_bytes().get(1).copied(), text.as_bytes().get(3).copied());
    second(word) == second(label)
        && word
            .strip_prefix(label)
            .is_some_and(|ending| ending.is_empty() || LABEL_SUFFIXES_AR.contains(&ending))
}

/// How many bytes before a number its label may start.
const MAX_LABEL_DISTANCE_BYTES: usize = 72;

/// How many bytes before and after a number are near it.
const MAX_CONTEXT_BYTES_BEFORE: usize = 64;
const MAX_CONTEXT_BYTES_AFTER: usize = 24;

/// `number on which you can reach me is` has no more words than this.
const MAX_WORDS_BETWEEN: usize = 6;

const LABEL_PREFIXES_AR: [&str; 13] =
    ["", "و", "ال", "وال", "بال", "لل", "ول", "ب", "ل", "ف", "فال", "وب", "ولل"];

const LABEL_SUFFIXES_AR: [&str; 9] = ["ي", "ه", "ها", "نا", "كم", "ك", "هم", "ة", "ية"];

/// Words that may be between a label and its number.
const LABEL_FILLER_WORDS: [&str; 85] = [
    "no",
    "nos",
    "num",
    "number",
    "numbers",
    "nr",
    "is",
    "was",
    "are",
    "at",
    "on",
    "to",
    "of",
    "for",
    "with",
    "the",
    "a",
    "an",
    "me",
    "us",
    "him",
    "her",
    "them",
    "my",
    "our",
    "his",
    "their",
    "your",
    "new",
    "old",
    "registered",
    "direct",
    "office",
    "home",
    "work",
    "personal",
    "private",
    "holder",
    "bearing",
    "card",
    "book",
    "ext",
    "code",
    "please",
    "either",
    "رقم",
    "أرقام",
    "هو",
    "هي",
    "على",
    "عبر",
    "ذو",
    "ذات",
    "حامل",
    "صاحب",
    "سفر",
    "جديد",
    "شخصي",
    "عمل",
    "مكتب",
    "منزل",
    "خاص",
    "منشأة",
    "شركة",
    "saudi",
    "emirati",
    "uae",
    "kuwaiti",
    "kuwait",
    "qatari",
    "qatar",
    "bahraini",
    "bahrain",
    "omani",
    "oman",
    "british",
    "indian",
    "وطني",
    "سعودي",
    "إماراتي",
    "كويتي",
    "قطري",
    "بحريني",
    "عماني",
    "بريطاني",
];
