//! Weighted sums on any processor.

use crate::attend::{BLOCK_TOKENS, WeightedSumTerms};
use crate::simd::{LANES, Lanes};

/// For each row, the columns times the row's weights, added in order.
pub(crate) fn weighted(terms: WeightedSumTerms<'_>) -> [Lanes; BLOCK_TOKENS] {
    let WeightedSumTerms { count, weights, stride, columns, step } = terms;
    let mut made = [[0.0; LANES]; BLOCK_TOKENS];
    for (row, made) in weights.chunks_exact(stride).zip(&mut made) {
        let mut sums = [0.0; LANES];
        for (weight, column) in row.iter().take(count).zip(columns.chunks(step)) {
            if let Some(column) = column.first_chunk::<LANES>() {
                for lane in 0..LANES {
                    sums[lane] += weight * column[lane];
                }
            }
        }
        *made = sums;
    }
    made
}
