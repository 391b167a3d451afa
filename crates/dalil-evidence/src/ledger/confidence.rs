//! Confidence: the contract's formula, and the five bands it is shown in.

use dalil_phrasebook::{Phrase, ledger};
use dalil_proof::score::Score;
use serde::Serialize;

/// The components of the confidence formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfidenceComponents {
    /// How similar the claim is to the evidence; weighs 60 %.
    pub semantic_similarity: Score,
    /// How many sources there are; the second to the fourth add 5 % each.
    pub evidence_count: u64,
    /// 1 for a direct quote, 0.5 for an inference; weighs 15 %.
    pub directness: Score,
    /// How good the source is; weighs 10 %.
    pub source_quality: Score,
}

/// The contract's formula, held within 0 and 1.
pub fn calculate(components: ConfidenceComponents) -> Score {
    let ConfidenceComponents { semantic_similarity, evidence_count, directness, source_quality } =
        components;
    // The weights are percents, so the sum is in millionths; it is rounded half up once, below.
    let weighted = i64::from(semantic_similarity.units()) * 60
        + i64::from(directness.units()) * 15
        + i64::from(source_quality.units()) * 10;
    // No evidence at all costs as much as one more source would add.
    let bonus = i64::try_from(evidence_count.min(4)).unwrap_or(4) - 1;
    let units = ((weighted + 50) / 100 + bonus * 500).clamp(0, i64::from(Score::ONE.units()));
    // The clamp keeps it in range, so the fallback is never taken.
    u16::try_from(units).ok().and_then(Score::from_units).unwrap_or(Score::ONE)
}

/// How a confidence is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfidenceBand {
    /// From 0.85.
    High,
    /// From 0.7.
    Good,
    /// From 0.5.
    Moderate,
    /// From 0.3.
    Low,
    /// Below that.
    VeryLow,
}

impl ConfidenceBand {
    /// The band of a confidence.
    pub fn of(confidence: Score) -> Self {
        match confidence.units() {
            8_500.. => Self::High,
            7_000.. => Self::Good,
            5_000.. => Self::Moderate,
            3_000.. => Self::Low,
            _ => Self::VeryLow,
        }
    }

    /// The published words, the highest first.
    pub const WIRE_NAMES: [(&'static str, Self); 5] = [
        ("high", Self::High),
        ("good", Self::Good),
        ("moderate", Self::Moderate),
        ("low", Self::Low),
        ("very_low", Self::VeryLow),
    ];

    /// The words a person reads.
    pub const fn label(self) -> Phrase {
        match self {
            Self::High => ledger::band_high(),
            Self::Good => ledger::band_good(),
            Self::Moderate => ledger::band_moderate(),
            Self::Low => ledger::band_low(),
            Self::VeryLow => ledger::band_very_low(),
        }
    }

    /// The sign beside the words: the fuller, the surer.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::High => "▰▰▰▰▰",
            Self::Good => "▰▰▰▰▱",
            Self::Moderate => "▰▰▰▱▱",
            Self::Low => "▰▰▱▱▱",
            Self::VeryLow => "▰▱▱▱▱",
        }
    }
}
