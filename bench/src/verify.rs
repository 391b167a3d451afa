//! Verification of an archive, beside the hashes and signatures that it cannot do without.

use std::borrow::Cow;
use std::error::Error;

use dalil_evidence::archive::{self, ArchiveContents, ArchivedRecord};
use dalil_evidence::pack;
use dalil_proof::canon;
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::id::RecordId;
use dalil_proof::key::SecretKey;
use dalil_proof::keyring::{KeyChangeKind, KeyHistoryEntry, Keyring};
use dalil_proof::receipt::Receipt;
use dalil_proof::record::{Actor, Commitment, Lineage, Record, RecordEnvelope, RecordKind};
use dalil_proof::time::Time;
use dalil_proof::trail::{PayloadField, RecordPayload};
use dalil_proof::tree::{MerkleTree, leaf, node};
use dalil_proof::trust::Trust;
use dalil_proof::witness::WitnessPolicy;
use dalil_render::zip;

use crate::measure::{BenchFigures, median};

/// Makes an archive with the number of records in the input, and measures.
pub(crate) fn measure(input: &[u8]) -> Result<(BenchFigures, Vec<u8>), Box<dyn Error>> {
    let count: u64 = std::str::from_utf8(input)?.trim().parse()?;
    let trail = BenchTrail::new(count)?;
    let bytes = zip::write(&trail.files()?)?;
    let (key, now) = (trail.key.public().clone(), time("2026-02-01T00:00:00Z")?);
    let trust = Trust {
        origin: key.name().to_owned(),
        keyring: Keyring::new(vec![key], &[])?,
        witnesses: WitnessPolicy::NONE,
        timestamp_authorities: Vec::new(),
        seen: Vec::new(),
        growth: Vec::new(),
    };
    let (verified, verdict) = median(5, || {
        let files = zip::read(&bytes).ok()?;
        Some(archive::verify(&files, &trust, now).report.verdict())
    });
    let (files, paths) = (zip::read(&bytes)?, trail.paths());
    let (hashed, _) = median(5, || trail.hashes_and_signatures(&files, &paths));
    let figures = vec![
        ("verify", verified),
        ("hash", hashed),
        ("ratio", verified / hashed),
        ("bytes", bytes.len() as f64),
    ];
    Ok((figures, canon::bytes(&verdict)?))
}

/// A trail about one pack: its key, many runs, its seal.
struct BenchTrail {
    key: SecretKey,
    records: Vec<(Record, RecordPayload<'static>)>,
    tree: MerkleTree,
    sealed: pack::SealedPack,
}

impl BenchTrail {
    fn new(count: u64) -> Result<Self, Box<dyn Error>> {
        let key = SecretKey::from_seed("dalil.example/tenant-1", &[7; 32])?;
        let draft = pack::assemble(PACK_REQUEST.as_bytes())?;
        let sealed = pack::seal(&draft, &key)?;
        let mut trail = Self { key, records: Vec::new(), tree: MerkleTree::default(), sealed };
        let public = trail.key.public().to_string().into_bytes();
        trail.add(RecordKind::KeyAdded, "key-1", "key", public)?;
        // Of a kind that is not about the pack, so that none is missing in it.
        let run = vec![b'x'; 400];
        for n in 0..count.saturating_sub(2) {
            trail.add(RecordKind::RunRecorded, &format!("run-{n}"), "run", run.clone())?;
        }
        let payload = trail.sealed.envelope.payload.clone();
        trail.add(RecordKind::PackSealed, draft.pack_id.as_str(), "pack", payload)?;
        Ok(trail)
    }

    fn add(
        &mut self,
        kind: RecordKind,
        subject: &str,
        name: &'static str,
        bytes: Vec<u8>,
    ) -> Result<(), Box<dyn Error>> {
        let commitments = [(name.to_owned(), Commitment::of(name, &SALT, &bytes))].into();
        let record = Record::new(&RecordEnvelope {
            kind,
            id: RecordId::from_random(self.tree.size().to_be_bytes()),
            at: time("2026-01-03T12:31:00Z")?,
            actor: Actor::System,
            subject: subject.to_owned(),
            lineage: Lineage::First,
            commitments,
        })?;
        self.tree.push(record.leaf());
        let field = PayloadField::Present { salt: SALT, bytes: Cow::Owned(bytes) };
        self.records.push((record, [(name, field)].into()));
        Ok(())
    }

