//! The evidence that a store has, validated and resolved as the requests of others are.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use dalil_evidence::obligation::{resolve, validate};
use dalil_proof::decode;
use dalil_proof::json::Json;
use dalil_store::Tenant;
use dalil_store::catalog::ObligationRow;
use serde::Serialize;

use super::{EVIDENCE_FIELD, ObligationEvent};
use crate::operation::OperationFailure;
use crate::operation::held_bytes;

/// What validating the records of a store found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredValidation {
    /// Whether nothing was found.
    pub valid: bool,
    /// Expected obligations without evidence, in the order asked, each once.
    pub missing_evidence: Vec<String>,
    /// Amendment histories with holes, in the order of the records.
    pub gaps: Vec<String>,
    /// How many records were validated.
    pub records: usize,
}

/// Validates every record of evidence and every change of status that the store has.
///
/// The request is `{"expected_obligation_ids"?:[…]}`. A change of status alone is no evidence of
/// an obligation that is expected.
///
/// # Errors
/// Every fault in the request, or a store that cannot be read.
pub async fn validate(
    tenant: &Tenant,
    request: &[u8],
) -> Result<StoredValidation, OperationFailure> {
    let expected = ids(request, "expected_obligation_ids")?;
    let stored = stored(tenant).await?;
    let covered: BTreeSet<&str> = stored
        .iter()
        .filter(|one| one.event == ObligationEvent::Recorded)
        .filter_map(|one| text(&one.evidence, "obligation_id"))
        .collect();
    let mut seen = BTreeSet::new();
    let missing = expected.iter().flatten().filter(|id| !covered.contains(id.as_str()));
    let missing_evidence: Vec<String> = missing.filter(|id| seen.insert(*id)).cloned().collect();
    let records = Json::List(stored.iter().map(|one| one.evidence.clone()).collect());
    let request = Json::Object(vec![(Cow::Borrowed("records"), records)]);
    let gaps = validate::validate(&request)?.gaps;
    let valid = gaps.is_empty() && missing_evidence.is_empty();
    Ok(StoredValidation { valid, missing_evidence, gaps, records: stored.len() })
}

/// Resolves the obligations of the store after the amendments of their newest evidence.
///
/// The request is `{"obligation_ids"?:[…]}`: these, or all. An obligation whose evidence names no
/// amendments, or an amendment without its action, is unresolved.
///
/// # Errors
/// Every fault in the request, or a store that cannot be read.
pub async fn resolve(tenant: &Tenant, request: &[u8]) -> Result<Json<'static>, OperationFailure> {
    let asked = ids(request, "obligation_ids")?;
    let mut newest: BTreeMap<String, Json<'static>> = BTreeMap::new();
    for one in stored(tenant).await? {
        if let (ObligationEvent::Recorded, Some(id)) =
            (one.event, text(&one.evidence, "obligation_id"))
        {
            newest.insert(id.to_owned(), one.evidence);
        }
    }
    let listed: Vec<String> = asked.unwrap_or_else(|| newest.keys().cloned().collect());
    let wanted: BTreeSet<&String> = listed.iter().collect();
    let chains = newest
        .iter()
        .filter(|(id, _)| wanted.contains(id))
        .filter_map(|(id, evidence)| Some((Cow::Owned(id.clone()), chain(evidence)?)))
        .collect();
    let names = listed.iter().map(|id| Json::Text(Cow::Owned(id.clone()))).collect();
    let request = Json::Object(vec![
        (Cow::Borrowed("chains"), Json::Object(chains)),
        (Cow::Borrowed("obligation_ids"), Json::List(names)),
    ]);
    let resolved = dalil_proof::canon::bytes(&resolve::resolve(&request)?)?;
    Ok(Json::parse(&resolved)?.into_owned())
}

/// The amendments of evidence, if each states its action.
fn chain(evidence: &Json<'static>) -> Option<Json<'static>> {
    let Some(Json::List(entries)) = evidence.get("amendment_history") else { return None };
    let has_action = |entry: &Json<'_>| entry.get("action").is_some();
    entries.iter().all(has_action).then(|| Json::List(entries.clone()))
}

/// A record of the store that validating looks at.
struct StoredEvidence {
    event: ObligationEvent,
    evidence: Json<'static>,
}

/// Evidence and changes of status that were not erased, in the order of their records.
async fn stored(tenant: &Tenant) -> Result<Vec<StoredEvidence>, OperationFailure> {
    let mut all = Vec::new();
    for row in tenant.select(&ObligationRow::query()).await? {
        // The record and not the row: the trail commits to the record.
        let Some(record) = tenant.record(row.index).await? else { continue };
        let event = ObligationEvent::of(record.record.envelope().kind);
        let json = held_bytes(&record, EVIDENCE_FIELD).map(Json::parse).transpose()?;
        if let (Some(event), Some(json)) = (event, json) {
            all.push(StoredEvidence { event, evidence: json.into_owned() });
        }
    }
    Ok(all)
}

/// Reads a request that has one optional list of ids.
fn ids(request: &[u8], name: &'static str) -> Result<Option<Vec<String>>, OperationFailure> {
    Ok(decode::request(request, |reader| {
        let mut fields = reader.object()?;
        let ids = fields.optional(name, |ids| ids.list(decode::filled));
        fields.done()?;
        ids
    })?)
}

fn text<'e>(evidence: &'e Json<'_>, name: &str) -> Option<&'e str> {
    match evidence.get(name) {
        Some(Json::Text(text)) => Some(text),
        _ => None,
    }
}
