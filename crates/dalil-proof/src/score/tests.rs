//! Scores: the range, the rounding, and the JSON they become.

use super::Score;
use crate::canon;

#[test]
fn outside_zero_to_one_is_nothing() {
    for value in [-0.1, 1.5, 1.000_000_1, f64::NAN, f64::INFINITY, -f64::MIN_POSITIVE] {
        assert_eq!(Score::new(value), None, "{value}");
    }
    assert_eq!(Score::from_units(10_001), None);
}

#[test]
fn rounds_to_the_nearest_ten_thousandth() {
    let units = |value| Score::new(value).unwrap().units();
    assert_eq!(
        [0.0, -0.0, 0.92, 0.000_05, 0.123_449, 1.0].map(units),
        [0, 0, 9200, 1, 1234, 10_000]
    );
}

#[test]
fn scaling_rounds_half_up() {
    let scaled = |units, percent| Score::from_units(units).unwrap().scaled(percent).units();
    assert_eq!(
        [scaled(8500, 80), scaled(8501, 80), scaled(1, 50), scaled(10_000, 200)],
        [6800, 6801, 1, 10_000]
    );
}

#[test]
fn percent_rounds_half_up() {
    let percent = |units| Score::from_units(units).unwrap().percent();
    assert_eq!([percent(0), percent(6549), percent(6550), percent(10_000)], [0, 65, 66, 100]);
}

#[test]
fn json_is_a_number() {
    let scores = [Score::ZERO, Score::new(0.92).unwrap(), Score::new(0.3).unwrap(), Score::ONE];
    assert_eq!(canon::bytes(&scores).unwrap(), b"[0,0.92,0.3,1]");
    assert_eq!(serde_json::to_string(&scores).unwrap(), "[0,0.92,0.3,1]");
}

#[test]
fn what_is_outside_is_clamped() {
    let clamped =
        [-1.0, f64::NAN, 0.25, 1.0, f64::INFINITY].map(|value| Score::clamped(value).units());
    assert_eq!(clamped, [0, 0, 2_500, 10_000, 10_000]);
    assert_eq!(Score::HALF.units(), 5_000);
}
