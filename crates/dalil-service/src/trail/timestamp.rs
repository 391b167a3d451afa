//! Time stamps: an authority is asked about a checkpoint, and the store keeps its line.
//!
//! ```text
//! checkpoint ─▶ query with a random nonce ─▶ reply ─▶ verified ─▶ record and line, in one entry
//! ```
//!
//! A crash before the entry leaves nothing, and the authority is asked again. Of two that ask at once,
//! one keeps its stamp and the other is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil::timestamp_call::{self, MAX_CALL_TIME};
use dalil_evidence::page_url;
use dalil_phrasebook::{Phrase, found, hint, precondition};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::note::{NoteSignature, UnverifiedNote};
use dalil_proof::record::RecordKind;
use dalil_proof::time::{MAX_CLOCK_SKEW_MILLIS, Time};
use dalil_proof::timestamp::{Timestamp, TimestampAuthority, TimestampQuery};
use dalil_proof::tree::TreeHead;
use dalil_store::trail::{RecordedTimestamp, TIMESTAMP_FIELD};
use dalil_store::{AppendEntry, Error, IdempotencyKey, Tenant, TimeSource};

use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_timestamp_if_unchanged, bytes,
    one, retry_on_conflict_of_kinds,
};
use crate::signed_head;

#[cfg(test)]
mod tests;

/// An authority, and where it is asked.
///
/// Invariant: the address holds no user, so that messages may show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampEndpoint {
    url: String,
    authority: TimestampAuthority,
}

impl TimestampEndpoint {
    /// Asks an authority at an address; `path` is where the address was given.
    ///
    /// # Errors
    /// Anything but a plain `http` or `https` address, such as one with a password in it.
    pub fn new(url: &str, path: &str, authority: TimestampAuthority) -> Result<Self, Fault> {
        page_url::check_plain(url, path)?;
        Ok(Self { url: url.to_owned(), authority })
    }

    /// Who it must be.
    pub fn authority(&self) -> &TimestampAuthority {
        &self.authority
    }
}

/// Why a checkpoint has no new stamp.
#[derive(Debug, thiserror::Error)]
pub enum TimestampFailure {
    /// The authority gave no reply: the next question is likely to fail as well.
    #[error(transparent)]
    Unanswered(Error),
    /// A stamp of this authority is kept already: of two that asked at once, the other one's.
    #[error(transparent)]
    AlreadyStamped(Refused),
    /// Any other failure, which does not affect the next question.
    #[error(transparent)]
    Operation(#[from] OperationFailure),
}

impl From<Error> for TimestampFailure {
    fn from(error: Error) -> Self {
        Self::Operation(error.into())
    }
}

impl From<Fault> for TimestampFailure {
    fn from(fault: Fault) -> Self {
        Self::Operation(fault.into())
    }
}

impl From<TimestampFailure> for OperationFailure {
    fn from(failure: TimestampFailure) -> Self {
        match failure {
            TimestampFailure::Unanswered(error) => error.into(),
            TimestampFailure::AlreadyStamped(refused) => refused.into(),
            TimestampFailure::Operation(failure) => failure,
        }
    }
}

/// Has a checkpoint stamped by an authority, and stores its reply: the newest, or the one of a
/// size.
///
/// # Errors
/// A size that was not signed, or that this authority has stamped; an authority that cannot be
/// reached, refuses, or gives a token that does not hold for this checkpoint.
pub async fn timestamp(
    tenant: &Tenant,
    endpoint: &TimestampEndpoint,
    size: Option<u64>,
    context: &RequestContext,
) -> Result<RecordAck, TimestampFailure> {
    // The token differs each time, so the idempotency key is of the question.
    let asked = format!("{} {size:?}", endpoint.authority.name());
    let key = context.idempotency_key("timestamp", asked.as_bytes())?;
    if let Some(records) = answered(tenant, key.as_ref()).await? {
        return Ok(one(records)?);
    }
    let note = signed_head::checkpoint(tenant, size).await?;
    let head = signed_head::head(tenant, &note)?;
    let TimestampEndpoint { url, authority } = endpoint;
    // Before the authority is asked, too: the call can be saved.
    check_unstamped(authority, &note).map_err(TimestampFailure::AlreadyStamped)?;
    let text = note.unverified_text();
    let query = TimestampQuery::new(text, nonce()?);
    let reply = ask(url, query.bytes()).await.map_err(TimestampFailure::Unanswered)?;
    let token = query.answer(&reply).map_err(|error| fault(&error))?;
    let stamp = authority.verify(text, token).map_err(|error| fault(&error))?;
    check_clock(tenant, head.size, &stamp, context).await?;
    keep(tenant, (authority, authority.line(token)), head, (context, key)).await
}

/// Keeps a line with its record, unless the same authority's was kept since the question.
async fn keep(
    tenant: &Tenant,
    (authority, line): (&TimestampAuthority, NoteSignature),
    head: TreeHead,
    (context, key): (&RequestContext, Option<IdempotencyKey>),
) -> Result<RecordAck, TimestampFailure> {
    let TreeHead { size, root } = head;
    let recorded =
        RecordedTimestamp { authority: authority.clone(), line: line.to_string(), root, size };
    let field = recorded.bytes().map_err(OperationFailure::from)?;
    let kept = retry_on_conflict_of_kinds(tenant, STAMPING_KINDS, async |snapshot| {
        if let Some(records) = answered(tenant, key.as_ref()).await? {
            return one(records).map(Ok);
        }
        let note = signed_head::checkpoint(tenant, Some(size)).await?;
        if let Err(stamped) = check_unstamped(authority, &note) {
            return Ok(Err(stamped));
        }
        // A note that is too large could not be read again, with any of its lines.
        let fits = note.with(line.clone());
        fits.map_err(|error| Fault::with_message("timestamp", "size", error.phrase()))?;
        let fields = vec![bytes(TIMESTAMP_FIELD, field.clone())];
        let kind = RecordKind::CheckpointTimestamped;
        let drafts = vec![context.draft(kind, tenant.origin(), fields, Vec::new())];
        let entry = AppendEntry { drafts, key: key.clone() };
        let line = (size, recorded.line.as_str());
        one(append_timestamp_if_unchanged(tenant, entry, line, snapshot).await?).map(Ok)
    });
    kept.await?.map_err(TimestampFailure::AlreadyStamped)
}

/// Whether anything was recorded since an authority stamped last, other than time stamps.
///
/// # Errors
/// The store cannot be read.
pub async fn is_timestamp_due(tenant: &Tenant, authority: &str) -> Result<bool, OperationFailure> {
    let stamped = tenant.newest_timestamped(authority).await?;
    Ok(tenant.has_others_since(stamped, RecordKind::CheckpointTimestamped).await?)
}

/// The certificates in a file: one in DER, or those between the lines of PEM. Unreadable bytes are
/// returned as they are, and refused by the parser of certificates.
pub fn certificates(bytes: &[u8]) -> Vec<Vec<u8>> {
    let pem = |part: &str| {
        let (encoded, _) = part.split_once(PEM_END)?;
        let encoded: String = encoded.split_ascii_whitespace().collect();
        STANDARD.decode(encoded).ok()
    };
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains(PEM_BEGIN) => {
            let parts = text.split(PEM_BEGIN).skip(1);
            parts.map(|part| pem(part).unwrap_or_else(|| part.as_bytes().to_vec())).collect()
        }
        Ok(_) | Err(_) => vec![bytes.to_vec()],
    }
}

