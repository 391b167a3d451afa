use expect_test::{Expect, ExpectFile, expect, expect_file};

use super::Overview;
use crate::tests::{ARABIC, Case, ENGLISH, checked};

fn check(answers: &[&Case], text: &Expect, json: &ExpectFile) {
    let ledgers: Vec<_> = answers.iter().map(|case| case.ledger()).collect();
    let checked = checked(answers, &ledgers);
    let overview = Overview::of(&checked);
    text.assert_eq(&overview.to_string());
    json.assert_eq(&(serde_json::to_string_pretty(&overview).unwrap() + "\n"));
}

#[test]
fn figures_are_added_up_and_unsupported_claims_have_places() {
    check(
        &[&ENGLISH, &ARABIC],
        &expect![[r#"
            claims  ✓ supported  ? weak  ✗ contradicted  ○ not found  unsupported  answer
                 4            1       1               1            1           0%  answers/leave <1>.md
                 1            0       0               0            1         100%  إجابة.md
                 5            1       1               1            2          25%  all 2 answers
            ○ Not Found: answers/leave <1>.md: It is paid
            ✗ Contradicted: answers/leave <1>.md: It is 20 days for shift staff
            ○ Not Found: إجابة.md: الحد الأقصى ٥ أيام
        "#]],
        &expect_file!["../../../../suite/press/overview.json"],
    );
}

#[test]
fn nothing_gives_full_coverage_of_nothing() {
    check(
        &[],
        &expect![[r#"
        claims  ✓ supported  ? weak  ✗ contradicted  ○ not found  unsupported  answer
             0            0       0               0            0           0%  all 0 answers
    "#]],
        &expect_file!["../../../../suite/press/overview-empty.json"],
    );
}
