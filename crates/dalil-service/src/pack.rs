//! Packs: sealed, recorded and proved; reviewed by making the version that follows.

use dalil_evidence::pack::diff::PackDifference;
use dalil_evidence::pack::{self, PACK_FIELD, PACK_PAYLOAD_TYPE, PackDraft, SealedPack};
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::decode;
use dalil_proof::digest::Digest;
use dalil_proof::dsse::DsseEnvelope;
use dalil_proof::fault::{Fault, quote};
use dalil_proof::id::PackId;
use dalil_proof::json::Json;
use dalil_proof::receipt::Receipt;
use dalil_proof::record::RecordKind;
use dalil_proof::time::{MAX_CLOCK_SKEW_MILLIS, Time};
use dalil_store::catalog::PackRow;
use dalil_store::trail::{StoredFieldState, StoredPayload};
use dalil_store::{Error, IndexedRow, NewRecord, Tenant, TimeSource};
use serde::Serialize;

use crate::artifact::artifact;
use crate::decision::{as_recorded, once, own, taken};
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, held, none,
    object, retry_on_conflict_of_kinds, word,
};
use crate::signed_head;

mod acknowledged;
mod decline;
mod gather;
mod review;
mod review_request;
#[cfg(test)]
mod tests;
mod versions;

pub use self::acknowledged::{RecordedAcknowledgement, acknowledged};
pub use self::decline::{DeclinedReview, declined};
pub use self::gather::{AssembleRequest, assemble};
pub use self::review::{
    PackReviewStatus, PendingPack, ReviewOptions, ReviewOutcome, erased_decision, options, review,
    reviewer, said, standing,
};
pub use self::review_request::ReviewAction;
#[cfg(feature = "pdf")]
pub(super) use self::versions::erased;
pub(super) use self::versions::summaries;
pub use self::versions::{PackState, PackVersionSummary, versions};
use self::versions::{following, newest};

/// Assembles a pack, seals it with the tenant's key, and records it.
///
/// The calls that the store has of the decision join those of the request, an excerpt is looked
/// for in the text of the document that it names when the store has it, and a ledger is one that
/// was recorded. The reply is the file that a stranger verifies.
///
/// # Errors
/// Every fault in the request; a recorded call that is stated otherwise; an excerpt that is not
/// in its document; a ledger or a decision that was not recorded; another tenant's decision; a name
/// that is taken; a decision that has a pack which this one does not supersede.
pub async fn seal(
    tenant: &Tenant,
    request: &[u8],
    context: &RequestContext,
) -> Result<SealedPack, OperationFailure> {
    let json = Json::parse(request)?;
    let key = context.idempotency_key("pack seal", &canon::bytes(&json)?)?;
    // The kinds that are read below: versions of the pack, calls and ledgers of the decision, and
    // erasures of any of them.
    let kinds = &[
        RecordKind::PackSealed,
        RecordKind::PayloadErased,
        RecordKind::ToolIntended,
        RecordKind::ToolReported,
        RecordKind::LedgerClosed,
    ];
    unreviewed(&json)?;
    let index = retry_on_conflict_of_kinds(tenant, kinds, async |snapshot| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return last(&acks);
        }
        let record = assembled(tenant, json.clone().into_owned(), context).await?;
        last(&append_if_unchanged(tenant, vec![record], key.clone(), snapshot).await?)
    });
    proved(tenant, index.await?).await
}

/// The record of a pack, assembled from a request and the stored evidence of its decision.
async fn assembled(
    tenant: &Tenant,
    request: Json<'static>,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let request = gather::with_calls(tenant, request).await?;
    let request = gather::with_ledger(tenant, request).await?;
    gather::verbatim(tenant, &request).await?;
    let draft = pack::assemble(&canon::bytes(&request)?)?;
    own(tenant, Some(draft.tenant_id.as_str()), "decision.tenant_id")?;
    as_recorded(tenant, draft.decision_id.as_str(), &draft.decision_hash).await?;
    free(tenant, &draft.pack_id, "pack_id").await?;
    sealed(tenant, &following(tenant, draft).await?, context).await
}

/// Refuses a request that reviews by the way: a review is by a member, and a record.
fn unreviewed(request: &Json<'_>) -> Result<(), OperationFailure> {
    let stated = |name: &&str| request.get(name).is_some_and(|value| *value != Json::Null);
    match ["reviewer_id", "reviewed_at", "acknowledged"].into_iter().find(|name| stated(name)) {
        Some(name) => Err(Fault::new(
            "review",
            name,
            precondition::a_pack_that_waits_for_its_review(),
            found::one(),
        )
        .hint(hint::pack_review())
        .into()),
        None => Ok(()),
    }
}

