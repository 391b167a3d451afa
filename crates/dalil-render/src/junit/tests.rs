use expect_test::{Expect, expect};

use crate::tests::{ARABIC, ENGLISH, checked};

fn check(answers: &[&crate::tests::Case], expected: &Expect) {
    let ledgers: Vec<_> = answers.iter().map(|case| case.ledger()).collect();
    expected.assert_eq(&super::xml(&checked(answers, &ledgers)));
}

#[test]
fn contradicted_and_missing_claims_are_failures_and_weak_ones_are_not() {
    check(
        &[&ENGLISH, &ARABIC],
        &expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="dalil check" tests="5" failures="3" errors="0">
          <testsuite name="answers/leave &lt;1&gt;.md" tests="4" failures="2" errors="0" timestamp="2026-03-15T09:30:00.000Z">
            <testcase name="1. Leave is 15 days" classname="answers/leave &lt;1&gt;.md">
              <system-out>Supported: hr.pdf, p.12: Directly supported by: &quot;15 days of leave&quot;</system-out>
            </testcase>
            <testcase name="2. It carries over" classname="answers/leave &lt;1&gt;.md">
              <system-out>Weak: hr.pdf, p.15: Partially supported: &quot;may be carried over&quot;</system-out>
            </testcase>
            <testcase name="3. It is paid" classname="answers/leave &lt;1&gt;.md">
              <failure type="Not Found" message="Not Found">No matching evidence found in provided documents</failure>
            </testcase>
            <testcase name="4. It is 20 days for shift staff" classname="answers/leave &lt;1&gt;.md">
              <failure type="Contradicted" message="Contradicted">hr.pdf, p.12: Evidence contradicts claim: &quot;15 days &amp; no more&quot;</failure>
            </testcase>
          </testsuite>
          <testsuite name="إجابة.md" tests="1" failures="1" errors="0" timestamp="2026-03-15T09:30:00.000Z">
            <testcase name="1. الحد الأقصى ٥ أيام" classname="إجابة.md">
              <failure type="Not Found" message="Not Found">No matching evidence found in provided documents</failure>
            </testcase>
          </testsuite>
        </testsuites>
    "#]],
    );
}

#[test]
fn no_answers_give_an_empty_report() {
    check(
        &[],
        &expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="dalil check" tests="0" failures="0" errors="0">
        </testsuites>
    "#]],
    );
}

#[test]
fn what_xml_cannot_hold_is_replaced() {
    assert_eq!(
        super::escaped("a<b>&\"'\u{0}\u{1b}[31m\u{fffe}\n"),
        "a&lt;b&gt;&amp;&quot;&apos;\u{fffd}\u{fffd}[31m\u{fffd} "
    );
}
