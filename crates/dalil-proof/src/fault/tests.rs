//! Faults: how they read, and what cannot be smuggled into them.

use dalil_phrasebook::{Language, Phrase, bound, expected, found, hint};
use expect_test::expect;

use super::{Fault, FaultCollector, MAX_FAULTS, Refused, quote};

#[test]
fn reads_as_where_expected_found_and_hint() {
    let one = Fault::new("range", "a.b[0]", bound::score(), found::value(1.5))
        .hint(Phrase::verbatim("divide by 100"));
    let two = Fault::new("missing_field", "c", expected::a_value(), found::nothing());
    expect![[r"
        `a.b[0]`: expected a number from 0 to 1, found `1.5`
        hint: divide by 100
        `c`: expected a value, found nothing"]]
    .assert_eq(&Refused { refused: vec![one, two] }.to_string());
}

#[test]
fn reads_in_arabic_as_it_does_in_english() {
    let fault = Fault::new("empty", "reason", expected::why_it_leaves(), found::nothing())
        .hint(hint::people_approve());
    expect![[r"
        `reason`: المتوقع سبب الإخراج، والموجود لا شيء
        إرشاد: الاعتماد للأشخاص"]]
    .assert_eq(fault.phrase().text(Language::Arabic));
}

#[test]
fn quoting_shows_no_control_and_no_reordering() {
    assert_eq!(quote("a\u{1b}[2J\u{202e}b"), "`a\\u{1b}[2J\\u{202e}b`");
    assert_eq!(quote("a\u{61c}\u{2028}\u{9b}b"), "`a\\u{61c}\\u{2028}\\u{9b}b`");
    assert_eq!(quote("a`, found `b"), "`a\\u{60}, found \\u{60}b`");
    assert_eq!(quote(&"ب".repeat(61)), format!("`{}…`", "ب".repeat(60)));
}

#[test]
fn a_missing_value_is_never_silent() {
    let refused = FaultCollector::default().into_result::<()>(None).unwrap_err();
    assert_eq!(refused.to_string(), "`$`: expected a readable value, found none");
    assert_eq!(FaultCollector::default().into_result(Some(1)), Ok(1));
}

#[test]
fn faults_beyond_the_limit_are_counted() {
    let faults = FaultCollector::default();
    for n in 0..MAX_FAULTS + 7 {
        faults.push(Fault::new("type", n, expected::a_string(), found::null()));
    }
    let refused = faults.into_result(Some(())).unwrap_err().refused;
    assert_eq!(refused.len(), MAX_FAULTS + 1);
    expect![[r"
        `$`: expected no faults, found 7 more than are listed
        hint: correct those listed and send the request again"]]
    .assert_eq(&refused[MAX_FAULTS].to_string());
}
