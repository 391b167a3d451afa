//! Tests of lineages.

use std::collections::BTreeMap;

use expect_test::expect;

use super::LineageTracker;
use crate::id::RecordId;
use crate::record::{Actor, Lineage, Record, RecordEnvelope, RecordKind};
use crate::report::VerificationReport;

fn record(subject: &str, lineage: Lineage) -> Record {
    Record::new(&RecordEnvelope {
        kind: RecordKind::DecisionRecorded,
        id: RecordId::from_random([0; 8]),
        at: "2026-01-03T12:00:00Z".parse().unwrap(),
        actor: Actor::System,
        subject: subject.to_owned(),
        lineage,
        commitments: BTreeMap::new(),
    })
    .unwrap()
}

#[test]
fn subjects_beyond_the_limit_are_incomplete_and_do_not_fail() {
    let mut lineages = LineageTracker { most: 2, ..LineageTracker::new(0) };
    for subject in ["a", "b", "c"] {
        let first = record(subject, Lineage::First);
        let next = Lineage::Next { sequence: 1, previous: first.leaf() };
        let next = record(subject, next);
        for one in [&first, &next] {
            lineages.follow(one, one.leaf());
        }
    }
    let mut report = VerificationReport::default();
    lineages.report(&mut report);
    expect![[r"
        INCOMPLETE
        INCOMPLETE lineage: 2 records of subjects beyond 2 not followed
    "]]
    .assert_eq(&report.to_string());
}
