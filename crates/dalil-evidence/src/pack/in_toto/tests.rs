use std::fmt::Write as _;

use dalil_proof::keyring::{KeyChangeKind, KeyHistoryEntry, Keyring};
use dalil_proof::witness::WitnessPolicy;
use expect_test::{Expect, expect};
use serde_json::Value;

use super::*;

const SEALED: &str = include_str!("../../../../../spec/vectors/pack/sealed.json");
const STATEMENT: &str = include_str!("../../../../../spec/vectors/in-toto/statement.json");

fn vector(text: &str) -> Value {
    let vector: Value = serde_json::from_str(text).unwrap();
    vector["input"].clone()
}

/// The sealed pack of the vector.
fn sealed() -> SealedPack {
    let input = vector(SEALED);
    let text = input["envelope"].to_string();
    let json = Json::parse(text.as_bytes()).unwrap();
    let kind = crate::pack::PACK_PAYLOAD_TYPE;
    let envelope = decode::value(&json, |reader| DsseEnvelope::read(reader, kind)).unwrap();
    let owned = |name: &str| Some(input[name].as_str().unwrap().to_owned());
    SealedPack { envelope, receipt: owned("receipt"), salt: owned("salt") }
}

fn key() -> SecretKey {
    SecretKey::from_seed("dalil.example/tenant-1", &[7; 32]).unwrap()
}

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

fn statement() -> DsseEnvelope {
    PackAttestation::of(&sealed(), time("2026-01-04T08:00:00Z")).unwrap().sign(&key())
}

/// Verifies the statement with the history of a second key that signed it, and compares the
/// report's checks of the statement.
#[track_caller]
fn check(changes: &[(&str, KeyChangeKind)], expected: &Expect) {
    let second = SecretKey::from_seed("dalil.example/tenant-1-b", &[8; 32]).unwrap();
    let entry = |(at, change): &(&str, KeyChangeKind)| KeyHistoryEntry {
        at: time(at),
        change: *change,
        key: second.public().clone(),
        redated: None,
    };
    let history: Vec<_> = changes.iter().map(entry).collect();
    let trust = Trust {
        origin: "dalil.example/tenant-1".to_owned(),
        keyring: Keyring::new(vec![key().public().clone()], &history).unwrap(),
        witnesses: WitnessPolicy::new(Vec::new(), 0).unwrap(),
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    };
    let signed =
        PackAttestation::of(&sealed(), time("2026-01-04T08:00:00Z")).unwrap().sign(&second);
    let bytes = canon::bytes(&signed).unwrap();
    let report = crate::verify::file(&bytes, &trust, time("2026-02-01T00:00:00Z"));
    let mut text = format!("{}\n", report.verdict());
    for one in report.findings.iter().filter(|one| one.part.starts_with("statement")) {
        writeln!(text, "{} {}: {}", one.verdict, one.part, one.message.english()).unwrap();
    }
    expected.assert_eq(&text);
}

#[test]
fn a_statement_has_the_bytes_that_a_second_implementation_made() {
    assert_eq!(serde_json::to_value(statement()).unwrap(), vector(STATEMENT));
}

#[test]
fn the_key_of_a_statement_must_have_been_in_use_when_it_was_made() {
    let (added, retired, revoked) =
        (KeyChangeKind::Added, KeyChangeKind::Retired, KeyChangeKind::Revoked);
    check(
        &[("2026-01-04T08:00:00Z", added)],
        &expect![[r#"
        PASS
        PASS statement: an in-toto statement about this pack, made at 2026-01-04T08:00:00.000Z
        PASS statement signature: signed by `dalil.example/tenant-1-b+fc344b29`
        PASS statement key: `dalil.example/tenant-1-b` is in use
    "#]],
    );
    check(
        &[("2026-01-04T08:00:01Z", added)],
        &expect![[r#"
        FAIL
        PASS statement: an in-toto statement about this pack, made at 2026-01-04T08:00:00.000Z
        PASS statement signature: signed by `dalil.example/tenant-1-b+fc344b29`
        FAIL statement key: `dalil.example/tenant-1-b` was added at 2026-01-04T08:00:01.000Z, but signed what is dated 2026-01-04T08:00:00.000Z
    "#]],
    );
    let early = ("2026-01-01T00:00:00Z", added);
    check(
        &[early, ("2026-01-05T00:00:00Z", retired)],
        &expect![[r#"
        PASS
        PASS statement: an in-toto statement about this pack, made at 2026-01-04T08:00:00.000Z
        PASS statement signature: signed by `dalil.example/tenant-1-b+fc344b29`
        PASS statement key: `dalil.example/tenant-1-b` was retired at 2026-01-05T00:00:00.000Z, after this
    "#]],
    );
    check(
        &[early, ("2026-01-04T07:00:00Z", retired)],
        &expect![[r#"
        FAIL
        PASS statement: an in-toto statement about this pack, made at 2026-01-04T08:00:00.000Z
        PASS statement signature: signed by `dalil.example/tenant-1-b+fc344b29`
        FAIL statement key: `dalil.example/tenant-1-b` was retired at 2026-01-04T07:00:00.000Z, but signed a record of 2026-01-04T08:00:00.000Z
    "#]],
    );
    check(
        &[early, ("2026-01-20T00:00:00Z", revoked)],
        &expect![[r#"
        INCOMPLETE
        PASS statement: an in-toto statement about this pack, made at 2026-01-04T08:00:00.000Z
        PASS statement signature: signed by `dalil.example/tenant-1-b+fc344b29`
        INCOMPLETE statement key: `dalil.example/tenant-1-b` was revoked at 2026-01-20T00:00:00.000Z, and no trusted time shows that this is older
    "#]],
    );
    // A key that is not in the trust is unknown.
    check(
        &[],
        &expect![[r#"
        FAIL
        PASS statement: an in-toto statement about this pack, made at 2026-01-04T08:00:00.000Z
        FAIL statement signature: expected a signature by a trusted key over these bytes, found none
    "#]],
    );
}
