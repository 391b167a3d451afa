use std::collections::BTreeMap;

use super::super::*;
use crate::checkpoint::Checkpoint;
use crate::digest::Digest;
use crate::erasure;
use crate::id::RecordId;
use crate::key::SecretKey;
use crate::keyring::{KeyChangeKind, KeyHistoryEntry, Keyring};
use crate::record::{Actor, Commitment, Lineage, Record, RecordEnvelope, RecordKind};
use crate::time::Time;
use crate::tree::{Frontier, MerkleTree};
use crate::trust::Trust;
use crate::witness::WitnessPolicy;

/// A small trail of every sort: a key, a present, a lake and an erased payload, an erasure.
pub(super) struct Sample {
    pub(super) records: Vec<(Record, RecordPayload<'static>)>,
    pub(super) keys: Vec<KeyHistoryEntry>,
    last: BTreeMap<String, (u64, Digest)>,
}

pub(super) const ORIGIN: &str = "dalil.example/a";

impl Sample {
    pub(super) fn new() -> Self {
        let mut sample = Self::empty();
        let key = key().public().to_string().into_bytes();
        sample.add(RecordKind::KeyAdded, "key-1", &[("key", present(key))]);
        sample.keys.push(KeyHistoryEntry {
            at: at(),
            change: KeyChangeKind::Added,
            key: self::key().public().clone(),
            redated: None,
        });
        sample.add(
            RecordKind::ObligationRecorded,
            "ob-1",
            &[("evidence", present(b"\xff\x00 text".to_vec()))],
        );
        let object = PayloadField::Lake { salt: [3; 32], object: Digest::of(b"object") };
        sample.add(RecordKind::DocumentAdded, "doc-1", &[("file", object)]);
        let two = [("a", present(b"x".to_vec())), ("b", present(b"y".to_vec()))];
        sample.add(RecordKind::ObligationRecorded, "ob-2", &two);
        let field = br#"{"approver":"p","erased":[3],"legal_basis":"court_order","scope":"all"}"#;
        sample.add(
            RecordKind::PayloadErased,
            "erasure-1",
            &[(erasure::ERASURE_FIELD, present(field.to_vec()))],
        );
        for field in sample.records[3].1.values_mut() {
            *field = PayloadField::Erased { by: 4 };
        }
        sample
    }

    pub(super) fn empty() -> Self {
        Self { records: Vec::new(), keys: Vec::new(), last: BTreeMap::new() }
    }

    pub(super) fn add(
        &mut self,
        kind: RecordKind,
        subject: &str,
        fields: &[(&'static str, PayloadField<'static>)],
    ) {
        let commit = |name: &str, field: &PayloadField<'_>| match field {
            PayloadField::Present { salt, bytes } => Commitment::of(name, salt, bytes),
            PayloadField::Lake { salt, object } => {
                Commitment::of(name, salt, object.to_string().as_bytes())
            }
            PayloadField::Erased { .. } | PayloadField::Withheld => {
                Commitment::of(name, &[9; 32], b"gone")
            }
        };
        let lineage = match self.last.get(subject) {
            None => Lineage::First,
            Some((sequence, previous)) => {
                Lineage::Next { sequence: sequence + 1, previous: *previous }
            }
        };
        let record = Record::new(&RecordEnvelope {
            kind,
            id: RecordId::from_random((self.records.len() as u64).to_be_bytes()),
            at: at(),
            actor: Actor::System,
            subject: subject.to_owned(),
            lineage,
            commitments: fields
                .iter()
                .map(|(name, field)| ((*name).to_owned(), commit(name, field)))
                .collect(),
        })
        .unwrap();
        self.last.insert(subject.to_owned(), (lineage.sequence(), record.leaf()));
        self.records.push((record, fields.iter().cloned().collect()));
    }

    pub(super) fn tree(&self) -> MerkleTree {
        self.records.iter().map(|(record, _)| record.leaf()).collect()
    }

    pub(super) fn header(&self, first: usize) -> TrailHeader {
        let mut frontier = Frontier::default();
        for (record, _) in &self.records[..first] {
            frontier.push(record.leaf());
        }
        let tree = self.tree();
        let note = Checkpoint::new(ORIGIN, tree.head()).unwrap().sign(&[&key()]).unwrap();
        let old = tree.size() / 2;
        let proof = tree.consistency(old, tree.size()).unwrap();
        let previous = PreviousExport { head: tree.head_at(old).unwrap(), proof };
        TrailHeader::new(&note, &frontier, Some(&previous), &self.keys).unwrap()
    }

    pub(super) fn bytes(&self, first: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = TrailWriter::begin(&self.header(first), &mut out);
        for (record, payload) in &self.records[first..] {
            writer.record(record, payload, &mut out).unwrap();
        }
        assert_eq!(writer.end(&mut out).unwrap(), Digest::of(&out));
        out
    }

    pub(super) fn outcome(&self) -> TrailVerification {
        self.verify(&self.bytes(0))
    }

    pub(super) fn verify(&self, bytes: &[u8]) -> TrailVerification {
        verify(bytes, &trust(), "2026-06-01T00:00:00Z".parse().unwrap())
    }
}

pub(super) fn trust() -> Trust {
    Trust {
        origin: ORIGIN.to_owned(),
        keyring: Keyring::new(vec![key().public().clone()], &[]).unwrap(),
        witnesses: WitnessPolicy::NONE,
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    }
}

pub(super) fn present(bytes: Vec<u8>) -> PayloadField<'static> {
    PayloadField::Present { salt: [5; 32], bytes: bytes.into() }
}

fn key() -> SecretKey {
    SecretKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

fn at() -> Time {
    "2026-01-03T14:30:00Z".parse().unwrap()
}
