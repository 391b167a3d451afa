//! Weights in eight bits, packed once, and their product with rows.

use std::ops::Range;

use crate::isa::InstructionSet;
use crate::quantize::{QuantizedRows, TILE_ROWS};
use crate::share::share;

mod portable;
mod stripe;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86;

/// A linear layer: for each output a row of weights, their scale and a bias.
///
/// Packed in panels of [`PANEL_OUTPUTS`] outputs; in a panel, four inputs of each output
/// stand together, as the instructions that multiply them want them.
#[derive(Clone, Debug)]
pub struct PackedMatrix {
    inputs: usize,
    outputs: usize,
    weights: Vec<u8>,
    /// Corrections of the sums for the 128 that is added to every number of a row.
    offsets: Vec<i32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

/// A linear layer whose packed weights are somewhere else, for instance in the bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct MatrixView<'m> {
    inputs: usize,
    outputs: usize,
    weights: &'m [u8],
    offsets: &'m [i32],
    scales: &'m [f32],
    bias: &'m [f32],
}

/// One panel of a layer.
#[derive(Clone, Copy, Debug)]
struct PanelView<'m> {
    weights: &'m [u8],
    offsets: &'m [i32; PANEL_OUTPUTS],
    scales: &'m [f32; PANEL_OUTPUTS],
    bias: &'m [f32; PANEL_OUTPUTS],
}

/// How many outputs stand in a panel.
pub const PANEL_OUTPUTS: usize = 32;

/// Integer sums of a tile of rows with a panel.
type TileSums = [[i32; PANEL_OUTPUTS]; TILE_ROWS];

