//! Many requests in one stream: each line is appended in its turn and answered when it is durable.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use dalil_core::canon;
use dalil_core::fault::Fault;
use dalil_core::json::Json;
use dalil_core::read::{self, Reader};
use dalil_core::record::Actor;
use dalil_core::time::Time;
use dalil_store::{ErrorKind, Tenant};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::obligation::{self, Packaged, Recorded};
use super::{Deed, Failure};

#[cfg(test)]
mod tests;

/// A line of input.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// What is in it: `{"kind":"package"|"status","request":{…},"key"?,"at"?}`.
    pub bytes: Vec<u8>,
}

/// What the lines have in common.
pub struct Setup<'s> {
    /// Who acts.
    pub actor: Actor,
    /// The time, for lines that give none.
    pub now: &'s (dyn Fn() -> Time + Sync),
    /// How many lines may wait for their answer at once.
    pub in_flight: usize,
}

/// What became of a line.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The number of the line.
    pub line: u64,
    /// The line's idempotency key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Where it stands, or why it does not.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// Where the records of a line stand, or why they do not.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// A package was recorded.
    Packaged(Packaged),
    /// A status was recorded.
    Changed(Recorded),
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
pub struct Tally {
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
    lines: &mut mpsc::Receiver<Line>,
    setup: &Setup<'_>,
    tell: &mut (dyn FnMut(&Answer) -> Result<(), E> + Send),
) -> Result<Tally, E> {
    let mut tally = Tally::default();
    let mut waiting = JoinSet::new();
    let mut is_open = true;
    loop {
        let may_read = is_open && waiting.len() < setup.in_flight.max(1);
        let answer = tokio::select! {
            Some(answer) = waiting.join_next(), if !waiting.is_empty() => {
                answer.unwrap_or_else(|error| lost(&error))
            }
            line = lines.recv(), if may_read => {
                let Some(line) = line else { is_open = false; continue };
                let mut work = Box::pin(work(tenant.clone(), line, setup.actor.clone(), (setup.now)()));
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
async fn begin(mut work: Pin<&mut (impl Future<Output = Answer> + ?Sized)>) -> Poll<Answer> {
    poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await
}

async fn work(tenant: Tenant, line: Line, actor: Actor, now: Time) -> Answer {
    let Line { number, bytes } = line;
    let (key, outcome) = match Asked::read(&bytes) {
        Ok(Asked { kind, request, key, at }) => {
            let deed = Deed { at: at.unwrap_or(now), actor, key: key.clone() };
            let done = match kind {
                Kind::Package => {
                    obligation::package(&tenant, &request, &deed).await.map(Outcome::Packaged)
                }
                Kind::Status => {
                    obligation::status(&tenant, &request, &deed).await.map(Outcome::Changed)
                }
            };
            (key, done)
        }
        Err(failure) => (None, Err(failure)),
    };
    Answer { line: number, key, outcome: outcome.unwrap_or_else(Outcome::from) }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refused) => Self::Refused { refused: refused.refused },
            Failure::Store(error) => {
                let kind = match error.kind {
                    ErrorKind::Refused => "refused",
                    ErrorKind::Unavailable => "unavailable",
                    ErrorKind::Busy => "busy",
                    ErrorKind::Damaged => "damaged",
                };
                Self::Failed { kind, error: error.to_string() }
            }
            Failure::NotCanonical(error) => {
                Self::Failed { kind: "refused", error: error.to_string() }
            }
            #[cfg(feature = "pdf")]
            Failure::Unpressed(error) => Self::Failed { kind: "refused", error: error.to_string() },
        }
    }
}

/// A task that ended without an answer.
fn lost(error: &tokio::task::JoinError) -> Answer {
    let outcome = Outcome::Failed { kind: "unavailable", error: error.to_string() };
    Answer { line: 0, key: None, outcome }
}

impl Tally {
    fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Packaged(_) | Outcome::Changed(_) => self.appended += 1,
            Outcome::Refused { .. } | Outcome::Failed { kind: "refused", .. } => self.refused += 1,
            Outcome::Failed { .. } => self.failed += 1,
        }
    }
}

/// What a line asks for.
struct Asked {
    kind: Kind,
    request: Vec<u8>,
    key: Option<String>,
    at: Option<Time>,
}

#[derive(Clone, Copy)]
enum Kind {
    Package,
    Status,
}

impl Asked {
    fn read(bytes: &[u8]) -> Result<Self, Failure> {
        let json = Json::parse(bytes)?;
        let (kind, key, at) = read::value(&json, |reader: Reader<'_, '_>| {
            let mut fields = reader.object()?;
            let kinds = [("package", Kind::Package), ("status", Kind::Status)];
            let kind = fields.required("kind", |kind| kind.choice(&kinds));
            let key = fields.optional("key", read::filled);
            let at = fields.optional("at", read::time);
            let request = fields.required("request", |request| read::object(request).map(|_| ()));
            fields.done()?;
            request?;
            Some((kind?, key?, at?))
        })?;
        let request = canon::bytes(json.get("request").unwrap_or(&Json::Null))?;
        Ok(Self { kind, request, key, at })
    }
}

impl std::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Setup({:?}, {} in flight)", self.actor, self.in_flight)
    }
}
