use expect_test::expect;

use super::*;
use crate::pack::{PackDraft, assemble, can_view_evidence_pack};

fn member(name: &str, role: MemberRole, titles: &[MemberTitle]) -> Member {
    Member { name: name.to_owned(), role, titles: titles.iter().copied().collect() }
}

#[test]
fn each_role_may_do_what_the_one_before_it_may() {
    let actions =
        [AccessAction::View, AccessAction::Review, AccessAction::Export, AccessAction::Administer];
    let may = |role: MemberRole| actions.map(|action| role.may(action));
    assert_eq!(may(MemberRole::Viewer), [true, false, false, false]);
    assert_eq!(may(MemberRole::Approver), [true, true, true, false]);
    assert_eq!(may(MemberRole::Admin), [true, true, true, true]);
}

#[test]
fn a_pack_is_seen_by_every_member_of_its_tenant_and_by_nobody_else() {
    let pack: PackDraft = assemble(include_bytes!("../pack/tests/request.json")).unwrap();
    let (own, other) = ("tenant-1".parse().unwrap(), "tenant-2".parse().unwrap());
    for role in [MemberRole::Viewer, MemberRole::Approver, MemberRole::Admin] {
        let noura = member("noura", role, &[]);
        assert!(can_view_evidence_pack(&own, &noura, &pack));
        assert!(!can_view_evidence_pack(&other, &noura, &pack));
    }
}

#[test]
fn a_member_is_read_as_it_is_written() {
    let noura = member("noura", MemberRole::Approver, &[MemberTitle::Legal, MemberTitle::Manager]);
    let bytes = noura.bytes().unwrap();
    expect![[r#"{"name":"noura","role":"approver","titles":["manager","legal"]}"#]]
        .assert_eq(&String::from_utf8(bytes.clone()).unwrap());
    assert_eq!(Member::parse(&bytes).unwrap(), noura);
    for (title, (word, value)) in
        [MemberTitle::Manager, MemberTitle::DepartmentHead, MemberTitle::Legal]
            .into_iter()
            .chain([MemberTitle::Finance, MemberTitle::Executive, MemberTitle::Board])
            .zip(MemberTitle::WIRE_NAMES)
    {
        assert_eq!((title, title.as_str()), (*value, *word));
    }
}

#[test]
fn a_member_that_breaks_a_rule_is_refused() {
    let why = |text: &str| Member::parse(text.as_bytes()).unwrap_err().to_string();
    expect![[r#"
        `name`: expected 1 to 200 characters without controls or outer spaces, found ` `
        `role`: expected one of `viewer`, `approver`, `admin`, found `owner`
        `titles[0]`: expected one of `manager`, `department_head`, `legal`, `finance`, `executive`, `board`, found `king`"#]]
    .assert_eq(&why(r#"{"name":" ","role":"owner","titles":["king"]}"#));
    expect!["`titles`: expected no title: a viewer approves nothing, found manager"]
        .assert_eq(&why(r#"{"name":"ali","role":"viewer","titles":["manager"]}"#));
    expect!["`name`: expected a letter or a digit, and no control of direction, found `..`"]
        .assert_eq(&why(r#"{"name":"..","role":"viewer","titles":[]}"#));
    expect!["`$`: expected canonical JSON, found another spelling"]
        .assert_eq(&why(r#"{"name":"ali", "role":"viewer","titles":[]}"#));
}

#[test]
fn a_name_is_one_members_however_it_is_spelled() {
    let mut members = TenantMembers::default();
    members.add(member("hr_director", MemberRole::Approver, &[])).unwrap();
    let again = members.add(member("HR Director", MemberRole::Viewer, &[]));
    let taken = "`HR Director`, which reads as `hr_director`";
    assert_eq!(again, Err(MembershipError::Taken(taken.to_owned())));
    assert_eq!(members.named("Hr-Director").map(|one| one.role), Some(MemberRole::Approver));
    assert_eq!(members.remove("noura"), Err(MembershipError::Unknown("`noura`".to_owned())));
    members.remove("HR director").unwrap();
    assert_eq!(members, TenantMembers::default());
}

#[test]
fn a_look_alike_is_neither_added_nor_let_in() {
    let mut members = TenantMembers::default();
    members.add(member("noura", MemberRole::Admin, &[])).unwrap();
    members.add(member("سارة", MemberRole::Viewer, &[])).unwrap();
    for (name, known) in [("ｎｏｕｒａ", "noura"), ("nóura", "noura"), ("nоura", "noura")]
        .into_iter()
        .chain([("سَارة", "سارة"), ("سـارة", "سارة")])
    {
        let taken = format!("`{name}`, which reads as `{known}`");
        let added = members.add(member(name, MemberRole::Viewer, &[]));
        assert_eq!(added, Err(MembershipError::Taken(taken)));
        let let_in = allow(&members, name, AccessAction::View, "by").map_err(|fault| fault.rule);
        assert_eq!(let_in, Err("not_a_member"));
    }
}

#[test]
fn the_last_admin_stays() {
    let mut members = TenantMembers::default();
    members.add(member("ada", MemberRole::Admin, &[])).unwrap();
    members.add(member("noura", MemberRole::Viewer, &[])).unwrap();
    assert!(members.has_admin());
    assert_eq!(members.remove("ada"), Err(MembershipError::LastAdmin("`ada`".to_owned())));
    members.remove("noura").unwrap();
    assert_eq!(members.remove("ada"), Err(MembershipError::LastAdmin("`ada`".to_owned())));
    members.add(member("dana", MemberRole::Admin, &[])).unwrap();
    members.remove("ada").unwrap();
    assert!(members.has_admin());
}

#[test]
fn somebody_is_allowed_by_membership_and_role() {
    let mut members = TenantMembers::default();
    members.add(member("noura", MemberRole::Viewer, &[])).unwrap();
    let why = |name: &str, action| allow(&members, name, action, "by").unwrap_err().to_string();
    assert_eq!(allow(&members, "Noura", AccessAction::View, "by").unwrap().name, "noura");
    expect!["`by`: expected the role approver or above, found `noura`, who is viewer"]
        .assert_eq(&why("noura", AccessAction::Review));
    expect!["`by`: expected the role admin or above, found `noura`, who is viewer"]
        .assert_eq(&why("noura", AccessAction::Administer));
    expect![[r#"
        `by`: expected a member of the tenant, found `ali`
        hint: `dalil member add` makes one"#]]
    .assert_eq(&why("ali", AccessAction::View));
}
