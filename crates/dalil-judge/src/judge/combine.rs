//! Weighing: the model's probabilities and the rules' findings become one opinion.

use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_kernel::simd::exp;
use dalil_proof::score::Score;

use super::opinion::{ChunkJudgement, ChunkOpinion};
use crate::index::ln;
use crate::model::EntailmentLogits;
use crate::rule::{RuleEffect, RuleFinding, RuleKind, RuleOutcome};

#[cfg(test)]
mod tests;

/// The log odds that a window supports a claim, and that it contradicts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LogOdds {
    support: f64,
    contradiction: f64,
    /// The most that the rules let it support.
    most: SupportLevel,
    /// Whether a rule found that it says otherwise.
    is_ruled: bool,
}

/// How much of a document a window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowScope {
    /// All of it.
    Whole,
    /// Some sentences of it.
    Window,
    /// Either, for one sentence of a long claim.
    Sentence,
}

/// How the model's scores become probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FastCalibration {
    pub(super) support: PlattScaling,
    pub(super) contradiction: PlattScaling,
}

/// A line that log odds are moved along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlattScaling {
    pub(super) slope: f64,
    pub(super) bias: f64,
}

/// What the rules found in the sentence that tells most, and around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RuleSignals<'f> {
    /// What the findings mean.
    pub(super) effect: RuleEffect<'f>,
    /// How many values of the claim were found in the evidence, of how many.
    pub(super) values: ValueMatch,
    /// The share of the claim's terms that the sentence holds.
    pub(super) overlap: f64,
    /// The larger of that share and of the share by rarity.
    pub(super) topic: f64,
    /// Whether claim and evidence are in one language.
    pub(super) is_one_language: bool,
}

/// How the values that a claim states stand in the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueMatch {
    /// It states one, and the evidence has it.
    One,
    /// It states none or several, or the evidence has none of them.
    Other,
}

impl ValueMatch {
    /// Those that the rules compared.
    pub(super) fn of(findings: &[RuleFinding]) -> Self {
        let mut values = findings.iter().filter(|finding| finding.kind.counted());
        match (values.next(), values.next()) {
            (Some(one), None) if one.outcome == RuleOutcome::Agrees => Self::One,
            _ => Self::Other,
        }
    }
}

impl RuleSignals<'_> {
    /// Whether agreement settles it: of the one value of a claim in a sentence about the same, or of
    /// what must and may be, or how many, in a sentence of nearly the same words.
    fn confirms(&self, finding: &RuleFinding) -> bool {
        let words =
            matches!(finding.kind, RuleKind::Modality | RuleKind::Quantifier | RuleKind::Frame);
        let in_words = words && self.overlap >= MIN_VERBATIM_OVERLAP_SHARE;
        (self.values == ValueMatch::One && self.overlap >= MIN_FOCUSED_OVERLAP_SHARE) || in_words
    }

    /// Whether a conflict settles it: of values and of modality where the sentence is about the
    /// same, of other words only when the model is not sure itself.
    fn denies(&self, finding: &RuleFinding, support: f64) -> bool {
        let words = matches!(
            finding.kind,
            RuleKind::Negation | RuleKind::Quantifier | RuleKind::Name | RuleKind::Condition
        );
        self.overlap >= MIN_FOCUSED_OVERLAP_SHARE
            && !(words && support >= MIN_OVERRIDING_SUPPORT_LOG_ODDS)
    }
}

impl LogOdds {
    /// What the model says of a window: all of a document, or a part of it.
    pub(super) fn of(
        logits: EntailmentLogits,
        calibration: &FastCalibration,
        part: WindowScope,
    ) -> Self {
        let EntailmentLogits([support, neutral, contradiction]) = logits;
        let moved = match part {
            WindowScope::Whole => WHOLE_DOCUMENT_SHIFT,
            WindowScope::Window => WINDOW_SHIFT,
            WindowScope::Sentence => CLAIM_SENTENCE_SHIFT,
        };
        // The log odds of a softmax. Less the largest logit nothing overflows, and `exp` ends at
        // e^−87, so that `ln` never sees 0.
        let odds = |one: f32, others: [f32; 2]| {
            let most = one.max(others[0]).max(others[1]);
            let raised = |value: f32| f64::from(exp(value - most));
            ln(raised(one) / (raised(others[0]) + raised(others[1])))
        };
        Self {
            support: calibration.support.at(odds(support, [neutral, contradiction])) + moved,
            contradiction: calibration.contradiction.at(odds(contradiction, [support, neutral])),
            most: SupportLevel::Full,
            is_ruled: false,
        }
    }

