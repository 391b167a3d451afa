//! Many requests in one stream: each line is appended in its turn and answered when it is durable.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use dalil_proof::canon;
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::Fault;
use dalil_proof::json::Json;
use dalil_proof::record::Actor;
use dalil_proof::time::Time;
use dalil_store::{ErrorKind, RecordTime, Tenant, TimeSource};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::obligation::{self, RecordedObligation, RecordedPackage};
use crate::operation::{OperationFailure, RequestContext};

#[cfg(test)]
mod tests;

/// A line of input.
#[derive(Clone, Debug)]
pub struct BulkLine {
    /// Its number, from 1.
    pub number: u64,
    /// Its content: `{"kind":"package"|"status","request":{…},"key"?,"at"?}`.
    pub bytes: Vec<u8>,
}

/// The options that the lines have in common.
pub struct BulkOptions<'s> {
    /// Who acts.
    pub actor: Actor,
    /// The time, for lines that give none.
    pub now: &'s (dyn Fn() -> RecordTime + Sync),
    /// How many lines may wait for their answer at once.
    pub in_flight: usize,
}

/// What became of a line.
#[derive(Debug, Serialize)]
pub struct BulkLineReply {
    /// The number of the line.
    pub line: u64,
    /// The line's idempotency key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Its place in the trail, or why it has none.
    #[serde(flatten)]
    pub outcome: BulkLineOutcome,
}

/// The places of a line's records, or why it has none.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum BulkLineOutcome {
    /// A package was recorded.
    Packaged(RecordedPackage),
    /// A status was recorded.
    Changed(RecordedObligation),
    /// The line breaks rules; nothing was appended.
    Refused {
        /// Every fault.
        refused: Vec<Fault>,
    },
    /// The store did not do it.
    Failed {
        /// Whose fault it is.
        kind: &'static str,
        /// What went wrong.
        error: String,
    },
}

/// How the lines ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkTally {
    /// Lines that are durable.
    pub appended: u64,
    /// Lines that were refused.
    pub refused: u64,
    /// Lines that the store could not take.
    pub failed: u64,
}

/// Appends every line, in order, and calls `tell` with each answer as soon as there is one.
///
/// Answers come in the order in which the store gives them; a line that is
/// refused leaves the others alone.
///
/// # Errors
/// What `tell` gives: lines that were read until then may be appended all the same.
pub async fn append<E>(
    tenant: &Tenant,
    lines: &mut mpsc::Receiver<BulkLine>,
    setup: &BulkOptions<'_>,
    tell: &mut (dyn FnMut(&BulkLineReply) -> Result<(), E> + Send),
) -> Result<BulkTally, E> {
    let mut tally = BulkTally::default();
    let mut waiting = JoinSet::new();
    let mut is_open = true;
    loop {
        // The queue of the store is bounded, and so is the memory for lines that wait.
        let may_read = is_open && waiting.len() < setup.in_flight.max(1);
        let answer = tokio::select! {
            Some(answer) = waiting.join_next(), if !waiting.is_empty() => {
                answer.unwrap_or_else(|error| lost(&error))
            }
            line = lines.recv(), if may_read => {
                let Some(line) = line else { is_open = false; continue };
                let mut work = Box::pin(work(tenant.clone(), line, setup.actor.clone(), (setup.now)()));
                // Polled once before the next line is read; a spawned task may start later.
                match begin(work.as_mut()).await {
                    Poll::Ready(answer) => answer,
                    Poll::Pending => { waiting.spawn(work); continue }
                }
            }
            else => break,
        };
        tally.count(&answer.outcome);
        tell(&answer)?;
    }
    Ok(tally)
}

/// Takes the first step here, which puts the line into the store's queue: so lines keep their order.
async fn begin(
    mut work: Pin<&mut (impl Future<Output = BulkLineReply> + ?Sized)>,
) -> Poll<BulkLineReply> {
    poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await
}

