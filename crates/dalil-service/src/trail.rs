//! Trails: shown, proved, exported, witnessed, time-stamped and verified.

use dalil_proof::digest::Digest;
use dalil_store::Tenant;
use serde::Serialize;

use crate::operation::OperationFailure;

mod custody;
mod export;
pub(super) mod payload;
mod show;
mod timeline;
mod timestamp;
mod verify;
mod witness;
mod witness_memory;

pub use crate::signed_head::{ProvedHead, checkpoint, receipt};
pub use export::{
    CompletedTrailExport, TrailExportRequest, export, export_to_file, has_erasure_since,
};
pub use show::{PayloadFieldStatus, RecordSummary, TrailRecords, show, show_kinds, show_subject};
pub use timeline::{
    FoundRecords, WitnessedHead, show_of_actor, show_of_subject, subject_title, witnessed_heads,
};
pub use timestamp::{
    TimestampEndpoint, TimestampFailure, certificates, is_timestamp_due, timestamp,
};
pub use verify::verify;
pub use witness::{cosign, witness};
pub use witness_memory::WitnessMemory;

/// The proof that a trail only grew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConsistencyProof {
    /// The earlier head.
    pub old: ProvedHead,
    /// The later head.
    pub new: ProvedHead,
    /// The proof from one to the other.
    pub proof: Vec<Digest>,
}

/// The proof that the trail at one size only grew to another: by default, to the newest.
///
/// # Errors
/// The trail never had those sizes.
pub async fn consistency(
    tenant: &Tenant,
    old: u64,
    new: Option<u64>,
) -> Result<ConsistencyProof, OperationFailure> {
    let new = match new {
        Some(size) => size,
        None => tenant.head().await?.size,
    };
    let proof = tenant.consistency(old, new).await?;
    let (old, new) = (tenant.head_at(old).await?, tenant.head_at(new).await?);
    Ok(ConsistencyProof { old: old.into(), new: new.into(), proof })
}
