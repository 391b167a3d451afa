//! Attention: each token gathers the values of all tokens, weighted by likeness.

use crate::isa::{InstructionSet, InstructionSetKind};
use crate::simd::{LANES, Lanes, add, exp, larger, max, sum};

pub(crate) mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

/// How many numbers of a row belong to one head.
pub const HEAD_WIDTH: usize = 32;

/// The room that attention works in; one serves any number of calls.
#[derive(Clone, Debug, Default)]
pub struct AttentionScratch {
    /// Keys of one head: for each sixteen tokens, each number of the head for the sixteen.
    keys: Vec<[Lanes; HEAD_WIDTH]>,
    /// Values of one head, token after token.
    values: Vec<f32>,
    /// Likeness of each token of a block to all tokens, and to those that fill up the last sixteen.
    likeness: Vec<f32>,
}

/// Attends over the tokens of one text.
///
/// `mixed` has a row for each token: queries, keys and values, each as wide as
/// a row of `made`, which has `heads` heads. Likeness is the product of query
/// and key over √32, each product added in the order of the numbers; the values
/// are added in the order of the tokens. Lengths that do not fit together leave
/// `made` as it is.
pub fn attend(
    path: InstructionSet,
    mixed: &[f32],
    heads: usize,
    room: &mut AttentionScratch,
    made: &mut [f32],
) {
    let width = heads * HEAD_WIDTH;
    if width == 0 || !made.len().is_multiple_of(width) || mixed.len() != made.len() * 3 {
        return;
    }
    match path.0 {
        InstructionSetKind::Portable => body(mixed, width, room, made, portable::weighted),
        #[cfg(target_arch = "x86_64")]
        _ => x86::attend(path, mixed, width, room, made),
        #[cfg(not(target_arch = "x86_64"))]
        _ => (),
    }
}

/// Weights for a block of rows, `stride` apart, and sixteen columns to be weighted and added,
/// `step` apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedSumTerms<'t> {
    pub(crate) count: usize,
    pub(crate) weights: &'t [f32],
    pub(crate) stride: usize,
    pub(crate) columns: &'t [f32],
    pub(crate) step: usize,
}

impl WeightedSumTerms<'_> {
    /// Whether every weight and every column that will be read is there.
    fn fit(&self) -> bool {
        let Self { count, weights, stride, columns, step } = self;
        let before = count.saturating_sub(1);
        count <= stride
            && weights.len() >= stride * BLOCK_TOKENS
            && columns.len() >= before * step + LANES
    }
}

#[inline(always)]
fn body(
    mixed: &[f32],
    width: usize,
    room: &mut AttentionScratch,
    made: &mut [f32],
    weighted: impl Fn(WeightedSumTerms<'_>) -> [Lanes; BLOCK_TOKENS],
) {
    let tokens = made.len() / width;
    for start in (0..width).step_by(HEAD_WIDTH) {
        room.gather(mixed, width, start);
        for first in (0..tokens).step_by(BLOCK_TOKENS) {
            let mut queries = [[0.0; HEAD_WIDTH]; BLOCK_TOKENS];
            for (row, query) in queries.iter_mut().enumerate() {
                let token = (first + row).min(tokens - 1);
                let numbers = &mixed[token * width * 3 + start..][..HEAD_WIDTH];
                *query = std::array::from_fn(|place| numbers[place] * ATTENTION_SCALE);
            }
            room.compare(&queries, &weighted);
            let shares = room.weigh(tokens);
            for half in 0..HEAD_WIDTH / LANES {
                let columns = &room.values[half * LANES..];
                let (weights, stride) = (&*room.likeness, room.likeness.len() / BLOCK_TOKENS);
                let gathered = weighted(WeightedSumTerms {
                    count: tokens,
                    weights,
                    stride,
                    columns,
                    step: HEAD_WIDTH,
                });
                let rows = gathered.iter().zip(shares).zip(first..tokens);
                for ((lanes, share), token) in rows {
                    let made = &mut made[token * width + start + half * LANES..][..LANES];
                    made.copy_from_slice(&lanes.map(|value| value * share));
                }
            }
        }
    }
}

impl AttentionScratch {
    /// Brings the keys and values of one head together.
    #[inline(always)]
    fn gather(&mut self, mixed: &[f32], width: usize, start: usize) {
        self.keys.clear();
        self.values.clear();
        for (token, row) in mixed.chunks_exact(width * 3).enumerate() {
            let lane = token % LANES;
            if lane == 0 {
                self.keys.push([[0.0; LANES]; HEAD_WIDTH]);
            }
            let (key, value) =
                (&row[width + start..][..HEAD_WIDTH], &row[width * 2 + start..][..HEAD_WIDTH]);
            if let Some(keys) = self.keys.last_mut() {
                for (lanes, number) in keys.iter_mut().zip(key) {
                    lanes[lane] = *number;
                }
            }
            self.values.extend_from_slice(value);
        }
    }

    /// Likeness of a block of queries to every key.
    #[inline(always)]
    fn compare(
        &mut self,
        queries: &[[f32; HEAD_WIDTH]; BLOCK_TOKENS],
        weighted: impl Fn(WeightedSumTerms<'_>) -> [Lanes; BLOCK_TOKENS],
    ) {
        let padded = self.keys.len() * LANES;
        self.likeness.resize(padded * BLOCK_TOKENS, 0.0);
        let weights = queries.as_flattened();
        for (place, keys) in self.keys.iter().enumerate() {
            let columns = keys.as_flattened();
            let terms = WeightedSumTerms {
                count: HEAD_WIDTH,
                weights,
                stride: HEAD_WIDTH,
                columns,
                step: LANES,
            };
            let rows = self.likeness.chunks_exact_mut(padded);
            for (row, lanes) in rows.zip(weighted(terms)) {
                row[place * LANES..][..LANES].copy_from_slice(&lanes);
            }
        }
    }

    /// Turns likeness into weights, and returns the factors that make them add up to one.
    #[inline(always)]
    fn weigh(&mut self, tokens: usize) -> [f32; BLOCK_TOKENS] {
        let mut shares = [0.0; BLOCK_TOKENS];
        let padded = self.likeness.len() / BLOCK_TOKENS;
        for (row, share) in self.likeness.chunks_exact_mut(padded).zip(&mut shares) {
            row[tokens..].fill(f32::NEG_INFINITY);
            let (row, _) = row.as_chunks_mut::<LANES>();
            let mut most = [f32::NEG_INFINITY; LANES];
            for lanes in &*row {
                most = std::array::from_fn(|lane| larger(lanes[lane], most[lane]));
            }
            let most = max(most);
            let mut total = [0.0; LANES];
            for lanes in row {
                *lanes = lanes.map(|value| exp(value - most));
                total = add(total, *lanes);
            }
            *share = 1.0 / sum(total);
        }
        shares
    }
}

/// How many tokens are compared at once; results do not depend on it.
pub(crate) const BLOCK_TOKENS: usize = 8;
/// One over the square root of [`HEAD_WIDTH`].
const ATTENTION_SCALE: f32 = 0.176_776_7;
