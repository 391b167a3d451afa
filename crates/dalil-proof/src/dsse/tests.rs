use expect_test::{Expect, expect};

use super::*;
use crate::canon;

fn key() -> SecretKey {
    SecretKey::from_seed("dalil.example/a", &[1; 32]).unwrap()
}

fn text() -> String {
    let envelope = DsseEnvelope::sign("text/plain", b"hello world".to_vec(), &key());
    String::from_utf8(canon::bytes(&envelope).unwrap()).unwrap()
}

/// Edits a sound envelope and compares the error of its parser.
#[track_caller]
fn check(from: &str, to: &str, expected: &Expect) {
    let text = text();
    assert!(text.contains(from), "nothing to edit: {from}");
    let spoiled = text.replacen(from, to, 1);
    let read =
        decode::request(spoiled.as_bytes(), |reader| DsseEnvelope::read(reader, "text/plain"));
    let actual = match read {
        Ok(envelope) if envelope.is_signed_by(key().public()) => "signed".to_owned(),
        Ok(_) => "not signed".to_owned(),
        Err(refused) => refused.to_string(),
    };
    expected.assert_eq(&actual);
}

/// The example of the DSSE specification.
#[test]
fn the_encoding_frames_type_and_bytes_by_their_lengths() {
    let encoded = encode("http://example.com/HelloWorld", b"hello world");
    assert_eq!(encoded, b"DSSEv1 29 http://example.com/HelloWorld 11 hello world");
}

#[test]
fn an_envelope_reads_back_as_it_was_signed() {
    expect![[r#"{"payload":"aGVsbG8gd29ybGQ=","payloadType":"text/plain","signatures":[{"keyid":"dalil.example/a+1073e517","sig":"EW0jjXyKLIwym2rTGLOMLIwDMSZ8p0I9Lc8C1BnQgNs6WKM0XTunGotM8G5q8OzdLHijgiDaxVOQeuz7/pIlCg=="}]}"#]].assert_eq(&text());
    check("payload", "payload", &expect!["signed"]);
}

#[test]
fn a_signature_is_over_the_type_and_the_bytes() {
    check(
        "aGVsbG8gd29ybGQ=",
        "aGVsbG8gd29ybGR=",
        &expect![
            "`payload`: expected standard base64 with padding and no bits left over, found something else"
        ],
    );
    check("aGVsbG8gd29ybGQ=", "aGVsbG8gd29ybGU=", &expect!["not signed"]);
    check(
        "text/plain",
        "text/html",
        &expect!["`payloadType`: expected one of `text/plain`, found `text/html`"],
    );
    let other = DsseEnvelope {
        payload_type: "text/html",
        ..DsseEnvelope::sign("text/plain", b"x".to_vec(), &key())
    };
    assert!(!other.is_signed_by(key().public()));
}

#[test]
fn there_is_one_spelling_of_base64() {
    check(
        "aGVsbG8gd29ybGQ=",
        "aGVsbG8gd29ybGQ",
        &expect![
            "`payload`: expected standard base64 with padding and no bits left over, found something else"
        ],
    );
    check(
        "aGVsbG8gd29ybGQ=",
        "aGVsbG8gd29y\\nbGQ=",
        &expect![
            "`payload`: expected standard base64 with padding and no bits left over, found something else"
        ],
    );
    check(
        "aGVsbG8gd29ybGQ=",
        "_-==",
        &expect![
            "`payload`: expected standard base64 with padding and no bits left over, found something else"
        ],
    );
}

#[test]
fn an_envelope_has_signatures_each_by_another_key_and_nothing_else() {
    let text = text();
    let (_, tail) = text.split_at(text.find("\"signatures\"").unwrap());
    check(
        tail,
        "\"signatures\":[]}",
        &expect![[r#"
        `signatures`: expected at least one signature, found none
        hint: an envelope without a signature proves nothing"#]],
    );
    let one = tail.strip_prefix("\"signatures\":[").unwrap().strip_suffix("]}").unwrap();
    check(
        tail,
        &format!("\"signatures\":[{one},{one}]}}"),
        &expect!["`signatures`: expected each key once, found one twice"],
    );
    check(
        "\"keyid\"",
        "\"kid\"",
        &expect![[r#"
        `signatures[0].keyid`: expected a value, found nothing
        `signatures[0].kid`: expected only keyid, sig, found a field it does not know
        hint: remove the field or correct its name"#]],
    );
    check(
        "\"payload\"",
        "\"extra\":1,\"payload\"",
        &expect![[r#"
        `extra`: expected only payload, payloadType, signatures, found a field it does not know
        hint: remove the field or correct its name"#]],
    );
    check(
        "\"payload\"",
        "\"payload\":\"\",\"payload\"",
        &expect![[r#"
        `payload`: expected each key once, found it again
        hint: two readers could each believe a different one"#]],
    );
}

#[test]
fn an_envelope_has_at_most_a_hundred_signatures() {
    let more = |count: usize| {
        let others = (0..count).map(|n| format!(r#"{{"keyid":"key-{n}","sig":"AA=="}},"#));
        format!("\"signatures\":[{}", others.collect::<String>())
    };
    check("\"signatures\":[", &more(99), &expect!["signed"]);
    check(
        "\"signatures\":[",
        &more(100),
        &expect!["`signatures`: expected at most 100 items, found 101"],
    );
}

#[test]
fn a_key_is_found_by_its_name_and_hash_and_not_believed_for_it() {
    check("dalil.example/a+", "dalil.example/b+", &expect!["not signed"]);
    let stranger = SecretKey::from_seed("dalil.example/a", &[2; 32]).unwrap();
    let mut forged = DsseEnvelope::sign("text/plain", b"x".to_vec(), &stranger);
    forged.signatures[0].keyid = keyid(key().public());
    assert!(!forged.is_signed_by(key().public()));
}
