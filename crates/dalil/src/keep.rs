//! Keeping: what the product makes, left in a store so that it can be proved later.
//!
//! ```text
//! request ─check─▶ objects into the lake ─▶ one entry: records and their rows ─▶ reply
//! ```
//!
//! A verb appends one entry, after every object that the entry needs is durable
//! in the lake; a crash between the two leaves an object that nothing names, and
//! never a name without its object. Every verb is given a tenant and reaches
//! nothing of another. Time, actor and idempotency key come in a [`Deed`].

use dalil_core::canon::NotCanonical;
use dalil_core::digest::Digest;
use dalil_core::fault::{Fault, Refused};
use dalil_core::id::RecordId;
use dalil_core::record::{Actor, Kind};
use dalil_core::time::Time;
use dalil_store::trail::{Held, State, Stored};
use dalil_store::{Content, Draft, Error, Field, IdempotencyKey, Placed, Row};
use serde::Serialize;

pub mod doctor;
pub mod erase;
pub mod fsck;
pub mod hold;
pub mod keys;
pub mod tenant;
mod table;
pub mod trail;

mod line;
#[cfg(test)]
mod tests;

/// Who does something, when, and under which name a second try is the same.
#[derive(Clone, Debug)]
pub struct Deed {
    /// When.
    pub at: Time,
    /// Who.
    pub actor: Actor,
    /// The name of the request, so that a retry gives the first answer.
    pub key: Option<String>,
}

/// Where a record has come to stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ack {
    /// Its place in the trail, from 0.
    pub index: u64,
    /// Its name.
    pub id: RecordId,
    /// Its leaf hash.
    pub leaf: Digest,
}

impl From<Placed> for Ack {
    fn from(Placed { index, id, leaf }: Placed) -> Self {
        Self { index, id, leaf }
    }
}

/// Why something was not kept, or could not be read back.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request breaks rules.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The store did not do it.
    #[error(transparent)]
    Store(#[from] Error),
    /// A value of ours has no canonical form: a fault of this program.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Refused(fault.into())
    }
}

impl Deed {
    /// A record of this deed.
    fn draft(&self, kind: Kind, subject: &str, fields: Vec<Field>, rows: Vec<Row>) -> Draft {
        let (at, actor) = (self.at, self.actor.clone());
        Draft { kind, id: None, at, actor, subject: subject.to_owned(), fields, rows }
    }

    /// The name of a request, which stands for the verb and the request's bytes.
    fn named(&self, verb: &str, request: &[u8]) -> Result<Option<IdempotencyKey>, Error> {
        let Some(key) = &self.key else { return Ok(None) };
        let fingerprint = [verb.as_bytes(), b"\n", request].concat();
        IdempotencyKey::new(key, &fingerprint).map(Some)
    }
}

/// The place of an entry of one record.
fn one(acks: Vec<Ack>) -> Result<Ack, Failure> {
    let none = || Error::damaged("append a record", "the store").saw("a place", "none");
    acks.into_iter().next().ok_or_else(|| none().into())
}

/// A part of a payload that the catalog keeps.
fn bytes(name: &str, bytes: Vec<u8>) -> Field {
    Field { name: name.to_owned(), content: Content::Bytes(bytes) }
}

/// What is left of a record's field.
fn held<'s>(stored: &'s Stored, name: &str) -> Option<&'s State> {
    stored.fields.iter().find(|field| field.name == name).map(|field| &field.state)
}

/// The bytes of a record's field, if they are there.
fn held_bytes<'s>(stored: &'s Stored, name: &str) -> Option<&'s [u8]> {
    match held(stored, name) {
        Some(State::Present(_, Held::Bytes(bytes))) => Some(bytes),
        _ => None,
    }
}

/// A value that is one word in JSON, as that word.
fn word(value: &impl Serialize) -> Result<String, NotCanonical> {
    let text = text(value)?;
    Ok(text.trim_matches('"').to_owned())
}

/// A value as canonical JSON text.
fn text(value: &impl Serialize) -> Result<String, NotCanonical> {
    let bytes = dalil_core::canon::bytes(value)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
