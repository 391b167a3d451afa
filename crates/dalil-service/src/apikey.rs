//! Keys for the API: given out once, kept as a MAC, revoked by a record.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dalil_evidence::apikey::{ApiKeyScope, ApiKeyToken, Pepper};
use dalil_phrasebook::{bound, expected, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, quote};
use dalil_proof::id::is_given;
use dalil_proof::record::{Actor, RecordKind};
use dalil_proof::time::Time;
use dalil_store::catalog::ApiKeyRow;
use dalil_store::{Error, IdempotencyKey, IndexedRow, NewRecord, Tenant};
use serde::Serialize;

use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append, bytes, none, one, text,
};

#[cfg(test)]
mod tests;

/// A key that is to be made.
#[derive(Clone, Debug)]
pub struct NewApiKey {
    /// Who acts when it is used.
    pub actor: Actor,
    /// The operations that it may be used for.
    pub scopes: BTreeSet<ApiKeyScope>,
    /// When it stops opening anything.
    pub expires_at: Option<Time>,
}

/// A key that was made. Its text is nowhere else, and is not shown again.
#[derive(Clone, Debug, Serialize)]
pub struct IssuedApiKey {
    /// The stored part of it.
    #[serde(flatten)]
    pub key: StoredApiKey,
    /// The key itself.
    pub api_key: String,
    /// Its record.
    pub record: RecordAck,
}

/// The stored part of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredApiKey {
    /// Its name.
    pub key_id: String,
    /// Who acts when it is used: `person:NAME` or `agent:NAME`.
    pub actor: String,
    /// The operations that it may be used for.
    pub scopes: BTreeSet<ApiKeyScope>,
    /// When it stops opening anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
    /// When it was made.
    pub created_at: String,
    /// When it was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<String>,
    /// The MAC of its text.
    #[serde(skip)]
    mac: Digest,
}

/// The keys of a tenant, in the order in which they were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApiKeyList {
    /// The keys.
    pub api_keys: Vec<StoredApiKey>,
}

/// The commitment of a record about a key.
#[derive(Serialize)]
struct ApiKeyPayload<'s> {
    actor: &'s str,
    expires_at: Option<Time>,
    key_id: &'s str,
    scopes: &'s BTreeSet<ApiKeyScope>,
}

/// Makes a key, and returns its text, which cannot be shown again.
///
/// # Errors
/// A key without a scope, one that has ended already, an actor without an identity, or a request
/// under an idempotency key that made a key before.
pub async fn add(
    tenant: &Tenant,
    order: &NewApiKey,
    pepper: &Pepper,
    context: &RequestContext,
) -> Result<IssuedApiKey, OperationFailure> {
    let (known, token) = drawn(tenant, order, pepper, context)?;
    // The request: the key itself differs at every attempt.
    let StoredApiKey { actor, expires_at, scopes, .. } = &known;
    let asked = ApiKeyPayload { actor, expires_at: *expires_at, key_id: "", scopes };
    let key = context.idempotency_key(RecordKind::ApikeyAdded.as_str(), &canon::bytes(&asked)?)?;
    if answered(tenant, key.as_ref()).await?.is_some() {
        return Err(shown_before());
    }
    let change = (RecordKind::ApikeyAdded, CHANGE_ADDED);
    let record = append_change(tenant, &known, change, (key, context)).await?;
    // Of two requests at once, one has made its key.
    if find(tenant, &known.key_id).await?.is_none() {
        return Err(shown_before());
    }
    Ok(IssuedApiKey { key: known, api_key: token.reveal().to_owned(), record })
}

