use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::keyring::Keyring;
use crate::ledger::check as ledger_of;
use crate::ledger::export::Export;
use crate::ledger::request::{Language, Request};
use crate::trust::Trust;
use crate::verify::file;
use crate::witness::Policy;

fn request() -> Request {
    let text = br#"{"session":{"id":"ses_1","query":"Leave"},"created_at":"2026-01-03T14:30:00Z",
        "claims":[{"claim_id":"c-1","claim_text":"15 days","claim_type":"numeric","importance":"critical",
        "matches":[{"chunk_id":"b8b859ac","document":{"id":"doc-1","filename":"policy.md"},"similarity":0.92,
        "support":"full","contradicts":false,"snippet":"All employees receive 15 days."}]},
        {"claim_id":"c-2","claim_text":"Paid","claim_type":"fact","importance":"critical"}]}"#;
    Request::read(text).unwrap()
}

fn ledger() -> Value {
    serde_json::to_value(ledger_of(&request()).unwrap()).unwrap()
}

/// Verifies a ledger at a time, in a language, and compares the whole report.
#[track_caller]
fn check_in(ledger: &Value, at: &str, language: Language, expected: &Expect) {
    let keyring = Keyring::new(Vec::new(), &[]).unwrap();
    let witnesses = Policy::new(Vec::new(), 0).unwrap();
    let trust = Trust { origin: String::new(), keyring, witnesses, seen: Vec::new() };
    let report = file(ledger.to_string().as_bytes(), &trust, at.parse().unwrap());
    expected.assert_eq(&report.told(language).to_string());
}

#[track_caller]
fn check(ledger: &Value, expected: &Expect) {
    check_in(ledger, "2026-02-01T00:00:00Z", Language::English, expected);
}

#[test]
fn a_ledger_is_computed_again_and_is_not_signed() {
    check(
        &ledger(),
        &expect![[r#"
        INCOMPLETE
        PASS       format: a ledger
        PASS       computed: every sum, band and id is what follows from the claims
        PASS       time: made at 2026-01-03T14:30:00.000Z
        INCOMPLETE signature: a ledger is not signed; a pack that holds it is
    "#]],
    );
    check_in(
        &ledger(),
        "2026-01-03T14:29:59Z",
        Language::Arabic,
        &expect![[r#"
        غير مكتمل
        صحيح       الصيغة: سجل ادعاءات
        صحيح       المحسوب: كل مجموع ونطاق ومعرّف يوافق ما يترتب على الادعاءات
        غير مكتمل  الوقت: حُرر في 2026-01-03T14:30:00.000Z، وهو بعد وقت التحقق 2026-01-03T14:29:59.000Z
        غير مكتمل  التوقيع: سجل الادعاءات غير موقّع؛ والموقّعة هي الحزمة التي تضمه
    "#]],
    );
    check_in(
        &ledger(),
        "2026-01-03T14:29:59Z",
        Language::English,
        &expect![[r#"
        INCOMPLETE
        PASS       format: a ledger
        PASS       computed: every sum, band and id is what follows from the claims
        INCOMPLETE time: made at 2026-01-03T14:30:00.000Z, which is later than now, 2026-01-03T14:29:59.000Z
        INCOMPLETE signature: a ledger is not signed; a pack that holds it is
    "#]],
    );
}

#[test]
fn what_does_not_follow_from_the_claims_fails() {
    let changes: [fn(&mut Value); 7] = [
        |ledger| ledger["summary"]["total_claims"] = json!(3),
        |ledger| ledger["entries"][1]["verdict"] = json!("supported"),
        |ledger| ledger["entries"][0]["evidence_snippet"] = json!("All employees receive 16 days."),
        |ledger| ledger["entries"][0]["confidence_band"] = json!("low"),
        |ledger| ledger["risk_flags"] = json!([]),
        |ledger| ledger["id"] = json!("00000000-0000-8000-8000-000000000000"),
        |ledger| ledger["session_id"] = json!("ses_2"),
    ];
    for change in changes {
        let mut changed = ledger();
        change(&mut changed);
        assert_ne!(changed, ledger());
        check(
            &changed,
            &expect![[r#"
            FAIL
            FAIL       computed: `$`: expected sums and ids that follow from its claims, found others
            INCOMPLETE signature: a ledger is not signed; a pack that holds it is
        "#]],
        );
    }
}

#[test]
fn what_is_no_ledger_is_told_fault_by_fault() {
    let mut broken = ledger();
    broken["entries"][0]["verdict"] = json!("true");
    broken["score"] = json!(1);
    check(
        &broken,
        &expect![[r#"
        FAIL
        FAIL       format: `entries[0].verdict`: expected one of `supported`, `weak`, `contradicted`, `not_found`, found `true`
        FAIL       format: `score`: expected only session_id, created_at, previous_ledger_id, entries, risk_flags, follow_up_questions, judge, documents, not_claims, citations, id, updated_at, summary, found a field it does not know
        INCOMPLETE signature: a ledger is not signed; a pack that holds it is
    "#]],
    );
    check(
        &json!({"entries": [], "session_id": "ses_1"}),
        &expect![[r#"
        FAIL
        FAIL       format: `$`: expected a sealed pack, a DSSE envelope, a pack or a ledger, found another JSON value
    "#]],
    );
}

#[test]
fn a_gate_stands_beside_a_ledger() {
    let mut gated = ledger();
    gated["gate"] = json!({"verdict": "pass", "findings": []});
    check(
        &gated,
        &expect![[r#"
        INCOMPLETE
        PASS       format: a ledger
        PASS       computed: every sum, band and id is what follows from the claims
        PASS       time: made at 2026-01-03T14:30:00.000Z
        INCOMPLETE gate: stands beside the ledger, and was not checked
        INCOMPLETE signature: a ledger is not signed; a pack that holds it is
    "#]],
    );
}

#[test]
fn the_form_for_other_programs_cannot_be_checked() {
    let ledger = ledger_of(&request()).unwrap();
    check(
        &serde_json::to_value(Export::of(&ledger)).unwrap(),
        &expect![[r#"
        INCOMPLETE
        INCOMPLETE format: what other programs take of a ledger, which leaves out what its id is made of; `--format ledger` gives the whole of it
    "#]],
    );
}
