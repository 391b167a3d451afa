use std::path::PathBuf;

use dalil_core::report::Verdict;
use dalil_press::zip;
use dalil_store::{Entry, Table, Tenant};
use expect_test::{Expect, expect};
use serde_json::json;

use super::{Archived, FORMAT, archive};
use crate::keep::fixture::{at, deed, one, trust, two, why};
use crate::keep::line::{row, whole};
use crate::keep::{decision, keys, pack};
use crate::reader::{Limits, Reader};
use crate::verify::{Tools, file};

const DOCUMENT: &[u8] = b"All permanent employees shall receive 15 days of paid annual leave.";

/// A decision with a call and a pack, reviewed.
async fn reviewed(tenant: &Tenant) {
    let digest = tenant.lake().unwrap().put(DOCUMENT.to_vec()).await.unwrap();
    let decision = json!({
      "decision_id": "dec-1", "tenant_id": "acme", "entity_id": "case-1", "agent_name": "leave_agent",
      "approval_class": "A2", "reversibility_class": "R1", "sensitivity_class": "S1", "confidence": 0.9,
      "evidence": [{
        "source": "hr.policy", "uri": "lake://hr/leave.txt",
        "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
        "content_hash": digest.to_string(),
        "retrieved_at": "2026-01-03T10:00:00.000Z", "confidence": 0.9}],
      "created_at": "2026-01-03T12:00:00Z"});
    decision::record(tenant, decision.to_string().as_bytes(), &deed(1)).await.unwrap();
    let call = json!({"phase": "intended", "tool_call_id": "call-1", "tool_name": "hr.lookup",
      "intended_action": "look up leave", "decision_id": "dec-1"});
    decision::tool(tenant, call.to_string().as_bytes(), &deed(2)).await.unwrap();
    let request = json!({
      "decision": decision, "tool_calls": [], "prompts": [],
      "memo": {
        "title_ar": "إجازة", "title_en": "Leave",
        "body_ar": "خمسة عشر يومًا [cite:b8b859ac].", "body_en": "Fifteen days [cite:b8b859ac].",
        "executive_summary_ar": "موافقة", "executive_summary_en": "Approve"},
      "pack_id": "pack_00000000000000b1",
      "created_at": "2026-01-03T12:30:00Z"});
    pack::seal(tenant, request.to_string().as_bytes(), &deed(3)).await.unwrap();
    let review = br#"{"pack_id": "pack_00000000000000b1", "reviewer_id": "hr_director",
      "new_pack_id": "pack_00000000000000b2"}"#;
    pack::review(tenant, review, &deed(4)).await.unwrap();
}

async fn check(tenant: &Tenant, archived: &Archived, expected: &Expect) {
    let reader = Reader::new(PathBuf::from("/nonexistent/dalil"), Limits::usual());
    let tools = Tools { reader: &reader, model: None, threads: 1 };
    let report = file(&archived.bytes, &trust(tenant).await, at(9), &tools);
    let bad = report.findings.iter().filter(|finding| finding.verdict != Verdict::Pass);
    let lines = bad.map(|one| format!("{} {}: {}\n", one.verdict, one.part, one.message));
    expected.assert_eq(&lines.collect::<String>());
}

fn names(archived: &Archived) -> String {
    zip::read(&archived.bytes).unwrap().keys().map(|name| format!("{name}\n")).collect()
}

#[tokio::test]
async fn an_archive_has_everything_and_passes_and_is_the_same_every_time() {
    let (_home, acme) = one("archive").await;
    reviewed(&acme).await;
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    expect![[r#"
        bag-info.txt
        bagit.txt
        data/checkpoint.txt
        data/keys.json
        data/objects/85f63f86d1d8d5e2f6b3c2be3b73c0e3771de14501913df45cde1a1e76d34e86
        data/pack.json
        data/receipts/0000000000000001.txt
        data/receipts/0000000000000002.txt
        data/receipts/0000000000000003.txt
        data/receipts/0000000000000004.txt
        data/receipts/0000000000000005.txt
        data/receipts/0000000000000006.txt
        data/records.jsonl
        data/report.ar.txt
        data/report.en.txt
        data/report.json
        data/versions/00000001.json
        manifest-sha256.txt
        tagmanifest-sha256.txt
    "#]]
    .assert_eq(&names(&made));
    check(&acme, &made, &expect![""]).await;
    assert_eq!(archive(&acme, "pack_00000000000000b2").await.unwrap(), made);
    let first = archive(&acme, "pack_00000000000000b1").await.unwrap();
    check(&acme, &first, &expect![""]).await;
    assert!(!names(&first).contains("data/versions/"));
}

#[tokio::test]
async fn an_archive_names_the_one_that_left_before() {
    let (_home, acme) = one("archive-previous").await;
    reviewed(&acme).await;
    let before = archive(&acme, "pack_00000000000000b2").await.unwrap();
    let values = [
        "exp-1".into(),
        "pack_00000000000000b2".into(),
        FORMAT.into(),
        before.sha256.to_string().into(),
        "person-9".into(),
        "asked for".into(),
        whole(before.head.size),
        at(5).to_string().into(),
    ];
    let rows = vec![row(Table::Exports, values)];
    let kind = dalil_core::record::Kind::ExportMade;
    let draft = deed(5).draft(kind, "pack_00000000000000b2", Vec::new(), rows);
    acme.append(Entry { drafts: vec![draft], key: None }).await.unwrap();
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    check(&acme, &made, &expect![""]).await;
    let files = zip::read(&made.bytes).unwrap();
    let previous = String::from_utf8(files["data/previous.json"].to_vec()).unwrap();
    assert!(previous.contains(&before.head.root.to_string()), "{previous}");
}

#[tokio::test]
async fn a_key_that_was_added_later_is_in_the_history() {
    let (_home, acme) = one("archive-keys").await;
    reviewed(&acme).await;
    keys::add(&acme, Some("dalil.example/acme-2"), &deed(5)).await.unwrap();
    let made = archive(&acme, "pack_00000000000000b2").await.unwrap();
    check(&acme, &made, &expect![""]).await;
}

#[tokio::test]
async fn there_is_no_archive_of_what_is_not_there_or_another_tenants() {
    let (_home, acme, other) = two("archive-none").await;
    reviewed(&acme).await;
    let none = archive(&acme, "pack_00000000000000ff").await;
    expect!["`pack_id`: expected a pack of this tenant, found `pack_00000000000000ff`"]
        .assert_eq(&why(none));
    let others = archive(&other, "pack_00000000000000b2").await;
    expect!["`pack_id`: expected a pack of this tenant, found `pack_00000000000000b2`"]
        .assert_eq(&why(others));
}
