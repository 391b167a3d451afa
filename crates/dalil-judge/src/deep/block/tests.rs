use super::*;

/// Bytes that are all different, with a half float at a place.
fn block<const N: usize>(halves: &[(usize, [u8; 2])]) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        (0..N).map(|place| u8::try_from((place * 37 + 11) % 256).unwrap()).collect();
    for (place, half) in halves {
        bytes[*place..place + 2].copy_from_slice(half);
    }
    bytes
}

/// The values are those of the Python package `gguf` for the same bytes.
#[track_caller]
fn check(packing: TensorPacking, bytes: &[u8], expected: &[(usize, f32)], sum: f64) {
    let made = widen_part(packing, bytes);
    assert_eq!(made.len(), 256);
    for (place, value) in expected {
        assert_eq!(made[*place].to_bits(), value.to_bits(), "{place}: {}", made[*place]);
    }
    assert!((made.iter().map(|value| f64::from(*value)).sum::<f64>() - sum).abs() < 1e-9);
}

#[test]
fn four_bits_are_widened_as_the_format_says() {
    let expected = [
        (0, 1.868_560_8),
        (1, -2.325_256_3),
        (31, -0.037_719_727),
        (32, -0.848_266_6),
        (64, 2.765_472_4),
        (100, -0.172_729_49),
        (128, 4.728_973_4),
        (160, 5.273_437_5),
        (223, 2.840_698_2),
        (255, -0.784_057_6),
    ];
    let bytes = block::<144>(&[(0, [76, 34]), (2, [214, 41])]);
    check(TensorPacking::Q4K, &bytes, &expected, 336.312_255_859_375);
}

#[test]
fn six_bits_are_widened_as_the_format_says() {
    let expected = [
        (0, 11.288_864),
        (1, -13.379_395),
        (32, -1.822_311_4),
        (63, 4.575_500_5),
        (64, 23.981_934),
        (100, -19.903_427),
        (127, -11.833_191),
        (129, -3.281_738_3),
        (200, -8.590_897),
        (255, 0.473_327_64),
    ];
    let bytes = block::<210>(&[(208, [10, 160])]);
    check(TensorPacking::Q6K, &bytes, &expected, -36.383_117_675_781_25);
}

#[test]
fn half_floats_are_exact() {
    for (bits, expected) in [
        (0x0000_u16, 0.0_f32),
        (0x0001, 5.960_464_5e-8),
        (0x03ff, 6.097_555e-5),
        (0x0400, 6.103_515_6e-5),
        (0x3c00, 1.0),
        (0xc000, -2.0),
        (0x7bff, 65504.0),
        (0x8001, -5.960_464_5e-8),
        (0x7c00, f32::INFINITY),
    ] {
        assert_eq!(half(bits.to_le_bytes()).to_bits(), expected.to_bits(), "{bits:#x}");
    }
}

#[test]
fn numbers_that_do_not_fill_blocks_have_no_size() {
    assert_eq!(TensorPacking::Q4K.bytes(256), Some(144));
    assert_eq!(TensorPacking::Q6K.bytes(512), Some(420));
    assert_eq!(TensorPacking::Q4K.bytes(255), None);
    assert_eq!(TensorPacking::F32.bytes(usize::MAX), None);
    assert_eq!(TensorPacking::of(2), None);
}
