//! Odds: the four answers of a model, and the combined reading of a passage and one of its lines.

use dalil_evidence::ledger::verdict::SupportLevel;
use dalil_kernel::simd::exp;
use dalil_proof::score::Score;
use serde::Deserialize;

use super::opinion::ChunkJudgement;
use crate::model::ModelFileError;
use crate::rule::{self, RuleKind, RuleOutcome, RuleReliability};

#[cfg(test)]
mod tests;

/// How logits become probabilities: moved by a bias each, divided by a temperature.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) struct AnswerCalibration {
    temperature: f32,
    bias: [f32; 4],
}

/// How probable each answer is; together they are one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct AnswerOdds {
    pub(super) supported: f32,
    pub(super) partly: f32,
    pub(super) contradicted: f32,
    pub(super) absent: f32,
}

/// The combined probabilities of a passage and its quoted line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PassageReading {
    pub(super) supported: f32,
    pub(super) at_least_partly: f32,
    pub(super) contradicted: f32,
}

/// The answers that a passage can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PassageAnswer {
    Supported,
    Partly,
    Contradicted,
    Absent,
}

impl AnswerCalibration {
    /// Parses the metadata `calibration` of a model file.
    pub(super) fn parse(text: Option<&str>) -> Result<Self, ModelFileError> {
        // Without the key the empty text fails to parse, which is the error to report.
        serde_json::from_str(text.unwrap_or_default()).map_err(|error| {
            ModelFileError::new("calibration", "a temperature and four biases", error.to_string())
        })
    }

    pub(super) fn odds(&self, logits: &[f32]) -> AnswerOdds {
        let [supported, partly, contradicted, absent] = std::array::from_fn(|n| {
            let bias = self.bias.get(n).copied().unwrap_or_default();
            (logits.get(n).copied().unwrap_or_default() + bias) / self.temperature.max(0.05)
        });
        let most = supported.max(partly).max(contradicted).max(absent);
        let raised = [supported, partly, contradicted, absent].map(|logit| exp(logit - most));
        let all: f32 = raised.iter().fold(0.0, |sum, one| sum + one);
        let [supported, partly, contradicted, absent] = raised.map(|one| one / all);
        AnswerOdds { supported, partly, contradicted, absent }
    }
}

impl AnswerOdds {
    /// The most probable answer.
    pub(super) fn answer(&self) -> PassageAnswer {
        let all = [
            (self.supported, PassageAnswer::Supported),
            (self.partly, PassageAnswer::Partly),
            (self.contradicted, PassageAnswer::Contradicted),
            (self.absent, PassageAnswer::Absent),
        ];
        let best = all.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(PassageAnswer::Absent, |(_, answer)| answer)
    }

    /// Whether a claim as the evidence bears out the line that was quoted against it.
    pub(super) fn bears_out(&self) -> bool {
        self.supported + self.partly >= MIN_BORNE_OUT_PROBABILITY
            && self.contradicted < MAX_BORNE_OUT_CONTRADICTION_PROBABILITY
    }

    /// How probable an answer is.
    pub(super) fn of(&self, answer: PassageAnswer) -> f32 {
        match answer {
            PassageAnswer::Supported => self.supported,
            PassageAnswer::Partly => self.supported + self.partly,
            PassageAnswer::Contradicted => self.contradicted,
            PassageAnswer::Absent => 1.0 - self.absent,
        }
    }
}

impl PassageReading {
    /// Interpolates between the odds of a passage and of one of its lines, nearer to the passage.
    /// A passage is overconfident about similar statements, and a line about statements that its
    /// neighbours take back. A line seldom has both halves of a contradiction, so it weighs less
    /// against a claim.
    pub(super) fn of(passage: &AnswerOdds, line: &AnswerOdds) -> Self {
        let partly = |odds: &AnswerOdds| odds.supported + odds.partly;
        Self {
            supported: leaning(passage.supported, line.supported),
            at_least_partly: leaning(partly(passage), partly(line)),
            contradicted: leaning_less(passage.contradicted, line.contradicted),
        }
    }

