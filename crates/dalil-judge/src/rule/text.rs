//! A text as the rules read it: words, quantities, and terms with their polarity.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::negation::{self, NegationState};
use super::quantity::{Quantity, quantities};
use super::stem;
use super::word::{WordToken, words};

/// A claim or a piece of evidence, read.
#[derive(Debug)]
pub(super) struct AnalyzedText<'a> {
    pub(super) raw: &'a str,
    pub(super) words: Vec<WordToken>,
    pub(super) quantities: Vec<Quantity>,
    pub(super) terms: Vec<ContentWord>,
    /// The clause each word is in, from 0.
    pub(super) clauses: Vec<usize>,
}

/// A word that carries meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContentWord {
    /// The word.
    pub(super) at: usize,
    /// The key that it and its opposite share.
    pub(super) key: String,
    /// Whether it is affirmed: neither denied nor the opposite of its key, or both.
    pub(super) affirmed: bool,
    /// Whether it is in reach of a negation.
    pub(super) denied: bool,
    /// Whether it is denied but for an exception, and so neither affirmed nor denied.
    pub(super) open: bool,
}

impl ContentWord {
    /// Whether the word is the key's own and not its opposite.
    fn plain(&self) -> bool {
        self.affirmed != self.denied
    }
}

impl<'a> AnalyzedText<'a> {
    pub(super) fn of(raw: &'a str) -> Self {
        let words = words(raw);
        let quantities = quantities(&words);
        // Words of a quantity are compared as a value and are no terms.
        let mut taken = vec![false; words.len()];
        for quantity in &quantities {
            for slot in taken.get_mut(quantity.words.clone()).unwrap_or_default() {
                *slot = true;
            }
        }
        let terms = terms(&words, &taken, &negation::denials(&words));
        let clauses = clauses(&words);
        Self { raw, words, quantities, terms, clauses }
    }

    /// The bytes of a range of words.
    pub(super) fn span(&self, range: Range<usize>) -> Range<usize> {
        let words = self.words.get(range).unwrap_or_default();
        match (words.first(), words.last()) {
            (Some(first), Some(last)) => first.span.start..last.span.end,
            _ => 0..0,
        }
    }

    pub(super) fn keys(&self) -> BTreeSet<&str> {
        self.terms.iter().map(|term| term.key.as_str()).collect()
    }

    pub(super) fn sentence(&self, at: usize) -> usize {
        self.words.get(at).map_or(0, |word| word.sentence)
    }

    /// The number of the clause of a word; before and after all of them, the first.
    pub(super) fn clause(&self, at: usize) -> usize {
        self.clauses.get(at).map_or(0, |clause| *clause)
    }

    pub(super) fn arabic(&self) -> bool {
        let arabic = self.words.iter().filter(|word| word.letters() && word.arabic()).count();
        arabic * 2 > self.words.iter().filter(|word| word.letters()).count()
    }
}

fn terms(words: &[WordToken], taken: &[bool], denials: &[NegationState]) -> Vec<ContentWord> {
    let term = |(at, word): (usize, &WordToken)| {
        if taken.get(at) == Some(&true) {
            return None;
        }
        let key = stem::key(word)?;
        let (root, positive) = stem::signed(&key);
        let denial = denials.get(at);
        let denied = denial == Some(&NegationState::Whole);
        Some(ContentWord {
            at,
            key: root.to_owned(),
            affirmed: positive != denied,
            denied,
            open: denial == Some(&NegationState::Excepted),
        })
    };
    words.iter().enumerate().filter_map(term).collect()
}

fn clauses(words: &[WordToken]) -> Vec<usize> {
    let mut clause = 0;
    let number = |word: &WordToken| {
        clause += usize::from(word.breaks() || joins(word));
        clause
    };
    words.iter().map(number).collect()
}

/// A word that joins two clauses; in Arabic `و` before a verb.
fn joins(word: &WordToken) -> bool {
    let verb = ["وي", "وت", "فت", "في"].iter().any(|start| word.form.starts_with(start));
    CLAUSE_CONJUNCTIONS.contains(&word.form.as_str()) || (verb && word.form.chars().count() > 4)
}

/// Which words of the evidence have the role of a word of the claim.
#[derive(Debug)]
pub(super) struct RoleAlignment<'a> {
    claim: &'a AnalyzedText<'a>,
    evidence: &'a AnalyzedText<'a>,
    /// The places of each key, and whether it is there as itself or as its opposite.
    places: BTreeMap<&'a str, Vec<(usize, bool)>>,
    total: usize,
}

/// How well two places fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AlignmentFit {
    /// The weight of the terms that both have near.
    pub(super) weight: u32,
    /// How many terms of the claim the evidence has in reach.
    pub(super) shared: usize,
    /// How many terms the claim has.
    pub(super) total: usize,
    /// How many terms the sentence of the evidence has, where one was chosen.
    pub(super) around: usize,
}

impl AlignmentFit {
    /// Whether the evidence speaks of the same thing, so that a difference is a conflict.
    pub(super) fn close(self) -> bool {
        self.shared * 100 >= self.total * MIN_CLOSE_SHARED_PERCENT && self.shared > 0
    }

    /// Whether the evidence has nearly every term of the claim in reach.
    pub(super) fn whole(self) -> bool {
        self.shared * 100 >= self.total * MIN_WHOLE_SHARED_PERCENT && self.shared > 0
    }

    /// Whether most of the claim's terms are shared, however long the evidence is.
    pub(super) fn tight_words(self) -> bool {
        self.shared * 100 >= self.total * MIN_TIGHT_SHARED_PERCENT && self.shared > 0
    }

