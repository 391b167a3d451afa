//! Signing keys: their history in the trail, and the trust file for a verifier.

use std::collections::BTreeSet;
use std::fmt;

use dalil_proof::digest::{Digest, hex};
use dalil_proof::keyring::redating::{KeyRedating, REDATING_FIELD, RedatedChange};
use dalil_proof::keyring::{KeyChangeKind, KeyHistoryEntry};
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;
use dalil_proof::trail::KEY_FIELD;
use dalil_store::catalog::{KeyRedatingRow, KeyRow};
use dalil_store::{Error, IndexedRow, PlacedRecord, Tenant};
use serde::Serialize;

use crate::operation::{OperationFailure, RecordAck, RequestContext, held_bytes};

/// A change of keys, and its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyChange {
    /// The record.
    pub index: u64,
    /// The key's id, which signatures find it by.
    pub key_id: String,
    /// When, what, and which key.
    #[serde(flatten)]
    pub entry: KeyHistoryEntry,
}

/// The key history of a tenant, from its beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TenantKeyHistory {
    /// The changes, in order.
    pub keys: Vec<KeyChange>,
}

/// The input of a verifier: the trail, its keys, and perhaps a head that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrustFile {
    /// The trail.
    pub origin: String,
    /// Its keys, from the beginning.
    pub key_history: Vec<KeyHistoryEntry>,
    /// The head at the time of making.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<SeenHead>,
}

/// A head, and when it was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenHead {
    /// When.
    pub at: Time,
    /// How many records.
    pub size: u64,
    /// The root over them.
    pub root: Digest,
}

/// A change of a key, and when it is to be taken to have happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyDateCorrection {
    /// The id of the key.
    pub key_id: String,
    /// What happened to it.
    pub change: KeyChangeKind,
    /// When.
    pub at: Time,
}

/// The history of a tenant's keys, read from the records themselves.
///
/// # Errors
/// The store cannot be read, or a record about a key was changed.
pub async fn list(tenant: &Tenant) -> Result<TenantKeyHistory, OperationFailure> {
    let mut keys = Vec::new();
    for IndexedRow { index, .. } in tenant.select(&KeyRow::query()).await? {
        // The row only points at the record, whose commitment is tested when it is read.
        keys.push(change(tenant, index).await?);
    }
    let corrections: BTreeSet<u64> =
        tenant.select(&KeyRedatingRow::query()).await?.iter().map(|found| found.index).collect();
    for index in corrections {
        for corrected in redating(tenant, index).await?.changes {
            let is_own = |change: &&mut KeyChange| corrected.is_about(&change.entry);
            if let Some(change) = keys.iter_mut().find(is_own) {
                change.entry.redated = Some(corrected.at);
            }
        }
    }
    Ok(TenantKeyHistory { keys })
}

async fn redating(tenant: &Tenant, index: u64) -> Result<KeyRedating, OperationFailure> {
    let damaged = || damaged(tenant, index, "a record of corrected dates, with its field");
    let stored = tenant.record(index).await?.ok_or_else(damaged)?;
    let field = held_bytes(&stored, REDATING_FIELD).ok_or_else(damaged)?;
    Ok(KeyRedating::parse(field).map_err(|_| damaged())?)
}

fn damaged(tenant: &Tenant, index: u64, expected: &str) -> Error {
    Error::damaged("read a key", format!("tenant `{}`, record {index}", tenant.name()))
        .saw(expected, "another, or none")
        .hint("`dalil fsck` says what else is not as it was")
}

async fn change(tenant: &Tenant, index: u64) -> Result<KeyChange, OperationFailure> {
    let damaged = || damaged(tenant, index, "a record about a key, with its field `key`");
    let stored = tenant.record(index).await?.ok_or_else(damaged)?;
    let envelope = stored.record.envelope();
    let change = match envelope.kind {
        RecordKind::KeyAdded => KeyChangeKind::Added,
        RecordKind::KeyRetired => KeyChangeKind::Retired,
        RecordKind::KeyRevoked => KeyChangeKind::Revoked,
        _ => return Err(damaged().into()),
    };
    let key = held_bytes(&stored, KEY_FIELD).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let key = key.and_then(|key| key.parse().ok()).ok_or_else(damaged)?;
    let entry = KeyHistoryEntry { at: envelope.at, change, key, redated: None };
    Ok(KeyChange { index, key_id: hex(&entry.key.id()), entry })
}

