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

/// How much of a document a window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// Some sentences of it.
    Window,
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
    /// The larger of that share and of the share by rarity.
    pub(super) topic: f64,
    /// Whether claim and evidence are in one language.
    pub(super) is_one_language: bool,
}

impl Ruling<'_> {
    /// Whether agreement settles it: of a value in a sentence about the same, or of what must and
    /// may be, or how many, in a sentence of nearly the same words.
    fn confirms(&self, finding: &Finding, contradiction: f64) -> bool {
        let words = matches!(finding.kind, Kind::Modality | Kind::Quantifier);
        let in_words = words && self.overlap >= NEARLY_ALL && contradiction < SURELY;
        (self.has_value && self.overlap >= MOST) || in_words
    }
}

impl Scale {
    /// What the model says of a window: all of a document, or a part of it.
    pub(super) fn of(logits: Logits, calibration: &Calibration, part: Part) -> Self {
        let Logits([support, neutral, contradiction]) = logits;
        let moved = match part {
            Part::Whole => 0.0,
            Part::Window => WINDOWED,
        };
        let odds = |one: f32, others: [f32; 2]| {
            let most = one.max(others[0]).max(others[1]);
            let raised = |value: f32| f64::from(exp(value - most));
            ln(raised(one) / (raised(others[0]) + raised(others[1])))
        };
        Self {
            support: calibration.support.at(odds(support, [neutral, contradiction]), moved),
            contradiction: calibration
                .contradiction
                .at(odds(contradiction, [support, neutral]), 0.0),
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
            Effect::Withholds(_) => {
                let heard = self.support >= CONFIDENT && ruling.is_one_language;
                let most = if heard { WITHHELD } else { MISSING };
                let withheld = self.at_most(most);
                if self.contradiction < SURELY { withheld.not_against() } else { withheld }
            }
            Effect::Weakens(finding) if ruling.overlap >= PART && finding.kind != Kind::Name => {
                let least = Self { support: self.support.max(IN_PART), ..self };
                least.at_most(WEAKENED).not_against()
            }
            Effect::Weakens(_) => self.at_most(WEAKENED),
            Effect::Confirms(finding) if ruling.confirms(finding, self.contradiction) => {
                Self { support: self.support.max(RULED), ..self }.not_against()
            }
            Effect::Confirms(_) | Effect::Silent => self,
        };
        match (ruling.is_one_language, ruled.is_ruled) {
            (false, _) => ruled.abroad(),
            (true, false) if ruling.topic < TOPIC => ruled.not_against(),
            (true, _) => ruled,
        }
    }

    /// Whether the model gives way to a rule that found a conflict: to values and to modality
    /// where the sentence is about the same, to other words only when it is not sure itself.
    fn yields_to(&self, finding: &Finding, overlap: f64) -> bool {
        match finding.kind {
            Kind::Negation | Kind::Quantifier | Kind::Name | Kind::Condition => {
                self.support < SURE && overlap >= CONFLICT
            }
            _ => overlap >= CONFLICT,
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
        if self.is_ruled || self.contradiction >= CONFIDENT { abroad } else { abroad.not_against() }
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
    fn at(self, odds: f64, moved: f64) -> f64 {
        let moved = (self.slope * odds + self.bias + moved).clamp(-30.0, 30.0);
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
/// contradict it, unless a rule says so. Documents in the language of the claim are heard first:
/// where one of them tells, the others are not heard, and where none does, another language
/// contradicts only by rule. Where one sentence says the claim in its words, another one that
/// holds less of it speaks about something else.
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
    let stated = opinions.iter().any(|one| {
        one.is_direct && one.similarity() > said() && one.judgement.level == Support::Full
    });
    for opinion in opinions.iter_mut().filter(|one| stated && one.overlap < as_much()) {
        opinion.judgement.contradicts = false;
    }
    if opinions.iter().any(|one| !one.is_foreign) {
        let heard = opinions.iter().any(|one| !one.is_foreign && one.tells());
        opinions.retain(|one| !one.is_foreign || !heard);
        for foreign in opinions.iter_mut().filter(|one| one.is_foreign) {
            foreign.judgement.contradicts &= foreign.judgement.is_ruled;
        }
    }
    opinions.sort_by_key(|one| {
        std::cmp::Reverse((
            one.judgement.contradicts,
            one.tells(),
            !one.is_foreign,
            one.similarity(),
        ))
    });
    let mut kept: Vec<Opinion> = Vec::new();
    for opinion in opinions {
        if !kept.iter().any(|one| one.place == opinion.place) {
            kept.push(opinion);
        }
    }
    kept
}

/// A sentence that says a claim in its words is surer than this.
fn said() -> Score {
    score(0.85)
}

/// Another sentence must hold so much of the claim to deny it.
fn as_much() -> Score {
    score(0.75)
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
/// How far the log odds of support are moved for a window: what it leaves out makes the model
/// doubt. Fitted on long documents that the model did not learn from.
const WINDOWED: f64 = 0.7;
/// What is left of contradiction when there is none.
const NOT_AGAINST: f64 = 0.4;
/// A sentence that holds a smaller share of a claim is about something else, and denies nothing.
const TOPIC: f64 = 0.3;
/// A value in a sentence that holds a smaller share of a claim is the value of something else.
const CONFLICT: f64 = 0.6;
/// A sentence that holds such a share of a claim speaks about it.
const PART: f64 = 0.5;
/// A sentence that holds such a share of a claim speaks about nothing else.
const MOST: f64 = 0.6;
/// A sentence that holds such a share of a claim says it in its words.
const NEARLY_ALL: f64 = 0.7;
/// How sure a rule is.
const RULED: f64 = 0.87;
/// A model that is so sure does not give way to a rule about words.
const SURE: f64 = 0.9;
/// A model that is so sure of a contradiction is heard although a value is missing.
const SURELY: f64 = 0.8;
/// A model that is so sure is heard in part.
const CONFIDENT: f64 = 0.75;
/// What is left of support when the evidence does not hold a value that the claim states,
const MISSING: f64 = 0.2;
/// and when the model is confident all the same.
const WITHHELD: f64 = 0.6;
/// The least support of a sentence that says the same under a condition.
const IN_PART: f64 = 0.45;
/// What is left of support when the evidence supports the claim in part.
const WEAKENED: f64 = 0.8;
