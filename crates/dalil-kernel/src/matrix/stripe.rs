//! Columns of a product that one thread fills while others fill the rest.

use std::marker::PhantomData;
use std::ops::Range;

/// Some columns of rows of floats.
///
/// Invariant: `start` points to the first row of the whole, which has `rows` rows
/// of `stride` floats, lives as long as `'m`, and in which no other code touches
/// `columns` of any of these rows.
#[derive(Debug)]
pub(super) struct OutputStripe<'m> {
    start: *mut f32,
    rows: usize,
    stride: usize,
    columns: Range<usize>,
    whole: PhantomData<&'m mut [f32]>,
}

// SAFETY: by the invariant a stripe is the only way to its floats.
unsafe impl Send for OutputStripe<'_> {}

/// Cuts rows of `stride` floats into stripes of `width` columns, the last with the rest.
pub(super) fn cut(made: &mut [f32], stride: usize, width: usize) -> Vec<OutputStripe<'_>> {
    let rows = made.len().checked_div(stride).unwrap_or(0);
    let start = made.as_mut_ptr();
    let starts = (0..stride).step_by(width.max(1));
    let stripe = |first: usize| {
        let columns = first..stride.min(first + width);
        OutputStripe { start, rows, stride, columns, whole: PhantomData }
    };
    starts.map(stripe).collect()
}

impl OutputStripe<'_> {
    /// The stripe from row `first` on.
    pub(super) fn below(&mut self, first: usize) -> OutputStripe<'_> {
        let first = first.min(self.rows);
        OutputStripe {
            // SAFETY: the whole has at least `first` rows.
            start: unsafe { self.start.add(first * self.stride) },
            rows: self.rows - first,
            stride: self.stride,
            columns: self.columns.clone(),
            whole: PhantomData,
        }
    }

    /// Columns of one row, counted from the first of the stripe; none where there is no row.
    #[inline(always)]
    pub(super) fn row(&mut self, row: usize, columns: Range<usize>) -> &mut [f32] {
        let first = self.columns.start + columns.start;
        if row >= self.rows || columns.end < columns.start || columns.end > self.columns.len() {
            return &mut [];
        }
        // SAFETY: row and columns are in the whole and in the stripe, which is borrowed.
        unsafe {
            let start = self.start.add(row * self.stride + first);
            std::slice::from_raw_parts_mut(start, columns.len())
        }
    }
}
