//! Weighing: the model's probabilities and the rules' findings become one opinion.

use dalil_core::ledger::verdict::Support;
use dalil_core::score::Score;
use dalil_kernel::lane::exp;

use super::{Judgement, Opinion};
use crate::index::ln;
use crate::model::Logits;
use crate::rule::{Effect, Finding, Kind};

#[cfg(test)]
mod tests;

/// How probable it is that a window supports a claim, and that it contradicts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    support: f64,
    contradiction: f64,
    /// The most that the rules let it support.
    most: Support,
    /// Whether a rule found that it says otherwise.
    is_ruled: bool,
}

/// How the model's scores become probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Calibration {
    pub(super) support: Line,
    pub(super) contradiction: Line,
}

/// A line that log odds are moved along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) slope: f64,
    pub(super) bias: f64,
}

/// What the rules found in the sentence that tells most, and around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ruling<'f> {
    /// What the findings mean.
    pub(super) effect: Effect<'f>,
    /// Whether a value of the claim is in the evidence.
    pub(super) has_value: bool,
    /// The share of the claim's terms that the sentence holds.
    pub(super) overlap: f64,
    /// Whether claim and evidence are in one language.
    pub(super) is_one_language: bool,
}

impl Scale {
    /// What the model says.
    pub(super) fn of(logits: Logits, calibration: &Calibration) -> Self {
        let Logits([support, neutral, contradiction]) = logits;
        let odds = |one: f32, others: [f32; 2]| {
            let most = one.max(others[0]).max(others[1]);
            let raised = |value: f32| f64::from(exp(value - most));
            ln(raised(one) / (raised(others[0]) + raised(others[1])))
        };
        Self {
            support: calibration.support.at(odds(support, [neutral, contradiction])),
            contradiction: calibration.contradiction.at(odds(contradiction, [support, neutral])),
            most: Support::Full,
            is_ruled: false,
        }
    }

    /// The same, after what the rules found.
    pub(super) fn ruled(self, ruling: Ruling<'_>) -> Self {
        let ruled = match ruling.effect {
            Effect::Contradicts(finding) if self.yields_to(finding, ruling.overlap) => Self {
                support: self.support.min(1.0 - RULED),
                contradiction: self.contradiction.max(RULED),
                most: Support::None,
                is_ruled: true,
            },
            Effect::Contradicts(_) => self.at_most(WEAKENED),
            Effect::Withholds(_) => self.at_most(WITHHELD).not_against(),
            Effect::Weakens(_) if ruling.overlap >= PART => {
                let least = Self { support: self.support.max(FULL), ..self };
                least.at_most(WEAKENED).not_against()
            }
            Effect::Weakens(_) => self.at_most(WEAKENED),
            Effect::Confirms(_) if ruling.has_value && ruling.overlap >= MOST => {
                Self { support: self.support.max(RULED), ..self }.not_against()
            }
            Effect::Confirms(_) if ruling.has_value => self.not_against(),
            Effect::Confirms(_) | Effect::Silent => self,
        };
        if ruling.is_one_language { ruled } else { ruled.abroad() }
    }

    /// Whether the model gives way to a rule that found a conflict: to values and to modality
    /// where the sentence is about the same, to other words only when it is not sure itself.
    fn yields_to(&self, finding: &Finding, overlap: f64) -> bool {
        match finding.kind {
            Kind::Negation | Kind::Quantifier | Kind::Name | Kind::Condition => {
                self.support < SURE && overlap >= PART
            }
            _ => overlap >= PART,
        }
    }

    /// The evidence supports the claim in part, with no more than so much probability.
    fn at_most(self, most: f64) -> Self {
        Self { support: self.support.min(most), most: self.most.min(Support::Partial), ..self }
    }

    /// The evidence does not say otherwise.
    fn not_against(self) -> Self {
        Self { contradiction: self.contradiction.min(NOT_AGAINST), ..self }
    }

    /// Across languages the model tells names apart badly: no more than a part.
    fn abroad(self) -> Self {
        let abroad = self.at_most(WEAKENED);
        if self.is_ruled { abroad } else { abroad.not_against() }
    }

    pub(super) fn judgement(&self) -> Judgement {
        let contradicts = self.contradiction > AGAINST && self.contradiction > self.support;
        let level = if contradicts || self.support < PARTIAL {
            Support::None
        } else if self.support < FULL {
            Support::Partial.min(self.most)
        } else {
            self.most
        };
        Judgement {
            support: score(self.support),
            contradiction: score(self.contradiction),
            level,
            contradicts,
            is_ruled: self.is_ruled,
        }
    }
}

impl Line {
    /// The probability at some log odds.
    fn at(self, odds: f64) -> f64 {
        let moved = (self.slope * odds + self.bias).clamp(-30.0, 30.0);
        #[expect(clippy::cast_possible_truncation, reason = "within ±30")]
        let moved = moved as f32;
        1.0 / (1.0 + f64::from(exp(-moved)))
    }
}

/// The opinions about a claim of several sentences: those about the sentence that holds least.
pub(super) fn together(parts: Vec<Vec<Opinion>>) -> Vec<Opinion> {
    let holds = |opinions: &[Opinion]| {
        let against = opinions.iter().any(|one| one.judgement.contradicts);
        let best = opinions.iter().map(|one| one.judgement.support).max().unwrap_or_default();
        (!against, best)
    };
    let settled = parts.into_iter().map(settled);
    settled.min_by_key(|opinions| holds(opinions)).unwrap_or_default()
}

/// The opinions about one sentence, the most telling first, one of each chunk.
///
/// A document that supports the sentence better than another window of it contradicts it does not
/// contradict it, unless a rule says so.
fn settled(mut opinions: Vec<Opinion>) -> Vec<Opinion> {
    let best = |opinions: &[Opinion], source: usize| {
        let same = opinions.iter().filter(|one| one.place.source == source);
        same.map(|one| one.judgement.support).max().unwrap_or_default()
    };
    let supported: Vec<Score> =
        opinions.iter().map(|one| best(&opinions, one.place.source)).collect();
    for (opinion, support) in opinions.iter_mut().zip(supported) {
        let judgement = &mut opinion.judgement;
        judgement.contradicts &= judgement.is_ruled || judgement.contradiction > support;
    }
    opinions.sort_by_key(|one| std::cmp::Reverse((one.judgement.contradicts, one.similarity())));
    let mut kept: Vec<Opinion> = Vec::new();
    for opinion in opinions {
        if !kept.iter().any(|one| one.place == opinion.place) {
            kept.push(opinion);
        }
    }
    kept
}

fn score(probability: f64) -> Score {
    Score::new(probability.clamp(0.0, 1.0)).unwrap_or_default()
}

/// From here on a window supports a claim.
const FULL: f64 = 0.5;
/// From here on it supports it in part.
const PARTIAL: f64 = 0.25;
/// From here on it says otherwise.
const AGAINST: f64 = 0.5;
/// What is left of contradiction when there is none.
const NOT_AGAINST: f64 = 0.4;
/// A sentence that holds such a share of a claim speaks about it.
const PART: f64 = 0.4;
/// A sentence that holds such a share of a claim speaks about nothing else.
const MOST: f64 = 0.5;
/// How sure a rule is.
const RULED: f64 = 0.9;
/// A model that is so sure does not give way to a rule about words.
const SURE: f64 = 0.8;
/// What is left of support when the evidence does not hold a value that the claim states.
const WITHHELD: f64 = 0.4;
/// What is left of support when the evidence supports the claim in part.
const WEAKENED: f64 = 0.8;
