use dalil_phrasebook::{expected, found, hint};
use dalil_proof::canon;
use dalil_service::job::{JobKind, JobState};

use super::*;

/// Checks the result of a job as a reader of a language gets it.
#[track_caller]
fn check(result: &[u8], language: Language, expected: &str) {
    let job = Job {
        job_id: "job_0".to_owned(),
        work: JobKind::Check,
        subject: "ses-1".to_owned(),
        state: JobState::Failed,
        accepted_at: "2026-03-15T09:00:00Z".to_owned(),
        ended_at: None,
        result: Some(Json::parse(result).unwrap().into_owned()),
        index: 1,
    };
    let told = canon::bytes(&localized(job, language).result).unwrap();
    assert_eq!(String::from_utf8(told).unwrap(), expected);
}

#[test]
fn a_failure_is_told_in_the_language_asked_for_and_in_no_other() {
    let fault = Fault::new("empty", "answer", expected::a_value(), found::nothing());
    let hinted = fault.clone().hint(hint::people_approve());
    let recorded = canon::bytes(&RecordedJobFailure::new(vec![fault, hinted])).unwrap();
    check(
        &recorded,
        Language::English,
        r#"{"refused":[{"message":"expected a value, found nothing","path":"answer","rule":"empty"},{"hint":"people approve","message":"expected a value, found nothing","path":"answer","rule":"empty"}]}"#,
    );
    check(
        &recorded,
        Language::Arabic,
        r#"{"refused":[{"message":"المتوقع قيمة، والموجود لا شيء","path":"answer","rule":"empty"},{"hint":"الاعتماد للأشخاص","message":"المتوقع قيمة، والموجود لا شيء","path":"answer","rule":"empty"}]}"#,
    );
}

#[test]
fn what_was_recorded_without_translations_is_told_as_it_is() {
    for result in
        [r#"{"refused":[{"message":"m","path":"$","rule":"unread"}]}"#, r#"{"ledger_id":"x"}"#]
    {
        check(result.as_bytes(), Language::Arabic, result);
    }
}
