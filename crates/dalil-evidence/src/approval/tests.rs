use expect_test::expect;

use super::*;

fn vote(approver: &str, outcome: VoteOutcome, titles: &[MemberTitle]) -> ApprovalVote {
    let at = "2026-01-04T08:00:00Z".parse().unwrap();
    ApprovalVote {
        approver: approver.to_owned(),
        outcome,
        titles: titles.iter().copied().collect(),
        at,
        reason: None,
    }
}

fn yes(approver: &str, titles: &[MemberTitle]) -> ApprovalVote {
    vote(approver, VoteOutcome::Approved, titles)
}

/// The progress of votes, in one line.
fn stands(class: ApprovalClass, required: u8, votes: &[ApprovalVote]) -> String {
    let standing = standing(ApprovalQuorum::of(class, required), votes);
    let ApprovalQuorum { class, approvers } = standing.need;
    format!(
        "{:?} {class:?} {approvers} by [{}] without [{}]",
        standing.state,
        standing.approved_by.join(", "),
        standing.missing_people().english()
    )
}

#[test]
fn a1_wants_one_of_its_titles() {
    let of = |title| stands(ApprovalClass::A1, 1, &[yes("ali", &[title])]);
    for title in [
        MemberTitle::Manager,
        MemberTitle::DepartmentHead,
        MemberTitle::Executive,
        MemberTitle::Board,
    ] {
        assert_eq!(of(title), "Approved A1 1 by [ali] without []", "{title:?}");
    }
    for title in [MemberTitle::Legal, MemberTitle::Finance] {
        assert_eq!(of(title), "Waiting A1 1 by [] without [a manager or above]", "{title:?}");
    }
}

#[test]
fn a2_wants_a_department_head_and_legal_or_finance() {
    let head = yes("ali", &[MemberTitle::DepartmentHead]);
    let a2 = |votes: &[ApprovalVote]| stands(ApprovalClass::A2, 2, votes);
    expect!["Waiting A2 2 by [] without [a department head; legal or finance]"].assert_eq(&a2(&[]));
    expect!["Waiting A2 2 by [ali] without [legal or finance]"]
        .assert_eq(&a2(std::slice::from_ref(&head)));
    for title in [MemberTitle::Legal, MemberTitle::Finance] {
        let votes = [head.clone(), yes("noura", &[title])];
        assert_eq!(a2(&votes), "Approved A2 2 by [ali, noura] without []");
    }
    let two_heads = [head.clone(), yes("noura", &[MemberTitle::DepartmentHead])];
    expect!["Waiting A2 2 by [ali, noura] without [legal or finance]"].assert_eq(&a2(&two_heads));
    let two_lawyers = [yes("ali", &[MemberTitle::Legal]), yes("noura", &[MemberTitle::Finance])];
    expect!["Waiting A2 2 by [ali, noura] without [a department head]"]
        .assert_eq(&a2(&two_lawyers));
    let manager = [head, yes("noura", &[MemberTitle::Manager, MemberTitle::Executive])];
    expect!["Waiting A2 2 by [ali] without [legal or finance]"].assert_eq(&a2(&manager));
}

#[test]
fn one_person_is_one_approver_whatever_the_titles_and_the_spelling() {
    let both = [MemberTitle::DepartmentHead, MemberTitle::Legal];
    let votes = [yes("hr_director", &both), yes("HR Director", &both)];
    expect!["Waiting A2 2 by [hr_director] without [a department head, or legal or finance]"]
        .assert_eq(&stands(ApprovalClass::A2, 2, &votes));
    let votes = [yes("hr_director", &both), yes("noura", &[MemberTitle::Finance])];
    expect!["Approved A2 2 by [hr_director, noura] without []"].assert_eq(&stands(
        ApprovalClass::A2,
        2,
        &votes,
    ));
}

#[test]
fn a3_wants_two_of_executive_or_board() {
    let votes = [yes("ali", &[MemberTitle::Executive]), yes("noura", &[MemberTitle::Board])];
    let a3 = |votes: &[ApprovalVote]| stands(ApprovalClass::A3, 2, votes);
    expect!["Waiting A3 2 by [ali] without [an executive or a member of the board]"]
        .assert_eq(&a3(&votes[..1]));
    expect!["Approved A3 2 by [ali, noura] without []"].assert_eq(&a3(&votes));
}

