//! Versions of a pack: their line, of which erased ones stay a part.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Its state today.
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

/// The state of a version. Its content never changes; the state follows from the votes
/// and from the versions after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PackState {
    /// No votes yet.
    Unresolved,
    /// At least one approval, and more are needed.
    PartlyApproved,
    /// At least one rejection, which ends it.
    Rejected,
    /// The reviewer has resolved it.
    Resolved,
    /// A later version follows, whatever the votes on this one.
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

/// Versions of packs, each with its state.
pub(crate) async fn summaries(
    tenant: &Tenant,
    found: Vec<IndexedRow<PackRow>>,
) -> Result<Vec<PackVersionSummary>, OperationFailure> {
    let decisions: BTreeSet<&String> = found.iter().map(|one| &one.row.decision_id).collect();
    let decisions: Vec<String> = decisions.into_iter().cloned().collect();
    let packs: Vec<String> = found.iter().map(|one| one.row.pack_id.clone()).collect();
    let lines = version_lines(tenant, &decisions).await?;
    let said = pack_votes(tenant, &packs).await?;
    let [rejected, approved] = [word(&VoteOutcome::Rejected)?, word(&VoteOutcome::Approved)?];
    let mut summaries = Vec::with_capacity(found.len());
    for IndexedRow { index, row } in found {
        let after = (row.decision_id.clone(), row.version + 1);
        let superseded_by = lines.get(&after).cloned();
        let is_said = |outcome: &String| said.contains(&(row.pack_id.clone(), outcome.clone()));
        let state = if superseded_by.is_some() {
            PackState::Superseded
        } else if row.status == "resolved" {
            PackState::Resolved
        } else if is_said(&rejected) {
            PackState::Rejected
        } else if is_said(&approved) {
            PackState::PartlyApproved
        } else {
            PackState::Unresolved
        };
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

/// The names of all versions of the packs of decisions, by decision and number.
///
/// By number, not by `supersedes`: an erased version has no row that names the one before.
async fn version_lines(
    tenant: &Tenant,
    decision_ids: &[String],
) -> Result<BTreeMap<(String, u64), String>, OperationFailure> {
    let mut lines = BTreeMap::new();
    for some in decision_ids.chunks(MAX_NAMES_IN_QUERY) {
        let kept = tenant.select(&PackRow::query().of_decisions(some)).await?;
        let kept = kept.into_iter().map(|IndexedRow { row, .. }| row);
        lines.extend(kept.map(|row| ((row.decision_id, row.version), row.pack_id)));
        let gone = tenant.select(&ErasedPackRow::query().of_decisions(some)).await?;
        let gone = gone.into_iter().map(|IndexedRow { row, .. }| row);
        lines.extend(gone.map(|row| ((row.decision_id, row.version), row.pack_id)));
    }
    Ok(lines)
}

/// The votes on packs: their names with the outcomes.
async fn pack_votes(
    tenant: &Tenant,
    pack_ids: &[String],
) -> Result<BTreeSet<(String, String)>, OperationFailure> {
    let mut said = BTreeSet::new();
    for some in pack_ids.chunks(MAX_NAMES_IN_QUERY) {
        let votes = tenant.select(&PackApprovalRow::query().about_packs(some)).await?;
        said.extend(votes.into_iter().map(|vote| (vote.row.pack_id, vote.row.outcome)));
    }
    Ok(said)
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

/// The pack as the version after the newest of its decision.
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
            // Its content is erased; the version before it that is left still sets the classes.
            let all = PackRow::query().decision_id(draft.decision_id.as_str());
            if let Some(line) = tenant.select(&all).await?.pop() {
                pack::amend(&content(tenant, &line).await?, &draft)?;
            }
            Ok(draft)
        }
    }
}

/// A page of a list has up to 1,000 packs, and so costs six queries at most; a statement of SQLite
/// binds 32,766 values.
const MAX_NAMES_IN_QUERY: usize = 500;
