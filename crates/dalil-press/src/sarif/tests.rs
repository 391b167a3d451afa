use expect_test::{ExpectFile, expect_file};

use crate::tests::{ARABIC, Case, ENGLISH, checked};

fn check(answers: &[&Case], expected: &ExpectFile) {
    let ledgers: Vec<_> = answers.iter().map(|case| case.ledger()).collect();
    let log = super::log(&checked(answers, &ledgers));
    expected.assert_eq(&(serde_json::to_string_pretty(&log).unwrap() + "\n"));
}

#[test]
fn every_claim_that_is_not_supported_is_a_result_at_its_place() {
    check(&[&ENGLISH], &expect_file!["../../../../suite/press/english.sarif"]);
}

#[test]
fn columns_count_characters_and_names_are_escaped() {
    check(&[&ARABIC], &expect_file!["../../../../suite/press/arabic.sarif"]);
}

#[test]
fn no_answers_give_a_run_without_results() {
    check(&[], &expect_file!["../../../../suite/press/empty.sarif"]);
}
