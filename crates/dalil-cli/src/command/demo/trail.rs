//! The end of the walk: a reviewed pack, sealed, recorded, cosigned and proved.

use std::collections::BTreeMap;
use std::error::Error;

use dalil_evidence::pack::{self, PackDraft, PackReview, SealedPack};
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::id::{PackId, RecordId};
use dalil_proof::key::SecretKey;
use dalil_proof::keyring::Keyring;
use dalil_proof::receipt::Receipt;
use dalil_proof::record::{Actor, Commitment, Lineage, Record, RecordEnvelope, RecordKind};
use dalil_proof::time::Time;
use dalil_proof::tree::MerkleTree;
use dalil_proof::trust::Trust;
use dalil_proof::witness::{self, GrowthProof, WitnessPolicy};

use crate::error::CliError;

/// Everything that a stranger needs to check the pack, and its sources.
pub(super) struct DemoProof {
    pub(super) reviewed: PackDraft,
    pub(super) sealed: SealedPack,
    pub(super) receipt: String,
    pub(super) checkpoint: String,
    pub(super) trust: Trust,
    /// The trust as a file for `dalil verify --trust`.
    pub(super) keys: String,
}

/// Reviews, seals and records a pack, and proves the record.
pub(super) fn seal(draft: &PackDraft) -> Result<DemoProof, CliError> {
    proof(draft).map_err(CliError::Example)
}

fn proof(draft: &PackDraft) -> Result<DemoProof, Box<dyn Error + Send + Sync>> {
    // Fixed seeds, salt and ids: the demo gives the same bytes on every machine.
    let key = SecretKey::from_seed(DEMO_ORIGIN, Digest::of(b"dalil demo: trail key").as_bytes())?;
    let cosigner = Digest::of(b"dalil demo: witness key");
    let cosigner = SecretKey::cosigner_from_seed(DEMO_WITNESS, cosigner.as_bytes())?;
    let salt = Digest::of(b"dalil demo: salt");
    let reviewed = pack::review(
        draft,
        &PackReview {
            pack_id: PackId::from_random([0xd3, 0x30, 0, 0, 0, 0, 0, 2]),
            reviewer_id: "finance_director".to_owned(),
            reviewed_at: "2026-03-15T11:00:00Z".parse()?,
            acknowledged: Vec::new(),
            approvals: Vec::new(),
        },
    )?;
    let at = reviewed.created_at;
    let sealed = pack::seal(&reviewed, &key)?;

    // The trail: the decision, and the pack as its reviewer left it.
    let mut tree = MerkleTree::default();
    let decided =
        (RecordKind::DecisionRecorded, draft.decision_id.as_str(), "decision", draft.decided_at);
    let commitment = Commitment::of("decision", salt.as_bytes(), draft.decision_hash.as_bytes());
    tree.push(record(decided, commitment, 0)?.leaf());
    let kept = (RecordKind::PackSealed, reviewed.pack_id.as_str(), pack::PACK_FIELD, at);
    let kept = record(kept, sealed.commitment(salt.as_bytes()), 1)?;
    let place = tree.push(kept.leaf());

    let head = tree.head();
    let note = Checkpoint::new(DEMO_ORIGIN, head)?.sign(&[&key])?;
    // The witness has seen nothing before, so the proof from the empty tree is empty.
    let seen = MerkleTree::default().head();
    let cosignature = witness::cosign(&cosigner, &note, &GrowthProof { seen, proof: &[] }, at)?;
    let note = note.with(cosignature)?;
    let path = tree.inclusion(place, head.size).unwrap_or_default();
    let receipt = Receipt::new(&kept, place, path, note.clone())?.to_string();

    let keyring = Keyring::new(vec![key.public().clone()], &[])?;
    let witnesses = WitnessPolicy::new(vec![cosigner.public().clone()], 1)?;
    let keys = format!(
        "{{\"origin\":\"{DEMO_ORIGIN}\",\"keys\":[\"{}\"],\"witnesses\":[\"{}\"],\"quorum\":1}}\n",
        key.public(),
        cosigner.public(),
    );
    Ok(DemoProof {
        reviewed,
        sealed: sealed.with_receipt(receipt.clone(), salt.as_bytes()),
        receipt,
        checkpoint: note.to_string(),
        trust: Trust {
            origin: DEMO_ORIGIN.to_owned(),
            keyring,
            witnesses,
            timestamp_authorities: Vec::new(),
            seen: Vec::new(),
            growth: Vec::new(),
        },
        keys,
    })
}

/// A record of an event of `subject`, with one commitment.
fn record(
    (kind, subject, name, at): (RecordKind, &str, &str, Time),
    commitment: Commitment,
    number: u8,
) -> Result<Record, Box<dyn Error + Send + Sync>> {
    Ok(Record::new(&RecordEnvelope {
        kind,
        id: RecordId::from_random([0xd3, 0x30, 0, 0, 0, 0, 0, number]),
        at,
        actor: Actor::Agent("demo".to_owned()),
        subject: subject.to_owned(),
        lineage: Lineage::First,
        commitments: BTreeMap::from([(name.to_owned(), commitment)]),
    })?)
}

/// Keys whose seeds are in the source of this program: good for a demonstration only.
const DEMO_ORIGIN: &str = "demo.dalil.example/barzamar";
const DEMO_WITNESS: &str = "witness.demo.dalil.example";