    pub(super) fn judgement(&self, findings: &[rule::RuleFinding]) -> ChunkJudgement {
        let decides = |one: &rule::RuleFinding| {
            one.outcome == RuleOutcome::Conflicts && one.reliability() == RuleReliability::Decides
        };
        let is_ruled =
            findings.iter().any(decides) && self.supported < MIN_SURE_SUPPORT_PROBABILITY;
        // A sentence that denies, repeals or proposes something does not support it.
        let is_framed = findings
            .iter()
            .any(|one| one.kind == RuleKind::Frame && one.outcome != RuleOutcome::Agrees);
        let contradicts =
            is_ruled || self.contradicted >= 0.5 && self.contradicted > self.at_least_partly;
        let level = if contradicts || self.at_least_partly < 0.5 {
            SupportLevel::None
        } else if self.supported >= MIN_SUPPORT_PROBABILITY && !is_framed {
            SupportLevel::Full
        } else {
            SupportLevel::Partial
        };
        let support = match level {
            SupportLevel::Full => {
                let above = full_share(self.supported);
                MIN_SUPPORTED_SIMILARITY + (MAX_CONFIDENCE - MIN_SUPPORTED_SIMILARITY) * above
            }
            SupportLevel::Partial => self.at_least_partly.min(MIN_SUPPORTED_SIMILARITY),
            SupportLevel::None => self.at_least_partly.min(0.5),
        };
        let against = if is_ruled {
            self.contradicted.max(RULED_CONTRADICTION_PROBABILITY)
        } else {
            self.contradicted
        };
        let against = against.min(MAX_CONFIDENCE);
        let score = |share: f32| Score::clamped(f64::from(share));
        ChunkJudgement {
            support: score(support),
            contradiction: score(against),
            level,
            contradicts,
            is_ruled,
        }
    }
}

/// The share of the way from the bar to certainty, from 0 to 1.
fn full_share(supported: f32) -> f32 {
    ((supported - MIN_SUPPORT_PROBABILITY) / (1.0 - MIN_SUPPORT_PROBABILITY)).clamp(0.01, 1.0)
}

/// The probability whose log odds are five eighths of one's and three eighths of the other's.
/// Roots give the same bits on every machine; a power would not.
fn leaning(one: f32, other: f32) -> f32 {
    let even = (odds(one) * odds(other)).sqrt();
    probability((odds(one) * (odds(other) * even).sqrt()).sqrt())
}

/// The probability whose log odds are three quarters of one's and a quarter of the other's.
fn leaning_less(one: f32, other: f32) -> f32 {
    let even = (odds(one) * odds(other)).sqrt();
    probability((odds(one) * even).sqrt())
}

fn odds(share: f32) -> f32 {
    let share = share.clamp(MIN_ANSWER_PROBABILITY, 1.0 - MIN_ANSWER_PROBABILITY);
    share / (1.0 - share)
}

fn probability(odds: f32) -> f32 {
    odds / (1.0 + odds)
}

/// From this probability on a passage supports a claim. Chosen on answers about real documents
/// (`docs/quality.md`, *How the bars were set*): a lower one lets wrong claims pass, a higher one
/// makes true claims weak.
pub(super) const MIN_SUPPORT_PROBABILITY: f32 = 0.6;
/// From here on a claim bears out a line, in full or in part. Of 45 claims about real documents that
/// the small model alone spoke against, 12 were true: three of them had 0.82 to 0.88, and none of the
/// other 33 more than 0.49 (`docs/quality.md`).
const MIN_BORNE_OUT_PROBABILITY: f32 = 0.6;
/// A claim that denies the line as probably as this bears nothing out; the same three had 0.08 to 0.18.
const MAX_BORNE_OUT_CONTRADICTION_PROBABILITY: f32 = 0.3;
/// No answer counts as less or more probable: a model that knows no doubt would decide alone.
const MIN_ANSWER_PROBABILITY: f32 = 0.000_01;
/// The ledger calls a full match supported from this similarity on (spec/ledger.md).
pub(super) const MIN_SUPPORTED_SIMILARITY: f32 = 0.85;
/// No verdict is stated with more confidence: of those that the model was surest of, nine in ten
/// were right on real answers (`docs/quality.md`).
const MAX_CONFIDENCE: f32 = 0.92;
/// A model that is so sure of support does not give way to a rule.
const MIN_SURE_SUPPORT_PROBABILITY: f32 = 0.9;
/// The probability of a contradiction that a rule decides: such rules are right nine times in ten.
const RULED_CONTRADICTION_PROBABILITY: f32 = 0.9;