/// The keys' history as exports and trust files have it.
pub(super) async fn history(tenant: &Tenant) -> Result<Vec<KeyHistoryEntry>, OperationFailure> {
    Ok(list(tenant).await?.keys.into_iter().map(|change| change.entry).collect())
}

/// Draws a key that signs from here on, under the trail's origin or another name.
///
/// # Errors
/// A name that no key can have, or a store that did not take it.
pub async fn add(
    tenant: &Tenant,
    name: Option<&str>,
    context: &RequestContext,
) -> Result<KeyChange, OperationFailure> {
    let name = name.unwrap_or(tenant.origin());
    let PlacedRecord { index, .. } =
        tenant.add_key(name, context.when(), context.actor.clone()).await?;
    change(tenant, index).await
}

/// Retires a key: its signatures stay good.
///
/// # Errors
/// A key that is not in use, or the last one.
pub async fn retire(
    tenant: &Tenant,
    key_id: &str,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    Ok(tenant.retire_key(key_id, context.when(), context.actor.clone()).await?.into())
}

/// Declares a key lost: a signature of it is good only where it was seen before.
///
/// # Errors
/// A key that is not in use, or the last one.
pub async fn revoke(
    tenant: &Tenant,
    key_id: &str,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    Ok(tenant.revoke_key(key_id, context.when(), context.actor.clone()).await?.into())
}

/// Corrects dates of changes that cannot be, by a record that states why: no verifier accepts a key
/// history whose times run back.
///
/// # Errors
/// A change that was not recorded, or whose date needs no correction; a history that cannot have
/// happened with the corrected dates.
pub async fn redate(
    tenant: &Tenant,
    corrections: &[KeyDateCorrection],
    reason: &str,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let history = list(tenant).await?.keys;
    let mut changes = Vec::with_capacity(corrections.len());
    for correction in corrections {
        let is_own = |known: &&KeyChange| {
            known.key_id == correction.key_id && known.entry.change == correction.change
        };
        let Some(known) = history.iter().find(is_own) else {
            return Err(Error::refused(
                "correct the date of a key",
                format!("`{}`", correction.key_id),
            )
            .saw("a change that was recorded", "none")
            .hint("`dalil keys list` shows every change")
            .into());
        };
        let KeyHistoryEntry { change, key, .. } = known.entry.clone();
        changes.push(RedatedChange { at: correction.at, change, key });
    }
    let redating = KeyRedating { changes, reason: reason.to_owned() };
    Ok(tenant.redate_keys(&redating, context.when(), context.actor.clone()).await?.into())
}

/// The trust file for a verifier; `seen` adds the head as it is, seen at that time.
///
/// # Errors
/// The store cannot be read, or was changed.
pub async fn trust(tenant: &Tenant, seen: Option<Time>) -> Result<TrustFile, OperationFailure> {
    // The head before the keys: keys that sign it are then in the history.
    let head = tenant.head().await?;
    let seen = seen.map(|at| SeenHead { at, size: head.size, root: head.root });
    Ok(TrustFile {
        origin: tenant.origin().to_owned(),
        key_history: history(tenant).await?,
        seen: seen.into_iter().collect(),
    })
}

impl fmt::Display for TenantKeyHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |entry: &KeyHistoryEntry| {
            let named =
                KeyChangeKind::WIRE_NAMES.iter().find(|(_, change)| *change == entry.change);
            named.map_or("", |(word, _)| word).to_owned()
        };
        let row = |KeyChange { index, key_id, entry }: &KeyChange| {
            let (at, key) = (entry.at.to_string(), entry.key.to_string());
            [index.to_string(), at, word(entry), key_id.clone(), key]
        };
        let redated = |change: &KeyChange| {
            let [index, at, word, key_id, key] = row(change);
            let time = change.entry.redated.map_or_else(|| "–".to_owned(), |time| time.to_string());
            [index, at, time, word, key_id, key]
        };
        // A column that hardly any trail has anything in.
        if self.keys.iter().any(|change| change.entry.redated.is_some()) {
            let head = ["record", "at", "taken as of", "change", "id", "key"];
            return crate::table::write(f, head, self.keys.iter().map(redated));
        }
        let head = ["record", "at", "change", "id", "key"];
        crate::table::write(f, head, self.keys.iter().map(row))
    }
}
