//! Decides whether a word before a full stop is an abbreviation or ends a sentence.

use super::is_arabic;

/// The kind of a word before a full stop, which decides whether the stop ends a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AbbreviationKind {
    /// Nothing: the stop ends the sentence.
    Word,
    /// Something always follows: `Dr.`, `e.g.`
    Title,
    /// A number follows, or it is a word: `No. 5`, `Art. IV`.
    Reference,
    /// Part of a name, which may also end a sentence: `Acme Inc.`, `U.S.`
    Name,
    /// Usually the end when a capital follows: `etc.`, `a.m.`
    Closing,
    /// One capital: `J. Smith`, `Plan B.`
    Initial,
    /// One Arabic letter: `د.`, and after a number the era: `١٤٤٦ هـ.`
    ArabicLetter,
}

/// Classifies a word, given without its last stop.
pub(super) fn meaning(word: &str) -> AbbreviationKind {
    let lower = word.to_lowercase();
    let is = |words: &[&str]| words.contains(&lower.as_str());
    if is(TITLE_ABBREVIATIONS) {
        AbbreviationKind::Title
    } else if is(REFERENCE_ABBREVIATIONS) {
        AbbreviationKind::Reference
    } else if is(CLOSING_ABBREVIATIONS) {
        AbbreviationKind::Closing
    } else if is(NAME_ABBREVIATIONS) && word.starts_with(char::is_uppercase) || is_acronym(word) {
        AbbreviationKind::Name
    } else if one(word, char::is_uppercase) {
        AbbreviationKind::Initial
    } else if one(word, is_arabic) {
        AbbreviationKind::ArabicLetter
    } else {
        AbbreviationKind::Word
    }
}

/// Whether a word is often the first of an English sentence.
pub(super) fn begins_sentence(word: &str) -> bool {
    SENTENCE_STARTERS.contains(&word.to_lowercase().as_str())
}

/// Whether single letters follow a word as names: `Plan B`, `Annex A`.
pub(super) fn is_lettered(word: &str) -> bool {
    LETTERED_NOUNS.contains(&word.to_lowercase().as_str())
}

/// Whether a word has one letter, tatweel and marks aside, and nothing else.
fn one(word: &str, is: impl Fn(char) -> bool) -> bool {
    let mut letters = word.chars().filter(|ch| !matches!(ch, '\u{640}' | '\u{64b}'..='\u{652}'));
    letters.next().is_some_and(is) && letters.next().is_none()
}

/// `U.S`, `U.A.E`, `ص.ب`: single letters between stops.
fn is_acronym(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| one(part, char::is_alphabetic))
}

const TITLE_ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "eng", "hon", "rev", "st", "capt", "gen", "sen", "messrs",
    "e.g", "eg", "i.e", "ie", "vs", "v", "cf", "viz", "approx", "ca", "incl", "excl", "resp", "al",
];

const REFERENCE_ABBREVIATIONS: &[&str] = &[
    "no", "nos", "art", "arts", "sec", "secs", "cl", "para", "paras", "p", "pp", "pg", "vol", "ch",
    "fig", "figs", "tab", "app", "reg", "sch", "ss", "s", "ed", "iss", "num", "eq", "ver", "jan",
    "feb", "dec", "max", "min", "avg", "est", "ref", "tel", "ext",
];

const NAME_ABBREVIATIONS: &[&str] = &[
    "inc", "ltd", "co", "corp", "llc", "llp", "plc", "bros", "dept", "univ", "assn", "intl", "gov",
    "sr",
];

const CLOSING_ABBREVIATIONS: &[&str] = &["etc", "a.m", "p.m", "jr", "b.c", "a.d", "الخ"];

const SENTENCE_STARTERS: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "these",
    "that",
    "those",
    "it",
    "its",
    "he",
    "she",
    "they",
    "we",
    "you",
    "i",
    "his",
    "her",
    "their",
    "our",
    "your",
    "my",
    "if",
    "when",
    "where",
    "while",
    "after",
    "before",
    "because",
    "although",
    "since",
    "until",
    "unless",
    "in",
    "on",
    "at",
    "by",
    "for",
    "from",
    "to",
    "with",
    "without",
    "under",
    "during",
    "all",
    "any",
    "each",
    "every",
    "no",
    "not",
    "only",
    "both",
    "either",
    "neither",
    "some",
    "such",
    "there",
    "here",
    "however",
    "therefore",
    "also",
    "as",
    "but",
    "and",
    "employees",
    "please",
    "what",
];

const LETTERED_NOUNS: &[&str] = &[
    "plan", "annex", "appendix", "schedule", "part", "class", "grade", "type", "category", "group",
    "option", "section", "vitamin", "phase", "series", "tier", "level", "exhibit", "table",
    "building",
];
