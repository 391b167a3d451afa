//! Weighing: the model's probabilities and the rules' findings become one opinion.

use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_kernel::simd::exp;
use dalil_proof::score::Score;

use super::opinion::ChunkJudgement;
use crate::index::ln;
use crate::rule::{RuleEffect, RuleFinding, RuleKind, RuleOutcome};

#[cfg(test)]
mod tests;

/// The log odds that a passage supports a claim, and that it contradicts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LogOdds {
    support: f64,
    contradiction: f64,
    /// The least and the most that the rules let it support.
    least: SupportLevel,
    most: SupportLevel,
    /// Whether a rule found a conflict.
    is_ruled: bool,
}

/// The rule findings in the most relevant sentence, and around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RuleSignals<'f> {
    /// The effect of the findings.
    pub(super) effect: RuleEffect<'f>,
    /// Which values of the claim were found in the evidence.
    pub(super) values: ValueMatch,
    /// The share of the claim's terms that the sentence holds.
    pub(super) overlap: f64,
    /// The larger of that share and of the share by rarity.
    pub(super) topic: f64,
    /// Whether claim and evidence are in one language.
    pub(super) is_one_language: bool,
}

/// Whether the evidence has the values of the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueMatch {
    /// It states some, and the evidence has them all.
    All,
    /// It states none, or the evidence lacks one.
    Other,
    /// The sentence has another in the role of one, which is in another sentence of the passage.
    Elsewhere,
}

impl ValueMatch {
    /// Those that the rules compared.
    pub(super) fn of(findings: &[RuleFinding]) -> Self {
        let mut values = findings.iter().filter(|finding| finding.kind.counted()).peekable();
        let is_any = values.peek().is_some();
        let is_all = values.all(|value| value.outcome == RuleOutcome::Agrees);
        if is_any && is_all { Self::All } else { Self::Other }
    }
}

impl RuleSignals<'_> {
    /// Whether agreement decides: of all values of a claim in a sentence about the same, or of
    /// modality or quantifiers in a sentence of nearly the same words.
    ///
    /// Where both have the very same words there, the doubt of a model has another reason, and
    /// counts. Where the words differ, the model may only not know that they are synonyms.
    fn confirms(&self, finding: &RuleFinding, model: &LogOdds) -> bool {
        let words =
            matches!(finding.kind, RuleKind::Modality | RuleKind::Quantifier | RuleKind::Frame);
        let in_words = words && self.overlap >= MIN_VERBATIM_OVERLAP_SHARE;
        let in_value = self.values == ValueMatch::All && self.overlap >= MIN_FOCUSED_OVERLAP_SHARE;
        let is_verbatim = finding.found.as_ref() == Some(&finding.said);
        let is_denied = is_verbatim && model.contradiction > MIN_SURE_CONTRADICTION_LOG_ODDS;
        let is_doubted = is_verbatim && model.support < MIN_CONFIRMABLE_SUPPORT_LOG_ODDS;
        !is_denied && (in_value || (in_words && !is_doubted))
    }

    /// Whether a model that is so sure of support does not give way to a conflict in words.
    fn is_overridden(finding: &RuleFinding, support: f64) -> bool {
        !finding.kind.counted()
            && finding.kind != RuleKind::Frame
            && support >= MIN_OVERRIDING_SUPPORT_LOG_ODDS
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
    /// The model's log odds for a passage.
    pub(super) fn of(supported: f32, contradicted: f32) -> Self {
        let odds = |share: f32| {
            let share = f64::from(share).clamp(1e-5, 1.0 - 1e-5);
            ln(share / (1.0 - share))
        };
        Self {
            support: odds(supported),
            contradiction: odds(contradicted),
            least: SupportLevel::None,
            most: SupportLevel::Full,
            is_ruled: false,
        }
    }

    /// The same, adjusted by the rule findings.
    ///
    /// A deciding rule leaves a part of the model's odds, and any other rule shifts them, so
    /// of two passages with equal findings the model's choice stays the better.
    pub(super) fn ruled(self, ruling: RuleSignals<'_>) -> Self {
        let ruled = match ruling.effect {
            RuleEffect::Contradicts(finding) if ruling.denies(finding, self.support) => Self {
                support: decided(self.support, -DECIDING_RULE_LOG_ODDS),
                contradiction: decided(self.contradiction, DECIDING_RULE_LOG_ODDS),
                least: SupportLevel::None,
                most: SupportLevel::None,
                is_ruled: true,
            },
            RuleEffect::Contradicts(finding) | RuleEffect::Doubts(finding)
                if RuleSignals::is_overridden(finding, self.support) =>
            {
                self
            }
            // A conflict that does not settle the claim only takes from the support.
            RuleEffect::Contradicts(_) | RuleEffect::Doubts(_) => self.doubted(),
            RuleEffect::Withholds(finding) => {
                // A frame withdraws the statement that the model reads, however sure it is.
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
                // The evidence has the statement with an addition: support in part, whatever the
                // model thinks, with a quarter of its odds; unless it is sure of a contradiction
                // that is not its reading of another form of a value.
                let support = decided(self.support, 0.0);
                let weakened = Self { support, least: SupportLevel::Partial, ..self.in_part() };
                if self.contradiction < MIN_SURE_CONTRADICTION_LOG_ODDS || finding.kind.counted() {
                    weakened.not_against()
                } else {
                    weakened
                }
            }
            RuleEffect::Weakens(_) => self.doubted(),
            RuleEffect::Confirms(finding) if ruling.confirms(finding, &self) => {
                Self { support: confirmed(self.support), ..self }.not_against()
            }
            RuleEffect::Confirms(_) | RuleEffect::Silent => self,
        };
        // The sentence is of another case, or the claim takes its value from one: whatever else
        // agrees, it does not state the claim.
        let ruled = match ruling.values {
            ValueMatch::Elsewhere => ruled.in_part(),
            ValueMatch::All | ValueMatch::Other => ruled,
        };
        // Last, since another language or another topic limits the result of the rules.
        match (ruling.is_one_language, ruled.is_ruled) {
            (false, _) => ruled.abroad(),
            (true, false) if ruling.topic < MIN_TOPIC_SHARE => ruled.not_against(),
            (true, _) => ruled,
        }
    }

    /// A rule found something that the evidence does not state.
    fn doubted(self) -> Self {
        Self { support: self.support - DOUBT_PENALTY_LOG_ODDS, ..self.in_part() }
    }

    /// The evidence supports the claim in part at most.
    fn in_part(self) -> Self {
        Self { most: self.most.min(SupportLevel::Partial), ..self }
    }

    /// The evidence does not contradict the claim.
    fn not_against(self) -> Self {
        Self { contradiction: self.contradiction.min(MAX_UNCONTRADICTED_LOG_ODDS), ..self }
    }

    /// Across languages the model confuses names: partial support at most.
    fn abroad(self) -> Self {
        let abroad = self.in_part();
        if self.is_ruled || self.contradiction >= MIN_SURE_CONTRADICTION_LOG_ODDS {
            abroad
        } else {
            abroad.not_against()
        }
    }

    /// `partly` is how probable it is that the evidence supports at least a part.
    pub(super) fn judgement(&self, partly: f32) -> ChunkJudgement {
        let contradicts = self.contradiction > 0.0 && self.contradiction > self.support;
        let is_full = self.support >= 0.0;
        let level = if contradicts {
            SupportLevel::None
        } else if is_full {
            self.most
        } else if partly >= MIN_PARTIAL_PROBABILITY {
            SupportLevel::Partial.min(self.most)
        } else {
            self.least
        };
        let support = f64::from(probability_of(self.support));
        let support = match level {
            // From the bar to certainty, as the ledger reads a full match.
            SupportLevel::Full => {
                MIN_SUPPORTED_SIMILARITY
                    + (MAX_FAST_CONFIDENCE - MIN_SUPPORTED_SIMILARITY)
                        * (2.0 * support - 1.0).max(0.02)
            }
            SupportLevel::Partial => {
                support.max(f64::from(partly)).clamp(0.5, MIN_SUPPORTED_SIMILARITY)
            }
            SupportLevel::None => support.min(0.5),
        };
        ChunkJudgement {
            support: score(support),
            contradiction: score(
                f64::from(probability_of(self.contradiction)).min(MAX_FAST_CONFIDENCE),
            ),
            level,
            contradicts,
            is_ruled: self.is_ruled,
        }
    }
}