impl PackedMatrix {
    /// Packs `weights`, the bytes of signed integers, a row for each output.
    ///
    /// None if inputs or outputs are not multiples of [`PANEL_OUTPUTS`], if there are more
    /// inputs than an integer sum can hold, if the lengths do not fit together, or
    /// if a weight is −128, whose opposite has no place in eight bits.
    pub fn pack(weights: &[u8], scales: &[f32], bias: &[f32]) -> Option<Self> {
        let outputs = scales.len();
        let inputs = weights.len().checked_div(outputs)?;
        let fits = inputs > 0
            && inputs <= MAX_INPUTS
            && inputs.is_multiple_of(PANEL_OUTPUTS)
            && outputs.is_multiple_of(PANEL_OUTPUTS)
            && inputs * outputs == weights.len()
            && bias.len() == outputs
            && !weights.contains(&i8::MIN.cast_unsigned());
        fits.then(|| {
            let mut packed = vec![0; weights.len()];
            let panels = weights.chunks_exact(inputs * PANEL_OUTPUTS);
            for (panel, packed) in panels.zip(packed.chunks_exact_mut(inputs * PANEL_OUTPUTS)) {
                pack_panel(panel, inputs, packed);
            }
            Self {
                inputs,
                outputs,
                weights: packed,
                offsets: weights.chunks_exact(inputs).map(offset).collect(),
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

    /// The product with each of `rows`, in `made`, as [`MatrixView::product`] makes it.
    pub fn product(&self, path: InstructionSet, rows: &QuantizedRows, made: &mut Vec<f32>) {
        self.view().product(path, rows, made, 1);
    }

    /// The layer as a view.
    pub fn view(&self) -> MatrixView<'_> {
        MatrixView {
            inputs: self.inputs,
            outputs: self.outputs,
            weights: &self.weights,
            offsets: &self.offsets,
            scales: &self.scales,
            bias: &self.bias,
        }
    }
}

impl<'m> MatrixView<'m> {
    /// A view of weights that [`pack_panel`] has packed, with an [`offset`] for each output.
    ///
    /// None if the lengths do not fit together, as in [`PackedMatrix::pack`]. That no
    /// weight is −128 is for the caller to know: one would make the product differ
    /// between processors.
    pub fn new(
        weights: &'m [u8],
        offsets: &'m [i32],
        scales: &'m [f32],
        bias: &'m [f32],
    ) -> Option<Self> {
        let outputs = scales.len();
        let inputs = weights.len().checked_div(outputs)?;
        let fits = inputs > 0
            && inputs <= MAX_INPUTS
            && inputs.is_multiple_of(PANEL_OUTPUTS)
            && outputs.is_multiple_of(PANEL_OUTPUTS)
            && inputs * outputs == weights.len()
            && offsets.len() == outputs
            && bias.len() == outputs;
        fits.then_some(Self { inputs, outputs, weights, offsets, scales, bias })
    }

    /// The product with each of `rows`, in `made`: (sum · row's scale) · output's scale + bias.
    ///
    /// Each of `threads` computes some of the outputs, so that a weight is read by
    /// one of them. Rows of another width give nothing.
    pub fn product(
        &self,
        path: InstructionSet,
        rows: &QuantizedRows,
        made: &mut Vec<f32>,
        threads: usize,
    ) {
        if rows.width != self.inputs {
            made.clear();
            return;
        }
        let panels = self.outputs / PANEL_OUTPUTS;
        let size = panels.div_ceil(threads.max(1));
        made.resize(rows.padded() * self.outputs, 0.0);
        let parts = stripe::cut(made, self.outputs, size * PANEL_OUTPUTS);
        let starts = (0..panels).step_by(size);
        let tasks: Vec<_> =
            starts.map(|start| start..panels.min(start + size)).zip(parts).collect();
        share(
            threads,
            tasks,
            || (),
            |(), (panels, mut stripe)| {
                for (first, block) in rows.blocks(ROW_BLOCK_BYTES) {
                    portable::fill(
                        path,
                        &self.part(panels.clone()),
                        block,
                        &mut stripe.below(first),
                    );
                }
            },
        );
    }

    /// The panels, one after the other.
    #[inline(always)]
    fn panels(&self) -> impl Iterator<Item = PanelView<'m>> {
        let numbers = self.scales.as_chunks().0.iter().zip(self.bias.as_chunks().0);
        let numbers = self.offsets.as_chunks().0.iter().zip(numbers);
        let weights = self.weights.chunks_exact(self.inputs * PANEL_OUTPUTS);
        weights.zip(numbers).map(|(weights, (offsets, (scales, bias)))| PanelView {
            weights,
            offsets,
            scales,
            bias,
        })
    }

    /// The outputs of some panels.
    fn part(&self, panels: Range<usize>) -> Self {
        let outputs = panels.start * PANEL_OUTPUTS..panels.end * PANEL_OUTPUTS;
        Self {
            inputs: self.inputs,
            outputs: outputs.len(),
            weights: &self.weights[outputs.start * self.inputs..outputs.end * self.inputs],
            offsets: &self.offsets[outputs.clone()],
            scales: &self.scales[outputs.clone()],
            bias: &self.bias[outputs],
        }
    }
}

/// Packs the rows of weights of [`PANEL_OUTPUTS`] outputs, as many bytes as they are.
pub fn pack_panel(panel: &[u8], inputs: usize, packed: &mut [u8]) {
    for (output, row) in panel.chunks_exact(inputs).enumerate() {
        let (fours, _) = row.as_chunks::<4>();
        let (packed, _) = packed.as_chunks_mut::<4>();
        for (four, place) in fours.iter().zip(packed.iter_mut().skip(output).step_by(PANEL_OUTPUTS))
        {
            *place = *four;
        }
    }
}

/// The correction of a sum with this row of weights for the 128 added to every number of a row.
pub fn offset(weights: &[u8]) -> i32 {
    -128 * weights.iter().map(|weight| i32::from(weight.cast_signed())).sum::<i32>()
}

/// The sums of more inputs could exceed 32 bits: 65,536 · 255 · 127 < 2^31.
const MAX_INPUTS: usize = 65_536;
/// Rows that are multiplied with one panel after the other: half of a usual second-level cache.
const ROW_BLOCK_BYTES: usize = 1 << 20;
