//! Entries: drafts of records, with the data that they commit to.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use dalil_proof::digest::Digest;
use dalil_proof::fault::quote;
use dalil_proof::id::{EXPECTED_GIVEN_ID, RecordId, is_given};
use dalil_proof::record::{Actor, Commitment, Lineage, Record, RecordEnvelope, RecordKind};
use dalil_proof::time::Time;

use super::name::RecordIdGenerator;
use crate::catalog::{EvidenceRow, PlaceLine, committed};
use crate::error::Error;

/// Records that are appended together or not at all.
#[derive(Clone, Debug)]
pub struct AppendEntry {
    /// The records, in order.
    pub drafts: Vec<NewRecord>,
    /// Makes a second try give the first answer.
    pub key: Option<IdempotencyKey>,
}

/// A record before it has its place.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// What happened.
    pub kind: RecordKind,
    /// Its name; drawn at random if the caller has none.
    pub id: Option<RecordId>,
    /// When it happened.
    pub when: RecordTime,
    /// Who acted.
    pub actor: Actor,
    /// Its subject, by an opaque name.
    pub subject: String,
    /// Its commitments, beside its rows.
    pub fields: Vec<NewRecordField>,
    /// Its rows in the catalog.
    pub rows: Vec<EvidenceRow>,
}

/// The time of a record, and whose word it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordTime {
    /// The time.
    pub at: Time,
    /// Where it is from.
    pub source: TimeSource,
}

/// Where the time of a record is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeSource {
    /// The clock of the appending process. The sequencer orders records, and clocks differ: a
    /// record gets the time of the previous record of its subject, if that is later.
    Clock,
    /// A time stated by the caller, as for an import. It is taken as it is, or refused: not before
    /// the trail began, and not before the previous record of the same subject.
    Stated,
}

/// A named part of a payload.
#[derive(Clone, Debug)]
pub struct NewRecordField {
    /// The name of its commitment: lower-case letters, digits, `_` and `.`; not `rows`.
    pub name: String,
    /// The committed content.
    pub content: FieldContent,
}

/// The content of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldContent {
    /// Bytes that are kept in the catalog.
    Bytes(Vec<u8>),
    /// An object of the lake. Committed to is its digest as text, `sha256:…`.
    Lake(Digest),
}

/// A name for one request, so that a retry is not a second request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    pub(crate) key: String,
    pub(crate) fingerprint: Digest,
}

impl IdempotencyKey {
    /// Names a request; another request under the same name is refused.
    ///
    /// # Errors
    /// A key that is not 1 to 200 characters without controls or outer spaces.
    pub fn new(key: &str, request: &[u8]) -> Result<Self, Error> {
        if is_given(key) {
            return Ok(Self { key: key.to_owned(), fingerprint: Digest::of(request) });
        }
        Err(Error::refused("append a record", "idempotency key")
            .saw(EXPECTED_GIVEN_ID.english(), "another text"))
    }

    /// The refusal of a key that was used for another request.
    pub(crate) fn of_another(&self) -> Error {
        Error::refused("append a record", format!("idempotency key `{}`", self.key))
            .saw("the request that the key stands for", "another one")
            .hint("a new request needs a new key")
    }
}

/// Events that must not have happened since the caller read the trail, which had `since` records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppendCondition {
    /// A record of one of these kinds.
    Kinds {
        /// The size of the trail when the caller looked.
        since: u64,
        /// The kinds that would change the caller's decision.
        kinds: &'static [RecordKind],
    },
    /// A record about this subject. Entries about others go into the same group.
    Subject {
        /// The size of the trail when the caller looked; 0 for one who did not, and takes
        /// the subject to be new.
        since: u64,
        /// The subject of the caller's decision.
        subject: String,
    },
}

/// The position of an appended record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedRecord {
    /// Its place in the trail, from 0.
    pub index: u64,
    /// Its name.
    pub id: RecordId,
    /// Its leaf hash.
    pub leaf: Digest,
}

