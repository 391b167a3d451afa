//! Exporting a trail: recorded first, then written line by line.

use std::fmt;
use std::fs::File;
use std::io::{Seek as _, Write as _};

use dalil_evidence::access::AccessAction;
use dalil_phrasebook::bound;
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::fault::Fault;
use dalil_proof::record::RecordKind;
use dalil_proof::trail::{PayloadField, TrailHeader, TrailWriter};
use dalil_proof::tree::TreeHead;
use dalil_store::catalog::ExportRow;
use dalil_store::{Error, IdempotencyKey, NewRecord, Tenant};
use serde::Serialize;

use super::ProvedHead;
use super::custody::{self, TRAIL_FORMAT};
use super::payload::RecordBatch;
use crate::approval::{self, APPROVAL_CONFLICT_KINDS, ApprovalBasis, ApprovalRequest};
use crate::export::erased_since;
use crate::member::approved;
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, answered, append_if_unchanged, bytes, one,
    retry_on_conflict_of_kinds,
};
use crate::{keys, signed_head};

/// An export that is asked for.
#[derive(Clone, Debug)]
pub struct TrailExportRequest {
    /// The first record.
    pub from: u64,
    /// Fields that are left out, by name.
    pub withhold: Vec<String>,
    /// On whose word it leaves.
    pub approved: ApprovalBasis,
    /// Why it leaves.
    pub reason: String,
}

/// An export that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CompletedTrailExport {
    /// The place of its record, which is in the export.
    pub record: RecordAck,
    /// The first record in it.
    pub first: u64,
    /// The head at its end.
    pub head: ProvedHead,
    /// The head of the export before.
    pub previous: Option<ProvedHead>,
    /// The digest of the whole file.
    pub sha256: Digest,
}

/// The payload of the `export.made` record.
#[derive(Serialize)]
struct TrailExportPayload<'e> {
    approved_by: &'e str,
    first: u64,
    format: &'e str,
    previous: Option<ProvedHead>,
    reason: &'e str,
    withheld: &'e [String],
}

/// Records an export and writes it, a page of records at a time.
///
/// # Errors
/// A range that the trail does not have, a store that cannot be read, or lines that could not be
/// written. The record is kept whatever becomes of the lines: the attempt is part of custody.
pub async fn export(
    tenant: &Tenant,
    export: &TrailExportRequest,
    context: &RequestContext,
    out: &mut (dyn FnMut(&[u8]) -> Result<(), std::io::Error> + Send),
) -> Result<CompletedTrailExport, OperationFailure> {
    let size = tenant.head().await?.size;
    // Equal is allowed: the record of the export comes at this index and is in the export.
    if export.from > size {
        let fault = Fault::new("range", "from", bound::at_most(size), export.from);
        return Err(fault.into());
    }
    let TrailExportRequest { from, withhold, approved, reason } = export;
    // The request, and not its result: approvals and the export before change.
    let named = canon::bytes(&(&context.actor, from, withhold, approved.names(), reason))?;
    let key = context.idempotency_key("trail export", &named)?;
    let record = retry_on_conflict_of_kinds(tenant, APPROVAL_CONFLICT_KINDS, async |snapshot| {
        // In each round: the conflict may be the first attempt of this very request.
        if let Some(acks) = answered(tenant, key.as_ref()).await? {
            return one(acks);
        }
        let (names, used) = approvals(tenant, export, (context, key.as_ref())).await?;
        let before = custody::before(tenant, u64::MAX).await?;
        let draft = drawn(tenant, export, (before, &names), context).await?;
        let drafts = std::iter::once(draft).chain(used).collect();
        one(append_if_unchanged(tenant, drafts, key.clone(), snapshot).await?)
    });
    // The record is appended before the first line is written: an export is always recorded.
    let record = record.await?;
    write(tenant, export, record, out).await
}

/// As [`export`], to a file that leaves later: nothing is in it that was erased while it was
/// written. Gives the size of the trail up to which that was looked at.
///
/// # Errors
/// As [`export`].
pub async fn export_to_file(
    tenant: &Tenant,
    asked: &TrailExportRequest,
    context: &RequestContext,
    file: &mut File,
) -> Result<u64, OperationFailure> {
    let mut since = tenant.head().await?.size;
    let record = export(tenant, asked, context, &mut |line| file.write_all(line)).await?.record;
    while has_erasure_since(tenant, since).await? {
        since = tenant.head().await?.size;
        file.set_len(0).and_then(|()| file.rewind()).map_err(|error| not_written(&error))?;
        write(tenant, asked, record.clone(), &mut |line| file.write_all(line)).await?;
    }
    Ok(since)
}

/// Whether something was erased since the trail had this size.
///
/// # Errors
/// The store cannot be read.
pub async fn has_erasure_since(tenant: &Tenant, size: u64) -> Result<bool, OperationFailure> {
    Ok(erased_since(tenant, size).await?.is_some())
}

