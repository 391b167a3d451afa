use expect_test::{Expect, expect};

use super::redating::{KeyRedating, NotRedatable, RedatedChange, check_needed};
use super::{KeyChangeKind, KeyHistoryEntry, Keyring, SigningTime};
use crate::key::{PublicKey, SecretKey};
use crate::report::CheckStatus;
use crate::time::Time;

fn key(n: u8) -> PublicKey {
    SecretKey::from_seed(&format!("dalil.example/k{n}"), &[n; 32]).unwrap().public().clone()
}

fn day(day: u8) -> Time {
    format!("2026-01-{day:02}T00:00:00Z").parse().unwrap()
}

fn entry(on: u8, change: KeyChangeKind, n: u8) -> KeyHistoryEntry {
    KeyHistoryEntry { at: day(on), change, key: key(n), redated: None }
}

#[track_caller]
fn stands(history: &[KeyHistoryEntry], claimed: u8, seen: Option<u8>, expected: &Expect) {
    let ring = Keyring::new(vec![key(1)], history).unwrap();
    let signed = SigningTime { claimed: Some(day(claimed)), seen: seen.map(day) };
    let (verdict, message) = ring.standing(&key(1), signed);
    expected.assert_eq(&format!("{verdict} {}", message.english()));
}

#[test]
fn a_key_in_use_passes_and_a_strangers_does_not() {
    stands(&[], 5, None, &expect!["PASS `dalil.example/k1` is in use"]);
    stands(
        &[entry(3, KeyChangeKind::Revoked, 1)],
        2,
        Some(2),
        &expect![
            "PASS `dalil.example/k1` was revoked at 2026-01-03T00:00:00.000Z, but this was seen at 2026-01-02T00:00:00.000Z, before"
        ],
    );
    let ring = Keyring::new(vec![key(1)], &[]).unwrap();
    let (verdict, message) =
        ring.standing(&key(2), SigningTime { claimed: Some(day(1)), seen: None });
    expect!["FAIL expected a key of this trail, found `dalil.example/k2`"]
        .assert_eq(&format!("{verdict} {}", message.english()));
}

