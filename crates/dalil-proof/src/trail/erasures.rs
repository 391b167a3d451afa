//! Erasures: compares the records about erased payloads with the payloads that are still there.
//!
//! An erasure comes after the records that it erased. So the state of every record is
//! remembered, as runs of records in the same state: a long trail has few.

use std::collections::BTreeMap;

use dalil_phrasebook::trail_check;

use super::line::{PayloadField, TrailLine};
use crate::erasure::{self, Erasure, LegalBasis};
use crate::fault::quote;
use crate::record::RecordKind;
use crate::report::{CheckStatus, VerificationReport, notes::CheckNotes};

/// The state of a record's payload in this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PayloadState {
    /// Something.
    Kept,
    /// The record commits to nothing.
    Empty,
    /// Nothing, and it does not say that it was erased.
    Hidden,
    /// Missing, and marked as erased by a record.
    Erased {
        /// The record.
        by: u64,
        /// How many fields.
        fields: u64,
    },
}

/// What became of the fields that say that one record erased them: how many are which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ErasureClaimCounts {
    /// The record names them.
    pub(super) named: u64,
    /// The record's list is not shown, or could not be remembered.
    pub(super) unknown: u64,
    /// The record does not name them, or is no erasure.
    pub(super) unnamed: u64,
}

/// The state of the records so far.
#[derive(Clone, Debug)]
pub(super) struct ErasureTracker {
    first: u64,
    /// Where each run starts, and its state; a run ends where the next one starts.
    runs: Vec<(u64, PayloadRun)>,
    /// The index after the last run.
    end: u64,
    /// By the record that erased them: how many fields say so.
    claims: BTreeMap<u64, u64>,
    forgot: bool,
    notes: CheckNotes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PayloadRun {
    Unknown,
    Kept,
    Empty,
    Hidden,
    Erased { by: u64, fields: u64 },
}

impl ErasureTracker {
    pub(super) fn new(first: u64) -> Self {
        let (runs, claims) = (Vec::new(), BTreeMap::new());
        Self { first, runs, end: first, claims, forgot: false, notes: CheckNotes::default() }
    }

    /// Remembers the state of a record. One that is out of its place is not remembered.
    pub(super) fn remember(&mut self, index: u64, state: PayloadState) {
        let run = match state {
            PayloadState::Kept => PayloadRun::Kept,
            PayloadState::Empty => PayloadRun::Empty,
            PayloadState::Hidden => PayloadRun::Hidden,
            PayloadState::Erased { by, fields } => {
                // Beyond the bound, claims are counted together and never confirmed.
                let full = self.claims.len() >= MAX_RUNS && !self.claims.contains_key(&by);
                self.forgot |= full;
                *self.claims.entry(if full { UNTRACKED_RECORD } else { by }).or_default() += fields;
                PayloadRun::Erased { by, fields }
            }
        };
        // Out of its place, which `order` reports; runs only grow at their end.
        if index < self.end {
            return;
        }
        // Records that are not here have no state, and must not take that of a neighbour.
        let passed_over = (index > self.end).then_some((self.end, PayloadRun::Unknown));
        for (start, run) in passed_over.into_iter().chain([(index, run)]) {
            if self.runs.last().is_none_or(|(_, last)| *last != run) {
                let fits = self.runs.len() < MAX_RUNS;
                let run = if fits { run } else { PayloadRun::Unknown };
                self.forgot |= !fits;
                if self.runs.last().is_none_or(|(_, last)| *last != run) {
                    self.runs.push((start, run));
                }
            }
        }
        self.end = index + 1;
    }

