use dalil_proof::canon;
use dalil_proof::erasure::LegalBasis;
use dalil_proof::hold::RecordScope;
use expect_test::expect;
use serde_json::json;

use super::sheet;
use crate::approval::ApprovalBasis;
use crate::erase::{ErasureOrder, erase};
use crate::fixture::{keyed, one, seal_recorded, two, why};
use crate::pack::sealed_file;

fn request() -> Vec<u8> {
    let request = json!({
      "decision": {
        "decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1", "agent_name": "leave_agent",
        "approval_class": "A2", "reversibility_class": "R1", "sensitivity_class": "S1", "confidence": 0.9,
        "evidence": [{
          "source": "hr.policy", "uri": "lake://hr/leave.pdf",
          "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
          "retrieved_at": "2026-01-03T10:00:00.000Z", "confidence": 0.9}],
        "created_at": "2026-01-03T12:00:00Z"},
      "memo": {
        "title_ar": "إجازة", "title_en": "Leave",
        "body_ar": "خمسة عشر يومًا [cite:b8b859ac].", "body_en": "Fifteen days [cite:b8b859ac].",
        "executive_summary_ar": "موافقة [cite:b8b859ac]", "executive_summary_en": "Approve [cite:b8b859ac]"},
      "pack_id": "pack_00000000000000b1",
      "created_at": "2026-01-03T12:30:00Z"
    });
    request.to_string().into_bytes()
}

#[tokio::test]
async fn a_sheet_is_the_sealed_file_and_every_version() {
    let (_home, acme) = one("print").await;
    seal_recorded(&acme, &request(), &keyed(1, "k")).await.unwrap();
    let sheet = sheet(&acme, "pack_00000000000000b1", None).await.unwrap();
    let sealed = sealed_file(&acme, "pack_00000000000000b1").await.unwrap();
    assert_eq!(sheet.sealed(), canon::bytes(&sealed).unwrap());
    expect![[r#"{"approvals":[],"versions":[{"created_at":"2026-01-03T12:30:00.000Z","pack_id":"pack_00000000000000b1","status":"unresolved","version":1}]}"#]]
        .assert_eq(std::str::from_utf8(sheet.history_bytes()).unwrap());
}

#[tokio::test]
async fn a_version_that_was_erased_stays_in_the_history() {
    let (_home, acme) = one("print-erased").await;
    seal_recorded(&acme, &request(), &keyed(1, "k")).await.unwrap();
    let mut second: serde_json::Value = serde_json::from_slice(&request()).unwrap();
    second["pack_id"] = json!("pack_00000000000000b2");
    second["supersedes"] = json!("pack_00000000000000b1");
    second["version"] = json!(2);
    seal_recorded(&acme, second.to_string().as_bytes(), &keyed(2, "l")).await.unwrap();
    let scope = RecordScope::Subject("pack_00000000000000b1".to_owned());
    let (legal_basis, approved) = (LegalBasis::DataSubjectRequest, ApprovalBasis::by("dpo-1"));
    let order = ErasureOrder { scope, legal_basis, approved, records: Vec::new(), rehearse: false };
    erase(&acme, &order, &keyed(3, "m")).await.unwrap();
    let sheet = sheet(&acme, "pack_00000000000000b2", None).await.unwrap();
    expect![[r#"{"approvals":[],"versions":[{"created_at":"2026-03-14T14:53:21.000Z","pack_id":"pack_00000000000000b1","status":"erased","version":1},{"created_at":"2026-01-03T12:30:00.000Z","pack_id":"pack_00000000000000b2","status":"unresolved","version":2}]}"#]].assert_eq(std::str::from_utf8(sheet.history_bytes()).unwrap());
}

#[tokio::test]
async fn the_pack_of_another_tenant_is_not_there() {
    let (_home, acme, other) = two("print-other").await;
    seal_recorded(&acme, &request(), &keyed(1, "k")).await.unwrap();
    expect!["`pack_id`: expected a pack of this tenant, found `pack_00000000000000b1`"]
        .assert_eq(&why(sheet(&other, "pack_00000000000000b1", None).await));
}
