//! Layer normalisation.

use crate::isa::for_each_path;
use crate::simd::{LANES, add, sum};

#[cfg(test)]
mod tests;

/// The weight and the bias of a normalisation, for each place of a row.
#[derive(Clone, Debug)]
pub struct LayerNorm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl LayerNorm {
    /// A normalisation of rows as long as `weight`, a multiple of [`LANES`] and as long as `bias`.
    pub fn new(weight: Vec<f32>, bias: Vec<f32>) -> Option<Self> {
        let fits =
            !weight.is_empty() && weight.len() == bias.len() && weight.len().is_multiple_of(LANES);
        fits.then_some(Self { weight, bias })
    }
}

for_each_path! {
    /// Normalises each row of `values` in place: mean 0, variance 1, then weight and bias.
    ///
    /// Numbers after the last whole row are not touched.
    pub fn normalize(norm: &LayerNorm, values: &mut [f32]) => body;
}

#[inline(always)]
fn body(norm: &LayerNorm, values: &mut [f32]) {
    let width = norm.weight.len();
    let share = 1.0 / width as f32;
    let (weight, _) = norm.weight.as_chunks::<LANES>();
    let (bias, _) = norm.bias.as_chunks::<LANES>();
    for row in values.chunks_exact_mut(width) {
        let (row, _) = row.as_chunks_mut::<LANES>();
        let mut total = [0.0; LANES];
        for lanes in &*row {
            total = add(total, *lanes);
        }
        let mean = sum(total) * share;
        let mut squares = [0.0; LANES];
        for lanes in &mut *row {
            *lanes = lanes.map(|value| value - mean);
            squares = add(squares, lanes.map(|value| value * value));
        }
        let scale = 1.0 / (sum(squares) * share + LAYER_NORM_EPSILON).sqrt();
        for ((lanes, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
            *lanes = std::array::from_fn(|lane| lanes[lane] * scale * weight[lane] + bias[lane]);
        }
    }
}

const LAYER_NORM_EPSILON: f32 = 1e-12;
