//! Metrics of a labelled set: predictions against labels.

use serde::Serialize;

#[cfg(test)]
mod tests;

/// The label of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairLabel {
    /// The premise supports the claim.
    Supported,
    /// The premise contradicts the claim.
    Contradicted,
    /// The premise does neither.
    Neutral,
    /// Neutral or contradicted; the set does not say which.
    Unsupported,
}

impl PairLabel {
    /// The words of the sets.
    pub const WIRE_NAMES: [(&'static str, Self); 4] = [
        ("supported", Self::Supported),
        ("contradicted", Self::Contradicted),
        ("neutral", Self::Neutral),
        ("unsupported", Self::Unsupported),
    ];
}

/// One pair, judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JudgedPair {
    /// Its line in the file of the set, from 1.
    pub line: usize,
    /// Its label.
    pub label: PairLabel,
    /// How probable it is that the premise supports the claim.
    pub support: f64,
    /// How probable it is that the premise contradicts it.
    pub contradiction: f64,
    /// Whether the judge finds the claim supported.
    pub is_supported: bool,
    /// Whether the judge finds the claim contradicted.
    pub is_contradicted: bool,
}

/// The figures of a set, in per cent but for the counts and the error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EvalMetrics {
    /// How many pairs.
    pub pairs: usize,
    /// The mean of the shares found right among supported pairs and among the rest.
    pub balanced_accuracy: f64,
    /// The harmonic mean of precision and recall of *supported*.
    pub f1: f64,
    /// How often a supported pair has a higher probability than another.
    pub auc: Option<f64>,
    /// The balanced accuracy of *contradicted*; where the set has that label.
    pub contradiction_balanced_accuracy: Option<f64>,
    /// The harmonic mean of precision and recall of *contradicted*.
    pub contradiction_f1: Option<f64>,
    /// The expected calibration error of the probabilities of support, in ten bins; from 0 to 1.
    pub calibration_error: f64,
}

impl EvalMetrics {
    /// The figures of judged pairs.
    pub fn of(judged: &[JudgedPair]) -> Self {
        let support = ConfusionMatrix::of(
            judged,
            |one| one.label == PairLabel::Supported,
            |one| one.is_supported,
        );
        // Of `unsupported` pairs it is not known which are contradicted, so there is no figure.
        let told = judged.iter().any(|one| one.label == PairLabel::Contradicted);
        let against = told.then(|| {
            ConfusionMatrix::of(
                judged,
                |one| one.label == PairLabel::Contradicted,
                |one| one.is_contradicted,
            )
        });
        Self {
            pairs: judged.len(),
            balanced_accuracy: support.balanced_accuracy(),
            f1: support.f1(),
            auc: auc(judged),
            contradiction_balanced_accuracy: against.map(|table| table.balanced_accuracy()),
            contradiction_f1: against.map(|table| table.f1()),
            calibration_error: calibration_error(judged),
        }
    }
}

impl EvalMetrics {
    /// The figures to a tenth of a per cent, and the error to a thousandth.
    pub fn rounded(self) -> Self {
        Self {
            pairs: self.pairs,
            balanced_accuracy: tenths(self.balanced_accuracy),
            f1: tenths(self.f1),
            auc: self.auc.map(tenths),
            contradiction_balanced_accuracy: self.contradiction_balanced_accuracy.map(tenths),
            contradiction_f1: self.contradiction_f1.map(tenths),
            calibration_error: thousandths(self.calibration_error),
        }
    }
}

/// To the nearest tenth.
pub fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// To the nearest thousandth.
pub fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Weighted counts of predictions against labels.
#[derive(Clone, Copy, Debug, Default)]
struct ConfusionMatrix {
    hits: f64,
    misses: f64,
    alarms: f64,
    rejections: f64,
}

impl ConfusionMatrix {
    fn of(
        judged: &[JudgedPair],
        is: impl Fn(&JudgedPair) -> bool,
        says: impl Fn(&JudgedPair) -> bool,
    ) -> Self {
        let mut table = Self::default();
        for one in judged {
            *match (is(one), says(one)) {
                (true, true) => &mut table.hits,
                (true, false) => &mut table.misses,
                (false, true) => &mut table.alarms,
                (false, false) => &mut table.rejections,
            } += 1.0;
        }
        table
    }

    /// A class without pairs counts as found right by half.
    fn balanced_accuracy(self) -> f64 {
        let share = |right: f64, wrong: f64| {
            if right + wrong > 0.0 { right / (right + wrong) } else { 0.5 }
        };
        50.0 * (share(self.hits, self.misses) + share(self.rejections, self.alarms))
    }

    fn f1(self) -> f64 {
        let all = 2.0 * self.hits + self.misses + self.alarms;
        if all > 0.0 { 200.0 * self.hits / all } else { 0.0 }
    }
}

/// The share of (supported, other) couples in the right order; equals count half.
fn auc(judged: &[JudgedPair]) -> Option<f64> {
    let mut order: Vec<&JudgedPair> = judged.iter().collect();
    order.sort_by(|one, other| one.support.total_cmp(&other.support));
    let (mut wins, mut positives, mut negatives) = (0.0, 0.0, 0.0);
    for equals in order.chunk_by(|one, other| one.support.total_cmp(&other.support).is_eq()) {
        let up: f64 = equals.iter().map(|one| count(one.label == PairLabel::Supported)).sum();
        let down: f64 = equals.iter().map(|one| count(one.label != PairLabel::Supported)).sum();
        // Each supported pair wins against the negatives below it, and half against its equals.
        wins += up * negatives + up * down / 2.0;
        positives += up;
        negatives += down;
    }
    (positives > 0.0 && negatives > 0.0).then(|| 100.0 * wins / (positives * negatives))
}

/// The expected calibration error of the probability of support, in ten bins of equal width.
fn calibration_error(judged: &[JudgedPair]) -> f64 {
    let mut bins = [(0.0, 0.0, 0.0); CALIBRATION_BINS];
    for one in judged {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a probability times ten"
        )]
        let bin = ((one.support * 10.0) as usize).min(CALIBRATION_BINS - 1);
        if let Some((pairs, said, so)) = bins.get_mut(bin) {
            *pairs += 1.0;
            *said += one.support;
            *so += count(one.label == PairLabel::Supported);
        }
    }
    let all: f64 = bins.iter().map(|(pairs, _, _)| pairs).sum();
    // Sums instead of means: the weight of a bin, its share of the pairs, cancels out.
    let gap: f64 = bins.iter().map(|(_, said, so): &(f64, f64, f64)| (said - so).abs()).sum();
    if all > 0.0 { gap / all } else { 0.0 }
}

fn count(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

const CALIBRATION_BINS: usize = 10;
