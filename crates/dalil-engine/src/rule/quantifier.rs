//! Quantifiers: all, most, half, some, few, none; كل، معظم، نصف، بعض، لا أحد.

use std::ops::Range;
use std::sync::LazyLock;

use super::text::{Fit, Text};
use super::word::{Phrases, Word};
use super::{Finding, Kind, Outcome};

/// What the quantifiers of a sentence of the evidence say about those of the claim.
pub(super) fn findings(
    claim: &Text<'_>,
    evidence: &Text<'_>,
    sentence: usize,
    fit: Fit,
) -> Vec<Finding> {
    if !fit.tight() {
        return Vec::new();
    }
    let mut found = quantified(evidence);
    found.retain(|found| evidence.sentence(found.at) == sentence);
    let find = |said: Quantified| {
        let span = claim.span(said.at..said.at + said.length);
        let base = Finding::new(Kind::Quantifier, Outcome::Missing, claim, span);
        let same = |other: &&Quantified| other.keys.iter().any(|key| said.keys.contains(key));
        if let Some(other) = found.iter().find(same) {
            let outcome = relation(said.share, other.share)?;
            let place = evidence.span(other.at..other.at + other.length);
            return Some(base.met(outcome, evidence, place));
        }
        let narrowed = narrowing(claim, evidence, &said, sentence)?;
        (said.share == Share::All).then(|| base.met(Outcome::Wider, evidence, narrowed))
    };
    quantified(claim).into_iter().filter_map(find).collect()
}

struct Quantified {
    at: usize,
    length: usize,
    share: Share,
    /// The terms that may be what it counts: an adjective and its noun.
    keys: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Share {
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

fn relation(claim: Share, evidence: Share) -> Option<Outcome> {
    use Share::{All, Few, Half, Most, NotAll, Open};
    match (claim, evidence) {
        (a, b) if a == b => Some(Outcome::Agrees),
        (Open, _) | (_, Open) => None,
        (Share::Some, All | Most | Half | Few) => Some(Outcome::Agrees),
        (Most, All) => Some(Outcome::Narrower),
        (All | Most | Half | Few, Share::Some) => Some(Outcome::Wider),
        (Share::None, NotAll) | (NotAll, Share::None | Most | Half | Share::Some | Few) => None,
        (Most | Half | Share::Some | Few, NotAll) => None,
        (Share::None, _) | (_, Share::None) | (All, _) | (_, All) => Some(Outcome::Conflicts),
        (Most | Half | Few, Most | Half | Few) => Some(Outcome::Conflicts),
        (NotAll, NotAll) | (Share::Some, Share::Some) => Some(Outcome::Agrees),
    }
}

fn quantified(text: &Text<'_>) -> Vec<Quantified> {
    let shares = SHARES.all(&text.words);
    let starts: Vec<usize> = shares.iter().map(|&(at, ..)| at).collect();
    let each = |(at, length, share): (usize, usize, Share)| {
        let after = at + length;
        let first = text.terms.iter().find(|term| term.at >= after && term.at <= after + REACH)?;
        let broken = text.words.get(at..first.at)?.iter().any(Word::breaks);
        // "half of each team" counts parts of a team, not teams.
        let nested = starts.iter().any(|start| (after..first.at).contains(start));
        let beside = text.terms.iter().filter(|term| (first.at..=first.at + 1).contains(&term.at));
        let keys = beside.map(|term| term.key.clone()).collect();
        (!broken && !nested && share != Share::Open).then_some(Quantified {
            at,
            length,
            share,
            keys,
        })
    };
    shares.into_iter().filter_map(each).collect()
}

/// What limits the noun in the evidence and is not in the claim: `permanent employees`.
fn narrowing(
    claim: &Text<'_>,
    evidence: &Text<'_>,
    said: &Quantified,
    sentence: usize,
) -> Option<Range<usize>> {
    let known = claim.keys();
    let key = said.keys.first()?;
    let here = |at: usize| evidence.sentence(at) == sentence;
    let noun = evidence.terms.iter().find(|term| &term.key == key && here(term.at))?;
    let word = evidence.words.get(noun.at)?;
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
const REACH: usize = 3;

static SHARES: LazyLock<Phrases<Share>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "all|every|each|all of|entire|any|both|كل|جميع|كافة|سائر|لكل|لجميع|بجميع|عموم",
            Share::All,
        ),
        ("not all|not every|ليس كل|ليس جميع|ليست كل|ليست جميع", Share::NotAll),
        (
            "most|most of|the majority of|a majority of|majority of|معظم|أغلب|غالبية|لمعظم",
            Share::Most,
        ),
        ("half|half of|نصف", Share::Half),
        ("some|some of|several|certain|بعض|عدد من|عدة|لبعض", Share::Some),
        ("few|few of|a minority of|hardly any|قليل من|أقلية", Share::Few),
        ("no|none of|none|neither|not one of|nobody|لا أحد من|لا أحد", Share::None),
        (
            "no later|no more|no less|no fewer|no longer|at all|all times|in no|جميع الأوقات",
            Share::Open,
        ),
    ])
});
