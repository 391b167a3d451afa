use super::*;
use crate::isa::InstructionSet;

fn rows(count: usize) -> Vec<f32> {
    (0..count).map(|n| (n as f32 * 0.7).sin() * 3.0 + 1.0).collect()
}

fn norm(width: usize) -> LayerNorm {
    let weight = (0..width).map(|n| 1.0 + n as f32 / 100.0).collect();
    LayerNorm::new(weight, (0..width).map(|n| n as f32 / 50.0).collect()).unwrap()
}

#[test]
fn every_path_gives_the_same_bits() {
    let made = |path| {
        let mut values = rows(64 * 5 + 3);
        normalize(path, &norm(64), &mut values);
        values.into_iter().map(f32::to_bits).collect::<Vec<_>>()
    };
    for path in InstructionSet::all() {
        assert_eq!(made(path), made(InstructionSet::PORTABLE), "{path:?}");
    }
}

#[test]
fn a_row_gets_mean_and_variance_from_the_norm_and_the_rest_is_left() {
    let (before, mut values) = (rows(64 + 2), rows(64 + 2));
    normalize(InstructionSet::best(), &norm(64), &mut values);
    let row: Vec<f64> = before[..64].iter().copied().map(f64::from).collect();
    let mean = row.iter().sum::<f64>() / 64.0;
    let variance = row.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 64.0;
    for (n, value) in row.iter().enumerate() {
        let n_f = f64::from(u8::try_from(n).unwrap());
        let expected = (value - mean) / variance.sqrt() * (1.0 + n_f / 100.0) + n_f / 50.0;
        assert!((f64::from(values[n]) - expected).abs() < 1e-5, "place {n}");
    }
    assert_eq!(values[64..], before[64..]);
}

#[test]
fn a_constant_row_becomes_the_bias() {
    let mut values = vec![2.5; 64];
    normalize(InstructionSet::best(), &norm(64), &mut values);
    assert_eq!(values, norm(64).bias);
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    for (weight, bias) in [(0, 0), (15, 15), (16, 32), (24, 24)] {
        assert!(
            LayerNorm::new(vec![1.0; weight], vec![0.0; bias]).is_none(),
            "{weight} and {bias}"
        );
    }
}
