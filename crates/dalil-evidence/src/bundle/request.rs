//! The request for a bundle; parsing it returns every fault at once.

use std::collections::{BTreeMap, BTreeSet};

use dalil_phrasebook::{bound, expected, found};
use dalil_proof::decode::{self, JsonReader, request};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::Json;
use dalil_proof::time::Time;

use crate::bundle::document::BundleDocumentSet;
use crate::bundle::item::ByteOffsets;
use crate::bundle::lake::LakeUri;
use crate::bundle::live::{LiveQuery, UnansweredQuery};
use crate::bundle::policy::BundlePolicy;

/// A request for a bundle.
#[derive(Clone, Debug)]
pub struct BundleRequest {
    pub(super) inline: Vec<InlineEvidence>,
    pub(super) refs: EvidenceRefs,
    pub(super) documents: BundleDocumentSet,
    pub(super) policy: BundlePolicy,
    pub(super) created_utc: Time,
}

impl BundleRequest {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// Everything wrong with it, each fault with its path.
    pub fn parse(json: &[u8]) -> Result<Self, Refused> {
        request(json, |reader| Self::read(reader, None))
    }

    /// Reads a request that may leave its time out; it is then made now.
    ///
    /// # Errors
    /// Everything wrong with it, each fault with its path.
    pub fn parse_at(json: &[u8], now: Time) -> Result<Self, Refused> {
        request(json, |reader| Self::read(reader, Some(now)))
    }

    /// The same request with chunks of documents, which come after its own.
    #[must_use]
    pub fn with(self, documents: BundleDocumentSet) -> Self {
        Self { documents, ..self }
    }

    /// The artifacts that the caller has to read from the lake, each once.
    pub fn lake_uris(&self) -> BTreeSet<&LakeUri> {
        let EvidenceRefs { lake_text, lake_http, sql_results, sql_live, .. } = &self.refs;
        let texts = lake_text.iter().map(|text| &text.lake_uri);
        let results = sql_results.iter().map(|result| &result.lake_uri);
        let live = sql_live.iter().filter_map(LiveQuery::lake_uri);
        texts.chain(lake_http).chain(results).chain(live).collect()
    }

    /// How many redaction rules of its own it has every text looked at with.
    pub fn own_redaction_rules(&self) -> usize {
        if self.policy.enable_redaction { self.policy.redaction_rules.len() } else { 0 }
    }

    /// The queries that the caller has to run, in their order.
    pub fn live_queries(&self) -> &[LiveQuery] {
        &self.refs.sql_live
    }

    /// The same request with what came of its queries: where each result is, or why there is none.
    #[must_use]
    pub fn with_query_results(
        mut self,
        outcomes: impl IntoIterator<Item = Result<LakeUri, UnansweredQuery>>,
    ) -> Self {
        // A query beyond the outcomes stays unanswered, and the bundle states `not_run`.
        for (query, outcome) in self.refs.sql_live.iter_mut().zip(outcomes) {
            query.outcome = Some(outcome);
        }
        self
    }

    fn read(reader: JsonReader<'_, '_>, now: Option<Time>) -> Option<Self> {
        let mut fields = reader.object()?;
        let inline = fields.or("job_input", Vec::new(), job_input);
        let refs = fields.or("evidence_refs", EvidenceRefs::default(), EvidenceRefs::read);
        let policy = fields.or("policy", BundlePolicy::default(), BundlePolicy::read);
        let created_utc = match now {
            Some(now) => fields.or("created_utc", now, decode::time),
            None => fields.required("created_utc", decode::time),
        };
        fields.done()?;
        Some(Self {
            inline: inline?,
            refs: refs?,
            documents: BundleDocumentSet::default(),
            policy: policy?,
            created_utc: created_utc?,
        })
    }
}

/// Evidence given in the request itself.
#[derive(Clone, Debug)]
pub(super) struct InlineEvidence {
    pub(super) text: String,
    pub(super) source_uri: String,
    pub(super) metadata: CallerMetadata,
}

