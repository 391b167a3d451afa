//! Bundles (spec/bundle.md): evidence for a model.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::bundle_item::BundleItemBody;
use super::document::AddedDocumentBody;
use super::scalar::{DigestText, RecordAckBody, TimeText, UuidText};

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = BundlePage)]
pub(crate) struct BundlePageBody {
    /// The items.
    items: Vec<BundleListEntryBody>,
    /// The cursor of the next page; absent on the last page.
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A built bundle, and where it is stored.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleResponse)]
pub(crate) struct BundleResponseBody {
    bundle: BundleBody,
    saved: SavedBundleBody,
}

/// A stored bundle.
#[derive(Serialize, ToSchema)]
#[schema(as = SavedBundle)]
pub(crate) struct SavedBundleBody {
    /// The bundle.
    bundle_id: String,
    /// Its digest.
    bundle_sha256: DigestText,
    /// Where it is in the lake.
    lake_uri: String,
    /// Whether it is new.
    is_new: bool,
    /// Its index in the trail, from 0.
    index: u64,
    /// Its id.
    id: String,
    /// Its leaf hash.
    leaf: DigestText,
    /// The documents whose chunks it has.
    #[schema(nullable = false)]
    documents: Option<Vec<AddedDocumentBody>>,
    /// The run that uses it.
    #[schema(nullable = false)]
    run: Option<RecordAckBody>,
}

/// A bundle, as a list shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleListEntry)]
pub(crate) struct BundleListEntryBody {
    /// Its id.
    bundle_id: String,
    /// The digest of its content.
    bundle_sha256: DigestText,
    /// How many items it has.
    item_count: u64,
    /// How many bytes they have.
    total_bytes: u64,
    /// When it was built.
    created_utc: TimeText,
    /// The index of its record.
    index: u64,
}

/// An ordered, bounded choice of items under one policy, given to a model.
#[derive(Serialize, ToSchema)]
#[schema(as = Bundle)]
pub(crate) struct BundleBody {
    /// Derived from `bundle_sha256`, so equal inputs have equal ids.
    bundle_id: UuidText,
    /// The time from the request; not part of the digest.
    created_utc: TimeText,
    /// The version of the rules that built it.
    build_version: String,
    /// The limits that were applied.
    policy: BundlePolicyBody,
    /// The items for the model.
    items: Vec<BundleItemBody>,
    /// Counts and sizes.
    summary: BundleSummaryBody,
    /// The digest of everything except the time; item contents enter it by their digests.
    bundle_sha256: DigestText,
    /// The items that the policy left out.
    cuts: Vec<BundleCutBody>,
    /// References and documents that could not be used.
    problems: Vec<BundleProblemBody>,
}

/// The limits that a bundle is built under.
#[derive(Serialize, ToSchema)]
#[schema(as = BundlePolicy)]
pub(crate) struct BundlePolicyBody {
    /// The most items; at least 1.
    max_items: u64,
    /// The most bytes in all; at least 1000.
    max_total_bytes: u64,
    /// The most bytes in one item; at least 100, at most `max_total_bytes`.
    max_item_bytes: u64,
    /// The most rows of an SQL result; at least 1.
    max_sql_rows: u64,
    /// The most columns of an SQL result; at least 1, or no limit.
    #[schema(required = true)]
    max_sql_cols: Option<u64>,
    /// How many bytes a chunk of a large text has; at least 100.
    chunk_size: u64,
    /// How many bytes two chunks share; less than `chunk_size`.
    chunk_overlap: u64,
    /// Which rows stay when there are too many.
    sampling_strategy: RowSamplingBody,
    /// Whether everything is masked first.
    enable_redaction: bool,
    /// Rules beside the built-in ones.
    #[schema(nullable = false)]
    redaction_rules: Option<Vec<MaskRuleBody>>,
    /// Which policy this is, in the caller's words.
    version: String,
}

/// Which rows stay when there are too many.
#[derive(Serialize, ToSchema)]
#[schema(as = RowSampling, rename_all = "snake_case")]
pub(crate) enum RowSamplingBody {
    /// The first rows.
    FirstOnly,
    /// The first half and the last half.
    FirstLast,
    /// Rows spread evenly from the first to the last.
    Stride,
}

/// A rule for masking beside the built-in ones.
#[derive(Serialize, ToSchema)]
#[schema(as = MaskRule)]
pub(crate) struct MaskRuleBody {
    /// Its name.
    name: String,
    /// The regular expression that finds a value.
    pattern: String,
    /// Its replacement.
    replacement: String,
}

/// Counts and sizes of the items that were kept.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleSummary)]
pub(crate) struct BundleSummaryBody {
    /// How many items.
    item_count: u64,
    /// How many of each kind.
    type_counts: BTreeMap<String, u64>,
    /// How many bytes in all.
    total_bytes: u64,
    /// A quarter of that, rounded down.
    approx_tokens: u64,
    /// The effect of the limits of the whole.
    bundle_bounding: BundleBoundingBody,
}

/// The effect of the limits of the whole.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleBounding)]
pub(crate) struct BundleBoundingBody {
    /// Whether any item was cut.
    applied: bool,
    /// How many items were offered.
    original_count: u64,
    /// How many were kept.
    final_count: u64,
    /// How many were cut.
    items_dropped: u64,
    /// How many bytes were kept.
    total_bytes: u64,
    /// How many were allowed.
    max_total_bytes: u64,
    /// The same in words, when any item was cut.
    #[schema(nullable = false)]
    note: Option<String>,
}

/// Something the policy left out, and why.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleCut)]
pub(crate) struct BundleCutBody {
    /// The id the item would have had.
    evidence_id: String,
    /// How long its bounded content is.
    byte_count: u64,
    /// The limit that it exceeded.
    reason: BundleLimitBody,
}

/// A limit of the whole bundle.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleLimit, rename_all = "snake_case")]
pub(crate) enum BundleLimitBody {
    /// The maximum number of items was reached.
    MaxItems,
    /// Its bytes would exceed the maximum.
    MaxTotalBytes,
}

/// A reference or a document that could not be used.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleProblem)]
pub(crate) struct BundleProblemBody {
    /// Where in the request; `documents[n]` for a document.
    path: String,
    /// Where in the lake, for an artifact.
    #[schema(nullable = false)]
    lake_uri: Option<String>,
    /// The name of a document.
    #[schema(nullable = false)]
    document_id: Option<String>,
    /// The name that the result of a query would have.
    #[schema(nullable = false)]
    query_key: Option<String>,
    /// The kind of problem: a short, stable name.
    reason: String,
    /// The message for people.
    message: String,
}
