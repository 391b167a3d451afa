//! The state of the payloads, field by field.

use dalil_phrasebook::{Phrase, trail_check};

use super::erasures::{ErasureClaimCounts, ErasureTracker, PayloadState};
use super::line::{PayloadField, TrailLine};
use crate::erasure::may_erase;
use crate::report::{CheckStatus, VerificationReport, notes::CheckNotes};

/// How many fields have each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PayloadCounts {
    /// Fields that are here, or in the lake by a digest that is here, and open their commitments.
    pub present: u64,
    /// How many of those are in the lake.
    pub lake: u64,
    /// Fields that a record of the trail erased.
    pub erased: u64,
    /// Fields that the export marks as left out.
    pub withheld: u64,
    /// Fields that are not here without a reason.
    pub missing: u64,
    /// Fields that do not open their commitments, or that nothing commits to.
    pub altered: u64,
}

/// The verdicts so far.
#[derive(Clone, Debug)]
pub struct PayloadTracker {
    counts: PayloadCounts,
    erasures: ErasureTracker,
    notes: CheckNotes,
    size: u64,
}

impl PayloadTracker {
    /// For a trail of `size` records, of which the file has those from `first` on.
    pub fn new(first: u64, size: u64) -> Self {
        let erasures = ErasureTracker::new(first);
        Self { counts: PayloadCounts::default(), erasures, notes: CheckNotes::default(), size }
    }

    /// Looks at the next record.
    pub fn follow(&mut self, line: &TrailLine<'_>) {
        let state = self.fields(line);
        self.erasures.remember(line.index, state);
        let judged = self.erasures.judge(line);
        self.settle(line.index, judged);
    }

    /// Reports whether every payload opens its commitments, and counts them.
    pub fn report(mut self, report: &mut VerificationReport) -> PayloadCounts {
        for (by, judged) in self.erasures.left() {
            self.settle(by, judged);
        }
        let PayloadCounts { present, lake, erased, withheld, missing, altered } = self.counts;
        let verdict = match (missing + altered, withheld) {
            (1.., _) => CheckStatus::Fail,
            (0, 1..) => CheckStatus::Incomplete,
            (0, 0) => CheckStatus::Pass,
        };
        let present = trail_check::payloads_present(present, lake);
        let message = trail_check::payload_counts(present, erased, withheld, missing, altered);
        report.add(PART_PAYLOADS, verdict, message);
        self.notes.report(PART_PAYLOADS, report);
        self.erasures.report(report);
        self.counts
    }

    /// Counts the verdicts of a record's fields and returns the payload's state.
    fn fields(&mut self, line: &TrailLine<'_>) -> PayloadState {
        let (index, commitments) = (line.index, &line.record.envelope().commitments);
        let (mut kept, mut gone) = (false, 0);
        for (name, commitment) in commitments {
            let field = line.payload.get(name.as_str());
            match field.map(|field| (field, field.opens(commitment, name))) {
                Some((PayloadField::Erased { .. }, _)) => gone += 1,
                Some((_, Some(true))) => {
                    kept = true;
                    self.counts.present += 1;
                    self.counts.lake += u64::from(matches!(field, Some(PayloadField::Lake { .. })));
                }
                Some((_, Some(false))) => {
                    kept = true;
                    self.altered(|| trail_check::payload_does_not_open_commitment(index, name));
                }
                Some((_, None)) => self.counts.withheld += 1,
                None => {
                    self.missing(1, || trail_check::payload_missing_without_reason(index, name));
                }
            }
        }
        for name in line.payload.keys().filter(|name| !commitments.contains_key(**name)) {
            self.altered(|| trail_check::payload_nothing_commits_to(index, name));
        }
        // An erasure destroys every field of a record, so a mix of erased and other fields is none.
        match erased_by(line, self.size) {
            Some(by) => PayloadState::Erased { by, fields: gone },
            None => {
                if gone > 0 {
                    self.missing(gone, || trail_check::payload_erased_in_no_way(index));
                }
                match (kept, commitments.is_empty()) {
                    (true, _) => PayloadState::Kept,
                    (false, true) => PayloadState::Empty,
                    (false, false) => PayloadState::Hidden,
                }
            }
        }
    }

    /// Counts the fields that say that one record erased them.
    fn settle(&mut self, by: u64, judged: ErasureClaimCounts) {
        let ErasureClaimCounts { named, unknown, unnamed } = judged;
        self.counts.erased += named;
        self.counts.withheld += unknown;
        if unnamed > 0 {
            self.missing(unnamed, || trail_check::fields_not_erased_by(unnamed, by));
        }
    }

    fn missing(&mut self, fields: u64, message: impl FnOnce() -> Phrase) {
        self.counts.missing += fields;
        self.notes.fail(message);
    }

    fn altered(&mut self, message: impl FnOnce() -> Phrase) {
        self.counts.altered += 1;
        self.notes.fail(message);
    }
}

/// The record that every field of a line names as its erasure, if it is possible.
fn erased_by(line: &TrailLine<'_>, size: u64) -> Option<u64> {
    let envelope = line.record.envelope();
    let mut by = envelope.commitments.keys().map(|name| match line.payload.get(name.as_str()) {
        Some(PayloadField::Erased { by }) => Some(*by),
        Some(PayloadField::Present { .. } | PayloadField::Lake { .. } | PayloadField::Withheld)
        | None => None,
    });
    let first = by.next().flatten()?;
    // An eraser comes later, within the signed tree, and never erases keys, holds and the like.
    let possible = may_erase(envelope.kind) && line.index < first && first < size;
    (possible && by.all(|other| other == Some(first))).then_some(first)
}

const PART_PAYLOADS: &str = "payloads";