    /// Judges the claims that this record erased a payload.
    pub(super) fn judge(&mut self, line: &TrailLine<'_>) -> ErasureClaimCounts {
        // Erased records come before it, so every claim on this record has been counted.
        let claimed = self.claims.remove(&line.index).unwrap_or(0);
        if line.record.envelope().kind != RecordKind::PayloadErased {
            return ErasureClaimCounts { unnamed: claimed, ..ErasureClaimCounts::default() };
        }
        let index = line.index;
        let committed = line.record.envelope().commitments.contains_key(erasure::ERASURE_FIELD);
        let erasure = match line.shown(erasure::ERASURE_FIELD) {
            Some(PayloadField::Present { bytes, .. }) => Erasure::parse(bytes).ok(),
            Some(_) | None if committed => {
                let message = || trail_check::erasure_not_shown(index);
                self.notes.add(CheckStatus::Incomplete, message);
                return ErasureClaimCounts { unknown: claimed, ..ErasureClaimCounts::default() };
            }
            Some(_) | None => None,
        };
        let Some(erasure) = erasure else {
            let message = || trail_check::erasure_unreadable(index);
            self.notes.fail(message);
            return ErasureClaimCounts { unnamed: claimed, ..ErasureClaimCounts::default() };
        };
        let named = self.compare(index, &erasure);
        let rest = claimed.saturating_sub(named);
        // Forgotten records may be those that the record names, so the rest is not held against it.
        if self.forgot {
            return ErasureClaimCounts { named, unknown: rest, unnamed: 0 };
        }
        ErasureClaimCounts { named, unknown: 0, unnamed: rest }
    }

    /// The claims left at the end: fields erased by records that never came.
    pub(super) fn left(&mut self) -> Vec<(u64, ErasureClaimCounts)> {
        let left = std::mem::take(&mut self.claims).into_iter();
        let judged = |(by, fields)| match by {
            UNTRACKED_RECORD => {
                (by, ErasureClaimCounts { unknown: fields, ..ErasureClaimCounts::default() })
            }
            _ => (by, ErasureClaimCounts { unnamed: fields, ..ErasureClaimCounts::default() }),
        };
        left.map(judged).collect()
    }

    pub(super) fn report(mut self, report: &mut VerificationReport) {
        if self.forgot {
            self.notes
                .add(CheckStatus::Incomplete, || trail_check::payloads_not_all_followed(MAX_RUNS));
        }
        self.notes.report(PART_ERASURES, report);
    }

    /// Compares an erasure with the payloads here, and counts the fields that both agree about.
    fn compare(&mut self, index: u64, erasure: &Erasure) -> u64 {
        let (mut agreed, mut worst) = (0, None);
        for &erased in erasure.erased() {
            let problem = match self.run(erased) {
                _ if erased >= index => Some((CheckStatus::Fail, trail_check::is_not_before_it())),
                PayloadRun::Erased { by, fields } if by == index => {
                    agreed += fields;
                    None
                }
                PayloadRun::Erased { .. } => {
                    Some((CheckStatus::Fail, trail_check::says_that_another_erased_it()))
                }
                PayloadRun::Kept => Some((CheckStatus::Fail, trail_check::still_has_its_payload())),
                PayloadRun::Hidden => Some((
                    CheckStatus::Incomplete,
                    trail_check::does_not_show_whether_it_is_erased(),
                )),
                // Nothing to erase, or nothing to compare with:
                // a record before the file, or a forgotten one.
                PayloadRun::Empty | PayloadRun::Unknown => None,
            };
            // One finding for each erasure: the first that
            // fails, otherwise the first that is incomplete.
            let failed = matches!(worst, Some((_, CheckStatus::Fail, _)));
            if let Some((verdict, what)) = problem
                .filter(|(verdict, _)| worst.is_none() || !failed && *verdict == CheckStatus::Fail)
            {
                worst = Some((erased, verdict, what));
            }
        }
        let count = erasure.erased().len();
        match worst {
            Some((erased, verdict, what)) => {
                self.notes.add(verdict, || trail_check::record_erased_record(index, erased, what));
            }
            None => {
                let basis = basis(erasure.legal_basis());
                let approver = quote(erasure.approver());
                self.notes.add(CheckStatus::Pass, || {
                    trail_check::record_erased_payloads(index, count, basis, approver)
                });
            }
        }
        agreed
    }

    fn run(&self, index: u64) -> PayloadRun {
        if index < self.first || index >= self.end {
            return PayloadRun::Unknown;
        }
        let after = self.runs.partition_point(|(start, _)| *start <= index);
        after
            .checked_sub(1)
            .and_then(|n| self.runs.get(n))
            .map_or(PayloadRun::Unknown, |(_, run)| *run)
    }
}

fn basis(basis: LegalBasis) -> &'static str {
    LegalBasis::WIRE_NAMES.iter().find(|(_, own)| *own == basis).map_or("", |(word, _)| word)
}

const PART_ERASURES: &str = "erasures";
/// No record has this index.
const UNTRACKED_RECORD: u64 = u64::MAX;
/// Thirty-two bytes each.
const MAX_RUNS: usize = 1 << 20;
