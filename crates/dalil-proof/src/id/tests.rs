//! Identifiers: one spelling each, and derived names that follow their digest.

use super::{DecisionId, NotAnId, PackId, Uuid};
use crate::digest::Digest;

#[test]
fn event_ids_are_a_prefix_and_sixteen_digits() {
    let id = PackId::from_random([0, 1, 2, 0xab, 0xcd, 0xef, 7, 8]);
    assert_eq!(id.as_str(), "pack_000102abcdef0708");
    assert_eq!("pack_000102abcdef0708".parse(), Ok(id));
    for wrong in ["pack_", "pack_000102ABCDEF0708", "pack_000102abcdef070", "dec_000102abcdef0708"]
    {
        let error = NotAnId(PackId::EXPECTED);
        assert_eq!(wrong.parse::<PackId>(), Err(error), "{wrong}");
    }
}

#[test]
fn given_ids_are_kept_within_limits() {
    for fine in ["dec_abc123", "Services Agreement.pdf", "قرار-٧", &"x".repeat(200)] {
        assert_eq!(fine.parse::<DecisionId>().unwrap().as_str(), fine);
    }
    for wrong in ["", " a", "a\u{a0}", "a\u{0}", &"x".repeat(201)] {
        assert_eq!(wrong.parse::<DecisionId>(), Err(NotAnId(DecisionId::EXPECTED)), "{wrong}");
    }
}

#[test]
fn uuids_carry_version_eight_and_the_variant() {
    // e3b0c442 98fc 1c14 9afb f4c8996fb924, with version and variant marked.
    let uuid = Uuid::from_digest(&Digest::of(b""));
    assert_eq!(uuid.to_string(), "e3b0c442-98fc-8c14-9afb-f4c8996fb924");
}
