//! The trail as a person goes through it: by who acted, with titles and witnessed heads.

use std::ops::RangeInclusive;

use dalil_proof::record::{Record, RecordKind};
use dalil_store::Tenant;
use dalil_store::catalog::{DecisionRow, DocumentRow, ObligationRow, SessionRow, ToolCallRow};
use dalil_store::trail::{RecordedCosignature, WITNESS_FIELD};

use super::payload::RecordBatch;
use super::show::{RecordSummary, actor_name, shown, shown_at};
use crate::operation::{OperationFailure, held_bytes};

#[cfg(test)]
mod tests;

/// Records that were looked for, the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRecords {
    /// The records.
    pub records: Vec<RecordSummary>,
    /// Where to continue the search; `None` at the end.
    pub next: Option<u64>,
}

/// The records of an actor, from a place back, of one kind or of any.
///
/// A trail has no index by actor, so a bounded part of it is searched; `next` is where that ended.
///
/// # Errors
/// The store cannot be read.
pub async fn show_of_actor(
    tenant: &Tenant,
    (actor, kind): (&str, Option<RecordKind>),
    (from, limit): (u64, usize),
) -> Result<FoundRecords, OperationFailure> {
    let mut end = from.saturating_add(1);
    let lowest = end.saturating_sub(MAX_LOOKED_THROUGH_RECORDS);
    let mut found = Vec::new();
    'looking: while end > lowest {
        let start = end.saturating_sub(MAX_READ_RECORDS).max(lowest);
        // Without payloads: most of these records are not shown.
        for (index, record) in tenant.bare_records(start..end).await?.into_iter().rev() {
            end = index;
            if is_of(&record, actor, kind) {
                found.push(index);
            }
            if found.len() == limit {
                break 'looking;
            }
        }
        // Also where the records of a range are missing.
        end = end.min(start);
    }
    found.reverse();
    let mut records = shown_at(tenant, &found).await?;
    records.reverse();
    Ok(FoundRecords { records, next: end.checked_sub(1) })
}

/// The records of a subject, from a place back: of one actor or any, of one kind or any.
///
/// A bounded part of them is looked through, as for [`show_of_actor`].
///
/// # Errors
/// The store cannot be read.
pub async fn show_of_subject(
    tenant: &Tenant,
    subject: &str,
    (actor, kind): (&str, Option<RecordKind>),
    (from, limit): (u64, usize),
) -> Result<FoundRecords, OperationFailure> {
    let mut found = Vec::new();
    let (mut next, mut looked) = (Some(from), 0);
    while let Some(start) = next.filter(|_| looked < MAX_LOOKED_THROUGH_RECORDS) {
        let part = tenant.history_back(subject, start, MAX_READ_SUBJECT_RECORDS).await?;
        looked += part.len() as u64;
        let is_whole = part.len() < MAX_READ_SUBJECT_RECORDS as usize;
        next = part.first().and_then(|oldest| oldest.index.checked_sub(1)).filter(|_| !is_whole);
        found.extend(part.into_iter().rev().filter(|stored| is_of(&stored.record, actor, kind)));
        // The record after the last one that is shown is where to continue.
        if let Some(more) = found.get(limit) {
            next = Some(more.index);
            found.truncate(limit);
            break;
        }
    }
    found.reverse();
    let batch = RecordBatch::with_rows(tenant, found).await?;
    let mut records = shown(tenant, &batch).await?;
    records.reverse();
    Ok(FoundRecords { records, next })
}

/// Whether a record is of an actor, or of any where the name is empty, and of a kind.
fn is_of(record: &Record, actor: &str, kind: Option<RecordKind>) -> bool {
    let envelope = record.envelope();
    let is_theirs = actor.is_empty() || actor_name(&envelope.actor) == actor;
    is_theirs && kind.is_none_or(|kind| envelope.kind == kind)
}

/// A head of the trail that a witness cosigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessedHead {
    /// How many records it is over.
    pub size: u64,
    /// The name of the witness's key.
    pub witness: String,
    /// The record of the cosignature.
    pub index: u64,
    /// When it came in.
    pub at: String,
}

/// The witnessed heads of these sizes, in the order in which their cosignatures came in.
///
/// # Errors
/// The store cannot be read, or a record is damaged.
pub async fn witnessed_heads(
    tenant: &Tenant,
    sizes: RangeInclusive<u64>,
) -> Result<Vec<WitnessedHead>, OperationFailure> {
    // The record of a cosignature comes after the records that the head is over.
    let part = (*sizes.start(), (MAX_COSIGNATURES, false));
    let mut heads = Vec::new();
    let kinds = [RecordKind::CheckpointWitnessed];
    let indices = tenant.indices_of_kinds(&kinds, part.0, part.1).await?;
    for stored in tenant.records_at(&indices).await? {
        // One that was erased marks nothing.
        let Some(bytes) = held_bytes(&stored, WITNESS_FIELD) else { continue };
        let RecordedCosignature { key, size, .. } = RecordedCosignature::parse(bytes)?;
        if sizes.contains(&size) {
            let (index, at) = (stored.index, stored.record.envelope().at.to_string());
            heads.push(WitnessedHead { size, witness: key.name().to_owned(), index, at });
        }
    }
    Ok(heads)
}

/// The title of a record's subject, beside its id; `None` for an erased one. That of a pack is in
/// the pack.
///
/// # Errors
/// The store cannot be read.
pub async fn subject_title(
    tenant: &Tenant,
    kind: &str,
    subject: &str,
) -> Result<Option<String>, OperationFailure> {
    let noun = kind.split_once('.').map_or(kind, |(noun, _)| noun);
    Ok(match noun {
        "claim" | "ledger" | "question" | "session" => {
            let found = tenant.select(&SessionRow::query().id(subject)).await?;
            found.into_iter().find_map(|one| one.row.query)
        }
        "document" => {
            let found = tenant.select(&DocumentRow::query().id(subject)).await?;
            found.into_iter().next_back().map(|one| one.row.filename)
        }
        "decision" => {
            let found = tenant.select(&DecisionRow::query().decision_id(subject)).await?;
            found.into_iter().find_map(|one| one.row.action)
        }
        "tool" => {
            let found = tenant.select(&ToolCallRow::query().call_id(subject)).await?;
            found.into_iter().find_map(|one| one.row.tool_name)
        }
        "obligation" => {
            let own = ObligationRow::query().obligation_id(subject).at_most(MAX_TITLE_ROWS);
            let found = tenant.select(&own).await?;
            found.into_iter().find_map(|one| one.row.source_clause)
        }
        _ => None,
    })
}

/// How many rows of an obligation are searched for its clause, which the first of them has.
const MAX_TITLE_ROWS: u32 = 100;
/// How much of a trail is searched for the records of an actor: a page of ours comes in well below
/// a second.
const MAX_LOOKED_THROUGH_RECORDS: u64 = 5_000;
/// How many records are read at once.
const MAX_READ_RECORDS: u64 = 1_000;
/// How many records of a subject are read at once: with their payloads, which may be long.
const MAX_READ_SUBJECT_RECORDS: u32 = 100;
/// How many cosignatures are looked at for a page of records.
const MAX_COSIGNATURES: u32 = 100;
