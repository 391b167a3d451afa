//! Negation: which words a text denies.

use std::sync::LazyLock;

use super::bound;
use super::word::{PhraseTable, WordKind, WordToken};

#[cfg(test)]
mod tests;

/// Whether a word is denied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NegationState {
    #[default]
    None,
    Whole,
    /// Denied but for an exception: `not … unless`, `لا … إلا`.
    Excepted,
}

/// For each word, whether it is denied.
pub(super) fn denials(words: &[WordToken]) -> Vec<NegationState> {
    let mut denials = vec![NegationState::None; words.len()];
    let bounds = bound::places(words);
    for (at, length, reach) in NEGATORS.all(words) {
        let after = at + length;
        let bounded = bounds.iter().any(|range| range.start < after && at < range.end);
        let limits = bound::limits(words, after, MAX_LIMIT_REACH_WORDS);
        let waived = waived(words, after) || needed(words, at);
        // Bounds, limits, titles and waived duties use these words and deny nothing.
        if reach == NegationReach::None || bounded || limits || titled(words, at) || waived {
            continue;
        }
        let excepted = reach == NegationReach::Clause && excepted(words, after);
        let left = if reach == NegationReach::Clause {
            MAX_CLAUSE_REACH_WORDS
        } else {
            MAX_WITHOUT_REACH_WORDS
        };
        for slot in scope(words, after, left) {
            let Some(denial) = denials.get_mut(slot) else { break };
            *denial = match *denial {
                _ if excepted => NegationState::Excepted,
                NegationState::None => NegationState::Whole,
                // Two negations cancel.
                NegationState::Whole => NegationState::None,
                NegationState::Excepted => NegationState::Excepted,
            };
        }
    }
    denials
}

/// The words of each negation of a text that denies something.
pub(super) fn negators(words: &[WordToken]) -> Vec<std::ops::Range<usize>> {
    let bounds = bound::places(words);
    let denies = |&(at, length, reach): &(usize, usize, NegationReach)| {
        let bounded = bounds.iter().any(|range| range.start < at + length && at < range.end);
        reach != NegationReach::None && !bounded && !titled(words, at)
    };
    let range = |(at, length, _): (usize, usize, NegationReach)| at..at + length;
    NEGATORS.all(words).into_iter().filter(denies).map(range).collect()
}

/// The words that a negation reaches.
fn scope(words: &[WordToken], after: usize, reach: usize) -> Vec<usize> {
    let ends = |word: &WordToken| word.breaks() || NEGATION_END_WORDS.contains(&word.form.as_str());
    let clause = words.iter().enumerate().skip(after).take_while(|(_, word)| !ends(word));
    clause.filter(|(_, word)| word.letters()).take(reach).map(|(at, _)| at).collect()
}

/// `No More Censorship`: a word of a title denies nothing.
fn titled(words: &[WordToken], at: usize) -> bool {
    let capital = |at: usize| words.get(at).is_some_and(|word| word.kind == WordKind::Capital);
    // "Not Compensated: …" is the label of a list.
    let label = words.get(at + 2).is_some_and(|word| word.is(":"));
    capital(at) && capital(at + 1) && !label
}

/// `not … unless`, `لا … إلا`: the denied act is affirmed under a condition.
pub(super) fn excepted(words: &[WordToken], at: usize) -> bool {
    let than = |at: usize| words.get(at).is_some_and(|word| word.is("than"));
    let sentence = words.iter().enumerate().skip(at).take(MAX_EXCEPTION_REACH_WORDS);
    // The exception may stand in a later clause, so commas do not end the search.
    let mut clause = sentence.take_while(|(_, word)| !word.is(".") && !word.is("\n"));
    clause.any(|(at, word)| {
        EXCEPTION_WORDS.contains(&word.form.as_str()) || (word.is("other") && than(at + 1))
    })
}

/// `no approval is required`: nothing is denied but a duty.
fn waived(words: &[WordToken], at: usize) -> bool {
    let clause = words.iter().skip(at).take_while(|word| !word.breaks()).take(6);
    clause.into_iter().any(|word| REQUIREMENT_WORDS.contains(&word.form.as_str()))
}

/// `needs no separate room`: a duty is denied, and nothing else.
fn needed(words: &[WordToken], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before
        .is_some_and(|word| ["need", "needs", "require", "requires"].contains(&word.form.as_str()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NegationReach {
    /// Not a negation, though it looks like one.
    None,
    Word,
    Clause,
}

/// The reach, in words, of a negation to a bound that it denies: `no account … more than 16`.
const MAX_LIMIT_REACH_WORDS: usize = 7;

/// How many words after a negation it denies.
const MAX_CLAUSE_REACH_WORDS: usize = 6;

/// How many words after a negation its exception may begin.
const MAX_EXCEPTION_REACH_WORDS: usize = 25;

/// How many words after `without` it denies.
const MAX_WITHOUT_REACH_WORDS: usize = 2;

/// Folded words at which a negation ends.
const NEGATION_END_WORDS: &[&str] = &[
    "but",
    "however",
    "although",
    "though",
    "because",
    "while",
    "whereas",
    "unless",
    "except",
    "بل",
    "لكن",
    "ولكن",
    "الا",
    "انما",
    "وانما",
    "اذا",
    "if",
];

const EXCEPTION_WORDS: &[&str] = &["unless", "except", "until", "without", "الا", "سوي"];

const REQUIREMENT_WORDS: &[&str] =
    &["required", "needed", "necessary", "need", "يشترط", "مطلوب", "مطلوبه", "لازم"];

static NEGATORS: LazyLock<PhraseTable<NegationReach>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "ما لم|not only|not the only|may or may not|لا يزال|لا تزال|ما زال|ما يزال|لا يزالون|ما زالت|whether or not|not necessarily|not required|not obliged|not need|no need|no obligation|no doubt|not limited to|no later|no more than|no less|no fewer|if not|no matter|not least|not just|nothing but|not merely|لا سيما|ليس فقط|لا فقط|لا يلزم|لا يشترط|لا يجب|غير ملزم|غير مطلوب|لا حاجة|لا مانع|غير أن|غير أنه|غير أنها|need not",
            NegationReach::None,
        ),
        (
            "not|no|never|nor|neither|cannot|can't|won't|don't|doesn't|isn't|aren't|didn't|wasn't|weren't|hasn't|haven't|shouldn't|mustn't|nobody|none|nothing|hardly|fails to|failed to|prohibited from|forbidden|barred from|refuses to|refused to|incapable of|unable to|declined to|ceased to",
            NegationReach::Clause,
        ),
        (
            "لا|لم|لن|ليس|ليست|ليسوا|ما من|لا أحد|يحظر|تحظر|يمنع|ممنوع|محظور|لا يجوز|لا يحق|وليس|يُحظر",
            NegationReach::Clause,
        ),
        ("without|non|lack of|absence of|غير|بدون|دون|عدم|بلا|بعدم", NegationReach::Word),
    ])
});
