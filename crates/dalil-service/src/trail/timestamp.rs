//! Time stamps: an authority is asked about a checkpoint, and the store keeps its line.
//!
//! ```text
//! checkpoint ─▶ query with a random nonce ─▶ reply ─▶ verified ─▶ record and line, in one entry
//! ```
//!
//! A crash before the entry leaves nothing, and the authority is asked again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil::timestamp_call;
use dalil_phrasebook::{Phrase, found, hint, precondition};
use dalil_proof::fault::Fault;
use dalil_proof::record::RecordKind;
use dalil_proof::timestamp::{Timestamp, TimestampAuthority, TimestampQuery};
use dalil_store::trail::{RecordedTimestamp, TIMESTAMP_FIELD};
use dalil_store::{AppendEntry, Error, Tenant};

use crate::operation::{OperationFailure, RecordAck, RequestContext, answered, bytes, one};
use crate::signed_head;

/// An authority, and where it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampEndpoint {
    /// Its address.
    pub url: String,
    /// Who it must be.
    pub authority: TimestampAuthority,
}

/// Has a checkpoint stamped by an authority, and keeps what it replies: the newest, or the one of a
/// size.
///
/// # Errors
/// A size that was not signed, or that this authority has stamped; an authority that cannot be
/// reached, refuses, or gives a token that does not hold for this checkpoint.
pub async fn timestamp(
    tenant: &Tenant,
    endpoint: &TimestampEndpoint,
    size: Option<u64>,
    deed: &RequestContext,
) -> Result<RecordAck, OperationFailure> {
    // The token is another each time, so what was asked for stands for the request.
    let asked = format!("{} {size:?}", endpoint.authority.name());
    let key = deed.idempotency_key("timestamp", asked.as_bytes())?;
    if let Some(records) = answered(tenant, key.as_ref()).await? {
        return one(records);
    }
    let note = signed_head::checkpoint(tenant, size).await?;
    let head = signed_head::head(tenant, &note)?;
    let TimestampEndpoint { url, authority } = endpoint;
    if !authority.stamps(&note).is_empty() {
        let expected = precondition::a_checkpoint_without_a_stamp_by(authority.name());
        let fault = Fault::new("timestamp", "size", expected, found::one_that_is_kept_already());
        return Err(fault.into());
    }
    let text = note.unverified_text();
    let query = TimestampQuery::new(text, nonce()?);
    let reply = ask(url, query.bytes()).await?;
    let token = query.answer(&reply).map_err(|error| fault(&error))?;
    let stamp = authority.verify(text, token).map_err(|error| fault(&error))?;
    check_clock(tenant, head.size, &stamp).await?;
    let line = authority.line(token).to_string();
    let (authority, root, size) = (authority.clone(), head.root, head.size);
    let recorded = RecordedTimestamp { authority, line, root, size };
    let fields = vec![bytes(TIMESTAMP_FIELD, recorded.bytes()?)];
    let kind = RecordKind::CheckpointTimestamped;
    let drafts = vec![deed.draft(kind, tenant.origin(), fields, Vec::new())];
    let placed = tenant.timestamped(AppendEntry { drafts, key }, size, &recorded.line).await?;
    one(placed.into_iter().map(RecordAck::from).collect())
}

/// Whether anything was recorded since an authority stamped last, other than time stamps.
///
/// # Errors
/// The store cannot be read.
pub async fn is_timestamp_due(tenant: &Tenant, authority: &str) -> Result<bool, OperationFailure> {
    let stamped = tenant.newest_timestamped(authority).await?;
    Ok(tenant.has_others_since(stamped, RecordKind::CheckpointTimestamped).await?)
}

/// The certificates in a file: one in DER, or those between the lines of PEM. What cannot be read
/// is given as it is, and refused by whoever reads it.
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

/// Refuses a stamp from before a record under the checkpoint: the evidence would fail for ever,
/// though only a clock is wrong.
async fn check_clock(
    tenant: &Tenant,
    size: u64,
    stamp: &Timestamp,
) -> Result<(), OperationFailure> {
    // What this authority has stamped before was compared then.
    let before = tenant.newest_timestamped(&stamp.authority).await?.min(size);
    match tenant.latest_time(before..size).await? {
        Some(latest) if latest > stamp.latest => {
            let expected = precondition::a_stamp_not_before(latest);
            let fault = Fault::new("timestamp", "clock", expected, found::value(stamp.latest));
            Err(fault.hint(hint::compare_the_clock_with_the_authority()).into())
        }
        _ => Ok(()),
    }
}

async fn ask(url: &str, query: Vec<u8>) -> Result<Vec<u8>, OperationFailure> {
    let own = url.to_owned();
    let asked = tokio::task::spawn_blocking(move || timestamp_call::ask(&own, &query)).await;
    let reply = asked.map_err(|error| error.to_string()).and_then(|reply| reply);
    let failed = |found: String| {
        let error = Error::unavailable("ask for a time stamp", format!("`{url}`"));
        error.saw("the reply of a time-stamping authority", found)
    };
    Ok(reply.map_err(failed)?)
}

fn nonce() -> Result<[u8; 16], OperationFailure> {
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

const PEM_BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const PEM_END: &str = "-----END CERTIFICATE-----";
