//! The functions that every verb shares: context, append, and retry on conflict.
//!
//! A verb that decides on data that it has read names it in a [`TrailSnapshot`]; the
//! store appends only if nothing of it has changed, and otherwise the verb reads
//! again.

use dalil_phrasebook::Phrase;
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused, quoted};
use dalil_proof::id::RecordId;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::trail::{AppendCondition, StoredFieldState, StoredPayload, StoredRecord};
use dalil_store::{
    AppendEntry, Error, EvidenceRow, FieldContent, IdempotencyKey, NewRecord, NewRecordField,
    PlacedRecord, RecordTime, Tenant, TimeSource,
};
use serde::Serialize;

/// Who does something, when, and under which name a second try is the same.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// When.
    pub at: Time,
    /// Whether that is a clock's time or was stated by the caller.
    pub time_source: TimeSource,
    /// Who.
    pub actor: Actor,
    /// The name of the request, so that a retry gives the first answer.
    pub key: Option<String>,
}

/// The place of an appended record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordAck {
    /// Its place in the trail, from 0.
    pub index: u64,
    /// Its name.
    pub id: RecordId,
    /// Its leaf hash.
    pub leaf: Digest,
}

impl From<PlacedRecord> for RecordAck {
    fn from(PlacedRecord { index, id, leaf }: PlacedRecord) -> Self {
        Self { index, id, leaf }
    }
}

