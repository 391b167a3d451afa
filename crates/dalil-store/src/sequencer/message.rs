//! The messages to the sequencer.

use std::sync::Arc;

use dalil_proof::digest::Digest;
use tokio::sync::{mpsc, oneshot};

use crate::error::Error;
use crate::lake::ErasureAuthorization;
use crate::trail::entry::{AppendCondition, IdempotencyKey, PlacedRecord, PreparedRecord};
use crate::trail::signer::NewSigningKey;

/// The way to the sequencer; `None` when the store is open for reading only.
pub(crate) type SequencerQueue = Option<mpsc::Sender<SequencerMessage>>;

/// A request to the sequencer.
pub(crate) enum SequencerMessage {
    /// Append an entry.
    Append(Box<AppendJob>),
    /// Take objects out of the lake that no record needs.
    Release(ObjectRelease),
    /// Finish the waiting requests, and end.
    Close,
}

/// An entry on its way.
pub(crate) struct AppendJob {
    pub(crate) tenant: Arc<str>,
    pub(crate) drafts: Vec<PreparedRecord>,
    pub(crate) key: Option<IdempotencyKey>,
    /// The origin of a tenant that this entry makes.
    pub(crate) creates: Option<String>,
    /// A key that this entry adds.
    pub(crate) new_key: Option<NewSigningKey>,
    /// The conditions under which nothing is appended.
    pub(crate) unless: Vec<AppendCondition>,
    /// Cosignatures that this entry keeps: the size of a checkpoint, and the line.
    pub(crate) cosignatures: Vec<(u64, String)>,
    /// Time stamps that this entry keeps, in the same way.
    pub(crate) timestamps: Vec<(u64, String)>,
    pub(crate) reply: oneshot::Sender<AppendResult>,
}

/// The places of an entry's records, or why it was not appended.
pub(crate) type AppendResult = Result<Vec<PlacedRecord>, Error>;

/// Objects that are to go.
pub(crate) struct ObjectRelease {
    pub(crate) tenant: Arc<str>,
    pub(crate) objects: Vec<Digest>,
    pub(crate) erasure: ErasureAuthorization,
    pub(crate) reply: oneshot::Sender<Result<Vec<Digest>, Error>>,
}
