//! Polarity: statements that one text affirms and the other denies, by negation or by an opposite.

use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::text::{
    AlignmentFit, AnalyzedText, ContentWord, MAX_PLACES_PER_TERM, MAX_TERMS, RoleAlignment,
};
use super::word::WordToken;

/// Where the claim affirms a term that a sentence of the evidence denies, or the other way round.
pub(super) fn findings(
    texts: [&AnalyzedText<'_>; 2],
    roles: &RoleAlignment<'_>,
    sentence: usize,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    let [claim, evidence] = texts;
    // One word in common is not yet a subject in common.
    if !fit.tight() || (fit.shared < 2 && fit.total > 1) {
        return Vec::new();
    }
    let pair = |term| Some((term, beside(term, evidence, roles, sentence)?));
    let pairs: Vec<(&ContentWord, &ContentWord)> = claim
        .terms
        .iter()
        .take(MAX_TERMS)
        .filter_map(pair)
        .filter(|(said, found)| !said.open && !found.open)
        .collect();
    let both = |text: &AnalyzedText<'_>, key: &str| {
        let signs = |affirmed| {
            text.terms
                .iter()
                .any(|term| term.key == key && term.affirmed == affirmed && !term.denied)
        };
        signs(true) && signs(false)
    };
    // "accept or reject" does not state which.
    let open = |key: &str| both(claim, key) && both(evidence, key);
    let agreed = pairs
        .iter()
        .find(|(said, found)| said.affirmed == found.affirmed && (said.denied || found.denied));
    let opposed = pairs.iter().find(|(said, found)| {
        said.affirmed != found.affirmed
            && !open(&said.key)
            && leads(claim, said)
            && leads(evidence, found)
    });
    // Agreement under a negation outweighs a word on which the two differ.
    let (outcome, pair) = match (agreed, opposed) {
        (None, Some(pair)) => (RuleOutcome::Conflicts, pair),
        (Some(pair), _) => (RuleOutcome::Agrees, pair),
        (None, None) => return Vec::new(),
    };
    let (said, found) = pair;
    let base = RuleFinding::new(RuleKind::Negation, outcome, claim, reach(claim, said));
    vec![base.met(outcome, evidence, reach(evidence, found))]
}

/// Whether a term is not denied, or is one of the first two that its negation reaches.
fn leads(text: &AnalyzedText<'_>, term: &ContentWord) -> bool {
    let before = text.terms.iter().rev().skip_while(|other| other.at >= term.at);
    let earlier = before.take_while(|other| other.denied && other.at + 4 > term.at).count();
    !term.denied || earlier < 2
}

/// The term of a sentence with the same key whose neighbours fit best.
fn beside<'a>(
    term: &ContentWord,
    evidence: &'a AnalyzedText<'_>,
    roles: &RoleAlignment<'_>,
    sentence: usize,
) -> Option<&'a ContentWord> {
    evidence
        .terms
        .iter()
        .filter(|other| other.key == term.key && evidence.sentence(other.at) == sentence)
        .take(MAX_PLACES_PER_TERM)
        .max_by_key(|other| (roles.fit(term.at, other.at).weight, std::cmp::Reverse(other.at)))
}

/// The words from a negation to the term it reaches, as far as they are near.
fn reach(text: &AnalyzedText<'_>, term: &ContentWord) -> std::ops::Range<usize> {
    let first = if term.affirmed { term.at } else { term.at.saturating_sub(2) };
    let start = (first..=term.at)
        .find(|&at| {
            let spoken = text.words.get(at).is_some_and(WordToken::letters);
            spoken && text.clauses.get(at) == text.clauses.get(term.at)
        })
        .unwrap_or(term.at);
    text.span(start..term.at + 1)
}
