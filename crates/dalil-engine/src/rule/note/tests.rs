use dalil_core::ledger::request::Language;
use expect_test::{Expect, expect};

use super::excerpt;
use crate::rule::compare;

fn check(claim: &str, evidence: &str, expected: &Expect) {
    let findings = compare(claim, evidence);
    let notes: String = findings
        .iter()
        .map(|finding| {
            format!("{}\n{}\n", finding.note(Language::English), finding.note(Language::Arabic))
        })
        .collect();
    expected.assert_eq(&notes);
}

#[test]
fn a_lawyer_can_read_the_notes() {
    let evidence =
        "All permanent employees shall receive 15 days of paid annual leave per calendar year.";
    check("Employees are entitled to 20 days of annual leave.", evidence, &expect![[""]]);
    let evidence =
        "يستحق جميع الموظفين الدائمين إجازة سنوية مدفوعة الأجر مدتها ١٥ يوماً عن كل سنة ميلادية.";
    check("يستحق الموظفون ٢٠ يوماً من الإجازة السنوية.", evidence, &expect![[""]]);
    let evidence = "Unused annual leave may be carried over at the discretion of the department head, subject to operational requirements.";
    check("Unused leave can be carried forward to next year.", evidence, &expect![[""]]);
    check("Unused annual leave must be carried over to the next year.", evidence, &expect![[""]]);
    check("The fee is SAR 5.", "The fee is set by the board.", &expect![[""]]);
}

#[test]
fn an_excerpt_is_one_short_line_without_steering_characters() {
    assert_eq!(excerpt("a\u{202E}b\n\tc\u{7}"), "ab c");
    assert_eq!(excerpt(&"x".repeat(500)).chars().count(), 121);
}
