//! The product on any processor.

use crate::matrix::{Matrix, PANEL, Sums};
use crate::path::{Kind, Path};
use crate::rows::{Rows, TILE};

impl Matrix {
    pub(super) fn fill(&self, path: Path, rows: &Rows, made: &mut [f32]) {
        match path.0 {
            Kind::Portable => each_tile(self, rows, made, sums),
            #[cfg(target_arch = "x86_64")]
            _ => super::x86::fill(path, self, rows, made),
            #[cfg(not(target_arch = "x86_64"))]
            _ => (),
        }
    }
}

/// Goes over panels and, within each, over tiles of rows: a panel stays in the nearest cache.
#[inline(always)]
pub(super) fn each_tile(
    matrix: &Matrix,
    rows: &Rows,
    made: &mut [f32],
    sums: impl Fn(&[u8], &[i8], &[i32; PANEL]) -> Sums,
) {
    let (offsets, _) = matrix.offsets.as_chunks();
    let panels = matrix.weights.chunks_exact(matrix.inputs * PANEL).zip(offsets);
    for (place, (panel, offsets)) in panels.enumerate() {
        let columns = place * PANEL..(place + 1) * PANEL;
        let (scales, bias) = (&matrix.scales[columns.clone()], &matrix.bias[columns.clone()]);
        let tiles = rows.values.chunks_exact(TILE * rows.width).zip(rows.scales.chunks_exact(TILE));
        let made = made.chunks_exact_mut(TILE * matrix.outputs);
        for ((tile, steps), made) in tiles.zip(made) {
            let sums = sums(tile, panel, offsets);
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

#[inline(always)]
fn sums(tile: &[u8], panel: &[i8], start: &[i32; PANEL]) -> Sums {
    let mut sums = [*start; TILE];
    for (row, sums) in tile.chunks_exact(tile.len() / TILE).zip(&mut sums) {
        let (fours, _) = row.as_chunks::<4>();
        for (four, weights) in fours.iter().zip(panel.chunks_exact(PANEL * 4)) {
            let (weights, _) = weights.as_chunks::<4>();
            for (sum, weights) in sums.iter_mut().zip(weights) {
                for (value, weight) in four.iter().zip(weights) {
                    *sum += i32::from(*value) * i32::from(*weight);
                }
            }
        }
    }
    sums
}
