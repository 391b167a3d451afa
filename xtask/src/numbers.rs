//! Doubles and their canonical text, for Node to disagree with.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_proof::score::Score;
use serde::Serialize;

/// Writes a line for each number: its bits in hex, a space, its canonical text.
pub(crate) fn write(path: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for value in doubles() {
        write_line(&mut file, value, &Json::Number(value))?;
    }
    for score in (0..=u16::MAX).map_while(Score::from_units) {
        write_line(&mut file, score.value(), &score)?;
    }
    file.flush()
}

fn write_line(file: &mut impl io::Write, bits: f64, value: &impl Serialize) -> io::Result<()> {
    let text = canon::bytes(value).map_err(io::Error::other)?;
    writeln!(file, "{:016x} {}", bits.to_bits(), String::from_utf8_lossy(&text))
}

/// Random bit patterns, and the neighbourhoods where number printers go wrong.
fn doubles() -> impl Iterator<Item = f64> {
    let mut random = SplitMix64(SEED);
    let anywhere: Vec<f64> =
        (0..RANDOM_DOUBLE_COUNT).map(|_| f64::from_bits(random.next())).collect();
    // The upper 12 bits, sign and exponent, become 0: every one of these is subnormal.
    let subnormal =
        (0..EDGE_CASE_COUNT).map(|_| f64::from_bits(random.next() >> 12)).collect::<Vec<_>>();
    let halves: Vec<f64> = (0..EDGE_CASE_COUNT).map(|_| whole(random.next() >> 12) / 2.0).collect();
    let decimals: Vec<f64> = (0..EDGE_CASE_COUNT)
        .map(|_| whole(random.next() >> 40) / 10_f64.powi(small(random.next() >> 60)))
        .collect();
    let powers_of_two = (-1074..=1023).map(|power| 2_f64.powi(power));
    let powers_of_ten = (-323..=308).map(|power| 10_f64.powi(power));
    let near = powers_of_two.chain(powers_of_ten).flat_map(around);
    let all = near.chain(anywhere).chain(subnormal).chain(halves).chain(decimals);
    all.flat_map(|value| [value, -value]).filter(|value| value.is_finite())
}

/// A double and its neighbours, by one step of its bits and by one.
fn around(value: f64) -> [f64; 5] {
    let bits = value.to_bits();
    let (below, above) = (bits.saturating_sub(1), bits.saturating_add(1));
    [f64::from_bits(below), value, f64::from_bits(above), value - 1.0, value + 1.0]
}

#[expect(clippy::cast_precision_loss, reason = "any double will do")]
fn whole(bits: u64) -> f64 {
    bits as f64
}

fn small(bits: u64) -> i32 {
    i32::try_from(bits).unwrap_or(0)
}

/// `SplitMix64`: the same numbers on every machine.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }
}

const SEED: u64 = 8785;
const RANDOM_DOUBLE_COUNT: usize = 100_000;
const EDGE_CASE_COUNT: usize = 10_000;
