use super::*;
use crate::isa::InstructionSet;

fn made(path: InstructionSet, values: &[f32]) -> Vec<f32> {
    let mut made = vec![0.0; values.len() / 2];
    gate_and_hadamard(path, values, &mut made);
    made
}

fn sample(count: usize) -> Vec<f32> {
    (0..count * 2).map(|n| (n as f32 * 0.37).sin() * 6.0).collect()
}

#[test]
fn every_path_gives_the_same_bits() {
    for count in [0, 16, 256, 512, 528] {
        let bits =
            |path| made(path, &sample(count)).into_iter().map(f32::to_bits).collect::<Vec<_>>();
        for path in InstructionSet::all() {
            assert_eq!(bits(path), bits(InstructionSet::PORTABLE), "{path:?}, {count} numbers");
        }
    }
}

#[test]
fn gates_are_swish_and_the_turn_is_a_hadamard_matrix() {
    let values = sample(HADAMARD_SIZE);
    let gated: Vec<f64> = (0..HADAMARD_SIZE)
        .map(|place| {
            let at = place / LANES * LANES * 2 + place % LANES;
            let (gate, value) = (f64::from(values[at]), f64::from(values[at + LANES]));
            gate / (1.0 + (-gate).exp()) * value
        })
        .collect();
    for (place, made) in made(InstructionSet::best(), &values).into_iter().enumerate() {
        let sign = |other: usize| 1.0 - f64::from((place & other).count_ones() % 2) * 2.0;
        let expected: f64 =
            gated.iter().enumerate().map(|(other, value)| sign(other) * value).sum::<f64>() / 16.0;
        assert!((f64::from(made) - expected).abs() < 1e-4, "{place}: {made}, not {expected}");
    }
}

#[test]
fn what_does_not_fill_a_turn_is_gated_only() {
    let values = sample(16);
    let gate = values[3];
    let expected = gate / (1.0 + exp(-gate)) * values[19];
    assert_eq!(made(InstructionSet::best(), &values)[3].to_bits(), expected.to_bits());
}
