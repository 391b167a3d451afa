//! Versions: a review or an edit is a new pack that names the old one.

use dalil_proof::canon;
use expect_test::{Expect, expect};

use super::{REQUEST, check, edited, shown};
use crate::access::MemberTitle;
use crate::approval::{ApprovalVote, VoteOutcome};
use crate::pack::{FlagAcknowledgement, PackDraft, PackReview, amend, assemble, review};

fn draft(edits: &[(&str, &str)]) -> PackDraft {
    assemble(edited(REQUEST, edits).as_bytes()).unwrap()
}

/// A review of a pack whose least source is stale, with these changes to it.
#[track_caller]
fn check_review(change: impl FnOnce(&mut PackReview), expected: &Expect) {
    let old = draft(&[STALE]);
    let mut by_person = PackReview {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "noura".to_owned(),
        reviewed_at: "2026-01-04T08:00:00Z".parse().unwrap(),
        acknowledged: vec![FlagAcknowledgement {
            rule: "stale_source".to_owned(),
            path: "sources[2]".to_owned(),
        }],
        approvals: Vec::new(),
    };
    change(&mut by_person);
    expected.assert_eq(&shown(review(&old, &by_person)));
}

#[test]
fn a_review_resolves_a_pack_in_a_new_version() {
    check_review(
        |_| (),
        &expect![[r#"
        Resolved, version 2
        Acknowledged stale_source `sources[2]`: the source was retrieved more than 48 hours before the decision
    "#]],
    );
}

#[test]
fn a_reviewed_pack_reads_back_as_it_is_and_names_the_old_one() {
    let old = draft(&[]);
    let by_person = PackReview {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "noura".to_owned(),
        reviewed_at: "2026-01-04T08:00:00Z".parse().unwrap(),
        acknowledged: Vec::new(),
        approvals: Vec::new(),
    };
    let new = review(&old, &by_person).unwrap();
    assert_eq!(new.supersedes.as_ref(), Some(&old.pack_id));
    assert_eq!(PackDraft::parse(&canon::bytes(&new).unwrap()).unwrap(), new);
    let times = [old.created_at, new.created_at].map(|time| time.to_string());
    assert_eq!(times, ["2026-01-03T12:30:00.000Z", "2026-01-04T08:00:00.000Z"]);
}

#[test]
fn the_agent_cannot_review_its_own_decision() {
    check_review(
        |review| review.reviewer_id = " ICP_matcher".to_owned(),
        &expect![[r#"
        self_review `reviewer_id`: expected a reviewer who is not the agent, found ` ICP_matcher`
        hint: somebody else must review what the agent decided
    "#]],
    );
    check_review(
        |review| review.reviewer_id = "icp\u{2066} matcher\u{0}".to_owned(),
        &expect![[r#"
        self_review `reviewer_id`: expected a reviewer who is not the agent, found `icp\u{2066} matcher\u{0}`
        hint: somebody else must review what the agent decided
    "#]],
    );
}

#[test]
fn a_review_must_acknowledge_every_open_finding() {
    check_review(
        |review| review.acknowledged.clear(),
        &expect![[r#"
        unacknowledged `acknowledged`: expected an acknowledgement of `stale_source` at `sources[2]`, found none
        hint: the reviewer must say that the finding was seen
    "#]],
    );
}

#[test]
fn only_an_open_finding_can_be_acknowledged() {
    check_review(
        |review| review.acknowledged[0].path = "sources[0]".to_owned(),
        &expect![[r#"
        acknowledgement `acknowledged`: expected a finding that is open, found `stale_source` at `sources[0]`
        unacknowledged `acknowledged`: expected an acknowledgement of `stale_source` at `sources[2]`, found none
        hint: the reviewer must say that the finding was seen
    "#]],
    );
}

#[test]
fn a_review_has_a_name_and_a_time_of_its_own() {
    check_review(
        |review| {
            review.pack_id = "pack_00000000000000a1".parse().unwrap();
            review.reviewed_at = "2026-01-03T12:29:59Z".parse().unwrap();
        },
        &expect![[r#"
            supersedes `pack_id`: expected the name of another version, found `pack_00000000000000a1`
            hint: every version has a name of its own
            time_order `created_at`: expected a time at or after 2026-01-03T12:30:00.000Z, when the old version was made, found `2026-01-03T12:29:59.000Z`
        "#]],
    );
}

#[test]
fn an_edit_is_a_new_version_of_the_same_decision() {
    let old = draft(&[]);
    let id = (r#""pack_00000000000000a1""#, r#""pack_00000000000000a2""#);
    let new = draft(&[id, ("Fit Recommendation", "Recommendation")]);
    let amended = amend(&old, &new).unwrap();
    assert_eq!((amended.version, amended.supersedes.as_ref()), (2, Some(&old.pack_id)));
    assert_eq!(amended.memo, new.memo);
    assert_eq!(PackDraft::parse(&canon::bytes(&amended).unwrap()).unwrap(), amended);
}

#[test]
fn an_edit_cannot_lower_a_class() {
    let id = (r#""pack_00000000000000a1""#, r#""pack_00000000000000a2""#);
    let lower = draft(&[id, (r#""approval_class": "A2""#, r#""approval_class": "A1""#)]);
    expect![[r#"
        lower_class `approval_class`: expected the class of the old version, or a higher one, found a lower one
    "#]]
    .assert_eq(&shown(amend(&draft(&[]), &lower)));
    let higher = draft(&[id, (r#""approval_class": "A2""#, r#""approval_class": "A3""#)]);
    amend(&draft(&[]), &higher).unwrap();
}

#[test]
fn an_edit_cannot_change_the_decision_the_tenant_or_the_order_of_time() {
    let other = draft(&[
        (r#""dec_abc123""#, r#""dec_other""#),
        (r#""tenant-1""#, r#""tenant-2""#),
        (r#""2026-01-03T12:30:00Z""#, r#""2026-01-03T12:00:00Z""#),
    ]);
    expect![[r#"
        supersedes `pack_id`: expected the name of another version, found `pack_00000000000000a1`
        hint: every version has a name of its own
        other_decision `decision_id`: expected the decision `dec_abc123` of the old version, found `dec_other`
        other_tenant `tenant_id`: expected the tenant of the old version, found another
        time_order `created_at`: expected a time at or after 2026-01-03T12:30:00.000Z, when the old version was made, found `2026-01-03T12:00:00.000Z`
    "#]].assert_eq(&shown(amend(&draft(&[]), &other)));
}

#[test]
fn a_request_must_be_whole_about_its_version() {
    check(
        &[(r#""pack_id""#, r#""version": 2, "pack_id""#)],
        &expect![[r#"
        supersedes `supersedes`: expected the version before, found none
    "#]],
    );
    check(
        &[(r#""pack_id""#, r#""supersedes": "pack_00000000000000a1", "pack_id""#)],
        &expect![[r#"
            supersedes `version`: expected 2 or more for a pack that supersedes another, found 1
            supersedes `supersedes`: expected the name of another version, found `pack_00000000000000a1`
            hint: every version has a name of its own
        "#]],
    );
    check(
        &[(r#""pack_id""#, r#""reviewer_id": "noura", "pack_id""#)],
        &expect![[r#"
        review `reviewed_at`: expected the time of the review, found none
        review `supersedes`: expected the version that was reviewed: a review makes a version of its own, found none
    "#]],
    );
    check(
        &[(r#""pack_id""#, r#""reviewed_at": "2026-01-04T08:00:00Z", "pack_id""#)],
        &expect![[r#"
            review `reviewer_id`: expected who reviewed it, found nobody
        "#]],
    );
    check(
        &[(
            r#""pack_id""#,
            r#""acknowledged": [{"rule": "stale_source", "path": "sources[0]"}], "pack_id""#,
        )],
        &expect![[r#"
            acknowledgement `acknowledged`: expected a reviewer who acknowledges, found `stale_source` at `sources[0]`
            hint: set `reviewer_id` and `reviewed_at`
        "#]],
    );
    check(
        &[(
            r#""pack_id""#,
            r#""version": 2, "supersedes": "pack_0000000000000001", "reviewer_id": "noura",
               "reviewed_at": "2026-01-03T12:30:00.001Z", "pack_id""#,
        )],
        &expect![[r#"
            review `reviewed_at`: expected a time at or before `created_at`, found a later one
        "#]],
    );
    check(
        &[(
            r#""pack_id""#,
            r#""version": 2, "supersedes": "pack_0000000000000001", "reviewer_id": "noura",
               "reviewed_at": "2026-01-03T12:30:00Z", "pack_id""#,
        )],
        &expect![[r#"
            Resolved, version 2
        "#]],
    );
}

/// The third source was retrieved more than 48 hours before the decision.
const STALE: (&str, &str) = (r#""2026-01-02T10:05:00Z""#, r#""2025-12-02T10:05:00Z""#);

#[test]
fn a_review_comes_within_48_hours() {
    let old = draft(&[]);
    let by = |time: &str| PackReview {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "noura".to_owned(),
        reviewed_at: time.parse().unwrap(),
        acknowledged: Vec::new(),
        approvals: Vec::new(),
    };
    assert!(review(&old, &by("2026-01-05T12:30:00Z")).is_ok());
    expect![[r#"
        review_time `reviewed_at`: expected a review within 48 hours, until 2026-01-05T12:30:00.000Z, found `2026-01-05T12:30:00.001Z`
        hint: assemble the pack again: a version that was not reviewed in time is superseded
    "#]].assert_eq(&shown(review(&old, &by("2026-01-05T12:30:00.001Z"))));
}

/// A vote of a department head or of legal on the fourth of January.
fn vote(approver: &str, title: MemberTitle, outcome: VoteOutcome, hour: u8) -> ApprovalVote {
    let at = format!("2026-01-04T0{hour}:00:00Z").parse().unwrap();
    ApprovalVote {
        approver: approver.to_owned(),
        outcome,
        titles: [title].into(),
        at,
        reason: None,
    }
}

/// A review by noura at eight, with these votes.
#[track_caller]
fn check_votes(approvals: Vec<ApprovalVote>, expected: &Expect) {
    let by_person = PackReview {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "noura".to_owned(),
        reviewed_at: "2026-01-04T08:00:00Z".parse().unwrap(),
        acknowledged: Vec::new(),
        approvals,
    };
    let made = review(&draft(&[]), &by_person);
    if let Ok(made) = &made {
        let bytes = canon::bytes(made).unwrap();
        assert_eq!(PackDraft::parse(&bytes).unwrap(), *made);
    }
    expected.assert_eq(&shown(made));
}

#[test]
fn the_approvals_of_a_pack_are_those_that_its_class_asks_for() {
    use VoteOutcome::{Approved, Escalated, Rejected};
    let (head, legal) = (MemberTitle::DepartmentHead, MemberTitle::Legal);
    let noura = vote("noura", legal, Approved, 8);
    check_votes(
        vec![vote("ali", head, Approved, 7), noura.clone()],
        &expect![[r#"
        Resolved, version 2
    "#]],
    );
    check_votes(
        vec![noura.clone()],
        &expect![[r#"
            approvals `approvals`: expected the approval of a department head, and legal or finance, for A2, found 1 so far, 1 more needed: a department head
        "#]],
    );
    check_votes(
        vec![vote("Noura", head, Approved, 7), noura.clone()],
        &expect![[r#"
            approvals `approvals`: expected the approval of a department head, and legal or finance, for A2, found 1 so far, 1 more needed: legal or finance
        "#]],
    );
    check_votes(
        vec![vote("ICP matcher", head, Approved, 7), noura.clone()],
        &expect![[r#"
        self_review `approvals[0].approver`: expected a reviewer who is not the agent, found `ICP matcher`
        hint: somebody else must review what the agent decided
    "#]],
    );
    check_votes(
        vec![vote("ali", head, Approved, 9), noura.clone()],
        &expect![[r#"
        approvals `approvals`: expected approvals in order of time, that of the reviewer last, found others
    "#]],
    );
    check_votes(
        vec![noura.clone(), vote("ali", head, Approved, 8)],
        &expect![[r#"
        approvals `approvals`: expected approvals in order of time, that of the reviewer last, found others
    "#]],
    );
    check_votes(
        vec![vote("ali", head, Rejected, 7), noura.clone()],
        &expect![[r#"
        approvals `approvals`: expected the approval of a department head, and legal or finance, for A2, found a rejection
    "#]],
    );
    check_votes(
        vec![vote("ali", head, Escalated, 7), noura],
        &expect![[r#"
            approvals `approvals`: expected the approval of a department head, and legal or finance, for A2, found none from an executive or a member of the board; an executive or a member of the board
        "#]],
    );
}