/// A key that nothing was recorded about, and its text.
fn drawn(
    tenant: &Tenant,
    order: &NewApiKey,
    pepper: &Pepper,
    context: &RequestContext,
) -> Result<(StoredApiKey, ApiKeyToken), OperationFailure> {
    let NewApiKey { actor, scopes, expires_at } = order;
    let Some(actor) = spelled(actor) else {
        return Err(
            Fault::new("actor", "actor", expected::person_or_agent(), found::system()).into()
        );
    };
    if scopes.is_empty() {
        return Err(
            Fault::new("scopes", "scopes", bound::at_least_one_scope(), found::none()).into()
        );
    }
    if let Some(end) = expires_at.filter(|end| *end <= context.at) {
        let expected = bound::a_time_after(context.at);
        return Err(Fault::new("time_order", "expires_at", expected, found::value(end)).into());
    }
    // The store gets a MAC of the text. Who reads the catalog cannot use a key.
    let token = ApiKeyToken::new(tenant.name(), random()?, random()?);
    let known = StoredApiKey {
        key_id: token.key_id().to_owned(),
        actor,
        scopes: scopes.clone(),
        expires_at: *expires_at,
        created_at: context.at.to_string(),
        revoked_at: None,
        mac: token.mac(pepper),
    };
    Ok((known, token))
}

/// A key, its text, and the record of making it, which its caller appends with others.
///
/// # Errors
/// As of [`add`].
pub(crate) fn made_with(
    tenant: &Tenant,
    order: &NewApiKey,
    pepper: &Pepper,
    context: &RequestContext,
) -> Result<(StoredApiKey, ApiKeyToken, NewRecord), OperationFailure> {
    let (known, token) = drawn(tenant, order, pepper, context)?;
    let record = record_of(&known, (RecordKind::ApikeyAdded, CHANGE_ADDED), context)?;
    Ok((known, token, record))
}

/// Revokes a key: it opens nothing from here on.
///
/// # Errors
/// No such key, or one that was revoked before.
pub async fn revoke(
    tenant: &Tenant,
    key_id: &str,
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let known = find(tenant, key_id).await?;
    let known =
        known.ok_or_else(|| none(precondition::a_key_of_this_tenant(), "key_id", key_id))?;
    if let Some(at) = &known.revoked_at {
        let found = found::key_revoked_at(quote(key_id), at);
        return Err(Fault::new(
            "revoked",
            "key_id",
            precondition::a_key_that_opens_something(),
            found,
        )
        .into());
    }
    change(tenant, &known, (RecordKind::ApikeyRevoked, CHANGE_REVOKED), context).await
}

/// Every key of a tenant, without its secret.
///
/// # Errors
/// The store cannot be read.
pub async fn list(tenant: &Tenant) -> Result<ApiKeyList, OperationFailure> {
    let mut keys: BTreeMap<String, Vec<ApiKeyRow>> = BTreeMap::new();
    let mut order = Vec::new();
    for IndexedRow { row, .. } in tenant.select(&ApiKeyRow::query()).await? {
        if !keys.contains_key(&row.key_id) {
            order.push(row.key_id.clone());
        }
        keys.entry(row.key_id.clone()).or_default().push(row);
    }
    let keys = order.iter().filter_map(|id| keys.get(id).and_then(|lines| known(lines)));
    Ok(ApiKeyList { api_keys: keys.collect() })
}

/// The key of a name, whether or not it was revoked.
///
/// # Errors
/// The store cannot be read.
pub async fn find(tenant: &Tenant, key_id: &str) -> Result<Option<StoredApiKey>, OperationFailure> {
    let found = tenant.select(&ApiKeyRow::query().key_id(key_id)).await?;
    Ok(known(&found.into_iter().map(|found| found.row).collect::<Vec<_>>()))
}

impl StoredApiKey {
    /// Whether a text is this key; the key may be revoked or expired.
    pub fn is(&self, token: &ApiKeyToken, pepper: &Pepper) -> bool {
        // The MAC covers the whole text; the id is compared so that no row is used for another.
        token.opens(pepper, &self.mac) && token.key_id() == self.key_id
    }

    /// Who acts when it is used.
    pub fn acts(&self) -> Option<Actor> {
        actor(&self.actor)
    }