impl From<PlaceLine> for PlacedRecord {
    fn from(PlaceLine { idx, id, leaf }: PlaceLine) -> Self {
        Self { index: idx, id, leaf: Digest::from_bytes(leaf) }
    }
}

/// A draft with everything drawn and committed that needs no place in the trail.
#[derive(Clone)]
pub(crate) struct PreparedRecord {
    pub(crate) id: RecordId,
    pub(crate) when: RecordTime,
    pub(crate) subject: String,
    /// The record as it is if it turns out to be the first of its subject.
    pub(crate) first: Arc<HashedRecord>,
    pub(crate) payloads: Vec<PayloadRow>,
    pub(crate) rows: Vec<EvidenceRow>,
}

/// A record and its leaf hash.
pub(crate) struct HashedRecord {
    pub(crate) record: Record,
    pub(crate) leaf: Digest,
}

impl HashedRecord {
    /// Writes an envelope down.
    pub(crate) fn new(envelope: &RecordEnvelope) -> Result<Self, Error> {
        let record = Record::new(envelope).map_err(|refused| {
            Error::bad_record(format!("subject {}", quote(&envelope.subject)), &refused)
        })?;
        let leaf = record.leaf();
        Ok(Self { record, leaf })
    }
}

/// A line of `payloads`.
#[derive(Clone)]
pub(crate) struct PayloadRow {
    pub(crate) name: String,
    pub(crate) salt: [u8; 32],
    /// `None` for the rows, which have their own tables.
    pub(crate) content: Option<FieldContent>,
}

/// Commits to everything in a draft.
pub(crate) fn prepare(
    names: &RecordIdGenerator,
    draft: NewRecord,
) -> Result<PreparedRecord, Error> {
    let NewRecord { kind, id, when, actor, subject, fields, rows } = draft;
    let id = match id {
        Some(id) => id,
        None => names.draw()?,
    };
    let mut commitments = BTreeMap::new();
    let mut payloads = Vec::with_capacity(fields.len() + 1);
    let place = |name: &str| format!("`{subject}`, field `{name}`");
    for NewRecordField { name, content } in fields {
        // A salt for each field: equal fields must not have equal commitments (spec/record.md).
        let salt = random()?;
        let commitment = content.commit(&name, &salt);
        if name == ROWS_FIELD || commitments.insert(name.clone(), commitment).is_some() {
            let error = Error::refused("append a record", place(&name));
            return Err(error.saw("each name once, and `rows` left to the store", "it again"));
        }
        payloads.push(PayloadRow { name, salt, content: Some(content) });
    }
    if !rows.is_empty() {
        rows.iter().try_for_each(EvidenceRow::check)?;
        let salt = random()?;
        commitments
            .insert(ROWS_FIELD.to_owned(), Commitment::of(ROWS_FIELD, &salt, &committed(&rows)?));
        payloads.push(PayloadRow { name: ROWS_FIELD.to_owned(), salt, content: None });
    }
    let (name, at, lineage) = (subject.clone(), when.at, Lineage::First);
    let envelope =
        RecordEnvelope { kind, id: id.clone(), at, actor, subject, lineage, commitments };
    let first = Arc::new(HashedRecord::new(&envelope)?);
    Ok(PreparedRecord { id, when, subject: name, first, payloads, rows })
}

impl FieldContent {
    /// The commitment to this content.
    pub(crate) fn commit(&self, name: &str, salt: &[u8; 32]) -> Commitment {
        match self {
            Self::Bytes(bytes) => Commitment::of(name, salt, bytes),
            Self::Lake(digest) => Commitment::of(name, salt, digest.to_string().as_bytes()),
        }
    }
}

impl fmt::Debug for PreparedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({})", self.id)
    }
}

/// Unpredictable bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::unavailable("draw random bytes", "the operating system").saw("random bytes", error)
    })?;
    Ok(bytes)
}

/// The name under which a record commits to its rows.
pub(crate) const ROWS_FIELD: &str = "rows";
