//! Keys for the API.

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{RecordAckBody, TimeText};

/// A request for an API key.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewApiKey)]
pub(crate) struct NewApiKeyBody {
    /// The actor of its requests: `person:NAME` or `agent:NAME`.
    #[schema(pattern = "^(person|agent):.+")]
    actor: String,
    /// The operations that it may be used for.
    scopes: Vec<ApiKeyScopeBody>,
    /// When it expires.
    expires_at: Option<TimeText>,
}

/// The keys of a tenant, in the order in which they were made.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKeyList)]
pub(crate) struct ApiKeyListBody {
    /// The keys.
    api_keys: Vec<StoredApiKeyBody>,
}

/// The stored part of a key.
#[derive(Serialize, ToSchema)]
#[schema(as = StoredApiKey)]
pub(crate) struct StoredApiKeyBody {
    /// Its id.
    key_id: String,
    /// The actor of its requests: `person:NAME` or `agent:NAME`.
    actor: String,
    /// The operations that it may be used for.
    scopes: Vec<ApiKeyScopeBody>,
    /// When it expires.
    #[schema(nullable = false)]
    expires_at: Option<TimeText>,
    /// When it was made.
    created_at: TimeText,
    /// When it was revoked.
    #[schema(nullable = false)]
    revoked_at: Option<TimeText>,
}

/// A new key. Its text is in this reply only, and is not shown again.
#[derive(Serialize, ToSchema)]
#[schema(as = IssuedApiKey)]
pub(crate) struct IssuedApiKeyBody {
    /// Its id.
    key_id: String,
    /// The actor of its requests: `person:NAME` or `agent:NAME`.
    actor: String,
    /// The operations that it may be used for.
    scopes: Vec<ApiKeyScopeBody>,
    /// When it expires.
    #[schema(nullable = false)]
    expires_at: Option<TimeText>,
    /// When it was made.
    created_at: TimeText,
    /// When it was revoked.
    #[schema(nullable = false)]
    revoked_at: Option<TimeText>,
    /// The key itself.
    api_key: String,
    /// Its record.
    record: RecordAckBody,
}

/// The operations that a key may be used for, within its owner's permissions.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKeyScope, rename_all = "lowercase")]
pub(crate) enum ApiKeyScopeBody {
    /// View.
    View,
    /// Record evidence: documents, sessions, decisions, calls, packs.
    Record,
    /// Review packs.
    Review,
    /// Export evidence.
    Export,
    /// Members, keys, holds and erasure.
    Administer,
}
