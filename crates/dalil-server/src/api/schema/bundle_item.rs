//! The items of a bundle (spec/bundle.md).

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{DigestText, FreeValueBody};

/// One piece in a bundle.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleItem)]
pub(crate) struct BundleItemBody {
    /// The anchor by which an answer cites it, as `[cite:…]`.
    #[schema(pattern = "^[0-9a-f]{8,64}$")]
    anchor: String,
    /// How long the content is, in bytes.
    byte_count: u64,
    /// The digest of the content.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    content_sha256: String,
    /// Unique in the bundle, and the same for the same input and policy.
    evidence_id: String,
    /// The kind of evidence.
    evidence_type: EvidenceKindBody,
    /// Where the full content is, when this is a part of it.
    #[schema(nullable = false)]
    full_ref: Option<FullRefBody>,
    /// How it was bounded, masked and sampled, and the metadata from the request.
    metadata: ItemMetadataBody,
    /// Which part of its document it is.
    #[schema(nullable = false)]
    offsets: Option<ByteOffsetsBody>,
    /// Where it came from.
    source_ref: SourceRefBody,
    /// The text the model sees.
    content: String,
}

/// The kinds of evidence, in the order of a bundle.
#[derive(Serialize, ToSchema)]
#[schema(as = EvidenceKind, rename_all = "snake_case")]
pub(crate) enum EvidenceKindBody {
    /// Text in the request.
    InlineText,
    /// A text in the lake.
    LakeText,
    /// A kept HTTP response.
    LakeHttp,
    /// A kept result of a query.
    SqlResult,
    /// The text of a query.
    SqlQueryDef,
    /// A part of a document.
    DocChunk,
    /// A part of a transcript.
    TranscriptChunk,
}

/// Where an item came from.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = SourceRef)]
pub(crate) enum SourceRefBody {
    /// Text in the request itself.
    Inline(InlineSourceRefBody),
    /// A part of a document or transcript.
    Part(PartSourceRefBody),
    /// A kept result of a query.
    Result(ResultSourceRefBody),
    /// The text of a query.
    Query(QuerySourceRefBody),
    /// A kept HTTP response.
    Http(HttpSourceRefBody),
    /// A text in the lake.
    Text(TextSourceRefBody),
}

/// Text in the request itself.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InlineSourceRef)]
pub(crate) struct InlineSourceRefBody {
    /// Its place among the texts of the request.
    index: u64,
    /// Its origin, as the request states it.
    source_uri: String,
}

/// A part of a document or transcript.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PartSourceRef)]
pub(crate) struct PartSourceRefBody {
    /// Which part.
    chunk_index: u64,
    /// Of which document.
    document_id: String,
    /// Where the document is.
    #[schema(nullable = false)]
    source_uri: Option<String>,
}

/// A kept result of a query.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ResultSourceRef)]
pub(crate) struct ResultSourceRefBody {
    /// Its path in the lake.
    lake_uri: String,
    /// The text of the query.
    #[schema(nullable = false)]
    query: Option<String>,
    /// The name of the result.
    query_key: String,
}

/// The text of a query.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = QuerySourceRef)]
pub(crate) struct QuerySourceRefBody {
    /// The purpose of the query.
    description: String,
    /// Its name.
    query_key: String,
}

/// A kept HTTP response.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HttpSourceRef)]
pub(crate) struct HttpSourceRefBody {
    /// Its path in the lake.
    lake_uri: String,
    /// Where it was fetched.
    url: String,
}

/// A text in the lake.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TextSourceRef)]
pub(crate) struct TextSourceRefBody {
    /// Its path in the lake.
    lake_uri: String,
}

/// How an item was bounded, masked and sampled, and the metadata from the request.
#[derive(Serialize, ToSchema)]
#[schema(as = ItemMetadata)]
pub(crate) struct ItemMetadataBody {
    /// How it was bounded.
    bounding: ItemBoundingBody,
    /// The response, for HTTP.
    #[schema(nullable = false)]
    http_meta: Option<HttpMetaBody>,
    /// The query, for SQL.
    #[schema(nullable = false)]
    query_key: Option<String>,
    /// The masked values, when masking is on.
    #[schema(nullable = false)]
    redactions: Option<RedactionSummaryBody>,
    /// The result set, for SQL.
    #[schema(nullable = false)]
    sql_meta: Option<SqlMetaBody>,
    /// The metadata from the request: names and values are free.
    #[serde(flatten)]
    given: BTreeMap<String, serde_json::Value>,
}

