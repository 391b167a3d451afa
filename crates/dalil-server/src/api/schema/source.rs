//! Sources (spec/sources.md): documents shown beside an answer.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::scalar::{FreeObjectBody, TimeText};
use crate::api::document::FaultBody;

/// The results of retrieval, and options for showing them.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SourcesRequest)]
pub(crate) struct SourcesRequestBody {
    /// Documents.
    candidates: Vec<SourceCandidateBody>,
    /// Parts of them.
    evidence_chunks: Option<Vec<CandidateChunkBody>>,
    /// How they are shown.
    options: Option<SourceOptionsBody>,
    /// The answer that the sources are shown beside.
    answer: Option<String>,
}

/// A document that was found. Further fields are the retriever's own, and are not read.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceCandidate)]
pub(crate) struct SourceCandidateBody {
    /// Its id.
    #[schema(min_length = 1)]
    item_id: String,
    /// Its kind; `doc` when absent.
    kind: Option<String>,
    /// Read, not shown.
    source: Option<String>,
    /// Where it is.
    source_ref: Option<String>,
    /// Its title.
    title: Option<String>,
    /// Its topic.
    summary: Option<String>,
    /// An excerpt of it.
    snippet: Option<String>,
    /// Read, not shown.
    snippet_from: Option<String>,
    /// Its relevance score; 0 when absent.
    score: Option<f64>,
    /// Read, not shown.
    score_text: Option<f64>,
    /// Read, not shown.
    score_vec: Option<f64>,
    /// Its rank by text.
    rank_text: Option<u64>,
    /// Its rank by vector.
    rank_vec: Option<u64>,
    /// Metadata from retrieval.
    metadata: Option<FreeObjectBody>,
}

/// A part of a document that was found. Further fields are the retriever's own, and are not read.
#[derive(Serialize, ToSchema)]
#[schema(as = CandidateChunk)]
pub(crate) struct CandidateChunkBody {
    /// The document.
    #[schema(min_length = 1)]
    item_id: String,
    /// Its id.
    chunk_id: Option<String>,
    /// Its text.
    text: String,
    /// Its relevance score; 0 when absent.
    score: Option<f64>,
    /// The headings above it.
    heading_path: Option<Vec<String>>,
    /// Where it begins in its document, in characters.
    start_idx: Option<u64>,
    /// Where it ends.
    end_idx: Option<u64>,
    /// Another name of the same field.
    offsets: Option<ChunkOffsetsBody>,
    /// Read, not shown.
    token_count: Option<u64>,
    /// Read, not shown.
    score_text: Option<f64>,
    /// Read, not shown.
    score_vec: Option<f64>,
    /// Read, not shown.
    anchors: Option<FreeObjectBody>,
}

/// Where a part begins and ends, in characters.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ChunkOffsets)]
pub(crate) enum ChunkOffsetsBody {
    /// The start and the end.
    Pair(Vec<u64>),
    /// The same with names.
    Named(SnippetSpanOrderBody),
}

/// Where something begins and ends, in characters.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SnippetSpanOrder)]
pub(crate) struct SnippetSpanOrderBody {
    /// The first character.
    start: u64,
    /// The first character after it.
    end: u64,
}

/// How sources are shown.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SourceOptions)]
pub(crate) struct SourceOptionsBody {
    /// The most sources; 6 when absent.
    max_sources: Option<u64>,
    /// Whether words of parts come before those of documents; true when absent.
    prefer_chunk_snippets: Option<bool>,
    /// The most characters of a snippet; 360 when absent.
    #[schema(maximum = 4096)]
    max_snippet_chars: Option<u64>,
    /// The only names of metadata that are shown.
    include_metadata_keys: Option<Vec<String>>,
    /// Names of metadata that are not shown.
    exclude_metadata_keys: Option<Vec<String>>,
    /// The sort order; `score` when absent.
    order_by: Option<SortOrderName>,
    /// Whether the reply lists the sources that were left out.
    debug: Option<bool>,
    /// The number of snippets under each source, at most.
    #[schema(minimum = 1, maximum = 20)]
    max_snippets: Option<u64>,
    /// Whether the anchor and the place of each snippet are shown.
    anchors: Option<bool>,
    /// The envelope of the reply.
    envelope: Option<SourcesEnvelopeOrderBody>,
}

/// The sort order.
#[derive(Serialize, ToSchema)]
#[schema(as = SortOrderName)]
pub(crate) enum SortOrderName {
    /// The higher score.
    #[schema(rename = "score")]
    Score,
    /// The smaller rank.
    #[schema(rename = "rank")]
    Rank,
    /// In the order of the request.
    #[schema(rename = "input")]
    Input,
}

/// The envelope of an event.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SourcesEnvelopeOrder)]
pub(crate) struct SourcesEnvelopeOrderBody {
    /// The version of the protocol.
    #[schema(min_length = 1)]
    protocol_version: String,
    /// The exchange.
    #[schema(min_length = 1)]
    request_id: String,
    /// The message's place in the exchange.
    seq: u64,
    /// When the message was made.
    ts: TimeText,
}

