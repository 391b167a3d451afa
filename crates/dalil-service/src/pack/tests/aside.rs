//! Members who stand aside, and acknowledgements of approvers.

use dalil_proof::id::PackId;
use dalil_store::EvidenceTable;
use expect_test::expect;
use serde_json::{Value, json};

use super::{bytes, check, request, said_by};
use crate::fixture::{
    at, context_at, house, one, person, said, seal_recorded, size, table, two, why,
};
use crate::operation::RequestContext;
use crate::pack::{acknowledged, declined, options, review, standing};

fn pack_id() -> PackId {
    "pack_00000000000000b1".parse().unwrap()
}

/// A member who declines, with a reason.
fn declining(reviewer: &str) -> Value {
    json!({"pack_id": "pack_00000000000000b1", "reviewer_id": reviewer, "outcome": "declined",
      "reason": "read it"})
}

#[tokio::test]
async fn a_member_who_declines_says_why_and_nothing_that_only_a_vote_uses() {
    let (_home, acme) = one("declined-fields").await;
    house(&acme).await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    let before = size(&acme).await;
    let mut asked = declining("the_finance");
    asked["reason"] = Value::Null;
    asked["acknowledged"] = json!([
        {"rule": "failed_call", "path": "tool_calls[1]"},
        {"rule": "stale_source", "path": "sources[0]"}]);
    asked["new_pack_id"] = json!("pack_00000000000000b2");
    let refused = why(review(&acme, &bytes(&asked), &person(4, "the_finance")).await);
    check(
        &refused,
        &expect![[r#"
            `reason`: expected why the member declines, found nothing
            `acknowledged`: expected nothing from a member who declines, found `failed_call` at `tool_calls[1]`
            `new_pack_id`: expected nothing from a member who declines, found `pack_00000000000000b2`
        "#]],
    );
    asked["reason"] = json!("read it");
    asked["acknowledged"] = json!([]);
    check(
        &why(review(&acme, &bytes(&asked), &person(4, "the_finance")).await),
        &expect![[r#"
            `new_pack_id`: expected nothing from a member who declines, found `pack_00000000000000b2`
        "#]],
    );
    assert_eq!(size(&acme).await, before);
}

#[tokio::test]
async fn who_declines_keeps_the_rules_of_every_review() {
    let (_home, acme, zenith) = two("declined-rules").await;
    house(&acme).await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    let told = async |reviewer: &str, context: RequestContext| {
        why(review(&acme, &bytes(&declining(reviewer)), &context).await)
    };
    let head = "the_department_head";
    review(&acme, &said_by(head, "approved"), &person(2, head)).await.unwrap();
    let late = 47 * 3600;
    let all = [
        told("the_viewer", person(3, "the_viewer")).await,
        told("nobody", person(3, "nobody")).await,
        told("the_finance", person(3, "the_legal")).await,
        told("the_finance", context_at(3)).await,
        told(head, person(3, head)).await,
        told("the_finance", person(late, "the_finance")).await,
        why(review(&zenith, &bytes(&declining("ada")), &person(3, "ada")).await),
    ];
    check(
        &all.join("\n"),
        &expect![[r#"
            `reviewer_id`: expected the role approver or above, found `the_viewer`, who is viewer
            `reviewer_id`: expected a member of the tenant, found `nobody`
            hint: `dalil member add` makes one
            `reviewer_id`: expected `the_legal`, who does this, found `the_finance`
            hint: each reviewer speaks for nobody else
            `actor`: expected a person, found `agent-7`
            hint: an agent records what it did; people review it
            `reviewer_id`: expected another reviewer: each counts once, found `the_department_head`, who has reviewed it
            `reviewed_at`: expected a review within 48 hours, until 2026-03-16T12:30:00.000Z, found `2026-03-16T13:53:20.000Z`
            hint: assemble the pack again: a version that was not reviewed in time is superseded
            `pack_id`: expected a pack of this tenant, found `pack_00000000000000b1`
        "#]],
    );
    assert_eq!(declined(&acme, &pack_id()).await.unwrap(), []);
}

#[tokio::test]
async fn a_member_who_declines_has_no_vote_and_the_record_says_why() {
    let (_home, acme) = one("declined").await;
    house(&acme).await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    let aside = bytes(&declining("the_finance"));
    let waiting = review(&acme, &aside, &person(5, "the_finance")).await.unwrap();
    check(
        &said(&waiting),
        &expect![[r#"
        {"approval_class":"A2","approved_by":[],"missing":["a department head","legal or finance"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"waiting"}
    "#]],
    );
    // A row would be a vote.
    assert_eq!(table(&acme, EvidenceTable::Approvals).await.trim(), "");
    let declined = declined(&acme, &pack_id()).await.unwrap();
    check(
        &said(&declined),
        &expect![[r#"
        [{"at":"2026-03-14T14:53:25.000Z","reason":"read it","reviewer":"the_finance","titles":["finance"]}]
    "#]],
    );
    let standing = standing(&acme, "pack_00000000000000b1").await.unwrap();
    assert_eq!((standing.declined, standing.said.len()), (declined, 0));
    // A member who stood aside cannot return with an approval, and may still warn.
    let left = options(&acme, "pack_00000000000000b1", "the_finance", at(9)).await.unwrap();
    check(
        &format!("{:?} {} {}", left.outcomes, left.may_decline, left.obstacle.unwrap()),
        &expect![[r#"
            [Rejected] false `reviewer_id`: expected another reviewer: each counts once, found `the_finance`, who declined to decide
        "#]],
    );
    let back = said_by("the_finance", "approved");
    check(
        &why(review(&acme, &back, &person(6, "the_finance")).await),
        &expect![[r#"
        `reviewer_id`: expected another reviewer: each counts once, found `the_finance`, who declined to decide
    "#]],
    );
    // The others decide.
    let others = options(&acme, "pack_00000000000000b1", "the_legal", at(9)).await.unwrap();
    assert!(others.may_decline && others.obstacle.is_none());
    for (second, name) in [(7, "the_department_head"), (8, "the_legal")] {
        review(&acme, &said_by(name, "approved"), &person(second, name)).await.unwrap();
    }
    let late = options(&acme, "pack_00000000000000b1", "the_executive", at(9)).await.unwrap();
    assert!(!late.may_decline);
}

#[tokio::test]
async fn an_approver_acknowledges_each_concern_and_the_record_says_who_did() {
    let (_home, acme) = one("concerns").await;
    house(&acme).await;
    let mut troubled = request();
    troubled["tool_calls"] = json!([
        {"tool_name": "hr.post", "intended_action": "a draft", "actual_action": "posted",
         "side_effects": [], "outcome": "succeeded"},
        {"tool_name": "hr.mail", "intended_action": "send", "actual_action": "send",
         "side_effects": [], "outcome": "failed"}]);
    seal_recorded(&acme, &bytes(&troubled), &context_at(1)).await.unwrap();
    let mut asked: Value = serde_json::from_slice(&said_by("the_legal", "approved")).unwrap();
    let one = json!({"rule": "contradicted_call", "path": "tool_calls[0]"});
    asked["acknowledged"] = json!([one]);
    check(
        &why(review(&acme, &bytes(&asked), &person(2, "the_legal")).await),
        &expect![[r#"
        `acknowledged`: expected an acknowledgement of `failed_call` at `tool_calls[1]`, found none
        hint: what speaks against the decision is acknowledged one by one
    "#]],
    );
    // One thing is acknowledged once.
    asked["acknowledged"] = json!([one, one, {"rule": "failed_call", "path": "tool_calls[1]"}]);
    check(
        &why(review(&acme, &bytes(&asked), &person(2, "the_legal")).await),
        &expect![[r#"
        `acknowledged`: expected a finding that is open, found `contradicted_call` at `tool_calls[0]`
    "#]],
    );
    asked["acknowledged"] = json!([one, {"rule": "failed_call", "path": "tool_calls[1]"}]);
    review(&acme, &bytes(&asked), &person(3, "the_legal")).await.unwrap();
    // A rejection needs none, and what others named is no acknowledgement of an approver.
    let mut no: Value = serde_json::from_slice(&said_by("the_finance", "rejected")).unwrap();
    no["acknowledged"] = json!([one]);
    review(&acme, &bytes(&no), &person(4, "the_finance")).await.unwrap();
    let seen = acknowledged(&acme, &pack_id()).await.unwrap();
    let told = seen.iter().map(|seen| {
        format!("{} {} {} {}\n", seen.reviewer, seen.at, seen.about.rule, seen.about.path)
    });
    expect![[r#"
        the_legal 2026-03-14T14:53:23.000Z contradicted_call tool_calls[0]
        the_legal 2026-03-14T14:53:23.000Z failed_call tool_calls[1]
    "#]]
    .assert_eq(&told.collect::<String>());
}