    /// Whether the evidence has three in four of the claim's terms, and few of its own: so that a
    /// difference is of the same thing in the same role.
    pub(super) fn sharp(self) -> bool {
        self.shared * 100 >= self.total * MIN_SHARP_SHARED_PERCENT
            && self.shared > 0
            && self.around <= 2 * self.total + 3
    }

    /// Whether the evidence has nine in ten of the claim's terms and hardly any other: so that
    /// nothing but a small word differs.
    pub(super) fn mirrors(self) -> bool {
        self.shared * 100 >= self.total * MIN_MIRRORED_SHARED_PERCENT
            && self.shared > 0
            && self.around <= self.total + 2
    }

    /// Whether the evidence has nearly the same words and not much else.
    ///
    /// A denial or a duty in a sentence of other words, or in a long one, may be another's.
    pub(super) fn tight(self) -> bool {
        self.tight_words() && self.around <= 3 * self.total + 8
    }
}

impl<'a> RoleAlignment<'a> {
    pub(super) fn of(claim: &'a AnalyzedText<'a>, evidence: &'a AnalyzedText<'a>) -> Self {
        let mut places: BTreeMap<&str, Vec<(usize, bool)>> = BTreeMap::new();
        for term in &evidence.terms {
            let places = places.entry(&term.key).or_default();
            if places.len() < MAX_PLACES_PER_TERM {
                places.push((term.at, term.plain()));
            }
        }
        Self { claim, evidence, places, total: claim.keys().len() }
    }

    /// How well a word of the claim and a word of the evidence fit by the terms around them.
    pub(super) fn fit(&self, claim: usize, evidence: usize) -> AlignmentFit {
        let mut best: BTreeMap<&str, u32> = BTreeMap::new();
        let here = self.evidence.sentence(evidence);
        for term in self.claim.terms.iter().take(MAX_TERMS) {
            let Some(places) = self.places.get(term.key.as_str()) else { continue };
            let near = |&&(at, _): &&(usize, bool)| {
                let sentence = self.evidence.sentence(at);
                // The sentence before may name the subject that this one leaves out.
                sentence == here || sentence + 1 == here
            };
            // A term on the other side of its value is likely another value's.
            let turned = |at: usize| (term.at < claim) != (at < evidence);
            let far = |&(at, plain): &(usize, bool)| {
                let turned = if turned(at) { OTHER_SIDE_PENALTY_WORDS } else { 0 };
                let opposite = if plain == term.plain() { 0 } else { OPPOSITE_PENALTY_WORDS };
                distance(self.evidence, at, evidence) + turned + opposite
            };
            let Some(reach) = places.iter().filter(near).map(far).min() else { continue };
            // A product: a term must be near in both texts to count.
            let weight = nearness(distance(self.claim, term.at, claim)) * nearness(reach) / 64;
            let slot = best.entry(&term.key).or_default();
            *slot = weight.max(*slot);
        }
        AlignmentFit {
            weight: best.values().sum(),
            shared: best.len(),
            total: self.total,
            around: 0,
        }
    }

    /// The sentence of the evidence that has most of the claim's terms, and how they fit.
    pub(super) fn focus(&self) -> (usize, AlignmentFit) {
        let mut shared: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        let keys = self.claim.keys();
        for term in self.evidence.terms.iter().filter(|term| keys.contains(term.key.as_str())) {
            shared.entry(self.evidence.sentence(term.at)).or_default().insert(&term.key);
        }
        let most = shared
            .iter()
            .max_by_key(|(sentence, keys)| (keys.len(), std::cmp::Reverse(**sentence)));
        let (sentence, count) = most.map_or((0, 0), |(sentence, keys)| (*sentence, keys.len()));
        let here = |term: &&ContentWord| self.evidence.sentence(term.at) == sentence;
        let around = self.evidence.terms.iter().filter(here).count();
        (sentence, AlignmentFit { weight: 0, shared: count, total: self.total, around })
    }
}

/// Words between two places, with the ends of clauses and sentences counted as more.
fn distance(text: &AnalyzedText<'_>, a: usize, b: usize) -> usize {
    let sentences = text.sentence(a).abs_diff(text.sentence(b));
    a.abs_diff(b) + 4 * text.clause(a).abs_diff(text.clause(b)) + 12 * sentences
}

/// From 64 for the same place, falling with the distance.
fn nearness(distance: usize) -> u32 {
    u32::try_from(distance).map_or(0, |distance| 64 * 3 / (3 + distance.min(1000)))
}

/// How many terms of a claim are looked for around its values.
pub(super) const MAX_TERMS: usize = 256;

/// How many places of one term are looked at.
pub(super) const MAX_PLACES_PER_TERM: usize = 32;

/// How much further a term is on the other side.
const OTHER_SIDE_PENALTY_WORDS: usize = 3;

/// How much further an opposite is than the word itself.
const OPPOSITE_PENALTY_WORDS: usize = 6;

const CLAUSE_CONJUNCTIONS: &[&str] = &["and", "but", "while", "whereas", "بينما", "لكن", "ولكن"];

/// How many in a hundred of the claim's terms the evidence must share to speak of the same thing.
const MIN_CLOSE_SHARED_PERCENT: usize = 55;

/// How many it must share to have nearly every term.
const MIN_WHOLE_SHARED_PERCENT: usize = 80;

/// How many it must share to say nearly the same words.
const MIN_TIGHT_SHARED_PERCENT: usize = 65;

/// How many it must share for a difference to decide.
const MIN_SHARP_SHARED_PERCENT: usize = 75;

/// How many it must share for a small word to decide.
const MIN_MIRRORED_SHARED_PERCENT: usize = 90;
