//! Packs for people: the sealed file and its history, as the press takes them.

use dalil_proof::canon;
use dalil_proof::time::Time;
use dalil_render::pdf::PackPrintout;
use dalil_store::Tenant;
use dalil_store::catalog::{ErasedPackRow, PackApprovalRow};
use serde::Serialize;

use crate::operation::OperationFailure;
use crate::pack;

#[cfg(test)]
mod tests;

/// The content of a pack's pages: its sealed file, every version, every approval.
///
/// # Errors
/// There is no pack of that name, or it was changed.
pub async fn sheet(
    tenant: &Tenant,
    pack_id: &str,
    verify_url: Option<&str>,
) -> Result<PackPrintout, OperationFailure> {
    // The first receipt: one under the newest checkpoint would change the pages with every record.
    let sealed = canon::bytes(&pack::first_file(tenant, pack_id).await?)?;
    let versions = pack::versions(tenant, pack_id).await?;
    let decision = versions.first().map_or("", |version| version.decision_id.as_str());
    let erased = pack::erased(tenant, decision).await?;
    let mut given = Vec::new();
    for version in &versions {
        given.extend(tenant.select(&PackApprovalRow::query().pack_id(&version.pack_id)).await?);
    }
    let own = versions.iter().find(|version| version.pack_id == pack_id);
    let before = own.and_then(|own| own.supersedes.as_deref());
    let mut told: Vec<PrintVersion<'_>> =
        versions.iter().map(|version| PrintVersion::of(version, before)).collect();
    told.extend(erased.iter().map(gone));
    told.sort_by_key(|version| version.version);
    let approvals = given.iter().filter_map(|found| PrintApproval::of(&found.row)).collect();
    let history = canon::bytes(&PrintHistory { approvals, verify_url, versions: told })?;
    Ok(PackPrintout::read(&sealed, &history)?)
}

/// A version that was erased, of which its number and its record are left.
fn gone(erased: &ErasedPackRow) -> PrintVersion<'_> {
    PrintVersion {
        created_at: Some(erased.sealed_at.to_string()),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    verify_url: Option<&'l str>,
    versions: Vec<PrintVersion<'l>>,
}

#[derive(Serialize)]
struct PrintApproval<'l> {
    at: Time,
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
    created_at: Option<String>,
    pack_id: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewer_id: Option<&'l str>,
    status: &'l str,
    version: u64,
}

impl<'l> PrintApproval<'l> {
    /// A review makes a version, and is listed among those.
    fn of(row: &'l PackApprovalRow) -> Option<Self> {
        (row.outcome != "reviewed").then(|| Self {
            at: row.at,
            approver: &row.approver,
            outcome: &row.outcome,
            reason: row.reason.as_deref(),
            role: Some(row.role.as_str()).filter(|role| !role.is_empty()),
        })
    }
}

impl<'l> PrintVersion<'l> {
    /// Of the version that the pack supersedes, only the fields that the pack has under its seal:
    /// pages with more cannot be proved by their file.
    fn of(version: &'l pack::PackVersionSummary, before: Option<&str>) -> Self {
        let (pack_id, number) = (version.pack_id.as_str(), version.version);
        if before == Some(pack_id) {
            let (created_at, reviewer_id, status) = (None, None, "superseded");
            return Self { created_at, pack_id, reviewer_id, status, version: number };
        }
        Self {
            created_at: Some(version.created_at.clone()),
            pack_id,
            reviewer_id: version.reviewer_id.as_deref(),
            status: &version.status,
            version: number,
        }
    }
}
