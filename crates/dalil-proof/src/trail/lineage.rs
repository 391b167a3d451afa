//! Lineages over a stream: each record follows the last one of its subject.

use std::collections::BTreeMap;

use dalil_phrasebook::{Phrase, trail_check};

use crate::digest::Digest;
use crate::fault::quote;
use crate::record::{Lineage, Record};
use crate::report::{CheckStatus, VerificationReport, notes::CheckNotes};
use crate::time::Time;

#[cfg(test)]
mod tests;

/// The last record of every subject so far.
#[derive(Clone, Debug)]
pub struct LineageTracker {
    first: u64,
    /// By the digest of the subject, which is as long for every subject.
    last: BTreeMap<Digest, SubjectHead>,
    before: u64,
    unfollowed: u64,
    /// How many subjects are followed.
    most: usize,
    notes: CheckNotes,
}

#[derive(Clone, Copy, Debug)]
struct SubjectHead {
    sequence: u64,
    leaf: Digest,
    at: Time,
}

impl LineageTracker {
    /// `first` is the index of the first record; from 0 on, nothing may be missing.
    pub fn new(first: u64) -> Self {
        let last = BTreeMap::new();
        let (most, notes) = (MAX_SUBJECTS, CheckNotes::default());
        Self { first, last, before: 0, unfollowed: 0, most, notes }
    }

    /// Looks at the next record.
    pub fn follow(&mut self, record: &Record, leaf: Digest) {
        let envelope = record.envelope();
        let here = SubjectHead { sequence: envelope.lineage.sequence(), leaf, at: envelope.at };
        let subject = Digest::of(envelope.subject.as_bytes());
        let is_full = self.last.len() >= self.most;
        match self.last.get_mut(&subject) {
            Some(last) => {
                if let Some(broken) = wrong(last, envelope.lineage, here) {
                    let subject = quote(&envelope.subject);
                    self.notes.fail(|| broken.about(&subject));
                }
                // From the record that is there, so that one break is reported once.
                *last = here;
            }
            // The record before it may be one that was not followed.
            None if is_full => self.unfollowed += 1,
            None => {
                match envelope.lineage {
                    Lineage::First => {}
                    // The record that it names may be before this file; only an export from record
                    // 0 shows a break.
                    Lineage::Next { .. } if self.first > 0 => self.before += 1,
                    Lineage::Next { sequence, .. } => self.notes.fail(|| {
                        let subject = quote(&envelope.subject);
                        trail_check::sequence_does_not_start(subject, sequence)
                    }),
                }
                self.last.insert(subject, here);
            }
        }
    }

    /// Reports whether every lineage is unbroken.
    pub fn report(mut self, report: &mut VerificationReport) {
        let Self { first, before, unfollowed, most, .. } = self;
        if before > 0 {
            let message = trail_check::previous_before_this_file(before, first);
            self.notes.add(CheckStatus::Incomplete, || message);
        }
        if unfollowed > 0 {
            let message = trail_check::subjects_not_followed(unfollowed, most);
            self.notes.add(CheckStatus::Incomplete, || message);
        }
        if self.notes.is_empty() {
            let subjects = self.last.len();
            let message = trail_check::subjects_unbroken(subjects);
            report.pass(PART_LINEAGE, message);
        }
        self.notes.report(PART_LINEAGE, report);
    }
}

/// The fault between a record and the last one of its subject.
fn wrong(last: &SubjectHead, lineage: Lineage, here: SubjectHead) -> Option<Phrase> {
    let expected = last.sequence.saturating_add(1);
    match lineage {
        Lineage::First => Some(trail_check::sequence_starts_again(expected)),
        Lineage::Next { sequence, .. } if sequence != expected => {
            Some(trail_check::sequence_differs(expected, sequence))
        }
        Lineage::Next { sequence, previous } if previous != last.leaf => {
            let leaf = last.leaf;
            Some(trail_check::previous_leaf_differs(sequence, leaf, previous))
        }
        Lineage::Next { sequence, .. } if here.at < last.at => {
            let (earlier, found) = (last.at, here.at);
            Some(trail_check::time_runs_back(sequence, earlier, found))
        }
        Lineage::Next { .. } => None,
    }
}

const PART_LINEAGE: &str = "lineage";
/// About a hundred bytes each.
const MAX_SUBJECTS: usize = 1 << 20;
