//! Appending: entries on their way to the sequencer.

use std::sync::Arc;

use dalil_proof::digest::Digest;
use dalil_proof::keyring::redating::KeyRedating;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::trail::KEY_FIELD;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;

use super::entry::{
    AppendCondition, AppendEntry, FieldContent, IdempotencyKey, NewRecord, NewRecordField,
    PlacedRecord, RecordTime, TimeSource, prepare,
};
use super::key_history::{self, redating_record};
use super::signer::{KEY_ADDED, KEY_RETIRED, KEY_REVOKED, NewSigningKey};
use super::tenant::Tenant;
use crate::catalog::{IndexedRow, KeyRow};
use crate::error::Error;
use crate::lake::ErasureAuthorization;
use crate::sequencer::message::{AppendJob, ObjectRelease, SequencerMessage};

impl Tenant {
    /// Appends an entry. When this returns, its records are durable.
    ///
    /// # Errors
    /// `Refused`: the entry breaks a rule. `Busy`: too much is waiting. `Unavailable`:
    /// the database does not answer; then it is not known whether the records are kept,
    /// and a retry with the same idempotency key finds out.
    pub async fn append(&self, entry: AppendEntry) -> Result<Vec<PlacedRecord>, Error> {
        self.append_with(entry, AppendOptions::default()).await
    }

    /// Appends an entry, unless the condition's subject or kinds were recorded since the caller
    /// looked.
    ///
    /// # Errors
    /// As [`Tenant::append`]; refused when a record of those kinds came in between.
    pub async fn append_unless(
        &self,
        entry: AppendEntry,
        unless: AppendCondition,
    ) -> Result<Vec<PlacedRecord>, Error> {
        self.append_unless_any(entry, vec![unless]).await
    }

    /// Appends an entry, unless any of the conditions was met since the caller looked.
    ///
    /// # Errors
    /// As [`Tenant::append_unless`].
    pub async fn append_unless_any(
        &self,
        entry: AppendEntry,
        unless: Vec<AppendCondition>,
    ) -> Result<Vec<PlacedRecord>, Error> {
        self.append_with(entry, AppendOptions { unless, ..AppendOptions::default() }).await
    }

    /// Keeps another party's signature line on a checkpoint, with the record of it.
    ///
    /// # Errors
    /// As [`Tenant::append`].
    pub async fn cosigned(
        &self,
        entry: AppendEntry,
        size: u64,
        line: &str,
    ) -> Result<Vec<PlacedRecord>, Error> {
        let cosignatures = vec![(size, line.to_owned())];
        self.append_with(entry, AppendOptions { cosignatures, ..AppendOptions::default() }).await
    }

    /// Keeps a time stamp on the checkpoint of a size, with the record of it.
    ///
    /// # Errors
    /// As [`Tenant::append_unless_any`].
    pub async fn timestamped(
        &self,
        entry: AppendEntry,
        (size, line): (u64, &str),
        unless: Vec<AppendCondition>,
    ) -> Result<Vec<PlacedRecord>, Error> {
        let timestamps = vec![(size, line.to_owned())];
        let extra = AppendOptions { unless, timestamps, ..AppendOptions::default() };
        self.append_with(entry, extra).await
    }

    /// Draws a new signing key, seals it, and records that it is in use.
    ///
    /// # Errors
    /// As [`Tenant::append`].
    pub async fn add_key(
        &self,
        name: &str,
        when: RecordTime,
        actor: Actor,
    ) -> Result<PlacedRecord, Error> {
        let key = NewSigningKey::draw(&self.shared.vault, &self.name, name)?;
        let draft = |when| (key_added(&key, when, actor.clone()), Some(key.clone()));
        self.change_keys(when, draft).await
    }

    /// Records that a key stops signing: its signatures stay good.
    ///
    /// # Errors
    /// As [`Tenant::append`]; a key that is not in use; the last one.
    pub async fn retire_key(
        &self,
        key_id: &str,
        when: RecordTime,
        actor: Actor,
    ) -> Result<PlacedRecord, Error> {
        self.end_key(key_id, (RecordKind::KeyRetired, KEY_RETIRED), when, actor).await
    }

    /// Records that a key is no longer to be trusted without a trusted time.
    ///
    /// # Errors
    /// As [`Tenant::append`]; a key that is not in use; the last one.
    pub async fn revoke_key(
        &self,
        key_id: &str,
        when: RecordTime,
        actor: Actor,
    ) -> Result<PlacedRecord, Error> {
        self.end_key(key_id, (RecordKind::KeyRevoked, KEY_REVOKED), when, actor).await
    }

