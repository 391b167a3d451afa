//! Attention: each token gathers the values of all tokens, weighted by likeness.

use crate::lane::{LANES, Lanes, exp, larger, max, sum};
use crate::path::for_each_path;

#[cfg(test)]
mod tests;

/// How many numbers of a row belong to one head.
pub const HEAD: usize = 32;

/// The room that attention works in; one serves any number of calls.
#[derive(Clone, Debug, Default)]
pub struct Room {
    /// Keys of one head: for each sixteen tokens, each number of the head for the sixteen.
    keys: Vec<[Lanes; HEAD]>,
    values: Vec<[f32; HEAD]>,
    /// Likeness of a few tokens to all, sixteen and sixteen.
    likeness: Vec<[Lanes; BLOCK]>,
}

for_each_path! {
    /// Attends over the tokens of one text.
    ///
    /// `mixed` has a row for each token: queries, keys and values, each as wide as
    /// a row of `made`, which has `heads` heads. Likeness is the product of query
    /// and key over √32, each product added in the order of the numbers; the values
    /// are added in the order of the tokens. Rows that do not fit are left as they are.
    pub fn attend(mixed: &[f32], heads: usize, room: &mut Room, made: &mut [f32]) => body;
}

#[inline(always)]
fn body(mixed: &[f32], heads: usize, room: &mut Room, made: &mut [f32]) {
    let width = heads * HEAD;
    if width == 0 || !made.len().is_multiple_of(width) || mixed.len() != made.len() * 3 {
        return;
    }
    let tokens = made.len() / width;
    for head in 0..heads {
        room.gather(mixed, width, head * HEAD);
        for first in (0..tokens).step_by(BLOCK) {
            let query = |row: usize| {
                let token = (first + row).min(tokens - 1);
                &mixed[token * width * 3 + head * HEAD..][..HEAD]
            };
            let queries: [[f32; HEAD]; BLOCK] = std::array::from_fn(|row| {
                let query = query(row);
                std::array::from_fn(|place| query[place] * SCALE)
            });
            room.compare(&queries);
            let shares = room.weigh(tokens);
            let gathered = room.mix();
            for (row, token) in (first..tokens.min(first + BLOCK)).enumerate() {
                let made = &mut made[token * width + head * HEAD..][..HEAD];
                for (made, gathered) in made.iter_mut().zip(&gathered[row]) {
                    *made = gathered * shares[row];
                }
            }
        }
    }
}

impl Room {
    /// Brings the keys and values of one head together.
    #[inline(always)]
    fn gather(&mut self, mixed: &[f32], width: usize, start: usize) {
        self.keys.clear();
        self.values.clear();
        for (token, row) in mixed.chunks_exact(width * 3).enumerate() {
            let lane = token % LANES;
            if lane == 0 {
                self.keys.push([[0.0; LANES]; HEAD]);
            }
            let (key, value) = (&row[width + start..][..HEAD], &row[width * 2 + start..][..HEAD]);
            if let Some(keys) = self.keys.last_mut() {
                for (lanes, number) in keys.iter_mut().zip(key) {
                    lanes[lane] = *number;
                }
            }
            self.values.push(std::array::from_fn(|place| value[place]));
        }
    }

    /// Likeness of a block of queries to every key.
    #[inline(always)]
    fn compare(&mut self, queries: &[[f32; HEAD]; BLOCK]) {
        self.likeness.resize(self.keys.len(), [[0.0; LANES]; BLOCK]);
        for (likeness, keys) in self.likeness.iter_mut().zip(&self.keys) {
            let mut sums = [[0.0; LANES]; BLOCK];
            for (place, lanes) in keys.iter().enumerate() {
                for (sums, query) in sums.iter_mut().zip(queries) {
                    for lane in 0..LANES {
                        sums[lane] += query[place] * lanes[lane];
                    }
                }
            }
            *likeness = sums;
        }
    }

    /// Turns likeness into weights, and says by what they must be multiplied to add up to one.
    #[inline(always)]
    fn weigh(&mut self, tokens: usize) -> [f32; BLOCK] {
        let used = tokens - tokens.saturating_sub(1) / LANES * LANES;
        if let Some(last) = self.likeness.last_mut() {
            for lanes in last {
                lanes[used..].fill(f32::NEG_INFINITY);
            }
        }
        std::array::from_fn(|row| {
            let mut most = [f32::NEG_INFINITY; LANES];
            for likeness in &self.likeness {
                for lane in 0..LANES {
                    most[lane] = larger(likeness[row][lane], most[lane]);
                }
            }
            let most = max(most);
            let mut total = [0.0; LANES];
            for likeness in &mut self.likeness {
                for lane in 0..LANES {
                    let weight = exp(likeness[row][lane] - most);
                    likeness[row][lane] = weight;
                    total[lane] += weight;
                }
            }
            1.0 / sum(total)
        })
    }

    /// The weighted values, added in the order of the tokens.
    #[inline(always)]
    fn mix(&self) -> [[f32; HEAD]; BLOCK] {
        let mut mixed = [[0.0; HEAD]; BLOCK];
        for (likeness, values) in self.likeness.iter().zip(self.values.chunks(LANES)) {
            for (lane, value) in values.iter().enumerate() {
                for (mixed, likeness) in mixed.iter_mut().zip(likeness) {
                    for place in 0..HEAD {
                        mixed[place] += likeness[lane] * value[place];
                    }
                }
            }
        }
        mixed
    }
}

/// How many tokens are compared at once; results do not depend on it.
const BLOCK: usize = 8;
/// One over the square root of [`HEAD`].
const SCALE: f32 = 0.176_776_7;