/// The differences between two versions of a pack.
///
/// # Errors
/// There is no pack of that name, or it is damaged.
pub async fn diff(
    tenant: &Tenant,
    old: &str,
    new: &str,
) -> Result<PackDifference, OperationFailure> {
    let (old, new) = (find(tenant, old).await?, find(tenant, new).await?);
    let (old, new) = (content(tenant, &old).await?, content(tenant, &new).await?);
    Ok(pack::diff::diff(&old, &new)?)
}

/// The index of the record that seals: the last of its entry.
fn last(acks: &[RecordAck]) -> Result<u64, OperationFailure> {
    let lost = || Error::damaged("seal a pack", "the store").saw("a place", "none");
    Ok(acks.last().ok_or_else(lost)?.index)
}

/// Refuses a name that a pack has.
async fn free(tenant: &Tenant, id: &PackId, path: &str) -> Result<(), OperationFailure> {
    // By records: the name of an erased pack stays taken.
    match once(tenant, id.as_str(), RecordKind::PackSealed).await? {
        Some(index) => Err(taken(path, id.as_str(), index)),
        None => Ok(()),
    }
}

/// Seals a pack, keeps its envelope in the lake, and makes its record.
pub(super) async fn sealed(
    tenant: &Tenant,
    draft: &PackDraft,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    // A stated time may come from a clock that is a little ahead.
    let ahead = draft.created_at.millis() - context.at.millis();
    let is_near = context.time_source == TimeSource::Clock && ahead <= MAX_CLOCK_SKEW_MILLIS;
    let context = &if is_near { context.not_before(draft.created_at) } else { context.clone() };
    if draft.created_at > context.at {
        let expected = precondition::a_time_at_or_before_when_it_is_sealed(context.at);
        let found = found::value(draft.created_at);
        return Err(Fault::new("time_order", "created_at", expected, found).into());
    }
    let (sealed, key_added) = tenant.seal_pack(draft).await?;
    // A verifier refuses a seal that is dated before its key, so it is not made.
    if let Some(added) = key_added.filter(|added| draft.created_at < *added) {
        let expected = precondition::a_time_at_or_after_when_the_key_that_seals_was_added(added);
        let found = found::value(draft.created_at);
        return Err(Fault::new("time_order", "created_at", expected, found).into());
    }
    let until = retain_until(draft.created_at);
    let envelope = canon::bytes(&sealed.envelope)?;
    let size = envelope.len();
    // The envelope is in the lake before its record. Object lock keeps it for the retention time.
    let (digest, _) = tenant.lake()?.put_retained(envelope, until).await?;
    let row = PackRow {
        pack_id: draft.pack_id.to_string(),
        decision_id: draft.decision_id.to_string(),
        version: draft.version,
        supersedes: draft.supersedes.as_ref().map(PackId::to_string),
        sha256: Digest::of(&sealed.envelope.payload),
        envelope_sha256: digest,
        status: word(&draft.status)?,
        reviewer_id: draft.reviewer_id.clone(),
        reviewed_at: draft.reviewed_at,
        created_at: draft.created_at,
        retain_until: until,
    };
    let rows = vec![row.into(), artifact(&digest, size, ENVELOPE_MEDIA_TYPE, ENVELOPE_FIELD)];
    // The record commits to the payload and to the envelope, so neither can be exchanged.
    let fields = vec![bytes(PACK_FIELD, sealed.envelope.payload), object(ENVELOPE_FIELD, digest)];
    Ok(context.draft(RecordKind::PackSealed, draft.pack_id.as_str(), fields, rows))
}

/// When a pack may be erased at the earliest: seven years after it was made.
fn retain_until(made: Time) -> Time {
    made.years_later(MIN_RETENTION_YEARS).unwrap_or(made)
}

/// A pack, with its state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackDetails {
    /// The summary of this version.
    #[serde(flatten)]
    pub version: PackVersionSummary,
    /// Its content.
    pub pack: PackDraft,
}

/// A pack as it was sealed, read from the store and checked.
///
/// # Errors
/// There is none of that name, or it is damaged.
pub async fn show(tenant: &Tenant, pack_id: &str) -> Result<PackDetails, OperationFailure> {
    let line = find(tenant, pack_id).await?;
    let pack = content(tenant, &line).await?;
    let all = versions(tenant, pack_id).await?;
    let version = all.into_iter().find(|version| version.pack_id == pack_id);
    let version = version.ok_or_else(|| missing(pack_id))?;
    Ok(PackDetails { version, pack })
}

