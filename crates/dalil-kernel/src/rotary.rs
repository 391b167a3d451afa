//! Positions as angles: each pair of numbers of a head turns with the place of its token.

use crate::isa::for_each_path;

#[cfg(test)]
mod tests;

/// Cosines and sines for every position that a text can have.
#[derive(Clone, Debug)]
pub struct RotaryTable {
    half: usize,
    /// For each position, `half` cosines, then `half` sines.
    turns: Vec<f32>,
}

impl RotaryTable {
    /// A table for heads of `2 * half` numbers; the pair n turns by `ratio` to the power n.
    ///
    /// Made by multiplying complex numbers in 64 bits, whose first comes from a
    /// series: no function of the platform, so the same bits everywhere, and after
    /// thousands of positions still exact to more than 32 bits hold.
    pub fn new(half: usize, ratio: f64, positions: usize) -> Self {
        let mut turns = vec![0.0; half * 2 * positions];
        let mut angle = 1.0;
        for pair in 0..half {
            let (step_cosine, step_sine) = unit(angle);
            let (mut cosine, mut sine) = (1.0, 0.0);
            for row in turns.chunks_exact_mut(half * 2) {
                row[pair] = narrow(cosine);
                row[pair + half] = narrow(sine);
                (cosine, sine) = (
                    cosine * step_cosine - sine * step_sine,
                    cosine * step_sine + sine * step_cosine,
                );
            }
            angle *= ratio;
        }
        Self { half, turns }
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.turns.len().checked_div(self.half * 2).unwrap_or(0)
    }

    /// The angles of a position; of the last one, for those beyond.
    fn at(&self, position: usize) -> (&[f32], &[f32]) {
        let position = position.min(self.positions().saturating_sub(1));
        self.turns[position * self.half * 2..][..self.half * 2].split_at(self.half)
    }
}

for_each_path! {
    /// Turns the heads at the beginning of a row, whose token is at `position`.
    ///
    /// The first half of a head holds the first numbers of its pairs, the second
    /// half the second ones, as in the transformers library.
    pub fn rotate(table: &RotaryTable, heads: &mut [f32], position: usize) => body;
}

#[inline(always)]
fn body(table: &RotaryTable, heads: &mut [f32], position: usize) {
    let half = table.half;
    if half == 0 || table.turns.is_empty() {
        return;
    }
    let (cosines, sines) = table.at(position);
    for head in heads.chunks_exact_mut(half * 2) {
        let (ones, others) = head.split_at_mut(half);
        for (((one, other), cosine), sine) in ones.iter_mut().zip(others).zip(cosines).zip(sines) {
            let (first, second) = (*one, *other);
            *one = first * cosine - second * sine;
            *other = second * cosine + first * sine;
        }
    }
}

/// Cosine and sine of an angle of at most one, by their series.
fn unit(angle: f64) -> (f64, f64) {
    let square = angle * angle;
    let (mut cosine, mut sine) = (1.0, 1.0);
    for term in (1..=TAYLOR_TERMS).rev() {
        let term = f64::from(term);
        cosine = 1.0 - cosine * square / ((2.0 * term - 1.0) * (2.0 * term));
        sine = 1.0 - sine * square / ((2.0 * term) * (2.0 * term + 1.0));
    }
    (cosine, sine * angle)
}

#[expect(clippy::cast_possible_truncation, reason = "the nearest float is what is wanted")]
fn narrow(value: f64) -> f32 {
    value as f32
}

/// 1 / 24! is far below the precision of 64 bits beside one.
const TAYLOR_TERMS: u32 = 12;
