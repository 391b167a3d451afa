//! Which expected obligations have evidence under a checkpoint, and the signed statement of it.

use std::collections::{BTreeMap, BTreeSet};

use dalil_evidence::completeness::{CompletenessStatement, ObligationTrace};
use dalil_proof::dsse::DsseEnvelope;
use dalil_store::Tenant;
use dalil_store::trail::{StoredFieldState, StoredRecord};
use serde::Serialize;

use super::{history, why};
use crate::operation::{OperationFailure, RequestContext};
use crate::signed_head::{self, ProvedHead};

/// Which obligations of a list have no evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ObligationCoverage {
    /// How many different obligations were asked about.
    pub expected: usize,
    /// The signed head of the trail that was looked at.
    #[serde(flatten)]
    pub head: ProvedHead,
    /// Those without evidence, in the order asked, each once.
    pub missing: Vec<MissingObligation>,
}

/// An obligation without evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingObligation {
    /// The obligation.
    pub obligation_id: String,
    /// Why.
    pub reason: String,
}

/// Returns those of these obligations that have no evidence in the store.
///
/// # Errors
/// The store cannot be read.
pub async fn missing(
    tenant: &Tenant,
    expected: &[String],
) -> Result<ObligationCoverage, OperationFailure> {
    let head = signed_head::head(tenant, &tenant.checkpoint().await?)?;
    let mut seen = BTreeSet::new();
    let expected: Vec<&String> = expected.iter().filter(|id| seen.insert(*id)).collect();
    let mut missing = Vec::new();
    for id in &expected {
        if trace(tenant, id, head.size).await?.outcome().is_err() {
            let reason = why(&history(tenant, id, None).await?);
            missing.push(MissingObligation { obligation_id: (*id).clone(), reason });
        }
    }
    Ok(ObligationCoverage { expected: expected.len(), head: head.into(), missing })
}

/// Signs which of these obligations have evidence under the newest checkpoint.
///
/// A holder of the trail up to that checkpoint gets the same result (spec/record.md).
///
/// # Errors
/// The store cannot be read, or its keys cannot be opened.
pub async fn completeness(
    tenant: &Tenant,
    expected: &[String],
    context: &RequestContext,
) -> Result<(CompletenessStatement, DsseEnvelope), OperationFailure> {
    // The checkpoint first: records that come while the rest is read do not count.
    let note = signed_head::checkpoint(tenant, None).await?;
    let size = signed_head::head(tenant, &note)?.size;
    let mut traces = BTreeMap::new();
    for id in expected {
        if !traces.contains_key(id) {
            traces.insert(id.clone(), trace(tenant, id, size).await?);
        }
    }
    let statement = CompletenessStatement::new(&note, &traces, context.at)?;
    let envelope = tenant.sign_completeness(&statement).await?;
    Ok((statement, envelope))
}

/// Reads the evidence of an obligation in the records below a size.
async fn trace(tenant: &Tenant, id: &str, size: u64) -> Result<ObligationTrace, OperationFailure> {
    let mut trace = ObligationTrace::default();
    // A column of text holds no U+0000, and PostgreSQL would refuse the query.
    if id.contains('\0') {
        return Ok(trace);
    }
    for stored in tenant.history(id).await? {
        trace.follow(stored.record.envelope().kind, stored.index, erased_by(&stored), size);
    }
    Ok(trace)
}

fn erased_by(stored: &StoredRecord) -> Option<u64> {
    stored.fields.iter().find_map(|field| match field.state {
        StoredFieldState::Erased { by } => Some(by),
        _ => None,
    })
}
