use proptest::prelude::*;

use super::*;

/// A weight or value that is different at each place, and often an extreme.
fn number(place: usize, seed: u64) -> i8 {
    let mixed = (place as u64 + 1).wrapping_mul(seed | 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    match mixed % 8 {
        0 => 127,
        1 => -127,
        _ => i8::try_from(mixed / 8 % 255).unwrap_or_default().max(-127),
    }
}

fn matrix(inputs: usize, outputs: usize, seed: u64) -> (Vec<i8>, PackedMatrix) {
    let weights: Vec<i8> = (0..inputs * outputs).map(|place| number(place, seed)).collect();
    let bytes: Vec<u8> = weights.iter().map(|weight| weight.cast_unsigned()).collect();
    let scales: Vec<f32> = (0..outputs).map(|output| 0.001 + output as f32 * 1e-5).collect();
    let bias: Vec<f32> = (0..outputs).map(|output| output as f32 / 7.0 - 3.0).collect();
    (weights, PackedMatrix::pack(&bytes, &scales, &bias).unwrap())
}

fn rows(count: usize, width: usize, seed: u64) -> QuantizedRows {
    let values: Vec<f32> =
        (0..count * width).map(|place| f32::from(number(place, seed ^ 0x5555))).collect();
    let mut rows = QuantizedRows::default();
    rows.quantize(InstructionSet::PORTABLE, &values, width);
    rows
}

/// Each path against sums in 64 bits.
fn check(count: usize, inputs: usize, outputs: usize, seed: u64) {
    let (weights, matrix) = matrix(inputs, outputs, seed);
    let rows = rows(count, inputs, seed);
    let mut expected = Vec::new();
    for (values, step) in rows.values.chunks_exact(inputs).zip(&rows.scales) {
        for (output, weights) in weights.chunks_exact(inputs).enumerate() {
            let product =
                |(value, weight): (&u8, &i8)| (i64::from(*value) - 128) * i64::from(*weight);
            let sum: i64 = values.iter().zip(weights).map(product).sum();
            expected.push(sum as f32 * step * matrix.scales[output] + matrix.bias[output]);
        }
    }
    for path in InstructionSet::all() {
        let mut made = vec![1.0];
        matrix.product(path, &rows, &mut made);
        assert_eq!(made, expected, "{path:?}, {count} rows, {inputs} to {outputs}");
        matrix.view().product(path, &rows, &mut made, 3);
        assert_eq!(made, expected, "{path:?}, three threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_path_gives_the_exact_product(
        count in 0_usize..40, inputs in 1_usize..6, outputs in 1_usize..5, seed: u64,
    ) {
        check(count, inputs * PANEL_OUTPUTS, outputs * PANEL_OUTPUTS, seed);
    }
}

#[test]
fn products_of_the_models_own_shapes_are_exact() {
    for (inputs, outputs) in [(384, 1152), (384, 384), (384, 1536), (1536, 384)] {
        check(5, inputs, outputs, 7);
    }
}

#[test]
fn extremes_do_not_overflow() {
    let bytes = vec![127; 4096 * PANEL_OUTPUTS];
    let matrix = PackedMatrix::pack(&bytes, &[1.0; PANEL_OUTPUTS], &[0.0; PANEL_OUTPUTS]).unwrap();
    let mut rows = QuantizedRows::default();
    for sign in [1.0, -1.0] {
        rows.quantize(InstructionSet::PORTABLE, &[127.0 * sign; 4096], 4096);
        for path in InstructionSet::all() {
            let mut made = Vec::new();
            matrix.product(path, &rows, &mut made);
            assert_eq!(
                made[..PANEL_OUTPUTS],
                [4096.0 * 127.0 * 127.0 * sign; PANEL_OUTPUTS],
                "{path:?}"
            );
        }
    }
}

#[test]
fn more_rows_than_a_block_give_the_same() {
    check(75, 16_384 + 64, 64, 3);
}

#[test]
fn a_view_of_packed_weights_is_the_same_layer() {
    let (weights, matrix) = matrix(64, 32, 5);
    let bytes: Vec<u8> = weights.iter().map(|weight| weight.cast_unsigned()).collect();
    let mut packed = vec![0; bytes.len()];
    pack_panel(&bytes, 64, &mut packed);
    let offsets: Vec<i32> = bytes.chunks_exact(64).map(offset).collect();
    let view = MatrixView::new(&packed, &offsets, &matrix.scales, &matrix.bias).unwrap();
    let (mut one, mut other) = (Vec::new(), Vec::new());
    view.product(InstructionSet::best(), &rows(5, 64, 2), &mut one, 1);
    matrix.product(InstructionSet::best(), &rows(5, 64, 2), &mut other);
    assert_eq!(one, other);
    assert!(MatrixView::new(&packed, &offsets[1..], &matrix.scales, &matrix.bias).is_none());
    assert!(MatrixView::new(&packed[1..], &offsets, &matrix.scales, &matrix.bias).is_none());
    assert!(MatrixView::new(&packed, &offsets, &matrix.scales, &[]).is_none());
    assert!(MatrixView::new(&[], &[], &[], &[]).is_none());
}

#[test]
fn rows_of_another_width_give_nothing() {
    let mut made = vec![1.0];
    matrix(32, 32, 1).1.product(InstructionSet::best(), &rows(3, 64, 1), &mut made);
    assert_eq!(made, Vec::<f32>::new());
}

#[test]
fn what_cannot_be_packed_is_refused() {
    let zeros = |count| vec![0_u8; count];
    let floats = |count| vec![0.0_f32; count];
    for (what, weights, scales, bias) in [
        ("nothing", zeros(0), floats(0), floats(0)),
        ("no inputs", zeros(0), floats(32), floats(32)),
        ("inputs that are not whole steps", zeros(20 * 32), floats(32), floats(32)),
        ("outputs that are not whole panels", zeros(32 * 20), floats(20), floats(20)),
        ("a weight too many", zeros(32 * 32 + 1), floats(32), floats(32)),
        ("a bias too few", zeros(32 * 32), floats(32), floats(31)),
        ("-128", vec![128; 32 * 32], floats(32), floats(32)),
        ("more inputs than fit", zeros((65_536 + 32) * 32), floats(32), floats(32)),
    ] {
        assert!(PackedMatrix::pack(&weights, &scales, &bias).is_none(), "{what}");
    }
}
