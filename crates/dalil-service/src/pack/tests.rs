use dalil_evidence::pack::PackDraft;
use dalil_evidence::verify;
use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_proof::report::CheckStatus;
use dalil_store::EvidenceTable;
use dalil_store::catalog::ArtifactRow;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{review, sealed_file, show, versions};
use crate::decision;
use crate::fixture::{
    at, context_at, keyed, one, person, said, seal_recorded, size, table, trust, two, why,
};

mod approve;
mod aside;
mod erased;
mod gather;

/// The request of the format's page, for a tenant of ours.
fn request() -> Value {
    json!({
      "decision": {
        "decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1", "agent_name": "leave_agent",
        "approval_class": "A2", "reversibility_class": "R1", "sensitivity_class": "S1", "confidence": 0.9,
        "evidence": [{
          "source": "hr.policy", "uri": "lake://hr/leave.pdf",
          "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
          "content_hash": "sha256:b518d8e9cf0d038553d2d45baddf5af3f7d1323c9aeeb1f1e5f342b7860d25ca",
          "retrieved_at": "2026-03-14T10:00:00.000Z", "confidence": 0.9}],
        "created_at": "2026-03-14T12:00:00Z"},
      "tool_calls": [], "prompts": [],
      "memo": {
        "title_ar": "إجازة", "title_en": "Leave",
        "body_ar": "خمسة عشر يومًا [cite:b8b859ac].", "body_en": "Fifteen days [cite:b8b859ac].",
        "executive_summary_ar": "موافقة [cite:b8b859ac]",
        "executive_summary_en": "Approve [cite:b8b859ac]"},
      "pack_id": "pack_00000000000000b1",
      "created_at": "2026-03-14T12:30:00Z"
    })
}

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

/// The content of a pack, as its JSON.
fn json_of(pack: &PackDraft) -> Json<'static> {
    Json::parse(&canon::bytes(pack).unwrap()).unwrap().into_owned()
}

fn said_by(reviewer: &str, outcome: &str) -> Vec<u8> {
    bytes(&json!({"pack_id": "pack_00000000000000b1", "reviewer_id": reviewer, "outcome": outcome,
      "reason": "read it", "new_pack_id": "pack_00000000000000b2"}))
}

