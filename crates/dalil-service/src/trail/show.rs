//! Records for people: kind, time, actor, subject, and the remaining payload.

use std::fmt;

use dalil_proof::digest::Digest;
use dalil_proof::record::{Actor, Record, RecordKind};
use dalil_proof::trail::PayloadField;
use dalil_store::Tenant;
use dalil_store::trail::StoredRecord;
use serde::Serialize;

use super::payload::RecordBatch;
use crate::list_range::ListRange;
use crate::operation::OperationFailure;

/// Some records of a trail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrailRecords {
    /// How many records the trail has.
    pub size: u64,
    /// The records.
    pub records: Vec<RecordSummary>,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordSummary {
    /// Its place in the trail.
    pub index: u64,
    /// Its name.
    pub id: String,
    /// What happened.
    pub kind: String,
    /// When.
    pub at: String,
    /// Who acted.
    pub actor: String,
    /// Its subject.
    pub subject: String,
    /// How many records of the subject came before.
    pub sequence: u64,
    /// Its leaf hash.
    pub leaf: Digest,
    /// The status of the fields of its payload.
    pub payload: Vec<PayloadFieldStatus>,
}

/// The status of a field of a payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PayloadFieldStatus {
    /// Its name.
    pub name: String,
    /// PRESENT, ERASED, MISSING or ALTERED.
    pub verdict: &'static str,
    /// The record that erased it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<u64>,
    /// The object of the lake that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<Digest>,
}

/// Records of a trail, from a place on.
///
/// # Errors
/// The store cannot be read.
pub async fn show(
    tenant: &Tenant,
    from: u64,
    limit: u64,
) -> Result<TrailRecords, OperationFailure> {
    let size = tenant.head().await?.size;
    let mut records = Vec::new();
    let end = from.saturating_add(limit).min(size);
    let mut next = from;
    while next < end {
        let batch = RecordBatch::read(tenant, next..end).await?;
        let Some(last) = batch.records.last() else { break };
        next = last.index + 1;
        records.extend(shown(tenant, &batch).await?);
    }
    Ok(TrailRecords { size, records })
}

/// A part of the records of some kinds.
///
/// # Errors
/// The store cannot be read.
pub async fn show_kinds(
    tenant: &Tenant,
    kinds: &[RecordKind],
    part: ListRange,
) -> Result<Vec<RecordSummary>, OperationFailure> {
    let ListRange { from, limit, newest } = part;
    let mut indices = tenant.indices_of_kinds(kinds, from, (limit, newest)).await?;
    indices.sort_unstable();
    let mut records = shown_at(tenant, &indices).await?;
    if newest {
        records.reverse();
    }
    Ok(records)
}

/// The records at some places, which are in ascending order.
pub(super) async fn shown_at(
    tenant: &Tenant,
    indices: &[u64],
) -> Result<Vec<RecordSummary>, OperationFailure> {
    let batch = RecordBatch::with_rows(tenant, tenant.records_at(indices).await?).await?;
    shown(tenant, &batch).await
}

/// The records of one subject, in order.
///
/// # Errors
/// The store cannot be read.
pub async fn show_subject(
    tenant: &Tenant,
    subject: &str,
) -> Result<TrailRecords, OperationFailure> {
    let size = tenant.head().await?.size;
    let batch = RecordBatch::with_rows(tenant, tenant.history(subject).await?).await?;
    Ok(TrailRecords { size, records: shown(tenant, &batch).await? })
}

pub(super) async fn shown(
    tenant: &Tenant,
    batch: &RecordBatch,
) -> Result<Vec<RecordSummary>, OperationFailure> {
    let mut records = Vec::with_capacity(batch.records.len());
    for stored in &batch.records {
        let mut payload = Vec::new();
        for field in &stored.fields {
            payload.push(verdict(tenant, batch, stored, &field.name).await?);
        }
        records.push(line(stored.index, &stored.record, payload));
    }
    Ok(records)
}

async fn verdict(
    tenant: &Tenant,
    batch: &RecordBatch,
    stored: &StoredRecord,
    name: &str,
) -> Result<PayloadFieldStatus, OperationFailure> {
    let payload = batch.payload(stored);
    let field = payload.get(name);
    let commitment = stored.record.envelope().commitments.get(name);
    let opens = field.zip(commitment).and_then(|(field, commitment)| field.opens(commitment, name));
    let (by, object) = match field {
        Some(PayloadField::Erased { by }) => (Some(*by), None),
        Some(PayloadField::Lake { object, .. }) => (None, Some(*object)),
        Some(PayloadField::Present { .. } | PayloadField::Withheld) | None => (None, None),
    };
    // The record commits to a digest, so the commitment opens also when the object is gone.
    let is_there = match &object {
        Some(object) => tenant.lake()?.has(object).await?,
        None => true,
    };
    let verdict = match (opens, by) {
        (_, Some(_)) => "ERASED",
        (Some(true), None) if is_there => "PRESENT",
        (Some(true) | None, None) => "MISSING",
        (Some(false), None) => "ALTERED",
    };
    Ok(PayloadFieldStatus { name: name.to_owned(), verdict, by, object })
}

fn line(index: u64, record: &Record, payload: Vec<PayloadFieldStatus>) -> RecordSummary {
    let envelope = record.envelope();
    RecordSummary {
        index,
        id: envelope.id.to_string(),
        kind: envelope.kind.to_string(),
        at: envelope.at.to_string(),
        actor: actor_name(&envelope.actor),
        subject: envelope.subject.clone(),
        sequence: envelope.lineage.sequence(),
        leaf: record.leaf(),
        payload,
    }
}

/// The kind and the name of an actor: `person:amal`.
pub(super) fn actor_name(actor: &Actor) -> String {
    match actor {
        Actor::Agent(name) => format!("agent:{name}"),
        Actor::Person(name) => format!("person:{name}"),
        Actor::System => "system".to_owned(),
    }
}

impl fmt::Display for TrailRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.records.iter().map(|one| {
            let payload = one.payload.iter().map(ToString::to_string).collect::<Vec<_>>();
            let (at, kind) = (one.at.clone(), one.kind.clone());
            let (actor, subject) = (one.actor.clone(), one.subject.clone());
            [one.index.to_string(), at, kind, subject, actor, payload.join(", ")]
        });
        let heading = ["record", "at", "kind", "subject", "actor", "payload"];
        crate::table::write(f, heading, rows)
    }
}

impl fmt::Display for PayloadFieldStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, verdict, by, object: _ } = self;
        write!(f, "{name} {verdict}")?;
        by.map_or(Ok(()), |by| write!(f, " by {by}"))
    }
}
