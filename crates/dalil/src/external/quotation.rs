//! Quotations: finds the words that a reply relies on in the text that was sent.

use dalil_evidence::mask::{Mask, MaskedText};
use dalil_evidence::word_boundary::is_inside_word;
use dalil_judge::judge::ChunkRef;
use dalil_judge::rule::{RuleFinding, RuleKind, RuleOutcome};

#[cfg(test)]
mod tests;

/// A chunk, as the endpoint sees it.
#[derive(Debug)]
pub(super) struct OutgoingPassage<'c> {
    pub(super) place: ChunkRef,
    /// The name of its document.
    pub(super) document: &'c str,
    /// Where it begins in the text of the document, in bytes.
    pub(super) start: usize,
    pub(super) text: &'c str,
    /// The same with its sensitive values masked, where there are any.
    pub(super) masked: Option<MaskedText<'c>>,
}

impl OutgoingPassage<'_> {
    /// The words that go out.
    pub(super) fn shown(&self) -> &str {
        self.masked.as_ref().map_or(self.text, |masked| &masked.text)
    }
}

/// Quoted words that count: their place in the document, and the document's own words there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundQuotation<'c> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) words: &'c str,
}

impl<'c> FoundQuotation<'c> {
    /// Finds quoted words in the passage that was shown. A part of a clause and words that address
    /// a reader or a model are no evidence.
    pub(super) fn find(sight: &OutgoingPassage<'c>, words: &str) -> Option<Self> {
        let (from, to) = found(sight.shown(), words)?;
        let masks = sight.masked.as_ref().map_or(&[][..], |masked| masked.masks.as_slice());
        // Where an edge touches a mark, the value counts only if the quotation covers the mark.
        let (from, to) =
            (original(from, masks, MaskEdge::Start), original(to, masks, MaskEdge::End));
        let words = sight.text.get(from..to)?;
        let counts = is_clause(words) && !is_addressed(words);
        counts.then_some(Self { start: sight.start + from, end: sight.start + to, words })
    }
}

/// Whether a finding about claim and quotation leaves support in part at most: another value, or a
/// frame such as a denial or a draft.
pub(super) fn takes_back(finding: &RuleFinding) -> bool {
    let value = finding.kind.counted() || finding.kind == RuleKind::Frequency;
    let framed = finding.kind == RuleKind::Frame && finding.outcome != RuleOutcome::Agrees;
    framed || (value && finding.outcome == RuleOutcome::Conflicts)
}

/// Where quoted words are in a text, as whole words; white space may differ.
fn found(text: &str, words: &str) -> Option<(usize, usize)> {
    let wanted: Vec<&str> = words.split_whitespace().collect();
    let first = wanted.first()?;
    let ends = |from: usize| {
        let mut rest = text.get(from..)?;
        for (n, word) in wanted.iter().enumerate() {
            let spaced = rest.trim_start();
            // Without white space between words, `ten days` would be found in `tendays`.
            if n > 0 && spaced.len() == rest.len() {
                return None;
            }
            rest = spaced.strip_prefix(*word)?;
        }
        let to = text.len() - rest.len();
        // `5 days` is not in `15 days`, and `500 riyals` not in `1,500 riyals`.
        let is_cut = is_inside_word(text, from) || is_inside_word(text, to);
        (!is_cut).then_some(to)
    };
    text.match_indices(*first).find_map(|(at, _)| ends(at).map(|end| (at, end)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MaskEdge {
    Start,
    End,
}

/// Maps a place in masked text to the text itself; a place inside a mark moves to the edge of what
/// the mark hides.
fn original(place: usize, masks: &[Mask], side: MaskEdge) -> usize {
    let (mut from, mut at) = (0, 0);
    for mask in masks {
        let next = at + (mask.start - from);
        if place < next || (side == MaskEdge::End && place == next) {
            break;
        }
        let after = next + mask.replacement.len();
        if place < after || (side == MaskEdge::End && place == after) {
            return if side == MaskEdge::Start { mask.start } else { mask.end };
        }
        (from, at) = (mask.end, after);
    }
    from + (place - at)
}

/// Whether words say something: four words, or eight letters with a word that may be a verb.
fn is_clause(words: &str) -> bool {
    let spoken = || words.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    // A lone `of` is in every passage, so a reply could quote it for any verdict.
    let letters = words.chars().filter(|letter| letter.is_alphanumeric()).count();
    spoken().count() >= MIN_CLAUSE_WORDS
        || (letters >= MIN_CLAUSE_LETTERS && spoken().count() > 1 && spoken().any(is_verb_like))
}

/// Whether a word may be a verb, or the label of a value: `rounded`, `is`, `يستحق`, `Fee:`.
fn is_verb_like(word: &str) -> bool {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let long = bare.chars().count() > 3;
    COMMON_VERBS.contains(&bare.as_str())
        || (long && (bare.ends_with("ed") || bare.ends_with("ing") || bare.ends_with("es")))
        || (long && bare.starts_with(['ي', 'ت']))
        || word.ends_with(':')
}

/// Whether words speak to a reader or a model rather than about the matter.
fn is_addressed(words: &str) -> bool {
    let plain = words.to_lowercase();
    // White space and case are folded first, so that line breaks do not hide an instruction.
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    PROMPT_INJECTION_PHRASES.iter().any(|address| plain.contains(address))
}

/// A clause has at least this many words, by the result of an attack on a judge with `of`.
const MIN_CLAUSE_WORDS: usize = 4;

/// Or this many letters, one word of them a verb.
const MIN_CLAUSE_LETTERS: usize = 8;

const COMMON_VERBS: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "must", "may", "can", "shall",
    "will", "should", "does", "do", "did", "get", "gets", "pays", "pay", "ends", "begins", "لا",
    "لم", "ليس", "يجوز", "يجب",
];

/// Phrases of an instruction to a model, in lower case. Plain words of a handbook such as
/// `if you are on leave` are not among them.
const PROMPT_INJECTION_PHRASES: &[&str] = &[
    "ignore all",
    "ignore any",
    "ignore the above",
    "ignore the previous",
    "ignore previous",
    "ignore prior",
    "ignore your",
    "ignore these",
    "ignore everything",
    "disregard all",
    "disregard any",
    "disregard the above",
    "disregard previous",
    "disregard prior",
    "disregard your",
    "verdict=",
    "verdict =",
    "verdict:",
    "\"verdict\"",
    "verdict is supported",
    "verdict must",
    "verdict should",
    "verdict supported",
    "your verdict",
    "you are a judge",
    "you are the judge",
    "you are now",
    "you are an ai",
    "you are an assistant",
    "you are a helpful",
    "you are a language",
    "language model",
    "ai judge",
    "ai model",
    "as an ai",
    "system prompt",
    "previous instructions",
    "prior instructions",
    "treat the claim",
    "treat this claim",
    "claim as supported",
    "claim is supported",
    "mark the claim",
    "mark this claim",
    "answer supported",
    "say supported",
    "reply supported",
    "respond with",
    "reply with",
    "note to the judge",
    "note to judges",
    "quote this sentence",
    "تجاهل كل",
    "تجاهل جميع",
    "تجاهل التعليمات",
    "تجاهل ما",
    "تجاهل أي",
    "التعليمات السابقة",
    "نموذج لغوي",
    "أيها النموذج",
    "أيها الحكم",
    "اعتبر الادعاء",
    "الادعاء مدعوم",
    "احكم بأن",
    "أجب بأن",
];
