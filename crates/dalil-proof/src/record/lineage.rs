//! Lineages: the records of one subject, each naming the one before.

use std::collections::BTreeMap;

use dalil_phrasebook::{Phrase, trail_check};

use super::{Lineage, Record};
use crate::fault::quote;
use crate::report::VerificationReport;

/// Checks the lineage of every subject among `records`, given in any order.
///
/// For each subject: one record for each sequence from 0, each naming the leaf
/// hash of the one before and dated no earlier. Whether the newest records are
/// missing cannot be seen here; that is what checkpoints are for.
pub fn check(records: &[Record]) -> VerificationReport {
    let mut subjects: BTreeMap<&str, BTreeMap<u64, Vec<&Record>>> = BTreeMap::new();
    for record in records {
        let envelope = record.envelope();
        let places = subjects.entry(&envelope.subject).or_default();
        places.entry(envelope.lineage.sequence()).or_default().push(record);
    }
    let mut report = VerificationReport::default();
    for (subject, places) in subjects {
        let broken = breaks(&places);
        if broken.is_empty() {
            let (subject, count) = (quote(subject), places.len());
            let message = trail_check::subject_unbroken(subject, count);
            report.pass(PART_LINEAGE, message);
        }
        for message in broken {
            let subject = quote(subject);
            report.fail(PART_LINEAGE, message.about(&subject));
        }
    }
    report
}

/// Every break in one subject's lineage, in order.
fn breaks(places: &BTreeMap<u64, Vec<&Record>>) -> Vec<Phrase> {
    let mut broken = Vec::new();
    let mut expected = 0;
    let mut before: &[&Record] = &[];
    for (&sequence, here) in places {
        if sequence != expected {
            broken.push(trail_check::sequence_differs(expected, sequence));
            // After a gap it is not known which record should have been named.
            before = &[];
        }
        if let [_, _, ..] = here.as_slice() {
            let found = here.len();
            broken.push(trail_check::several_records_at_sequence(sequence, found));
        }
        broken.extend(here.iter().filter_map(|record| wrong_link(record, before)));
        before = here;
        expected = sequence.saturating_add(1);
    }
    broken
}

/// The fault between a record and the one it names, among those just before it.
fn wrong_link(record: &Record, before: &[&Record]) -> Option<Phrase> {
    let Lineage::Next { sequence, previous } = record.envelope().lineage else { return None };
    let [some, ..] = before else { return None };
    // In a fork either branch may be named; the fork has a finding of its own.
    let Some(earlier) = before.iter().find(|earlier| earlier.leaf() == previous) else {
        let expected = some.leaf();
        return Some(trail_check::previous_differs(sequence, expected, previous));
    };
    let (earlier, found) = (earlier.envelope().at, record.envelope().at);
    let message = trail_check::time_runs_back(sequence, earlier, found);
    (found < earlier).then_some(message)
}

const PART_LINEAGE: &str = "lineage";
