//! Versions: a review or an edit is a new pack that names the old one.

use expect_test::{Expect, expect};

use super::{REQUEST, check, edited, shown};
use crate::canon;
use crate::pack::{Acknowledgement, Draft, Review, amend, assemble, review};

fn draft(edits: &[(&str, &str)]) -> Draft {
    assemble(edited(REQUEST, edits).as_bytes()).unwrap()
}

/// A review of a pack whose least source is stale, with these changes to it.
#[track_caller]
fn check_review(change: impl FnOnce(&mut Review), expected: &Expect) {
    let old = draft(&[STALE]);
    let mut by_person = Review {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "noura".to_owned(),
        reviewed_at: "2026-01-04T08:00:00Z".parse().unwrap(),
        acknowledged: vec![Acknowledgement {
            rule: "stale_source".to_owned(),
            path: "sources[2]".to_owned(),
        }],
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
    let by_person = Review {
        pack_id: "pack_00000000000000a2".parse().unwrap(),
        reviewer_id: "noura".to_owned(),
        reviewed_at: "2026-01-04T08:00:00Z".parse().unwrap(),
        acknowledged: Vec::new(),
    };
    let new = review(&old, &by_person).unwrap();
    assert_eq!(new.supersedes.as_ref(), Some(&old.pack_id));
    assert_eq!(Draft::parse(&canon::bytes(&new).unwrap()).unwrap(), new);
    assert_eq!(draft(&[]), old);
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
    assert_eq!(Draft::parse(&canon::bytes(&amended).unwrap()).unwrap(), amended);
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
