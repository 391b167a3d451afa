//! The product with the vector instructions of x86.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_abs_epi8, _mm256_add_epi32, _mm256_dpbusd_avx_epi32,
    _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi8,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_sign_epi8, _mm256_storeu_si256, _mm256_xor_si256,
    _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_storeu_si512,
};

use crate::isa::{InstructionSet, InstructionSetKind};
use crate::matrix::portable::each_tile;
use crate::matrix::stripe::OutputStripe;
use crate::matrix::{MatrixView, PANEL_OUTPUTS, TileSums};
use crate::quantize::{RowBlock, TILE_ROWS};

pub(super) fn fill(
    path: InstructionSet,
    matrix: &MatrixView<'_>,
    rows: RowBlock<'_>,
    made: &mut OutputStripe<'_>,
) {
    match path.0 {
        InstructionSetKind::Portable => (),
        // SAFETY: a path exists only where its instructions were found.
        InstructionSetKind::Avx2 => unsafe { avx2(matrix, rows, made) },
        // SAFETY: as above.
        InstructionSetKind::AvxVnni => unsafe { avx_vnni(matrix, rows, made) },
        // SAFETY: as above, and the inputs are whole steps of tiles.
        InstructionSetKind::Amx if rows.width.is_multiple_of(super::tile::TILE_INPUTS) => unsafe {
            super::tile::fill(matrix, rows, made);
        },
        // SAFETY: as above.
        InstructionSetKind::Avx512 | InstructionSetKind::Amx => unsafe {
            avx512(matrix, rows, made);
        },
    }
}

#[target_feature(enable = "avx2")]
fn avx2(matrix: &MatrixView<'_>, rows: RowBlock<'_>, made: &mut OutputStripe<'_>) {
    each_tile(matrix, rows, made, as_is, |tile, panel, _| {
        sums_avx2(tile, panel, &[0; PANEL_OUTPUTS])
    });
}

#[target_feature(enable = "avx2,avxvnni")]
fn avx_vnni(matrix: &MatrixView<'_>, rows: RowBlock<'_>, made: &mut OutputStripe<'_>) {
    each_tile(matrix, rows, made, as_is, |tile, panel, start| sums_avx_vnni(tile, panel, start));
}

#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn avx512(matrix: &MatrixView<'_>, rows: RowBlock<'_>, made: &mut OutputStripe<'_>) {
    each_tile(matrix, rows, made, as_is, |tile, panel, start| sums_avx512(tile, panel, start));
}

fn as_is(panel: &[u8]) -> &[u8] {
    panel
}

/// Defines the sums of a tile for instructions of 32 bytes, two rows at once.
macro_rules! sums_256 {
    ($name:ident, $features:literal, $dot:ident) => {
        #[target_feature(enable = $features)]
        fn $name(tile: &[u8], panel: &[u8], start: &[i32; PANEL_OUTPUTS]) -> TileSums {
            let mut sums = [*start; TILE_ROWS];
            let (pairs, _) = sums.as_chunks_mut::<2>();
            for (pair, sums) in tile.chunks_exact(tile.len() / TILE_ROWS * 2).zip(pairs) {
                let (fours, _) = pair.as_chunks::<4>();
                let (one, other) = fours.split_at(fours.len() / 2);
                let (weights, _) = panel.as_chunks::<{ PANEL_OUTPUTS * 4 }>();
                let mut made = [load_sums(&sums[0]), load_sums(&sums[1])];
                for ((one, other), weights) in one.iter().zip(other).zip(weights) {
                    let weights = load_weights(weights);
                    for (made, four) in made.iter_mut().zip([one, other]) {
                        let values = _mm256_set1_epi32(i32::from_ne_bytes(*four));
                        for (made, weights) in made.iter_mut().zip(weights) {
                            *made = $dot(*made, values, weights);
                        }
                    }
                }
                for (sums, made) in sums.iter_mut().zip(made) {
                    store_sums(made, sums);
                }
            }
            sums
        }
    };
}
sums_256!(sums_avx2, "avx2", dot_avx2);
sums_256!(sums_avx_vnni, "avx2,avxvnni", dot_avx_vnni);

/// Signs move from the values to the weights, so that no pair of products exceeds 16 bits:
/// 2 · 127 · 127 is less than 2^15.
#[inline]
#[target_feature(enable = "avx2")]
fn dot_avx2(sums: __m256i, values: __m256i, weights: __m256i) -> __m256i {
    let values = _mm256_xor_si256(values, _mm256_set1_epi8(i8::MIN));
    let weights = _mm256_sign_epi8(weights, values);
    let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(values), weights);
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn dot_avx_vnni(sums: __m256i, values: __m256i, weights: __m256i) -> __m256i {
    _mm256_dpbusd_avx_epi32(sums, values, weights)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_weights(weights: &[u8; PANEL_OUTPUTS * 4]) -> [__m256i; 4] {
    let (weights, _) = weights.as_chunks::<32>();
    // SAFETY: each of the four is 32 bytes long.
    std::array::from_fn(|place| unsafe { _mm256_loadu_si256(weights[place].as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_sums(sums: &[i32; PANEL_OUTPUTS]) -> [__m256i; 4] {
    let (sums, _) = sums.as_chunks::<8>();
    // SAFETY: each of the four is 32 bytes long.
    std::array::from_fn(|place| unsafe { _mm256_loadu_si256(sums[place].as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_sums(made: [__m256i; 4], sums: &mut [i32; PANEL_OUTPUTS]) {
    let (sums, _) = sums.as_chunks_mut::<8>();
    for (sums, made) in sums.iter_mut().zip(made) {
        // SAFETY: each of the four is 32 bytes long.
        unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), made) };
    }
}

#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn sums_avx512(tile: &[u8], panel: &[u8], start: &[i32; PANEL_OUTPUTS]) -> TileSums {
    let width = tile.len() / TILE_ROWS;
    let (steps, _) = panel.as_chunks::<{ PANEL_OUTPUTS * 4 }>();
    let steps = &steps[..width / 4];
    let rows: [&[[u8; 4]]; TILE_ROWS] =
        std::array::from_fn(|row| &tile[row * width..][..width].as_chunks().0[..steps.len()]);
    let (starts, _) = start.as_chunks::<16>();
    // SAFETY: sixteen integers are 64 bytes.
    let start: [__m512i; 2] =
        std::array::from_fn(|half| unsafe { _mm512_loadu_si512(starts[half].as_ptr().cast()) });
    let mut made = [start; TILE_ROWS];
    for (step, weights) in steps.iter().enumerate() {
        // SAFETY: a step of a panel is 128 bytes.
        let weights: [__m512i; 2] = std::array::from_fn(|half| unsafe {
            _mm512_loadu_si512(weights[half * 64..].as_ptr().cast())
        });
        for row in 0..TILE_ROWS {
            let values = _mm512_set1_epi32(i32::from_ne_bytes(rows[row][step]));
            for half in 0..2 {
                made[row][half] = _mm512_dpbusd_epi32(made[row][half], values, weights[half]);
            }
        }
    }
    let mut sums = [[0; PANEL_OUTPUTS]; TILE_ROWS];
    for (sums, made) in
        sums.as_flattened_mut().as_chunks_mut::<16>().0.iter_mut().zip(made.as_flattened())
    {
        // SAFETY: sixteen integers are 64 bytes.
        unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), *made) };
    }
    sums
}
