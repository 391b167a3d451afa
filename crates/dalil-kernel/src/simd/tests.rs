use proptest::prelude::*;

use super::*;

/// The largest difference from `exact`, in units of the last place, over a range in small steps.
#[track_caller]
fn check(
    range: std::ops::RangeInclusive<i32>,
    made: fn(f32) -> f32,
    exact: fn(f64) -> f64,
    most: f64,
) {
    for step in range {
        let value = step as f32 / 1024.0;
        let (made, exact) = (f64::from(made(value)), exact(f64::from(value)));
        let unit = f64::from(f32::EPSILON) * exact.abs().max(f64::MIN_POSITIVE);
        assert!((made - exact).abs() <= most * unit, "of {value}: {made}, exactly {exact}");
    }
}

#[test]
fn powers_of_e_are_right_to_two_units() {
    check(-87 * 1024..=88 * 1024, exp, f64::exp, 2.0);
}

#[test]
fn powers_of_e_stay_finite_and_positive_everywhere() {
    for value in [f32::NEG_INFINITY, f32::MIN, -1e9, 1e9, f32::MAX, f32::INFINITY, f32::NAN] {
        let power = exp(value);
        assert!(power.is_finite() && power > 0.0, "of {value}: {power}");
    }
}

#[test]
fn the_error_function_is_right_to_six_digits() {
    for step in -6 * 1024..=6 * 1024 {
        let value = step as f32 / 1024.0;
        let difference = (f64::from(erf(value)) - exact_erf(f64::from(value))).abs();
        assert!(difference < 4e-7, "of {value}: off by {difference}");
    }
}

#[test]
fn a_sum_is_a_tree_of_halves() {
    // Each one is lost beside 2^24; a pair of them is not.
    let mut lanes = [1.0; LANES];
    lanes[0] = 16_777_216.0;
    assert_eq!(sum(lanes).to_bits(), 16_777_230.0_f32.to_bits());
}

proptest! {
    #[test]
    fn rounding_is_to_the_nearest_and_halves_go_to_the_even(value in -4_194_303.0_f32..4_194_303.0) {
        prop_assert_eq!(f64::from(round(value)).to_bits(), f64::from(value.round_ties_even() + 0.0).to_bits());
        let half = value.trunc() + 0.5;
        prop_assert_eq!(f64::from(round(half)).to_bits(), f64::from(half.round_ties_even() + 0.0).to_bits());
    }
}

/// The Taylor series, which needs many terms and loses few digits up to 6 in double precision.
fn exact_erf(value: f64) -> f64 {
    let (mut term, mut sum) = (value, value);
    for n in 1..200 {
        let n = f64::from(n);
        term *= -value * value / n;
        sum += term / (2.0 * n + 1.0);
    }
    if value.abs() > 4.5 { value.signum() } else { sum * 2.0 / std::f64::consts::PI.sqrt() }
}
