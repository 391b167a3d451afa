//! Verdicts: combines the matches of a claim.

use std::cmp::Reverse;

use dalil_phrasebook::{Phrase, ledger};
use dalil_proof::score::Score;
use serde::Serialize;

pub use self::conflict::ConflictRuling;
use self::conflict::PrevailingDocuments;
use super::request::matching::ClaimMatch;

mod conflict;
#[cfg(test)]
mod tests;

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The evidence states it.
    Supported,
    /// The evidence supports it in part.
    Weak,
    /// The evidence contradicts it.
    Contradicted,
    /// There is no evidence.
    NotFound,
}

impl Verdict {
    /// Every verdict, in the order they are shown.
    pub const ALL: [Self; 4] = [Self::Supported, Self::Weak, Self::Contradicted, Self::NotFound];

    /// The words a person reads.
    pub const fn label(self) -> Phrase {
        match self {
            Self::Supported => ledger::verdict_supported(),
            Self::Weak => ledger::verdict_weak(),
            Self::Contradicted => ledger::verdict_contradicted(),
            Self::NotFound => ledger::verdict_not_found(),
        }
    }

    /// The sign beside the words.
    pub const fn sign(self) -> char {
        match self {
            Self::Supported => '✓',
            Self::Weak => '?',
            Self::Contradicted => '✗',
            Self::NotFound => '○',
        }
    }

    /// Whether passages of a stance are its basis.
    const fn rests_on(self, stance: Stance) -> bool {
        match self {
            Self::Supported => stance.is_for(),
            Self::Weak => !matches!(stance, Stance::Contradicts),
            Self::Contradicted => matches!(stance, Stance::Contradicts),
            Self::NotFound => false,
        }
    }
}

/// How strongly a chunk supports a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SupportLevel {
    /// Not at all.
    None,
    /// In part.
    Partial,
    /// Fully.
    Full,
}

impl SupportLevel {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 3] =
        [("full", Self::Full), ("partial", Self::Partial), ("none", Self::None)];
}

/// A passage's stance on a claim, as far as a person can check it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// It states the claim.
    Supports,
    /// It states the claim in part.
    SupportsInPart,
    /// It cannot be true together with the claim, and the words are named.
    Contradicts,
    /// A judge finds a contradiction, but no words show it.
    MayConflict,
}

impl Stance {
    /// The published words.
    pub const WIRE_NAMES: [(&'static str, Self); 4] = [
        ("supports", Self::Supports),
        ("supports_in_part", Self::SupportsInPart),
        ("contradicts", Self::Contradicts),
        ("may_conflict", Self::MayConflict),
    ];

    /// The words a person reads.
    pub const fn label(self) -> Phrase {
        match self {
            Self::Supports => ledger::stance_supports(),
            Self::SupportsInPart => ledger::stance_supports_in_part(),
            Self::Contradicts => ledger::stance_contradicts(),
            Self::MayConflict => ledger::stance_may_conflict(),
        }
    }

    /// Whether it speaks for the claim.
    pub const fn is_for(self) -> bool {
        matches!(self, Self::Supports | Self::SupportsInPart)
    }

    fn of(one: &ClaimMatch, floor: Score) -> Option<Self> {
        let seen = one.hidden.is_none();
        let enough = one.similarity >= floor;
        // A false accusation is the worst error. Without words that cannot both be
        // true, or with hidden words, a contradiction only may conflict.
        match (one.contradicts, one.support) {
            (true, _) if seen && one.reason.is_some() => Some(Self::Contradicts),
            (true, _) => enough.then_some(Self::MayConflict),
            (false, SupportLevel::Full) if seen && one.similarity > supported() => {
                Some(Self::Supports)
            }
            (false, SupportLevel::Full | SupportLevel::Partial) => {
                enough.then_some(Self::SupportsInPart)
            }
            (false, SupportLevel::None) => None,
        }
    }
}

/// A match with a stance on the claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelevantMatch<'m> {
    /// The match.
    pub found: &'m ClaimMatch,
    /// Its stance.
    pub stance: Stance,
}

