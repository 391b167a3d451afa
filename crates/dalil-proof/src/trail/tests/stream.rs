use expect_test::{Expect, expect};

use super::super::erasures::{ErasureTracker, PayloadState};
use super::super::lineage::LineageTracker;
use super::super::order::RecordOrderTracker;
use super::sample::{Sample, present};
use crate::record::RecordKind;
use crate::report::VerificationReport;

/// Places records in a trail of ten and compares the report on their order.
#[track_caller]
fn check(places: &[u64], expected: &Expect) {
    let (mut order, mut report) = (RecordOrderTracker::new(2, 10), VerificationReport::default());
    for (line, place) in (2..).zip(places) {
        order.place(line, *place);
    }
    order.report(&mut report);
    let lines: Vec<_> =
        report.findings.into_iter().map(|finding| finding.message.english().to_owned()).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn each_way_to_be_out_of_order_has_its_own_words() {
    check(&[2, 3, 4, 5, 6, 7, 8, 9], &expect!["every record is there once, in its place"]);
    check(
        &[2, 3, 6, 5, 7, 7, 8, 12, 1, 9],
        &expect![[r#"
        line 5: record 5 stands after record 6, out of order
        line 7: record 7 stands a second time
        line 9: expected a record before the size 10, found record 12
        line 10: expected record 2 or a later one, found record 1
        record 4 is not there"#]],
    );
    check(
        &[9, 5, 5],
        &expect![[r#"
        line 3: record 5 stands after record 9, out of order
        line 4: record 5 stands a second time
        records 2 to 4 are not there
        records 6 to 8 are not there"#]],
    );
    check(&[], &expect!["records 2 to 9 are not there"]);
}

#[test]
fn runs_of_records_in_one_state_are_remembered_as_one() {
    let mut erasures = ErasureTracker::new(0);
    for index in 0..100_000 {
        let erased = (40_000..50_000).contains(&index);
        let state = if erased {
            PayloadState::Erased { by: 100_001, fields: 2 }
        } else {
            PayloadState::Kept
        };
        erasures.remember(index, state);
    }
    assert!(format!("{erasures:?}").len() < 500, "{erasures:?}");
}

#[test]
fn a_lineage_is_followed_by_its_subject() {
    let mut sample = Sample::empty();
    for n in 0..3 {
        sample.add(RecordKind::ToolIntended, "one", &[("a", present(vec![n]))]);
    }
    let mut lineages = LineageTracker::new(0);
    for (record, _) in sample.records.iter().rev() {
        lineages.follow(record, record.leaf());
    }
    let mut report = VerificationReport::default();
    lineages.report(&mut report);
    expect![[r#"
        FAIL
        FAIL       lineage: `one`: expected sequence 0, found 2
        FAIL       lineage: `one`: expected sequence 3, found 1
        FAIL       lineage: `one`: expected sequence 2, found 0
    "#]]
    .assert_eq(&report.to_string());
}
