use expect_test::expect;

use super::*;
use crate::approval::{ApprovalVote, VoteOutcome};
use crate::pack::tests::{REQUEST, edited};
use crate::pack::{PackReview, assemble, review};

fn draft(edits: &[(&str, &str)]) -> PackDraft {
    assemble(edited(REQUEST, edits).as_bytes()).unwrap()
}

/// The request as the version after, with another title, confidence and reference, and a call that was announced otherwise.
fn edit() -> PackDifference {
    let old = draft(&[]);
    let new = draft(&[
        (
            r#""pack_00000000000000a1""#,
            r#""pack_00000000000000a2", "version": 2, "supersedes": "pack_00000000000000a1""#,
        ),
        ("Fit Recommendation", "A \\u001b[31mrecommendation"),
        (r#""confidence": 0.95"#, r#""confidence": 0.97"#),
        ("minutes/2025-12", "minutes/2026-01"),
        ("retrieve contact 456 read-only", "retrieve contact 457 read-only"),
        (r#""contradiction_flag": false"#, r#""contradiction_flag": true"#),
    ]);
    diff(&old, &new).unwrap()
}

#[test]
fn a_difference_names_every_change_once() {
    let json = canon::bytes(&edit()).unwrap();
    expect![[r#"{"changes":[{"change":"changed","new":"sha256:96b0ef35e7e1d068df3a1c7d5330778ac7bbd266b7a6e3f6ee660f838a00832f","old":"sha256:9190b672ea4eb8b165a0dd1e5f69dbd7c75fd7697b093cb821daaf4ed53c69cb","path":"decision_hash"},{"change":"added","new":{"message":"the call is said to be verified, but its actions differ","path":"tool_calls[0].verification_status","rule":"contradicted_call","state":"note"},"path":"findings[0]"},{"change":"changed","new":"A \u001b[31mrecommendation — Riyadh Hospital","old":"Fit Recommendation — Riyadh Hospital","path":"memo.title_en"},{"change":"changed","new":0.97,"old":0.95,"path":"sources[0].confidence"},{"change":"changed","new":"minutes/2026-01","old":"minutes/2025-12","path":"sources[2].reference"},{"change":"changed","new":true,"old":false,"path":"tool_calls[0].contradiction_flag"},{"change":"added","new":["$"],"path":"tool_calls[0].contradictions"},{"change":"changed","new":"retrieve contact 457 read-only","old":"retrieve contact 456 read-only","path":"tool_calls[0].intended_action"}],"new":{"pack_id":"pack_00000000000000a2","version":2},"old":{"pack_id":"pack_00000000000000a1","version":1}}"#]].assert_eq(&String::from_utf8(json).unwrap());
}

#[test]
fn a_difference_reads_in_both_languages() {
    expect![[r#"
        pack_00000000000000a1 (version 1) → pack_00000000000000a2 (version 2)
        ~ Digest of the decision: sha256:9190b672ea4eb8b165a0dd1e5f69dbd7c75fd7697b093cb821daaf4ed53c69cb → sha256:96b0ef35e7e1d068df3a1c7d5330778ac7bbd266b7a6e3f6ee660f838a00832f
        + Finding 1: the call is said to be verified, but its actions differ
        ~ Memo, English title: Fit Recommendation — Riyadh Hospital → A \u{1b}[31mrecommendation — Riyadh Hospital
        ~ Source 1, confidence: 0.95 → 0.97
        ~ Source 3, reference: minutes/2025-12 → minutes/2026-01
        ~ Tool call 1, contradiction: no → yes
        + Tool call 1, where it differs: ["$"]
        ~ Tool call 1, intended action: retrieve contact 456 read-only → retrieve contact 457 read-only
    "#]].assert_eq(&edit().text(Language::English));
    expect![[r#"
        pack_00000000000000a1 (الإصدار 1) → pack_00000000000000a2 (الإصدار 2)
        ~ بصمة القرار: sha256:9190b672ea4eb8b165a0dd1e5f69dbd7c75fd7697b093cb821daaf4ed53c69cb → sha256:96b0ef35e7e1d068df3a1c7d5330778ac7bbd266b7a6e3f6ee660f838a00832f
        + الملاحظة 1: the call is said to be verified, but its actions differ
        ~ المذكرة، العنوان الإنجليزي: Fit Recommendation — Riyadh Hospital → A \u{1b}[31mrecommendation — Riyadh Hospital
        ~ المصدر 1، درجة الثقة: 0.95 → 0.97
        ~ المصدر 3، المرجع: minutes/2025-12 → minutes/2026-01
        ~ استدعاء الأداة 1، التناقض: لا → نعم
        + استدعاء الأداة 1، مواضع التناقض: ["$"]
        ~ استدعاء الأداة 1، الإجراء المعلن: retrieve contact 456 read-only → retrieve contact 457 read-only
    "#]].assert_eq(&edit().text(Language::Arabic));
}

#[test]
fn a_review_shows_as_who_and_when_and_no_more() {
    let old = draft(&[]);
    let by_person = PackReview {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "noura".to_owned(),
        reviewed_at: "2026-01-04T08:00:00Z".parse().unwrap(),
        acknowledged: Vec::new(),
        approvals: Vec::new(),
    };
    let new = review(&old, &by_person).unwrap();
    expect![[r#"
        pack_00000000000000a1 (version 1) → pack_00000000000000a2 (version 2)
        ~ Made at: 2026-01-03T12:30:00.000Z → 2026-01-04T08:00:00.000Z
        + Reviewed at: 2026-01-04T08:00:00.000Z
        + Reviewer: noura
        ~ Status: unresolved → resolved
    "#]]
    .assert_eq(&diff(&old, &new).unwrap().text(Language::English));
}

#[test]
fn approvals_show_as_who_as_what_and_when() {
    let old = draft(&[]);
    let vote = |approver: &str, title, at: &str| ApprovalVote {
        approver: approver.to_owned(),
        outcome: VoteOutcome::Approved,
        titles: [title].into(),
        at: at.parse().unwrap(),
        reason: None,
    };
    let by_two = PackReview {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "noura".to_owned(),
        reviewed_at: "2026-01-04T08:00:00Z".parse().unwrap(),
        acknowledged: Vec::new(),
        approvals: vec![
            vote("ali", MemberTitle::Legal, "2026-01-04T07:00:00Z"),
            vote("noura", MemberTitle::DepartmentHead, "2026-01-04T08:00:00Z"),
        ],
    };
    let new = review(&old, &by_two).unwrap();
    let told = diff(&old, &new).unwrap();
    expect![[r#"
        pack_00000000000000a1 (version 1) → pack_00000000000000a2 (version 2)
        + Approval: ali (legal): approved, 2026-01-04T07:00:00.000Z; noura (department head): approved, 2026-01-04T08:00:00.000Z
        ~ Made at: 2026-01-03T12:30:00.000Z → 2026-01-04T08:00:00.000Z
        + Reviewed at: 2026-01-04T08:00:00.000Z
        + Reviewer: noura
        ~ Status: unresolved → resolved
    "#]].assert_eq(&told.text(Language::English));
    expect![[r#"
        pack_00000000000000a1 (الإصدار 1) → pack_00000000000000a2 (الإصدار 2)
        + الاعتماد: ali (الشؤون القانونية): اعتمد، 2026-01-04T07:00:00.000Z؛ noura (رئيس إدارة): اعتمد، 2026-01-04T08:00:00.000Z
        ~ تاريخ الإعداد: 2026-01-03T12:30:00.000Z → 2026-01-04T08:00:00.000Z
        + تاريخ المراجعة: 2026-01-04T08:00:00.000Z
        + المراجع: noura
        ~ الحالة: بانتظار المراجعة → تمت مراجعتها
    "#]].assert_eq(&told.text(Language::Arabic));
}

#[test]
fn a_pack_does_not_differ_from_itself() {
    let one = draft(&[]);
    let same = diff(&one, &one).unwrap();
    assert_eq!(same.changes, []);
    expect![[r#"
        pack_00000000000000a1 (الإصدار 1) → pack_00000000000000a1 (الإصدار 1)
        لا تغيير غير ذلك.
    "#]]
    .assert_eq(&same.text(Language::Arabic));
}

#[test]
fn every_field_of_a_pack_has_a_name_in_both_languages() {
    let Json::Object(fields) = json(&draft(&[])).unwrap() else { panic!("a pack is an object") };
    for (field, _) in fields.iter().filter(|(name, _)| !VERSION_FIELDS.contains(&name.as_ref())) {
        if field == "schema_version" {
            continue;
        }
        for language in [Language::English, Language::Arabic] {
            assert_ne!(label::of(field).text(language), &**field, "{field}");
        }
    }
}