    /// The same, after what the rules found.
    ///
    /// A rule that decides leaves a part of the model's odds, and one that does not moves them, so
    /// of two windows about which the rules say the same the model's choice stays the better.
    pub(super) fn ruled(self, ruling: RuleSignals<'_>) -> Self {
        let ruled = match ruling.effect {
            RuleEffect::Contradicts(finding) if ruling.denies(finding, self.support) => Self {
                support: decided(self.support, -DECIDING_RULE_LOG_ODDS),
                contradiction: decided(self.contradiction, DECIDING_RULE_LOG_ODDS),
                most: SupportLevel::None,
                is_ruled: true,
            },
            // A conflict that does not settle the claim only takes from the support.
            RuleEffect::Contradicts(_) | RuleEffect::Doubts(_) => self.doubted(),
            RuleEffect::Withholds(finding) => {
                // A frame takes back what the model reads, however sure it is.
                let framed = finding.kind == RuleKind::Frame;
                let heard = self.support >= MIN_CONFIDENT_SUPPORT_LOG_ODDS
                    && ruling.is_one_language
                    && !framed;
                let most = if heard { SupportLevel::Partial } else { SupportLevel::None };
                let withheld = Self { most, ..self.doubted() };
                if self.contradiction < MIN_SURE_CONTRADICTION_LOG_ODDS || framed {
                    withheld.not_against()
                } else {
                    withheld
                }
            }
            RuleEffect::Weakens(finding)
                if ruling.overlap >= MIN_RELEVANT_OVERLAP_SHARE
                    && finding.kind != RuleKind::Name =>
            {
                // Around even odds, with a quarter of what the model thinks: support in part.
                Self { support: decided(self.support, 0.0), ..self.in_part() }.not_against()
            }
            RuleEffect::Weakens(_) => self.doubted(),
            RuleEffect::Confirms(finding) if ruling.confirms(finding) => {
                Self { support: confirmed(self.support), ..self }.not_against()
            }
            RuleEffect::Confirms(_) | RuleEffect::Silent => self,
        };
        // Last, since another language or another topic limits whatever the rules left.
        match (ruling.is_one_language, ruled.is_ruled) {
            (false, _) => ruled.abroad(),
            (true, false) if ruling.topic < MIN_TOPIC_SHARE => ruled.not_against(),
            (true, _) => ruled,
        }
    }

    /// A rule found something that the evidence does not say.
    fn doubted(self) -> Self {
        Self { support: self.support - DOUBT_PENALTY_LOG_ODDS, ..self.in_part() }
    }

    /// The evidence supports the claim in part at most.
    fn in_part(self) -> Self {
        Self { most: self.most.min(SupportLevel::Partial), ..self }
    }

    /// The evidence does not say otherwise.
    fn not_against(self) -> Self {
        Self { contradiction: self.contradiction.min(MAX_UNCONTRADICTED_LOG_ODDS), ..self }
    }

    /// Across languages the model tells names apart badly: no more than a part.
    fn abroad(self) -> Self {
        let abroad = self.in_part();
        if self.is_ruled || self.contradiction >= MIN_SURE_CONTRADICTION_LOG_ODDS {
            abroad
        } else {
            abroad.not_against()
        }
    }

    pub(super) fn judgement(&self) -> ChunkJudgement {
        let contradicts = self.contradiction > 0.0 && self.contradiction > self.support;
        let level = if contradicts || self.support < MIN_PARTIAL_SUPPORT_LOG_ODDS {
            SupportLevel::None
        } else if self.support < 0.0 {
            SupportLevel::Partial.min(self.most)
        } else {
            self.most
        };
        ChunkJudgement {
            support: probability(self.support),
            contradiction: probability(self.contradiction),
            level,
            contradicts,
            is_ruled: self.is_ruled,
        }
    }
}

impl PlattScaling {
    fn at(self, odds: f64) -> f64 {
        self.slope * odds + self.bias
    }
}

/// What is left of log odds where a rule decides.
fn decided(odds: f64, ruled: f64) -> f64 {
    MODEL_SHARE_BESIDE_DECISION * odds.clamp(-MAX_MODEL_LOG_ODDS, MAX_MODEL_LOG_ODDS) + ruled
}

