//! Packs for people: the sealed file and its history, as the press takes them.

use dalil_core::canon;
use dalil_press::pdf::PackSheet;
use dalil_store::{Table, Tenant};
use serde::Serialize;

use super::line::{Line, equal};
use super::{Failure, pack};

#[cfg(test)]
mod tests;

/// What the pages of a pack are made of: its sealed file, every version, every approval.
///
/// # Errors
/// There is no pack of that name, or it is not what it was.
pub async fn sheet(tenant: &Tenant, pack_id: &str) -> Result<PackSheet, Failure> {
    let sealed = canon::bytes(&pack::first_file(tenant, pack_id).await?)?;
    let versions = pack::versions(tenant, pack_id).await?;
    let decision = versions.first().map_or("", |version| version.decision_id.as_str());
    let erased = pack::erased(tenant, decision).await?;
    let mut lines = Vec::new();
    for version in &versions {
        lines.extend(equal(tenant, Table::Approvals, "pack_id", &version.pack_id).await?);
    }
    let mut told: Vec<Version<'_>> = versions.iter().map(Version::of).collect();
    told.extend(erased.iter().map(gone));
    told.sort_by_key(|version| version.version);
    let approvals = lines.iter().filter_map(Approval::of).collect();
    let history = canon::bytes(&History { approvals, versions: told })?;
    Ok(PackSheet::read(&sealed, &history)?)
}

/// A version that was erased, of which its number and its record are left.
fn gone(erased: &pack::Erased) -> Version<'_> {
    Version {
        created_at: &erased.sealed_at,
        pack_id: &erased.pack_id,
        reviewer_id: None,
        status: "erased",
        version: erased.version,
    }
}

/// The history as the press reads it.
#[derive(Serialize)]
struct History<'l> {
    approvals: Vec<Approval<'l>>,
    versions: Vec<Version<'l>>,
}

#[derive(Serialize)]
struct Approval<'l> {
    at: &'l str,
    approver: &'l str,
    outcome: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'l str>,
}

#[derive(Serialize)]
struct Version<'l> {
    created_at: &'l str,
    pack_id: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewer_id: Option<&'l str>,
    status: &'l str,
    version: u64,
}

impl<'l> Approval<'l> {
    /// A review makes a version, and stands among those.
    fn of(line: &'l Line) -> Option<Self> {
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

impl<'l> Version<'l> {
    fn of(version: &'l pack::Version) -> Self {
        Self {
            created_at: &version.created_at,
            pack_id: &version.pack_id,
            reviewer_id: version.reviewer_id.as_deref(),
            status: &version.status,
            version: version.version,
        }
    }
}