    /// Records that dates of changes of keys were wrong, and the dates to use instead.
    ///
    /// # Errors
    /// As [`Tenant::append`]; a date that needs no correction, or a history that cannot have happened
    /// with the corrected ones.
    pub async fn redate_keys(
        &self,
        redating: &KeyRedating,
        when: RecordTime,
        actor: Actor,
    ) -> Result<PlacedRecord, Error> {
        let mut tries = 1;
        loop {
            let since = self.head().await?.size;
            let history = self.key_history().await?;
            let draft = redating_record(history, redating, when, actor.clone())?;
            let unless = vec![AppendCondition::Kinds { since, kinds: KEY_CHANGE_KINDS }];
            let extra = AppendOptions { unless, ..AppendOptions::default() };
            match send(self, vec![draft], extra).await {
                Err(error) if error.is_outdated() && tries < MAX_KEY_CHANGE_TRIES => tries += 1,
                sent => return one(sent?),
            }
        }
    }

    /// Deletes objects from the lake that no record needs, on the authority of a record.
    ///
    /// Returns those that were deleted; objects that a bucket locks stay. An entry that is appended
    /// at the same time and needs one of them either keeps it, or is asked to put it again.
    ///
    /// # Errors
    /// Unavailable: the lake or the catalog does not
    /// answer; doing it again is safe.
    pub async fn release(
        &self,
        objects: &[Digest],
        erasure: &ErasureAuthorization,
    ) -> Result<Vec<Digest>, Error> {
        let place = format!("`{}`", self.shared.catalog.label);
        let queue = self.queue.as_ref().ok_or_else(|| reading(&place))?;
        let mut gone = Vec::new();
        for some in objects.chunks(MAX_RELEASE_OBJECTS) {
            let (reply, answer) = oneshot::channel();
            let (tenant, objects) = (Arc::clone(&self.name), some.to_vec());
            let release = ObjectRelease { tenant, objects, erasure: erasure.clone(), reply };
            // Waits for a place, unlike an entry: the erasure is recorded and has to be finished.
            let sent = queue.send(SequencerMessage::Release(release)).await;
            sent.map_err(|_| closed(&place))?;
            gone.extend(answer.await.map_err(|_| closed(&place))??);
        }
        Ok(gone)
    }

    async fn append_with(
        &self,
        entry: AppendEntry,
        extra: AppendOptions,
    ) -> Result<Vec<PlacedRecord>, Error> {
        let AppendEntry { drafts, key } = entry;
        send(self, drafts, AppendOptions { key, ..extra }).await
    }

    /// Records a change of keys, again when another one comes in between: its time, which no history
    /// may run back behind, is looked up before.
    async fn change_keys(
        &self,
        when: RecordTime,
        draft: impl Fn(RecordTime) -> (NewRecord, Option<NewSigningKey>),
    ) -> Result<PlacedRecord, Error> {
        let mut tries = 1;
        loop {
            let since = self.head().await?.size;
            let (draft, new_key) = draft(self.key_time(when).await?);
            let unless = vec![AppendCondition::Kinds { since, kinds: KEY_CHANGE_KINDS }];
            let extra = AppendOptions { new_key, unless, ..AppendOptions::default() };
            match send(self, vec![draft], extra).await {
                Err(error) if error.is_outdated() && tries < MAX_KEY_CHANGE_TRIES => tries += 1,
                sent => return one(sent?),
            }
        }
    }

    /// The time of a change of keys. Its row has it too, so the sequencer cannot move it: the clock
    /// is moved here to the newest change.
    async fn key_time(&self, when: RecordTime) -> Result<RecordTime, Error> {
        if when.source == TimeSource::Stated {
            return Ok(when);
        }
        let newest = key_history::newest(&self.key_history().await?);
        Ok(RecordTime { at: newest.map_or(when.at, |newest| newest.max(when.at)), ..when })
    }

    async fn end_key(
        &self,
        key_id: &str,
        (kind, change): (RecordKind, &str),
        when: RecordTime,
        actor: Actor,
    ) -> Result<PlacedRecord, Error> {
        let found = self.select(&KeyRow::query().key_id(key_id)).await?;
        let Some(IndexedRow { row: known, .. }) = found.first() else {
            return Err(Error::refused("change a key", format!("tenant `{}`", self.name))
                .saw("a key of the tenant", format!("`{key_id}`")));
        };
        let draft = |when: RecordTime| {
            let row = KeyRow { change: change.to_owned(), at: when.at, ..known.clone() };
            let rows = vec![row.into()];
            let (actor, subject) = (actor.clone(), key_subject(key_id));
            let fields = vec![key_field(&known.public_key)];
            (NewRecord { kind, id: None, when, actor, subject, fields, rows }, None)
        };
        self.change_keys(when, draft).await
    }
}

