//! Exports of one trail, each naming the one before.

use dalil_proof::record::RecordKind;
use dalil_proof::trail::PreviousExport;
use dalil_proof::tree::TreeHead;
use dalil_store::{StoredRecord, Tenant};

use crate::operation::OperationFailure;
use crate::signed_head;

/// The head of the last export before a record; `None` when it is the first.
///
/// An export ends where the checkpoint over its own record does.
pub(super) async fn before(
    tenant: &Tenant,
    index: u64,
) -> Result<Option<TreeHead>, OperationFailure> {
    // Records stay when payloads and rows are erased, so the chain does too.
    let records = tenant.history(tenant.origin()).await?;
    let is_export = |stored: &&StoredRecord| {
        stored.index < index && stored.record.envelope().kind == RecordKind::ExportMade
    };
    let Some(made) = records.iter().rev().find(is_export) else { return Ok(None) };
    let note = tenant.checkpoint_over(made.index).await?;
    Ok(Some(signed_head::head(tenant, &note)?))
}

/// The export before, with the proof that the trail only grew since.
pub(super) async fn previous(
    tenant: &Tenant,
    before: Option<TreeHead>,
    size: u64,
) -> Result<Option<PreviousExport>, OperationFailure> {
    let Some(head) = before else { return Ok(None) };
    let proof = tenant.consistency(head.size, size).await?;
    Ok(Some(PreviousExport { head, proof }))
}

/// How `exports` calls a trail export.
pub(super) const TRAIL_FORMAT: &str = "trail";
