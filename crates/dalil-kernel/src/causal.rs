//! Causal attention: each token gathers values of itself and earlier tokens.

use crate::attend::{BLOCK_TOKENS, WeightedSumTerms, portable};
use crate::isa::{InstructionSet, InstructionSetKind};
use crate::share::share;
use crate::simd::{LANES, Lanes, add, exp, larger, max, sum};

#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

/// How a row is made of heads: queries, then keys, then values.
///
/// Several heads of queries share one of keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CausalShape {
    /// Heads of queries.
    pub queries: usize,
    /// Heads of keys, and of values.
    pub keys: usize,
    /// Numbers of a head, a multiple of [`LANES`].
    pub head: usize,
}

/// A text, as rows of queries, keys and values, that begins as another text does.
#[derive(Debug)]
pub struct CausalText<'t> {
    /// The rows of the text's beginning; it may be empty.
    pub before: &'t [f32],
    /// The rows of the rest.
    pub rows: &'t [f32],
    /// The output for the tokens of the rest: as many rows, of queries' width.
    pub made: &'t mut [f32],
}

/// Some tokens of a text.
#[derive(Debug)]
struct TokenRun<'t> {
    before: &'t [f32],
    rows: &'t [f32],
    /// How many tokens of `rows` come before the run.
    first: usize,
    made: &'t mut [f32],
}

/// The buffers of a thread.
#[derive(Debug, Default)]
struct CausalScratch {
    /// Keys of one head: for each sixteen tokens, each number of the head for the sixteen.
    keys: Vec<f32>,
    /// Values of one head, token after token.
    values: Vec<f32>,
    /// Queries of a block.
    queries: Vec<f32>,
    /// Likeness of each token of a block to earlier tokens.
    likeness: Vec<f32>,
}

impl CausalShape {
    /// How many numbers a row of queries, keys and values has.
    pub fn width(&self) -> usize {
        (self.queries + self.keys * 2) * self.head
    }

    fn is_sound(&self) -> bool {
        let Self { queries, keys, head } = self;
        *head > 0 && head.is_multiple_of(LANES) && *keys > 0 && queries.is_multiple_of(*keys)
    }
}

/// Lets every text attend, on at most `threads` threads.
///
/// Likeness is the product of query and key over the root of the head's size, each
/// product added in the order of the numbers; values are added in the order of the
/// tokens. The output for a token depends on nothing but the tokens up to it. Texts
/// whose lengths do not fit together are left as they are.
pub fn attend_causally(
    path: InstructionSet,
    shape: CausalShape,
    texts: Vec<CausalText<'_>>,
    threads: usize,
) {
    if !shape.is_sound() {
        return;
    }
    let (width, made_width) = (shape.width(), shape.queries * shape.head);
    let mut runs = Vec::new();
    for CausalText { before, rows, made } in texts {
        let fits = before.len().is_multiple_of(width)
            && rows.len().is_multiple_of(width)
            && made.len() / made_width * width == rows.len()
            && made.len().is_multiple_of(made_width);
        let parts = made.chunks_mut(MAX_RUN_TOKENS * made_width).enumerate();
        let run = |(place, made)| TokenRun { before, rows, first: place * MAX_RUN_TOKENS, made };
        runs.extend(parts.filter(|_| fits).map(run));
    }
    // Later tokens have more to compare: the long runs go first.
    runs.sort_by_key(|run| usize::MAX - (run.before.len() / width + run.first));
    share(threads, runs, CausalScratch::default, |room, mut run| {
        attend_run(path, shape, &mut run, room);
    });
}

fn attend_run(
    path: InstructionSet,
    shape: CausalShape,
    run: &mut TokenRun<'_>,
    room: &mut CausalScratch,
) {
    match path.0 {
        InstructionSetKind::Portable => body(shape, run, room, portable::weighted),
        #[cfg(target_arch = "x86_64")]
        _ => x86::attend_run(path, shape, run, room),
        #[cfg(not(target_arch = "x86_64"))]
        _ => (),
    }
}

