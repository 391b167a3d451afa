//! Exporting a trail: recorded first, then written line by line.

use std::fmt;

use dalil_core::access::Action;
use dalil_core::canon;
use dalil_core::digest::Digest;
use dalil_core::fault::Fault;
use dalil_core::record::Kind;
use dalil_core::trail::{Field, Header, Writer};
use dalil_core::tree::Head;
use dalil_store::{Draft, Error, IdempotencyKey, Table, Tenant, Value};
use serde::Serialize;

use super::super::approval::{self, Approved, Asked, CHANGES};
use super::super::line::{row, whole};
use super::super::member::approved;
use super::super::{Ack, Deed, Failure, append_seen, bytes, keys, looking, one};
use super::ProvedHead;
use super::custody::{self, FORMAT};
use super::payload::Batch;

/// An export that is asked for.
#[derive(Clone, Debug)]
pub struct Export {
    /// The first record.
    pub from: u64,
    /// Fields that are left out, by name.
    pub withhold: Vec<String>,
    /// On whose word it leaves.
    pub approved: Approved,
    /// Why it leaves.
    pub reason: String,
}

/// An export that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Made {
    /// Where the record of it stands; it is in the export.
    pub record: Ack,
    /// The first record in it.
    pub first: u64,
    /// The head at its end.
    pub head: ProvedHead,
    /// The head of the export before.
    pub previous: Option<ProvedHead>,
    /// The digest of the whole file.
    pub sha256: Digest,
}

/// What the `export.made` record commits to.
#[derive(Serialize)]
struct Said<'e> {
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
/// A range that the trail does not have, a store that cannot be read, or lines
/// that could not be written. The record stands whatever becomes of the lines:
/// that somebody tried is part of custody.
pub async fn export(
    tenant: &Tenant,
    export: &Export,
    deed: &Deed,
    out: &mut (dyn FnMut(&[u8]) -> Result<(), std::io::Error> + Send),
) -> Result<Made, Failure> {
    let size = tenant.head().await?.size;
    if export.from > size {
        let fault = Fault::new("range", "from", format!("at most {size}"), export.from);
        return Err(fault.into());
    }
    let record = looking(tenant, CHANGES, async |look| {
        let (names, used) = approvals(tenant, export, deed).await?;
        let before = custody::before(tenant, u64::MAX).await?;
        let (draft, key) = drawn(tenant, export, (before, &names), deed).await?;
        let drafts = std::iter::once(draft).chain(used).collect();
        one(append_seen(tenant, drafts, key, look).await?)
    });
    let record = record.await?;
    // Another process may have exported in between; what stands before is what counts.
    let before = custody::before(tenant, record.index).await?;
    let note = tenant.checkpoint_over(record.index).await?;
    let head = super::head(tenant, &note)?;
    let previous = custody::previous(tenant, before, head.size).await?;
    let frontier = tenant.frontier(export.from).await?;
    let history = keys::history(tenant).await?;
    let note = super::cosigned(tenant, note).await?;
    let header = Header::new(&note, &frontier, previous.as_ref(), &history)?;
    let sha256 = stream(tenant, &header, &export.withhold, out).await?;
    Ok(Made {
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
    export: &Export,
    deed: &Deed,
) -> Result<(String, Option<Draft>), Failure> {
    let Export { from, withhold, approved: word, reason } = export;
    match word {
        Approved::Named(names) => {
            for name in names {
                approved(tenant, name, Action::Export, FORMAT, deed).await?;
            }
            Ok((names.join(", "), None))
        }
        Approved::Given => {
            let (from, withhold) = (*from, withhold.clone());
            let asked = Asked::Trail { from, withhold, reason: reason.clone() };
            let (matter, terms) = approval::resolve(tenant, &asked).await?;
            let all = approval::found(tenant, &matter, &terms, deed).await?;
            let names: Vec<&str> = all.iter().map(|one| one.vote.approver.as_str()).collect();
            Ok((names.join(", "), approval::used(&matter, &terms, &all, deed)?))
        }
    }
}

/// The record of an export, and the name of its request.
async fn drawn(
    tenant: &Tenant,
    export: &Export,
    (before, approved_by): (Option<Head>, &str),
    deed: &Deed,
) -> Result<(Draft, Option<IdempotencyKey>), Failure> {
    let Export { from, withhold, reason, .. } = export;
    let previous = before.map(ProvedHead::from);
    let said =
        Said { approved_by, first: *from, format: FORMAT, previous, reason, withheld: withhold };
    let field = canon::bytes(&said)?;
    let size = tenant.head().await?.size;
    let id = format!("trail-{size}");
    let values = [
        Value::from(id),
        tenant.origin().into(),
        FORMAT.into(),
        Value::Null,
        approved_by.into(),
        reason.as_str().into(),
        whole(size),
        deed.at.to_string().into(),
    ];
    let rows = vec![row(Table::Exports, values)];
    let key = deed.named("export", &field)?;
    let fields = vec![bytes("export", field)];
    Ok((deed.draft(Kind::ExportMade, tenant.origin(), fields, rows), key))
}

/// Writes the records that a header names, and gives the digest of the file.
pub(super) async fn stream(
    tenant: &Tenant,
    header: &Header,
    withhold: &[String],
    out: &mut (dyn FnMut(&[u8]) -> Result<(), std::io::Error> + Send),
) -> Result<Digest, Failure> {
    let mut lines = Vec::new();
    let mut writer = Writer::begin(header, &mut lines);
    let (mut next, size) = (header.first(), header.head().size);
    let not_written = |error: &dyn fmt::Display| {
        Error::unavailable("export the trail", "the output").saw("to write a line", error)
    };
    while next < size {
        let batch = Batch::read(tenant, next..size.min(next.saturating_add(PAGE))).await?;
        for stored in &batch.records {
            let mut payload = batch.payload(stored);
            for (name, field) in &mut payload {
                if withhold.iter().any(|withheld| withheld == name) && !is_gone(field) {
                    *field = Field::Withheld;
                }
            }
            // A record that is not there leaves a gap, which the last line cannot hide.
            let written = writer.record(&stored.record, &payload, &mut lines);
            written.map_err(|error| not_written(&error))?;
            next = stored.index + 1;
        }
        if batch.records.is_empty() {
            break;
        }
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

/// What was erased cannot be withheld.
fn is_gone(field: &Field<'_>) -> bool {
    matches!(field, Field::Erased { .. })
}

impl fmt::Display for Made {
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
const PAGE: u64 = 256;