/// The event that a user interface receives.
#[derive(Serialize, ToSchema)]
#[schema(as = SourcesEvent)]
pub(crate) struct SourcesEventBody {
    /// The version of the protocol.
    #[schema(nullable = false)]
    protocol_version: Option<String>,
    /// The exchange.
    #[schema(nullable = false)]
    request_id: Option<String>,
    /// The message's place in the exchange.
    #[schema(nullable = false)]
    seq: Option<u64>,
    /// When the message was made.
    #[schema(nullable = false)]
    ts: Option<TimeText>,
    /// Always `rag.sources`.
    #[schema(pattern = "^rag[.]sources$")]
    r#type: String,
    /// The sources.
    payload: SourcesPayloadBody,
    /// The account of omitted sources, when asked for.
    #[schema(nullable = false)]
    debug: Option<SelectionAccountBody>,
}

/// The payload of the event.
#[derive(Serialize, ToSchema)]
#[schema(as = SourcesPayload)]
pub(crate) struct SourcesPayloadBody {
    /// The sources, best first.
    sources: Vec<CitationSourceBody>,
}

/// One item beside the answer.
#[derive(Serialize, ToSchema)]
#[schema(as = CitationSource)]
pub(crate) struct CitationSourceBody {
    /// The candidate's `item_id`.
    source_id: String,
    /// Its kind.
    kind: String,
    /// Its title.
    #[schema(required = true)]
    title: Option<String>,
    /// Where it is.
    #[schema(required = true)]
    url: Option<String>,
    /// The words to show.
    #[schema(required = true)]
    snippet: Option<String>,
    /// Where the excerpt comes from.
    snippet_from: SnippetOriginBody,
    /// Its relevance score; absent when it is not a number.
    #[schema(required = true)]
    score: Option<f64>,
    /// Its place in this list, from 1.
    rank: u64,
    /// Other metadata that may be shown.
    metadata: FreeObjectBody,
    /// The anchor of the chunk that the snippet is from, when asked for.
    #[schema(nullable = false)]
    anchor: Option<String>,
    /// Its place in the document, when asked for.
    #[schema(nullable = false)]
    span: Option<SnippetSpanBody>,
    /// The best snippets, the shown one first, when asked for.
    #[schema(nullable = false)]
    snippets: Option<Vec<SourceSnippetBody>>,
}

/// Where a snippet's words come from.
#[derive(Serialize, ToSchema)]
#[schema(as = SnippetOrigin, rename_all = "lowercase")]
pub(crate) enum SnippetOriginBody {
    /// A chunk of the document.
    Chunk,
    /// The document's summary or preview.
    Doc,
    /// There are no words.
    Unknown,
}

/// An excerpt of a document.
#[derive(Serialize, ToSchema)]
#[schema(as = SourceSnippet)]
pub(crate) struct SourceSnippetBody {
    /// The words.
    text: String,
    /// Where the excerpt comes from.
    snippet_from: SnippetOriginBody,
    /// The chunk they are from.
    #[schema(nullable = false)]
    chunk_id: Option<String>,
    /// The headings above them.
    #[schema(nullable = false)]
    heading_path: Option<Vec<String>>,
    /// The anchor of the whole chunk.
    #[schema(nullable = false)]
    anchor: Option<String>,
    /// Its place in the document, when asked for.
    #[schema(nullable = false)]
    span: Option<SnippetSpanBody>,
}

/// A place in a document, in characters; the end is the first character after it.
#[derive(Serialize, ToSchema)]
#[schema(as = SnippetSpan)]
pub(crate) struct SnippetSpanBody {
    /// The first character.
    start: u64,
    /// The first character after it.
    end: u64,
}

/// Everything that was left out of the sources. `kept` and `left_out` add up to the candidates.
#[derive(Serialize, ToSchema)]
#[schema(as = SelectionAccount)]
pub(crate) struct SelectionAccountBody {
    /// How many candidates were offered.
    candidates: u64,
    /// How many became sources.
    kept: u64,
    /// Those that did not, in the order they were given.
    left_out: Vec<OmittedCandidateBody>,
    /// How many chunks were offered.
    chunks: u64,
    /// How many of them belong to no source.
    unmatched_chunks: u64,
    /// Snippets that are not the whole text.
    shortened: Vec<ShortenedSnippetBody>,
    /// Metadata that is not shown.
    withheld_metadata: Vec<WithheldMetadataBody>,
    /// Problems of the candidates and chunks that cannot be used.
    problems: Vec<FaultBody>,
    /// Fields of candidates and chunks that are the retriever's own.
    ignored_fields: IgnoredFieldsBody,
}

/// How many candidates and chunks have each field that the format does not know.
#[derive(Serialize, ToSchema)]
#[schema(as = IgnoredFields)]
pub(crate) struct IgnoredFieldsBody {
    /// Those of candidates.
    candidates: BTreeMap<String, u64>,
    /// Those of chunks.
    evidence_chunks: BTreeMap<String, u64>,
}

