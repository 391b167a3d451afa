//! Orthogonal turns of weights, by Hadamard matrices.
//!
//! A few numbers of each token are a thousand times larger than the others, and
//! eight bits would be spent on them. Turned by an orthogonal matrix they spread
//! over all places; the next layer's weights are turned back beforehand, so the
//! model computes the same. `docs/decisions.md` has the measurements.

/// Turns the inputs of each row of weights, or numbers, by `size` of them at a time.
pub(super) fn hadamard_inputs(values: &mut [f32], size: usize) {
    turn(values, size, 1);
}

/// Turns the outputs of rows that are `inputs` wide, by `size` rows at a time.
pub(super) fn hadamard_outputs(values: &mut [f32], inputs: usize, size: usize) {
    turn(values, size, inputs);
}

/// Multiplies by the Hadamard matrix of `size`, a power of two, over the root of its size;
/// `unit` numbers stand together in each place.
fn turn(values: &mut [f32], size: usize, unit: usize) {
    let share = 1.0 / root(size);
    for block in values.chunks_exact_mut((size * unit).max(1)) {
        // The fast transform: log2(size) rounds of sums and differences, not size² products.
        let mut half = unit;
        while half < block.len() {
            for pair in block.chunks_exact_mut(half * 2) {
                let (ones, others) = pair.split_at_mut(half);
                for (one, other) in ones.iter_mut().zip(others) {
                    (*one, *other) = (*one + *other, *one - *other);
                }
            }
            half *= 2;
        }
        // Over the root of its size the matrix is its own inverse, so that two turns cancel.
        for value in block {
            *value *= share;
        }
    }
}

fn root(size: usize) -> f32 {
    f32::from(u16::try_from(size).unwrap_or(u16::MAX)).sqrt()
}
