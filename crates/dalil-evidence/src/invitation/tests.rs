use std::collections::BTreeSet;

use expect_test::expect;

use super::*;
use crate::access::MemberRole;

fn token() -> InvitationToken {
    InvitationToken::new("acme", [1; 8], [7; 32])
}

/// The digest was computed with Python's `hashlib`.
#[test]
fn an_invitation_and_its_digest_are_pinned() {
    assert_eq!(
        token().reveal(),
        "acme.inv_0101010101010101.BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"
    );
    assert_eq!(
        token().digest().hex(),
        "31996044b388118931f8c9e9ac554f95aa3a1ec961c23202c42749c97073ed71"
    );
    assert_eq!(format!("{:?}", token()), "InvitationToken(inv_0101010101010101)");
}

#[test]
fn an_invitation_is_read_back_and_other_text_is_none() {
    let read = InvitationToken::parse(token().reveal()).unwrap();
    assert_eq!((read.tenant(), read.invitation_id()), ("acme", "inv_0101010101010101"));
    assert_eq!(read.digest(), token().digest());
    assert_ne!(read.digest(), InvitationToken::new("acme", [1; 8], [8; 32]).digest());
    let secret = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";
    for text in [
        String::new(),
        "acme.inv_0101010101010101".to_owned(),
        format!(".inv_0101010101010101.{secret}"),
        format!("ACME.inv_0101010101010101.{secret}"),
        format!("acme.inv_010101010101010.{secret}"),
        format!("acme.0101010101010101.{secret}"),
        format!("acme.inv_010101010101010X.{secret}"),
        format!("acme.inv_0101010101010101.{secret}A"),
        format!("acme.inv_0101010101010101.x{secret}"),
        format!("{}.inv_0101010101010101.{secret}", "a".repeat(64)),
    ] {
        assert_eq!(InvitationToken::parse(&text), None, "{text}");
    }
}

#[test]
fn what_a_record_commits_to_is_read_back() {
    let offer = InvitationOffer {
        digest: token().digest(),
        expires_at: "2026-03-22T09:30:00Z".parse().unwrap(),
        member: Member {
            name: "noura".to_owned(),
            role: MemberRole::Approver,
            titles: BTreeSet::new(),
        },
    };
    let bytes = offer.bytes().unwrap();
    assert_eq!(InvitationOffer::parse(&bytes).unwrap(), offer);
    expect![[r#"
        `digest`: expected `sha256:` and 64 lower-case hex digits, found `x`
        `expires_at`: expected a value, found nothing
        `member.role`: expected one of `viewer`, `approver`, `admin`, found `king`
        `member.titles`: expected a value, found nothing
        `more`: expected only digest, expires_at, member, found a field it does not know
        hint: remove the field or correct its name"#]]
    .assert_eq(
        &InvitationOffer::parse(
            br#"{"digest":"x","member":{"name":"noura","role":"king"},"more":1}"#,
        )
        .unwrap_err()
        .to_string(),
    );
}
