//! An archive made by hand, the same every time.

use std::borrow::Cow;
use std::collections::BTreeMap;

use dalil_evidence::archive::{self, ArchiveContents, ArchiveFiles, ArchivedRecord};
use dalil_evidence::pack::{self, PackReview, SealedPack};
use dalil_proof::canon;
use dalil_proof::checkpoint::Checkpoint;
use dalil_proof::digest::Digest;
use dalil_proof::id::RecordId;
use dalil_proof::json::Json;
use dalil_proof::key::SecretKey;
use dalil_proof::keyring::{KeyChangeKind, KeyHistoryEntry};
use dalil_proof::receipt::Receipt;
use dalil_proof::record::{Actor, Commitment, Lineage, Record, RecordEnvelope, RecordKind};
use dalil_proof::time::Time;
use dalil_proof::trail::{PayloadField, PreviousExport, RecordPayload};
use dalil_proof::tree::MerkleTree;
use dalil_proof::trust::Trust;

pub(super) const DOCUMENT: &str =
    "# Leave\n\nAll permanent employees shall receive 15 days of paid annual leave.\n";
/// The words of the excerpt are there, and no reader of the document sees them.
const COMMENTED_DOCUMENT: &str = "# Leave\n\nStaff receive 10 days. \
    <!-- All permanent employees shall receive 15 days of paid annual leave. -->\n";
const SALT: [u8; 32] = [5; 32];

pub(super) fn key() -> SecretKey {
    SecretKey::from_seed("dalil.example/tenant-1", &[7; 32]).unwrap()
}

pub(super) fn trust() -> Trust {
    let key = key();
    let text = format!(r#"{{"origin":"{}","keys":["{}"]}}"#, key.public().name(), key.public());
    Trust::parse(text.as_bytes()).unwrap()
}

pub(super) fn time(text: &str) -> Time {
    text.parse().unwrap()
}

/// A change to the sample that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleChange {
    None,
    /// The last reviewer rejected the pack.
    Rejected,
    /// The record states that the call failed.
    CallOtherwise,
    /// The call was never reported.
    CallUnreported,
    /// The call was never recorded, or all its records were left out.
    CallUnrecorded,
    /// The pack has the call twice.
    CallTwice,
    /// The pack does not have the call.
    CallLeftOut,
    /// The pack names another agent than the record of the call.
    CallAgentOther,
    /// The recorded fields of the call are withheld.
    CallWithheld,
    /// The pack has another ledger than was recorded.
    LedgerOther,
    /// The excerpt is only in a comment of its document.
    ExcerptInComment,
}

impl SampleChange {
    fn document(self) -> &'static str {
        if self == Self::ExcerptInComment { COMMENTED_DOCUMENT } else { DOCUMENT }
    }
}

/// A trail with a decision, a call, a pack and its review.
pub(super) struct Sample {
    change: SampleChange,
    records: Vec<(Record, RecordPayload<'static>)>,
    last: BTreeMap<String, (u64, Digest)>,
    /// The versions of the pack, and where their records are.
    packs: Vec<(pack::PackDraft, usize)>,
}

impl Sample {
    pub(super) fn new() -> Self {
        Self::with(SampleChange::None)
    }

    pub(super) fn with(change: SampleChange) -> Self {
        let request = request(change);
        let json = Json::parse(&request).unwrap();
        let decision = canon::bytes(json.get("decision").unwrap()).unwrap();
        let mut first = pack::assemble(&request).unwrap();
        match change {
            SampleChange::CallTwice => {
                first = with_calls(&first, |calls| calls.push(calls[0].clone()));
            }
            SampleChange::CallLeftOut => first = with_calls(&first, Vec::clear),
            _ => {}
        }
        let (records, last) = (Vec::new(), BTreeMap::new());
        let mut sample = Self { change, records, last, packs: Vec::new() };
        let public = key().public().to_string().into_bytes();
        sample.add(RecordKind::KeyAdded, "key-1", "11:00:00", &[("key", public)]);
        sample.add(RecordKind::DecisionRecorded, "dec_1", "12:10:00", &[("decision", decision)]);
        sample.add_call();
        if change == SampleChange::LedgerOther {
            let opened = br#"{"session_id":"ses_1"}"#.to_vec();
            sample.add(RecordKind::SessionOpened, "ses_1", "12:13:00", &[("session", opened)]);
            sample.add_object(RecordKind::LedgerClosed, "ses_1", "12:14:00", "ledger");
        }
        sample.add_pack(&first, "12:31:00");
        if change == SampleChange::Rejected {
            let vote = br#"{"approver":"hr_director","at":"2026-01-03T13:00:00.000Z","outcome":"rejected","titles":["legal"]}"#;
            let vote = [("vote", vote.to_vec())];
            sample.add(RecordKind::PackReviewed, first.pack_id.as_str(), "13:00:00", &vote);
            return sample;
        }
        let review = br#"{"reviewer_id":"hr_director"}"#.to_vec();
        let review = [("review", review)];
        sample.add(RecordKind::PackReviewed, first.pack_id.as_str(), "13:00:00", &review);
        let review = PackReview {
            pack_id: "pack_00000000000000b2".parse().unwrap(),
            reviewer_id: "hr_director".to_owned(),
            reviewed_at: time("2026-01-03T13:00:00Z"),
            acknowledged: Vec::new(),
            approvals: Vec::new(),
        };
        sample.add_pack(&pack::review(&first, &review).unwrap(), "13:01:00");
        sample
    }

