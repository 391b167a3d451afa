//! Versions of a pack: their line, of which erased ones stay a part.

use std::collections::BTreeMap;

use dalil_core::fault::{Fault, quote};
use dalil_core::id::PackId;
use dalil_core::pack::{self, PackDraft};
use dalil_store::{EvidenceTable, Tenant};
use serde::Serialize;

use super::super::catalog_row::{CatalogRow, select_rows_eq};
use super::super::{OperationFailure, none};
use super::{content, missing};

/// One version of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PackVersionSummary {
    /// Its name.
    pub pack_id: String,
    /// The decision.
    pub decision_id: String,
    /// Which version it is, from 1.
    pub version: u64,
    /// The version before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The version after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// Whether a person has reviewed it.
    pub status: String,
    /// Who has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewer_id: Option<String>,
    /// When it was made.
    pub created_at: String,
    /// Until when it is kept.
    pub retain_until: String,
    /// The digest of its canonical bytes.
    pub sha256: String,
    /// Its record.
    pub index: u64,
}

/// Every version of a pack, or of the pack of a decision, the oldest first.
///
/// # Errors
/// There is no pack and no decision with a pack of that name.
pub async fn versions(
    tenant: &Tenant,
    name: &str,
) -> Result<Vec<PackVersionSummary>, OperationFailure> {
    let by_pack = select_rows_eq(tenant, EvidenceTable::EvidencePacks, "pack_id", name).await?;
    let decision =
        by_pack.first().map_or_else(|| name.to_owned(), |line| line.text_or_empty("decision_id"));
    let lines =
        select_rows_eq(tenant, EvidenceTable::EvidencePacks, "decision_id", &decision).await?;
    if lines.is_empty() {
        return Err(missing(name));
    }
    let mut versions: Vec<PackVersionSummary> = lines.iter().map(version).collect();
    let kept = versions.iter().map(|one| (one.version, one.pack_id.clone()));
    let gone = erased(tenant, &decision).await?;
    let gone = gone.into_iter().map(|one| (one.version, one.pack_id));
    // By number, not by `supersedes`: an erased version has no row that names the one before.
    let named: BTreeMap<u64, String> = kept.chain(gone).collect();
    for version in &mut versions {
        version.superseded_by = named.get(&(version.version + 1)).cloned();
    }
    Ok(versions)
}

pub(in crate::operations) fn version(line: &CatalogRow) -> PackVersionSummary {
    PackVersionSummary {
        pack_id: line.text_or_empty("pack_id"),
        decision_id: line.text_or_empty("decision_id"),
        version: line.u64_column("version").unwrap_or_default(),
        supersedes: line.text("supersedes").map(str::to_owned),
        superseded_by: None,
        status: line.text_or_empty("status"),
        reviewer_id: line.text("reviewer_id").map(str::to_owned),
        created_at: line.text_or_empty("created_at"),
        retain_until: line.text_or_empty("retain_until"),
        sha256: line.text_or_empty("sha256"),
        index: line.index(),
    }
}

/// The newest version that the pack of a decision ever had.
pub(super) struct NewestPackVersion {
    pub(super) pack_id: String,
    pub(super) version: u64,
    /// Nothing, if it was erased.
    pub(super) line: Option<CatalogRow>,
}

/// The newest version that the pack of a decision ever had, also if it was erased: a number is
/// never used again.
pub(super) async fn newest(
    tenant: &Tenant,
    decision_id: &str,
) -> Result<Option<NewestPackVersion>, OperationFailure> {
    let kept = select_rows_eq(tenant, EvidenceTable::EvidencePacks, "decision_id", decision_id)
        .await?
        .pop();
    let kept = kept.map(|line| NewestPackVersion {
        pack_id: line.text_or_empty("pack_id"),
        version: line.u64_column("version").unwrap_or_default(),
        line: Some(line),
    });
    let gone = erased(tenant, decision_id).await?.into_iter();
    let gone = gone.map(|gone| NewestPackVersion {
        pack_id: gone.pack_id,
        version: gone.version,
        line: None,
    });
    // An erased version may be newer than all that are left.
    Ok(kept.into_iter().chain(gone).max_by_key(|one| one.version))
}

/// What is left of a version that was erased.
pub(in crate::operations) struct ErasedPackVersion {
    pub(in crate::operations) pack_id: String,
    pub(in crate::operations) version: u64,
    #[cfg(feature = "pdf")]
    pub(in crate::operations) sealed_at: String,
}

/// The versions of a decision's pack that were erased.
pub(in crate::operations) async fn erased(
    tenant: &Tenant,
    decision_id: &str,
) -> Result<Vec<ErasedPackVersion>, OperationFailure> {
    let lines =
        select_rows_eq(tenant, EvidenceTable::ErasedPacks, "decision_id", decision_id).await?;
    let erased = |line: &CatalogRow| ErasedPackVersion {
        pack_id: line.text_or_empty("pack_id"),
        version: line.u64_column("version").unwrap_or_default(),
        #[cfg(feature = "pdf")]
        sealed_at: line.text_or_empty("sealed_at"),
    };
    Ok(lines.iter().map(erased).collect())
}

/// The pack as the version after the newest of its decision, as it says itself.
pub(super) async fn following(
    tenant: &Tenant,
    draft: PackDraft,
) -> Result<PackDraft, OperationFailure> {
    let (newest, named) =
        match (newest(tenant, draft.decision_id.as_str()).await?, &draft.supersedes) {
            (None, None) => return Ok(draft),
            (None, Some(named)) => {
                return Err(none(
                    "a version of this decision's pack",
                    "supersedes",
                    named.as_str(),
                ));
            }
            (Some(newest), named) => (newest, named.as_ref().map(PackId::as_str)),
        };
    // Naming the newest version is the proof that the caller has seen it.
    if named != Some(newest.pack_id.as_str()) {
        let gone = if newest.line.is_some() { "" } else { ", which was erased" };
        let expected =
            format!("{}, the newest pack of this decision{gone}", quote(&newest.pack_id));
        let found = named.map_or("nothing".to_owned(), quote);
        let fault = Fault::new("supersedes", "supersedes", expected, found);
        return Err(fault.hint("an edit is a version that names the one before").into());
    }
    if draft.version != newest.version + 1 {
        let expected = format!("`{}`, the version that follows", newest.version + 1);
        let found = format!("`{}`", draft.version);
        return Err(Fault::new("version", "version", expected, found).into());
    }
    match newest.line {
        // `amend` holds the draft to the version before, its classes among them.
        Some(line) => Ok(pack::amend(&content(tenant, &line).await?, &draft)?),
        None => {
            // What it said is gone; the version before it that is left still sets the classes.
            let all = select_rows_eq(
                tenant,
                EvidenceTable::EvidencePacks,
                "decision_id",
                draft.decision_id.as_str(),
            );
            if let Some(line) = all.await?.pop() {
                pack::amend(&content(tenant, &line).await?, &draft)?;
            }
            Ok(draft)
        }
    }
}
