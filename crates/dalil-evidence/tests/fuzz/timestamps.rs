//! Time-stamp tokens, certificates and replies: bytes of strangers in DER.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use dalil_proof::receipt::Receipt;
use dalil_proof::timestamp::{TimestampAuthority, TimestampQuery};
use dalil_proof::trust::Trust;
use serde_json::Value;

use crate::bound::fuzz;

#[test]
fn tokens() {
    let corpus = [vector("receipt").token, vector("between").token];
    fuzz(&corpus, &WORDS, |bytes| {
        let StampedVector { text, authority, token } = &*SOUND;
        if let Ok(found) = authority.verify(text, bytes) {
            let sound = authority.verify(text, token).unwrap();
            assert_eq!(found, sound, "a changed token says another time");
        }
    });
}

#[test]
fn certificates() {
    fuzz(&certificates_of(&SOUND.authority), &WORDS, |bytes| {
        let StampedVector { text, authority: sound, token } = &*SOUND;
        if let Ok(authority) = TimestampAuthority::new(sound.name(), vec![bytes.to_vec()]) {
            // The certificate is trusted here, so that the token may pass.
            drop(authority.verify(text, token));
        }
    });
}

#[test]
fn replies() {
    let reply = [b"\x30\x82\x03\x26\x30\x03\x02\x01\x00".as_slice(), &SOUND.token].concat();
    let refusal = b"\x30\x0f\x30\x0d\x02\x01\x02\x30\x08\x0c\x06denied".to_vec();
    fuzz(&[reply, refusal], &WORDS, |bytes| {
        let query = TimestampQuery::new("acme\n", [7; 16]);
        assert!(query.answer(bytes).is_err(), "another nonce was taken");
    });
}

/// A text, who stamped it, and the token.
struct StampedVector {
    text: String,
    authority: TimestampAuthority,
    token: Vec<u8>,
}

static SOUND: LazyLock<StampedVector> = LazyLock::new(|| vector("receipt"));

fn vector(name: &str) -> StampedVector {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read(root.join(path)).unwrap();
    let vector = read(&format!("spec/vectors/timestamp/{name}.json"));
    let vector: Value = serde_json::from_slice(&vector).unwrap();
    let trust = Trust::parse(&read(vector["args"][3].as_str().unwrap())).unwrap();
    let receipt = Receipt::parse(vector["input_text"].as_str().unwrap().as_bytes()).unwrap();
    let note = receipt.note();
    StampedVector {
        text: note.unverified_text().to_owned(),
        authority: trust.timestamp_authorities[0].clone(),
        token: note.signatures().last().unwrap().bytes.clone(),
    }
}

fn certificates_of(authority: &TimestampAuthority) -> Vec<Vec<u8>> {
    use base64::Engine as _;
    let value = serde_json::to_value(authority).unwrap();
    let decode = |one: &Value| {
        base64::engine::general_purpose::STANDARD.decode(one.as_str().unwrap()).unwrap()
    };
    value["certificates"].as_array().unwrap().iter().map(decode).collect()
}

/// Elements and beginnings of them: empty ones, numbers, names of purposes, times.
const WORDS: [&str; 11] = [
    "\x30\x00",
    "\x31\x00",
    "\x1f\x7f",
    "\x02\x01\x00",
    "\x02\x01\x01",
    "\x05\x00",
    "\x06\x08\x2b\x06\x01\x05\x05\x07\x03\x08",
    "\x06\x03\x55\x1d\x25",
    "\x18\x0f20260201120000Z",
    "\x03\x01\x00",
    "\x04\x20",
];