impl<'m> RelevantMatch<'m> {
    /// A passage of a document that counts where documents disagree.
    fn takes_a_side(&self) -> bool {
        self.stance == Stance::Contradicts || (self.stance.is_for() && self.found.hidden.is_none())
    }

    fn document(&self) -> &'m str {
        &self.found.document.id
    }
}

/// A verdict, how sure it is, and the matches it rests on, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct VerdictAssignment<'m> {
    /// The verdict.
    pub verdict: Verdict,
    /// How sure it is.
    pub confidence: Score,
    /// The basis of the verdict.
    pub evidence: Vec<&'m ClaimMatch>,
    /// All evidence about the claim: first the basis of the verdict.
    pub passages: Vec<RelevantMatch<'m>>,
    /// How the verdict was found, where one document supports what another contradicts.
    pub conflict: Option<ConflictRuling>,
}

/// Assigns the verdict that follows from matches, in whatever order they come. A match less
/// similar than `floor` neither supports in part nor may conflict.
pub fn assign(matches: &[ClaimMatch], floor: Score) -> VerdictAssignment<'_> {
    let all = best_first(matches, floor);
    let prevailing = PrevailingDocuments::among(&all);
    let heard: Vec<RelevantMatch<'_>> =
        all.iter().filter(|one| prevailing.include(one)).copied().collect();
    // One contradiction in the documents that count decides, however many passages support.
    let against = heard.iter().find(|one| one.stance == Stance::Contradicts);
    let (verdict, confidence) = match (against, heard.first()) {
        (Some(best), _) => (Verdict::Contradicted, best.found.similarity),
        (None, None) => (Verdict::NotFound, Score::ZERO),
        (None, Some(best)) if best.stance == Stance::Supports => {
            (Verdict::Supported, best.found.similarity)
        }
        (None, Some(best)) => {
            (Verdict::Weak, best.found.similarity.scaled(WEAK_CONFIDENCE_PERCENT))
        }
    };
    // Hidden text is the basis of a verdict only where there is nothing else.
    let is_blind = heard.first().is_some_and(|best| best.found.hidden.is_some());
    let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| {
        let counts = is_blind || one.found.hidden.is_none();
        counts && prevailing.include(one) && verdict.rests_on(one.stance)
    });
    let evidence = own.iter().map(|one| one.found).collect();
    let passages = own.into_iter().chain(others).collect();
    VerdictAssignment { verdict, confidence, evidence, passages, conflict: prevailing.ruling }
}

/// Visible text first, then the most similar; of equals the fuller support, then the one
/// given first.
fn best_first(matches: &[ClaimMatch], floor: Score) -> Vec<RelevantMatch<'_>> {
    let telling = |found| Stance::of(found, floor).map(|stance| RelevantMatch { found, stance });
    let mut sorted: Vec<RelevantMatch<'_>> = matches.iter().filter_map(telling).collect();
    // Stable, so that of equals the first given is listed first.
    sorted.sort_by_key(|one| {
        let support = if one.stance.is_for() { one.found.support } else { SupportLevel::None };
        Reverse((one.found.hidden.is_none(), one.found.similarity, support))
    });
    sorted
}

/// A full match must be more similar than this to support a claim.
fn supported() -> Score {
    Score::from_units(8_500).unwrap_or(Score::ONE)
}

/// The least similarity of a match that makes a claim weak, unless the request has another.
///
/// From the contract, §4.1: weak is 0.5 to 0.8. Without a floor, similar words about something else
/// were weak at 0.2.
pub fn min_weak_similarity() -> Score {
    Score::from_units(MIN_WEAK_SIMILARITY_UNITS).unwrap_or(Score::ONE)
}

/// 0.5 in ten-thousandths.
const MIN_WEAK_SIMILARITY_UNITS: u16 = 5_000;
/// The share of its similarity that a weak match keeps.
const WEAK_CONFIDENCE_PERCENT: u16 = 80;