/// Why something was not kept, or could not be read back.
#[derive(Debug, thiserror::Error)]
pub enum OperationFailure {
    /// The request breaks rules.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The store did not do it.
    #[error(transparent)]
    Store(#[from] Error),
    /// A value of ours has no canonical form: a fault of this program.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
    /// There are no pages: too much for a PDF, or a fault of this program.
    #[cfg(feature = "pdf")]
    #[error(transparent)]
    Unpressed(#[from] dalil_render::pdf::PressError),
}

impl From<Fault> for OperationFailure {
    fn from(fault: Fault) -> Self {
        Self::Refused(fault.into())
    }
}

impl RequestContext {
    /// A new record of this operation.
    pub(crate) fn draft(
        &self,
        kind: RecordKind,
        subject: &str,
        fields: Vec<NewRecordField>,
        rows: Vec<EvidenceRow>,
    ) -> NewRecord {
        let (when, actor) = (self.when(), self.actor.clone());
        NewRecord { kind, id: None, when, actor, subject: subject.to_owned(), fields, rows }
    }

    pub(crate) fn when(&self) -> RecordTime {
        RecordTime { at: self.at, source: self.time_source }
    }

    /// This context at a time or later: the clock of another who acted before may be ahead of ours.
    /// A stated time stays as it is.
    pub(crate) fn not_before(&self, time: Time) -> Self {
        match self.time_source {
            TimeSource::Clock => Self { at: self.at.max(time), ..self.clone() },
            TimeSource::Stated => self.clone(),
        }
    }

    /// The idempotency key of a request, bound to the verb and the request's bytes.
    pub(crate) fn idempotency_key(
        &self,
        verb: &str,
        request: &[u8],
    ) -> Result<Option<IdempotencyKey>, Error> {
        let Some(key) = &self.key else { return Ok(None) };
        // The verb is part of it: the same bytes sent to another operation are another request.
        let fingerprint = [verb.as_bytes(), b"\n", request].concat();
        IdempotencyKey::new(key, &fingerprint).map(Some)
    }

    /// As [`idempotency_key`](Self::idempotency_key), for a request that does not name its actor:
    /// the same bytes from another actor are another request, and must not get the first answer.
    pub(crate) fn idempotency_key_of_actor(
        &self,
        verb: &str,
        request: &[u8],
    ) -> Result<Option<IdempotencyKey>, OperationFailure> {
        let named = [&canon::bytes(&self.actor)?, b"\n".as_slice(), request].concat();
        Ok(self.idempotency_key(verb, &named)?)
    }
}

/// Returns the answer that was given before to the same request, if any.
pub(crate) async fn answered(
    tenant: &Tenant,
    key: Option<&IdempotencyKey>,
) -> Result<Option<Vec<RecordAck>>, OperationFailure> {
    let Some(key) = key else { return Ok(None) };
    let placed = tenant.answered(key).await?;
    Ok(placed.map(|placed| placed.into_iter().map(RecordAck::from).collect()))
}

/// Appends drafts as one entry.
pub(crate) async fn append(
    tenant: &Tenant,
    drafts: Vec<NewRecord>,
    key: Option<IdempotencyKey>,
) -> Result<Vec<RecordAck>, OperationFailure> {
    let placed = tenant.append(AppendEntry { drafts, key }).await?;
    Ok(placed.into_iter().map(RecordAck::from).collect())
}

/// The state that a verb saw, and the records that would make it look again.
pub(crate) struct TrailSnapshot(Vec<AppendCondition>);

impl TrailSnapshot {
    /// Whether nothing was looked at: the subject is taken to be new.
    pub(crate) fn assumes_new_subject(&self) -> bool {
        matches!(self.0.as_slice(), [AppendCondition::Subject { since: 0, .. }])
    }

    /// The same, and no record of these kinds since.
    pub(crate) fn and_kinds(mut self, kinds: &'static [RecordKind]) -> Self {
        let since = self.0.iter().map(|unless| match unless {
            AppendCondition::Kinds { since, .. } | AppendCondition::Subject { since, .. } => *since,
        });
        if let Some(since) = since.min() {
            self.0.push(AppendCondition::Kinds { since, kinds });
        }
        self
    }
}

/// Does something that depends on the records of these kinds, again when one comes in between,
/// or an erasure that takes away an object which was put.
pub(crate) async fn retry_on_conflict_of_kinds<T>(
    tenant: &Tenant,
    kinds: &'static [RecordKind],
    work: impl AsyncFn(TrailSnapshot) -> Result<T, OperationFailure>,
) -> Result<T, OperationFailure> {
    retry_on_conflict(tenant, |since| AppendCondition::Kinds { since, kinds }, work).await
}

/// Does something that depends on the records about a subject, again when one comes in between.
pub(crate) async fn retry_on_conflict_of_subject<T>(
    tenant: &Tenant,
    subject: &str,
    work: impl AsyncFn(TrailSnapshot) -> Result<T, OperationFailure>,
) -> Result<T, OperationFailure> {
    let unless = |since| AppendCondition::Subject { since, subject: subject.to_owned() };
    retry_on_conflict(tenant, unless, work).await
}

/// As [`retry_on_conflict_of_subject`], for a subject that is new most of the time: it is assumed
/// to be new first, and looked up when the store reports that it is not.
pub(crate) async fn optimistic_insert<T>(
    tenant: &Tenant,
    subject: &str,
    work: impl AsyncFn(TrailSnapshot) -> Result<T, OperationFailure>,
) -> Result<T, OperationFailure> {
    // `since: 0` reads nothing, so a new subject costs one append and no query.
    let new = AppendCondition::Subject { since: 0, subject: subject.to_owned() };
    let blind = TrailSnapshot(vec![new]);
    match work(blind).await {
        Err(OperationFailure::Store(error)) if error.is_outdated() => {
            retry_on_conflict_of_subject(tenant, subject, work).await
        }
        done => done,
    }
}

async fn retry_on_conflict<T>(
    tenant: &Tenant,
    unless: impl Fn(u64) -> AppendCondition,
    work: impl AsyncFn(TrailSnapshot) -> Result<T, OperationFailure>,
) -> Result<T, OperationFailure> {
    let mut tries = 0;
    loop {
        // Before anything is read: a record that comes while `work` reads must count as a conflict.
        let since = tenant.head().await?.size;
        match work(TrailSnapshot(vec![unless(since)])).await {
            // A conflict means that another writer succeeded, so the system as a whole makes
            // progress.
            Err(OperationFailure::Store(error)) if error.is_outdated() && tries < MAX_RETRIES => {
                tries += 1;
            }
            done => return done,
        }
    }
}

/// Appends drafts as one entry, unless a record came in that the verb has not seen.
pub(crate) async fn append_if_unchanged(
    tenant: &Tenant,
    drafts: Vec<NewRecord>,
    key: Option<IdempotencyKey>,
    snapshot: TrailSnapshot,
) -> Result<Vec<RecordAck>, OperationFailure> {
    let placed = tenant.append_unless_any(AppendEntry { drafts, key }, snapshot.0).await?;
    Ok(placed.into_iter().map(RecordAck::from).collect())
}

/// The same with a time stamp on the checkpoint of a size.
pub(crate) async fn append_timestamp_if_unchanged(
    tenant: &Tenant,
    entry: AppendEntry,
    stamp: (u64, &str),
    snapshot: TrailSnapshot,
) -> Result<Vec<RecordAck>, OperationFailure> {
    let placed = tenant.timestamped(entry, stamp, snapshot.0).await?;
    Ok(placed.into_iter().map(RecordAck::from).collect())
}

/// The place of an entry of one record.
pub(crate) fn one(acks: Vec<RecordAck>) -> Result<RecordAck, OperationFailure> {
    let none = || Error::damaged("append a record", "the store").saw("a place", "none");
    acks.into_iter().next().ok_or_else(|| none().into())
}

/// A part of a payload that the catalog keeps.
pub(crate) fn bytes(name: &str, bytes: Vec<u8>) -> NewRecordField {
    NewRecordField { name: name.to_owned(), content: FieldContent::Bytes(bytes) }
}

/// A part of a payload that the lake keeps.
pub(crate) fn object(name: &str, digest: Digest) -> NewRecordField {
    NewRecordField { name: name.to_owned(), content: FieldContent::Lake(digest) }
}

/// The state of a record's field.
pub(crate) fn held<'s>(stored: &'s StoredRecord, name: &str) -> Option<&'s StoredFieldState> {
    stored.fields.iter().find(|field| field.name == name).map(|field| &field.state)
}

/// The bytes of a record's field, if they are there.
pub(crate) fn held_bytes<'s>(stored: &'s StoredRecord, name: &str) -> Option<&'s [u8]> {
    match held(stored, name) {
        Some(StoredFieldState::Present(_, StoredPayload::Bytes(bytes))) => Some(bytes),
        _ => None,
    }
}

/// Something that was asked for and is not there.
pub(crate) fn none(what: Phrase, path: &'static str, name: &str) -> OperationFailure {
    Fault::new("not_found", path, what, quoted(name)).into()
}

/// A value that is one word in JSON, as that word.
pub(crate) fn word(value: &impl Serialize) -> Result<String, NotCanonical> {
    let text = text(value)?;
    Ok(text.trim_matches('"').to_owned())
}

/// A value as canonical JSON text.
pub(crate) fn text(value: &impl Serialize) -> Result<String, NotCanonical> {
    let bytes = canon::bytes(value)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How often a verb looks again before it leaves that to its caller.
pub(crate) const MAX_RETRIES: usize = 100;
