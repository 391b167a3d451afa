//! Packs for people: the sealed file and its history, as the press takes them.

use dalil_core::canon;
use dalil_press::pdf::PackPrintout;
use dalil_store::{EvidenceTable, Tenant};
use serde::Serialize;

use super::catalog_row::{CatalogRow, select_rows_eq};
use super::{OperationFailure, pack};

#[cfg(test)]
mod tests;

/// What the pages of a pack are made of: its sealed file, every version, every approval.
///
/// # Errors
/// There is no pack of that name, or it is not what it was.
pub async fn sheet(tenant: &Tenant, pack_id: &str) -> Result<PackPrintout, OperationFailure> {
    // The first receipt: one under the newest checkpoint would change the pages with every record.
    let sealed = canon::bytes(&pack::first_file(tenant, pack_id).await?)?;
    let versions = pack::versions(tenant, pack_id).await?;
    let decision = versions.first().map_or("", |version| version.decision_id.as_str());
    let erased = pack::erased(tenant, decision).await?;
    let mut lines = Vec::new();
    for version in &versions {
        lines.extend(
            select_rows_eq(tenant, EvidenceTable::Approvals, "pack_id", &version.pack_id).await?,
        );
    }
    let own = versions.iter().find(|version| version.pack_id == pack_id);
    let before = own.and_then(|own| own.supersedes.as_deref());
    let mut told: Vec<PrintVersion<'_>> =
        versions.iter().map(|version| PrintVersion::of(version, before)).collect();
    told.extend(erased.iter().map(gone));
    told.sort_by_key(|version| version.version);
    let approvals = lines.iter().filter_map(PrintApproval::of).collect();
    let history = canon::bytes(&PrintHistory { approvals, versions: told })?;
    Ok(PackPrintout::read(&sealed, &history)?)
}

/// A version that was erased, of which its number and its record are left.
fn gone(erased: &pack::ErasedPackVersion) -> PrintVersion<'_> {
    PrintVersion {
        created_at: Some(&erased.sealed_at),
        pack_id: &erased.pack_id,
        reviewer_id: None,
        status: "erased",
        version: erased.version,
    }
}

/// The history as the press reads it.
#[derive(Serialize)]
struct PrintHistory<'l> {
    approvals: Vec<PrintApproval<'l>>,
    versions: Vec<PrintVersion<'l>>,
}

#[derive(Serialize)]
struct PrintApproval<'l> {
    at: &'l str,
    approver: &'l str,
    outcome: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'l str>,
}

#[derive(Serialize)]
struct PrintVersion<'l> {
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<&'l str>,
    pack_id: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewer_id: Option<&'l str>,
    status: &'l str,
    version: u64,
}

impl<'l> PrintApproval<'l> {
    /// A review makes a version, and stands among those.
    fn of(line: &'l CatalogRow) -> Option<Self> {
        let outcome = line.text("outcome").filter(|outcome| *outcome != "reviewed")?;
        Some(Self {
            at: line.text("at")?,
            approver: line.text("approver")?,
            outcome,
            reason: line.text("reason"),
            role: line.text("role").filter(|role| !role.is_empty()),
        })
    }
}

impl<'l> PrintVersion<'l> {
    /// Of the version that the pack supersedes, no more than the pack says under its seal: pages
    /// that tell more cannot be proved by their file.
    fn of(version: &'l pack::PackVersionSummary, before: Option<&str>) -> Self {
        let (pack_id, number) = (version.pack_id.as_str(), version.version);
        if before == Some(pack_id) {
            let (created_at, reviewer_id, status) = (None, None, "superseded");
            return Self { created_at, pack_id, reviewer_id, status, version: number };
        }
        Self {
            created_at: Some(&version.created_at),
            pack_id,
            reviewer_id: version.reviewer_id.as_deref(),
            status: &version.status,
            version: number,
        }
    }
}
