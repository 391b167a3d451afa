use std::collections::BTreeSet;

use dalil_evidence::access::{Member, MemberRole, MemberTitle};
use dalil_evidence::apikey::{ApiKeyToken, Pepper};
use dalil_evidence::invitation::InvitationToken;
use dalil_proof::record::Actor;
use dalil_store::Tenant;
use expect_test::{Expect, expect};

use super::{NewInvitation, accept, list, look, make, withdraw};
use crate::fixture::{Home, at, context_at, keyed, one, person, said, size, two, why};
use crate::{RequestContext, apikey, member};

const PEPPER: Pepper = Pepper::new([3; 32]);

fn somebody(name: &str, role: MemberRole) -> Member {
    Member { name: name.to_owned(), role, titles: BTreeSet::new() }
}

fn order(name: &str) -> NewInvitation {
    NewInvitation { member: somebody(name, MemberRole::Approver), expires_at: None }
}

/// A tenant with an admin and a viewer.
async fn house(name: &str) -> (Home, Tenant) {
    let (home, acme) = one(name).await;
    for member in [somebody("amal", MemberRole::Admin), somebody("sami", MemberRole::Viewer)] {
        member::add(&acme, &member, &person(0, "amal")).await.unwrap();
    }
    (home, acme)
}

async fn invited(tenant: &Tenant, order: &NewInvitation) -> InvitationToken {
    let made = make(tenant, order, &person(1, "amal")).await.unwrap();
    InvitationToken::parse(&made.token).unwrap()
}

fn check(actual: &str, expect: &Expect) {
    expect.assert_eq(&format!("{actual}\n"));
}

