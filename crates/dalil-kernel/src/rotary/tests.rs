use super::*;
use crate::isa::InstructionSet;

/// 1,000,000 to the power of −1/64.
const RATIO: f64 = 0.805_842_187_761_481_8;

#[test]
fn angles_are_those_of_the_definition() {
    let table = RotaryTable::new(64, RATIO, 8192);
    for position in [0, 1, 2, 77, 1000, 8191] {
        let (cosines, sines) = table.at(position);
        for pair in 0..64 {
            let angle = position as f64 * 1e6_f64.powf(-(pair as f64) / 64.0);
            let difference = (f64::from(cosines[pair]) - angle.cos()).abs()
                + (f64::from(sines[pair]) - angle.sin()).abs();
            assert!(difference < 2e-7, "position {position}, pair {pair}: {difference}");
        }
    }
}

#[test]
fn every_path_gives_the_same_bits() {
    let table = RotaryTable::new(64, RATIO, 100);
    let made = |path| {
        let mut heads: Vec<f32> = (0..256).map(|n| (n as f32).cos()).collect();
        rotate(path, &table, &mut heads, 55);
        heads.into_iter().map(f32::to_bits).collect::<Vec<_>>()
    };
    for path in InstructionSet::all() {
        assert_eq!(made(path), made(InstructionSet::PORTABLE), "{path:?}");
    }
}

#[test]
fn a_pair_turns_and_keeps_its_length() {
    let table = RotaryTable::new(2, 0.5, 4);
    let mut head = [1.0, 0.0, 0.0, 1.0];
    rotate(InstructionSet::best(), &table, &mut head, 1);
    let expected = [1.0_f32.cos(), -(0.5_f32.sin()), 1.0_f32.sin(), 0.5_f32.cos()];
    for (made, expected) in head.iter().zip(expected) {
        assert!((made - expected).abs() < 1e-6);
    }
}

#[test]
fn beyond_the_table_stands_its_last_position() {
    let table = RotaryTable::new(2, 0.5, 4);
    let made = |position| {
        let mut head = [1.0, 2.0, 3.0, 4.0];
        rotate(InstructionSet::best(), &table, &mut head, position);
        head.map(f32::to_bits)
    };
    assert_eq!(made(99), made(3));
    let mut head = [1.0; 4];
    rotate(InstructionSet::best(), &RotaryTable::new(2, 0.5, 0), &mut head, 3);
    assert_eq!(head.map(f32::to_bits), [1.0_f32; 4].map(f32::to_bits));
}
