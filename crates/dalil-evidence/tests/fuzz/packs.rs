//! Sealed packs: an opened pack is the sealed one, and no verification panics.

use std::collections::BTreeMap;

use dalil_evidence::pack::{self, PACK_FIELD, PackDraft, SealedPack, UnverifiedPack};
use dalil_evidence::verify;
use dalil_proof::canon;
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::id::RecordId;
use dalil_proof::receipt::Receipt;
use dalil_proof::record::{Actor, Lineage, Record, RecordEnvelope, RecordKind};
use dalil_proof::report::CheckStatus;
use dalil_proof::tree::MerkleTree;

use crate::bound::fuzz;
use crate::corpus::examples;
use crate::signer::{ORIGIN, at, key, now, trust};

#[test]
fn sealed_packs() {
    let bytes = canon::bytes(&sealed()).unwrap();
    assert_eq!(verify::file(&bytes, &trust(), now()).verdict(), CheckStatus::Pass);
    let bare = canon::bytes(&sealed().envelope).unwrap();
    let unsealed = canon::bytes(&draft()).unwrap();
    fuzz(&[bytes, bare, unsealed], &WORDS, |bytes| {
        let Ok(pack) = UnverifiedPack::parse(bytes) else { return };
        if let Ok((opened, report)) = pack.open(&trust(), now()) {
            assert_eq!(report.verdict(), CheckStatus::Pass);
            assert_eq!(*opened, draft(), "another pack opened");
        }
    });
}

#[test]
fn files() {
    let receipt = sealed().receipt.unwrap();
    let pdf = b"%PDF-1.7\n".to_vec();
    fuzz(&[canon::bytes(&sealed()).unwrap(), receipt.into_bytes(), pdf], &WORDS, |bytes| {
        let report = verify::file(bytes, &trust(), now());
        assert!(!report.findings.is_empty(), "verified without a finding");
        drop(verify::unverified_origin(bytes));
    });
}

fn draft() -> PackDraft {
    let [request] = examples("examples/decision", "pack.json").try_into().unwrap();
    pack::assemble(&request).unwrap()
}

fn sealed() -> SealedPack {
    let draft = draft();
    let sealed = pack::seal(&draft, &key()).unwrap();
    let salt = [3; 32];
    let record = Record::new(&RecordEnvelope {
        kind: RecordKind::PackSealed,
        id: RecordId::from_random([1; 8]),
        at: at("2026-03-15T09:30:00Z"),
        actor: Actor::System,
        subject: draft.pack_id.to_string(),
        lineage: Lineage::First,
        commitments: BTreeMap::from([(PACK_FIELD.to_owned(), sealed.commitment(&salt))]),
    })
    .unwrap();
    let tree: MerkleTree = [crate::signer::record(0).leaf(), record.leaf()].into_iter().collect();
    let checkpoint = Checkpoint::new(ORIGIN, tree.head()).unwrap().sign(&[&key()]).unwrap();
    let path = tree.inclusion(1, 2).unwrap();
    let receipt = Receipt::new(&record, 1, path, checkpoint).unwrap();
    sealed.with_receipt(receipt.to_string(), &salt)
}

const WORDS: [&str; 14] = [
    "null",
    "{}",
    "[]",
    "\"\"",
    "\"payload\":\"\",",
    "\"envelope\":",
    "\"signatures\":[]",
    "\"keyid\":\"\"",
    "\"salt\":\"00\"",
    "=",
    "AAAA",
    "\\u0041",
    "\\n",
    "c2sp.org/tlog-proof@v1\\n",
];