    fn add_call(&mut self) {
        if self.change == SampleChange::CallUnrecorded {
            return;
        }
        let agent = match self.change {
            SampleChange::CallAgentOther => r#""agent_name":"leave_agent","#,
            _ => "",
        };
        let call = format!(
            r#"{{{agent}"intended_action":"look up leave","phase":"intended","tool_call_id":"call-1","tool_name":"hr.lookup"}}"#
        );
        self.add(RecordKind::ToolIntended, "call-1", "12:11:00", &[("call", call.into_bytes())]);
        let outcome = match self.change {
            SampleChange::CallUnreported => return,
            SampleChange::CallOtherwise => "failed",
            _ => "succeeded",
        };
        let call = format!(
            r#"{{"actual_action":"look up leave","outcome":"{outcome}","phase":"reported","tool_call_id":"call-1"}}"#
        );
        self.add(RecordKind::ToolReported, "call-1", "12:12:00", &[("call", call.into_bytes())]);
        if self.change == SampleChange::CallWithheld {
            let payload = &mut self.records.last_mut().unwrap().1;
            payload.insert("call", PayloadField::Withheld);
        }
    }

    fn add_pack(&mut self, draft: &pack::PackDraft, at: &str) {
        let payload = canon::bytes(draft).unwrap();
        self.packs.push((draft.clone(), self.records.len()));
        self.add(RecordKind::PackSealed, draft.pack_id.as_str(), at, &[("pack", payload)]);
    }

    /// Adds a record whose only field is an object of the lake.
    fn add_object(&mut self, kind: RecordKind, subject: &str, at: &str, name: &'static str) {
        let object = Digest::of(b"another ledger");
        self.add(kind, subject, at, &[(name, object.to_string().into_bytes())]);
        let payload = &mut self.records.last_mut().unwrap().1;
        payload.insert(name, PayloadField::Lake { salt: SALT, object });
    }

