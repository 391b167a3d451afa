use dalil_evidence::ledger;
use dalil_evidence::ledger::request::LedgerRequest;
use expect_test::{ExpectFile, expect_file};
use serde_json::Value;

use crate::AnswerLedger;
use crate::tests::{ARABIC, Case, ENGLISH, checked};

fn check(answers: &[&Case], expected: &ExpectFile) {
    let ledgers: Vec<_> = answers.iter().map(|case| case.ledger()).collect();
    let log = super::log(&checked(answers, &ledgers), &|_| None);
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

/// The fingerprints of claims without evidence, the last one checked after another.
fn fingerprints(claims: &[(&str, &str)]) -> Vec<String> {
    let claim = |(id, text): &(&str, &str)| {
        format!(
            r#"{{"claim_id": "{id}", "claim_text": "{text}", "claim_type": "fact", "importance": "material"}}"#
        )
    };
    let claims: Vec<String> = claims.iter().map(claim).collect();
    let request = format!(
        r#"{{"session": {{"id": "s"}}, "created_at": "2026-03-15T09:30:00Z", "claims": [{}]}}"#,
        claims.join(",")
    );
    let ledger = ledger::check(&LedgerRequest::read(request.as_bytes()).unwrap()).unwrap();
    let log = super::log(&[AnswerLedger { name: "a.md", text: "", ledger: &ledger }], &|_| None);
    let log: Value = serde_json::to_value(log).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap().iter();
    results
        .map(|one| one["partialFingerprints"]["dalilClaim/v1"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_claim_keeps_its_fingerprint_when_others_come_and_go() {
    let before = fingerprints(&[("c1", "It is paid"), ("c2", "It carries over")]);
    let after =
        fingerprints(&[("c1", "It is new"), ("c2", "It  is paid"), ("c3", "It carries over")]);
    assert_eq!(before, after[1..]);
    let twice = fingerprints(&[("c1", "It is paid"), ("c2", "It is paid")]);
    assert_eq!(twice[0], before[0]);
    assert_ne!(twice[0], twice[1]);
}
