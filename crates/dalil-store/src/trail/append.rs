//! Appending: entries on their way to the sequencer.

use std::sync::Arc;

use dalil_core::digest::Digest;
use dalil_core::record::{Actor, Kind};
use dalil_core::time::Time;
use dalil_core::trail::KEY_FIELD;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;

use super::Tenant;
use super::entry::{Content, Draft, Entry, Field, IdempotencyKey, Placed, Unless, prepare};
use super::signer::{ADDED, NewKey, RETIRED, REVOKED};
use crate::catalog::{Row, Table, Value};
use crate::error::Error;
use crate::lake::Erasure;
use crate::sequencer::{Job, Message, Release};

impl Tenant {
    /// Appends an entry. When this returns, its records are durable.
    ///
    /// # Errors
    /// `Refused`: the entry breaks a rule. `Busy`: too much is waiting. `Unavailable`:
    /// the database does not answer; then whether the records stand is not known,
    /// and a retry with the same idempotency key finds out.
    pub async fn append(&self, entry: Entry) -> Result<Vec<Placed>, Error> {
        let Entry { drafts, key } = entry;
        send(self, drafts, Extra { key, ..Extra::default() }).await
    }

    /// Appends an entry, unless what the caller looked at has changed since.
    ///
    /// # Errors
    /// As [`Tenant::append`]; refused when a record of those kinds came in between.
    pub async fn append_unless(&self, entry: Entry, unless: Unless) -> Result<Vec<Placed>, Error> {
        let Entry { drafts, key } = entry;
        send(self, drafts, Extra { key, unless: Some(unless), ..Extra::default() }).await
    }

    /// Keeps another party's signature line on a checkpoint, with the record of it.
    ///
    /// # Errors
    /// As [`Tenant::append`].
    pub async fn cosigned(
        &self,
        entry: Entry,
        size: u64,
        line: &str,
    ) -> Result<Vec<Placed>, Error> {
        let Entry { drafts, key } = entry;
        let cosignatures = vec![(size, line.to_owned())];
        send(self, drafts, Extra { key, cosignatures, ..Extra::default() }).await
    }

    /// Draws a new signing key, seals it, and records that it is in use.
    ///
    /// # Errors
    /// As [`Tenant::append`].
    pub async fn add_key(&self, name: &str, at: Time, actor: Actor) -> Result<Placed, Error> {
        let key = NewKey::draw(&self.shared.vault, &self.name, name)?;
        let draft = key_added(&key, at, actor);
        let extra = Extra { new_key: Some(key), ..Extra::default() };
        one(send(self, vec![draft], extra).await?)
    }

    /// Records that a key stops signing: what it signed stays good.
    ///
    /// # Errors
    /// As [`Tenant::append`]; a key that is not in use; the last one.
    pub async fn retire_key(&self, key_id: &str, at: Time, actor: Actor) -> Result<Placed, Error> {
        self.end_key(key_id, (Kind::KeyRetired, RETIRED), at, actor).await
    }

    /// Records that a key is no longer to be trusted without a trusted time.
    ///
    /// # Errors
    /// As [`Tenant::append`]; a key that is not in use; the last one.
    pub async fn revoke_key(&self, key_id: &str, at: Time, actor: Actor) -> Result<Placed, Error> {
        self.end_key(key_id, (Kind::KeyRevoked, REVOKED), at, actor).await
    }

    /// Takes objects out of the lake that no record needs, because a record says so.
    ///
    /// Gives those that went; what a bucket locks stays. An entry that is appended at the same time and needs
    /// one of them either keeps it, or is told to put it again.
    ///
    /// # Errors
    /// Unavailable: the lake or the catalog does not
    /// answer; doing it again is safe.
    pub async fn release(
        &self,
        objects: &[Digest],
        erasure: &Erasure,
    ) -> Result<Vec<Digest>, Error> {
        let place = format!("`{}`", self.shared.catalog.label);
        let queue = self.queue.as_ref().ok_or_else(|| reading(&place))?;
        let mut gone = Vec::new();
        for some in objects.chunks(AT_ONCE) {
            let (reply, answer) = oneshot::channel();
            let (tenant, objects) = (Arc::clone(&self.name), some.to_vec());
            let release = Release { tenant, objects, erasure: erasure.clone(), reply };
            let sent = queue.send(Message::Release(release)).await;
            sent.map_err(|_| closed(&place))?;
            gone.extend(answer.await.map_err(|_| closed(&place))??);
        }
        Ok(gone)
    }

