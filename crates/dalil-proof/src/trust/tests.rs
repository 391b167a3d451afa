use expect_test::{Expect, expect};

use super::Trust;
use crate::key::SecretKey;

#[track_caller]
fn check(json: &str, expected: &Expect) {
    let actual = match Trust::parse(json.as_bytes()) {
        Ok(trust) => format!(
            "{}: {} keys, {} of {} witnesses, {} seen",
            trust.origin,
            trust.keyring.keys().len(),
            trust.witnesses.quorum(),
            trust.witnesses.witnesses().len(),
            trust.seen.len()
        ),
        Err(refused) => refused.to_string(),
    };
    expected.assert_eq(&actual);
}

const KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

#[test]
fn a_trust_names_a_trail_and_may_pin_nothing() {
    check(r#"{"origin":"o"}"#, &expect!["o: 0 keys, 0 of 0 witnesses, 0 seen"]);
    let full = format!(
        r#"{{"origin":"o","keys":["{KEY}"],
            "key_history":[{{"at":"2026-01-01T00:00:00Z","change":"revoked","key":"{KEY}"}}],
            "witnesses":[],"quorum":0,
            "seen":[{{"at":"2026-01-01T00:00:00Z","size":0,"root":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}]}}"#
    );
    check(&full, &expect!["o: 1 keys, 0 of 0 witnesses, 1 seen"]);
}

#[test]
fn every_fault_of_a_trust_is_named() {
    check(
        r#"{"keys":["x"],"seen":[{"at":1}],"more":1}"#,
        &expect![[r#"
            `origin`: expected a value, found nothing
            `keys[0]`: expected a verifier key `name+hash+base64`, found `x`
            `seen[0].at`: expected an RFC 3339 time such as `2026-01-03T14:30:00Z`, found `1`
            `seen[0].size`: expected a value, found nothing
            `seen[0].root`: expected a value, found nothing
            `more`: expected only origin, keys, key_history, witnesses, quorum, timestamp_authorities, seen, growth, found a field it does not know
            hint: remove the field or correct its name"#]],
    );
    check(
        &format!(r#"{{"origin":"o","keys":["{KEY}","{KEY}"],"quorum":1}}"#),
        &expect![[r#"
        `$`: expected a possible key history, found at line 0 a change that was made before
        `$`: expected a quorum of at most 0 witnesses, found 1"#]],
    );
    check(
        &format!(r#"{{"origin":"o","witnesses":["{KEY}"]}}"#),
        &expect!["`$`: expected cosigner keys, found a plain one"],
    );
}

#[test]
fn witnesses_without_a_number_are_all_needed_and_none_is_the_trail() {
    let key =
        |name, seed| SecretKey::cosigner_from_seed(name, &[seed; 32]).unwrap().public().clone();
    let (one, two) = (key("one", 1), key("two", 2));
    check(
        &format!(r#"{{"origin":"o","witnesses":["{one}","{two}"]}}"#),
        &expect!["o: 0 keys, 2 of 2 witnesses, 0 seen"],
    );
    let trail = SecretKey::from_seed("o", &[2; 32]).unwrap().public().clone();
    check(
        &format!(r#"{{"origin":"o","keys":["{trail}"],"witnesses":["{one}","{two}"],"quorum":1}}"#),
        &expect![
            "`$`: expected witnesses other than the trail, found `two`, which has a key of the trail"
        ],
    );
}
