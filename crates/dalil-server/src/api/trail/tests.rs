use expect_test::expect;

use super::audited_kinds;

#[test]
fn an_audit_lists_what_people_did_and_are_held_to_without_being_asked() {
    let words: Vec<&str> = audited_kinds().into_iter().map(|kind| kind.as_str()).collect();
    expect![[r#"
        access.refused
        apikey.added
        apikey.revoked
        approval.asked
        approval.given
        approval.used
        claim.reviewed
        export.made
        hold.lifted
        hold.placed
        invitation.made
        invitation.used
        invitation.withdrawn
        key.added
        key.redated
        key.retired
        key.revoked
        member.added
        member.removed
        pack.reviewed
        pack.sealed
        payload.erased
        question.replied
        tenant.created"#]]
    .assert_eq(&words.join("\n"));
}
