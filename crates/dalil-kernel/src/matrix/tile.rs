//! The product with tiles (AMX): 16 rows, 64 inputs and 16 outputs in one instruction.
//!
//! The compiler has no stable names for these instructions, so they are written
//! out. It never uses the registers of tiles itself, so the values that one block
//! leaves in them are there for the next.

use std::arch::asm;

use crate::matrix::portable::finish;
use crate::matrix::stripe::OutputStripe;
use crate::matrix::{MatrixView, PANEL_OUTPUTS};
use crate::quantize::{RowBlock, STRIP_ROWS};

/// How many inputs a tile holds.
pub(super) const TILE_INPUTS: usize = 64;

/// Sums of a strip of rows with a panel, where tiles are stored.
#[repr(align(64))]
struct StripSums([[i32; PANEL_OUTPUTS]; STRIP_ROWS]);

/// The shape of every tile register: 16 rows of 64 bytes.
#[repr(align(64))]
struct TileShapes([u8; 64]);

/// Fills a stripe.
///
/// # Safety
/// The processor has tiles, the process may use them, and the rows' width is a
/// multiple of [`TILE_INPUTS`].
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
pub(super) unsafe fn fill(
    matrix: &MatrixView<'_>,
    rows: RowBlock<'_>,
    made: &mut OutputStripe<'_>,
) {
    let shapes = shapes();
    // SAFETY: the shapes are 64 bytes of a kind that the processor knows.
    unsafe { asm!("ldtilecfg [{}]", in(reg) shapes.0.as_ptr(), options(nostack, readonly)) };
    let mut sums = StripSums([[0; PANEL_OUTPUTS]; STRIP_ROWS]);
    for (place, panel) in matrix.panels().enumerate() {
        let columns = place * PANEL_OUTPUTS..(place + 1) * PANEL_OUTPUTS;
        let strips =
            rows.values.chunks_exact(STRIP_ROWS * rows.width).zip(rows.scales.chunks(STRIP_ROWS));
        for (strip, (values, steps)) in strips.enumerate() {
            // SAFETY: tiles are there and shaped; a strip is 32 rows of whole steps, and the panel
            // has as many inputs.
            unsafe { multiply(values, panel.weights, &mut sums) };
            for (row, (sums, step)) in sums.0.iter().zip(steps).enumerate() {
                let sums = std::array::from_fn(|output| sums[output] + panel.offsets[output]);
                finish(&panel, &sums, *step, made.row(strip * STRIP_ROWS + row, columns.clone()));
            }
        }
    }
    // SAFETY: tiles are there; nothing in them is needed any more.
    unsafe { asm!("tilerelease", options(nostack, nomem)) };
}

/// Two tiles of rows with two of outputs: four tiles of sums.
///
/// # Safety
/// Tiles are shaped as [`shapes`] says; `values` is a strip of rows whose width is
/// a multiple of [`TILE_INPUTS`], and `panel` a panel of that many inputs.
#[inline(always)]
unsafe fn multiply(values: &[u8], panel: &[u8], sums: &mut StripSums) {
    let width = values.len() / STRIP_ROWS;
    // SAFETY: by the contract all loads are within the strip and the panel; the stores fill the
    // sums, row by row of 128 bytes.
    unsafe {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "2:",
            "tileloadd tmm4, [{upper} + {width}]",
            "tileloadd tmm6, [{panel} + {line}]",
            "tileloadd tmm7, [{panel} + {line} + 64]",
            "tdpbusd tmm0, tmm4, tmm6",
            "tileloadd tmm5, [{lower} + {width}]",
            "tdpbusd tmm1, tmm4, tmm7",
            "tdpbusd tmm2, tmm5, tmm6",
            "tdpbusd tmm3, tmm5, tmm7",
            "add {upper}, 64",
            "add {lower}, 64",
            "add {panel}, 2048",
            "dec {steps}",
            "jnz 2b",
            "tilestored [{sums} + {line}], tmm0",
            "tilestored [{sums} + {line} + 64], tmm1",
            "tilestored [{sums} + {line} + 2048], tmm2",
            "tilestored [{sums} + {line} + 2112], tmm3",
            upper = inout(reg) values.as_ptr() => _,
            lower = inout(reg) values.as_ptr().wrapping_add(width * 16) => _,
            panel = inout(reg) panel.as_ptr() => _,
            steps = inout(reg) width / TILE_INPUTS => _,
            sums = in(reg) sums.0.as_mut_ptr(),
            width = in(reg) width,
            line = in(reg) PANEL_OUTPUTS * 4,
            options(nostack),
        );
    }
}

fn shapes() -> TileShapes {
    let mut shapes = [0; 64];
    shapes[0] = 1;
    for tile in 0..8 {
        shapes[16 + tile * 2] = 64;
        shapes[48 + tile] = 16;
    }
    TileShapes(shapes)
}
