use proptest::prelude::*;

use super::*;

const KEY: LinkSigningKey = LinkSigningKey::new([7; 32]);

fn at(text: &str) -> Time {
    text.parse().unwrap()
}

fn link() -> String {
    KEY.sign("acme", "exp_0001", at("2026-03-15T10:00:00Z")).unwrap()
}

#[test]
fn a_link_is_pinned() {
    assert_eq!(link(), PINNED);
}

/// Computed with Python's `hmac`.
const PINNED: &str =
    "exp_0001.1773568800.1c943c0256927211cc75e5278351dba0f647474c6e121289457d07f3dd0ffa29";

#[test]
fn a_link_leads_to_its_export_until_its_second_is_over() {
    let check = |time: &str| KEY.check("acme", PINNED, at(time));
    assert_eq!(check("2026-03-15T09:00:00Z"), Ok("exp_0001"));
    assert_eq!(check("2026-03-15T10:00:00.999Z"), Ok("exp_0001"));
    assert_eq!(check("2026-03-15T10:00:01Z"), Err(NotALink::Expired));
}

#[test]
fn a_link_of_another_tenant_key_export_or_time_is_refused() {
    let now = at("2026-03-15T09:00:00Z");
    assert_eq!(KEY.check("zenith", PINNED, now), Err(NotALink::Signature));
    assert_eq!(LinkSigningKey::new([8; 32]).check("acme", PINNED, now), Err(NotALink::Signature));
    let other = PINNED.replace("exp_0001", "exp_0002");
    assert_eq!(KEY.check("acme", &other, now), Err(NotALink::Signature));
    let later = PINNED.replace("1773568800", "1973568800");
    assert_eq!(KEY.check("acme", &later, now), Err(NotALink::Signature));
}

#[test]
fn text_that_is_no_link_is_refused() {
    let now = at("2026-03-15T09:00:00Z");
    let mac = PINNED.rsplit('.').next().unwrap();
    for text in [
        "",
        "exp_0001",
        "exp_0001.1773568800",
        "exp_0001.1773568800.00",
        &format!(".1773568800.{mac}"),
        &format!("exp_0001.+1773568800.{mac}"),
        &format!("exp_0001.01773568800.{mac}"),
        &format!("exp_0001.soon.{mac}"),
        &format!("exp\n0001.1773568800.{mac}"),
    ] {
        assert_eq!(KEY.check("acme", text, now), Err(NotALink::Format), "{text}");
    }
    let now = at("1969-03-15T09:00:00Z");
    assert_eq!(KEY.sign("acme", "exp_0001", now), Err(NotALink::Format));
    assert_eq!(KEY.sign("ac\nme", "exp_0001", at("2026-03-15T09:00:00Z")), Err(NotALink::Format));
}

proptest! {
    #[test]
    fn no_changed_byte_of_a_link_leads_anywhere(at_byte in 0_usize..84, byte in 0x20_u8..0x7f) {
        let mut bytes = link().into_bytes();
        prop_assume!(bytes[at_byte] != byte);
        bytes[at_byte] = byte;
        let changed = String::from_utf8(bytes).unwrap();
        prop_assert!(KEY.check("acme", &changed, at("2026-03-15T09:00:00Z")).is_err());
    }
}

#[test]
fn a_key_does_not_show_itself() {
    assert_eq!(format!("{KEY:?}"), "Key");
}
