//! The items of a bundle: text for the model, its origin, and how it was masked and cut.

use std::collections::BTreeMap;

use dalil_proof::digest::Digest;
use dalil_proof::json::Json;
use serde::{Serialize, Serializer};

use crate::anchor::Anchor;
use crate::bundle::bound::ItemBounding;
use crate::bundle::http::HttpMeta;
use crate::bundle::lake::LakeUri;
use crate::bundle::name::EvidenceKind;
use crate::bundle::sql::SqlMeta;
use crate::mask::Mask;

/// One piece in a bundle.
#[derive(Clone, Debug, Serialize)]
pub struct BundleItem {
    /// The anchor by which an answer cites it, as `[cite:…]`: the shortest anchor of its content
    /// that names no other content of the bundle. It follows from the contents, and is no part of
    /// the digest.
    pub anchor: Anchor,
    /// Everything but the content.
    #[serde(flatten)]
    pub head: BundleItemHead,
    /// The text the model sees.
    pub content: String,
}

/// All of an item but its content, of which it has the digest.
///
/// The fields are in the order of their names, here and in the types below:
/// so the plain form of most heads is their canonical form, and is taken for it.
#[derive(Clone, Debug, Serialize)]
pub struct BundleItemHead {
    /// How long the content is, in bytes.
    pub byte_count: usize,
    /// The digest of the content.
    #[serde(serialize_with = "bare")]
    pub content_sha256: Digest,
    /// Unique in the bundle, and the same for the same input and policy.
    pub evidence_id: String,
    /// What kind of evidence this is.
    pub evidence_type: EvidenceKind,
    /// Where the whole is, when this is not it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_ref: Option<FullRef>,
    /// How it was bounded, masked and sampled, and the request's own metadata.
    pub metadata: ItemMetadata,
    /// Which part of its document it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offsets: Option<ByteOffsets>,
    /// Where it came from.
    pub source_ref: SourceRef,
}

/// Where an item came from.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[expect(
    missing_docs,
    reason = "the fields are the contract's, and each is named for what it holds"
)]
pub enum SourceRef {
    /// Text in the request itself.
    Inline { index: usize, source_uri: String },
    /// A text in the lake.
    Text { lake_uri: LakeUri },
    /// A kept HTTP response.
    Http { lake_uri: LakeUri, url: String },
    /// A kept result of a query.
    Result {
        lake_uri: LakeUri,
        #[serde(skip_serializing_if = "Option::is_none")]
        query: Option<String>,
        query_key: String,
    },
    /// The text of a query.
    Query { description: String, query_key: String },
    /// A part of a document or transcript.
    Part {
        chunk_index: u64,
        document_id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        source_uri: Option<String>,
    },
}

/// The metadata of an item.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ItemMetadata {
    /// The metadata of the request.
    #[serde(flatten)]
    pub given: BTreeMap<String, Json<'static>>,
    /// How it was bounded.
    pub bounding: ItemBounding,
    /// The response, for HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_meta: Option<HttpMeta>,
    /// The query, for SQL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_key: Option<String>,
    /// The redactions, when masking is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redactions: Option<RedactionSummary>,
    /// The result set, for SQL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql_meta: Option<SqlMeta>,
}

/// What masking did to an item.
#[derive(Clone, Debug, Serialize)]
pub struct RedactionSummary {
    /// Always true: without masking there is no such record.
    pub enabled: bool,
    /// How many masks there are.
    pub redaction_count: usize,
    /// The masks.
    pub redactions: Vec<FieldRedaction>,
}

/// A mask, and the field it is in when that is not the content.
#[derive(Clone, Debug, Serialize)]
pub struct FieldRedaction {
    /// The field, such as `source_ref.query`; absent for the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The mask.
    #[serde(flatten)]
    pub mask: Mask,
}

/// A part of a text, in bytes: of the masked text when masking is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ByteOffsets {
    /// Where it ends.
    pub end: u64,
    /// Where it starts.
    pub start: u64,
}

/// Where the whole of a shortened item is, and how to tell that it is the same.
#[derive(Clone, Debug, Serialize)]
pub struct FullRef {
    /// How many columns the whole result has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub col_count: Option<usize>,
    /// The digest of the artifact at `lake_uri`, whenever the item is shorter than it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_sha256: Option<Digest>,
    /// How long the whole is, in bytes; for HTTP, how long the body is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_size: Option<usize>,
    /// Where in the lake.
    pub lake_uri: LakeUri,
    /// How many rows the whole result has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_count: Option<u64>,
}

fn bare<S: Serializer>(digest: &Digest, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&digest.hex())
}
