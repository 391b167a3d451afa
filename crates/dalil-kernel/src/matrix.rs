//! Weights in eight bits, packed once, and their product with rows.

use crate::path::Path;
use crate::rows::{Rows, TILE};

mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

/// A linear layer: for each output a row of weights, their scale and a bias.
///
/// Packed in panels of [`PANEL`] outputs; in a panel, four inputs of each output
/// stand together, as the instructions that multiply them want them.
#[derive(Clone, Debug)]
pub struct Matrix {
    inputs: usize,
    outputs: usize,
    weights: Vec<i8>,
    /// What takes 128, added to every number of a row, out of a sum again.
    offsets: Vec<i32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

/// How many outputs stand in a panel.
pub const PANEL: usize = 32;

/// Integer sums of a tile of rows with a panel.
type Sums = [[i32; PANEL]; TILE];

impl Matrix {
    /// Packs `weights`, the bytes of signed integers, a row for each output.
    ///
    /// None if inputs or outputs are not multiples of [`PANEL`], if there are more
    /// inputs than an integer sum can hold, if the lengths do not fit together, or
    /// if a weight is −128, whose opposite has no place in eight bits.
    pub fn pack(weights: &[u8], scales: &[f32], bias: &[f32]) -> Option<Self> {
        let outputs = scales.len();
        let inputs = weights.len().checked_div(outputs)?;
        let fits = inputs > 0
            && inputs <= MAX_INPUTS
            && inputs.is_multiple_of(PANEL)
            && outputs.is_multiple_of(PANEL)
            && inputs * outputs == weights.len()
            && bias.len() == outputs
            && !weights.contains(&i8::MIN.cast_unsigned());
        fits.then(|| {
            let mut packed = vec![0; weights.len()];
            let panels = weights.chunks_exact(inputs * PANEL);
            for (panel, packed) in panels.zip(packed.chunks_exact_mut(inputs * PANEL)) {
                pack_panel(panel, inputs, packed);
            }
            let sum =
                |row: &[u8]| row.iter().map(|weight| i32::from(weight.cast_signed())).sum::<i32>();
            Self {
                inputs,
                outputs,
                weights: packed,
                offsets: weights.chunks_exact(inputs).map(|row| -128 * sum(row)).collect(),
                scales: scales.to_vec(),
                bias: bias.to_vec(),
            }
        })
    }

    /// How many numbers a row must have.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many numbers a row of the product has.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The product with each of `rows`, in `made`: (sum · row's scale) · output's scale + bias.
    ///
    /// Rows of another width give nothing.
    pub fn product(&self, path: Path, rows: &Rows, made: &mut Vec<f32>) {
        made.clear();
        if rows.width == self.inputs {
            made.resize(rows.padded() * self.outputs, 0.0);
            self.fill(path, rows, made);
        }
    }
}

fn pack_panel(panel: &[u8], inputs: usize, packed: &mut [i8]) {
    for (output, row) in panel.chunks_exact(inputs).enumerate() {
        let (fours, _) = row.as_chunks::<4>();
        let (packed, _) = packed.as_chunks_mut::<4>();
        for (four, place) in fours.iter().zip(packed.iter_mut().skip(output).step_by(PANEL)) {
            *place = four.map(u8::cast_signed);
        }
    }
}

/// The sums of more inputs could exceed 32 bits: 65,536 · 255 · 127 < 2^31.
const MAX_INPUTS: usize = 65_536;