/// A pack for a stranger to verify: the envelope, a receipt under the checkpoint with the most
/// cosignatures or else the newest, the salt.
///
/// # Errors
/// There is none of that name, or it is damaged.
pub async fn sealed_file(tenant: &Tenant, pack_id: &str) -> Result<SealedPack, OperationFailure> {
    let line = find(tenant, pack_id).await?;
    proved(tenant, line.index).await
}

/// The same, with stable bytes until a witness cosigns: without cosignatures the
/// receipt is under the first checkpoint that covers the record.
///
/// # Errors
/// There is none of that name, or it is damaged.
pub async fn first_file(tenant: &Tenant, pack_id: &str) -> Result<SealedPack, OperationFailure> {
    let index = find(tenant, pack_id).await?.index;
    // A receipt under the newest checkpoint would change with every record of the trail.
    sealed_under(tenant, index, signed_head::stable_receipt(tenant, index).await?).await
}

pub(super) async fn find(
    tenant: &Tenant,
    pack_id: &str,
) -> Result<IndexedRow<PackRow>, OperationFailure> {
    let found = tenant.select(&PackRow::query().pack_id(pack_id)).await?;
    if let Some(line) = found.into_iter().next() {
        return Ok(line);
    }
    // Rows of an erased pack are gone; its record still names the erasure.
    let erased = tenant.history(pack_id).await?.into_iter().find_map(|stored| {
        match held(&stored, PACK_FIELD) {
            Some(StoredFieldState::Erased { by }) => Some(*by),
            _ => None,
        }
    });
    match erased {
        Some(by) => {
            let found = found::pack_erased_by(quote(pack_id), by);
            Err(Fault::new("erased", "pack_id", precondition::a_pack_of_this_tenant(), found)
                .into())
        }
        None => Err(missing(pack_id)),
    }
}

fn missing(name: &str) -> OperationFailure {
    none(precondition::a_pack_of_this_tenant(), "pack_id", name)
}

/// The content of a stored pack, checked against the commitment of its record.
pub(super) async fn content(
    tenant: &Tenant,
    line: &IndexedRow<PackRow>,
) -> Result<PackDraft, OperationFailure> {
    let (payload, _) = committed(tenant, line.index).await?;
    Ok(PackDraft::parse(&payload)?)
}

/// The bytes that a `pack.sealed` record commits to, and the salt.
async fn committed(tenant: &Tenant, index: u64) -> Result<(Vec<u8>, [u8; 32]), OperationFailure> {
    let stored = tenant.record(index).await?;
    match stored.as_ref().and_then(|stored| held(stored, PACK_FIELD)) {
        Some(StoredFieldState::Present(salt, StoredPayload::Bytes(bytes))) => {
            Ok((bytes.clone(), *salt))
        }
        _ => Err(Error::damaged("read a pack", format!("record {index}"))
            .saw("the bytes that it commits to", "none, or others")
            .hint("`dalil fsck` says what else is not as it was")
            .into()),
    }
}

/// The sealed pack of a record, with its receipt.
pub(super) async fn proved(tenant: &Tenant, index: u64) -> Result<SealedPack, OperationFailure> {
    sealed_under(tenant, index, signed_head::receipt(tenant, index).await?).await
}

/// The sealed pack of a record, with this receipt.
pub(super) async fn sealed_under(
    tenant: &Tenant,
    index: u64,
    receipt: Receipt,
) -> Result<SealedPack, OperationFailure> {
    let (_, salt) = committed(tenant, index).await?;
    let stored = tenant.record(index).await?;
    let digest = match stored.as_ref().and_then(|stored| held(stored, ENVELOPE_FIELD)) {
        Some(StoredFieldState::Present(_, StoredPayload::Lake(digest))) => *digest,
        _ => {
            return Err(Error::damaged("read a pack", format!("record {index}"))
                .saw("the digest of its envelope", "none, or another")
                .into());
        }
    };
    let bytes = tenant.lake()?.get(&digest).await?;
    let envelope = decode::request(&bytes, |reader| DsseEnvelope::read(reader, PACK_PAYLOAD_TYPE))?;
    Ok(SealedPack { envelope, receipt: None, salt: None }.with_receipt(receipt.to_string(), &salt))
}

pub(super) fn random<const N: usize>() -> Result<[u8; N], OperationFailure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::unavailable("draw a name", "the operating system").saw("random bytes", error)
    })?;
    Ok(bytes)
}

const ENVELOPE_FIELD: &str = "envelope";
const ENVELOPE_MEDIA_TYPE: &str = "application/vnd.dsse.envelope+json";
const MIN_RETENTION_YEARS: u8 = 7;
