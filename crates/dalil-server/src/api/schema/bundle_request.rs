//! Requests about bundles (spec/bundle.md), and runs.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::bundle::RowSamplingBody;
use super::bundle_item::ByteOffsetsBody;
use super::scalar::{DigestText, FreeObjectBody, TimeText};

/// The content of a bundle.
///
/// References to a lake and live queries are for the command line only: the server fetches nothing
/// that a caller names.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BundleRequest)]
pub(crate) struct BundleRequestBody {
    /// The job that the model does.
    job_input: Option<JobInputBody>,
    /// Evidence beside that of the job.
    evidence_refs: Option<EvidenceRefsBody>,
    /// The limits.
    policy: Option<BundlePolicyOrderBody>,
    /// When; now when absent.
    created_utc: Option<TimeText>,
}

/// A job. Its own fields are free; the evidence in it is read.
#[derive(Serialize, ToSchema)]
#[schema(as = JobInput)]
pub(crate) struct JobInputBody {
    /// The parameters of the job.
    extra_params: Option<JobExtraParamsBody>,
    /// The rest of the job: names and values are free.
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// The parameters of a job. Its own fields are free; the evidence in it is read.
#[derive(Serialize, ToSchema)]
#[schema(as = JobExtraParams)]
pub(crate) struct JobExtraParamsBody {
    /// Texts.
    evidence: Option<Vec<InlineEvidenceBody>>,
    /// The rest: names and values are free.
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// A text in the request.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = InlineEvidence)]
pub(crate) struct InlineEvidenceBody {
    /// The text.
    text: String,
    /// Where it is from; `inline` when absent.
    source_uri: Option<String>,
    /// Metadata of the caller.
    metadata: Option<FreeObjectBody>,
}

/// Evidence beside that of the job.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EvidenceRefs)]
pub(crate) struct EvidenceRefsBody {
    /// Texts of queries.
    sql_queries: Option<Vec<SqlQueryBody>>,
    /// Parts of documents.
    doc_chunks: Option<Vec<EvidenceChunkBody>>,
    /// Parts of transcripts.
    transcript_chunks: Option<Vec<EvidenceChunkBody>>,
}

/// The text of a query.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SqlQuery)]
pub(crate) struct SqlQueryBody {
    /// Its name.
    query_key: String,
    /// The text.
    query: String,
    /// Its purpose.
    description: Option<String>,
    /// Metadata of the caller.
    metadata: Option<FreeObjectBody>,
}

/// A part of a document or transcript.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EvidenceChunk)]
pub(crate) struct EvidenceChunkBody {
    /// Of which document.
    #[schema(min_length = 1)]
    document_id: String,
    /// Which part.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    chunk_index: u64,
    /// Its text.
    text: String,
    /// Where the document is.
    source_uri: Option<String>,
    /// Its place in the document, in bytes.
    offsets: Option<ByteOffsetsBody>,
    /// Metadata of the caller.
    metadata: Option<FreeObjectBody>,
}

/// Limits; an absent one has its default.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BundlePolicyOrder)]
pub(crate) struct BundlePolicyOrderBody {
    /// The most items; 50 when absent.
    #[schema(minimum = 1)]
    max_items: Option<u64>,
    /// The most bytes in all; 100000 when absent.
    #[schema(minimum = 1000)]
    max_total_bytes: Option<u64>,
    /// The most bytes in one item, at most `max_total_bytes`; 10000 when absent.
    #[schema(minimum = 100)]
    max_item_bytes: Option<u64>,
    /// The most rows of an SQL result; 100 when absent.
    #[schema(minimum = 1)]
    max_sql_rows: Option<u64>,
    /// The most columns of an SQL result; 20 when absent, no limit when null.
    #[schema(minimum = 1)]
    max_sql_cols: Option<u64>,
    /// How many bytes a chunk has; 5000 when absent.
    #[schema(minimum = 100)]
    chunk_size: Option<u64>,
    /// How many bytes two chunks share, less than `chunk_size`; 200 when absent.
    chunk_overlap: Option<u64>,
    /// Which rows stay when there are too many; `first_last` when absent.
    sampling_strategy: Option<RowSamplingBody>,
    /// Whether everything is masked first.
    enable_redaction: Option<bool>,
    /// Rules beside the built-in ones.
    #[schema(max_items = 64)]
    redaction_rules: Option<Vec<MaskRuleOrderBody>>,
    /// Which policy this is, in the caller's words.
    version: Option<String>,
}

/// A rule for masking beside the built-in ones.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MaskRuleOrder)]
pub(crate) struct MaskRuleOrderBody {
    /// Its name.
    name: String,
    /// The regular expression that finds a value.
    pattern: String,
    /// Its replacement; `[REDACTED]` when absent.
    replacement: Option<String>,
}

/// A run of a model, and the bundles that it used.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ModelRunOrder)]
pub(crate) struct ModelRunOrderBody {
    /// Its id.
    #[schema(min_length = 1)]
    run_id: String,
    /// The model.
    #[schema(min_length = 1)]
    model: String,
    /// Its state, in the words of its operator.
    #[schema(min_length = 1)]
    status: String,
    /// The bundles, by their ids.
    bundles: Option<Vec<String>>,
}

/// A run and the bundles that it used.
#[derive(Serialize, ToSchema)]
#[schema(as = RunDetails)]
pub(crate) struct RunDetailsBody {
    /// Its id.
    run_id: String,
    /// The model.
    model: String,
    /// Its state, in the words of its operator.
    status: String,
    /// When it was first recorded.
    created_utc: TimeText,
    /// Its bundles, in the order in which they were given.
    bundles: Vec<RunBundleBody>,
}

/// A bundle that a run used.
#[derive(Serialize, ToSchema)]
#[schema(as = RunBundle)]
pub(crate) struct RunBundleBody {
    /// The bundle.
    bundle_id: String,
    /// Its digest.
    bundle_sha256: DigestText,
    /// Where it is in the lake.
    lake_uri: String,
    /// How many items it has.
    item_count: u64,
    /// How many bytes they have.
    total_bytes: u64,
    /// When it was built.
    created_utc: TimeText,
    /// The record of it.
    index: u64,
}

/// Where an artifact was used.
#[derive(Serialize, ToSchema)]
#[schema(as = ArtifactUses)]
pub(crate) struct ArtifactUsesBody {
    /// The artifact in question.
    artifact: String,
    /// The bundles that contain it, in the order in which they were built.
    bundles: Vec<BundleUseBody>,
    /// The runs that used those bundles.
    runs: Vec<RunUseBody>,
}

/// A bundle that contains an artifact.
#[derive(Serialize, ToSchema)]
#[schema(as = BundleUse)]
pub(crate) struct BundleUseBody {
    /// The bundle.
    bundle_id: String,
    /// The items that contain it or a part of it; empty when it belongs to the bundle as a whole.
    evidence_ids: Vec<String>,
}

/// A run that used an artifact.
#[derive(Serialize, ToSchema)]
#[schema(as = RunUse)]
pub(crate) struct RunUseBody {
    /// The run.
    run_id: String,
    /// The model.
    model: String,
    /// The bundle through which it was used.
    bundle_id: String,
    /// When the run was given it.
    created_utc: TimeText,
}