    async fn end_key(
        &self,
        key_id: &str,
        (kind, change): (Kind, &str),
        at: Time,
        actor: Actor,
    ) -> Result<Placed, Error> {
        let select = crate::catalog::Select::equal(Table::Keys, "key_id", key_id);
        let found = self.select(&select).await?;
        let Some([_, _, _, name, public, ..]) = found.first().map(Vec::as_slice) else {
            return Err(Error::refused("change a key", format!("tenant `{}`", self.name))
                .saw("a key of the tenant", format!("`{key_id}`")));
        };
        let values = vec![
            Value::from(key_id),
            name.clone(),
            public.clone(),
            Value::from(change),
            Value::from(at.to_string()),
        ];
        let rows = vec![Row { table: Table::Keys, values }];
        let subject = key_subject(key_id);
        let fields = vec![key_field(public)];
        let draft = Draft { kind, id: None, at, actor, subject, fields, rows };
        one(send(self, vec![draft], Extra::default()).await?)
    }
}

/// What an entry may carry beside its records.
#[derive(Default)]
pub(crate) struct Extra {
    pub(crate) key: Option<IdempotencyKey>,
    pub(crate) creates: Option<String>,
    pub(crate) new_key: Option<NewKey>,
    pub(crate) unless: Option<Unless>,
    pub(crate) cosignatures: Vec<(u64, String)>,
}

/// Commits to the drafts, queues the entry and waits for its answer.
pub(crate) async fn send(
    tenant: &Tenant,
    drafts: Vec<Draft>,
    extra: Extra,
) -> Result<Vec<Placed>, Error> {
    let place = || format!("`{}`", tenant.shared.catalog.label);
    let Some(queue) = &tenant.queue else {
        return Err(reading(&place()));
    };
    if drafts.is_empty() || drafts.len() > MAX_DRAFTS {
        return Err(Error::refused("append a record", place())
            .saw(format!("1 to {MAX_DRAFTS} records in an entry"), drafts.len()));
    }
    let names = &tenant.shared.names;
    let drafts = drafts.into_iter().map(|draft| prepare(names, draft));
    let drafts = drafts.collect::<Result<Vec<_>, _>>()?;
    let Extra { key, creates, new_key, unless, cosignatures } = extra;
    let (reply, answer) = oneshot::channel();
    let tenant = Arc::clone(&tenant.name);
    let job = Job { tenant, drafts, key, creates, new_key, unless, cosignatures, reply };
    queue.try_send(Message::Append(Box::new(job))).map_err(|error| match error {
        TrySendError::Full(_) => Error::busy("append a record", place())
            .saw(format!("fewer than {} entries waiting", queue.max_capacity()), "as many")
            .hint("wait a little and try again; nothing was written"),
        TrySendError::Closed(_) => closed(&place()),
    })?;
    answer.await.map_err(|_| closed(&place()))?
}

/// The record of a new key.
pub(crate) fn key_added(key: &NewKey, at: Time, actor: Actor) -> Draft {
    let public = key.secret.public();
    let values = vec![
        Value::from(key.key_id.as_str()),
        Value::from(public.name()),
        Value::from(public.to_string()),
        Value::from(ADDED),
        Value::from(at.to_string()),
    ];
    let rows = vec![Row { table: Table::Keys, values }];
    let subject = key_subject(&key.key_id);
    let fields = vec![key_field(&Value::from(public.to_string()))];
    Draft { kind: Kind::KeyAdded, id: None, at, actor, subject, fields, rows }
}

/// The field by which exports and verifiers read a change of keys.
fn key_field(public: &Value) -> Field {
    let bytes = match public {
        Value::Text(key) => key.clone().into_bytes(),
        Value::Int(_) | Value::Real(_) | Value::Blob(_) | Value::Null => Vec::new(),
    };
    Field { name: KEY_FIELD.to_owned(), content: Content::Bytes(bytes) }
}

fn key_subject(key_id: &str) -> String {
    format!("key_{key_id}")
}

fn one(placed: Vec<Placed>) -> Result<Placed, Error> {
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
const MAX_DRAFTS: usize = 10_000;
/// How many objects go before others have their turn.
const AT_ONCE: usize = 16;
