//! Lists of a tenant's objects, in either direction from a record, with a limit.

use dalil_phrasebook::{expected, found, precondition};
use dalil_proof::canon;
use dalil_proof::digest::Digest;
use dalil_proof::json::Json;
use dalil_proof::record::Actor;
use dalil_store::catalog::{
    ArtifactRow, BundleRow, DecisionRow, ExportRow, ObligationRow, PackRow,
};
use dalil_store::{IndexedRow, Tenant};
use serde::Serialize;

pub use crate::list_range::ListRange;
use crate::operation::{OperationFailure, none};
use crate::pack;

/// A decision, as a list shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionSummary {
    /// Its name.
    pub decision_id: String,
    /// Its subject.
    pub entity_id: Option<String>,
    /// Who decided.
    pub agent_name: Option<String>,
    /// The decision.
    pub action: Option<String>,
    /// Its classes: approval, reversibility, sensitivity.
    pub classes: [String; 3],
    /// How sure the agent was.
    pub confidence: Option<f64>,
    /// Whether it needs a pack.
    pub requirement: String,
    /// When it was decided.
    pub created_at: String,
    /// Its record.
    pub index: u64,
}

/// Decisions, in the order in which they were recorded.
///
/// # Errors
/// The store cannot be read.
pub async fn decisions(
    tenant: &Tenant,
    part: ListRange,
) -> Result<Vec<DecisionSummary>, OperationFailure> {
    let found = tenant.select(&part.of(DecisionRow::query())).await?;
    Ok(found.into_iter().map(decision).collect())
}

fn decision(IndexedRow { index, row }: IndexedRow<DecisionRow>) -> DecisionSummary {
    DecisionSummary {
        decision_id: row.decision_id,
        entity_id: row.entity_id,
        agent_name: row.agent_name,
        action: row.action,
        classes: [row.approval_class, row.reversibility_class, row.sensitivity_class],
        confidence: row.confidence,
        requirement: row.requirement,
        created_at: row.created_at.to_string(),
        index,
    }
}

/// A decision as it was recorded.
///
/// # Errors
/// There is none of that name.
pub async fn show_decision(
    tenant: &Tenant,
    decision_id: &str,
) -> Result<DecisionSummary, OperationFailure> {
    let found = tenant.select(&DecisionRow::query().decision_id(decision_id)).await?;
    let none = || none(precondition::a_decision_of_this_tenant(), "decision_id", decision_id);
    found.into_iter().next().map(decision).ok_or_else(none)
}

/// Versions of packs, in the order in which they were sealed.
///
/// # Errors
/// The store cannot be read.
pub async fn packs(
    tenant: &Tenant,
    part: ListRange,
) -> Result<Vec<pack::PackVersionSummary>, OperationFailure> {
    let found = tenant.select(&part.of(PackRow::query())).await?;
    pack::summaries(tenant, found).await
}

/// An export, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExportSummary {
    /// Its name.
    pub export_id: String,
    /// What left.
    pub subject: String,
    /// In which form.
    pub format: String,
    /// The digest of its bytes, when they were known beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Who exported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exported_by: Option<String>,
    /// Who approved it.
    pub approved_by: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: String,
    /// Its record.
    pub index: u64,
}

/// Exports, in the order in which they were made.
///
/// # Errors
/// The store cannot be read.
pub async fn exports(
    tenant: &Tenant,
    part: ListRange,
) -> Result<Vec<ExportSummary>, OperationFailure> {
    let mut exports = Vec::new();
    for found in tenant.select(&part.of(ExportRow::query())).await? {
        let mut export = export(found);
        // The row has no column for it; the record names the actor.
        let stored = tenant.record(export.index).await?;
        export.exported_by = stored.map(|stored| actor_name(&stored.record.envelope().actor));
        exports.push(export);
    }
    Ok(exports)
}

fn actor_name(actor: &Actor) -> String {
    match actor {
        Actor::Agent(name) | Actor::Person(name) => name.clone(),
        Actor::System => "system".to_owned(),
    }
}

/// An export whose bytes the lake has: itself, their digest, and how many they are.
///
/// # Errors
/// There is none of that name, or something was erased since it was made.
pub async fn export_of(
    tenant: &Tenant,
    export_id: &str,
) -> Result<(ExportSummary, Digest, u64), OperationFailure> {
    let found = tenant.select(&ExportRow::query().export_id(export_id)).await?;
    let missing = || none(precondition::an_export_of_this_tenant(), "export_id", export_id);
    let found = found.into_iter().next().ok_or_else(missing)?;
    crate::export::has_lasted(tenant, found.index, "export_id").await?;
    // A trail export is streamed, so no digest was known when it was recorded.
    let digest = found.row.sha256.ok_or_else(missing)?;
    let objects = tenant.select(&ArtifactRow::query().sha256(&digest)).await?;
    let size = objects.first().map(|found| found.row.size).ok_or_else(missing)?;
    Ok((export(found), digest, size))
}

