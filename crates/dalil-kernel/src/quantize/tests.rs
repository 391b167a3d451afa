use proptest::prelude::*;

use super::*;

fn quantized(path: InstructionSet, values: &[f32], width: usize) -> (Vec<i32>, Vec<u32>) {
    let mut rows = QuantizedRows::default();
    rows.quantize(path, values, width);
    let numbers = rows.values.iter().map(|value| i32::from(*value) - 128).collect();
    (numbers, rows.scales.iter().map(|scale| scale.to_bits()).collect())
}

#[test]
fn numbers_are_steps_of_the_rows_largest_over_127() {
    let (numbers, scales) =
        quantized(InstructionSet::best(), &[127.0, -126.5, 0.5, 1.5, 0.0, 0.0, 0.0, 0.0], 4);
    assert_eq!(numbers[..8], [127, -126, 0, 2, 0, 0, 0, 0]);
    assert_eq!(scales[..2], [1.0_f32.to_bits(), 0]);
}

#[test]
fn rows_of_zeros_fill_the_last_tile() {
    let (numbers, scales) = quantized(InstructionSet::best(), &[1.0; 9 * 4 + 3], 4);
    assert_eq!((numbers.len(), scales.len()), (STRIP_ROWS * 4, 16));
    assert!(numbers[9 * 4..].iter().all(|number| *number == 0));
}

#[test]
fn no_values_and_no_width_give_no_rows() {
    for (values, width) in [(&[][..], 4), (&[1.0, 2.0], 0), (&[1.0], 4)] {
        assert_eq!(quantized(InstructionSet::best(), values, width), (vec![], vec![]));
    }
}

#[test]
fn values_that_are_not_numbers_are_survived() {
    let values = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45];
    for path in InstructionSet::all() {
        assert_eq!(quantized(path, &values, 6).0.len(), STRIP_ROWS * 6);
    }
}

proptest! {
    #[test]
    fn every_path_gives_the_same_numbers(
        values in prop::collection::vec(-100.0_f32..100.0, 0..400),
        width in 1_usize..80,
    ) {
        let expected = quantized(InstructionSet::PORTABLE, &values, width);
        for path in InstructionSet::all() {
            prop_assert_eq!(&quantized(path, &values, width), &expected);
        }
    }

    #[test]
    fn a_number_is_within_half_a_step(values in prop::collection::vec(-100.0_f32..100.0, 32)) {
        let (numbers, scales) = quantized(InstructionSet::best(), &values, 32);
        let step = f32::from_bits(scales[0]);
        for (number, value) in numbers.into_iter().zip(values) {
            prop_assert!((number as f32 * step - value).abs() <= step * 0.5001);
        }
    }
}

fn parts(rows: &QuantizedRows) -> (Vec<u8>, Vec<u32>) {
    (rows.values.clone(), rows.scales.iter().map(|scale| scale.to_bits()).collect())
}

type RowMaker = fn(&mut QuantizedRows, InstructionSet, &[f32], usize);

/// Each way to make rows, on every path and with any number of threads.
#[test]
fn threads_and_paths_make_the_same_rows() {
    let values: Vec<f32> = (0..70 * 512).map(|n| (n as f32 * 0.7).sin() * 3.0).collect();
    let ways: [RowMaker; 3] = [
        |rows, path, values, threads| rows.quantize_shared(path, values, 512, threads),
        |rows, path, values, threads| rows.quantize_by_root(path, values, 512, threads),
        |rows, path, values, threads| rows.quantize_gated(path, values, 256, threads),
    ];
    for (number, way) in ways.iter().enumerate() {
        let made = |path, threads| {
            let mut rows = QuantizedRows::default();
            way(&mut rows, path, &values, threads);
            parts(&rows)
        };
        let expected = made(InstructionSet::PORTABLE, 1);
        for path in InstructionSet::all() {
            assert_eq!(made(path, 3), expected, "way {number}, {path:?}");
        }
    }
}

#[test]
fn a_root_goes_into_the_scale() {
    let values: Vec<f32> = (0..64).map(|n| n as f32 - 20.0).collect();
    let (mut plain, mut rooted) = (QuantizedRows::default(), QuantizedRows::default());
    plain.quantize(InstructionSet::best(), &values, 32);
    rooted.quantize_by_root(InstructionSet::best(), &values, 32, 1);
    assert_eq!(plain.values, rooted.values);
    for ((row, plain), rooted) in values.chunks_exact(32).zip(&plain.scales).zip(&rooted.scales) {
        let root = (row.iter().map(|value| value * value).sum::<f32>() / 32.0).sqrt();
        assert!((plain / root - rooted).abs() < 1e-6 * rooted);
    }
}

#[test]
fn gated_rows_are_half_as_wide() {
    let values: Vec<f32> = (0..3 * 512).map(|n| (n as f32 * 0.3).cos()).collect();
    let mut made = QuantizedRows::default();
    made.quantize_gated(InstructionSet::best(), &values, 256, 1);
    let mut gated = vec![0.0; 3 * 256];
    for (values, gated) in values.chunks_exact(512).zip(gated.chunks_exact_mut(256)) {
        gate_and_hadamard(InstructionSet::best(), values, gated);
    }
    let mut expected = QuantizedRows::default();
    expected.quantize(InstructionSet::best(), &gated, 256);
    assert_eq!(parts(&made), parts(&expected));
}
