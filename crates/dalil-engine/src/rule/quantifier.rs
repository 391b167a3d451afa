//! Quantifiers: all, most, half, some, few, none; كل، معظم، نصف، بعض، لا أحد.

use std::sync::LazyLock;

use super::text::{Fit, Text};
use super::word::Phrases;
use super::{Finding, Kind, Outcome};

/// What the quantifiers of a sentence of the evidence say about those of the claim.
pub(super) fn findings(
    claim: &Text<'_>,
    evidence: &Text<'_>,
    sentence: usize,
    fit: Fit,
) -> Vec<Finding> {
    if !fit.close() {
        return Vec::new();
    }
    let found: Vec<Quantified> = quantified(evidence)
        .into_iter()
        .filter(|found| evidence.sentence(found.at) == sentence)
        .collect();
    let find = |said: Quantified| {
        let base = Finding::new(
            Kind::Quantifier,
            Outcome::Missing,
            claim,
            claim.span(said.at..said.at + said.length),
        );
        if let Some(other) = found.iter().find(|other| other.key == said.key) {
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
    /// The term it counts.
    key: String,
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
}

fn relation(claim: Share, evidence: Share) -> Option<Outcome> {
    use Share::{All, Few, Half, Most, None, NotAll, Some};
    Option::Some(match (claim, evidence) {
        (a, b) if a == b => Outcome::Agrees,
        (Some, All | Most | Half | Few) => Outcome::Agrees,
        (Most | Half | Few, All) => {
            if claim == Most {
                Outcome::Narrower
            } else {
                Outcome::Conflicts
            }
        }
        (All, Some) => Outcome::Wider,
        (Most | Half, Some) | (Few, Some) => Outcome::Wider,
        (None, _) | (_, None) | (All, _) | (NotAll, All) => Outcome::Conflicts,
        (Most | Half, Few) | (Few, Most | Half) | (Most, Half) | (Half, Most) => Outcome::Conflicts,
        (NotAll, _) | (_, NotAll) => return Option::None,
        (Most | Half | Some | Few, _) => return Option::None,
    })
}

fn quantified(text: &Text<'_>) -> Vec<Quantified> {
    let each = |(at, length, share): (usize, usize, Share)| {
        let term = text
            .terms
            .iter()
            .find(|term| term.at >= at + length && term.at <= at + length + REACH)?;
        let broken = text.words.get(at..term.at)?.iter().any(super::word::Word::breaks);
        (!broken).then(|| Quantified { at, length, share, key: last_of_noun(text, term.at) })
    };
    SHARES.all(&text.words).into_iter().filter_map(each).collect()
}

/// The noun that a quantifier counts: in English the last of the terms that follow each other.
fn last_of_noun(text: &Text<'_>, first: usize) -> String {
    let arabic = text.words.get(first).is_some_and(super::word::Word::arabic);
    let mut key = String::new();
    let mut next = first;
    for term in text.terms.iter().filter(|term| term.at >= first) {
        if term.at != next || (arabic && term.at > first) || term.at > first + 1 {
            break;
        }
        key.clone_from(&term.key);
        next += 1;
    }
    key
}

/// What limits the noun in the evidence and is not in the claim: `permanent employees`.
fn narrowing(
    claim: &Text<'_>,
    evidence: &Text<'_>,
    said: &Quantified,
    sentence: usize,
) -> Option<std::ops::Range<usize>> {
    let keys = claim.keys();
    let arabic = evidence.arabic();
    let noun = evidence
        .terms
        .iter()
        .find(|term| term.key == said.key && evidence.sentence(term.at) == sentence)?;
    let beside = if arabic { noun.at + 1 } else { noun.at.checked_sub(1)? };
    let modifier = evidence.terms.iter().find(|term| term.at == beside)?;
    let adjective = !arabic || evidence.words.get(beside)?.form.starts_with("ال");
    let plural = arabic
        || evidence.words.get(noun.at)?.form.ends_with('s')
        || evidence.words.get(noun.at)?.is("staff");
    (adjective && plural && !keys.contains(modifier.key.as_str()))
        .then(|| evidence.span(beside.min(noun.at)..beside.max(noun.at) + 1))
}

const REACH: usize = 3;

static SHARES: LazyLock<Phrases<Share>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "all|every|each|all of|the whole|entire|any|both|كل|جميع|كافة|سائر|لكل|لجميع|بجميع|كلا|عموم",
            Share::All,
        ),
        ("not all|not every|not each|ليس كل|ليس جميع|ليست كل|ليست جميع", Share::NotAll),
        (
            "most|most of|the majority of|a majority of|majority of|معظم|أغلب|غالبية|أكثرية|لمعظم",
            Share::Most,
        ),
        ("half|half of|نصف", Share::Half),
        ("some|some of|several|certain|بعض|عدد من|عدة|لبعض|بعضا من", Share::Some),
        ("few|few of|a minority of|hardly any|قليل من|أقلية", Share::Few),
        ("no|none of|none|neither|not one of|nobody|لا أحد من|أي من|لا أحد", Share::None),
        (
            "no later|no more|no less|no fewer|no longer|some of the time|at all|all times",
            Share::Some,
        ),
    ])
});
