//! The content of a submission, and every fault of an invalid one.

use expect_test::{Expect, expect};

use super::{CheckSubmission, SubmittedEvidence};

#[track_caller]
fn refused(request: &str, expected: &Expect) {
    let faults = CheckSubmission::parse(request.as_bytes()).unwrap_err().refused;
    let lines =
        faults.iter().map(|one| format!("{} {}: {}\n", one.rule, one.path, one.message.english()));
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn a_session_is_named_by_its_answer_unless_it_has_a_name() {
    let read = |more: &str| {
        let text = format!(r#"{{"answer":"Leave is 15 days.","documents":["doc_1"]{more}}}"#);
        CheckSubmission::parse(text.as_bytes()).unwrap()
    };
    let plain = read("");
    assert_eq!(plain.session.id, dalil::check::session_id("Leave is 15 days."));
    assert_eq!(plain.evidence, SubmittedEvidence::Documents(vec!["doc_1".to_owned()]));
    let named = read(r#","session_id":"ses-1","question":"How many?","mode":"chat""#);
    assert_eq!(named.session.id, "ses-1");
    assert_eq!(named.session.query.as_deref(), Some("How many?"));
    assert_eq!(named.session.mode.as_deref(), Some("chat"));
}

#[test]
fn every_fault_of_a_submission_is_told() {
    refused(
        r#"{"answer":" ","question":7,"language":"fr","chunks":[{"id":"a"}],"query":"?"}"#,
        &expect![[r#"
            empty answer: expected some text, found ` `
            type question: expected a string, found `7`
            choice language: expected one of `en`, `ar`, found `fr`
            missing_field chunks[0].text: expected a value, found nothing
            unknown_field query: expected only answer, question, mode, session_id, language, chunks, bundle_id, documents, found a field it does not know
        "#]],
    );
}

#[test]
fn an_answer_is_checked_against_one_kind_of_evidence() {
    refused(
        r#"{"answer":"A."}"#,
        &expect![[r#"
            missing_field $: expected one of `chunks`, `bundle_id` and `documents`, found none
        "#]],
    );
    refused(
        r#"{"answer":"A.","bundle_id":"b","documents":["d"]}"#,
        &expect![[r#"
            choice $: expected one of `chunks`, `bundle_id` and `documents`, found 2
        "#]],
    );
    refused(
        r#"{"answer":"A.","documents":[]}"#,
        &expect![[r#"
            empty documents: expected at least one document, found none
        "#]],
    );
}
