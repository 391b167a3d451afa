use super::*;
use crate::isa::InstructionSet;

#[test]
fn every_path_gives_the_same_bits_for_any_length() {
    for length in [0, 1, 15, 16, 17, 100, 1536] {
        let values: Vec<f32> = (0..length).map(|n| (n as f32 * 0.37).sin() * 6.0).collect();
        let made = |path| {
            let mut values = values.clone();
            gelu(path, &mut values);
            values.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let expected = made(InstructionSet::PORTABLE);
        for path in InstructionSet::all() {
            assert_eq!(made(path), expected, "{path:?}, {length} values");
        }
    }
}

#[test]
fn the_unit_keeps_the_large_drops_the_small_and_bends_between() {
    let mut values = [-10.0, -1.0, 0.0, 0.5, 1.0, 10.0];
    gelu(InstructionSet::best(), &mut values);
    let expected = [0.0, -0.158_655_25, 0.0, 0.345_731_23, 0.841_344_8, 10.0];
    for (value, expected) in values.into_iter().zip(expected) {
        assert!((value - expected).abs() < 1e-6, "{value}, expected {expected}");
    }
}
