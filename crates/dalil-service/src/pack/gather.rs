//! Gathers the evidence of a decision from the store, to make a pack.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use dalil_evidence::pack::SealedPack;
use dalil_phrasebook::{Phrase, found, hint, precondition};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused, quote};
use dalil_proof::id::PackId;
use dalil_proof::json::Json;
use dalil_proof::record::RecordKind;
use dalil_store::Tenant;
use dalil_store::catalog::LedgerRow;

use super::{assembled, last, newest, proved, random};
use crate::decision::{calls, stated};
use crate::document::{KeptText, kept_text};
use crate::operation::{
    OperationFailure, RequestContext, answered, append_if_unchanged, retry_on_conflict_of_kinds,
};
use crate::session;

/// A pack that is to be made of records of the store.
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
/// No such decision or session; every fault in the records; a memo that breaks a rule; a name that
/// is taken.
pub async fn assemble(
    tenant: &Tenant,
    order: &AssembleRequest,
    context: &RequestContext,
) -> Result<SealedPack, OperationFailure> {
    let memo = order.memo.as_deref().map(Json::parse).transpose()?;
    // The order, not the store's records: a retry after a new tool call is still the same request.
    let named = (&order.decision_id, &memo, order.pack_id.as_ref().map(PackId::as_str));
    let key = context.idempotency_key("pack assemble", &canon::bytes(&named)?)?;
    let kinds = &[
        RecordKind::PackSealed,
        RecordKind::PayloadErased,
        RecordKind::ToolIntended,
        RecordKind::ToolReported,
        RecordKind::LedgerClosed,
    ];
    let index = retry_on_conflict_of_kinds(tenant, kinds, async |snapshot| {
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return last(&acks);
        }
        let request = request(tenant, order, memo.clone(), context).await?;
        let record = assembled(tenant, request, context).await?;
        last(&append_if_unchanged(tenant, vec![record], key.clone(), snapshot).await?)
    });
    proved(tenant, index.await?).await
}

/// The request for a pack that an order makes.
async fn request(
    tenant: &Tenant,
    order: &AssembleRequest,
    memo: Option<Json<'_>>,
    context: &RequestContext,
) -> Result<Json<'static>, OperationFailure> {
    let decision = stated(tenant, &order.decision_id).await?;
    let newest = newest(tenant, &order.decision_id).await?;
    let made = newest.as_ref().and_then(|one| Some(one.line.as_ref()?.row.created_at));
    let context = &made.map_or_else(|| context.clone(), |made| context.not_before(made));
    let pack_id = match &order.pack_id {
        Some(id) => id.clone(),
        None => PackId::from_random(random()?),
    };
    let text = |text: &str| Json::Text(Cow::Owned(text.to_owned()));
    let mut members =
        vec![("pack_id", text(pack_id.as_str())), ("created_at", text(&context.at.to_string()))];
    if let Some(newest) = newest {
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

/// The request, with every call of its decision that the store has. A call that was recorded is
/// never taken from the request: one that is stated otherwise is refused.
pub(super) async fn with_calls(
    tenant: &Tenant,
    mut request: Json<'static>,
) -> Result<Json<'static>, OperationFailure> {
    let id = match request.get("decision").and_then(|decision| decision.get("decision_id")) {
        Some(Json::Text(id)) => id.to_string(),
        _ => return Ok(request),
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
            let faults: Vec<Fault> = all
                .iter()
                .enumerate()
                .filter_map(|(n, stated)| {
                    let recorded = kept.iter().find(|call| call_id(call) == call_id(stated))?;
                    other_call(n, stated, recorded)
                })
                .collect();
            if !faults.is_empty() {
                return Err(Refused { refused: faults }.into());
            }
            all.retain(|stated| !kept.iter().any(|call| call_id(call) == call_id(stated)));
            all.extend(kept.iter().cloned());
        }
    }
    Ok(request)
}

/// The name of a call, which a tool ledger calls `invocation_id`.
fn call_id<'c>(call: &'c Json<'_>) -> Option<&'c str> {
    match call.get("tool_call_id").or_else(|| call.get("invocation_id")) {
        Some(Json::Text(id)) => Some(id),
        _ => None,
    }
}