#[inline(always)]
fn body(
    shape: CausalShape,
    run: &mut TokenRun<'_>,
    room: &mut CausalScratch,
    weighted: impl Fn(WeightedSumTerms<'_>) -> [Lanes; BLOCK_TOKENS],
) {
    let CausalShape { queries, keys, head } = shape;
    let (width, made_width) = (shape.width(), queries * head);
    let tokens = run.made.len() / made_width;
    let before = run.before.len() / width + run.first;
    let group = queries / keys;
    for shared in 0..keys {
        room.gather(shape, run, shared, before + tokens);
        for query in shared * group..(shared + 1) * group {
            for first in (0..tokens).step_by(BLOCK_TOKENS) {
                let last = tokens.min(first + BLOCK_TOKENS) - 1;
                room.ask(shape, run, query, first..=last);
                room.compare(head, before + last + 1, &weighted);
                let shares = room.weigh(before + first + 1, before + last + 1);
                for part in (0..head).step_by(LANES) {
                    let terms = WeightedSumTerms {
                        count: before + last + 1,
                        weights: &room.likeness,
                        stride: room.likeness.len() / BLOCK_TOKENS,
                        columns: &room.values[part..],
                        step: head,
                    };
                    let gathered = weighted(terms);
                    for ((lanes, share), token) in gathered.iter().zip(shares).zip(first..=last) {
                        let made = &mut run.made[token * made_width + query * head + part..];
                        made[..LANES].copy_from_slice(&lanes.map(|value| value * share));
                    }
                }
            }
        }
    }
}

impl CausalScratch {
    /// Brings the keys and values of one head together, for the first `count` tokens.
    #[inline(always)]
    fn gather(&mut self, shape: CausalShape, run: &TokenRun<'_>, shared: usize, count: usize) {
        let CausalShape { queries, keys, head } = shape;
        let (key, value) = ((queries + shared) * head, (queries + keys + shared) * head);
        self.keys.clear();
        self.keys.resize(count.next_multiple_of(LANES) * head, 0.0);
        self.values.clear();
        let rows =
            run.before.chunks_exact(shape.width()).chain(run.rows.chunks_exact(shape.width()));
        for (token, row) in rows.take(count).enumerate() {
            let sixteen = &mut self.keys[token / LANES * LANES * head..][..LANES * head];
            let places = sixteen.iter_mut().skip(token % LANES).step_by(LANES);
            for (place, number) in places.zip(&row[key..][..head]) {
                *place = *number;
            }
            self.values.extend_from_slice(&row[value..][..head]);
        }
    }

    /// Takes the queries of a block, over the root of their size; the last one fills it up.
    #[inline(always)]
    fn ask(
        &mut self,
        shape: CausalShape,
        run: &TokenRun<'_>,
        query: usize,
        block: std::ops::RangeInclusive<usize>,
    ) {
        let scale = 1.0 / (shape.head as f32).sqrt();
        self.queries.clear();
        for row in 0..BLOCK_TOKENS {
            let token = run.first + (block.start() + row).min(*block.end());
            let numbers = &run.rows[token * shape.width() + query * shape.head..][..shape.head];
            self.queries.extend(numbers.iter().map(|number| number * scale));
        }
    }

    /// Likeness of a block of queries to the first `count` keys.
    #[inline(always)]
    fn compare(
        &mut self,
        head: usize,
        count: usize,
        weighted: impl Fn(WeightedSumTerms<'_>) -> [Lanes; BLOCK_TOKENS],
    ) {
        let padded = count.next_multiple_of(LANES);
        self.likeness.resize(padded * BLOCK_TOKENS, 0.0);
        let sixteens = self.keys.chunks_exact(LANES * head).take(padded / LANES);
        for (place, columns) in sixteens.enumerate() {
            let weights = &self.queries;
            let terms =
                WeightedSumTerms { count: head, weights, stride: head, columns, step: LANES };
            let rows = self.likeness.chunks_exact_mut(padded);
            for (row, lanes) in rows.zip(weighted(terms)) {
                row[place * LANES..][..LANES].copy_from_slice(&lanes);
            }
        }
    }

    /// Turns likeness into weights, and returns the factors that make them add up to one.
    ///
    /// The first row sees `first` tokens, each other row one more, and none more
    /// than `last`. The weight of a token that a row does not see is exactly zero.
    #[inline(always)]
    fn weigh(&mut self, first: usize, last: usize) -> [f32; BLOCK_TOKENS] {
        let mut shares = [0.0; BLOCK_TOKENS];
        let padded = self.likeness.len() / BLOCK_TOKENS;
        let rows = self.likeness.chunks_exact_mut(padded).zip(&mut shares);
        for ((row, share), seen) in rows.zip(first..) {
            let seen = seen.min(last);
            row[seen..].fill(f32::NEG_INFINITY);
            let mut most = [f32::NEG_INFINITY; LANES];
            for lanes in row.as_chunks::<LANES>().0 {
                most = std::array::from_fn(|lane| larger(lanes[lane], most[lane]));
            }
            let most = max(most);
            for lanes in row.as_chunks_mut::<LANES>().0 {
                *lanes = lanes.map(|value| exp(value - most));
            }
            row[seen..].fill(0.0);
            let mut total = [0.0; LANES];
            for lanes in row.as_chunks::<LANES>().0 {
                total = add(total, *lanes);
            }
            *share = 1.0 / sum(total);
        }
        shares
    }
}

/// Tokens of one task: few enough for every thread to have some, and enough to gather keys for.
const MAX_RUN_TOKENS: usize = 64;
