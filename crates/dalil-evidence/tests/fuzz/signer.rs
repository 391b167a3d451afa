//! One trail with its keys, for the parsers of signed things.

use std::collections::BTreeMap;

use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::id::RecordId;
use dalil_proof::key::SecretKey;
use dalil_proof::keyring::Keyring;
use dalil_proof::record::{Actor, Lineage, Record, RecordEnvelope, RecordKind};
use dalil_proof::time::Time;
use dalil_proof::tree::MerkleTree;
use dalil_proof::trust::Trust;
use dalil_proof::witness;

pub(crate) const ORIGIN: &str = "dalil.example/acme";

pub(crate) fn signed() -> Checkpoint {
    Checkpoint::new(ORIGIN, tree().head()).unwrap()
}

pub(crate) fn tree() -> MerkleTree {
    (0..5).map(|n| record(n).leaf()).collect()
}

pub(crate) fn record(n: u8) -> Record {
    Record::new(&RecordEnvelope {
        kind: RecordKind::ExportMade,
        id: RecordId::from_random([n; 8]),
        at: at("2026-01-03T14:30:00Z"),
        actor: Actor::System,
        subject: format!("export-{n}"),
        lineage: Lineage::First,
        commitments: BTreeMap::new(),
    })
    .unwrap()
}

pub(crate) fn trust() -> Trust {
    Trust {
        origin: ORIGIN.to_owned(),
        keyring: Keyring::new(vec![key().public().clone()], &[]).unwrap(),
        witnesses: witness::WitnessPolicy::NONE,
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    }
}

pub(crate) fn at(text: &str) -> Time {
    text.parse().unwrap()
}

pub(crate) fn key() -> SecretKey {
    SecretKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

pub(crate) fn witness_key() -> SecretKey {
    SecretKey::cosigner_from_seed("witness.example/one", &[9; 32]).unwrap()
}

/// When everything is verified.
pub(crate) fn now() -> Time {
    at("2026-06-01T00:00:00Z")
}