fn export(IndexedRow { index, row }: IndexedRow<ExportRow>) -> ExportSummary {
    ExportSummary {
        export_id: row.export_id,
        subject: row.subject,
        format: row.format,
        sha256: row.sha256.map(|digest| digest.to_string()),
        exported_by: None,
        approved_by: Some(row.approved_by),
        reason: Some(row.reason),
        at: row.at.to_string(),
        index,
    }
}

/// A bundle, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleListEntry {
    /// Its name.
    pub bundle_id: String,
    /// The digest of its content.
    pub bundle_sha256: String,
    /// How many items it has.
    pub item_count: u64,
    /// How many bytes they have.
    pub total_bytes: u64,
    /// When it was built.
    pub created_utc: String,
    /// Its record.
    pub index: u64,
}

/// Bundles, in the order in which they were built.
///
/// # Errors
/// The store cannot be read.
pub async fn bundles(
    tenant: &Tenant,
    part: ListRange,
) -> Result<Vec<BundleListEntry>, OperationFailure> {
    let found = tenant.select(&part.of(BundleRow::query())).await?;
    let bundle = |IndexedRow { index, row }: IndexedRow<BundleRow>| BundleListEntry {
        bundle_id: row.bundle_id,
        bundle_sha256: row.bundle_sha256.to_string(),
        item_count: row.item_count,
        total_bytes: row.total_bytes,
        created_utc: row.created_utc.to_string(),
        index,
    };
    Ok(found.into_iter().map(bundle).collect())
}

/// A bundle, whole.
///
/// # Errors
/// There is none of that name, or the lake does not have it any more.
pub async fn show_bundle(
    tenant: &Tenant,
    bundle_id: &str,
) -> Result<Json<'static>, OperationFailure> {
    let found = tenant.select(&BundleRow::query().bundle_id(bundle_id)).await?;
    let missing = || none(precondition::a_bundle_of_this_tenant(), "bundle_id", bundle_id);
    let index = found.first().ok_or_else(missing)?.index;
    let stored = tenant.record(index).await?;
    let digest = match stored.as_ref().and_then(|stored| crate::operation::held(stored, "bundle")) {
        Some(dalil_store::trail::StoredFieldState::Present(
            _,
            dalil_store::trail::StoredPayload::Lake(digest),
        )) => *digest,
        _ => return Err(missing()),
    };
    let bytes = tenant.lake()?.get(&digest).await?;
    Ok(Json::parse(&bytes)?.into_owned())
}

/// An obligation, as a list shows it: its newest record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObligationSummary {
    /// Its name.
    pub obligation_id: String,
    /// The recorded event.
    pub event: String,
    /// The contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc_filename: Option<String>,
    /// The result of a second model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification_result: Option<String>,
    /// The confidence of the model that found or verified it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_at: Option<String>,
    /// Its record.
    pub index: u64,
}

/// Records of obligations, in order.
///
/// # Errors
/// The store cannot be read.
pub async fn obligations(
    tenant: &Tenant,
    part: ListRange,
) -> Result<Vec<ObligationSummary>, OperationFailure> {
    let found = tenant.select(&part.of(ObligationRow::query())).await?;
    let obligation = |IndexedRow { index, row }: IndexedRow<ObligationRow>| ObligationSummary {
        obligation_id: row.obligation_id,
        event: row.event,
        doc_filename: row.doc_filename,
        verification_result: row.verification_result,
        confidence: row.confidence,
        recorded_at: Some(row.recorded_at.to_string()),
        index,
    };
    Ok(found.into_iter().map(obligation).collect())
}

/// A request with further members, which must not be in it already.
///
/// # Errors
/// No object, or one that has such a member.
pub fn with_members(
    request: &[u8],
    further: &[(&'static str, &str)],
) -> Result<Vec<u8>, OperationFailure> {
    let mut json = Json::parse(request)?.into_owned();
    let Json::Object(members) = &mut json else {
        let fault = dalil_proof::fault::Fault::new("type", "$", expected::an_object(), json.kind());
        return Err(fault.into());
    };
    for (name, value) in further {
        // The caller knows the value, from the path or the credential: no second one may compete.
        if members.iter().any(|(known, _)| known == name) {
            let expected = precondition::no_such_field_it_is_known_already();
            let fault =
                dalil_proof::fault::Fault::new("unknown_field", name, expected, found::one());
            return Err(fault.into());
        }
        let value = Json::Text(std::borrow::Cow::Owned((*value).to_owned()));
        members.push((std::borrow::Cow::Borrowed(*name), value));
    }
    Ok(canon::bytes(&json)?)
}
