//! Signed texts: a parsed one is written in its one spelling, and an opened one is the signed one.

use dalil_proof::checkpoint::{self, Checkpoint};
use dalil_proof::key::PublicKey;
use dalil_proof::note::UnverifiedNote;
use dalil_proof::receipt::{self, Receipt};
use dalil_proof::record::Record;
use dalil_proof::report::CheckStatus;
use dalil_proof::tree::{TreeHead, empty};
use dalil_proof::trust::Trust;
use dalil_proof::witness::{self, GrowthProof};

use crate::bound::fuzz;
use crate::signer::{ORIGIN, at, key, now, record, signed, tree, trust, witness_key};

#[test]
fn notes() {
    fuzz(&corpus(), &WORDS, |bytes| {
        if let Ok(note) = UnverifiedNote::parse(bytes) {
            assert_eq!(note.to_string().as_bytes(), bytes, "a note has two spellings");
        }
    });
}

#[test]
fn checkpoints() {
    fuzz(&corpus(), &WORDS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(checkpoint) = Checkpoint::parse(&text) {
            assert_eq!(checkpoint.to_string(), text, "a checkpoint has two spellings");
        }
        if let Ok(opened) = checkpoint::open(ORIGIN, &[key().public().clone()], bytes) {
            assert_eq!(opened, signed(), "another checkpoint opened");
        }
    });
}

#[test]
fn keys() {
    fuzz(&corpus(), &WORDS, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(key) = text.parse::<PublicKey>() {
            assert_eq!(key.to_string(), text, "a key has two spellings");
        }
    });
}

#[test]
fn cosignatures() {
    fuzz(&corpus(), &WORDS, |bytes| {
        let policy = witness::WitnessPolicy::new(vec![witness_key().public().clone()], 1).unwrap();
        let Ok(note) = UnverifiedNote::parse(bytes) else { return };
        let cosigned = policy.cosignatures(&note).is_ok_and(|found| !found.is_empty());
        assert!(
            !cosigned || note.unverified_text() == signed().to_string(),
            "another was cosigned"
        );
    });
}

#[test]
fn records() {
    fuzz(&corpus(), &WORDS, |bytes| {
        if let Ok(record) = Record::parse(bytes) {
            assert_eq!(record.bytes(), bytes, "a record has two spellings");
            assert_eq!(Record::new(record.envelope()).unwrap(), record);
        }
    });
}

#[test]
fn receipts() {
    fuzz(&corpus(), &WORDS, |bytes| {
        let parsed = Receipt::parse(bytes);
        let report = receipt::verify(bytes, &trust(), now());
        if let Ok(receipt) = &parsed {
            assert_eq!(receipt.to_string().as_bytes(), bytes, "a receipt has two spellings");
        }
        let record = parsed.ok().and_then(|receipt| receipt.unverified_record().ok());
        let another = record.is_none_or(|record| record != crate::signer::record(2));
        assert!(!another || report.verdict() == CheckStatus::Fail, "another record passed");
    });
}

#[test]
fn trusts() {
    let corpus = [
        format!(r#"{{"origin":"o","keys":["{}"],"witnesses":[],"quorum":0}}"#, key().public()),
        format!(
            r#"{{"origin":"o","key_history":[{{"at":"2026-01-01T00:00:00Z","change":"revoked","key":"{}"}}],
            "seen":[{{"at":"2026-01-01T00:00:00Z","size":0,"root":"{}"}}]}}"#,
            key().public(),
            empty()
        ),
    ];
    fuzz(&corpus.map(String::into_bytes), &WORDS, |bytes| drop(Trust::parse(bytes)));
}

fn corpus() -> Vec<Vec<u8>> {
    let note = signed().sign(&[&key()]).unwrap();
    let first = GrowthProof { seen: TreeHead { size: 0, root: empty() }, proof: &[] };
    let line = witness::cosign(&witness_key(), &note, &first, at("2026-01-03T14:30:00Z")).unwrap();
    let cosigned = note.clone().with(line).unwrap();
    let path = tree().inclusion(2, 5).unwrap();
    let texts = [
        Receipt::new(&record(2), 2, path.clone(), note.clone()).unwrap().to_string(),
        Receipt::new(&record(2), 2, path, cosigned.clone()).unwrap().to_string(),
        String::from_utf8(record(1).bytes().to_vec()).unwrap(),
        note.to_string(),
        cosigned.to_string(),
        signed().to_string(),
        key().public().to_string(),
        witness_key().public().to_string(),
    ];
    texts.into_iter().map(String::into_bytes).collect()
}

const WORDS: [&str; 16] = [
    "\n\n",
    "\n",
    "— ",
    "— dalil.example/acme mfDqBA==\n",
    "+",
    "=",
    "AAAA",
    "\r\n",
    "dalil.example/acme",
    "18446744073709551616",
    "\u{a0}",
    "007",
    "index 2\n",
    "extra ",
    "c2sp.org/tlog-proof@v1\n",
    "\"unknown\":null,",
];