    fn files(&self) -> Result<archive::ArchiveFiles<'static>, Box<dyn Error>> {
        let size = self.tree.size();
        let checkpoint = Checkpoint::new(self.key.public().name(), self.tree.head())?;
        let note = checkpoint.sign(&[&self.key])?;
        let mut receipts = Vec::new();
        for (index, (record, _)) in (0..).zip(&self.records) {
            let path = self.tree.inclusion(index, size).ok_or("expected a path, found none")?;
            receipts.push(Receipt::new(record, index, path, note.clone())?);
        }
        let last = receipts.last().ok_or("expected records, found none")?.to_string();
        let mut records = Vec::new();
        for (index, ((record, payload), receipt)) in (0..).zip(self.records.iter().zip(&receipts)) {
            records.push(ArchivedRecord { record, index, payload: payload.clone(), receipt });
        }
        let (at, key) = (time("2026-01-03T12:31:00Z")?, self.key.public().clone());
        Ok(archive::build(ArchiveContents {
            pack: &self.sealed.clone().with_receipt(last, &SALT),
            versions: &[],
            records: &records,
            objects: Vec::new(),
            checkpoint: &note,
            previous: None,
            keys: &[KeyHistoryEntry { at, change: KeyChangeKind::Added, key, redated: None }],
        })?)
    }

    /// Every byte hashed once, every record's leaf, commitment and path, and both signatures.
    fn hashes_and_signatures(&self, files: &zip::ZipFiles<'_>, paths: &[Vec<Digest>]) -> usize {
        let mut found = files.values().filter(|file| Digest::of(file) != Digest::of(b"")).count();
        for ((record, payload), path) in self.records.iter().zip(paths) {
            let root = path.iter().fold(leaf(record.bytes()), |here, other| node(&here, other));
            found += usize::from(root == self.tree.head().root);
            for (name, field) in payload {
                if let PayloadField::Present { salt, bytes } = field {
                    let digest = *Commitment::of(name, salt, bytes).digest();
                    found += usize::from(digest == root);
                }
            }
        }
        // The pack's signature, and one like it for the checkpoint's.
        let signed = || usize::from(self.sealed.envelope.is_signed_by(self.key.public()));
        found + signed() + signed()
    }

    fn paths(&self) -> Vec<Vec<Digest>> {
        let size = self.tree.size();
        (0..size).filter_map(|index| self.tree.inclusion(index, size)).collect()
    }
}

fn time(text: &str) -> Result<Time, Box<dyn Error>> {
    text.parse().map_err(|_| "expected a time".into())
}

const SALT: [u8; 32] = [5; 32];
const PACK_REQUEST: &str = r#"{
  "decision": {
    "decision_id": "dec_1", "tenant_id": "tenant-1", "entity_id": "case_1",
    "agent_name": "leave_agent", "approval_class": "A2", "reversibility_class": "R1",
    "sensitivity_class": "S1", "confidence": 0.9,
    "evidence": [{
      "source": "hr.policy", "uri": "lake://hr/leave.md",
      "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
      "content_hash": "sha256:b518d8e9cf0d038553d2d45baddf5af3f7d1323c9aeeb1f1e5f342b7860d25ca",
      "retrieved_at": "2026-01-03T10:00:00.000Z", "confidence": 0.9}],
    "created_at": "2026-01-03T12:00:00Z"},
  "memo": {
    "title_ar": "إجازة", "title_en": "Leave",
    "body_ar": "خمسة عشر يومًا [cite:b8b859ac].", "body_en": "Fifteen days [cite:b8b859ac].",
    "executive_summary_ar": "موافقة [cite:b8b859ac]", "executive_summary_en": "Approve [cite:b8b859ac]"},
  "pack_id": "pack_00000000000000b1",
  "created_at": "2026-01-03T12:30:00Z"
}"#;
