use proptest::prelude::*;

use super::*;

fn quantized(path: Path, values: &[f32], width: usize) -> (Vec<i32>, Vec<u32>) {
    let mut rows = Rows::default();
    rows.quantize(path, values, width);
    let numbers = rows.values.iter().map(|value| i32::from(*value) - 128).collect();
    (numbers, rows.scales.iter().map(|scale| scale.to_bits()).collect())
}

#[test]
fn numbers_are_steps_of_the_rows_largest_over_127() {
    let (numbers, scales) =
        quantized(Path::best(), &[127.0, -126.5, 0.5, 1.5, 0.0, 0.0, 0.0, 0.0], 4);
    assert_eq!(numbers[..8], [127, -126, 0, 2, 0, 0, 0, 0]);
    assert_eq!(scales[..2], [1.0_f32.to_bits(), 0]);
}

#[test]
fn rows_of_zeros_fill_the_last_tile() {
    let (numbers, scales) = quantized(Path::best(), &[1.0; 9 * 4 + 3], 4);
    assert_eq!((numbers.len(), scales.len()), (16 * 4, 16));
    assert!(numbers[9 * 4..].iter().all(|number| *number == 0));
}

#[test]
fn no_values_and_no_width_give_no_rows() {
    for (values, width) in [(&[][..], 4), (&[1.0, 2.0], 0), (&[1.0], 4)] {
        assert_eq!(quantized(Path::best(), values, width), (vec![], vec![]));
    }
}

#[test]
fn values_that_are_not_numbers_are_survived() {
    let values = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45];
    for path in Path::all() {
        assert_eq!(quantized(path, &values, 6).0.len(), 8 * 6);
    }
}

proptest! {
    #[test]
    fn every_path_gives_the_same_numbers(
        values in prop::collection::vec(-100.0_f32..100.0, 0..400),
        width in 1_usize..80,
    ) {
        let expected = quantized(Path::PORTABLE, &values, width);
        for path in Path::all() {
            prop_assert_eq!(&quantized(path, &values, width), &expected);
        }
    }

    #[test]
    fn a_number_is_within_half_a_step(values in prop::collection::vec(-100.0_f32..100.0, 32)) {
        let (numbers, scales) = quantized(Path::best(), &values, 32);
        let step = f32::from_bits(scales[0]);
        for (number, value) in numbers.into_iter().zip(values) {
            prop_assert!((number as f32 * step - value).abs() <= step * 0.5001);
        }
    }
}
