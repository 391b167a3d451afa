use dalil_phrasebook::Language;
use dalil_proof::keyring::Keyring;
use dalil_proof::trust::Trust;
use dalil_proof::witness::WitnessPolicy;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::ledger;
use crate::ledger::export::LedgerExport;
use crate::ledger::request::LedgerRequest;
use crate::verify::file;

fn request() -> LedgerRequest {
    let text = br#"{"session":{"id":"ses_1","query":"Leave"},"created_at":"2026-01-03T14:30:00Z",
        "claims":[{"claim_id":"c-1","claim_text":"15 days","claim_type":"numeric","importance":"critical",
        "matches":[{"chunk_id":"b8b859ac","document":{"id":"doc-1","filename":"policy.md"},"similarity":0.92,
        "support":"full","contradicts":false,"snippet":"All employees receive 15 days."}]},
        {"claim_id":"c-2","claim_text":"Paid","claim_type":"fact","importance":"critical"}]}"#;
    LedgerRequest::read(text).unwrap()
}

fn ledger() -> Value {
    serde_json::to_value(ledger::check(&request()).unwrap()).unwrap()
}

/// Verifies a ledger at a time, in a language, and compares the whole report.
#[track_caller]
fn check_in(ledger: &Value, at: &str, language: Language, expected: &Expect) {
    let keyring = Keyring::new(Vec::new(), &[]).unwrap();
    let witnesses = WitnessPolicy::new(Vec::new(), 0).unwrap();
    let trust = Trust {
        origin: String::new(),
        keyring,
        witnesses,
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    };
    let report = file(ledger.to_string().as_bytes(), &trust, at.parse().unwrap());
    expected.assert_eq(&report.localized(language).to_string());
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
    gated["saved"] = json!({"index": 3});
    check(
        &gated,
        &expect![[r#"
            INCOMPLETE
            PASS       format: a ledger
            PASS       computed: every sum, band and id is what follows from the claims
            PASS       time: made at 2026-01-03T14:30:00.000Z
            INCOMPLETE gate: stands beside the ledger, and was not checked
            INCOMPLETE saved: stands beside the ledger, and was not checked
            INCOMPLETE signature: a ledger is not signed; a pack that holds it is
        "#]],
    );
}

#[test]
fn the_form_for_other_programs_cannot_be_checked() {
    let ledger = ledger::check(&request()).unwrap();
    check(
        &serde_json::to_value(LedgerExport::of(&ledger)).unwrap(),
        &expect![[r#"
        INCOMPLETE
        INCOMPLETE format: what other programs take of a ledger, which leaves out what its id is made of; `--format ledger` gives the whole of it
    "#]],
    );
}

/// A ledger that was closed before passages, findings and the second coverage were in ledgers.
const FIRST_EDITION: &str = r#"{"created_at":"2026-01-03T14:30:00.000Z","entries":[{"claim_id":"clm_001","claim_importance":"critical","claim_text":"Employees are entitled to 15 days of annual leave","claim_type":"policy","confidence_band":"high","confidence_score":0.92,"evidence_chunk_ids":["a1b2c3d4"],"evidence_snippet":"All permanent employees shall receive 15 days of paid annual leave per calendar year.","id":"5d109153-bcad-8608-b62d-9f75733878d0","notes":"Directly supported by: \"All permanent employees shall receive 15 days of paid annual leave per calendar year.\"","source_document":{"filename":"HR_Policy.pdf","id":"doc_hr001","page_number":12},"verdict":"supported"},{"claim_id":"clm_004","claim_importance":"critical","claim_text":"Maximum carryover is 5 days","claim_type":"numeric","confidence_band":"very_low","confidence_score":0,"evidence_chunk_ids":[],"evidence_snippet":"","id":"e118af81-33b2-8135-b2e8-46d95bd5b75b","notes":"No matching evidence found in provided documents","source_document":null,"verdict":"not_found"}],"follow_up_questions":["Which document gives this figure: \"Maximum carryover is 5 days\"?"],"id":"3dceb12a-488f-89c9-89af-29877f218a70","risk_flags":[{"affected_claim_ids":["clm_004"],"description":"1 critical claim(s) have no supporting evidence","id":"152401fa-7b59-8423-b4f2-2919a6b0ca6f","mitigation":"Upload relevant documents or revise response","severity":"high","type":"missing_evidence"},{"affected_claim_ids":["clm_004"],"description":"Overall confidence is low (46%)","id":"31ca6231-d531-8c0b-8fe9-31f0417c5235","mitigation":"Consider qualifying or removing claim","severity":"medium","type":"low_confidence"}],"session_id":"ses_xyz789","summary":{"by_importance":{"critical":2,"material":0,"minor":0},"by_verdict":{"contradicted":0,"not_found":1,"supported":1,"weak":0},"evidence_coverage":0.5,"state":"checked","total_claims":2,"unsupported_rate":0.5},"updated_at":"2026-01-03T14:30:00.000Z"}"#;

#[test]
fn a_ledger_of_the_first_edition_still_verifies() {
    let ledger: Value = serde_json::from_str(FIRST_EDITION).unwrap();
    check(
        &ledger,
        &expect![[r#"
        INCOMPLETE
        PASS       format: a ledger
        PASS       computed: every sum, band and id is what follows from the claims
        PASS       time: made at 2026-01-03T14:30:00.000Z
        INCOMPLETE signature: a ledger is not signed; a pack that holds it is
    "#]],
    );
    // Its coverage is not that of today.
    let text = FIRST_EDITION.replace(r#""evidence_coverage":0.5"#, r#""evidence_coverage":0.25"#);
    check(
        &serde_json::from_str(&text).unwrap(),
        &expect![[r#"
        FAIL
        FAIL       computed: `$`: expected sums and ids that follow from its claims, found others
        INCOMPLETE signature: a ledger is not signed; a pack that holds it is
    "#]],
    );
}
