//! The product on any processor.

use crate::isa::{InstructionSet, InstructionSetKind};
use crate::matrix::stripe::OutputStripe;
use crate::matrix::{MatrixView, PANEL_OUTPUTS, PanelView, TileSums};
use crate::quantize::{RowBlock, TILE_ROWS};

/// Fills a stripe with the product of its outputs and some rows.
pub(super) fn fill(
    path: InstructionSet,
    matrix: &MatrixView<'_>,
    rows: RowBlock<'_>,
    made: &mut OutputStripe<'_>,
) {
    match path.0 {
        InstructionSetKind::Portable => {
            each_tile(matrix, rows, made, spread, |tile, panel, _| sums(tile, panel));
        }
        #[cfg(target_arch = "x86_64")]
        _ => super::x86::fill(path, matrix, rows, made),
        #[cfg(not(target_arch = "x86_64"))]
        _ => (),
    }
}

/// Goes over panels and, within each, over tiles of rows: a panel stays in the nearest cache.
///
/// `open` turns a panel into the form that `sums` reads.
#[inline(always)]
pub(super) fn each_tile<'m, P>(
    matrix: &MatrixView<'m>,
    rows: RowBlock<'_>,
    made: &mut OutputStripe<'_>,
    open: impl Fn(&'m [u8]) -> P,
    sums: impl Fn(&[u8], &P, &[i32; PANEL_OUTPUTS]) -> TileSums,
) {
    for (place, panel) in matrix.panels().enumerate() {
        let opened = open(panel.weights);
        let columns = place * PANEL_OUTPUTS..(place + 1) * PANEL_OUTPUTS;
        let tiles = rows
            .values
            .chunks_exact(TILE_ROWS * rows.width)
            .zip(rows.scales.chunks_exact(TILE_ROWS));
        for (tile, (values, steps)) in tiles.enumerate() {
            let sums = sums(values, &opened, panel.offsets);
            for (row, (sums, step)) in sums.iter().zip(steps).enumerate() {
                finish(&panel, sums, *step, made.row(tile * TILE_ROWS + row, columns.clone()));
            }
        }
    }
}

/// Turns the sums of a row with a panel into the numbers of the product.
#[inline(always)]
pub(super) fn finish(
    panel: &PanelView<'_>,
    sums: &[i32; PANEL_OUTPUTS],
    step: f32,
    made: &mut [f32],
) {
    let parts = panel.scales.iter().zip(panel.bias);
    for ((value, sum), (scale, bias)) in made.iter_mut().zip(sums).zip(parts) {
        *value = *sum as f32 * step * scale + bias;
    }
}

/// The panel in wider integers, the weights of one input side by side.
fn spread(panel: &[u8]) -> Vec<[i16; PANEL_OUTPUTS]> {
    let mut spread = vec![[0; PANEL_OUTPUTS]; panel.len() / PANEL_OUTPUTS];
    let steps = panel.chunks_exact(PANEL_OUTPUTS * 4);
    for (step, inputs) in steps.zip(spread.chunks_exact_mut(4)) {
        for (output, four) in step.as_chunks::<4>().0.iter().enumerate() {
            for (input, weight) in inputs.iter_mut().zip(four) {
                input[output] = i16::from(weight.cast_signed());
            }
        }
    }
    spread
}

fn sums(tile: &[u8], panel: &[[i16; PANEL_OUTPUTS]]) -> TileSums {
    let mut sums = [[0; PANEL_OUTPUTS]; TILE_ROWS];
    for (row, sums) in tile.chunks_exact(tile.len() / TILE_ROWS).zip(&mut sums) {
        let mut made = [0; PANEL_OUTPUTS];
        for (value, weights) in row.iter().zip(panel) {
            let value = i16::from(*value) - 128;
            for output in 0..PANEL_OUTPUTS {
                made[output] += i32::from(value) * i32::from(weights[output]);
            }
        }
        *sums = made;
    }
    sums
}
