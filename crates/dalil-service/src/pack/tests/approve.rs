//! The approval of a pack: by whom, how many, when, and the result.

use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_evidence::verify;
use dalil_proof::canon;
use dalil_proof::json::Json;
use dalil_proof::report::CheckStatus;
use dalil_store::{EvidenceTable, Tenant, TimeSource};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{bytes, check, json_of, request, said_by, with};
use crate::decision;
use crate::fixture::{
    Home, at, context_at, house, keyed, one, person, said, seal_recorded, size, table, trust, why,
};
use crate::index::{self, ListRange};
use crate::operation::{OperationFailure, RequestContext};
use crate::pack::{
    PackVersionSummary, ReviewOutcome, diff, options, review, sealed_file, show, versions,
};

const EVERY_PACK: ListRange = ListRange { from: 0, limit: 100, newest: false };

/// A store with a house of members and the pack, changed like this.
async fn sealed(name: &str, change: &dyn Fn(&mut Value)) -> (Home, Tenant) {
    let (home, acme) = one(name).await;
    house(&acme).await;
    let mut request = request();
    change(&mut request);
    seal_recorded(&acme, &bytes(&request), &context_at(1)).await.unwrap();
    (home, acme)
}

/// Submits a member's review, an hour after the pack was made.
async fn say(
    tenant: &Tenant,
    name: &str,
    outcome: &str,
) -> Result<ReviewOutcome, OperationFailure> {
    review(tenant, &said_by(name, outcome), &person(5, name)).await
}

/// Submits a review; returns the result in one line.
async fn told(tenant: &Tenant, name: &str, outcome: &str) -> String {
    match say(tenant, name, outcome).await {
        Ok(ReviewOutcome::Resolved(_)) => "resolved".to_owned(),
        Ok(ReviewOutcome::Waiting(waiting)) => said(&waiting),
        Err(failure) => why::<()>(Err(failure)),
    }
}

