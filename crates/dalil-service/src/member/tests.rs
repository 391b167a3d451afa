use dalil_evidence::access::{MemberRole, MemberTitle};
use dalil_store::EvidenceTable;
use expect_test::{Expect, expect};

use super::*;
use crate::fixture::{context_at, one, person, said, size, table, two, why};

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

fn member(name: &str, role: MemberRole, titles: &[MemberTitle]) -> Member {
    Member { name: name.to_owned(), role, titles: titles.iter().copied().collect() }
}

#[tokio::test]
async fn members_are_added_listed_and_removed_as_records() {
    let (_home, acme) = one("members").await;
    add(&acme, &member("ada", MemberRole::Admin, &[MemberTitle::Board]), &person(1, "anybody"))
        .await
        .unwrap();
    let noura = member("noura", MemberRole::Approver, &[MemberTitle::Legal, MemberTitle::Manager]);
    add(&acme, &noura, &person(2, "ada")).await.unwrap();
    check(
        &list(&acme).await.unwrap().to_string(),
        &expect![[r#"
        member  role      titles
        ada     admin     board
        noura   approver  manager, legal

    "#]],
    );
    remove(&acme, "Noura", &person(3, "Ada")).await.unwrap();
    check(
        &said(&list(&acme).await.unwrap()),
        &expect![[r#"
        {"members":[{"name":"ada","role":"admin","titles":["board"]}]}
    "#]],
    );
    check(
        &table(&acme, EvidenceTable::Members).await,
        &expect![[r#"
        [2,0,"ada","admin","[\"board\"]","added","2026-03-14T14:53:21.000Z"]
        [3,0,"noura","approver","[\"manager\",\"legal\"]","added","2026-03-14T14:53:22.000Z"]
        [4,0,"noura","approver","[\"manager\",\"legal\"]","removed","2026-03-14T14:53:23.000Z"]

    "#]],
    );
}

#[tokio::test]
async fn once_there_is_an_admin_only_an_admin_changes_the_members() {
    let (_home, acme) = one("admins").await;
    add(&acme, &member("ada", MemberRole::Admin, &[]), &context_at(1)).await.unwrap();
    add(&acme, &member("ali", MemberRole::Approver, &[]), &person(1, "ada")).await.unwrap();
    let before = size(&acme).await;
    let new = member("sara", MemberRole::Viewer, &[]);
    check(
        &why(add(&acme, &new, &person(2, "ali")).await),
        &expect![[r#"
        `actor`: expected the role admin or above, found `ali`, who is approver
    "#]],
    );
    check(
        &why(add(&acme, &new, &person(2, "eve")).await),
        &expect![[r#"
        `actor`: expected a member of the tenant, found `eve`
        hint: `dalil member add` makes one
    "#]],
    );
    check(
        &why(add(&acme, &new, &context_at(2)).await),
        &expect![[r#"
        `actor`: expected a person who is admin, found `agent-7`
    "#]],
    );
    check(
        &why(remove(&acme, "ali", &person(2, "ali")).await),
        &expect![[r#"
        `actor`: expected the role admin or above, found `ali`, who is approver
    "#]],
    );
    // Each refusal is a record, and changed nothing.
    assert_eq!((size(&acme).await, list(&acme).await.unwrap().members.len()), (before + 4, 2));
    let system = RequestContext { actor: Actor::System, ..context_at(3) };
    add(&acme, &new, &system).await.unwrap();
    check(
        &why(remove(&acme, "ada", &person(4, "ada")).await),
        &expect![[r#"
            `name`: `ada` is the last admin
        "#]],
    );
}

#[tokio::test]
async fn a_member_that_breaks_a_rule_leaves_no_record() {
    let (_home, acme) = one("bad-members").await;
    let before = size(&acme).await;
    check(
        &why(add(&acme, &member(" ada", MemberRole::Viewer, &[]), &context_at(1)).await),
        &expect![[r#"
        `name`: expected 1 to 200 characters without controls or outer spaces, found ` ada`
    "#]],
    );
    let titled = member("ada", MemberRole::Viewer, &[MemberTitle::Board]);
    check(
        &why(add(&acme, &titled, &context_at(1)).await),
        &expect![[r#"
        `titles`: expected no title: a viewer approves nothing, found board
    "#]],
    );
    check(
        &why(remove(&acme, "ada", &context_at(1)).await),
        &expect![[r#"
            `name`: `ada` is not a member
        "#]],
    );
    assert_eq!(size(&acme).await, before);
    add(&acme, &member("ada", MemberRole::Viewer, &[]), &context_at(1)).await.unwrap();
    check(
        &why(add(&acme, &member("A-D-A", MemberRole::Viewer, &[]), &context_at(1)).await),
        &expect![[r#"
            `name`: `A-D-A`, which reads as `ada` is a member already
        "#]],
    );
}

#[tokio::test]
async fn members_of_one_tenant_are_nobody_in_another() {
    let (_home, acme, zenith) = two("members-apart").await;
    add(&acme, &member("ada", MemberRole::Admin, &[]), &context_at(1)).await.unwrap();
    assert_eq!(list(&zenith).await.unwrap().members, []);
    check(
        &why(remove(&zenith, "ada", &context_at(1)).await),
        &expect![[r#"
            `name`: `ada` is not a member
        "#]],
    );
}

#[tokio::test]
async fn once_there_is_an_admin_what_leaves_or_goes_is_approved_by_another_member() {
    let (_home, acme) = one("approved").await;
    let by = async |approver: &str, context: &RequestContext| match approved(
        &acme,
        approver,
        (AccessAction::Export, ApprovalClass::A1),
        "trail",
        context,
    )
    .await
    {
        Ok(()) => "approved".to_owned(),
        refused => why(refused),
    };
    assert_eq!(by("anybody", &context_at(1)).await, "approved");
    add(&acme, &member("ada", MemberRole::Admin, &[]), &context_at(1)).await.unwrap();
    let titles = [MemberTitle::Manager];
    add(&acme, &member("ali", MemberRole::Approver, &titles), &person(1, "ada")).await.unwrap();
    add(&acme, &member("noor", MemberRole::Approver, &[]), &person(1, "ada")).await.unwrap();
    let before = size(&acme).await;
    let told = [
        by("ali", &person(2, "ada")).await,
        by("Ada", &person(2, "ada")).await,
        by("noor", &person(2, "ada")).await,
        by("nobody", &person(2, "ada")).await,
        by("ali", &context_at(2)).await,
    ];
    check(
        &told.join("\n"),
        &expect![[r#"
        approved
        `approver`: expected somebody else than who does it, found `Ada`
        `approver`: expected a manager or above, for class A1, found `noor`, who has no title
        `approver`: expected a member of the tenant, found `nobody`
        hint: `dalil member add` makes one
        `actor`: expected a person, found `agent-7`
    "#]],
    );
    assert_eq!(size(&acme).await, before + 4, "each refusal is a record");
}
