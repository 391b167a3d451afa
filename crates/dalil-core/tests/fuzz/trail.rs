//! Signed texts: what parses is written in its one spelling, and what opens is what was signed.

use dalil_core::checkpoint::{self, Checkpoint};
use dalil_core::key::{PublicKey, SecretKey};
use dalil_core::note::UnverifiedNote;
use dalil_core::time::Time;
use dalil_core::tree::{Head, Tree, empty, leaf};
use dalil_core::witness::{self, Growth};

use crate::bound::fuzz;

const ORIGIN: &str = "dalil.example/acme";

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
        let policy = witness::Policy::new(vec![witness_key().public().clone()], 1).unwrap();
        let Ok(note) = UnverifiedNote::parse(bytes) else { return };
        let cosigned = policy.cosignatures(&note).is_ok_and(|found| !found.is_empty());
        assert!(
            !cosigned || note.unverified_text() == signed().to_string(),
            "another was cosigned"
        );
    });
}

fn corpus() -> Vec<Vec<u8>> {
    let note = signed().sign(&[&key()]).unwrap();
    let first = Growth { seen: Head { size: 0, root: empty() }, proof: &[] };
    let at: Time = "2026-01-03T14:30:00Z".parse().unwrap();
    let line = witness::cosign(&witness_key(), &note, &first, at).unwrap();
    let cosigned = note.clone().with(line).unwrap();
    let texts = [
        note.to_string(),
        cosigned.to_string(),
        signed().to_string(),
        key().public().to_string(),
        witness_key().public().to_string(),
    ];
    texts.into_iter().map(String::into_bytes).collect()
}

fn signed() -> Checkpoint {
    let tree: Tree = (0..5_u8).map(|n| leaf(&[n])).collect();
    Checkpoint::new(ORIGIN, tree.head()).unwrap()
}

fn key() -> SecretKey {
    SecretKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

fn witness_key() -> SecretKey {
    SecretKey::cosigner_from_seed("witness.example/one", &[9; 32]).unwrap()
}

const WORDS: [&str; 12] = [
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
];
