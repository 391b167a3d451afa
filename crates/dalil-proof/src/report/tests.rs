use dalil_phrasebook::Phrase;

use super::{CheckStatus, VerificationReport};
use crate::canon;

#[track_caller]
fn check(verdicts: &[CheckStatus], expected: CheckStatus) {
    let mut report = VerificationReport::default();
    for verdict in verdicts {
        report.add("part", *verdict, Phrase::verbatim("because"));
    }
    assert_eq!(report.verdict(), expected);
}

#[test]
fn the_worst_finding_is_the_verdict() {
    use CheckStatus::{Fail, Incomplete, Pass};
    check(&[Pass, Pass], Pass);
    check(&[Pass, Incomplete], Incomplete);
    check(&[Incomplete, Fail, Pass], Fail);
}

#[test]
fn a_report_that_looked_at_nothing_is_incomplete() {
    check(&[], CheckStatus::Incomplete);
}

#[test]
fn a_report_is_written_with_its_verdict() {
    let mut report = VerificationReport::default();
    report.pass("format", Phrase::verbatim("canonical"));
    report.fail("record", Phrase::verbatim("changed"));
    let json = String::from_utf8(canon::bytes(&report).unwrap()).unwrap();
    assert_eq!(
        json,
        r#"{"findings":[{"message":"canonical","part":"format","verdict":"pass"},{"message":"changed","part":"record","verdict":"fail"}],"verdict":"fail"}"#
    );
}