/// The caller's metadata of an item, kept as it is.
pub(super) type CallerMetadata = BTreeMap<String, Json<'static>>;

/// References to evidence, in the order of the kinds.
#[derive(Clone, Debug, Default)]
pub(super) struct EvidenceRefs {
    pub(super) lake_text: Vec<LakeTextRef>,
    pub(super) lake_http: Vec<LakeUri>,
    pub(super) sql_results: Vec<SqlResultRef>,
    pub(super) sql_live: Vec<LiveQuery>,
    pub(super) sql_queries: Vec<SqlQueryRef>,
    pub(super) doc_chunks: Vec<ChunkEvidence>,
    pub(super) transcript_chunks: Vec<ChunkEvidence>,
}

#[derive(Clone, Debug)]
pub(super) struct LakeTextRef {
    pub(super) lake_uri: LakeUri,
    /// Whether a text longer than a chunk becomes several items.
    pub(super) chunk: bool,
    pub(super) metadata: CallerMetadata,
}

#[derive(Clone, Debug)]
pub(super) struct SqlResultRef {
    pub(super) lake_uri: LakeUri,
    pub(super) query_key: Option<String>,
    /// Whether a result longer than an item becomes several items.
    pub(super) split: bool,
    pub(super) metadata: CallerMetadata,
}

#[derive(Clone, Debug)]
pub(super) struct SqlQueryRef {
    pub(super) query_key: String,
    pub(super) query: String,
    pub(super) description: String,
    pub(super) metadata: CallerMetadata,
}

#[derive(Clone, Debug)]
pub(super) struct ChunkEvidence {
    pub(super) document_id: String,
    pub(super) chunk_index: u64,
    pub(super) text: String,
    pub(super) source_uri: Option<String>,
    pub(super) offsets: Option<ByteOffsets>,
    pub(super) metadata: CallerMetadata,
}

impl EvidenceRefs {
    fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        let mut fields = reader.object()?;
        let lake_text = fields.or("lake_text", Vec::new(), |list| list.list(lake_text));
        let lake_http = fields.or("lake_http", Vec::new(), |list| list.list(lake_uri));
        let sql_results = fields.or("sql_results", Vec::new(), |list| list.list(sql_result));
        let sql_live = fields.or("sql_live", Vec::new(), |list| list.list(LiveQuery::read));
        let sql_queries = fields.or("sql_queries", Vec::new(), |list| list.list(sql_query));
        let doc_chunks = fields.or("doc_chunks", Vec::new(), |list| list.list(part));
        let transcripts = fields.or("transcript_chunks", Vec::new(), |list| list.list(part));
        fields.done()?;
        Some(Self {
            lake_text: lake_text?,
            lake_http: lake_http?,
            sql_results: sql_results?,
            sql_live: sql_live?,
            sql_queries: sql_queries?,
            doc_chunks: doc_chunks?,
            transcript_chunks: transcripts?,
        })
    }
}

/// The inline evidence of a job; its other fields are the job's own.
fn job_input(reader: JsonReader<'_, '_>) -> Option<Vec<InlineEvidence>> {
    let mut fields = reader.object()?;
    fields.or("extra_params", Vec::new(), |extra| {
        // Neither object is asked for `done`: a job has other fields, which are not for bundles.
        let mut fields = extra.object()?;
        fields.or("evidence", Vec::new(), |list| list.list(inline))
    })
}

fn inline(reader: JsonReader<'_, '_>) -> Option<InlineEvidence> {
    let mut fields = reader.object()?;
    let text = fields.required("text", decode::owned);
    let source_uri = fields.or("source_uri", "inline".to_owned(), decode::owned);
    let metadata = fields.or("metadata", CallerMetadata::new(), given);
    fields.done()?;
    Some(InlineEvidence { text: text?, source_uri: source_uri?, metadata: metadata? })
}

