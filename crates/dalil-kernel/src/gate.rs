//! Gated values, rotated so that none of them is an outlier.

use crate::isa::for_each_path;
use crate::simd::{LANES, Lanes, add, exp};

#[cfg(test)]
mod tests;

/// How many numbers are turned together.
pub const HADAMARD_SIZE: usize = 256;

for_each_path! {
    /// Makes x · σ(x) · y of each gate x and its value y, then turns each [`HADAMARD_SIZE`] of them.
    ///
    /// `values` holds sixteen gates, the sixteen values that belong to them, the next
    /// gates and so on, twice as many numbers as `made`. Numbers that do not fill a
    /// turn are left as they are.
    pub fn gate_and_hadamard(values: &[f32], made: &mut [f32]) => body;
}

#[inline(always)]
fn body(values: &[f32], made: &mut [f32]) {
    let (pairs, _) = values.as_chunks::<{ LANES * 2 }>();
    for (pair, made) in pairs.iter().zip(made.as_chunks_mut::<LANES>().0) {
        for lane in 0..LANES {
            let gate = pair[lane];
            made[lane] = gate / (1.0 + exp(-gate)) * pair[lane + LANES];
        }
    }
    for block in made.as_chunks_mut::<HADAMARD_SIZE>().0 {
        hadamard_block(block);
    }
}

/// Multiplies by the Hadamard matrix of 256 over 16, its own inverse.
///
/// An orthogonal turn loses nothing, and it spreads a number that is far larger
/// than its neighbours over all of them, so that eight bits hold the rest.
#[inline(always)]
fn hadamard_block(block: &mut [f32; HADAMARD_SIZE]) {
    let (rows, _) = block.as_chunks_mut::<LANES>();
    let mut half = 1;
    while half < HADAMARD_SIZE / LANES {
        for start in (0..HADAMARD_SIZE / LANES).step_by(half * 2) {
            for row in start..start + half {
                let (one, other) = (rows[row], rows[row + half]);
                rows[row] = add(one, other);
                rows[row + half] = std::array::from_fn(|lane| one[lane] - other[lane]);
            }
        }
        half *= 2;
    }
    for row in rows {
        *row = across::<1>(across::<2>(across::<4>(across::<8>(*row)))).map(|value| value / 16.0);
    }
}

/// Sums and differences of lanes that are `HALF` apart.
#[inline(always)]
fn across<const HALF: usize>(lanes: Lanes) -> Lanes {
    std::array::from_fn(|lane| {
        if lane & HALF == 0 {
            lanes[lane] + lanes[lane + HALF]
        } else {
            lanes[lane - HALF] - lanes[lane]
        }
    })
}