#[test]
fn a_review_is_by_one_person_at_least() {
    expect!["Waiting A0 1 by [] without [a reviewer]"].assert_eq(&stands(
        ApprovalClass::A0,
        0,
        &[],
    ));
    expect!["Approved A0 1 by [ali] without []"].assert_eq(&stands(
        ApprovalClass::A0,
        0,
        &[yes("ali", &[])],
    ));
}

#[test]
fn the_highest_number_of_approvers_wins() {
    let two = [yes("ali", &[MemberTitle::Manager]), yes("noura", &[MemberTitle::Manager])];
    expect!["Waiting A1 2 by [ali] without [a manager or above]"].assert_eq(&stands(
        ApprovalClass::A1,
        2,
        &two[..1],
    ));
    expect!["Approved A1 2 by [ali, noura] without []"].assert_eq(&stands(
        ApprovalClass::A1,
        2,
        &two,
    ));
    expect!["Waiting A1 1 by [] without [a manager or above]"].assert_eq(&stands(
        ApprovalClass::A0,
        1,
        &[yes("ali", &[])],
    ));
    expect!["Waiting A3 3 by [] without [an executive or a member of the board; an executive or a member of the board; an executive or a member of the board]"]
        .assert_eq(&stands(ApprovalClass::A3, 3, &[]));
}

#[test]
fn a_rejection_beats_an_escalation_which_beats_every_approval() {
    let (manager, head) = ([MemberTitle::Manager], [MemberTitle::DepartmentHead]);
    let up = vote("noura", VoteOutcome::Escalated, &manager);
    let no = vote("sara", VoteOutcome::Rejected, &manager);
    let votes = [yes("ali", &manager), up, no];
    expect!["Approved A1 1 by [ali] without []"].assert_eq(&stands(
        ApprovalClass::A1,
        1,
        &votes[..1],
    ));
    expect!["Waiting A2 2 by [] without [a department head; legal or finance]"].assert_eq(&stands(
        ApprovalClass::A1,
        1,
        &votes[..2],
    ));
    expect!["Rejected A2 2 by [] without [a department head; legal or finance]"]
        .assert_eq(&stands(ApprovalClass::A1, 1, &votes));
    let ups = ["a", "b", "c", "d", "e"].map(|name| vote(name, VoteOutcome::Escalated, &head));
    expect!["Waiting A3 2 by [] without [an executive or a member of the board; an executive or a member of the board]"]
        .assert_eq(&stands(ApprovalClass::A0, 0, &ups));
}

#[test]
fn an_export_needs_a1_at_least_and_personal_data_a3() {
    let needs = SensitivityClass::ALL.map(export_need);
    let (commercial, personal) = (
        ApprovalQuorum { class: ApprovalClass::A1, approvers: 1 },
        ApprovalQuorum { class: ApprovalClass::A3, approvers: 2 },
    );
    assert_eq!(needs, [commercial, commercial, commercial, personal]);
    assert_eq!(EXPORT_CLASSES.sensitivity, SensitivityClass::S2);
}

#[test]
fn a_title_that_a_class_does_not_ask_for_is_refused() {
    let titles = BTreeSet::from([MemberTitle::Manager]);
    let why = |class, titles: &BTreeSet<MemberTitle>| {
        allow(class, "ali", titles, "by").unwrap_err().to_string()
    };
    assert!(allow(ApprovalClass::A0, "ali", &BTreeSet::new(), "by").is_ok());
    assert!(allow(ApprovalClass::A1, "ali", &titles, "by").is_ok());
    expect!["`by`: expected a department head, and legal or finance, for class A2, found `ali`, who has manager"]
        .assert_eq(&why(ApprovalClass::A2, &titles));
    expect!["`by`: expected two of the executives or the board, for class A3, found `ali`, who has no title"]
        .assert_eq(&why(ApprovalClass::A3, &BTreeSet::new()));
}