    fn add(
        &mut self,
        kind: RecordKind,
        subject: &str,
        at: &str,
        fields: &[(&'static str, Vec<u8>)],
    ) {
        let lineage = match self.last.get(subject) {
            None => Lineage::First,
            Some((sequence, previous)) => {
                Lineage::Next { sequence: sequence + 1, previous: *previous }
            }
        };
        let commit = |(name, bytes): &(&str, Vec<u8>)| {
            ((*name).to_owned(), Commitment::of(name, &SALT, bytes))
        };
        let record = Record::new(&RecordEnvelope {
            kind,
            id: RecordId::from_random((self.records.len() as u64).to_be_bytes()),
            at: time(&format!("2026-01-03T{at}Z")),
            actor: Actor::System,
            subject: subject.to_owned(),
            lineage,
            commitments: fields.iter().map(commit).collect(),
        });
        let record = record.unwrap();
        let sequence = self.last.get(subject).map_or(0, |(sequence, _)| sequence + 1);
        self.last.insert(subject.to_owned(), (sequence, record.leaf()));
        let field = |(name, bytes): &(&'static str, Vec<u8>)| {
            (*name, PayloadField::Present { salt: SALT, bytes: Cow::Owned(bytes.clone()) })
        };
        self.records.push((record, fields.iter().map(field).collect()));
    }

    /// The files of its archive.
    pub(super) fn files(&self) -> ArchiveFiles<'static> {
        let mut tree = MerkleTree::default();
        for (record, _) in &self.records {
            tree.push(record.leaf());
        }
        let size = tree.size();
        let checkpoint = Checkpoint::new(key().public().name(), tree.head()).unwrap();
        let note = checkpoint.sign(&[&key()]).unwrap();
        let receipt = |index: u64| {
            let record = &self.records[usize::try_from(index).unwrap()].0;
            let path = tree.inclusion(index, size).unwrap();
            Receipt::new(record, index, path, note.clone()).unwrap()
        };
        let receipts: Vec<Receipt> = (0..size).map(receipt).collect();
        let sealed = |draft: &pack::PackDraft, index: usize| -> SealedPack {
            let sealed = pack::seal(draft, &key()).unwrap();
            sealed.with_receipt(receipts[index].to_string(), &SALT)
        };
        let records: Vec<ArchivedRecord<'_>> = (0..)
            .zip(self.records.iter().zip(&receipts))
            .map(|(index, ((record, payload), receipt))| {
                let payload = payload.clone();
                ArchivedRecord { record, index, payload, receipt }
            })
            .collect();
        let proof = tree.consistency(3, size).unwrap();
        let previous = PreviousExport { head: tree.head_at(3).unwrap(), proof };
        let keys = [KeyHistoryEntry {
            at: time("2026-01-03T11:00:00Z"),
            change: KeyChangeKind::Added,
            key: key().public().clone(),
            redated: None,
        }];
        let (last, before) = self.packs.split_last().unwrap();
        let versions: Vec<(u64, SealedPack)> =
            before.iter().map(|(draft, index)| (draft.version, sealed(draft, *index))).collect();
        let parts = ArchiveContents {
            pack: &sealed(&last.0, last.1),
            versions: &versions,
            records: &records,
            objects: vec![self.change.document().as_bytes().to_vec()],
            checkpoint: &note,
            previous: Some(&previous),
            keys: &keys,
        };
        archive::build(parts).unwrap()
    }
}

/// The pack with other calls, which no request can ask for.
fn with_calls(
    draft: &pack::PackDraft,
    change: impl FnOnce(&mut Vec<serde_json::Value>),
) -> pack::PackDraft {
    let mut json: serde_json::Value =
        serde_json::from_slice(&canon::bytes(draft).unwrap()).unwrap();
    change(json["tool_calls"].as_array_mut().unwrap());
    let pack = pack::UnverifiedPack::parse(&canon::bytes(&json).unwrap()).unwrap();
    pack.unverified_draft().unwrap()
}

/// The request of the format's page, on a document that is here.
fn request(change: SampleChange) -> Vec<u8> {
    let digest = Digest::of(change.document().as_bytes());
    let agent = match change {
        SampleChange::CallAgentOther => r#""agent_name": "pay_agent", "#,
        _ => "",
    };
    let calls = format!(
        r#"{{{agent}"tool_call_id": "call-1", "tool_name": "hr.lookup", "intended_action": "look up leave",
    "actual_action": "look up leave", "side_effects": [], "outcome": "succeeded", "invoked_at": "2026-01-03T12:11:00Z"}}"#
    );
    let ledger = if change == SampleChange::LedgerOther {
        r#""ledger": {"session_id": "ses_1", "entries": [], "summary": {"total_claims": 0}},"#
    } else {
        ""
    };
    format!(
        r#"{{
  "decision": {{
    "decision_id": "dec_1", "tenant_id": "tenant-1", "entity_id": "case_1",
    "agent_name": "leave_agent", "approval_class": "A2", "reversibility_class": "R1",
    "sensitivity_class": "S1", "confidence": 0.9,
    "evidence": [{{
      "source": "hr.policy", "uri": "lake://hr/leave.md",
      "excerpt": "All permanent employees shall receive 15 days of paid annual leave.",
      "content_hash": "{digest}",
      "retrieved_at": "2026-01-03T10:00:00.000Z", "confidence": 0.9}}],
    "created_at": "2026-01-03T12:00:00Z"}},
  "tool_calls": [{calls}],
  {ledger}
  "prompts": [{{"template_name": "leave"}}],
  "memo": {{
    "title_ar": "إجازة", "title_en": "Leave",
    "body_ar": "خمسة عشر يومًا [cite:b8b859ac].", "body_en": "Fifteen days [cite:b8b859ac].",
    "executive_summary_ar": "موافقة [cite:b8b859ac]", "executive_summary_en": "Approve [cite:b8b859ac]"}},
  "pack_id": "pack_00000000000000b1",
  "created_at": "2026-01-03T12:30:00Z"
}}"#
    )
    .into_bytes()
}