fn lake_text(reader: JsonReader<'_, '_>) -> Option<LakeTextRef> {
    if let Json::Text(_) = reader.json {
        let lake_uri = lake_uri(reader)?;
        return Some(LakeTextRef { lake_uri, chunk: false, metadata: CallerMetadata::new() });
    }
    let mut fields = reader.object()?;
    let lake_uri = fields.required("lake_uri", lake_uri);
    let chunk = fields.or("chunk", false, decode::flag);
    let metadata = fields.or("metadata", CallerMetadata::new(), given);
    fields.done()?;
    Some(LakeTextRef { lake_uri: lake_uri?, chunk: chunk?, metadata: metadata? })
}

fn sql_result(reader: JsonReader<'_, '_>) -> Option<SqlResultRef> {
    let mut fields = reader.object()?;
    let lake_uri = fields.required("lake_uri", lake_uri);
    let query_key = fields.optional("query_key", decode::owned);
    let split = fields.or("split", false, decode::flag);
    let metadata = fields.or("metadata", CallerMetadata::new(), given);
    fields.done()?;
    Some(SqlResultRef {
        lake_uri: lake_uri?,
        query_key: query_key?,
        split: split?,
        metadata: metadata?,
    })
}

fn sql_query(reader: JsonReader<'_, '_>) -> Option<SqlQueryRef> {
    let mut fields = reader.object()?;
    let query_key = fields.required("query_key", decode::owned);
    let query = fields.required("query", decode::owned);
    let description = fields.or("description", String::new(), decode::owned);
    let metadata = fields.or("metadata", CallerMetadata::new(), given);
    fields.done()?;
    Some(SqlQueryRef {
        query_key: query_key?,
        query: query?,
        description: description?,
        metadata: metadata?,
    })
}

fn part(reader: JsonReader<'_, '_>) -> Option<ChunkEvidence> {
    let mut fields = reader.object()?;
    let document_id = fields.required("document_id", decode::filled);
    let chunk_index = fields.required("chunk_index", |index| index.whole(0..=u64::from(u32::MAX)));
    let text = fields.required("text", decode::owned);
    let source_uri = fields.optional("source_uri", decode::owned);
    let offsets = fields.optional("offsets", offsets);
    let metadata = fields.or("metadata", CallerMetadata::new(), given);
    fields.done()?;
    Some(ChunkEvidence {
        document_id: document_id?,
        chunk_index: chunk_index?,
        text: text?,
        source_uri: source_uri?,
        offsets: offsets?,
        metadata: metadata?,
    })
}

fn offsets(reader: JsonReader<'_, '_>) -> Option<ByteOffsets> {
    let most = dalil_proof::json::MAX_INTEGER;
    let mut fields = reader.object()?;
    let start = fields.required("start", |start| start.whole(0..=most));
    let end = fields.required("end", |end| end.whole(0..=most));
    fields.done()?;
    let offsets = ByteOffsets { start: start?, end: end? };
    if offsets.start > offsets.end {
        return reader.refuse("range", bound::start_not_after_end());
    }
    Some(offsets)
}

fn lake_uri(reader: JsonReader<'_, '_>) -> Option<LakeUri> {
    reader.parsed("lake_uri", LakeUri::EXPECTED)
}

/// Free metadata, which may not speak for the bundle.
pub(super) fn given(reader: JsonReader<'_, '_>) -> Option<CallerMetadata> {
    let given = reader.map(decode::any)?;
    let mut taken =
        RESERVED_METADATA_KEYS.iter().filter(|name| given.contains_key(**name)).peekable();
    if taken.peek().is_none() {
        return Some(given);
    }
    for name in taken {
        let path = format!("{}.{name}", reader.path());
        let expected = expected::a_name_that_the_bundle_does_not_use_itself();
        reader.push::<()>(Fault::new("reserved_field", path, expected, found::value(name)));
    }
    None
}

/// The names in an item's metadata that only the bundle itself sets.
const RESERVED_METADATA_KEYS: [&str; 5] =
    ["bounding", "http_meta", "query_key", "redactions", "sql_meta"];
