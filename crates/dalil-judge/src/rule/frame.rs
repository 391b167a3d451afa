//! Frames: sentences that deny, reject, repeal, propose, ask or only report a statement.
//!
//! A framed sentence does not support the statement in its frame, however equal its
//! words and values are; a plain denial contradicts it. A frame is a phrase or a
//! verb with its object, and it reaches over the words before or after it. Words
//! that look like a frame in an ordinary rule are none: a plan that a board *may*
//! reject, *whether or not*, a *draft* that someone prepares.

use std::ops::Range;

use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::frame_words::{
    ASSERTION_HEADS, ASSERTION_TAILS, BACKWARD_FRAMES, FORWARD_FRAMES, FRAME_TOPIC_WORDS,
    FRAMING_VERBS, FrameSort, MODAL_WORDS,
};
use super::text::{AlignmentFit, AnalyzedText, ContentWord, RoleAlignment};
use super::word::{WordKind, WordToken};

#[cfg(test)]
mod tests;

/// A frame of a text: the words that make it, and those that it reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SentenceFrame {
    pub(super) sort: FrameSort,
    pub(super) words: Range<usize>,
    pub(super) scope: Range<usize>,
}

/// Applies the frame of a sentence of the evidence to the findings of a claim.
///
/// Values inside a frame neither agree nor conflict: only the frame counts.
pub(super) fn framed(
    texts: [&AnalyzedText<'_>; 2],
    sentence: usize,
    findings: Vec<RuleFinding>,
) -> Vec<RuleFinding> {
    let [claim, evidence] = texts;
    // A claim about a denial or a repeal is supported by it, not taken away.
    if speaks_of_frames(claim) {
        return findings;
    }
    let reaches = |frame: &&SentenceFrame| reaches(claim, evidence, frame, sentence);
    let frames = frames(evidence);
    let Some(frame) = frames.iter().find(reaches) else { return findings };
    let agree = findings
        .iter()
        .filter(|one| one.kind.counted())
        .all(|one| one.outcome == RuleOutcome::Agrees);
    // A denial of another value denies another claim.
    let denied = frame.sort == FrameSort::Denied && agree;
    let outcome = if denied { RuleOutcome::Conflicts } else { RuleOutcome::Missing };
    let whole = claim.span(0..claim.words.len());
    let base = RuleFinding::new(RuleKind::Frame, outcome, claim, whole);
    let met = base.met(outcome, evidence, evidence.span(frame.words.clone()));
    vec![RuleFinding { is_tight: true, ..met }]
}

/// Inverts the findings for a claim that denies the rest of itself.
///
/// If the evidence contradicts the rest, the denial is right; if it states the rest, the denial is
/// wrong.
pub(super) fn turned(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    denial: &SentenceFrame,
) -> Vec<RuleFinding> {
    let words = claim.span(denial.words.clone());
    let start = claim.span(denial.scope.clone()).start;
    let Some(inner) = claim.raw.get(start..) else { return Vec::new() };
    let inner = AnalyzedText::of(inner);
    let findings = super::stated(&inner, evidence);
    let turned = |outcome, place: Range<usize>| {
        let base = RuleFinding::new(RuleKind::Frame, outcome, claim, words.clone());
        vec![RuleFinding { is_tight: true, ..base.met(outcome, evidence, place) }]
    };
    let conflict = findings.iter().find(|finding| finding.outcome == RuleOutcome::Conflicts);
    if let Some(place) = conflict.and_then(|finding| finding.evidence.clone()) {
        return turned(RuleOutcome::Agrees, place);
    }
    let (sentence, fit) = RoleAlignment::of(&inner, evidence).focus();
    let said = findings.iter().all(|finding| finding.outcome == RuleOutcome::Agrees);
    if said && fit.tight() {
        let keys = inner.keys();
        let here = |term: &&ContentWord| {
            evidence.sentence(term.at) == sentence && keys.contains(term.key.as_str())
        };
        let mut held = evidence.terms.iter().filter(here).map(|term| term.at);
        if let Some(first) = held.next() {
            let last = held.next_back().unwrap_or(first);
            return turned(RuleOutcome::Conflicts, evidence.span(first..last + 1));
        }
    }
    let missing = |finding: &RuleFinding| {
        finding.outcome == RuleOutcome::Missing && finding.kind != RuleKind::Frame
    };
    // The inner text begins later; places are those of the whole claim again.
    let moved = |finding: RuleFinding| {
        let range = finding.claim.start + start..finding.claim.end + start;
        RuleFinding { claim: range, ..finding }
    };
    findings.into_iter().filter(missing).map(moved).collect()
}

/// The frame with which a claim denies the rest of itself: `It is false that …`.
pub(super) fn denial(claim: &AnalyzedText<'_>) -> Option<SentenceFrame> {
    let leads = |frame: &SentenceFrame| {
        frame.sort == FrameSort::Denied
            && frame.words.start <= 1
            && frame.scope.start >= frame.words.end
    };
    frames(claim).into_iter().find(leads)
}

/// Whether the claim itself is about a denial, a proposal or a repeal.
fn speaks_of_frames(claim: &AnalyzedText<'_>) -> bool {
    let told = |word: &WordToken| FRAME_TOPIC_WORDS.find(&word.form).is_some();
    claim.words.iter().any(told) || !frames(claim).is_empty()
}

/// Whether most of the claim's terms are within a frame.
fn reaches(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    frame: &SentenceFrame,
    sentence: usize,
) -> bool {
    let keys = claim.keys();
    let inside = |at: usize| frame.scope.contains(&at) && !frame.words.contains(&at);
    let near = frame.scope.clone().any(|at| evidence.sentence(at) == sentence);
    let held: std::collections::BTreeSet<&str> = evidence
        .terms
        .iter()
        .filter(|term| inside(term.at) && keys.contains(term.key.as_str()))
        .map(|term| term.key.as_str())
        .collect();
    let fit = AlignmentFit { shared: held.len(), total: keys.len(), ..AlignmentFit::default() };
    near && fit.tight_words()
}

/// The frames of a text.
pub(super) fn frames(text: &AnalyzedText<'_>) -> Vec<SentenceFrame> {
    let words = &text.words;
    let mut found: Vec<SentenceFrame> = Vec::new();
    for (at, length, sort) in FORWARD_FRAMES.all(words) {
        let ordinary = form(words, at + length) == "or" || modal(words, at);
        if !ordinary {
            found.push(SentenceFrame {
                sort,
                words: at..at + length,
                scope: after(words, at + length),
            });
        }
    }
    for (at, length, sort) in BACKWARD_FRAMES.all(words) {
        let scope = before(words, at);
        if !modal(words, at) && !scope.is_empty() {
            found.push(SentenceFrame { sort, words: at..at + length, scope });
        }
    }
    found.extend(claims(words));
    found.extend(verbs(words));
    found.extend(struck(words));
    found.extend(drafts(text));
    found.truncate(MAX_FRAMES);
    found
}

/// `The claim that … is incorrect`, `the rumour that …`: a head, and its predicate.
fn claims(words: &[WordToken]) -> Vec<SentenceFrame> {
    let tails = ASSERTION_TAILS.all(words);
    let frame = |(at, length, sort): (usize, usize, FrameSort)| {
        let inside = at + length;
        let tail =
            tails.iter().find(|&&(tail, ..)| tail > inside && same_sentence(words, at, tail));
        match (tail, sort) {
            (Some(&(tail, length, sort)), _) => {
                Some(SentenceFrame { sort, words: tail..tail + length, scope: inside..tail })
            }
            (None, FrameSort::Reported) => {
                Some(SentenceFrame { sort, words: at..inside, scope: after(words, inside) })
            }
            (None, _) => None,
        }
    };
    ASSERTION_HEADS.all(words).into_iter().filter_map(frame).collect()
}

/// `rejected the proposal that`, `تنفي الشركة أن`, and `…; the Company refused.`
fn verbs(words: &[WordToken]) -> Vec<SentenceFrame> {
    let frame = |(at, length, sort): (usize, usize, FrameSort)| {
        if modal(words, at) {
            return None;
        }
        let end = at + length;
        let clause = words.iter().enumerate().skip(end).take_while(|(_, word)| !word.breaks());
        let mut rest = clause.take(MAX_OBJECT_REACH_WORDS);
        let ends = words.get(end).is_none_or(|word| word.is(".") || word.is(";") || word.is("؛"));
        if ends && sort == FrameSort::Rejected && !words.get(at).is_some_and(WordToken::arabic) {
            let subject = at.saturating_sub(MAX_SUBJECT_WORDS)..at;
            let joins = |at: &usize| [";", "but"].contains(&form(words, *at));
            let scope = before(words, subject.rev().find(joins)?);
            return (!scope.is_empty()).then_some(SentenceFrame { sort, words: at..end, scope });
        }
        // Without `that` the verb has a plain object, such as an offer, and frames no statement.
        let link = rest.find(|(_, word)| COMPLEMENTIZERS.contains(&word.form.as_str()))?;
        Some(SentenceFrame { sort, words: at..link.0 + 1, scope: after(words, link.0 + 1) })
    };
    FRAMING_VERBS.all(words).into_iter().filter_map(frame).collect()
}

/// `~~struck out~~`.
fn struck(words: &[WordToken]) -> Option<SentenceFrame> {
    let tildes = |at: usize| {
        let here = words.get(at).filter(|word| word.is("~"))?;
        let next = words.get(at + 1).filter(|word| word.is("~"))?;
        (here.span.end == next.span.start).then_some(at)
    };
    let mut places = (0..words.len()).filter_map(tildes);
    let first = places.next()?;
    // At least one word in between: `~~~~` strikes nothing out.
    let last = places.find(|&at| at > first + 2)?;
    Some(SentenceFrame { sort: FrameSort::Struck, words: first..first + 2, scope: first + 2..last })
}

/// `DRAFT, NOT IN FORCE:` and other marks in capitals at the head of a sentence.
fn drafts(text: &AnalyzedText<'_>) -> Vec<SentenceFrame> {
    let capitals = |at: usize| {
        text.words.get(at).and_then(|word| text.raw.get(word.span.clone())).is_some_and(|raw| {
            raw.chars().count() > 2 && raw.chars().all(|letter| letter.is_uppercase())
        })
    };
    let begins = |at: usize| {
        at.checked_sub(1).and_then(|before| text.words.get(before)).is_none_or(|word| {
            word.breaks() || matches!(word.kind, WordKind::Mark('[' | '(' | '#'))
        })
    };
    let marked = |(at, word): (usize, &WordToken)| {
        // In capitals only: a draft that someone prepares is no mark.
        let english = ["draft", "repealed", "withdrawn", "superseded"]
            .contains(&word.form.as_str())
            && capitals(at);
        let arabic = word.is("مسوده")
            && text.words.get(at + 1).is_some_and(|next| {
                next.breaks() || next.is(")") || next.is("غير") || next.is("للنقاش") || next.is("-")
            });
        if !(english || arabic) || !begins(at) {
            return None;
        }
        let label = text.words.iter().skip(at + 1).take(MAX_LABEL_WORDS).position(|word| {
            word.is(":")
                || word.is("]")
                || word.is(")")
                || word.is("-")
                || word.is("–")
                || word.is("—")
        });
        let end = at + 1 + label.map_or(0, |length| length + 1);
        let scope = end..sentence_end(&text.words, end);
        Some(SentenceFrame { sort: FrameSort::Draft, words: at..end, scope })
    };
    text.words.iter().enumerate().filter_map(marked).collect()
}

fn form(words: &[WordToken], at: usize) -> &str {
    words.get(at).map_or("", |word| word.form.as_str())
}

/// Whether a frame is only possible: a thing that someone may reject is not rejected.
fn modal(words: &[WordToken], at: usize) -> bool {
    let before = words.get(at.saturating_sub(MAX_MODAL_REACH_WORDS)..at).unwrap_or_default();
    let clause = before.iter().rev().take_while(|word| !word.breaks());
    clause.into_iter().any(|word| MODAL_WORDS.find(&word.form).is_some())
}

fn same_sentence(words: &[WordToken], a: usize, b: usize) -> bool {
    let sentence = |at: usize| words.get(at).map(|word| word.sentence);
    sentence(a) == sentence(b)
}

/// The following words of the sentence, up to a contrast.
fn after(words: &[WordToken], at: usize) -> Range<usize> {
    let turns = |word: &WordToken| {
        word.is(";") || word.is("؛") || CONTRAST_WORDS.contains(&word.form.as_str())
    };
    let end = sentence_end(words, at);
    let rest = words.get(at..end).unwrap_or_default();
    at..rest.iter().position(turns).map_or(end, |length| at + length)
}

/// The preceding words of the sentence; or the sentence before, when this one begins with `This`.
fn before(words: &[WordToken], at: usize) -> Range<usize> {
    let sentence = |at: usize| words.get(at).map_or(0, |word| word.sentence);
    let here = sentence(at);
    let start = |number: usize| words.iter().position(|word| word.sentence == number).unwrap_or(0);
    let first = start(here);
    let points = BACK_REFERENCE_WORDS.contains(&form(words, first));
    if points && at.saturating_sub(first) <= MAX_SUBJECT_WORDS && first > 0 {
        return start(here.saturating_sub(1))..first;
    }
    first..at
}

fn sentence_end(words: &[WordToken], at: usize) -> usize {
    let Some(sentence) = words.get(at).map(|word| word.sentence) else { return at };
    let length = words.iter().skip(at).take_while(|word| word.sentence == sentence).count();
    at + length
}

/// How many frames of one text are read.
const MAX_FRAMES: usize = 16;

/// How many words before a frame may make it only possible.
const MAX_MODAL_REACH_WORDS: usize = 3;

/// How many words after a verb its object may end.
const MAX_OBJECT_REACH_WORDS: usize = 7;

/// How many words the subject of a verb may have.
const MAX_SUBJECT_WORDS: usize = 4;

/// How many words a mark such as `DRAFT, NOT IN FORCE` may have.
const MAX_LABEL_WORDS: usize = 6;

/// Words between a verb and the statement that it rejects.
const COMPLEMENTIZERS: &[&str] = &["that", "ان", "بان", "مفاده", "مفادها"];

/// Words that end a frame.
const CONTRAST_WORDS: &[&str] =
    &["but", "however", "instead", "rather", "بل", "لكن", "ولكن", "وانما", "انما"];

/// Words that begin a sentence about the one before it.
const BACK_REFERENCE_WORDS: &[&str] =
    &["this", "it", "that", "these", "they", "هذا", "هذه", "وهذا", "وقد", "ثم"];
