use expect_test::expect;
use serde_json::Value;

use super::*;
use crate::receipt::Receipt;
use crate::trust::Trust;

mod forged;
mod rules;

/// The note, the authority and the token of the vector `receipt`.
fn vector() -> (UnverifiedNote, TimestampAuthority, Vec<u8>) {
    let vector: Value =
        serde_json::from_str(include_str!("../../../../spec/vectors/timestamp/receipt.json"))
            .unwrap();
    let trust =
        Trust::parse(include_bytes!("../../../../spec/vectors/timestamp/trust/one.json")).unwrap();
    let receipt = Receipt::parse(vector["input_text"].as_str().unwrap().as_bytes()).unwrap();
    let note = receipt.note().clone();
    let token = note.signatures().last().unwrap().bytes.clone();
    (note, trust.timestamp_authorities[0].clone(), token)
}

#[test]
fn a_sound_token_says_who_and_when() {
    let (note, authority, token) = vector();
    let found = authority.verify(note.unverified_text(), &token);
    expect![[r#"
        Ok(
            Timestamp {
                authority: "tsa.example",
                at: 2026-02-01T12:00:00.000Z,
                latest: 2026-02-01T12:00:00.999Z,
            },
        )
    "#]]
    .assert_debug_eq(&found);
}

/// Some bytes are under no signature, such as the name of the signer beside the one that is signed.
#[test]
fn a_changed_byte_never_says_another_time() {
    let (note, authority, token) = vector();
    let sound = authority.verify(note.unverified_text(), &token);
    for (at, bit) in (0..token.len()).flat_map(|at| [(at, 1), (at, 0x80)]) {
        let mut changed = token.clone();
        changed[at] ^= bit;
        let found = authority.verify(note.unverified_text(), &changed);
        assert!(found.is_err() || found == sound, "byte {at}");
    }
}

#[test]
fn a_token_that_is_cut_is_none() {
    let (note, authority, token) = vector();
    for end in 0..token.len() {
        let found = authority.verify(note.unverified_text(), &token[..end]);
        assert_eq!(found, Err(TokenFault::Form), "{end} bytes");
    }
}

#[test]
fn a_query_has_the_digest_the_nonce_and_asks_for_certificates() {
    let query = TimestampQuery::new("acme\n", [0xFF; 16]);
    expect![[r#"304b0201013031300d060960864801650304020105000420fb5aaab08a41b991fc6d330824bbebc97d2a137d82546a1e85d74df9a26baabd02107fffffffffffffffffffffffffffffff0101ff"#]]
        .assert_eq(&crate::digest::hex(&query.bytes()));
}

#[test]
fn a_reply_without_a_token_for_the_query_is_told_apart() {
    let (_, _, token) = vector();
    let query = TimestampQuery::new("acme\n", [0; 16]);
    let told = |reply: &[u8]| query.answer(reply).unwrap_err().to_string();
    let outer = (u16::try_from(token.len()).unwrap() + 5).to_be_bytes();
    let granted = [&[0x30, 0x82], outer.as_slice(), &[0x30, 3, 2, 1, 0], &token].concat();
    let refused = b"\x30\x0f\x30\x0d\x02\x01\x02\x30\x08\x0c\x06no\x1b[1m";
    let replies: [&[u8]; 6] = [
        b"",
        b"\x30\x00",
        b"\x30\x05\x30\x03\x02\x01\x00",
        b"\x30\x05\x30\x03\x02\x01\x02",
        refused,
        &granted,
    ];
    let told: Vec<String> = replies.into_iter().map(told).collect();
    expect![[r#"
        expected the reply of a time-stamping authority (RFC 3161), found other bytes
        expected the reply of a time-stamping authority (RFC 3161), found other bytes
        expected the reply of a time-stamping authority (RFC 3161), found other bytes
        expected a time stamp, found a refusal with status 2
        expected a time stamp, found a refusal with status 2, `no\u{1b}[1m`
        expected the answer to this query, found a token with another nonce or none"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn an_authority_has_a_name_for_a_line_and_certificates_that_can_be_read() {
    let (_, authority, _) = vector();
    let certificate = authority.certificates[0].0.clone();
    let told = |name: &str, certificates: &[&[u8]]| {
        let certificates = certificates.iter().map(|one| one.to_vec()).collect();
        match TimestampAuthority::new(name, certificates) {
            Ok(authority) => format!("{} with {}", authority.name(), authority.certificates.len()),
            Err(error) => error.to_string(),
        }
    };
    let large = [certificate.as_slice(), &[0; 1 << 14]].concat();
    let told = [
        told("tsa.example", &[&certificate, &certificate]),
        told("two words", &[&certificate]),
        told("tsa.example", &[]),
        told("tsa.example", &[&certificate, b"none"]),
        told("tsa.example", &[&large]),
    ];
    expect![[r#"
        tsa.example with 2
        expected a name of 1 to 200 bytes without spaces, controls or `+`, found another
        expected one or more X.509 certificates with an RSA, P-256 or P-384 key, found none or another
        expected one or more X.509 certificates with an RSA, P-256 or P-384 key, found none or another
        expected one or more X.509 certificates with an RSA, P-256 or P-384 key, found none or another"#]]
    .assert_eq(&told.join("\n"));
}
