//! Bundles: what a model may see, in order, within limits, with every loss recorded.
//!
//! ```text
//! Request ─▶ lake_uris ─▶ (the caller reads lake and documents) ─▶ build ─▶ Bundle, and what to keep
//! text ─▶ mask ─▶ bound the item ─▶ bound the bundle ─▶ digest
//! ```
//!
//! Nothing is lost in silence: an item is kept or is a [`BundleCut`], a reference that
//! could not be used is a [`BundleProblem`], a shortened text says so in its
//! [`ItemBounding`] and names the whole in its [`FullRef`].

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::bundle::bound::{BundleBounding, ItemBounding};
use crate::digest::Digest;
use crate::fault::{Fault, Refused};
use crate::id::Uuid;
use crate::json::Json;
use crate::mask::Mask;
use crate::time::Time;

pub use self::build::{BuiltBundle, LakeWrite, build};
pub use self::document::{
    BundleChunk, BundleDocument, BundleDocumentSet, DocumentLoss, LossExtent,
};
pub use self::http::HttpMeta;
pub use self::lake::{ArtifactReadError, FetchedArtifacts, LakeUri, NotInLake};
pub use self::live::{LiveQuery, UnansweredQuery, names_connection};
pub use self::name::EvidenceKind;
pub use self::policy::{BundlePolicy, RowSampling};
pub use self::request::BundleRequest;
pub use self::sql::SqlMeta;

pub mod bound;
mod build;
pub mod chunk;
mod document;
mod draft;
mod http;
mod lake;
mod live;
mod name;
mod policy;
pub mod prompt;
mod request;
mod sql;

#[cfg(test)]
mod tests;

/// An ordered, bounded choice of items under one policy, given to a model.
#[derive(Clone, Debug, Serialize)]
pub struct Bundle {
    /// Made from `bundle_sha256`, so equal inputs have equal ids.
    pub bundle_id: Uuid,
    /// When, as the request says; no part of the digest.
    pub created_utc: Time,
    /// Which rules built it.
    pub build_version: &'static str,
    /// The limits that were applied.
    pub policy: BundlePolicy,
    /// What the model sees.
    pub items: Vec<BundleItem>,
    /// Counts and sizes.
    pub summary: BundleSummary,
    /// The digest of everything but the time; the items' contents stand in it by their digests.
    pub bundle_sha256: Digest,
    /// What the policy left out.
    pub cuts: Vec<BundleCut>,
    /// References and documents that could not be used.
    pub problems: Vec<BundleProblem>,
}

impl Bundle {
    /// Makes sure that no reference leads out of the lake.
    ///
    /// # Errors
    /// Every reference that does. Its request is refused; other problems stand in the bundle.
    pub fn check_inside_lake(&self) -> Result<(), Refused> {
        let leaves =
            |problem: &&BundleProblem| problem.reason == ArtifactReadError::OutsideLake.reason();
        let fault = |BundleProblem { path, message, .. }: &BundleProblem| Fault {
            rule: "lake_uri",
            path: path.clone(),
            message: message.clone(),
            hint: None,
        };
        let refused: Vec<Fault> = self.problems.iter().filter(leaves).map(fault).collect();
        if refused.is_empty() { Ok(()) } else { Err(Refused { refused }) }
    }
}

/// One piece in a bundle.
#[derive(Clone, Debug, Serialize)]
pub struct BundleItem {
    /// Everything but the content.
    #[serde(flatten)]
    pub head: BundleItemHead,
    /// The text the model sees.
    pub content: String,
}

/// All of an item but its content, for which its digest stands.
///
/// The fields stand in the order of their names, here and in the types below:
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
    /// How it was bounded, masked and sampled, and what the request said about it.
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
#[expect(missing_docs, reason = "the fields are the seed's, and each is named for what it holds")]
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

/// What is known about an item beside its content.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ItemMetadata {
    /// What the request said about it.
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
    /// What was masked, when masking is on.
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

/// Counts and sizes of the items that were kept.
#[derive(Clone, Debug, Serialize)]
pub struct BundleSummary {
    /// How many items.
    pub item_count: usize,
    /// How many of each kind.
    pub type_counts: BTreeMap<EvidenceKind, usize>,
    /// How many bytes in all.
    pub total_bytes: usize,
    /// A quarter of that, rounded down.
    pub approx_tokens: usize,
    /// What the limits of the whole did.
    pub bundle_bounding: BundleBounding,
}

/// Something the policy left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleCut {
    /// The id the item would have had.
    pub evidence_id: String,
    /// How long its bounded content is.
    pub byte_count: usize,
    /// The limit that it did not meet.
    pub reason: BundleLimit,
}

/// A limit of the whole bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BundleLimit {
    /// Too many items before it.
    MaxItems,
    /// No room for its bytes.
    MaxTotalBytes,
}

/// A reference or a document that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleProblem {
    /// Where in the request; `documents[n]` for a document.
    pub path: String,
    /// What it is about.
    #[serde(flatten)]
    pub about: BundleProblemSubject,
    /// The kind of problem: a short, stable name.
    pub reason: &'static str,
    /// The sentence a person reads.
    pub message: String,
}

/// What a problem is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum BundleProblemSubject {
    /// An artifact of the lake.
    Artifact {
        /// Where in the lake.
        lake_uri: LakeUri,
    },
    /// A document beside the lake.
    Document {
        /// What it is called.
        document_id: String,
    },
    /// A query that was to be run.
    Query {
        /// What its result would be called.
        query_key: String,
    },
}

impl BundleProblemSubject {
    /// The name of what it is about.
    pub fn name(&self) -> &str {
        match self {
            Self::Artifact { lake_uri } => lake_uri.as_str(),
            Self::Document { document_id } => document_id,
            Self::Query { query_key } => query_key,
        }
    }
}

fn bare<S: Serializer>(digest: &Digest, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&digest.hex())
}
