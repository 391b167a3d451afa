//! Versions of a pack: their line, of which erased ones stay a part.

use std::collections::BTreeMap;

use dalil_evidence::approval::VoteOutcome;
use dalil_evidence::pack::{self, PackDraft};
use dalil_phrasebook::{found, hint, precondition};
use dalil_proof::fault::{Fault, quote, quoted};
use dalil_proof::id::PackId;
use dalil_store::catalog::{ErasedPackRow, PackApprovalRow, PackRow};
use dalil_store::{IndexedRow, Tenant};
use serde::Serialize;

use super::{content, missing};
use crate::operation::{OperationFailure, none, word};

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
    /// How it stands today.
    pub state: PackState,
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

/// How a version stands. What it says itself never changes; this follows from what members said
/// about it and from the versions after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PackState {
    /// Nobody has approved or rejected it.
    Unresolved,
    /// Somebody has approved it, and others must still.
    PartlyApproved,
    /// Somebody has said no, which ends it.
    Rejected,
    /// The reviewer has resolved it.
    Resolved,
    /// A later version follows, whatever was said about this one.
    Superseded,
}

/// Every version of a pack, or of the pack of a decision, the oldest first.
///
/// # Errors
/// There is no pack and no decision with a pack of that name.
pub async fn versions(
    tenant: &Tenant,
    name: &str,
) -> Result<Vec<PackVersionSummary>, OperationFailure> {
    let by_pack = tenant.select(&PackRow::query().pack_id(name)).await?;
    let decision = by_pack.first().map_or(name, |found| &found.row.decision_id);
    let found = tenant.select(&PackRow::query().decision_id(decision)).await?;
    if found.is_empty() {
        return Err(missing(name));
    }
    summaries(tenant, found).await
}

/// Versions of packs, each with how it stands.
pub(crate) async fn summaries(
    tenant: &Tenant,
    found: Vec<IndexedRow<PackRow>>,
) -> Result<Vec<PackVersionSummary>, OperationFailure> {
    let mut lines: BTreeMap<String, BTreeMap<u64, String>> = BTreeMap::new();
    let mut summaries = Vec::with_capacity(found.len());
    for IndexedRow { index, row } in found {
        if !lines.contains_key(&row.decision_id) {
            lines.insert(row.decision_id.clone(), line(tenant, &row.decision_id).await?);
        }
        let line = lines.get(&row.decision_id);
        let superseded_by = line.and_then(|line| line.get(&(row.version + 1)).cloned());
        let state = state(tenant, &row, superseded_by.as_deref()).await?;
        summaries.push(PackVersionSummary {
            pack_id: row.pack_id,
            decision_id: row.decision_id,
            version: row.version,
            supersedes: row.supersedes,
            superseded_by,
            status: row.status,
            state,
            reviewer_id: row.reviewer_id,
            created_at: row.created_at.to_string(),
            retain_until: row.retain_until.to_string(),
            sha256: row.sha256.to_string(),
            index,
        });
    }
    Ok(summaries)
}

/// The names of all versions of a decision's pack, by their numbers.
///
/// By number, not by `supersedes`: an erased version has no row that names the one before.
async fn line(
    tenant: &Tenant,
    decision_id: &str,
) -> Result<BTreeMap<u64, String>, OperationFailure> {
    let kept = tenant.select(&PackRow::query().decision_id(decision_id)).await?;
    let kept = kept.into_iter().map(|found| (found.row.version, found.row.pack_id));
    let gone = erased(tenant, decision_id).await?;
    let gone = gone.into_iter().map(|one| (one.version, one.pack_id));
    Ok(kept.chain(gone).collect())
}

/// How a version stands, by what was said about it and the version after it.
async fn state(
    tenant: &Tenant,
    row: &PackRow,
    superseded_by: Option<&str>,
) -> Result<PackState, OperationFailure> {
    if superseded_by.is_some() {
        return Ok(PackState::Superseded);
    }
    if row.status == "resolved" {
        return Ok(PackState::Resolved);
    }
    let said = tenant.select(&PackApprovalRow::query().pack_id(&row.pack_id)).await?;
    let [rejected, approved] = [word(&VoteOutcome::Rejected)?, word(&VoteOutcome::Approved)?];
    let is_said = |outcome: &str| said.iter().any(|one| one.row.outcome == outcome);
    Ok(if is_said(&rejected) {
        PackState::Rejected
    } else if is_said(&approved) {
        PackState::PartlyApproved
    } else {
        PackState::Unresolved
    })
}

/// The newest version that the pack of a decision ever had.
pub(super) struct NewestPackVersion {
    pub(super) pack_id: String,
    pub(super) version: u64,
    /// Nothing, if it was erased.
    pub(super) line: Option<IndexedRow<PackRow>>,
}

/// The newest version that the pack of a decision ever had, also if it was erased: a number is
/// never used again.
pub(super) async fn newest(
    tenant: &Tenant,
    decision_id: &str,
) -> Result<Option<NewestPackVersion>, OperationFailure> {
    let kept = tenant.select(&PackRow::query().decision_id(decision_id)).await?.pop();
    let kept = kept.map(|line| NewestPackVersion {
        pack_id: line.row.pack_id.clone(),
        version: line.row.version,
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

/// The versions of a decision's pack that were erased.
pub(crate) async fn erased(
    tenant: &Tenant,
    decision_id: &str,
) -> Result<Vec<ErasedPackRow>, OperationFailure> {
    let found = tenant.select(&ErasedPackRow::query().decision_id(decision_id)).await?;
    Ok(found.into_iter().map(|found| found.row).collect())
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
                    precondition::a_version_of_this_decisions_pack(),
                    "supersedes",
                    named.as_str(),
                ));
            }
            (Some(newest), named) => (newest, named.as_ref().map(PackId::as_str)),
        };
    // Naming the newest version is the proof that the caller has seen it.
    if named != Some(newest.pack_id.as_str()) {
        let expected = match newest.line {
            Some(_) => precondition::newest_pack(quote(&newest.pack_id)),
            None => precondition::newest_pack_erased(quote(&newest.pack_id)),
        };
        let found = named.map_or(found::nothing(), quoted);
        let fault = Fault::new("supersedes", "supersedes", expected, found);
        return Err(fault.hint(hint::an_edit_is_a_version_that_names_the_one_before()).into());
    }
    if draft.version != newest.version + 1 {
        let expected = precondition::version_that_follows(newest.version + 1);
        let found = found::value(draft.version);
        return Err(Fault::new("version", "version", expected, found).into());
    }
    match newest.line {
        // `amend` holds the draft to the version before, its classes among them.
        Some(line) => Ok(pack::amend(&content(tenant, &line).await?, &draft)?),
        None => {
            // What it said is gone; the version before it that is left still sets the classes.
            let all = PackRow::query().decision_id(draft.decision_id.as_str());
            if let Some(line) = tenant.select(&all).await?.pop() {
                pack::amend(&content(tenant, &line).await?, &draft)?;
            }
            Ok(draft)
        }
    }
}
