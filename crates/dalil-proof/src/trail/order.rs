//! Whether every record of the range is there once, in its place.

use std::ops::Range;

use dalil_phrasebook::trail_check;

use crate::report::{VerificationReport, notes::CheckNotes};

/// The places of the records so far.
#[derive(Clone, Debug)]
pub(super) struct RecordOrderTracker {
    first: u64,
    next: u64,
    size: u64,
    /// Records that were passed over, in order.
    gaps: Vec<Range<u64>>,
    notes: CheckNotes,
}

impl RecordOrderTracker {
    pub(super) fn new(first: u64, size: u64) -> Self {
        Self { first, next: first, size, gaps: Vec::new(), notes: CheckNotes::default() }
    }

    /// Takes the place of a record.
    pub(super) fn place(&mut self, line: u64, index: u64) {
        let Self { first, next, size, .. } = *self;
        if index >= size {
            self.notes.fail(|| trail_check::record_beyond_the_size(line, size, index));
        } else if index >= next {
            // The gaps that are kept fail this part already, so that others may be dropped.
            if index > next && self.gaps.len() < MAX_GAPS {
                self.gaps.push(next..index);
            }
            self.next = index + 1;
        } else if index < first {
            self.notes.fail(|| trail_check::record_before_the_first(line, first, index));
        } else if self.fill(index) {
            let last = next - 1;
            self.notes.fail(|| trail_check::record_out_of_order(line, index, last));
        } else {
            self.notes.fail(|| trail_check::record_twice(line, index));
        }
    }

    /// Takes the next place for a line that could not be read.
    pub(super) fn skip(&mut self) {
        // It takes the place of the record that was due, which would otherwise be reported as
        // missing too.
        self.next = self.next.saturating_add(1).min(self.size);
    }

    pub(super) fn report(mut self, report: &mut VerificationReport) {
        if self.next < self.size {
            self.gaps.push(self.next..self.size);
        }
        for gap in self.gaps {
            let (start, last) = (gap.start, gap.end - 1);
            self.notes.fail(|| match last - start {
                0 => trail_check::record_not_there(start),
                _ => trail_check::records_not_there(start, last),
            });
        }
        if self.notes.is_empty() {
            let message = trail_check::every_record_once();
            report.pass(PART_ORDER, message);
        }
        self.notes.report(PART_ORDER, report);
    }

    /// Takes a record out of the gap that it is missing from; `false` if it was not missing.
    fn fill(&mut self, index: u64) -> bool {
        // Gaps are found in order and split in place, so they stay in order.
        let n = self.gaps.partition_point(|gap| gap.end <= index);
        if !self.gaps.get(n).is_some_and(|gap| gap.contains(&index)) {
            return false;
        }
        // What came late is out of order, but not missing.
        let gap = self.gaps.remove(n);
        let rest = [gap.start..index, index + 1..gap.end];
        drop(self.gaps.splice(n..n, rest.into_iter().filter(|part| !part.is_empty())));
        true
    }
}

const PART_ORDER: &str = "order";
/// A file with more gaps than this is not worth more words.
const MAX_GAPS: usize = 1000;