/// The remaining log odds where a rule decides.
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
fn probability_of(odds: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "within ±30")]
    let odds = odds.clamp(-30.0, 30.0) as f32;
    1.0 / (1.0 + exp(-odds))
}

fn score(probability: f64) -> Score {
    Score::clamped(probability)
}

/// From this probability on evidence supports at least a part of it.
const MIN_PARTIAL_PROBABILITY: f32 = 0.5;
/// The ledger calls a full match supported from this similarity on (spec/ledger.md).
const MIN_SUPPORTED_SIMILARITY: f64 = 0.85;
/// No verdict of the small model is stated with more confidence: it is the share of its surest
/// verdicts that were right on real answers (`docs/quality.md`).
const MAX_FAST_CONFIDENCE: f64 = 0.88;
/// The upper bound of contradiction when no rule finds one: the log odds of 0.4.
const MAX_UNCONTRADICTED_LOG_ODDS: f64 = -0.4;
/// A sentence that holds a smaller share of a claim is about something else, and denies nothing. With
/// 0.3 and the weights before these, three contradictions of real answers less were found, and as
/// many true claims accused.
const MIN_TOPIC_SHARE: f64 = 0.1;
/// A sentence that holds such a share of a claim speaks about it.
const MIN_RELEVANT_OVERLAP_SHARE: f64 = 0.5;
/// A sentence that holds such a share of a claim speaks about nothing else.
const MIN_FOCUSED_OVERLAP_SHARE: f64 = 0.6;
/// A sentence with such a share of a claim's words repeats the claim.
const MIN_VERBATIM_OVERLAP_SHARE: f64 = 0.7;
/// The log odds of a rule that decides: 0.88.
const DECIDING_RULE_LOG_ODDS: f64 = 2.0;
/// The remaining part of the model's log odds beside it, at their largest: too
/// little to overturn it.
const MODEL_SHARE_BESIDE_DECISION: f64 = 0.25;
/// The same beside a rule that confirms: too little to go below 0.85.
const MODEL_SHARE_BESIDE_CONFIRMATION: f64 = 0.04;
/// A probability of 0.9975: beyond it the model is no surer, only further from its training.
const MAX_MODEL_LOG_ODDS: f64 = 6.0;
/// The log odds of support that a finding takes away when it does not decide.
const DOUBT_PENALTY_LOG_ODDS: f64 = 0.5;
/// A model that is so sure of support is heard in part although a value is missing: 0.75.
const MIN_CONFIDENT_SUPPORT_LOG_ODDS: f64 = 1.1;
/// A model that is so sure of a contradiction is heard although a value is missing, a rule agrees or
/// the language is another: 0.8.
const MIN_SURE_CONTRADICTION_LOG_ODDS: f64 = 1.4;
/// Agreement in the same words confirms a claim only from such a support on: 0.27.
const MIN_CONFIRMABLE_SUPPORT_LOG_ODDS: f64 = -1.0;
/// A model that is so sure does not give way to a rule about words: 0.9.
const MIN_OVERRIDING_SUPPORT_LOG_ODDS: f64 = 2.2;