/// A candidate that is not shown.
#[derive(Serialize, ToSchema)]
#[schema(as = OmittedCandidate)]
pub(crate) struct OmittedCandidateBody {
    /// Its place among the candidates, from 0.
    index: u64,
    /// Its id, when it has one.
    #[schema(nullable = false)]
    item_id: Option<String>,
    /// The reason.
    reason: OmissionReasonBody,
}

/// Why a candidate is not shown.
#[derive(Serialize, ToSchema)]
#[schema(as = OmissionReason, rename_all = "snake_case")]
pub(crate) enum OmissionReasonBody {
    /// A candidate with the same id comes before it.
    Duplicate,
    /// There are `max_sources` before it.
    Limit,
    /// It cannot be used: a problem has the reason.
    InvalidInput,
}

/// A snippet that was cut.
#[derive(Serialize, ToSchema)]
#[schema(as = ShortenedSnippet)]
pub(crate) struct ShortenedSnippetBody {
    /// The source.
    source_id: String,
    /// The characters of the whole text.
    offered_chars: u64,
    /// The characters of the snippet.
    kept_chars: u64,
}

/// Metadata of a source that is not shown.
#[derive(Serialize, ToSchema)]
#[schema(as = WithheldMetadata)]
pub(crate) struct WithheldMetadataBody {
    /// The source.
    source_id: String,
    /// The names of the keys that are not shown.
    keys: Vec<String>,
}

/// Sources in the requested format.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = SourcesReply)]
pub(crate) enum SourcesReplyBody {
    /// The `rag.sources` event.
    Event(Box<SourcesEventBody>),
    /// The same sources in another vendor's format.
    Parts(Vec<SourcePartBody>),
}

/// A source in another vendor's format; a reply has parts of one kind.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = SourcePart)]
pub(crate) enum SourcePartBody {
    /// A source part of the Vercel AI SDK.
    AiSdk(AiSdkSourcePartBody),
    /// A citation as in Anthropic's messages.
    Anthropic(AnthropicCitationBody),
    /// An annotation as in OpenAI's responses.
    OpenAi(OpenAiAnnotationBody),
}

/// A source part of the AI SDK's messages and streams.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[schema(as = AiSdkSourcePart)]
pub(crate) enum AiSdkSourcePartBody {
    /// Something on the web.
    SourceUrl {
        /// The source.
        #[serde(rename = "sourceId")]
        source_id: String,
        /// Where it is.
        url: String,
        /// Its title.
        #[schema(nullable = false)]
        title: Option<String>,
    },
    /// A document.
    SourceDocument {
        /// The source.
        #[serde(rename = "sourceId")]
        source_id: String,
        /// Its IANA media type.
        #[serde(rename = "mediaType")]
        media_type: String,
        /// Its title, or its id where it has none.
        title: String,
        /// Its file name.
        #[schema(nullable = false)]
        filename: Option<String>,
    },
}

/// A citation in a text block of Anthropic's messages.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = AnthropicCitation)]
#[expect(clippy::enum_variant_names, reason = "the words are those of Anthropic's messages")]
pub(crate) enum AnthropicCitationBody {
    /// Characters of a document.
    CharLocation {
        /// The words.
        cited_text: String,
        /// The source's place, from 0.
        document_index: u64,
        /// Its title.
        #[schema(required = true)]
        document_title: Option<String>,
        /// The first character.
        start_char_index: u64,
        /// The first character after it.
        end_char_index: u64,
    },
    /// A page of a document.
    PageLocation {
        /// The words.
        cited_text: String,
        /// The source's place, from 0.
        document_index: u64,
        /// Its title.
        #[schema(required = true)]
        document_title: Option<String>,
        /// The first page, from 1.
        start_page_number: u64,
        /// The first page after it.
        end_page_number: u64,
    },
    /// A search result.
    SearchResultLocation {
        /// The words.
        cited_text: String,
        /// The source's place, from 0.
        search_result_index: u64,
        /// Where it is, or its id where that is not known.
        source: String,
        /// Its title.
        #[schema(required = true)]
        title: Option<String>,
        /// The first content block.
        start_block_index: u64,
        /// The first content block after it.
        end_block_index: u64,
    },
}

/// An annotation of a text in OpenAI's responses.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = OpenAiAnnotation)]
pub(crate) enum OpenAiAnnotationBody {
    /// Something on the web.
    UrlCitation {
        /// Where the citation begins in the answer, in characters.
        start_index: u64,
        /// Where it ends.
        end_index: u64,
        /// Where the source is.
        url: String,
        /// Its title, or its address where it has none.
        title: String,
    },
    /// A file.
    FileCitation {
        /// The source.
        file_id: String,
        /// Its file name.
        filename: String,
        /// The place of the citation in the answer, in characters.
        index: u64,
    },
}