#[tokio::test]
async fn a_sealed_pack_passes_verification_by_a_stranger() {
    let (_home, acme) = one("seal").await;
    let sealed = seal_recorded(&acme, &bytes(&request()), &keyed(1, "k")).await.unwrap();
    let report = verify::file(&canon::bytes(&sealed).unwrap(), &trust(&acme).await, at(9));
    assert_eq!((report.verdict(), size(&acme).await), (CheckStatus::Pass, 4), "{report}");
    check(
        &table(&acme, EvidenceTable::Artifacts).await.replace(&digest(&acme).await, "ENVELOPE"),
        &expect![[r#"
            [3,1,"ENVELOPE",1874,"application/vnd.dsse.envelope+json","envelope"]

        "#]],
    );
    check(
        &said(&versions(&acme, "dec-1").await.unwrap()),
        &expect![[r#"
            [{"created_at":"2026-03-14T12:30:00.000Z","decision_id":"dec-1","index":3,"pack_id":"pack_00000000000000b1","retain_until":"2033-03-14T12:30:00.000Z","sha256":"sha256:dd6f893992f343a9a7e70147f4db80165b807fc91d305f8a48329bd7511875cd","state":"unresolved","status":"unresolved","version":1}]
        "#]],
    );
    // Both rows point to the object, which is the envelope.
    let object = digest(&acme).await;
    let kept = acme.lake().unwrap().get(&object.parse().unwrap()).await.unwrap();
    assert_eq!(kept, canon::bytes(&sealed.envelope).unwrap());
    let packs = table(&acme, EvidenceTable::EvidencePacks).await;
    assert!(packs.contains(&object), "{packs}");
    let again = seal_recorded(&acme, &bytes(&request()), &keyed(2, "k")).await.unwrap();
    assert_eq!((again, size(&acme).await), (sealed, 4));
}

/// The digest of the one envelope, which differs with the key.
async fn digest(tenant: &dalil_store::Tenant) -> String {
    let rows = tenant.select(&ArtifactRow::query()).await.unwrap();
    rows[0].row.sha256.to_string()
}

#[tokio::test]
async fn an_edit_names_the_newest_version_and_follows_it() {
    let (_home, acme) = one("amend").await;
    let orphan = with(&[("supersedes", json!("pack_00000000000000b0")), ("version", json!(2))]);
    check(
        &why(seal_recorded(&acme, &orphan, &context_at(1)).await),
        &expect![[r#"
        `supersedes`: expected a version of this decision's pack, found `pack_00000000000000b0`
    "#]],
    );
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    check(
        &why(seal_recorded(&acme, &bytes(&request()), &context_at(2)).await),
        &expect![[r#"
            `pack_id`: expected a name that is new, found `pack_00000000000000b1`, which record 3 has
            hint: repeat a request under its idempotency key to get the first answer
        "#]],
    );
    let second = [("pack_id", json!("pack_00000000000000b2"))];
    check(
        &why(seal_recorded(&acme, &with(&second), &context_at(2)).await),
        &expect![[r#"
        `supersedes`: expected `pack_00000000000000b1`, the newest pack of this decision, found nothing
        hint: an edit is a version that names the one before
    "#]],
    );
    let follows = |version: u64| {
        let supersedes = ("supersedes", json!("pack_00000000000000b1"));
        with(&[second[0].clone(), supersedes, ("version", json!(version))])
    };
    check(
        &why(seal_recorded(&acme, &follows(3), &context_at(2)).await),
        &expect![[r#"
        `version`: expected `2`, the version that follows, found `3`
    "#]],
    );
    assert_eq!(size(&acme).await, 4);
    seal_recorded(&acme, &follows(2), &context_at(2)).await.unwrap();
    assert_eq!(versions(&acme, "dec-1").await.unwrap().len(), 2);
}

/// The request with other fields.
fn with(fields: &[(&str, Value)]) -> Vec<u8> {
    let mut request = request();
    for (name, value) in fields {
        request[*name] = value.clone();
    }
    bytes(&request)
}

#[tokio::test]
async fn calls_that_were_recorded_cannot_be_left_out() {
    let (_home, acme) = one("calls").await;
    let intended = br#"{"phase": "intended", "tool_call_id": "call-1", "decision_id": "dec-1",
      "tool_name": "hr.write", "intended_action": "write leave"}"#;
    let reported = br#"{"phase": "reported", "tool_call_id": "call-1", "actual_action": "nothing",
      "outcome": "blocked"}"#;
    decision::tool(&acme, intended, &context_at(1)).await.unwrap();
    decision::tool(&acme, reported, &context_at(2)).await.unwrap();
    seal_recorded(&acme, &bytes(&request()), &context_at(3)).await.unwrap();
    let shown = show(&acme, "pack_00000000000000b1").await.unwrap();
    check(
        &said(json_of(&shown.pack).get("tool_calls").unwrap()),
        &expect![[r#"
            [{"actual_action":"nothing","contradiction_flag":true,"contradictions":["$"],"inputs":{},"intended_action":"write leave","invoked_at":"2026-03-14T14:53:21.000Z","outcome":"blocked","outputs":{},"tool_call_id":"call-1","tool_name":"hr.write","verification_status":"pending"}]
        "#]],
    );
}

/// The store has the agent's calls; a request cannot state them differently.
#[tokio::test]
async fn a_call_that_was_recorded_is_not_stated_otherwise() {
    let (_home, acme) = one("pack-recorded-call").await;
    let intended = br#"{"phase":"intended","tool_call_id":"hid-1","tool_name":"erp.pay","intended_action":"read invoice 99","decision_id":"dec-1"}"#;
    decision::tool(&acme, intended, &context_at(1)).await.unwrap();
    let reported = br#"{"phase":"reported","tool_call_id":"hid-1","actual_action":"paid invoice 99","outcome":"failed","side_effects":["payment 99 attempted"]}"#;
    decision::tool(&acme, reported, &context_at(2)).await.unwrap();
    let clean = json!([{"tool_call_id": "hid-1", "tool_name": "erp.pay", "intended_action": "read invoice 99",
        "actual_action": "read invoice 99", "outcome": "succeeded", "verification_status": "verified"}]);
    check(
        &why(seal_recorded(&acme, &with(&[("tool_calls", clean)]), &context_at(3)).await),
        &expect![[r#"
        `tool_calls[0].actual_action`: expected `paid invoice 99`, as it was recorded, found `read invoice 99`
        hint: leave the call out: what was recorded of it is in the pack
    "#]],
    );
    let same = json!([{"invocation_id": "hid-1", "tool_name": "erp.pay", "intended_action": "read invoice 99",
        "actual_action": "paid invoice 99", "verification_status": "verified"}]);
    seal_recorded(&acme, &with(&[("tool_calls", same)]), &context_at(3)).await.unwrap();
    let shown = show(&acme, "pack_00000000000000b1").await.unwrap();
    check(
        &said(json_of(&shown.pack).get("tool_calls").unwrap()),
        &expect![[r#"
        [{"actual_action":"paid invoice 99","contradiction_flag":true,"contradictions":["$"],"inputs":{},"intended_action":"read invoice 99","invoked_at":"2026-03-14T14:53:21.000Z","outcome":"failed","outputs":{},"side_effects":["payment 99 attempted"],"tool_call_id":"hid-1","tool_name":"erp.pay","verification_status":"pending"}]
    "#]],
    );
}

#[tokio::test]
async fn a_pack_belongs_to_its_tenant_alone() {
    let (_home, acme, zenith) = two("tenants").await;
    check(
        &why(seal_recorded(&zenith, &bytes(&request()), &context_at(1)).await),
        &expect![[r#"
        `decision.tenant_id`: expected `zenith`, the tenant that keeps it, found `acme`
    "#]],
    );
    let mut nobody = request();
    nobody["decision"]["tenant_id"] = Value::Null;
    nobody["decision"]["decision_id"] = json!("dec-0");
    check(
        &why(seal_recorded(&acme, &bytes(&nobody), &context_at(1)).await),
        &expect![[r#"
        `decision.tenant_id`: expected `acme`, the tenant that keeps it, found `default`
    "#]],
    );
    let sealed = seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    // Each tenant has a key of its own, which vouches for no other tenant's packs.
    let sealed = canon::bytes(&sealed).unwrap();
    let verdict = async |tenant| verify::file(&sealed, &trust(tenant).await, at(9)).verdict();
    assert_eq!(
        (verdict(&acme).await, verdict(&zenith).await),
        (CheckStatus::Pass, CheckStatus::Fail)
    );
    check(
        &why(show(&zenith, "pack_00000000000000b1").await),
        &expect![[r#"
        `pack_id`: expected a pack of this tenant, found `pack_00000000000000b1`
    "#]],
    );
    check(
        &why(sealed_file(&zenith, "pack_00000000000000b1").await),
        &expect![[r#"
        `pack_id`: expected a pack of this tenant, found `pack_00000000000000b1`
    "#]],
    );
    check(
        &why(versions(&zenith, "dec-1").await),
        &expect![[r#"
        `pack_id`: expected a pack of this tenant, found `dec-1`
    "#]],
    );
    check(
        &why(review(&zenith, &said_by("the_legal", "approved"), &person(2, "the_legal")).await),
        &expect![[r#"
        `pack_id`: expected a pack of this tenant, found `pack_00000000000000b1`
    "#]],
    );
    assert_eq!((size(&acme).await, size(&zenith).await), (5, 2));
}

#[tokio::test]
async fn a_pack_is_not_sealed_before_it_was_made_nor_with_a_fault() {
    let (_home, acme) = one("times").await;
    let later = with(&[("created_at", json!("2027-01-01T00:00:00Z"))]);
    check(
        &why(seal_recorded(&acme, &later, &context_at(1)).await),
        &expect![[r#"
        `created_at`: expected a time at or before 2026-03-14T14:53:21.000Z, when it is sealed, found `2027-01-01T00:00:00.000Z`
    "#]],
    );
    check(
        &why(seal_recorded(&acme, &with(&[("memo", json!({})), ("x", json!(1))]), &context_at(1))
            .await),
        &expect![[r#"
            `memo.title_ar`: expected a value, found nothing
            `memo.title_en`: expected a value, found nothing
            `memo.body_ar`: expected a value, found nothing
            `memo.body_en`: expected a value, found nothing
            `memo.executive_summary_ar`: expected a value, found nothing
            `memo.executive_summary_en`: expected a value, found nothing
            `x`: expected only decision, tool_calls, prompts, memo, retained, ledger, pack_id, version, supersedes, reviewer_id, reviewed_at, created_at, acknowledged, found a field it does not know
            hint: remove the field or correct its name
        "#]],
    );
    assert_eq!(size(&acme).await, 3);
}

#[tokio::test]
async fn a_pack_is_not_reviewed_by_the_way() {
    let (_home, acme) = one("by-the-way").await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    let review = [
        ("pack_id", json!("pack_00000000000000b2")),
        ("supersedes", json!("pack_00000000000000b1")),
        ("version", json!(2)),
        ("reviewer_id", json!("the_legal")),
        ("reviewed_at", json!("2026-03-14T12:30:00Z")),
    ];
    check(
        &why(seal_recorded(&acme, &with(&review), &context_at(2)).await),
        &expect![[r#"
        `reviewer_id`: expected a pack that waits for its review, found one
        hint: `dalil pack review` records a review and seals the version that it makes
    "#]],
    );
    assert_eq!(versions(&acme, "dec-1").await.unwrap().len(), 1);
}
