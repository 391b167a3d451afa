//! Weighted sums with the vector instructions of x86.

use std::arch::x86_64::{
    _mm256_add_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_storeu_ps, _mm512_add_ps, _mm512_loadu_ps, _mm512_mul_ps, _mm512_set1_ps,
    _mm512_setzero_ps, _mm512_storeu_ps,
};

use crate::attend::{AttentionScratch, BLOCK_TOKENS, WeightedSumTerms, body};
use crate::isa::{InstructionSet, InstructionSetKind};
use crate::simd::{LANES, Lanes};

pub(super) fn attend(
    path: InstructionSet,
    mixed: &[f32],
    width: usize,
    room: &mut AttentionScratch,
    made: &mut [f32],
) {
    match path.0 {
        InstructionSetKind::Portable => (),
        // SAFETY: a path exists only where its instructions were found.
        InstructionSetKind::Avx2 | InstructionSetKind::AvxVnni => unsafe {
            avx2(mixed, width, room, made);
        },
        // SAFETY: as above.
        InstructionSetKind::Avx512 | InstructionSetKind::Amx => unsafe {
            avx512(mixed, width, room, made);
        },
    }
}

#[target_feature(enable = "avx2")]
fn avx2(mixed: &[f32], width: usize, room: &mut AttentionScratch, made: &mut [f32]) {
    body(mixed, width, room, made, |terms| weighted_256(terms));
}

#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512(mixed: &[f32], width: usize, room: &mut AttentionScratch, made: &mut [f32]) {
    body(mixed, width, room, made, |terms| weighted_512(terms));
}

/// Four rows at a time: their sums fill half of the registers.
#[target_feature(enable = "avx2")]
pub(crate) fn weighted_256(terms: WeightedSumTerms<'_>) -> [Lanes; BLOCK_TOKENS] {
    let mut made = [[0.0; LANES]; BLOCK_TOKENS];
    if !terms.fit() {
        return made;
    }
    let WeightedSumTerms { count, weights, stride, columns, step } = terms;
    for (rows, made) in weights.chunks_exact(stride * 4).zip(made.as_chunks_mut::<4>().0) {
        let mut sums = [[_mm256_setzero_ps(); 2]; 4];
        for term in 0..count {
            // SAFETY: terms that fit have sixteen floats in each column.
            let column = unsafe {
                let column = columns.as_ptr().add(term * step);
                [_mm256_loadu_ps(column), _mm256_loadu_ps(column.add(8))]
            };
            for (row, sums) in sums.iter_mut().enumerate() {
                // SAFETY: terms that fit have `stride` weights in each row, no fewer than `count`.
                let weight = _mm256_set1_ps(unsafe { *rows.get_unchecked(row * stride + term) });
                for (sum, half) in sums.iter_mut().zip(column) {
                    *sum = _mm256_add_ps(*sum, _mm256_mul_ps(weight, half));
                }
            }
        }
        for (lanes, sums) in made.iter_mut().zip(sums) {
            for (half, sum) in lanes.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
                // SAFETY: a half is eight floats.
                unsafe { _mm256_storeu_ps(half.as_mut_ptr(), sum) };
            }
        }
    }
    made
}

#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
pub(crate) fn weighted_512(terms: WeightedSumTerms<'_>) -> [Lanes; BLOCK_TOKENS] {
    let mut made = [[0.0; LANES]; BLOCK_TOKENS];
    if !terms.fit() {
        return made;
    }
    let WeightedSumTerms { count, weights, stride, columns, step } = terms;
    let mut sums = [_mm512_setzero_ps(); BLOCK_TOKENS];
    for term in 0..count {
        // SAFETY: terms that fit have sixteen floats in each column.
        let column = unsafe { _mm512_loadu_ps(columns.as_ptr().add(term * step)) };
        for (row, sum) in sums.iter_mut().enumerate() {
            // SAFETY: terms that fit have `stride` weights in each row, no fewer than `count`.
            let weight = _mm512_set1_ps(unsafe { *weights.get_unchecked(row * stride + term) });
            *sum = _mm512_add_ps(*sum, _mm512_mul_ps(weight, column));
        }
    }
    for (lanes, sum) in made.iter_mut().zip(sums) {
        // SAFETY: the lanes are sixteen floats.
        unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), sum) };
    }
    made
}