/// Refuses a checkpoint that an authority has stamped.
fn check_unstamped(authority: &TimestampAuthority, note: &UnverifiedNote) -> Result<(), Refused> {
    if authority.stamps(note).is_empty() {
        return Ok(());
    }
    let expected = precondition::a_checkpoint_without_a_stamp_by(authority.name());
    Err(Fault::new("timestamp", "size", expected, found::one_that_is_kept_already()).into())
}

/// Refuses a stamp from before a record under the checkpoint, whose evidence would fail for ever, and
/// one from after now, which would count for nothing until then. Only a clock is wrong.
async fn check_clock(
    tenant: &Tenant,
    size: u64,
    stamp: &Timestamp,
    context: &RequestContext,
) -> Result<(), OperationFailure> {
    let refused = |expected: Phrase, found: Time| {
        let fault = Fault::new("timestamp", "clock", expected, found::value(found));
        Err(fault.hint(hint::compare_the_clock_with_the_authority()).into())
    };
    // Its nonce proves that it was made just now. A stated time may be any past time.
    let ahead = stamp.at.millis() - context.at.millis();
    if context.time_source == TimeSource::Clock && ahead > MAX_AHEAD_MILLIS {
        return refused(precondition::a_stamp_not_after(context.at), stamp.at);
    }
    // Earlier stamps of this authority were compared then.
    let before = tenant.newest_timestamped(&stamp.authority).await?.min(size);
    match tenant.latest_time(before..size).await? {
        Some(latest) if latest > stamp.latest => {
            refused(precondition::a_stamp_not_before(latest), stamp.latest)
        }
        _ => Ok(()),
    }
}

async fn ask(url: &str, query: Vec<u8>) -> Result<Vec<u8>, Error> {
    let own = url.to_owned();
    let asked = tokio::task::spawn_blocking(move || timestamp_call::ask(&own, &query)).await;
    let reply = asked.map_err(|error| error.to_string()).and_then(|reply| reply);
    let failed = |found: String| {
        let error = Error::unavailable("ask for a time stamp", format!("`{url}`"));
        error.saw("the reply of a time-stamping authority", found)
    };
    reply.map_err(failed)
}

fn nonce() -> Result<[u8; 16], Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::unavailable("draw a nonce", "the operating system").saw("random bytes", error)
    })?;
    Ok(bytes)
}

fn fault<'e, E>(error: &'e E) -> Fault
where
    Phrase: From<&'e E>,
{
    Fault::with_message("timestamp", "reply", error.into())
}

/// The kinds of records for a stamp of the same checkpoint.
const STAMPING_KINDS: &[RecordKind] = &[RecordKind::CheckpointTimestamped];
/// Clocks differ, and the reply comes after the time of the request was read.
const MAX_AHEAD_MILLIS: i64 = MAX_CLOCK_SKEW_MILLIS + MAX_CALL_TIME.as_secs() as i64 * 1000;
const PEM_BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const PEM_END: &str = "-----END CERTIFICATE-----";