/// A seal states when it was made, so a key that came later did not make it then.
#[test]
fn a_key_seals_nothing_before_it_was_added() {
    let added = [entry(3, KeyChangeKind::Added, 2), entry(5, KeyChangeKind::Added, 3)];
    let ring = Keyring::new(Vec::new(), &added).unwrap();
    let sealed = |keys: &[PublicKey], claimed| {
        let signed = SigningTime { claimed: Some(day(claimed)), seen: None };
        let (verdict, message) = ring.best_seal_standing(keys, signed).unwrap();
        format!("{verdict} {}\n", message.english())
    };
    let told = [
        sealed(&[key(2)], 3),
        sealed(&[key(2)], 2),
        sealed(&[key(3), key(2)], 4),
        sealed(&[key(3), key(2)], 2),
    ];
    expect![[r#"
        PASS `dalil.example/k2` is in use
        FAIL `dalil.example/k2` was added at 2026-01-03T00:00:00.000Z, but signed what is dated 2026-01-02T00:00:00.000Z
        PASS `dalil.example/k2` is in use
        FAIL `dalil.example/k3` was added at 2026-01-05T00:00:00.000Z, but signed what is dated 2026-01-02T00:00:00.000Z
    "#]].assert_eq(&told.concat());
    assert_eq!(ring.begins(), Some(day(3)));
    assert_eq!(Keyring::new(vec![key(1)], &added).unwrap().begins(), None);
}

#[test]
fn a_retired_key_is_good_for_what_it_signed_before() {
    let retired = [entry(4, KeyChangeKind::Retired, 1)];
    stands(
        &retired,
        3,
        None,
        &expect!["PASS `dalil.example/k1` was retired at 2026-01-04T00:00:00.000Z, after this"],
    );
    stands(
        &retired,
        4,
        Some(6),
        &expect!["PASS `dalil.example/k1` was retired at 2026-01-04T00:00:00.000Z, after this"],
    );
    stands(
        &retired,
        5,
        None,
        &expect![
            "FAIL `dalil.example/k1` was retired at 2026-01-04T00:00:00.000Z, but signed a record of 2026-01-05T00:00:00.000Z"
        ],
    );
}

#[test]
fn a_retired_key_on_a_bare_checkpoint_needs_a_trusted_time() {
    let ring = Keyring::new(vec![key(1)], &[entry(4, KeyChangeKind::Retired, 1)]).unwrap();
    let verdict = |seen: Option<u8>| {
        ring.standing(&key(1), SigningTime { claimed: None, seen: seen.map(day) }).0
    };
    assert_eq!(verdict(Some(4)), CheckStatus::Pass);
    assert_eq!(verdict(Some(5)), CheckStatus::Incomplete);
    assert_eq!(verdict(None), CheckStatus::Incomplete);
}

#[test]
fn a_revoked_key_needs_a_trusted_time_before_the_revocation() {
    let revoked = [entry(4, KeyChangeKind::Revoked, 1)];
    // The record's own date proves nothing: any holder of the key can write it.
    stands(
        &revoked,
        1,
        None,
        &expect![
            "INCOMPLETE `dalil.example/k1` was revoked at 2026-01-04T00:00:00.000Z, and no trusted time shows that this is older"
        ],
    );
    stands(
        &revoked,
        1,
        Some(4),
        &expect![
            "INCOMPLETE `dalil.example/k1` was revoked at 2026-01-04T00:00:00.000Z, and this was seen only at 2026-01-04T00:00:00.000Z"
        ],
    );
    stands(
        &revoked,
        1,
        Some(3),
        &expect![
            "PASS `dalil.example/k1` was revoked at 2026-01-04T00:00:00.000Z, but this was seen at 2026-01-03T00:00:00.000Z, before"
        ],
    );
    let both = [entry(2, KeyChangeKind::Retired, 1), entry(4, KeyChangeKind::Revoked, 1)];
    stands(
        &both,
        1,
        None,
        &expect![
            "INCOMPLETE `dalil.example/k1` was revoked at 2026-01-04T00:00:00.000Z, and no trusted time shows that this is older"
        ],
    );
}

#[track_caller]
fn impossible(history: &[KeyHistoryEntry], expected: &Expect) {
    expected.assert_eq(&Keyring::new(vec![key(1)], history).unwrap_err().to_string());
}

#[test]
fn a_history_that_cannot_have_happened_is_refused() {
    impossible(
        &[entry(1, KeyChangeKind::Retired, 2)],
        &expect!["expected a possible key history, found at line 1 a key that was never added"],
    );
    impossible(
        &[entry(1, KeyChangeKind::Added, 1)],
        &expect!["expected a possible key history, found at line 1 a change that was made before"],
    );
    impossible(
        &[entry(1, KeyChangeKind::Retired, 1), entry(2, KeyChangeKind::Retired, 1)],
        &expect!["expected a possible key history, found at line 2 a change that was made before"],
    );
    impossible(
        &[entry(1, KeyChangeKind::Revoked, 1), entry(2, KeyChangeKind::Added, 1)],
        &expect![
            "expected a possible key history, found at line 2 a change to a key that was revoked before"
        ],
    );
    impossible(
        &[entry(2, KeyChangeKind::Added, 2), entry(1, KeyChangeKind::Retired, 1)],
        &expect![
            "expected a possible key history, found at line 2 a time before the line above it"
        ],
    );
    let cosigner = SecretKey::cosigner_from_seed("w", &[1; 32]).unwrap().public().clone();
    let added =
        KeyHistoryEntry { at: day(1), change: KeyChangeKind::Added, key: cosigner, redated: None };
    impossible(
        &[added],
        &expect![
            "expected a possible key history, found at line 1 a key that signs cosignatures only"
        ],
    );
}

fn redated(on: u8, taken: u8, change: KeyChangeKind, n: u8) -> KeyHistoryEntry {
    KeyHistoryEntry { redated: Some(day(taken)), ..entry(on, change, n) }
}

#[test]
fn a_change_is_taken_as_of_its_corrected_date() {
    stands(
        &[entry(5, KeyChangeKind::Added, 2), redated(3, 6, KeyChangeKind::Revoked, 1)],
        5,
        Some(5),
        &expect![
            "PASS `dalil.example/k1` was revoked at 2026-01-06T00:00:00.000Z, but this was seen at 2026-01-05T00:00:00.000Z, before"
        ],
    );
    let history = [redated(31, 2, KeyChangeKind::Added, 2), entry(4, KeyChangeKind::Added, 3)];
    let ring = Keyring::new(Vec::new(), &history).unwrap();
    assert_eq!((ring.begins(), ring.added(&key(2))), (Some(day(2)), Some(day(2))));
    // A change whose date was possible is never made later.
    impossible(
        &[entry(3, KeyChangeKind::Added, 2), redated(4, 6, KeyChangeKind::Revoked, 1)],
        &expect![
            "expected a possible key history, found at line 2 a later time in place of one that was possible"
        ],
    );
    impossible(
        &[entry(5, KeyChangeKind::Added, 2), redated(3, 4, KeyChangeKind::Revoked, 1)],
        &expect![
            "expected a possible key history, found at line 2 a time before the line above it"
        ],
    );
}

#[test]
fn only_a_date_that_cannot_be_is_corrected() {
    let history = [
        redated(2, 1, KeyChangeKind::Added, 2),
        redated(31, 3, KeyChangeKind::Added, 3),
        redated(2, 4, KeyChangeKind::Retired, 2),
        redated(30, 20, KeyChangeKind::Added, 4),
    ];
    let told: Vec<_> = (0..5).map(|n| check_needed(&history, n, day(15))).collect();
    assert_eq!(
        told,
        [
            Err(NotRedatable::Possible),
            Ok(()),
            Ok(()),
            Err(NotRedatable::Future),
            Err(NotRedatable::Unknown),
        ]
    );
}

#[test]
fn a_correction_has_one_spelling() {
    let change = |at, n| RedatedChange { at: day(at), change: KeyChangeKind::Added, key: key(n) };
    let redating =
        KeyRedating { changes: vec![change(1, 2), change(2, 3)], reason: "A clock.".to_owned() };
    let bytes = redating.bytes().unwrap();
    assert_eq!(KeyRedating::parse(&bytes).unwrap(), redating);
    KeyRedating::parse(&[&bytes[..], b"\n"].concat()).unwrap_err();
    KeyRedating { changes: Vec::new(), ..redating.clone() }.bytes().unwrap_err();
    KeyRedating { reason: " ".to_owned(), ..redating }.bytes().unwrap_err();
}

#[test]
fn every_key_that_was_ever_held_is_listed() {
    let history = [entry(1, KeyChangeKind::Added, 2), entry(2, KeyChangeKind::Revoked, 1)];
    let ring = Keyring::new(vec![key(1)], &history).unwrap();
    assert_eq!(ring.keys(), [key(1), key(2)]);
}

/// Revoked under one name, it would still be in use under the other.
#[test]
fn one_key_under_two_names_is_refused() {
    let alias = SecretKey::from_seed("dalil.example/alias", &[1; 32]).unwrap().public().clone();
    let error = Keyring::new(vec![key(1), alias], &[]).unwrap_err();
    expect!["expected a possible key history, found at line 0 a change that was made before"]
        .assert_eq(&error.to_string());
}
