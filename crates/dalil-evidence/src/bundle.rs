//! Bundles: the evidence for a model, in order, within limits, with every loss recorded.
//!
//! ```text
//! BundleRequest ─▶ lake_uris ─▶ (the caller reads lake and documents) ─▶ build ─▶ Bundle, artifacts
//! text ─▶ mask ─▶ bound the item ─▶ bound the bundle ─▶ digest
//! ```
//!
//! Nothing is lost in silence: an item is kept or is a [`BundleCut`], a reference that could not be
//! used is a [`BundleProblem`], a shortened text is marked in its [`bound::ItemBounding`] and names
//! the whole in its [`FullRef`].

use std::collections::BTreeMap;

use dalil_phrasebook::{expected, found};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::id::Uuid;
use dalil_proof::time::Time;
use serde::Serialize;

pub use self::bound::BundleLimit;
pub use self::build::{BuiltBundle, LakeWrite, build};
pub use self::document::{
    BundleChunk, BundleDocument, BundleDocumentSet, DocumentLoss, LossExtent,
};
pub use self::http::HttpMeta;
pub use self::item::{
    BundleItem, BundleItemHead, ByteOffsets, FieldRedaction, FullRef, ItemMetadata,
    RedactionSummary, SourceRef,
};
pub use self::lake::{ArtifactReadError, FetchedArtifacts, LakeUri, NotInLake};
pub use self::live::{LiveQuery, UnansweredQuery, names_connection};
pub use self::name::EvidenceKind;
pub use self::policy::{BundlePolicy, RowSampling};
pub use self::request::BundleRequest;
pub use self::sql::SqlMeta;
use crate::bundle::bound::BundleBounding;

pub mod bound;
mod build;
pub mod chunk;
mod document;
mod draft;
mod http;
mod item;
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
    /// The time, from the request; no part of the digest.
    pub created_utc: Time,
    /// Which rules built it.
    pub build_version: &'static str,
    /// The limits that were applied.
    pub policy: BundlePolicy,
    /// The items that the model sees.
    pub items: Vec<BundleItem>,
    /// Counts and sizes.
    pub summary: BundleSummary,
    /// The digest of everything but the time; it has the digests of the items' contents.
    pub bundle_sha256: Digest,
    /// The items that the policy left out.
    pub cuts: Vec<BundleCut>,
    /// References and documents that could not be used.
    pub problems: Vec<BundleProblem>,
}

impl Bundle {
    /// Makes sure that no reference leads out of the lake.
    ///
    /// # Errors
    /// Every reference that does. Its request is refused; other problems are in the bundle.
    pub fn check_inside_lake(&self) -> Result<(), Refused> {
        let leaves =
            |problem: &&BundleProblem| problem.reason == ArtifactReadError::OutsideLake.reason();
        let fault = |problem: &BundleProblem| {
            let expected = expected::an_artifact_inside_the_lake();
            Fault::new("lake_uri", &problem.path, expected, found::a_link_that_leads_out())
        };
        let refused: Vec<Fault> = self.problems.iter().filter(leaves).map(fault).collect();
        if refused.is_empty() { Ok(()) } else { Err(Refused { refused }) }
    }
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
    /// The effect of the limits of the whole.
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

/// A reference or a document that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleProblem {
    /// Where in the request; `documents[n]` for a document.
    pub path: String,
    /// Its subject.
    #[serde(flatten)]
    pub about: BundleProblemSubject,
    /// The kind of problem: a short, stable name.
    pub reason: &'static str,
    /// The sentence a person reads.
    pub message: String,
}

/// The subject of a problem.
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
        /// Its name.
        document_id: String,
    },
    /// A query that was to be run.
    Query {
        /// The name of its result.
        query_key: String,
    },
}

impl BundleProblemSubject {
    /// The name of the subject.
    pub fn name(&self) -> &str {
        match self {
            Self::Artifact { lake_uri } => lake_uri.as_str(),
            Self::Document { document_id } => document_id,
            Self::Query { query_key } => query_key,
        }
    }
}