/// The log odds of support where a rule confirms a claim: those of a verdict of *supported*, the
/// model's doubts a little below its trust, or the model's own where they are higher.
fn confirmed(odds: f64) -> f64 {
    odds.max(
        DECIDING_RULE_LOG_ODDS
            + MODEL_SHARE_BESIDE_CONFIRMATION * odds.clamp(-MAX_MODEL_LOG_ODDS, MAX_MODEL_LOG_ODDS),
    )
}

/// The probability at some log odds.
fn probability(odds: f64) -> Score {
    #[expect(clippy::cast_possible_truncation, reason = "within ±30")]
    let odds = odds.clamp(-30.0, 30.0) as f32;
    score(1.0 / (1.0 + f64::from(exp(-odds))))
}

/// The opinions about a claim of several sentences: those about the sentence that holds least.
pub(super) fn together(parts: Vec<Vec<ChunkOpinion>>) -> Vec<ChunkOpinion> {
    let holds = |opinions: &[ChunkOpinion]| {
        let against = opinions.iter().any(|one| one.judgement.contradicts);
        let best = opinions.iter().map(|one| one.judgement.support).max().unwrap_or_default();
        // False sorts first: a contradicted sentence holds least.
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
fn settled(mut opinions: Vec<ChunkOpinion>) -> Vec<ChunkOpinion> {
    let best = |opinions: &[ChunkOpinion], source: usize| {
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
        one.is_direct && one.similarity() > said() && one.judgement.level == SupportLevel::Full
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
    // A stable sort: equal opinions stay in the order of the search.
    opinions.sort_by_key(|one| {
        std::cmp::Reverse((
            one.judgement.contradicts,
            one.tells(),
            !one.is_foreign,
            one.similarity(),
        ))
    });
    let mut kept: Vec<ChunkOpinion> = Vec::new();
    for opinion in opinions {
        // The first opinion of a chunk is its most telling one.
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
    Score::clamped(probability)
}

/// From these log odds on a window supports a claim in part: a quarter. From even odds it supports
/// it, or says otherwise.
const MIN_PARTIAL_SUPPORT_LOG_ODDS: f64 = -1.1;
/// How far the log odds of support are moved for a document that is read whole; for a window, since
/// what it leaves out makes the model doubt; and for a sentence of a long claim, since the weakest of
/// several decides. `training/weigh.py` says how far off they are for other weights.
const WHOLE_DOCUMENT_SHIFT: f64 = -0.24;
const WINDOW_SHIFT: f64 = 0.56;
const CLAIM_SENTENCE_SHIFT: f64 = 0.06;
/// What is left of contradiction when there is none: the log odds of 0.4.
const MAX_UNCONTRADICTED_LOG_ODDS: f64 = -0.4;
/// A sentence that holds a smaller share of a claim is about something else, and denies nothing.
const MIN_TOPIC_SHARE: f64 = 0.3;
/// A sentence that holds such a share of a claim speaks about it.
const MIN_RELEVANT_OVERLAP_SHARE: f64 = 0.5;
/// A sentence that holds such a share of a claim speaks about nothing else.
const MIN_FOCUSED_OVERLAP_SHARE: f64 = 0.6;
/// A sentence that holds such a share of a claim says it in its words.
const MIN_VERBATIM_OVERLAP_SHARE: f64 = 0.7;
/// The log odds of a rule that decides: 0.88.
const DECIDING_RULE_LOG_ODDS: f64 = 2.0;
/// What is left beside it of the model's log odds, up to where these are as sure as can be: too
/// little to overturn it.
const MODEL_SHARE_BESIDE_DECISION: f64 = 0.25;
/// What is left of them beside a rule that confirms: too little to go below 0.85.
const MODEL_SHARE_BESIDE_CONFIRMATION: f64 = 0.04;
const MAX_MODEL_LOG_ODDS: f64 = 6.0;
/// How far a finding that does not decide moves the log odds of support.
const DOUBT_PENALTY_LOG_ODDS: f64 = 0.5;
/// A model that is so sure of support is heard in part although a value is missing: 0.75.
const MIN_CONFIDENT_SUPPORT_LOG_ODDS: f64 = 1.1;
/// A model that is so sure of a contradiction is heard although a value is missing or the language
/// is another: 0.8.
const MIN_SURE_CONTRADICTION_LOG_ODDS: f64 = 1.4;
/// A model that is so sure does not give way to a rule about words: 0.9.
const MIN_OVERRIDING_SUPPORT_LOG_ODDS: f64 = 2.2;