async fn work(tenant: Tenant, line: BulkLine, actor: Actor, now: RecordTime) -> BulkLineReply {
    let BulkLine { number, bytes } = line;
    let (key, outcome) = match BulkRequest::read(&bytes) {
        Ok(BulkRequest { kind, request, key, at }) => {
            let stated = |at| RecordTime { at, source: TimeSource::Stated };
            let RecordTime { at, source } = at.map_or(now, stated);
            let context = RequestContext { at, time_source: source, actor, key: key.clone() };
            let done = match kind {
                BulkRequestKind::Package => obligation::package(&tenant, &request, &context)
                    .await
                    .map(BulkLineOutcome::Packaged),
                BulkRequestKind::Status => obligation::status(&tenant, &request, &context)
                    .await
                    .map(BulkLineOutcome::Changed),
            };
            (key, done)
        }
        Err(failure) => (None, Err(failure)),
    };
    BulkLineReply { line: number, key, outcome: outcome.unwrap_or_else(BulkLineOutcome::from) }
}

impl From<OperationFailure> for BulkLineOutcome {
    fn from(failure: OperationFailure) -> Self {
        match failure {
            OperationFailure::Refused(refused) => Self::Refused { refused: refused.refused },
            OperationFailure::Store(error) => {
                let kind = match error.kind {
                    ErrorKind::Refused | ErrorKind::Outdated => "refused",
                    ErrorKind::Unavailable => "unavailable",
                    ErrorKind::Busy => "busy",
                    ErrorKind::Damaged => "damaged",
                };
                Self::Failed { kind, error: error.to_string() }
            }
            OperationFailure::NotCanonical(error) => {
                Self::Failed { kind: "refused", error: error.to_string() }
            }
            #[cfg(feature = "pdf")]
            OperationFailure::Unpressed(error) => {
                Self::Failed { kind: "refused", error: error.to_string() }
            }
        }
    }
}

/// A task that ended without an answer.
fn lost(error: &tokio::task::JoinError) -> BulkLineReply {
    let outcome = BulkLineOutcome::Failed { kind: "unavailable", error: error.to_string() };
    BulkLineReply { line: 0, key: None, outcome }
}

impl BulkTally {
    fn count(&mut self, outcome: &BulkLineOutcome) {
        match outcome {
            BulkLineOutcome::Packaged(_) | BulkLineOutcome::Changed(_) => self.appended += 1,
            BulkLineOutcome::Refused { .. } | BulkLineOutcome::Failed { kind: "refused", .. } => {
                self.refused += 1;
            }
            BulkLineOutcome::Failed { .. } => self.failed += 1,
        }
    }
}

/// The request of a line.
struct BulkRequest {
    kind: BulkRequestKind,
    request: Vec<u8>,
    key: Option<String>,
    at: Option<Time>,
}

#[derive(Clone, Copy)]
enum BulkRequestKind {
    Package,
    Status,
}

impl BulkRequest {
    fn read(bytes: &[u8]) -> Result<Self, OperationFailure> {
        let json = Json::parse(bytes)?;
        let (kind, key, at) = decode::value(&json, |reader: JsonReader<'_, '_>| {
            let mut fields = reader.object()?;
            let kinds =
                [("package", BulkRequestKind::Package), ("status", BulkRequestKind::Status)];
            let kind = fields.required("kind", |kind| kind.choice(&kinds));
            let key = fields.optional("key", decode::filled);
            let at = fields.optional("at", decode::time);
            let request = fields.required("request", |request| decode::object(request).map(|_| ()));
            fields.done()?;
            request?;
            Some((kind?, key?, at?))
        })?;
        // Canonical, so that the idempotency key does not depend on spaces or the order of names.
        let request = canon::bytes(json.get("request").unwrap_or(&Json::Null))?;
        Ok(Self { kind, request, key, at })
    }
}

impl std::fmt::Debug for BulkOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Setup({:?}, {} in flight)", self.actor, self.in_flight)
    }
}
