//! Records: one event, with its actor, as a leaf of a trail.
//!
//! The leaf is a small canonical JSON envelope without any payload: kind, time,
//! actor, subject, the record before, and salted commitments to the
//! payload's fields. So a payload can be erased while the trail still proves
//! that it was there, and an erased one cannot be guessed back.

use std::collections::BTreeMap;

use dalil_phrasebook::{bound, expected, found, hint};
use serde::ser::{SerializeMap as _, SerializeStruct as _};
use serde::{Serialize, Serializer};

use crate::canon;
use crate::decode::{self, JsonReader};
use crate::digest::Digest;
use crate::fault::{Fault, Refused};
use crate::id::{EXPECTED_GIVEN_ID, RecordId, is_given};
use crate::json::MAX_INTEGER;
use crate::time::Time;
use crate::tree;

pub mod commitment;
mod kind;
pub mod lineage;
mod spelled;
#[cfg(test)]
mod tests;

pub use commitment::Commitment;
pub use kind::RecordKind;

/// A record in its canonical bytes, which are hashed and stored.
///
/// Invariant: the bytes are the canonical form of the envelope and keep every
/// limit of the format. The only ways in are [`Record::new`] and [`Record::parse`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    envelope: RecordEnvelope,
    bytes: Vec<u8>,
}

/// The content of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEnvelope {
    /// What happened.
    pub kind: RecordKind,
    /// The record's own name.
    pub id: RecordId,
    /// When it happened.
    pub at: Time,
    /// Who acted.
    pub actor: Actor,
    /// Its subject, by an opaque name: a pack, an obligation, a key.
    pub subject: String,
    /// Its place among the records of its subject.
    pub lineage: Lineage,
    /// Commitments to the fields of the payload, by name.
    pub commitments: BTreeMap<String, Commitment>,
}

/// Who acted. Names are opaque: a trail holds no personal data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// A program or a model.
    Agent(String),
    /// A person.
    Person(String),
    /// No actor: a deadline or a policy triggered it.
    System,
}

/// A record's place among the records of its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lineage {
    /// The first record of its subject.
    First,
    /// A later one.
    Next {
        /// How many records of the subject came before; at least 1.
        sequence: u64,
        /// The leaf hash of the one just before.
        previous: Digest,
    },
}

impl Lineage {
    /// How many records of the subject came before.
    pub fn sequence(self) -> u64 {
        match self {
            Self::First => 0,
            Self::Next { sequence, previous: _ } => sequence,
        }
    }
}

impl Record {
    /// Writes an envelope down.
    ///
    /// # Errors
    /// Every limit of the format that it breaks.
    pub fn new(envelope: &RecordEnvelope) -> Result<Self, Refused> {
        let bytes = canon::bytes(envelope).map_err(|_| not_canonical())?;
        // Parsing the written bytes checks every limit of the format in one place.
        Self::parse(&bytes)
    }

    /// Reads a record from its canonical bytes.
    ///
    /// # Errors
    /// Every fault of the envelope; bytes that are not its canonical form.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        if bytes.len() > MAX_RECORD_BYTES {
            let expected = bound::at_most_bytes(MAX_RECORD_BYTES);
            let found = found::bytes(bytes.len());
            let fault = Fault::new("size", "$", expected, found);
            return Err(fault.hint(hint::commit_to_large_fields_instead_of_naming_them()).into());
        }
        // This reader takes canonical bytes only; other bytes are parsed in full, for their faults.
        if let Some(envelope) = spelled::envelope(bytes) {
            return Ok(Self { envelope, bytes: bytes.to_vec() });
        }
        let envelope = decode::request(bytes, envelope)?;
        // A record with two spellings would have two leaf hashes.
        match canon::bytes(&envelope) {
            Ok(canonical) if canonical == bytes => Ok(Self { envelope, bytes: canonical }),
            Ok(_) | Err(_) => Err(not_canonical().into()),
        }
    }

    /// The content of the record.
    pub fn envelope(&self) -> &RecordEnvelope {
        &self.envelope
    }

    /// The canonical bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The hash of this record as a leaf of its trail.
    pub fn leaf(&self) -> Digest {
        tree::leaf(&self.bytes)
    }
}

