//! Legal holds, and erasure.

use serde::Serialize;
use utoipa::ToSchema;

use super::approval::LegalBasisBody;
use super::scalar::RecordAckBody;

/// A hold that is placed.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HoldOrder)]
pub(crate) struct HoldOrderBody {
    /// Its name.
    #[schema(min_length = 1)]
    hold_id: String,
    /// Why.
    #[schema(min_length = 1)]
    reason: String,
    /// What it covers: `all`, `kind:…` or `subject:…`.
    scope: String,
}

/// Why something is done.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ReasonOrder)]
pub(crate) struct ReasonOrderBody {
    /// Why.
    #[schema(min_length = 1)]
    reason: String,
}

/// What is to be erased.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ErasureOrder)]
pub(crate) struct ErasureOrderBody {
    /// Which: `all`, `kind:…` or `subject:…`.
    scope: String,
    /// On which basis.
    legal_basis: LegalBasisBody,
    /// Only these records; all of the scope when absent.
    records: Option<Vec<u64>>,
    /// Whether to say only what would go.
    rehearse: Option<bool>,
}

/// The holds that are in place, by their ids.
#[derive(Serialize, ToSchema)]
#[schema(as = ActiveHolds)]
pub(crate) struct ActiveHoldsBody {
    /// The holds.
    holds: Vec<HoldBody>,
}

/// A hold: the field [`HOLD_FIELD`] of the records that place and lift it.
#[derive(Serialize, ToSchema)]
#[schema(as = Hold)]
pub(crate) struct HoldBody {
    /// The hold's own name: a given id.
    hold_id: String,
    /// Why, in the words of whoever placed or lifted it.
    reason: String,
    /// What it covers.
    scope: String,
}

/// What an erasure did, to records and to the lake.
#[derive(Serialize, ToSchema)]
#[schema(as = ErasureResponse)]
pub(crate) struct ErasureResponseBody {
    /// Where its own record stands; none for a rehearsal.
    #[schema(nullable = false)]
    record: Option<RecordAckBody>,
    /// The records whose payloads went.
    erased: Vec<u64>,
    objects_gone: u64,
    objects_kept: u64,
}
