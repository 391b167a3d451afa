//! Quantifiers: all, most, half, some, few, none; كل، معظم، نصف، بعض، لا أحد.

use std::ops::Range;
use std::sync::LazyLock;

use super::finding::{RuleFinding, RuleKind, RuleOutcome};
use super::text::{AlignmentFit, AnalyzedText};
use super::word::{PhraseTable, WordToken};

/// Compares the quantifiers of the claim with those of a sentence of the evidence.
pub(super) fn findings(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    sentence: usize,
    fit: AlignmentFit,
) -> Vec<RuleFinding> {
    if !fit.tight() {
        return Vec::new();
    }
    let mut found = quantified(evidence);
    found.retain(|found| evidence.sentence(found.at) == sentence);
    let find = |said: QuantifiedNoun| {
        let span = claim.span(said.at..said.at + said.length);
        let base = RuleFinding::new(RuleKind::Quantifier, RuleOutcome::Missing, claim, span);
        let same = |other: &&QuantifiedNoun| other.keys.iter().any(|key| said.keys.contains(key));
        if let Some(other) = found.iter().find(same) {
            let outcome = relation(said.share, other.share)?;
            let place = evidence.span(other.at..other.at + other.length);
            return Some(base.met(outcome, evidence, place));
        }
        let narrowed = narrowing(claim, evidence, &said, sentence)?;
        // Only `all` is too wide where the evidence speaks of some kind of them.
        (said.share == QuantifierShare::All)
            .then(|| base.met(RuleOutcome::Wider, evidence, narrowed))
    };
    quantified(claim).into_iter().filter_map(find).collect()
}

struct QuantifiedNoun {
    at: usize,
    length: usize,
    share: QuantifierShare,
    /// The terms that it may count: an adjective and its noun.
    keys: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuantifierShare {
    All,
    NotAll,
    Most,
    Half,
    Some,
    Few,
    None,
    /// Part of another phrase.
    Open,
}

fn relation(claim: QuantifierShare, evidence: QuantifierShare) -> Option<RuleOutcome> {
    use QuantifierShare::{All, Few, Half, Most, NotAll, Open};
    match (claim, evidence) {
        (a, b) if a == b => Some(RuleOutcome::Agrees),
        (Open, _) | (_, Open) => None,
        (QuantifierShare::Some, All | Most | Half | Few) => Some(RuleOutcome::Agrees),
        (Most, All) => Some(RuleOutcome::Narrower),
        (All | Most | Half | Few, QuantifierShare::Some) => Some(RuleOutcome::Wider),
        // `not all` leaves open whether some or none are.
        (QuantifierShare::None, NotAll)
        | (NotAll, QuantifierShare::None | Most | Half | QuantifierShare::Some | Few) => None,
        (Most | Half | QuantifierShare::Some | Few, NotAll) => None,
        (QuantifierShare::None, _) | (_, QuantifierShare::None) | (All, _) | (_, All) => {
            Some(RuleOutcome::Conflicts)
        }
        (Most | Half | Few, Most | Half | Few) => Some(RuleOutcome::Conflicts),
        (NotAll, NotAll) | (QuantifierShare::Some, QuantifierShare::Some) => {
            Some(RuleOutcome::Agrees)
        }
    }
}

fn quantified(text: &AnalyzedText<'_>) -> Vec<QuantifiedNoun> {
    let shares = QUANTIFIER_PHRASES.all(&text.words);
    let starts: Vec<usize> = shares.iter().map(|&(at, ..)| at).collect();
    let each = |(at, length, share): (usize, usize, QuantifierShare)| {
        let after = at + length;
        let first = text
            .terms
            .iter()
            .find(|term| term.at >= after && term.at <= after + MAX_NOUN_REACH_WORDS)?;
        let broken = text.words.get(at..first.at)?.iter().any(WordToken::breaks);
        // "half of each team" counts parts of a team, not teams.
        let nested = starts.iter().any(|start| (after..first.at).contains(start));
        let beside = text.terms.iter().filter(|term| (first.at..=first.at + 1).contains(&term.at));
        let keys = beside.map(|term| term.key.clone()).collect();
        (!broken && !nested && share != QuantifierShare::Open).then_some(QuantifiedNoun {
            at,
            length,
            share,
            keys,
        })
    };
    shares.into_iter().filter_map(each).collect()
}

/// The word that limits the noun in the evidence and is not in the claim: `permanent employees`.
fn narrowing(
    claim: &AnalyzedText<'_>,
    evidence: &AnalyzedText<'_>,
    said: &QuantifiedNoun,
    sentence: usize,
) -> Option<Range<usize>> {
    let known = claim.keys();
    let key = said.keys.first()?;
    let here = |at: usize| evidence.sentence(at) == sentence;
    let noun = evidence.terms.iter().find(|term| &term.key == key && here(term.at))?;
    let word = evidence.words.get(noun.at)?;
    // An adjective follows its noun in Arabic and comes before it in English.
    let beside = if word.arabic() { noun.at + 1 } else { noun.at.checked_sub(1)? };
    let modifier = evidence.terms.iter().find(|term| term.at == beside)?;
    let adjective = if word.arabic() {
        evidence.words.get(beside)?.form.starts_with("ال")
    } else {
        word.form.ends_with('s') || word.is("staff")
    };
    let narrows = adjective && !known.contains(modifier.key.as_str());
    narrows.then(|| evidence.span(beside.min(noun.at)..beside.max(noun.at) + 1))
}

/// How many words after a quantifier its noun may begin.
const MAX_NOUN_REACH_WORDS: usize = 3;

static QUANTIFIER_PHRASES: LazyLock<PhraseTable<QuantifierShare>> = LazyLock::new(|| {
    PhraseTable::of(&[
        (
            "all|every|each|all of|entire|any|both|كل|جميع|كافة|سائر|لكل|لجميع|بجميع|عموم",
            QuantifierShare::All,
        ),
        ("not all|not every|ليس كل|ليس جميع|ليست كل|ليست جميع", QuantifierShare::NotAll),
        (
            "most|most of|the majority of|a majority of|majority of|معظم|أغلب|غالبية|لمعظم",
            QuantifierShare::Most,
        ),
        ("half|half of|نصف", QuantifierShare::Half),
        ("some|some of|several|certain|بعض|عدد من|عدة|لبعض", QuantifierShare::Some),
        ("few|few of|a minority of|hardly any|قليل من|أقلية", QuantifierShare::Few),
        ("no|none of|none|neither|not one of|nobody|لا أحد من|لا أحد", QuantifierShare::None),
        (
            "no later|no more|no less|no fewer|no longer|at all|all times|in no|جميع الأوقات",
            QuantifierShare::Open,
        ),
    ])
});
