//! What is said in an answer without being a claim.

use dalil_core::claim::Kind;

use super::advice::{ADVICE, GUESSED, GUESSES, SENDING};
use super::phrase::{
    GREETINGS, HEDGES, HEDGING, OFFERED, OFFERS, OPINIONS, REFUSALS, REFUSED, REMARK_WHOLE,
    REMARKED, REMARKS, SOURCES, THANKS,
};
use super::plain::words;
use super::value;
use super::verb;
use crate::sentence::is_digit;

/// Why words of an answer are no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It asks.
    Question,
    /// It greets, thanks or takes leave.
    Greeting,
    /// It says that no answer can be given.
    Refusal,
    /// It offers help or sends the reader elsewhere.
    Offer,
    /// It speaks about the answer.
    Remark,
    /// It says no more than that something is uncertain.
    Hedge,
    /// It names where the answer is from.
    Source,
    /// It is a heading.
    Heading,
    /// It opens a list, a table or a quotation; the claims there are read with it.
    Opening,
    /// It names what the words after it are about; they are read with it.
    Label,
    /// It is the first row of a table; the other rows are read with it.
    Header,
    /// It joins two claims.
    Connective,
    /// It states nothing by itself.
    Fragment,
    /// It is code.
    Code,
    /// It is markup.
    Markup,
}

impl Why {
    /// The published word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Greeting => "greeting",
            Self::Refusal => "refusal",
            Self::Offer => "offer",
            Self::Remark => "remark",
            Self::Hedge => "hedge",
            Self::Source => "source",
            Self::Heading => "heading",
            Self::Opening => "opening",
            Self::Label => "label",
            Self::Header => "header",
            Self::Connective => "connective",
            Self::Fragment => "fragment",
            Self::Code => "code",
            Self::Markup => "markup",
        }
    }
}

/// Why a sentence is no claim, by its words; `folded` is the sentence in folded form.
pub(super) fn why(folded: &str) -> Option<Why> {
    let text = folded.trim_start_matches(|ch: char| !ch.is_alphanumeric());
    let count = words(text).take(LONG + 1).count();
    let figures = value::counts(text);
    let bare = text.trim_end_matches(|ch: char| !ch.is_alphanumeric());
    let starts = |phrases: &[&str]| phrases.iter().any(|phrase| begins(text, phrase));
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    if folded.trim_end_matches(['"', '”', '»', ')', '*', ' ']).ends_with(['?', '؟']) {
        Some(Why::Question)
    } else if starts(REFUSALS) || has(REFUSED) {
        Some(Why::Refusal)
    } else if OPINIONS.contains(&bare) {
        Some(Why::Fragment)
    } else if starts(SOURCES) || starts(SENDING) && count <= LONG {
        Some(Why::Source)
    } else if figures {
        None
    } else if starts(GREETINGS) && (count <= 8 || starts(THANKS)) {
        Some(Why::Greeting)
    } else if starts(OFFERS) || has(OFFERED) || starts(ADVICE) {
        Some(Why::Offer)
    } else if count <= LONG && (starts(HEDGES) || is_guess(text)) {
        Some(Why::Hedge)
    } else if starts(REMARKS) || REMARK_WHOLE.contains(&bare) || has(REMARKED) {
        Some(Why::Remark)
    } else {
        None
    }
}

/// `I think it might rain`: a guess that doubts itself.
fn is_guess(text: &str) -> bool {
    let opening = GUESSES.iter().find(|phrase| begins(text, phrase));
    let rest = opening.and_then(|phrase| text.get(phrase.len()..)).unwrap_or_default();
    Kind::of(rest) == Kind::Fact && words(rest).any(|word| GUESSED.contains(&word))
}

/// Whether words are too few to state anything: no verb, no figure, no stop, at most five.
pub(super) fn is_fragment(folded: &str) -> bool {
    let few = if folded.ends_with(['.', '!', '۔']) { 2 } else { 5 };
    !folded.contains(is_digit)
        && words(folded).take(few + 1).count() <= few
        && !folded.contains(": ")
        && !verb::perhaps(folded)
}

/// Whether a statement is made with reserve: `probably`, `ربما`.
pub(super) fn is_hedged(folded: &str) -> bool {
    HEDGING.iter().any(|phrase| {
        folded.match_indices(phrase).any(|(at, _)| {
            let before = folded.get(..at).and_then(|text| text.chars().next_back());
            let after = folded.get(at + phrase.len()..).and_then(|text| text.chars().next());
            !before.is_some_and(|ch| ch.is_alphanumeric() && ch != 'و')
                && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

/// Whether a text begins with these whole words.
fn begins(text: &str, phrase: &str) -> bool {
    text.strip_prefix(phrase)
        .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) || phrase.ends_with(' '))
}

/// Every phrase that sentences are compared with.
#[cfg(test)]
pub(super) fn phrases() -> impl Iterator<Item = &'static &'static str> {
    [REFUSALS, REFUSED, OPINIONS, SOURCES, GREETINGS, THANKS, OFFERS, OFFERED, HEDGES, REMARKS]
        .into_iter()
        .chain([REMARKED, REMARK_WHOLE, HEDGING, SENDING, ADVICE, GUESSES, GUESSED])
        .flatten()
}

/// A hedge with more words says something beside.
const LONG: usize = 12;