#[tokio::test]
async fn the_last_approval_that_is_needed_makes_the_version() {
    let (_home, acme) = sealed("approve", &|_| ()).await;
    let first = sealed_file(&acme, "pack_00000000000000b1").await.unwrap();
    check(
        &told(&acme, "the_department_head", "approved").await,
        &expect![[r#"
        {"approval_class":"A2","approved_by":["the_department_head"],"missing":["legal or finance"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"waiting"}
    "#]],
    );
    assert_eq!(versions(&acme, "dec-1").await.unwrap().len(), 1);
    let last =
        review(&acme, &said_by("the_finance", "approved"), &keyed_person(6, "the_finance")).await;
    let ReviewOutcome::Resolved(resolved) = last.unwrap() else { panic!("expected a version") };
    let trust = trust(&acme).await;
    for sealed in [&first, &resolved, &sealed_file(&acme, "pack_00000000000000b1").await.unwrap()] {
        let report = verify::file(&canon::bytes(sealed).unwrap(), &trust, at(9));
        assert_eq!(report.verdict(), CheckStatus::Pass, "{report}");
    }
    check(
        &said(&versions(&acme, "pack_00000000000000b1").await.unwrap()),
        &expect![[r#"
            [{"created_at":"2026-03-14T12:30:00.000Z","decision_id":"dec-1","index":10,"pack_id":"pack_00000000000000b1","retain_until":"2033-03-14T12:30:00.000Z","sha256":"sha256:dd6f893992f343a9a7e70147f4db80165b807fc91d305f8a48329bd7511875cd","state":"superseded","status":"unresolved","superseded_by":"pack_00000000000000b2","version":1},{"created_at":"2026-03-14T14:53:26.000Z","decision_id":"dec-1","index":13,"pack_id":"pack_00000000000000b2","retain_until":"2033-03-14T14:53:26.000Z","reviewer_id":"the_finance","sha256":"sha256:0476cac0d3f096f1abdc3b49ff1b97436c80d1c1764f73bc0acdebe4c9726a14","state":"resolved","status":"resolved","supersedes":"pack_00000000000000b1","version":2}]
        "#]],
    );
    check(
        &table(&acme, EvidenceTable::Approvals).await,
        &expect![[r#"
            [11,0,"rev_…","pack_00000000000000b1","the_department_head","department_head","approved","read it","2026-03-14T14:53:25.000Z"]
            [12,0,"rev_…","pack_00000000000000b1","the_finance","finance","approved","read it","2026-03-14T14:53:26.000Z"]

        "#]],
    );
    let shown = show(&acme, "pack_00000000000000b2").await.unwrap();
    let reviewed = ["approvals", "reviewer_id", "reviewed_at", "status", "supersedes"];
    let reviewed = reviewed.map(|name| said(json_of(&shown.pack).get(name).unwrap_or(&Json::Null)));
    check(
        &reviewed.join("\n"),
        &expect![[r#"
            [{"approver":"the_department_head","at":"2026-03-14T14:53:25.000Z","outcome":"approved","reason":"read it","titles":["department_head"]},{"approver":"the_finance","at":"2026-03-14T14:53:26.000Z","outcome":"approved","reason":"read it","titles":["finance"]}]
            "the_finance"
            "2026-03-14T14:53:26.000Z"
            "resolved"
            "pack_00000000000000b1"
        "#]],
    );
    let again =
        review(&acme, &said_by("the_finance", "approved"), &keyed_person(7, "the_finance")).await;
    assert_eq!(
        again.unwrap(),
        ReviewOutcome::Resolved(sealed_file(&acme, "pack_00000000000000b2").await.unwrap())
    );
    check(
        &told(&acme, "the_legal", "approved").await,
        &expect![[r#"
        `pack_id`: expected `pack_00000000000000b2`, the newest version, found `pack_00000000000000b1`
    "#]],
    );
    let difference = diff(&acme, "pack_00000000000000b1", "pack_00000000000000b2").await.unwrap();
    let paths: Vec<&str> = difference.changes.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["approvals", "created_at", "reviewed_at", "reviewer_id", "status"]);
}

fn keyed_person(second: i64, name: &str) -> RequestContext {
    RequestContext { actor: person(0, name).actor, ..keyed(second, "r") }
}

/// The outcomes that a member may give to a version, and why approval is not one.
async fn open_to(tenant: &Tenant, pack_id: &str, name: &str) -> String {
    let options = options(tenant, pack_id, name, at(9)).await.unwrap();
    let obstacle = options.obstacle.map(|fault| fault.message.english().to_owned());
    format!("{name}: {:?} {}\n", options.outcomes, obstacle.as_deref().unwrap_or("-"))
}

#[tokio::test]
async fn how_a_version_stands_follows_from_what_was_said_and_from_later_versions() {
    let stands = async |tenant: &Tenant| {
        let all = versions(tenant, "dec-1").await.unwrap();
        assert_eq!(index::packs(tenant, EVERY_PACK).await.unwrap(), all);
        for one in &all {
            assert_eq!(show(tenant, &one.pack_id).await.unwrap().version, *one);
        }
        let state = |one: &PackVersionSummary| format!("{} {:?}", one.status, one.state);
        all.iter().map(state).collect::<Vec<_>>().join(", ") + "\n"
    };
    let (_home, acme) = sealed("stands", &|_| ()).await;
    let mut told = stands(&acme).await;
    say(&acme, "the_department_head", "approved").await.unwrap();
    told += &stands(&acme).await;
    say(&acme, "the_finance", "approved").await.unwrap();
    told += &stands(&acme).await;
    let (_home, acme) = sealed("stands-escalated", &|_| ()).await;
    say(&acme, "the_department_head", "escalated").await.unwrap();
    told += &stands(&acme).await;
    let (_home, acme) = sealed("stands-rejected", &|_| ()).await;
    say(&acme, "the_department_head", "approved").await.unwrap();
    say(&acme, "the_legal", "rejected").await.unwrap();
    told += &stands(&acme).await;
    expect![[r#"
        unresolved Unresolved
        unresolved PartlyApproved
        unresolved Superseded, resolved Resolved
        unresolved Unresolved
        unresolved Rejected
    "#]]
    .assert_eq(&told);
}

#[tokio::test]
async fn what_is_offered_to_a_reviewer_is_what_would_be_recorded() {
    let (_home, acme) = sealed("options", &|_| ()).await;
    let before = size(&acme).await;
    let first = "pack_00000000000000b1";
    let mut told = String::new();
    for name in ["the_department_head", "the_manager", "the_viewer", "leave_agent", "nobody"] {
        told += &open_to(&acme, first, name).await;
    }
    assert_eq!(size(&acme).await, before, "looking is no attempt");
    say(&acme, "the_department_head", "approved").await.unwrap();
    told += &open_to(&acme, first, "the_department_head").await;
    say(&acme, "the_finance", "approved").await.unwrap();
    told += &open_to(&acme, first, "the_legal").await;
    told += &open_to(&acme, "pack_00000000000000b2", "the_legal").await;
    expect![[r#"
        the_department_head: [Approved, Escalated, Rejected] -
        the_manager: [Escalated, Rejected] expected a department head, and legal or finance, for class A2, found `the_manager`, who has manager
        the_viewer: [] expected the role approver or above, found `the_viewer`, who is viewer
        leave_agent: [] expected a reviewer who is not the agent, found `leave_agent`
        nobody: [] expected a member of the tenant, found `nobody`
        the_department_head: [Rejected] expected another reviewer: each counts once, found `the_department_head`, who has reviewed it
        the_legal: [] expected `pack_00000000000000b2`, the newest version, found `pack_00000000000000b1`
        the_legal: [] expected a pack that waits for its review, found `pack_00000000000000b2`, which is resolved
    "#]]
    .assert_eq(&told);
}

#[tokio::test]
async fn no_review_is_offered_after_48_hours_and_the_reason_is_given() {
    let (_home, acme) = sealed("options-overdue", &|_| ()).await;
    let offered = async |now: &str| {
        let now = now.parse().unwrap();
        let first = "pack_00000000000000b1";
        let found = options(&acme, first, "the_department_head", now).await.unwrap();
        let obstacle = found.obstacle.map(|fault| fault.to_string());
        let obstacle = obstacle.as_deref().unwrap_or("-").to_owned();
        format!("{:?} {} {obstacle}\n", found.outcomes, found.is_overdue)
    };
    let last = offered("2026-03-16T12:30:00Z").await;
    let late = offered("2026-03-16T12:30:00.001Z").await;
    expect![[r#"
        [Approved, Escalated, Rejected] false -
        [] true `reviewed_at`: expected a review within 48 hours, until 2026-03-16T12:30:00.000Z, found `2026-03-16T12:30:00.001Z`
        hint: assemble the pack again: a version that was not reviewed in time is superseded
    "#]]
    .assert_eq(&(last + &late));
    // The rejection came last: no time was missed.
    say(&acme, "the_legal", "rejected").await.unwrap();
    expect![[r#"
        [] false `pack_id`: expected a pack that nobody rejected, found `pack_00000000000000b1`, which was rejected
        hint: `dalil pack assemble` makes the version that follows
    "#]]
    .assert_eq(&offered("2026-03-16T12:30:00.001Z").await);
}

#[tokio::test]
async fn a_review_is_by_a_member_with_the_role_and_the_title() {
    let (_home, acme) = sealed("who", &|_| ()).await;
    let before = size(&acme).await;
    check(
        &told(&acme, "nobody", "approved").await,
        &expect![[r#"
        `reviewer_id`: expected a member of the tenant, found `nobody`
        hint: `dalil member add` makes one
    "#]],
    );
    check(
        &told(&acme, "the_viewer", "rejected").await,
        &expect![[r#"
        `reviewer_id`: expected the role approver or above, found `the_viewer`, who is viewer
    "#]],
    );
    check(
        &told(&acme, "the_manager", "approved").await,
        &expect![[r#"
        `reviewer_id`: expected a department head, and legal or finance, for class A2, found `the_manager`, who has manager
    "#]],
    );
    let other = review(&acme, &said_by("the_legal", "approved"), &person(5, "the_finance")).await;
    check(
        &why(other),
        &expect![[r#"
        `reviewer_id`: expected `the_finance`, who does this, found `the_legal`
        hint: each reviewer speaks for nobody else
    "#]],
    );
    // A Cyrillic "е" in the name of the actor: read as the member's, and another name.
    let twin =
        review(&acme, &said_by("the_legal", "approved"), &person(5, "th\u{435}_legal")).await;
    check(
        &why(twin),
        &expect![[r#"
        `reviewer_id`: expected `thе_legal`, who does this, found `the_legal`
        hint: each reviewer speaks for nobody else
    "#]],
    );
    let agent = review(&acme, &said_by("the_legal", "approved"), &context_at(5)).await;
    check(
        &why(agent),
        &expect![[r#"
        `actor`: expected a person, found `agent-7`
        hint: an agent records what it did; people review it
    "#]],
    );
    // Each of these refusals is a record.
    assert_eq!(size(&acme).await, before + 6);
    let stored = acme.record(before).await.unwrap().unwrap();
    check(
        &said(&String::from_utf8_lossy(crate::operation::held_bytes(&stored, "refusal").unwrap())),
        &expect![[r#"
            "{\"action\":\"review\",\"message\":\"expected a member of the tenant, found `nobody`\",\"rule\":\"not_a_member\"}"
        "#]],
    );
    assert_eq!(table(&acme, EvidenceTable::Approvals).await, "");
}

#[tokio::test]
async fn the_agent_reviews_nothing_even_as_a_member() {
    let (_home, acme) =
        sealed("agent", &|request| request["decision"]["agent_name"] = json!("The Legal")).await;
    let before = size(&acme).await;
    check(
        &told(&acme, "the_legal", "approved").await,
        &expect![[r#"
        `reviewer_id`: expected a reviewer who is not the agent, found `the_legal`
        hint: somebody else must review what the agent decided
    "#]],
    );
    check(
        &told(&acme, "the_legal", "rejected").await,
        &expect![[r#"
        `reviewer_id`: expected a reviewer who is not the agent, found `the_legal`
        hint: somebody else must review what the agent decided
    "#]],
    );
    assert_eq!(table(&acme, EvidenceTable::Approvals).await, "");
    // Both refusals are records.
    assert_eq!(size(&acme).await, before + 2);
    check(
        &refusal(&acme, before + 1).await,
        &expect![[r#"
            Person("the_legal") pack_00000000000000b1 {"action":"review","message":"expected a reviewer who is not the agent, found `the_legal`","rule":"self_review"}
        "#]],
    );
}

/// The person and the action of a refusal, from its record.
async fn refusal(tenant: &Tenant, index: u64) -> String {
    let stored = tenant.record(index).await.unwrap().unwrap();
    let envelope = stored.record.envelope();
    let said = crate::operation::held_bytes(&stored, "refusal").unwrap();
    format!("{:?} {} {}", envelope.actor, envelope.subject, String::from_utf8_lossy(said))
}

#[tokio::test]
async fn a_review_is_kept_under_the_name_that_the_member_has() {
    let (_home, acme) = sealed("spelling", &|request| {
        request["decision"]["approval_class"] = json!("A1");
    })
    .await;
    assert_eq!(told(&acme, "The Manager", "approved").await, "resolved");
    check(
        &table(&acme, EvidenceTable::Approvals).await,
        &expect![[r#"
            [11,0,"rev_…","pack_00000000000000b1","the_manager","manager","approved","read it","2026-03-14T14:53:25.000Z"]

        "#]],
    );
    let shown = show(&acme, "pack_00000000000000b2").await.unwrap();
    let reviewed =
        ["approvals", "reviewer_id"].map(|name| said(json_of(&shown.pack).get(name).unwrap()));
    check(
        &reviewed.join("\n"),
        &expect![[r#"
            [{"approver":"the_manager","at":"2026-03-14T14:53:25.000Z","outcome":"approved","reason":"read it","titles":["manager"]}]
            "the_manager"
        "#]],
    );
}

#[tokio::test]
async fn a_review_is_within_48_hours_of_the_version() {
    let (_home, acme) = sealed("late", &|_| ()).await;
    // The pack was made 8600 seconds before the first second of these tests.
    let last = 48 * 3600 - 8600;
    let late =
        review(&acme, &said_by("the_legal", "approved"), &person(last + 1, "the_legal")).await;
    check(
        &why(late),
        &expect![[r#"
        `reviewed_at`: expected a review within 48 hours, until 2026-03-16T12:30:00.000Z, found `2026-03-16T12:30:01.000Z`
        hint: assemble the pack again: a version that was not reviewed in time is superseded
    "#]],
    );
    assert_eq!(table(&acme, EvidenceTable::Approvals).await, "");
    review(&acme, &said_by("the_legal", "approved"), &person(last, "the_legal")).await.unwrap();
}

#[tokio::test]
async fn one_person_is_one_approver() {
    let (_home, acme) = sealed("once", &|_| ()).await;
    say(&acme, "the_legal", "approved").await.unwrap();
    check(
        &told(&acme, "The Legal", "approved").await,
        &expect![[r#"
        `reviewer_id`: expected another reviewer: each counts once, found `The Legal`, who has reviewed it
    "#]],
    );
    check(
        &told(&acme, "the_legal", "escalated").await,
        &expect![[r#"
        `reviewer_id`: expected another reviewer: each counts once, found `the_legal`, who has reviewed it
    "#]],
    );
    check(
        &told(&acme, "the_finance", "approved").await,
        &expect![[r#"
        {"approval_class":"A2","approved_by":["the_legal","the_finance"],"missing":["a department head"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"waiting"}
    "#]],
    );
}

#[tokio::test]
async fn a_rejection_beats_an_escalation_which_beats_an_approval() {
    let (_home, acme) = sealed("beats", &|_| ()).await;
    say(&acme, "the_legal", "approved").await.unwrap();
    check(
        &told(&acme, "the_manager", "escalated").await,
        &expect![[r#"
        {"approval_class":"A3","approved_by":[],"missing":["an executive or a member of the board","an executive or a member of the board"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"waiting"}
    "#]],
    );
    check(
        &told(&acme, "the_department_head", "approved").await,
        &expect![[r#"
        `reviewer_id`: expected two of the executives or the board, for class A3, found `the_department_head`, who has department_head
    "#]],
    );
    check(
        &told(&acme, "the_executive", "approved").await,
        &expect![[r#"
        {"approval_class":"A3","approved_by":["the_executive"],"missing":["an executive or a member of the board"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"waiting"}
    "#]],
    );
    check(
        &told(&acme, "the_legal", "rejected").await,
        &expect![[r#"
        {"approval_class":"A3","approved_by":["the_executive"],"missing":["an executive or a member of the board"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"rejected"}
    "#]],
    );
    check(
        &told(&acme, "the_board", "approved").await,
        &expect![[r#"
        `pack_id`: expected a pack that nobody rejected, found `pack_00000000000000b1`, which was rejected
        hint: `dalil pack assemble` makes the version that follows
    "#]],
    );
    // An edit can be reviewed again.
    let edit = [
        ("pack_id", json!("pack_00000000000000b3")),
        ("supersedes", json!("pack_00000000000000b1")),
        ("version", json!(2)),
    ];
    seal_recorded(&acme, &with(&edit), &context_at(6)).await.unwrap();
    let mut again: Value = serde_json::from_slice(&said_by("the_legal", "approved")).unwrap();
    again["pack_id"] = json!("pack_00000000000000b3");
    let waiting = review(&acme, &bytes(&again), &person(7, "the_legal")).await.unwrap();
    assert!(matches!(waiting, ReviewOutcome::Waiting(_)));
}

/// The result of the first approval of a pack of these classes.
async fn first(name: &str, classes: [&str; 3], approver: &str, expect: &Expect) {
    let change = |request: &mut Value| {
        let [approval, reversibility, sensitivity] = classes;
        request["decision"]["approval_class"] = json!(approval);
        request["decision"]["reversibility_class"] = json!(reversibility);
        request["decision"]["sensitivity_class"] = json!(sensitivity);
    };
    let (_home, acme) = sealed(name, &change).await;
    check(&told(&acme, approver, "approved").await, expect);
}

#[tokio::test]
async fn each_class_asks_for_its_own_approvers() {
    first(
        "a0",
        ["A0", "R0", "S0"],
        "the_finance",
        &expect![[r#"
        resolved
    "#]],
    )
    .await;
    first(
        "a1",
        ["A1", "R0", "S0"],
        "the_manager",
        &expect![[r#"
        resolved
    "#]],
    )
    .await;
    first(
        "a1-legal",
        ["A1", "R0", "S0"],
        "the_legal",
        &expect![[r#"
        `reviewer_id`: expected a manager or above, for class A1, found `the_legal`, who has legal
    "#]],
    )
    .await;
    first(
        "a0-r3",
        ["A0", "R3", "S0"],
        "the_legal",
        &expect![[r#"
        `reviewer_id`: expected a manager or above, for class A1, found `the_legal`, who has legal
    "#]],
    )
    .await;
    first("a3", ["A3", "R3", "S3"], "the_board", &expect![[r#"
        {"approval_class":"A3","approved_by":["the_board"],"missing":["an executive or a member of the board"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"waiting"}
    "#]]).await;
    first("a3-head", ["A3", "R3", "S3"], "the_department_head", &expect![[r#"
        `reviewer_id`: expected two of the executives or the board, for class A3, found `the_department_head`, who has department_head
    "#]]).await;
}

#[tokio::test]
async fn the_highest_number_of_approvers_that_a_rule_asks_for_wins() {
    let (_home, acme) = one("highest").await;
    house(&acme).await;
    let mut request = request();
    request["decision"]["approval_class"] = json!("A1");
    request["decision"]["action_type"] = json!("contract_change");
    decision::record(&acme, &bytes(&request["decision"]), &context_at(1)).await.unwrap();
    seal_recorded(&acme, &bytes(&request), &context_at(1)).await.unwrap();
    check(
        &told(&acme, "the_manager", "approved").await,
        &expect![[r#"
        {"approval_class":"A1","approved_by":["the_manager"],"missing":["a manager or above"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"waiting"}
    "#]],
    );
    check(
        &told(&acme, "the_board", "approved").await,
        &expect![[r#"
        resolved
    "#]],
    );
}

#[tokio::test]
async fn an_approval_acknowledges_every_open_finding() {
    let old = json!("2026-03-01T10:00:00.000Z");
    let (_home, acme) = sealed("stale", &|request| {
        request["decision"]["evidence"][0]["retrieved_at"] = old.clone();
    })
    .await;
    check(
        &told(&acme, "the_legal", "approved").await,
        &expect![[r#"
        `acknowledged`: expected an acknowledgement of `stale_source` at `sources[0]`, found none
        hint: the reviewer must say that the finding was seen
    "#]],
    );
    let mut seen: Value = serde_json::from_slice(&said_by("the_legal", "approved")).unwrap();
    seen["acknowledged"] = json!([{"rule": "stale_source", "path": "sources[0]"}]);
    let waiting = review(&acme, &bytes(&seen), &person(5, "the_legal")).await.unwrap();
    assert!(matches!(waiting, ReviewOutcome::Waiting(_)));
    // A rejection needs no acknowledgement.
    check(
        &told(&acme, "the_finance", "rejected").await,
        &expect![[r#"
        {"approval_class":"A2","approved_by":["the_legal"],"missing":["a department head"],"pack_id":"pack_00000000000000b1","required_approvers":2,"state":"rejected"}
    "#]],
    );
}

#[tokio::test]
async fn a_request_for_a_review_is_read_whole() {
    let (_home, acme) = sealed("whole", &|_| ()).await;
    let bad = br#"{"pack_id": "p", "by": 1, "outcome": "maybe", "acknowledged": [{}]}"#;
    check(
        &why(review(&acme, bad, &person(2, "the_legal")).await),
        &expect![[r#"
            `pack_id`: expected `pack_` and 16 lower-case hex digits, found `p`
            `reviewer_id`: expected a value, found nothing
            `outcome`: expected one of `approved`, `declined`, `escalated`, `rejected`, found `maybe`
            `acknowledged[0].rule`: expected a value, found nothing
            `acknowledged[0].path`: expected a value, found nothing
            `by`: expected only pack_id, reviewer_id, outcome, reason, acknowledged, new_pack_id, found a field it does not know
            hint: remove the field or correct its name
        "#]],
    );
    let mut same: Value = serde_json::from_slice(&said_by("the_legal", "approved")).unwrap();
    same["new_pack_id"] = json!("pack_00000000000000b1");
    check(
        &why(review(&acme, &bytes(&same), &person(2, "the_legal")).await),
        &expect![[r#"
            `new_pack_id`: expected a name that is new, found `pack_00000000000000b1`, which record 10 has
            hint: repeat a request under its idempotency key to get the first answer
        "#]],
    );
    let mut none: Value = same.clone();
    none["pack_id"] = json!("pack_0000000000000000");
    check(
        &why(review(&acme, &bytes(&none), &person(2, "the_legal")).await),
        &expect![[r#"
        `pack_id`: expected a pack of this tenant, found `pack_0000000000000000`
    "#]],
    );
}

#[tokio::test]
async fn a_reason_is_no_longer_than_pages_have_room_for() {
    let (_home, acme) = sealed("approve-reason", &|_| ()).await;
    let say = async |length: usize| {
        let mut asked: Value = serde_json::from_slice(&said_by("the_legal", "approved")).unwrap();
        asked["reason"] = "x".repeat(length).into();
        review(&acme, &bytes(&asked), &person(5, "the_legal")).await
    };
    check(
        &why(say(2001).await),
        &expect![[r#"
        `reason`: expected at most 2000 characters, found 2001
    "#]],
    );
    assert!(say(2000).await.is_ok());
}

/// Two people review at the same moment, and one of their clocks is behind: neither is refused for
/// a time that they did not state.
#[tokio::test]
async fn reviewers_at_once_are_never_refused_for_their_time() {
    let (_home, acme) = one("at-once").await;
    house(&acme).await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    let clock =
        |second, name| RequestContext { time_source: TimeSource::Clock, ..person(second, name) };
    let legal = said_by("the_legal", "approved");
    let head = said_by("the_department_head", "approved");
    let (late, early) = (clock(9, "the_legal"), clock(0, "the_department_head"));
    let (one, other) = tokio::join!(review(&acme, &legal, &late), review(&acme, &head, &early));
    one.unwrap();
    other.unwrap();
    let versions = versions(&acme, "dec-1").await.unwrap();
    assert_eq!(versions.last().map(|last| last.status.as_str()), Some("resolved"));
}

#[tokio::test]
async fn nobody_reviewed_before_they_were_a_member() {
    let (_home, acme) = one("early-review").await;
    seal_recorded(&acme, &bytes(&request()), &context_at(1)).await.unwrap();
    let legal = Member {
        name: "the_legal".to_owned(),
        role: MemberRole::Approver,
        titles: [MemberTitle::Legal].into(),
    };
    crate::member::add(&acme, &legal, &person(5, "ada")).await.unwrap();
    let early = review(&acme, &said_by("the_legal", "approved"), &person(4, "the_legal")).await;
    check(
        &why(early),
        &expect![[r#"
        `at`: expected a time not before 2026-03-14T14:53:25.000Z, when `the_legal` was added, found `2026-03-14T14:53:24.000Z`
    "#]],
    );
}
