//! Rarity: the weight of a term, from the number of chunks that contain it.

/// The weight of a term that `holding` of `chunks` chunks hold: ln(1 + (n − h + ½) / (h + ½)).
pub(crate) fn weight(holding: u64, chunks: u64) -> f32 {
    let holding = holding.min(chunks);
    let odds = ((chunks - holding) as f64 + 0.5) / (holding as f64 + 0.5);
    #[expect(clippy::cast_possible_truncation, reason = "at most 46, and rounded alike everywhere")]
    let weight = ln(1.0 + odds) as f32;
    weight
}

/// The natural logarithm of a number above 0, by arithmetic that is exact everywhere.
///
/// The number is halved until it is near 1; there ln(x) = 2 artanh((x − 1) / (x + 1)).
pub(crate) fn ln(mut x: f64) -> f64 {
    if x < 1.0 {
        return if x > 0.0 { -ln(1.0 / x) } else { f64::MIN };
    }
    // Halving a double is exact, and callers pass finite numbers, so the loop ends.
    let mut halvings = 0.0;
    while x > 1.5 {
        x /= 2.0;
        halvings += 1.0;
    }
    let y = (x - 1.0) / (x + 1.0);
    let square = y * y;
    // y is at most 0.2: the eleventh term would add less than 10⁻¹⁵ of the sum.
    let series = (0..10).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    halvings * std::f64::consts::LN_2 + 2.0 * y * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithm_is_the_logarithm() {
        for x in [1e-6, 0.3, 0.99, 1.0, 1.2, 1.5, 1.6, 2.0, 3.0, 10.0, 12_345.678, 4.0e9] {
            assert!((ln(x) - f64::ln(x)).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn rarer_terms_weigh_more() {
        let weights = [0, 1, 50, 99, 100, 101].map(|holding| weight(holding, 100));
        assert!(weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
        assert!(weights.iter().all(|weight| *weight > 0.0), "{weights:?}");
    }
}
