use dalil_core::ledger::request::Language;
use expect_test::{Expect, expect};

use crate::tests::{Case, ENGLISH, JUDGED};

fn check(case: &Case, language: Language, expected: &Expect) {
    expected.assert_eq(&super::brief(&case.ledger(), language));
}

#[test]
fn counts_risks_and_questions_stand_under_each_other() {
    check(&ENGLISH, Language::English, &expect![[""]]);
}

#[test]
fn the_judge_and_its_documents_are_named() {
    check(&JUDGED, Language::English, &expect![[""]]);
}

#[test]
fn everything_is_said_in_arabic_too() {
    check(&JUDGED, Language::Arabic, &expect![[""]]);
}