/// A list of invitations, without the parts that differ at every run.
async fn listed(tenant: &Tenant, second: i64) -> String {
    let invitations = list(tenant, at(second)).await.unwrap().invitations;
    let line = |one: &super::StoredInvitation| {
        assert!(one.invitation_id.starts_with("inv_"));
        format!("{} {} by {}: {}", one.name, one.role.as_str(), one.invited_by, said(&one.state))
    };
    invitations.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn an_invitation_makes_a_member_with_a_key_once() {
    let (_home, acme) = house("invitation").await;
    let titles = BTreeSet::from([MemberTitle::Legal]);
    let member = Member { titles, ..somebody("noura", MemberRole::Approver) };
    let token = invited(&acme, &NewInvitation { member: member.clone(), expires_at: None }).await;
    let shown = look(&acme, &token, at(2)).await.unwrap();
    assert_eq!((shown.name.as_str(), shown.expires_at), ("noura", at(1 + 7 * 24 * 3600)));
    let before = size(&acme).await;
    let key = accept(&acme, &token, &PEPPER, &context_at(3)).await.unwrap();
    assert_eq!(size(&acme).await, before + 3, "the use, the member and the key are one entry");
    assert_eq!(key.record.index, before);
    let text = ApiKeyToken::parse(&key.api_key).unwrap();
    let known = apikey::find(&acme, text.key_id()).await.unwrap().unwrap();
    assert!(known.is(&text, &PEPPER));
    check(
        &format!("{} {}", known.actor, said(&known.scopes)),
        &expect![[r#"
            person:noura ["view","record","review","export"]
        "#]],
    );
    let members = member::list(&acme).await.unwrap().members;
    assert!(members.contains(&member), "{members:?}");
    check(
        &why(accept(&acme, &token, &PEPPER, &context_at(4)).await),
        &expect![[r#"
            `invitation`: expected an invitation that is open, found one that was used at 2026-03-14T14:53:23.000Z
        "#]],
    );
    assert_eq!(size(&acme).await, before + 3, "nothing was done");
    check(
        &listed(&acme, 5).await,
        &expect![[r#"
            noura approver by person:amal: {"state":"used","used_at":"2026-03-14T14:53:23.000Z"}
        "#]],
    );
}

#[tokio::test]
async fn a_member_is_invited_by_whoever_holds_the_store_and_as_they_are() {
    let (_home, acme) = house("invitation-member").await;
    let own = NewInvitation { member: somebody("sami", MemberRole::Viewer), expires_at: None };
    let store = RequestContext { actor: Actor::System, ..context_at(1) };
    let made = make(&acme, &own, &store).await.unwrap();
    let token = InvitationToken::parse(&made.token).unwrap();
    let before = size(&acme).await;
    accept(&acme, &token, &PEPPER, &context_at(2)).await.unwrap();
    assert_eq!(size(&acme).await, before + 2, "the use and the key");
    // As another, and by an admin, who could act in the name of sami then.
    for refused in [
        why(make(&acme, &order("sami"), &store).await),
        why(make(&acme, &own, &person(3, "amal")).await),
    ] {
        check(
            &refused,
            &expect![[r#"
                `name`: expected a name that no member has, found `sami`, who is viewer
                hint: a member is invited again by whoever holds the store, with `dalil invitation add` and the role and titles that they have
            "#]],
        );
    }
    check(
        &why(make(&acme, &order("sámi"), &person(3, "amal")).await),
        &expect![[r#"
            `name`: `sámi`, which reads as `sami` is a member already
        "#]],
    );
    // The name was taken after the invitation was made.
    let token = invited(&acme, &order("noura")).await;
    let other = somebody("noura", MemberRole::Viewer);
    member::add(&acme, &other, &person(4, "amal")).await.unwrap();
    check(
        &why(accept(&acme, &token, &PEPPER, &context_at(5)).await),
        &expect![[r#"
            `name`: expected a name that no member has, found `noura`, who is viewer
            hint: a member is invited again by whoever holds the store, with `dalil invitation add` and the role and titles that they have
        "#]],
    );
}

#[tokio::test]
async fn an_invitation_ends_is_withdrawn_and_counts_while_its_maker_administers() {
    let (_home, acme) = house("invitation-ends").await;
    let end = |second| NewInvitation { expires_at: Some(at(second)), ..order("noura") };
    let token = invited(&acme, &end(100)).await;
    assert!(look(&acme, &token, at(99)).await.is_ok());
    for refused in [
        why(look(&acme, &token, at(100)).await),
        why(accept(&acme, &token, &PEPPER, &context_at(100)).await),
        why(withdraw(&acme, token.invitation_id(), &person(100, "amal")).await),
    ] {
        check(
            &refused,
            &expect![[r#"
                `invitation`: expected an invitation that is open, found one that ended at 2026-03-14T14:55:00.000Z
            "#]],
        );
    }
    for second in [1, 1 + 30 * 24 * 3600 + 1] {
        let refused = why(make(&acme, &end(second), &person(1, "amal")).await);
        assert!(refused.starts_with("`expires_at`: expected a time after"), "{refused}");
    }
    assert!(make(&acme, &end(1 + 30 * 24 * 3600), &person(1, "amal")).await.is_ok());
    let token = invited(&acme, &order("huda")).await;
    let gone = withdraw(&acme, token.invitation_id(), &keyed_by(2, "amal")).await.unwrap();
    assert_eq!(withdraw(&acme, token.invitation_id(), &keyed_by(2, "amal")).await.unwrap(), gone);
    check(
        &why(accept(&acme, &token, &PEPPER, &context_at(3)).await),
        &expect![[r#"
            `invitation`: expected an invitation that is open, found one that was withdrawn at 2026-03-14T14:53:22.000Z
        "#]],
    );
    let token = invited(&acme, &order("layla")).await;
    let second = somebody("huda", MemberRole::Admin);
    member::add(&acme, &second, &person(4, "amal")).await.unwrap();
    member::remove(&acme, "amal", &person(5, "huda")).await.unwrap();
    check(
        &why(look(&acme, &token, at(6)).await),
        &expect![[r#"
            `invitation`: expected an invitation that is open, found one by `amal`, who is no admin any more
        "#]],
    );
    check(
        &listed(&acme, 200).await,
        &expect![[r#"
            layla approver by person:amal: {"state":"open"}
            huda approver by person:amal: {"state":"withdrawn","withdrawn_at":"2026-03-14T14:53:22.000Z"}
            noura approver by person:amal: {"state":"open"}
            noura approver by person:amal: {"state":"expired"}
        "#]],
    );
}

fn keyed_by(second: i64, name: &str) -> RequestContext {
    RequestContext { key: Some("k".to_owned()), ..person(second, name) }
}

#[tokio::test]
async fn only_admins_invite_and_only_who_has_the_link_comes_in() {
    let (_home, acme) = house("invitation-refused").await;
    let before = size(&acme).await;
    check(
        &why(make(&acme, &order("noura"), &person(1, "sami")).await),
        &expect![[r#"
            `actor`: expected the role admin or above, found `sami`, who is viewer
        "#]],
    );
    check(
        &why(make(&acme, &order("noura"), &context_at(1)).await),
        &expect![[r#"
            `actor`: expected a person who is admin, found `agent-7`
        "#]],
    );
    assert_eq!(size(&acme).await, before + 2, "a refusal is a record");
    let token = invited(&acme, &order("noura")).await;
    let id = token.invitation_id();
    let refused = why(withdraw(&acme, id, &person(2, "sami")).await);
    assert!(refused.contains("expected the role admin or above"), "{refused}");
    // The right name of an invitation with another secret, and one that was never made.
    let name = <[u8; 8]>::try_from(
        (0..8)
            .map(|at| u8::from_str_radix(id.get(4 + 2 * at..6 + 2 * at).unwrap(), 16).unwrap())
            .collect::<Vec<_>>(),
    )
    .unwrap();
    for forged in
        [InvitationToken::new("acme", name, [0; 32]), InvitationToken::new("acme", [0; 8], [0; 32])]
    {
        let expected = "`invitation`: expected an invitation of this tenant, found `inv_";
        assert!(why(look(&acme, &forged, at(2)).await).starts_with(expected));
        assert!(why(accept(&acme, &forged, &PEPPER, &context_at(2)).await).starts_with(expected));
    }
    assert!(look(&acme, &token, at(2)).await.is_ok());
}

#[tokio::test]
async fn an_invitation_is_of_one_tenant_and_a_request_makes_one() {
    let (_home, acme, zenith) = two("invitation-tenants").await;
    let made = make(&acme, &order("noura"), &keyed(1, "k")).await.unwrap();
    let token = InvitationToken::parse(&made.token).unwrap();
    assert!(why(look(&zenith, &token, at(2)).await).contains("an invitation of this tenant"));
    check(
        &why(make(&acme, &order("noura"), &keyed(2, "k")).await),
        &expect![[r#"
            `idempotency_key`: expected a request that has not made an invitation yet, found one whose invitation was made and shown
            hint: if its text was lost, withdraw that invitation and ask under another name
        "#]],
    );
    let shown = said(&list(&acme, at(3)).await.unwrap());
    let secret = made.token.rsplit('.').next().unwrap();
    assert!(!shown.contains(secret) && !shown.contains("digest"), "{shown}");
}
