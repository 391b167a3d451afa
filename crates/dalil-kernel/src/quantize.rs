//! Rows of values in eight bits, each row with a scale of its own.

use crate::gate::gate_and_hadamard;
use crate::isa::{InstructionSet, for_each_path};
use crate::share::share;
use crate::simd::{LANES, add, larger, max, round, sum};

#[cfg(test)]
mod tests;

/// Rows of numbers from −127 to 127, and the scale of each row.
///
/// The numbers are kept with 128 added, as the instructions that multiply them want
/// them. Rows of zeros follow, up to a multiple of [`TILE_ROWS`]; after those the
/// memory continues to a multiple of [`STRIP_ROWS`], which a product reads and drops.
#[derive(Clone, Debug, Default)]
pub struct QuantizedRows {
    pub(crate) width: usize,
    pub(crate) values: Vec<u8>,
    pub(crate) scales: Vec<f32>,
}

/// How many rows a product works on at once.
pub const TILE_ROWS: usize = 8;

/// How many rows the widest product works on at once.
pub(crate) const STRIP_ROWS: usize = 32;

/// Some of the rows, from a multiple of [`STRIP_ROWS`] on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowBlock<'r> {
    pub(crate) width: usize,
    /// Whole strips of numbers, also where there are scales for a part of the last.
    pub(crate) values: &'r [u8],
    pub(crate) scales: &'r [f32],
}

impl QuantizedRows {
    /// Takes the rows of `values`, `width` numbers each, and rounds them.
    ///
    /// A row's scale is its largest absolute value over 127; a number becomes the
    /// nearest multiple of it, halves to the even one. Numbers after the last whole
    /// row are not taken.
    pub fn quantize(&mut self, path: InstructionSet, values: &[f32], width: usize) {
        self.fill(values, (width, width), 1, |values, numbers, scales| {
            rounded(path, values, width, numbers, scales);
        });
    }

    /// Like [`QuantizedRows::quantize`], on several threads.
    pub fn quantize_shared(
        &mut self,
        path: InstructionSet,
        values: &[f32],
        width: usize,
        threads: usize,
    ) {
        self.fill(values, (width, width), threads, |values, numbers, scales| {
            rounded(path, values, width, numbers, scales);
        });
    }

    /// Divides each row by its root mean square and rounds it.
    ///
    /// The root goes into the row's scale: the numbers are those of the row itself.
    pub fn quantize_by_root(
        &mut self,
        path: InstructionSet,
        values: &[f32],
        width: usize,
        threads: usize,
    ) {
        self.fill(values, (width, width), threads, |values, numbers, scales| {
            rounded(path, values, width, numbers, scales);
            by_root(path, values, width, scales);
        });
    }

    /// Gates each row, turns it (see [`crate::gate`]) and rounds the result, half as wide.
    pub fn quantize_gated(
        &mut self,
        path: InstructionSet,
        values: &[f32],
        width: usize,
        threads: usize,
    ) {
        self.fill(values, (width * 2, width), threads, |values, numbers, scales| {
            let mut row = vec![0.0; width];
            let made = numbers.chunks_exact_mut(width).zip(scales.chunks_exact_mut(1));
            for (values, (numbers, scale)) in values.chunks_exact(width * 2).zip(made) {
                gate_and_hadamard(path, values, &mut row);
                rounded(path, &row, width, numbers, scale);
            }
        });
    }

    /// Makes place for rows and has them filled, each task with rows of its own.
    fn fill(
        &mut self,
        values: &[f32],
        (from, width): (usize, usize),
        threads: usize,
        round: impl Fn(&[f32], &mut [u8], &mut [f32]) + Sync,
    ) {
        let count = values.len().checked_div(from).unwrap_or(0);
        self.width = width;
        self.values.resize(count.next_multiple_of(STRIP_ROWS) * width, ZERO_POINT);
        self.values[count * width..].fill(ZERO_POINT);
        self.scales.clear();
        self.scales.resize(count.next_multiple_of(TILE_ROWS), 0.0);
        if count > 0 {
            let numbers = self.values[..count * width].chunks_mut(STRIP_ROWS * width);
            let made = numbers.zip(self.scales[..count].chunks_mut(STRIP_ROWS));
            let tasks: Vec<_> =
                values[..count * from].chunks(STRIP_ROWS * from).zip(made).collect();
            share(
                threads,
                tasks,
                || (),
                |(), (values, (numbers, scales))| {
                    round(values, numbers, scales);
                },
            );
        }
    }

    /// The rows in blocks of at most `bytes` bytes, but no fewer rows than a strip.
    pub(crate) fn blocks(&self, bytes: usize) -> impl Iterator<Item = (usize, RowBlock<'_>)> {
        let width = self.width.max(1);
        let strips = (bytes / (width * STRIP_ROWS)).max(1);
        let values = self.values.chunks(strips * STRIP_ROWS * width);
        let blocks = values.zip(self.scales.chunks(strips * STRIP_ROWS));
        blocks.enumerate().map(move |(place, (values, scales))| {
            (place * strips * STRIP_ROWS, RowBlock { width, values, scales })
        })
    }

    /// How many rows there are, those of zeros included.
    pub fn padded(&self) -> usize {
        self.scales.len()
    }
}

for_each_path! {
    /// Fills rows of numbers and their scales.
    pub fn rounded(
        values: &[f32], width: usize, numbers: &mut [u8], scales: &mut [f32],
    ) => round_rows;
}

#[inline(always)]
fn round_rows(values: &[f32], width: usize, numbers: &mut [u8], scales: &mut [f32]) {
    let made = numbers.chunks_exact_mut(width).zip(scales);
    for (row, (made, scale)) in values.chunks_exact(width).zip(made) {
        let most = largest(row);
        *scale = most / 127.0;
        let steps = if most > 0.0 { 127.0 / most } else { 0.0 };
        for (value, made) in row.iter().zip(made) {
            *made = low_byte(round(value * steps)).wrapping_add(ZERO_POINT);
        }
    }
}

for_each_path! {
    /// Divides the scale of each row by the root of the mean of its squares.
    ///
    /// Squares are added in sixteen lanes; numbers after the last sixteen of a row
    /// do not count.
    pub fn by_root(values: &[f32], width: usize, scales: &mut [f32]) => divide_by_root;
}

#[inline(always)]
fn divide_by_root(values: &[f32], width: usize, scales: &mut [f32]) {
    for (row, scale) in values.chunks_exact(width).zip(scales) {
        let mut squares = [0.0; LANES];
        for lanes in row.as_chunks::<LANES>().0 {
            squares = add(squares, lanes.map(|value| value * value));
        }
        *scale /= (sum(squares) / width as f32 + RMS_NORM_EPSILON).sqrt();
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

const ZERO_POINT: u8 = 128;
/// Keeps the root of a row of zeros from being zero; Qwen2's own.
const RMS_NORM_EPSILON: f32 = 1e-6;
