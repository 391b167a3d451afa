//! The product on any processor.

use crate::matrix::{Matrix, PANEL, Sums};
use crate::path::{Kind, Path};
use crate::rows::{Rows, TILE};

impl Matrix {
    pub(super) fn fill(&self, path: Path, rows: &Rows, made: &mut [f32]) {
        match path.0 {
            Kind::Portable => {
                each_tile(self, rows, made, spread, |tile, panel, _| sums(tile, panel));
            }
            #[cfg(target_arch = "x86_64")]
            _ => super::x86::fill(path, self, rows, made),
            #[cfg(not(target_arch = "x86_64"))]
            _ => (),
        }
    }
}

/// Goes over panels and, within each, over tiles of rows: a panel stays in the nearest cache.
///
/// `open` turns a panel into what `sums` reads.
#[inline(always)]
pub(super) fn each_tile<'m, P>(
    matrix: &'m Matrix,
    rows: &Rows,
    made: &mut [f32],
    open: impl Fn(&'m [i8]) -> P,
    sums: impl Fn(&[u8], &P, &[i32; PANEL]) -> Sums,
) {
    let (offsets, _) = matrix.offsets.as_chunks();
    let panels = matrix.weights.chunks_exact(matrix.inputs * PANEL).zip(offsets);
    for (place, (panel, offsets)) in panels.enumerate() {
        let panel = open(panel);
        let columns = place * PANEL..(place + 1) * PANEL;
        let (scales, bias) = (&matrix.scales[columns.clone()], &matrix.bias[columns.clone()]);
        let tiles = rows.values.chunks_exact(TILE * rows.width).zip(rows.scales.chunks_exact(TILE));
        let made = made.chunks_exact_mut(TILE * matrix.outputs);
        for ((tile, steps), made) in tiles.zip(made) {
            let sums = sums(tile, &panel, offsets);
            let made = made.chunks_exact_mut(matrix.outputs);
            for ((sums, step), row) in sums.iter().zip(steps).zip(made) {
                let row = row[columns.clone()].iter_mut().zip(sums);
                for ((value, sum), (scale, bias)) in row.zip(scales.iter().zip(bias)) {
                    *value = *sum as f32 * step * scale + bias;
                }
            }
        }
    }
}

/// The panel in wider integers, the weights of one input side by side.
fn spread(panel: &[i8]) -> Vec<[i16; PANEL]> {
    let mut spread = vec![[0; PANEL]; panel.len() / PANEL];
    let steps = panel.chunks_exact(PANEL * 4);
    for (step, inputs) in steps.zip(spread.chunks_exact_mut(4)) {
        for (output, four) in step.as_chunks::<4>().0.iter().enumerate() {
            for (input, weight) in inputs.iter_mut().zip(four) {
                input[output] = i16::from(*weight);
            }
        }
    }
    spread
}

fn sums(tile: &[u8], panel: &[[i16; PANEL]]) -> Sums {
    let mut sums = [[0; PANEL]; TILE];
    for (row, sums) in tile.chunks_exact(tile.len() / TILE).zip(&mut sums) {
        let mut made = [0; PANEL];
        for (value, weights) in row.iter().zip(panel) {
            let value = i16::from(*value) - 128;
            for output in 0..PANEL {
                made[output] += i32::from(value) * i32::from(weights[output]);
            }
        }
        *sums = made;
    }
    sums
}
