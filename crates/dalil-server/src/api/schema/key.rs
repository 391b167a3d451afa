//! Signing keys of the trail.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, TimeText};

/// A key to generate.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewSigningKey)]
pub(crate) struct NewSigningKeyBody {
    /// Its name; the origin of the trail when absent.
    #[schema(min_length = 1)]
    name: Option<String>,
}

/// The key history of a tenant, from its beginning.
#[derive(Serialize, ToSchema)]
#[schema(as = TenantKeyHistory)]
pub(crate) struct TenantKeyHistoryBody {
    /// The changes, in order.
    keys: Vec<KeyChangeBody>,
}

/// A change of keys, with its record.
#[derive(Serialize, ToSchema)]
#[schema(as = KeyChange)]
pub(crate) struct KeyChangeBody {
    /// The record.
    index: u64,
    /// The key's id, which signatures find it by.
    key_id: String,
    /// When.
    at: TimeText,
    /// The kind of change.
    change: KeyChangeKindBody,
    /// To which key.
    key: String,
}

/// The kind of change of a key.
#[derive(Serialize, ToSchema)]
#[schema(as = KeyChangeKind, rename_all = "lowercase")]
pub(crate) enum KeyChangeKindBody {
    /// It may sign from now on.
    Added,
    /// It no longer signs; its signatures stay valid.
    Retired,
    /// It is no longer to be trusted.
    Revoked,
}

/// The trust file for a verifier: the trail, its keys, and optionally a head seen before.
#[derive(Serialize, ToSchema)]
#[schema(as = TrustFile)]
pub(crate) struct TrustFileBody {
    /// The trail.
    origin: String,
    /// Its keys, from the beginning.
    key_history: Vec<KeyHistoryEntryBody>,
    /// The head when the file was made.
    #[schema(nullable = false)]
    seen: Option<Vec<SeenHeadBody>>,
}

/// One line of a key history.
#[derive(Serialize, ToSchema)]
#[schema(as = KeyHistoryEntry)]
pub(crate) struct KeyHistoryEntryBody {
    /// When.
    at: TimeText,
    /// The kind of change.
    change: KeyChangeKindBody,
    /// To which key.
    key: String,
    /// The corrected time, where its record has an impossible date.
    #[schema(nullable = false)]
    redated: Option<TimeText>,
}

/// A head, and when it was seen.
#[derive(Serialize, ToSchema)]
#[schema(as = SeenHead)]
pub(crate) struct SeenHeadBody {
    /// When.
    at: TimeText,
    /// How many records.
    size: u64,
    /// The root over them.
    root: DigestText,
}
