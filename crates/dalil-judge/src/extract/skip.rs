//! Sentences of an answer that are not claims.

use dalil_documents::sentence::{is_arabic, is_digit};
use dalil_evidence::claim::ClaimKind;

use super::advice::{ADVICE_STARTS, GUESS_STARTS, GUESS_WORDS, SEE_ALSO_STARTS};
use super::phrase::{
    ANNOUNCING_ENDS, ANNOUNCING_OBJECTS, GREETING_STARTS, HEDGE_PHRASES, HEDGE_STARTS,
    JOINING_VERBS, OFFER_PHRASES, OFFER_STARTS, REFUSAL_PHRASES, REFUSAL_STARTS, REMARK_PHRASES,
    REMARK_SENTENCES, REMARK_STARTS, SOURCE_STARTS, THANKS_STARTS, YES_NO_ANSWERS,
};
use super::plain::words;
use super::value;
use super::verb;

/// Why words of an answer are no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It asks.
    Question,
    /// It greets, thanks or takes leave.
    Greeting,
    /// It refuses to answer.
    Refusal,
    /// It offers help or sends the reader elsewhere.
    Offer,
    /// It speaks about the answer.
    Remark,
    /// It only expresses uncertainty.
    Hedge,
    /// It names where the answer is from.
    Source,
    /// It is a heading.
    Heading,
    /// It opens a list, a table or a quotation; the claims there are read with it.
    Opening,
    /// It names the topic of the words after it, which are read with it.
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

impl SkipReason {
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
pub(super) fn why(folded: &str) -> Option<SkipReason> {
    let text = folded.trim_start_matches(|ch: char| !ch.is_alphanumeric());
    let count = words(text).take(MAX_HEDGE_WORDS + 1).count();
    let figures = value::counts(text);
    let bare = text.trim_end_matches(|ch: char| !ch.is_alphanumeric());
    let starts = |phrases: &[&str]| phrases.iter().any(|phrase| begins(text, phrase));
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    // The order counts. A sentence that matches before `figures` is no claim even with a number in
    // it; after that, a value makes a greeting or an offer a claim, too.
    if folded.trim_end_matches(['"', '”', '»', ')', '*', ' ']).ends_with(['?', '؟']) {
        Some(SkipReason::Question)
    } else if starts(REFUSAL_STARTS) || has(REFUSAL_PHRASES) {
        Some(SkipReason::Refusal)
    } else if YES_NO_ANSWERS.contains(&bare) {
        Some(SkipReason::Fragment)
    } else if starts(SOURCE_STARTS) || starts(SEE_ALSO_STARTS) && count <= MAX_HEDGE_WORDS {
        Some(SkipReason::Source)
    } else if figures {
        None
    } else if starts(GREETING_STARTS) && (count <= 8 || starts(THANKS_STARTS)) {
        Some(SkipReason::Greeting)
    } else if starts(OFFER_STARTS) || has(OFFER_PHRASES) || starts(ADVICE_STARTS) {
        Some(SkipReason::Offer)
    } else if count <= MAX_HEDGE_WORDS && (starts(HEDGE_STARTS) || is_guess(text)) {
        Some(SkipReason::Hedge)
    } else if starts(REMARK_STARTS) || REMARK_SENTENCES.contains(&bare) || has(REMARK_PHRASES) {
        Some(SkipReason::Remark)
    } else {
        None
    }
}

/// `The fees are as follows.`: it only announces the text below.
///
/// A sentence that states something of its own is a claim, however it ends.
pub(super) fn announces(folded: &str) -> bool {
    let bare = folded.trim_end_matches(|ch: char| !ch.is_alphanumeric());
    let before = |ends: &[&str]| {
        let rest = ends.iter().find_map(|end| bare.strip_suffix(*end))?;
        (rest.is_empty() || rest.ends_with(' ')).then(|| rest.trim_end())
    };
    let is_short = |rest: &str| {
        words(rest).take(MAX_ANNOUNCING_WORDS + 1).count() <= MAX_ANNOUNCING_WORDS
            && !rest.contains([',', '،', ';', '؛', '('])
            && !value::counts(rest)
    };
    // The predicate comes below: no verb but one that only joins.
    if let Some(rest) = before(ANNOUNCING_ENDS) {
        let (head, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
        let subject = if JOINING_VERBS.contains(&last) { head } else { rest };
        // Not every Arabic verb is known, so only a noun of the announced text may be there.
        let is_name = !subject.contains(is_arabic) || words(subject).count() <= 2;
        return is_short(rest) && is_name && !verb::may_have_verb(subject);
    }
    // The object comes below: one verb, which otherwise ends the sentence.
    let Some(rest) = before(ANNOUNCING_OBJECTS) else { return false };
    let (head, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
    is_short(rest) && verb::is_finite(last) && !verb::may_have_verb(head)
}

/// `I think it might rain`: a guess that doubts itself.
fn is_guess(text: &str) -> bool {
    let opening = GUESS_STARTS.iter().find(|phrase| begins(text, phrase));
    opening.and_then(|phrase| text.get(phrase.len()..)).is_some_and(|rest| {
        ClaimKind::of(rest) == ClaimKind::Fact
            && words(rest).any(|word| GUESS_WORDS.contains(&word))
    })
}

/// Whether words are too few to state anything: no verb, no figure, no stop, at most five.
pub(super) fn is_fragment(folded: &str) -> bool {
    let few = if folded.ends_with(['.', '!', '۔']) { 2 } else { 5 };
    !folded.contains(is_digit)
        && words(folded).take(few + 1).count() <= few
        && !folded.contains(": ")
        && !verb::may_have_verb(folded)
}

/// Whether a statement is made with reserve: `probably`, `ربما`.
pub(super) fn is_hedged(folded: &str) -> bool {
    HEDGE_PHRASES.iter().any(|phrase| {
        folded.match_indices(phrase).any(|(at, _)| {
            // The conjunction و is written together with the word behind it.
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
    [
        REFUSAL_STARTS,
        REFUSAL_PHRASES,
        YES_NO_ANSWERS,
        SOURCE_STARTS,
        GREETING_STARTS,
        THANKS_STARTS,
        OFFER_STARTS,
        OFFER_PHRASES,
        HEDGE_STARTS,
        REMARK_STARTS,
    ]
    .into_iter()
    .chain([
        REMARK_PHRASES,
        REMARK_SENTENCES,
        ANNOUNCING_ENDS,
        ANNOUNCING_OBJECTS,
        JOINING_VERBS,
        HEDGE_PHRASES,
        SEE_ALSO_STARTS,
        ADVICE_STARTS,
        GUESS_STARTS,
        GUESS_WORDS,
    ])
    .flatten()
}

/// A sentence that only announces is short.
const MAX_ANNOUNCING_WORDS: usize = 6;
/// A longer hedge has other content.
const MAX_HEDGE_WORDS: usize = 12;
