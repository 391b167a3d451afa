//! Gathering what the store has of a decision, so that a pack can be made of it.

use std::borrow::Cow;

use dalil_core::canon;
use dalil_core::digest::Digest;
use dalil_core::id::PackId;
use dalil_core::json::Json;
use dalil_core::pack::SealedPack;
use dalil_core::record::RecordKind;
use dalil_store::{EvidenceTable, Tenant};

use super::super::catalog_row::select_rows_eq;
use super::super::decision::{calls, stated};
use super::super::{
    OperationFailure, RequestContext, answered, append_if_unchanged, retry_on_conflict_of_kinds,
    session,
};
use super::{assembled, last, newest, proved, random};

/// A pack that is to be made of what the store has.
#[derive(Clone, Debug)]
pub struct AssembleRequest {
    /// The decision.
    pub decision_id: String,
    /// The memo as JSON; drafted when there is none.
    pub memo: Option<Vec<u8>>,
    /// The name of the pack; drawn when there is none.
    pub pack_id: Option<PackId>,
}

/// Assembles the pack of a decision that was recorded, seals it and records it.
///
/// Evidence, prompts and classes are the decision's, calls those of the tool
/// ledger, and the ledger is the newest of the session that the decision names.
/// A decision that has a pack gets the version that follows.
///
/// # Errors
/// No such decision or session; every fault in what was recorded; a memo that breaks
/// a rule; a name that is taken.
pub async fn assemble(
    tenant: &Tenant,
    order: &AssembleRequest,
    deed: &RequestContext,
) -> Result<SealedPack, OperationFailure> {
    let memo = order.memo.as_deref().map(Json::parse).transpose()?;
    // The order, not what the store has: a retry after a new tool call is still the same request.
    let named = (&order.decision_id, &memo, order.pack_id.as_ref().map(PackId::as_str));
    let key = deed.idempotency_key("pack assemble", &canon::bytes(&named)?)?;
    let kinds = &[
        RecordKind::PackSealed,
        RecordKind::PayloadErased,
        RecordKind::ToolIntended,
        RecordKind::ToolReported,
        RecordKind::LedgerClosed,
    ];
    let index = retry_on_conflict_of_kinds(tenant, kinds, async |look| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return Ok(last(&acks));
        }
        let request = request(tenant, order, memo.clone(), deed).await?;
        let record = assembled(tenant, request, deed).await?;
        Ok(last(&append_if_unchanged(tenant, vec![record], key.clone(), look).await?))
    });
    proved(tenant, index.await?).await
}

/// The request that stands for an order.
async fn request(
    tenant: &Tenant,
    order: &AssembleRequest,
    memo: Option<Json<'_>>,
    deed: &RequestContext,
) -> Result<Json<'static>, OperationFailure> {
    let decision = stated(tenant, &order.decision_id).await?;
    let pack_id = match &order.pack_id {
        Some(id) => id.clone(),
        None => PackId::from_random(random()?),
    };
    let text = |text: &str| Json::Text(Cow::Owned(text.to_owned()));
    let mut members =
        vec![("pack_id", text(pack_id.as_str())), ("created_at", text(&deed.at.to_string()))];
    // Also if the newest version was erased: its number is not used again.
    if let Some(newest) = newest(tenant, &order.decision_id).await? {
        let next = newest.version + 1;
        members.push(("version", Json::parse(next.to_string().as_bytes())?.into_owned()));
        members.push(("supersedes", text(&newest.pack_id)));
    }
    if let Some(Json::Text(session)) = decision.get("session_id") {
        members.push(("ledger", session::show(tenant, session).await?.ledger));
    }
    members.extend(memo.map(|memo| ("memo", memo.into_owned())));
    members.push(("decision", decision));
    let named = members.into_iter().map(|(name, value)| (Cow::Borrowed(name), value));
    Ok(Json::Object(named.collect()))
}

/// The request, with every call of its decision that the store has and it has not.
pub(super) async fn with_calls(
    tenant: &Tenant,
    mut request: Json<'static>,
) -> Result<Json<'static>, OperationFailure> {
    let id = match request.get("decision").and_then(|decision| decision.get("decision_id")) {
        Some(Json::Text(id)) => id.to_string(),
        _ => return Ok(request),
    };
    let known = |call: &Json<'_>, all: &[Json<'_>]| {
        let id = call.get("tool_call_id");
        // A call that the request states is kept as stated, under either of its two names.
        all.iter().any(|one| one.get("tool_call_id").or(one.get("invocation_id")) == id)
    };
    let kept = calls(tenant, &id).await?;
    let Json::Object(members) = &mut request else { return Ok(request) };
    if kept.is_empty() {
        return Ok(request);
    }
    if !members.iter().any(|(name, _)| name == "tool_calls") {
        members.push((Cow::Borrowed("tool_calls"), Json::List(Vec::new())));
    }
    for (name, value) in members {
        if let (true, Json::List(all)) = (name == "tool_calls", value) {
            let new: Vec<_> = kept.iter().filter(|call| !known(call, all)).cloned().collect();
            all.extend(new);
        }
    }
    Ok(request)
}

/// The request, with the texts of the lake that its evidence names. What is no text
/// has no words to look for, and is left to the digest.
pub(super) async fn with_retained(
    tenant: &Tenant,
    mut request: Json<'static>,
) -> Result<Json<'static>, OperationFailure> {
    let mut texts: Vec<(Cow<'static, str>, Json<'static>)> = Vec::new();
    for digest in named(&request) {
        let known =
            select_rows_eq(tenant, EvidenceTable::Artifacts, "sha256", &digest.to_string()).await?;
        let size = known.first().and_then(|line| line.u64_column("size"));
        let lake = tenant.lake()?;
        if size.is_none_or(|size| size > MAX_RETAINED_TEXT_BYTES) || !lake.has(&digest).await? {
            continue;
        }
        if let Ok(text) = String::from_utf8(lake.get(&digest).await?) {
            texts.push((Cow::Owned(digest.to_string()), Json::Text(Cow::Owned(text))));
        }
    }
    let Json::Object(members) = &mut request else { return Ok(request) };
    if texts.is_empty() {
        return Ok(request);
    }
    if !members.iter().any(|(name, _)| name == "retained") {
        members.push((Cow::Borrowed("retained"), Json::Object(Vec::new())));
    }
    for (name, value) in members {
        if let (true, Json::Object(held)) = (name == "retained", value) {
            texts.retain(|(digest, _)| {
                // Keys of `retained` may be bare digits or have the prefix.
                !held.iter().any(|(known, _)| known.ends_with(digest.trim_start_matches("sha256:")))
            });
            held.append(&mut texts);
        }
    }
    Ok(request)
}

/// The digests of the wholes that the evidence of a request is from, each once.
fn named(request: &Json<'_>) -> Vec<Digest> {
    let evidence = request.get("decision").and_then(|decision| decision.get("evidence"));
    let Some(Json::List(evidence)) = evidence else { return Vec::new() };
    let digest = |item: &Json<'_>| match item.get("content_hash") {
        Some(Json::Text(hash)) => hash.parse().or_else(|_| Digest::from_hex(hash)).ok(),
        _ => None,
    };
    let mut digests: Vec<Digest> = evidence.iter().filter_map(digest).collect();
    digests.sort_unstable();
    digests.dedup();
    digests
}

/// A whole that is larger is left to its digest.
const MAX_RETAINED_TEXT_BYTES: u64 = 16 << 20;
