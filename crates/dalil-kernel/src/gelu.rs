//! The Gaussian error linear unit, with the error function itself.

use crate::isa::for_each_path;
use crate::simd::{LANES, erf};

#[cfg(test)]
mod tests;

for_each_path! {
    /// Replaces each x by x · Φ(x).
    pub fn gelu(values: &mut [f32]) => body;
}

#[inline(always)]
fn body(values: &mut [f32]) {
    let (whole, rest) = values.as_chunks_mut::<LANES>();
    for lanes in whole {
        for value in lanes {
            *value = one(*value);
        }
    }
    for value in rest {
        *value = one(*value);
    }
}

#[inline(always)]
fn one(value: f32) -> f32 {
    let half = value * 0.5;
    half + half * erf(value * std::f32::consts::FRAC_1_SQRT_2)
}
