//! Appending: entries on their way to the sequencer.

use std::sync::Arc;

use dalil_core::record::{Actor, Kind};
use dalil_core::time::Time;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;

use super::Tenant;
use super::entry::{Draft, Entry, IdempotencyKey, Placed, prepare};
use super::signer::{ADDED, NewKey, RETIRED, REVOKED};
use crate::catalog::{Row, Table, Value};
use crate::error::Error;
use crate::sequencer::{Destroy, Job, Message};

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

    /// Destroys the payload and the rows of a record that an erasure names.
    ///
    /// The erasure is a record of its own, appended before, with a row in `erasures`.
    /// Doing it again changes nothing.
    ///
    /// # Errors
    /// `Refused`: no erasure names the record. `Unavailable`: the database does not answer.
    pub async fn destroy(&self, index: u64) -> Result<(), Error> {
        let place = format!("`{}`", self.shared.catalog.label);
        let Some(queue) = &self.queue else { return Err(reading(&place)) };
        let (reply, answer) = oneshot::channel();
        let destroy = Destroy { tenant: Arc::clone(&self.name), index, reply };
        queue.send(Message::Destroy(destroy)).await.map_err(|_| closed(&place))?;
        answer.await.map_err(|_| closed(&place))?
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
        let draft = Draft { kind, id: None, at, actor, subject, fields: Vec::new(), rows };
        one(send(self, vec![draft], Extra::default()).await?)
    }
}

/// What an entry may carry beside its records.
#[derive(Default)]
pub(crate) struct Extra {
    pub(crate) key: Option<IdempotencyKey>,
    pub(crate) creates: Option<String>,
    pub(crate) new_key: Option<NewKey>,
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
    let Extra { key, creates, new_key } = extra;
    let (reply, answer) = oneshot::channel();
    let job = Job { tenant: Arc::clone(&tenant.name), drafts, key, creates, new_key, reply };
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
    Draft { kind: Kind::KeyAdded, id: None, at, actor, subject, fields: Vec::new(), rows }
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
