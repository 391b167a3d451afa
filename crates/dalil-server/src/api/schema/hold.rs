//! Legal holds, and erasure.

use serde::Serialize;
use utoipa::ToSchema;

use super::approval::LegalBasisBody;
use super::scalar::{DigestText, RecordAckBody};

/// A hold to place.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HoldOrder)]
pub(crate) struct HoldOrderBody {
    /// Its id.
    #[schema(min_length = 1)]
    hold_id: String,
    /// The reason.
    #[schema(min_length = 1)]
    reason: String,
    /// The records that it covers: `all`, `kind:…` or `subject:…`.
    scope: String,
}

/// The reason for an operation.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ReasonOrder)]
pub(crate) struct ReasonOrderBody {
    /// The reason.
    #[schema(min_length = 1)]
    reason: String,
}

/// The records to erase.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ErasureOrder)]
pub(crate) struct ErasureOrderBody {
    /// The scope: `all`, `kind:…` or `subject:…`.
    scope: String,
    /// The legal basis.
    legal_basis: LegalBasisBody,
    /// Only these records; all of the scope when absent.
    records: Option<Vec<u64>>,
    /// Whether to list the records only, and erase nothing.
    rehearse: Option<bool>,
}

/// The holds that are in place, by their ids.
#[derive(Serialize, ToSchema)]
#[schema(as = ActiveHolds)]
pub(crate) struct ActiveHoldsBody {
    /// The holds.
    holds: Vec<HoldBody>,
}

/// A hold that is in place.
#[derive(Serialize, ToSchema)]
#[schema(as = Hold)]
pub(crate) struct HoldBody {
    /// The hold's own name: a given id.
    hold_id: String,
    /// The reason, in the words of the person who placed or lifted it.
    reason: String,
    /// The records that it covers: `all`, `kind:…` or `subject:…`.
    scope: String,
    /// The records that it covers now.
    covers: HoldCoverageBody,
}

/// A hold that was placed: its record, and the records that it covers.
#[derive(Serialize, ToSchema)]
#[schema(as = PlacedHold)]
pub(crate) struct PlacedHoldBody {
    /// Its index in the trail, from 0.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
    /// The records that it covers.
    covers: HoldCoverageBody,
}

/// The records that a hold protects from erasure.
#[derive(Serialize, ToSchema)]
#[schema(as = HoldCoverage)]
pub(crate) struct HoldCoverageBody {
    /// The number of records whose payloads exist and could otherwise be erased.
    records: u64,
    /// The evidence of its subject, which it covers as well.
    rests_on: Vec<String>,
}

/// The result of an erasure, for records and for the lake.
#[derive(Serialize, ToSchema)]
#[schema(as = ErasureResponse)]
pub(crate) struct ErasureResponseBody {
    /// The position of its own record; absent for a rehearsal.
    #[schema(nullable = false)]
    record: Option<RecordAckBody>,
    /// The records whose payloads were erased.
    erased: Vec<u64>,
    objects_gone: u64,
    objects_kept: u64,
}