/// How an item was bounded.
#[derive(Serialize, ToSchema)]
#[schema(as = ItemBounding)]
pub(crate) struct ItemBoundingBody {
    /// Whether anything was left out of the item.
    applied: bool,
    /// How long the content is, in bytes.
    bounded_size: u64,
    /// The parts that were left out.
    #[schema(nullable = false)]
    note: Option<String>,
    /// How long the text was, in bytes.
    original_size: u64,
    /// Where the text was cut, when it was.
    #[schema(nullable = false)]
    truncation_point: Option<u64>,
}

/// Metadata of a response.
#[derive(Serialize, ToSchema)]
#[schema(as = HttpMeta)]
pub(crate) struct HttpMetaBody {
    /// The status, as the artifact gives it.
    status_code: FreeValueBody,
    /// Where it came from.
    #[schema(required = true)]
    url: Option<String>,
    /// The size of the headers, in bytes.
    header_size: u64,
    /// How long the body is, in bytes.
    body_original_size: u64,
    /// Whether the item holds less than the body.
    body_truncated: bool,
}

/// Metadata of a result and of the part that is shown.
#[derive(Serialize, ToSchema)]
#[schema(as = SqlMeta)]
pub(crate) struct SqlMetaBody {
    /// Whether columns were left out.
    cols_truncated: bool,
    /// How many columns are shown.
    sampled_cols: u64,
    /// How many rows are shown.
    sampled_rows: u64,
    /// How the rows were chosen, in words.
    sampling_note: String,
    /// How the rows were chosen, in one word.
    sampling_strategy: String,
    /// How many columns it has.
    total_cols: u64,
    /// How many rows the artifact has.
    total_rows: u64,
}

/// The values that were masked in an item.
#[derive(Serialize, ToSchema)]
#[schema(as = RedactionSummary)]
pub(crate) struct RedactionSummaryBody {
    /// Always true: without masking there is no such record.
    enabled: bool,
    /// How many masks there are.
    redaction_count: u64,
    /// The masks.
    redactions: Vec<FieldRedactionBody>,
}

/// A mask, and the field it is in when that is not the content.
#[derive(Serialize, ToSchema)]
#[schema(as = FieldRedaction)]
pub(crate) struct FieldRedactionBody {
    /// The field, such as `source_ref.query`; absent for the content.
    #[schema(nullable = false)]
    field: Option<String>,
    /// The name of the rule.
    rule: String,
    /// Where the value started in the original text, in bytes.
    start: u64,
    /// Where the value ended in the original text, in bytes.
    end: u64,
    /// Its replacement.
    replacement: String,
    /// `hmac-sha256:…` of the value, when a key was given.
    #[schema(nullable = false)]
    digest: Option<String>,
}

/// A part of a text, in bytes: of the masked text when masking is on.
#[derive(Serialize, ToSchema)]
#[schema(as = ByteOffsets)]
pub(crate) struct ByteOffsetsBody {
    /// Where it ends.
    end: u64,
    /// Where it starts.
    start: u64,
}

/// Where the full content of a shortened item is, and how to verify it.
#[derive(Serialize, ToSchema)]
#[schema(as = FullRef)]
pub(crate) struct FullRefBody {
    /// How many columns the whole result has.
    #[schema(nullable = false)]
    col_count: Option<u64>,
    /// The digest of the artifact at `lake_uri`, whenever the item is shorter than it.
    #[schema(nullable = false)]
    full_sha256: Option<DigestText>,
    /// How long the whole is, in bytes; for HTTP, how long the body is.
    #[schema(nullable = false)]
    full_size: Option<u64>,
    /// Its path in the lake.
    lake_uri: String,
    /// How many rows the whole result has.
    #[schema(nullable = false)]
    row_count: Option<u64>,
}