/// The difference between a call in a request and the call's records; `None` if there is none.
fn other_call(n: usize, stated: &Json<'_>, recorded: &Json<'_>) -> Option<Fault> {
    let digest = |json: Option<&Json<'_>>| json.and_then(|json| canon::digest(json).ok());
    let differs = |name: &&str| {
        stated.get(name).is_some_and(|own| digest(Some(own)) != digest(recorded.get(name)))
    };
    let name = RECORDED_CALL_FIELDS.into_iter().find(differs)?;
    let expected = match recorded.get(name) {
        Some(value) => precondition::value_as_it_was_recorded(value.found()),
        None => precondition::nothing_as_it_was_recorded(),
    };
    let found = stated.get(name).map_or_else(|| Phrase::verbatim(""), Json::found);
    let fault = Fault::new("recorded_call", format!("tool_calls[{n}].{name}"), expected, found);
    Some(fault.hint(hint::leave_the_call_out()))
}

/// The request, with the newest ledger of the session that its decision names. That ledger is
/// neither left out nor exchanged: another one is refused.
pub(super) async fn with_ledger(
    tenant: &Tenant,
    mut request: Json<'static>,
) -> Result<Json<'static>, OperationFailure> {
    let session = request.get("decision").and_then(|decision| decision.get("session_id"));
    let session = match session {
        Some(Json::Text(session)) => session.to_string(),
        _ => String::new(),
    };
    let recorded = tenant.select(&LedgerRow::query().session_id(&session)).await?;
    let Some(newest) = recorded.last() else {
        own_ledger(tenant, &request).await?;
        return Ok(request);
    };
    if let Some(stated) = request.get("ledger").filter(|ledger| **ledger != Json::Null) {
        let (digest, recorded) = (canon::digest(stated)?, newest.row.sha256);
        if digest == recorded {
            return Ok(request);
        }
        let expected = precondition::the_newest_ledger_of_the_session(found::value(recorded));
        let fault = Fault::new("other_ledger", "ledger", expected, found::value(digest));
        return Err(fault.hint(hint::leave_the_ledger_out()).into());
    }
    let ledger = session::show(tenant, &session).await?.ledger;
    if let Json::Object(members) = &mut request {
        members.retain(|(name, _)| name != "ledger");
        members.push((Cow::Borrowed("ledger"), ledger));
    }
    Ok(request)
}

/// Refuses a request whose ledger is not one that the store recorded of its session.
async fn own_ledger(tenant: &Tenant, request: &Json<'_>) -> Result<(), OperationFailure> {
    let Some(ledger) = request.get("ledger").filter(|ledger| **ledger != Json::Null) else {
        return Ok(());
    };
    let session = match ledger.get("session_id") {
        Some(Json::Text(session)) => session.as_ref(),
        _ => "",
    };
    let recorded = tenant.select(&LedgerRow::query().session_id(session)).await?;
    let digest = canon::digest(ledger)?;
    if recorded.iter().any(|found| found.row.sha256 == digest) {
        return Ok(());
    }
    let expected = precondition::a_ledger_that_was_recorded_of_the_session(quote(session));
    let found = found::digest_not_recorded(digest);
    Err(Fault::new("other_ledger", "ledger", expected, found).hint(hint::record_a_ledger()).into())
}

/// Refuses a request with an excerpt that is not in the text of its document, as far as the store
/// has the document.
pub(super) async fn verbatim(tenant: &Tenant, request: &Json<'_>) -> Result<(), OperationFailure> {
    let evidence = request.get("decision").and_then(|decision| decision.get("evidence"));
    let Some(Json::List(evidence)) = evidence else { return Ok(()) };
    let mut known: BTreeMap<Digest, Option<KeptText>> = BTreeMap::new();
    let mut faults = Vec::new();
    for (n, item) in evidence.iter().enumerate() {
        let (Some(digest), Some(Json::Text(excerpt))) = (content_hash(item), item.get("excerpt"))
        else {
            continue;
        };
        if let Entry::Vacant(entry) = known.entry(digest) {
            entry.insert(kept_text(tenant, &digest).await?);
        }
        let Some(Some(kept)) = known.get(&digest) else { continue };
        if !kept.has(excerpt) {
            let path = format!("decision.evidence[{n}].excerpt");
            let expected = precondition::words_that_are_in_the_text_of_the_document();
            faults.push(Fault::new("not_verbatim", path, expected, found::words_that_are_not()));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Refused { refused: faults }.into()) }
}

/// The digest of the whole that an item of evidence is from.
fn content_hash(item: &Json<'_>) -> Option<Digest> {
    match item.get("content_hash") {
        Some(Json::Text(hash)) => hash.parse().or_else(|_| Digest::from_hex(hash)).ok(),
        _ => None,
    }
}

/// The fields of a call that its records have; others in a request are not kept.
const RECORDED_CALL_FIELDS: [&str; 8] = [
    "tool_name",
    "agent_name",
    "intended_action",
    "inputs",
    "actual_action",
    "outcome",
    "outputs",
    "side_effects",
];
