//! Verdicts: what the matches of a claim add up to.

use std::cmp::Reverse;

use serde::Serialize;

use super::request::{Language, Match};
use crate::score::Score;

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The evidence states it.
    Supported,
    /// The evidence supports it in part.
    Weak,
    /// The evidence says otherwise.
    Contradicted,
    /// There is no evidence.
    NotFound,
}

impl Verdict {
    /// Every verdict, in the order they are shown.
    pub const ALL: [Self; 4] = [Self::Supported, Self::Weak, Self::Contradicted, Self::NotFound];

    /// The words a person reads.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Supported => "Supported",
            Self::Weak => "Weak",
            Self::Contradicted => "Contradicted",
            Self::NotFound => "Not Found",
        }
    }

    /// The words a person reads, in a language.
    pub const fn label_in(self, language: Language) -> &'static str {
        let arabic = match self {
            Self::Supported => "مؤيَّد",
            Self::Weak => "ضعيف",
            Self::Contradicted => "مناقَض",
            Self::NotFound => "غير موجود",
        };
        language.pick(self.label(), arabic)
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
}

/// How far a chunk supports a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Support {
    /// Not at all.
    None,
    /// In part.
    Partial,
    /// Fully.
    Full,
}

impl Support {
    /// The published words.
    pub const WORDS: [(&'static str, Self); 3] =
        [("full", Self::Full), ("partial", Self::Partial), ("none", Self::None)];
}

/// A verdict, how sure it is, and the matches it rests on, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment<'m> {
    /// The verdict.
    pub verdict: Verdict,
    /// How sure it is.
    pub confidence: Score,
    /// What it rests on.
    pub evidence: Vec<&'m Match>,
}

/// Assigns the verdict that follows from matches, in whatever order they come.
pub fn assign(matches: &[Match]) -> Assignment<'_> {
    let against = best_first(matches.iter().filter(|one| one.contradicts));
    if let Some(best) = against.first() {
        let confidence = best.similarity;
        return Assignment { verdict: Verdict::Contradicted, confidence, evidence: against };
    }
    let evidence = best_first(matches.iter().filter(|one| one.support != Support::None));
    let (verdict, confidence) = match evidence.first() {
        None => (Verdict::NotFound, Score::ZERO),
        Some(best) if best.support == Support::Full && best.similarity > supported() => {
            (Verdict::Supported, best.similarity)
        }
        Some(best) => (Verdict::Weak, best.similarity.scaled(WEAK_PERCENT)),
    };
    Assignment { verdict, confidence, evidence }
}

/// The most similar first; of equals the fuller support, then the one given first.
fn best_first<'m>(matches: impl Iterator<Item = &'m Match>) -> Vec<&'m Match> {
    let mut sorted: Vec<&Match> = matches.collect();
    sorted.sort_by_key(|one| Reverse((one.similarity, one.support)));
    sorted
}

/// A full match must be more similar than this to support a claim.
fn supported() -> Score {
    Score::from_units(8_500).unwrap_or(Score::ONE)
}

/// What a weak match keeps of its similarity.
const WEAK_PERCENT: u16 = 80;