/// A record that is not in its canonical form.
fn not_canonical() -> Fault {
    let fault = Fault::new(
        "canonical",
        "$",
        expected::canonical_json_rfc_8785(),
        found::another_spelling(),
    );
    fault.hint(hint::verify_the_stored_bytes_not_a_re_written_copy())
}

impl Serialize for RecordEnvelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, id, at, actor, subject, lineage, commitments } = self;
        let mut fields = serializer.serialize_struct("Record", 8)?;
        fields.serialize_field("v", &RECORD_VERSION)?;
        fields.serialize_field("type", kind)?;
        fields.serialize_field("id", id)?;
        fields.serialize_field("at", at)?;
        fields.serialize_field("actor", actor)?;
        fields.serialize_field("subject", subject)?;
        fields.serialize_field("lineage", lineage)?;
        fields.serialize_field("commitments", commitments)?;
        fields.end()
    }
}

impl Serialize for Actor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, id) = match self {
            Self::Agent(id) => ("agent", Some(id)),
            Self::Person(id) => ("person", Some(id)),
            Self::System => ("system", None),
        };
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("kind", kind)?;
        if let Some(id) = id {
            fields.serialize_entry("id", id)?;
        }
        fields.end()
    }
}

impl Serialize for Lineage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("sequence", &self.sequence())?;
        if let Self::Next { sequence: _, previous } = self {
            fields.serialize_entry("previous", previous)?;
        }
        fields.end()
    }
}

fn envelope(reader: JsonReader<'_, '_>) -> Option<RecordEnvelope> {
    let mut fields = reader.object()?;
    let version = fields.required("v", |v| v.whole(RECORD_VERSION..=RECORD_VERSION));
    let kind = fields.required("type", RecordKind::read);
    let id = fields.required("id", |id| id.parsed("id", RecordId::EXPECTED));
    let at = fields.required("at", decode::time);
    let actor = fields.required("actor", actor);
    let subject = fields.required("subject", name);
    let lineage = fields.required("lineage", lineage);
    let commitments = fields.required("commitments", commitment::read_map);
    fields.done()?;
    version?;
    Some(RecordEnvelope {
        kind: kind?,
        id: id?,
        at: at?,
        actor: actor?,
        subject: subject?,
        lineage: lineage?,
        commitments: commitments?,
    })
}

fn actor(reader: JsonReader<'_, '_>) -> Option<Actor> {
    type Named = fn(String) -> Actor;
    let mut fields = reader.object()?;
    let kinds: [(&str, Option<Named>); 3] =
        [("agent", Some(Actor::Agent)), ("person", Some(Actor::Person)), ("system", None)];
    let named = fields.required("kind", |kind| kind.choice(&kinds));
    let actor = match named {
        Some(Some(named)) => fields.required("id", name).map(named),
        Some(None) => Some(Actor::System),
        None => {
            // Read, so that an `id` beside an unknown kind is not an unknown field as well.
            fields.optional("id", name)?;
            None
        }
    };
    fields.done()?;
    actor
}

fn lineage(reader: JsonReader<'_, '_>) -> Option<Lineage> {
    let mut fields = reader.object()?;
    let sequence = fields.required("sequence", |sequence| sequence.whole(0..=MAX_INTEGER));
    let previous = fields.optional("previous", decode::digest);
    fields.done()?;
    match (sequence?, previous?) {
        (0, None) => Some(Lineage::First),
        (sequence @ 1.., Some(previous)) => Some(Lineage::Next { sequence, previous }),
        (0, Some(_)) | (1.., None) => {
            reader.refuse("lineage", expected::previous_in_every_record())
        }
    }
}

/// An opaque name, given by another system.
fn name(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::text(reader)?;
    if is_given(text) { Some(text.to_owned()) } else { reader.refuse("name", EXPECTED_GIVEN_ID) }
}

/// The field of a `decision.recorded` record that holds the decision.
pub const DECISION_FIELD: &str = "decision";
/// The field of a `tool.intended` or `tool.reported` record that has the call.
pub const CALL_FIELD: &str = "call";
const RECORD_VERSION: u64 = 1;
/// The most that an envelope may take: under 4 KiB.
const MAX_RECORD_BYTES: usize = 4095;
