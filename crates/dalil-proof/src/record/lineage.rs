//! Lineages: the records of one subject, each naming the one before.

use std::collections::BTreeMap;

use super::{Lineage, Record};
use crate::fault::quote;
use crate::report::{BilingualMessage, VerificationReport};
use crate::say;

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
            let message = say!(
                "{subject}: {count} records, unbroken",
                "{subject}: عدد القيود {count}، متصلة بلا انقطاع",
            );
            report.pass(PART_LINEAGE, message);
        }
        for message in broken {
            let subject = quote(subject);
            report.fail(PART_LINEAGE, message.about(&subject, &subject));
        }
    }
    report
}

/// Every break in one subject's lineage, in order.
fn breaks(places: &BTreeMap<u64, Vec<&Record>>) -> Vec<BilingualMessage> {
    let mut broken = Vec::new();
    let mut expected = 0;
    let mut before: &[&Record] = &[];
    for (&sequence, here) in places {
        if sequence != expected {
            broken.push(say!(
                "expected sequence {expected}, found {sequence}",
                "الترتيب المتوقع {expected}، والموجود {sequence}",
            ));
            // After a gap nothing says which record should have been named.
            before = &[];
        }
        if let [_, _, ..] = here.as_slice() {
            let found = here.len();
            broken.push(say!(
                "expected one record at sequence {sequence}, found {found}",
                "المتوقع قيد واحد عند الترتيب {sequence}، والموجود {found}",
            ));
        }
        broken.extend(here.iter().filter_map(|record| wrong_link(record, before)));
        before = here;
        expected = sequence.saturating_add(1);
    }
    broken
}

/// What is wrong between a record and the one it names, among those just before it.
fn wrong_link(record: &Record, before: &[&Record]) -> Option<BilingualMessage> {
    let Lineage::Next { sequence, previous } = record.envelope().lineage else { return None };
    let [some, ..] = before else { return None };
    // In a fork either branch may be named; the fork has a finding of its own.
    let Some(earlier) = before.iter().find(|earlier| earlier.leaf() == previous) else {
        let expected = some.leaf();
        return Some(say!(
            "expected sequence {sequence} to name `{expected}`, found `{previous}`",
            "المتوقع أن يسمّي الترتيب {sequence} القيد `{expected}`، والموجود `{previous}`",
        ));
    };
    let (earlier, found) = (earlier.envelope().at, record.envelope().at);
    let message = say!(
        "expected sequence {sequence} at {earlier} or later, found {found}",
        "المتوقع أن يكون الترتيب {sequence} في {earlier} أو بعده، والموجود {found}",
    );
    (found < earlier).then_some(message)
}

const PART_LINEAGE: &str = "lineage";