/// Writes an export that was recorded, without the fields that were erased since.
async fn write(
    tenant: &Tenant,
    export: &TrailExportRequest,
    record: RecordAck,
    out: &mut (dyn FnMut(&[u8]) -> Result<(), std::io::Error> + Send),
) -> Result<CompletedTrailExport, OperationFailure> {
    // Another process may have exported in between; the exports before this record count.
    let before = custody::before(tenant, record.index).await?;
    // The first checkpoint that covers the record, so the export ends at a signed head.
    let note = tenant.checkpoint_over(record.index).await?;
    let head = signed_head::head(tenant, &note)?;
    let previous = custody::previous(tenant, before, head.size).await?;
    let frontier = tenant.frontier(export.from).await?;
    let history = keys::history(tenant).await?;
    let note = signed_head::cosigned(tenant, note).await?;
    let header = TrailHeader::new(&note, &frontier, previous.as_ref(), &history)?;
    let sha256 = stream(tenant, &header, &export.withhold, out).await?;
    Ok(CompletedTrailExport {
        record,
        first: export.from,
        head: head.into(),
        previous: before.map(ProvedHead::from),
        sha256,
    })
}

/// Who approved, and the record that it was used.
async fn approvals(
    tenant: &Tenant,
    export: &TrailExportRequest,
    (context, key): (&RequestContext, Option<&IdempotencyKey>),
) -> Result<(String, Option<NewRecord>), OperationFailure> {
    let TrailExportRequest { from, withhold, approved: word, reason } = export;
    let (from, withhold) = (*from, withhold.clone());
    let asked = ApprovalRequest::Trail { from, withhold, reason: reason.clone() };
    let (matter, terms) = approval::resolve(tenant, &asked).await?;
    match word {
        ApprovalBasis::Named(names) => {
            for name in names {
                let need = (AccessAction::Export, terms.need.class);
                approved(tenant, name, need, TRAIL_FORMAT, context).await?;
            }
            Ok((names.join(", "), None))
        }
        ApprovalBasis::Given => {
            let all = approval::found(tenant, &matter, &terms, (context, key)).await?;
            let names: Vec<&str> = all.iter().map(|one| one.vote.approver.as_str()).collect();
            Ok((names.join(", "), approval::used(&matter, &terms, &all, context)?))
        }
    }
}

/// The record of an export.
async fn drawn(
    tenant: &Tenant,
    export: &TrailExportRequest,
    (before, approved_by): (Option<TreeHead>, &str),
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let TrailExportRequest { from, withhold, reason, .. } = export;
    let previous = before.map(ProvedHead::from);
    let said = TrailExportPayload {
        approved_by,
        first: *from,
        format: TRAIL_FORMAT,
        previous,
        reason,
        withheld: withhold,
    };
    let field = canon::bytes(&said)?;
    let size = tenant.head().await?.size;
    let row = ExportRow {
        export_id: format!("trail-{size}"),
        subject: tenant.origin().to_owned(),
        format: TRAIL_FORMAT.to_owned(),
        sha256: None,
        approved_by: approved_by.to_owned(),
        reason: reason.clone(),
        trail_size: size,
        at: context.at,
    };
    let rows = vec![row.into()];
    let fields = vec![bytes("export", field)];
    Ok(context.draft(RecordKind::ExportMade, tenant.origin(), fields, rows))
}

/// Writes the records that a header names, and gives the digest of the file.
pub(super) async fn stream(
    tenant: &Tenant,
    header: &TrailHeader,
    withhold: &[String],
    out: &mut (dyn FnMut(&[u8]) -> Result<(), std::io::Error> + Send),
) -> Result<Digest, OperationFailure> {
    let mut lines = Vec::new();
    let mut writer = TrailWriter::begin(header, &mut lines);
    let (mut next, size) = (header.first(), header.head().size);
    while next < size {
        let batch =
            RecordBatch::read(tenant, next..size.min(next.saturating_add(MAX_BATCH_RECORDS)))
                .await?;
        for stored in &batch.records {
            let mut payload = batch.payload(stored);
            for (name, field) in &mut payload {
                // A withheld field must not hide that it was erased.
                if withhold.iter().any(|withheld| withheld == name) && !is_gone(field) {
                    *field = PayloadField::Withheld;
                }
            }
            // A record that is not there leaves a gap, which the last line cannot hide.
            let written = writer.record(&stored.record, &payload, &mut lines);
            written.map_err(|error| not_written(&error))?;
            next = stored.index + 1;
        }
        // The records end before the head does. `end` below reports it as damage.
        if batch.records.is_empty() {
            break;
        }
        // A page at a time: memory does not grow with the trail.
        out(&lines).map_err(|error| not_written(&error))?;
        lines.clear();
    }
    let digest = writer.end(&mut lines).map_err(|error| {
        Error::damaged("export the trail", format!("tenant `{}`", tenant.name()))
            .saw("every record of the checkpoint", error)
            .hint("`dalil fsck` says which are missing")
    })?;
    out(&lines).map_err(|error| not_written(&error))?;
    Ok(digest)
}

fn not_written(error: &dyn fmt::Display) -> Error {
    Error::unavailable("export the trail", "the output").saw("to write a line", error)
}

/// An erased field cannot be withheld.
fn is_gone(field: &PayloadField<'_>) -> bool {
    matches!(field, PayloadField::Erased { .. })
}

impl fmt::Display for CompletedTrailExport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { record, first, head, previous, sha256 } = self;
        let size = head.size;
        writeln!(f, "records {first} to {} of {size}, as record {}", size - 1, record.index)?;
        match previous {
            Some(previous) => writeln!(f, "after the export of size {}", previous.size)?,
            None => writeln!(f, "the first export")?,
        }
        writeln!(f, "{sha256}")
    }
}

/// How many records are in memory at once.
const MAX_BATCH_RECORDS: u64 = 256;
