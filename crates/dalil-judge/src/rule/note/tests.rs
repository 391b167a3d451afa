use dalil_phrasebook::Language;
use expect_test::{Expect, expect};

use super::excerpt;
use crate::rule::compare;

fn check(claim: &str, evidence: &str, expected: &Expect) {
    let findings = compare(claim, evidence);
    let notes: String = findings
        .iter()
        .map(|finding| {
            let note = finding.note();
            format!("{}\n{}\n", note.text(Language::English), note.text(Language::Arabic))
        })
        .collect();
    expected.assert_eq(&notes);
}

#[test]
fn a_lawyer_can_read_the_notes() {
    let evidence =
        "All permanent employees shall receive 15 days of paid annual leave per calendar year.";
    check(
        "Employees are entitled to 20 days of annual leave.",
        evidence,
        &expect![[r#"
        The claim says 20 days, the evidence 15 days.
        الادعاء يقول 20 days، والدليل 15 days.
    "#]],
    );
    let evidence =
        "يستحق جميع الموظفين الدائمين إجازة سنوية مدفوعة الأجر مدتها ١٥ يوماً عن كل سنة ميلادية.";
    check(
        "يستحق الموظفون ٢٠ يوماً من الإجازة السنوية.",
        evidence,
        &expect![[r#"
        The claim says ٢٠ يوماً, the evidence ١٥ يوماً.
        الادعاء يقول ٢٠ يوماً، والدليل ١٥ يوماً.
        The claim and the evidence agree: “يستحق”, “يستحق”.
        يتفق الادعاء والدليل: «يستحق»، «يستحق».
    "#]],
    );
    let evidence = "Unused annual leave may be carried over at the discretion of the department head, subject to operational requirements.";
    check(
        "Unused leave can be carried forward to next year.",
        evidence,
        &expect![[r#"
        The claim and the evidence agree: “can”, “may”.
        يتفق الادعاء والدليل: «can»، «may».
        The claim leaves out a condition of the evidence: “at the discretion of the department head”.
        يُغفل الادعاء شرطاً في الدليل: «at the discretion of the department head».
        The claim leaves out a condition of the evidence: “subject to operational requirements”.
        يُغفل الادعاء شرطاً في الدليل: «subject to operational requirements».
    "#]],
    );
    check(
        "Unused annual leave must be carried over to the next year.",
        evidence,
        &expect![[r#"
        The claim says “must”, the evidence “may”.
        الادعاء يقول «must»، والدليل «may».
        The claim leaves out a condition of the evidence: “at the discretion of the department head”.
        يُغفل الادعاء شرطاً في الدليل: «at the discretion of the department head».
        The claim leaves out a condition of the evidence: “subject to operational requirements”.
        يُغفل الادعاء شرطاً في الدليل: «subject to operational requirements».
    "#]],
    );
    check(
        "The fee is SAR 5.",
        "The fee is set by the board.",
        &expect![[r#"
        The claim says SAR 5; the evidence does not.
        الادعاء يقول SAR 5، ولا يذكر الدليل ذلك.
    "#]],
    );
}

#[test]
fn an_excerpt_is_one_short_line_without_steering_characters() {
    assert_eq!(excerpt("a\u{202E}b\n\tc\u{7}"), "ab c");
    assert_eq!(excerpt(&"x".repeat(500)).chars().count(), 121);
}