    /// Whether its time is over.
    pub fn has_ended(&self, now: Time) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// An actor as text: `person:NAME` or `agent:NAME`; the system has no key.
fn spelled(actor: &Actor) -> Option<String> {
    match actor {
        Actor::Agent(name) => Some(format!("agent:{name}")),
        Actor::Person(name) => Some(format!("person:{name}")),
        Actor::System => None,
    }
}

/// The actor that a text names.
pub fn actor(text: &str) -> Option<Actor> {
    match text.split_once(':')? {
        ("agent", name) if is_given(name) => Some(Actor::Agent(name.to_owned())),
        ("person", name) if is_given(name) => Some(Actor::Person(name.to_owned())),
        _ => None,
    }
}

/// A key as its rows tell it: the first made it, a later one revoked it.
fn known(rows: &[ApiKeyRow]) -> Option<StoredApiKey> {
    let made = rows.iter().find(|row| row.change == CHANGE_ADDED)?;
    let revoked = rows.iter().find(|row| row.change == CHANGE_REVOKED);
    let named = |word: &str| ApiKeyScope::WIRE_NAMES.iter().find(|(known, _)| *known == word);
    Some(StoredApiKey {
        key_id: made.key_id.clone(),
        actor: made.actor.clone(),
        // An unknown scope is dropped, so a damaged row can only allow less.
        scopes: made.scopes.split(' ').filter_map(named).map(|(_, scope)| *scope).collect(),
        expires_at: made.expires_at,
        created_at: made.at.to_string(),
        revoked_at: revoked.map(|row| row.at.to_string()),
        mac: made.mac,
    })
}

/// The text of a key cannot be shown a second time, and a retry must not make a second key.
fn shown_before() -> OperationFailure {
    let expected = precondition::a_request_that_has_not_made_a_key_yet();
    let found = found::one_whose_key_was_made_and_shown();
    let fault = Fault::new("taken", "idempotency_key", expected, found);
    fault.hint(hint::lost_key_text()).into()
}

async fn change(
    tenant: &Tenant,
    known: &StoredApiKey,
    (kind, word): (RecordKind, &str),
    context: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    let StoredApiKey { key_id, actor, scopes, expires_at, .. } = known;
    let expires_at = *expires_at;
    let said = canon::bytes(&ApiKeyPayload { actor, expires_at, key_id, scopes })?;
    let key = context.idempotency_key(kind.as_str(), &said)?;
    append_change(tenant, known, (kind, word), (key, context)).await
}

async fn append_change(
    tenant: &Tenant,
    known: &StoredApiKey,
    change: (RecordKind, &str),
    (key, context): (Option<IdempotencyKey>, &RequestContext),
) -> Result<RecordAck, OperationFailure> {
    one(append(tenant, vec![record_of(known, change, context)?], key).await?)
}

/// The record of a change.
fn record_of(
    known: &StoredApiKey,
    (kind, word): (RecordKind, &str),
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let StoredApiKey { key_id, actor, scopes, expires_at, mac, .. } = known;
    let expires_at = *expires_at;
    let said = canon::bytes(&ApiKeyPayload { actor, expires_at, key_id, scopes })?;
    let words: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    let row = ApiKeyRow {
        key_id: key_id.clone(),
        actor: actor.clone(),
        scopes: words.join(" "),
        mac: *mac,
        expires_at,
        change: word.to_owned(),
        at: context.at,
    };
    Ok(context.draft(kind, key_id, vec![bytes("apikey", said)], vec![row.into()]))
}

/// Unpredictable bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], OperationFailure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::unavailable("draw a key", "the operating system").saw("random bytes", error)
    })?;
    Ok(bytes)
}

impl fmt::Display for ApiKeyList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |key: &StoredApiKey| {
            let scopes = text(&key.scopes).map_err(|_| fmt::Error)?;
            let ends = match (&key.revoked_at, &key.expires_at) {
                (Some(at), _) => format!("revoked {at}"),
                (None, Some(at)) => format!("until {at}"),
                (None, None) => String::new(),
            };
            Ok([key.key_id.clone(), key.actor.clone(), scopes, ends])
        };
        let rows = self.api_keys.iter().map(row).collect::<Result<Vec<_>, fmt::Error>>()?;
        crate::table::write(f, ["key", "actor", "scopes", "ends"], rows.into_iter())
    }
}

const CHANGE_ADDED: &str = "added";
const CHANGE_REVOKED: &str = "revoked";
