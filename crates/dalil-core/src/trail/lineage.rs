//! Lineages over a stream: each record follows the last one of its subject.

use std::collections::BTreeMap;

use super::notes::Notes;
use crate::digest::Digest;
use crate::fault::quote;
use crate::record::{Lineage, Record};
use crate::report::{Report, Verdict};
use crate::time::Time;

/// The last record of every subject so far.
#[derive(Clone, Debug)]
pub(super) struct Lineages {
    first: u64,
    /// By the digest of the subject, which is as long for every subject.
    last: BTreeMap<Digest, Last>,
    before: u64,
    unfollowed: u64,
    notes: Notes,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    sequence: u64,
    leaf: Digest,
    at: Time,
}

impl Lineages {
    /// `first` is the index of the first record; from 0 on, nothing may be missing.
    pub(super) fn new(first: u64) -> Self {
        let last = BTreeMap::new();
        Self { first, last, before: 0, unfollowed: 0, notes: Notes::default() }
    }

    pub(super) fn follow(&mut self, record: &Record, leaf: Digest) {
        let envelope = record.envelope();
        let here = Last { sequence: envelope.lineage.sequence(), leaf, at: envelope.at };
        let subject = Digest::of(envelope.subject.as_bytes());
        match self.last.get_mut(&subject) {
            Some(last) => {
                if let Some(broken) = wrong(last, envelope.lineage, here) {
                    self.notes.fail(|| format!("{}: {broken}", quote(&envelope.subject)));
                }
                *last = here;
            }
            None => {
                match envelope.lineage {
                    Lineage::First => {}
                    Lineage::Next { .. } if self.first > 0 => self.before += 1,
                    Lineage::Next { sequence, .. } => self.notes.fail(|| {
                        format!(
                            "{}: expected sequence 0, found {sequence}",
                            quote(&envelope.subject)
                        )
                    }),
                }
                if self.last.len() < MAX_SUBJECTS {
                    self.last.insert(subject, here);
                } else {
                    self.unfollowed += 1;
                }
            }
        }
    }

    pub(super) fn report(mut self, report: &mut Report) {
        let Self { first, before, unfollowed, .. } = self;
        if before > 0 {
            let message =
                format!("{before} records name one before record {first}, not in this file");
            self.notes.add(Verdict::Incomplete, || message);
        }
        if unfollowed > 0 {
            let message =
                format!("{unfollowed} records of subjects beyond {MAX_SUBJECTS} not followed");
            self.notes.add(Verdict::Incomplete, || message);
        }
        if self.notes.is_empty() {
            report.pass(PART, format!("{} subjects, unbroken", self.last.len()));
        }
        self.notes.report(PART, report);
    }
}

/// What is wrong between a record and the last one of its subject.
fn wrong(last: &Last, lineage: Lineage, here: Last) -> Option<String> {
    let expected = last.sequence.saturating_add(1);
    match lineage {
        Lineage::First => Some(format!("expected sequence {expected}, found 0")),
        Lineage::Next { sequence, .. } if sequence != expected => {
            Some(format!("expected sequence {expected}, found {sequence}"))
        }
        Lineage::Next { sequence, previous } if previous != last.leaf => {
            let leaf = last.leaf;
            Some(format!("expected sequence {sequence} to name `{leaf}`, found `{previous}`"))
        }
        Lineage::Next { sequence, .. } if here.at < last.at => {
            let (earlier, found) = (last.at, here.at);
            Some(format!("expected sequence {sequence} at {earlier} or later, found {found}"))
        }
        Lineage::Next { .. } => None,
    }
}

const PART: &str = "lineage";
/// About a hundred bytes each.
const MAX_SUBJECTS: usize = 1 << 20;
