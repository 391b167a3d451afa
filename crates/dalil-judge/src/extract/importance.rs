//! Weighing: how much a claim matters, from the question, its kind and its place.
//!
//! Points: words of the question in it and its headings (none 0, one 1, more 2; 1 where question
//! and claim cannot be compared), a quantity 4, a rule, a definition or another
//! number 1, the first claim 2. From 4 points it is critical, from 1 material.

use std::collections::BTreeSet;

use dalil_documents::sentence::{NUMBERED_NOUNS, is_arabic, is_digit, language};
use dalil_evidence::claim::{ClaimImportance, ClaimKind};
use dalil_phrasebook::Language;

use super::ExtractedClaim;
use super::plain::{folded, words};
use super::verb::AUXILIARIES;

/// The words that a question is about, in a form that claims can be compared with.
pub(super) struct QuestionStems {
    stems: BTreeSet<String>,
    arabic: bool,
}

impl QuestionStems {
    /// Takes the words of a question that mean something.
    pub(super) fn of(question: &str) -> Self {
        let folded = folded(question);
        let stems = words(&folded).filter(|word| !is_empty_word(word)).map(stem);
        Self { stems: stems.map(str::to_owned).collect(), arabic: is_arabic_text(question) }
    }

    /// How many points the words of the question in a claim give.
    fn overlap(&self, claim: &str) -> u32 {
        // Words of two scripts never match; a claim must not count less for that.
        if self.stems.is_empty() || self.arabic != is_arabic_text(claim) {
            return INCOMPARABLE_POINTS;
        }
        let folded = folded(claim);
        let mut shared = words(&folded).map(stem).filter(|stem| self.stems.contains(*stem));
        let Some(first) = shared.next() else { return 0 };
        // One word that occurs twice counts once.
        if shared.any(|stem| stem != first) { 2 } else { 1 }
    }
}

/// The importance of a claim with this number of points; `place` counts claims from 0.
pub(super) const fn importance(points: u32, place: usize) -> ClaimImportance {
    match if place == 0 { points + 2 } else { points } {
        0 => ClaimImportance::Minor,
        1..=3 => ClaimImportance::Material,
        _ => ClaimImportance::Critical,
    }
}

/// The points of a claim for its content and for its relation to the question.
pub(super) fn points(
    claim: &ExtractedClaim,
    answer: &str,
    question: Option<&QuestionStems>,
) -> u32 {
    let asked =
        question.map_or(INCOMPARABLE_POINTS, |question| question.overlap(&claim.search(answer)));
    let said = match claim.kind {
        ClaimKind::Numeric if has_quantity(&claim.statement(answer)) => 4,
        ClaimKind::Numeric | ClaimKind::Policy | ClaimKind::Definition => 1,
        ClaimKind::Fact => 0,
    };
    asked + said
}

/// Whether figures count something: money, a share, or a thing that is named after them.
fn has_quantity(claim: &str) -> bool {
    let folded = folded(claim);
    let mut before = String::new();
    let all: Vec<&str> = folded.split_whitespace().collect();
    for (n, word) in all.iter().enumerate() {
        let bare = word.trim_matches(|ch: char| !ch.is_alphanumeric());
        if bare.starts_with(is_digit) {
            let money = word.contains(['$', '€', '£', '%', '٪', '﷼'])
                || CURRENCIES.contains(&before.as_str());
            let named = all.get(n + 1).is_some_and(|next| next.starts_with(char::is_alphabetic));
            let before = before.as_str();
            // `Article 5` refers to a place and `in 2024` is a date: neither counts anything.
            let refers = NUMBERED_NOUNS.contains(&before)
                || YEAR_OR_FORM_WORDS.contains(&before)
                || is_year(bare);
            if money || named && !refers {
                return true;
            }
        }
        bare.clone_into(&mut before);
    }
    false
}

fn is_year(number: &str) -> bool {
    number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
        || number.chars().count() == 4 && number.chars().all(|ch| is_digit(ch) && !ch.is_ascii())
}

fn is_arabic_text(text: &str) -> bool {
    language(text) == Language::Arabic
}

fn is_empty_word(word: &&str) -> bool {
    QUESTION_STOP_WORDS.contains(word) || AUXILIARIES.contains(word) || word.chars().count() < 2
}

/// A word without the endings and prefixes that vary.
fn stem(word: &str) -> &str {
    if word.starts_with(is_arabic) {
        return arabic_stem(word);
    }
    let ends = ["'s", "ies", "ing", "ed", "es", "s"];
    let cut = ends.iter().find_map(|end| word.strip_suffix(end)).filter(|stem| stem.len() >= 3);
    cut.unwrap_or(word).trim_end_matches(['e', 'y'])
}

fn arabic_stem(word: &str) -> &str {
    let starts = ["وال", "بال", "فال", "كال", "لل", "ال", "و", "ب", "ل", "ف"];
    let long = |stem: &&str| stem.chars().count() >= 3;
    let cut = starts.iter().find_map(|start| word.strip_prefix(start).filter(long)).unwrap_or(word);
    let ends = ["تي", "تك", "ته", "تنا", "ات", "ين", "ون", "ية", "ة", "ه", "ي", "ا"];
    ends.iter().find_map(|end| cut.strip_suffix(end).filter(long)).unwrap_or(cut)
}

/// The points where question and claim cannot be compared.
const INCOMPARABLE_POINTS: u32 = 1;

const CURRENCIES: &[&str] = &[
    "usd",
    "sar",
    "aed",
    "kwd",
    "bhd",
    "omr",
    "qar",
    "eur",
    "gbp",
    "egp",
    "jod",
    "دولار",
    "ريال",
    "درهم",
    "دينار",
    "جنيه",
    "يورو",
    "مبلغ",
    "rs",
    "chf",
];

/// Words whose number is a form or a year.
const YEAR_OR_FORM_WORDS: &[&str] = &["form", "in", "since", "عام"];

/// Words of questions that are about nothing.
const QUESTION_STOP_WORDS: &[&str] = &[
    "a",
    "an",
    "the",
    "what",
    "which",
    "who",
    "whom",
    "when",
    "where",
    "why",
    "how",
    "much",
    "many",
    "long",
    "often",
    "i",
    "me",
    "my",
    "we",
    "our",
    "you",
    "your",
    "they",
    "their",
    "it",
    "its",
    "he",
    "she",
    "this",
    "that",
    "these",
    "those",
    "there",
    "and",
    "or",
    "but",
    "if",
    "not",
    "no",
    "of",
    "in",
    "on",
    "at",
    "by",
    "for",
    "from",
    "to",
    "with",
    "about",
    "as",
    "any",
    "all",
    "some",
    "please",
    "tell",
    "ما",
    "ماذا",
    "متي",
    "اين",
    "كيف",
    "كم",
    "هل",
    "من",
    "في",
    "علي",
    "عن",
    "الي",
    "هو",
    "هي",
    "لي",
    "يمكنني",
];
