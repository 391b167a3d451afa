//! Rows of values in eight bits, each row with a scale of its own.

use crate::lane::{LANES, larger, max, round};
use crate::path::{Path, for_each_path};

#[cfg(test)]
mod tests;

/// Rows of numbers from −127 to 127, and what one step of each row is worth.
///
/// The numbers are kept with 128 added, as the instructions that multiply them
/// want them. Rows of zeros follow, up to a multiple of [`TILE`].
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub(crate) width: usize,
    pub(crate) values: Vec<u8>,
    pub(crate) scales: Vec<f32>,
}

/// How many rows a product works on at once.
pub const TILE: usize = 8;

impl Rows {
    /// Takes the rows of `values`, `width` numbers each, and rounds them.
    ///
    /// A row's scale is its largest absolute value over 127; a number becomes the
    /// nearest multiple of it, halves to the even one. What is left after the last
    /// whole row is not taken.
    pub fn quantize(&mut self, path: Path, values: &[f32], width: usize) {
        let count = values.len().checked_div(width).unwrap_or(0);
        let padded = count.next_multiple_of(TILE);
        self.width = width;
        self.values.clear();
        self.values.resize(padded * width, ZERO);
        self.scales.clear();
        self.scales.resize(padded, 0.0);
        if count > 0 {
            rounded(path, values, self);
        }
    }

    /// How many rows there are, those of zeros included.
    pub fn padded(&self) -> usize {
        self.scales.len()
    }
}

for_each_path! {
    /// Fills rows that have their size already.
    pub fn rounded(values: &[f32], rows: &mut Rows) => body;
}

#[inline(always)]
fn body(values: &[f32], rows: &mut Rows) {
    let width = rows.width;
    let made = rows.values.chunks_exact_mut(width).zip(&mut rows.scales);
    for (row, (made, scale)) in values.chunks_exact(width).zip(made) {
        let most = largest(row);
        *scale = most / 127.0;
        let steps = if most > 0.0 { 127.0 / most } else { 0.0 };
        for (value, made) in row.iter().zip(made) {
            *made = low_byte(round(value * steps)).wrapping_add(ZERO);
        }
    }
}

/// A number from −127 to 127 as a byte in two's complement.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the low byte is what is wanted")]
fn low_byte(number: i32) -> u8 {
    number.cast_unsigned() as u8
}

#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let (whole, rest) = row.as_chunks::<LANES>();
    let mut most = [0.0; LANES];
    for lanes in whole {
        for lane in 0..LANES {
            most[lane] = larger(lanes[lane].abs(), most[lane]);
        }
    }
    rest.iter().fold(max(most), |most, value| larger(value.abs(), most))
}

const ZERO: u8 = 128;