/// The parts of an entry beside its records.
#[derive(Default)]
pub(crate) struct AppendOptions {
    pub(crate) key: Option<IdempotencyKey>,
    pub(crate) creates: Option<String>,
    pub(crate) new_key: Option<NewSigningKey>,
    pub(crate) unless: Vec<AppendCondition>,
    pub(crate) cosignatures: Vec<(u64, String)>,
    pub(crate) timestamps: Vec<(u64, String)>,
}

/// Commits to the drafts, queues the entry and waits for its answer.
pub(crate) async fn send(
    tenant: &Tenant,
    drafts: Vec<NewRecord>,
    extra: AppendOptions,
) -> Result<Vec<PlacedRecord>, Error> {
    let place = || format!("`{}`", tenant.shared.catalog.label);
    let Some(queue) = &tenant.queue else {
        return Err(reading(&place()));
    };
    if drafts.is_empty() || drafts.len() > MAX_ENTRY_RECORDS {
        return Err(Error::refused("append a record", place())
            .saw(format!("1 to {MAX_ENTRY_RECORDS} records in an entry"), drafts.len()));
    }
    let names = &tenant.shared.names;
    // Hashing and salts are the caller's work: the sequencer is one task for all tenants.
    let drafts = drafts.into_iter().map(|draft| prepare(names, draft));
    let drafts = drafts.collect::<Result<Vec<_>, _>>()?;
    let AppendOptions { key, creates, new_key, unless, cosignatures, timestamps } = extra;
    let (reply, answer) = oneshot::channel();
    let tenant = Arc::clone(&tenant.name);
    let job = AppendJob {
        tenant,
        drafts,
        key,
        creates,
        new_key,
        unless,
        cosignatures,
        timestamps,
        reply,
    };
    // Never waits: the caller learns at once that the queue is full, and decides itself.
    queue.try_send(SequencerMessage::Append(Box::new(job))).map_err(|error| match error {
        TrySendError::Full(_) => Error::busy("append a record", place())
            .saw(format!("fewer than {} entries waiting", queue.max_capacity()), "as many")
            .hint("wait a little and try again; nothing was written"),
        TrySendError::Closed(_) => closed(&place()),
    })?;
    answer.await.map_err(|_| closed(&place()))?
}

/// The record of a new key.
pub(crate) fn key_added(key: &NewSigningKey, when: RecordTime, actor: Actor) -> NewRecord {
    let public = key.secret.public();
    let row = KeyRow {
        key_id: key.key_id.clone(),
        name: public.name().to_owned(),
        public_key: public.to_string(),
        change: KEY_ADDED.to_owned(),
        at: when.at,
    };
    let subject = key_subject(&key.key_id);
    let fields = vec![key_field(&row.public_key)];
    let rows = vec![row.into()];
    NewRecord { kind: RecordKind::KeyAdded, id: None, when, actor, subject, fields, rows }
}

/// The field by which exports and verifiers read a change of keys.
fn key_field(public_key: &str) -> NewRecordField {
    let content = FieldContent::Bytes(public_key.as_bytes().to_vec());
    NewRecordField { name: KEY_FIELD.to_owned(), content }
}

fn key_subject(key_id: &str) -> String {
    format!("key_{key_id}")
}

fn one(placed: Vec<PlacedRecord>) -> Result<PlacedRecord, Error> {
    placed
        .into_iter()
        .next()
        .ok_or_else(|| Error::damaged("append a record", "the sequencer").saw("one place", "none"))
}

fn reading(place: &str) -> Error {
    Error::refused("append a record", place)
        .saw("a store that is open for writing", "one that is open for reading")
}

fn closed(place: &str) -> Error {
    Error::unavailable("append a record", place).saw("an open store", "a closed one")
}

/// The most records that one entry may hold: it is one transaction.
const MAX_ENTRY_RECORDS: usize = 10_000;
/// What changes which keys are in use.
const KEY_CHANGE_KINDS: &[RecordKind] =
    &[RecordKind::KeyAdded, RecordKind::KeyRedated, RecordKind::KeyRetired, RecordKind::KeyRevoked];
/// How often a change of keys is tried again. Each time another change was made, so one of the
/// callers always succeeds.
const MAX_KEY_CHANGE_TRIES: usize = 100;
/// How many objects go before others have their turn.
const MAX_RELEASE_OBJECTS: usize = 16;
