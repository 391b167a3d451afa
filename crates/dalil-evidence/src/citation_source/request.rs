//! Reading a request for sources.
//!
//! There are two kinds of fault. A request that is not of this format (not JSON,
//! unknown fields, options of the wrong type) is refused, with every fault.
//! A candidate or chunk that cannot be used is skipped, and with `options.debug`
//! the reply has the reason. Unknown fields of a candidate or chunk belong to the
//! retriever: they are counted and ignored.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use dalil_phrasebook::{bound, expected};
use dalil_proof::decode::{self, JsonFields, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::{Json, MAX_INTEGER};

use super::account::IgnoredFields;
use super::candidate::{CandidateChunk, OwnerName, SourceCandidate};
use super::event::SourcesEnvelope;
use super::options::{MAX_SHOWN_CHARS, SortOrder, SourceOptions};

/// A request for sources.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcesRequest<'a> {
    /// What retrieval found.
    pub input: RetrievalInput<'a>,
    /// The display options.
    pub options: SourceOptions<'a>,
    /// The envelope of the event.
    pub envelope: Option<SourcesEnvelope<'a>>,
    /// The answer beside the sources, for citations that have a place in it.
    pub answer: Option<&'a str>,
}

/// The results of retrieval, and the faults of those that cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrievalInput<'a> {
    /// The candidates that can be used.
    pub candidates: Vec<SourceCandidate<'a>>,
    /// The places of the others among all candidates, in order.
    pub unusable_candidates: Vec<usize>,
    /// The chunks that can be used.
    pub chunks: Vec<CandidateChunk<'a>>,
    /// How many chunks cannot.
    pub unusable_chunks: usize,
    /// The faults of those that cannot be used.
    pub problems: Vec<Fault>,
    /// Fields of candidates and chunks that this format does not know.
    pub ignored_fields: IgnoredFields<'a>,
}

impl<'a> SourcesRequest<'a> {
    /// Reads a request; the result borrows from it.
    ///
    /// # Errors
    /// Everything wrong with the request, when it is not of this format.
    pub fn read(json: &'a Json<'a>) -> Result<Self, Refused> {
        decode::value(json, request)
    }
}

fn request<'a>(reader: JsonReader<'_, 'a>) -> Option<SourcesRequest<'a>> {
    let mut fields = reader.object()?;
    let candidates = fields.required("candidates", |list| Some(items(list, candidate)));
    let chunks = fields.or("evidence_chunks", ArrayItems::none(), |list| Some(items(list, chunk)));
    let options = fields.or("options", (SourceOptions::CONTRACT_DEFAULTS, None), options);
    let answer = fields.optional("answer", decode::text);
    let known = fields.done();
    // Faults of items were kept apart: alone they take nothing but the item from the event. A
    // fault of the request itself refuses it, with all faults in one reply.
    let read = known.and(candidates.as_ref()).and(chunks.as_ref()).and(options.as_ref());
    if read.is_none() || answer.is_none() {
        let faults = [candidates.map(|list| list.faults), chunks.map(|list| list.faults)];
        let faults = faults.into_iter().flatten().flatten();
        return faults.fold(None, |_, fault| reader.push(fault));
    }
    let (options, envelope) = options?;
    Some(SourcesRequest { input: input(candidates?, chunks?), options, envelope, answer: answer? })
}

fn input<'a>(
    candidates: ArrayItems<'a, SourceCandidate<'a>>,
    chunks: ArrayItems<'a, CandidateChunk<'a>>,
) -> RetrievalInput<'a> {
    let ignored_fields =
        IgnoredFields { candidates: candidates.ignored, evidence_chunks: chunks.ignored };
    let problems = [candidates.faults, chunks.faults].concat();
    let chunks_offered = chunks.values.len() + chunks.unusable.len();
    if !(candidates.is_array && chunks.is_array) {
        // It is not known which documents have which words.
        let offered = candidates.values.len() + candidates.unusable.len();
        return RetrievalInput {
            candidates: Vec::new(),
            unusable_candidates: (0..offered).collect(),
            chunks: Vec::new(),
            unusable_chunks: chunks_offered,
            problems,
            ignored_fields,
        };
    }
    RetrievalInput {
        candidates: candidates.values,
        unusable_candidates: candidates.unusable,
        unusable_chunks: chunks.unusable.len(),
        chunks: chunks.values,
        problems,
        ignored_fields,
    }
}

/// The items of an array that can be used, and the faults of the others.
struct ArrayItems<'a, T> {
    is_array: bool,
    values: Vec<T>,
    /// The places of those that cannot be used.
    unusable: Vec<usize>,
    faults: Vec<Fault>,
    /// How many items have each field that is not known.
    ignored: BTreeMap<&'a str, usize>,
}

impl<T> ArrayItems<'_, T> {
    const fn none() -> Self {
        Self {
            is_array: true,
            values: Vec::new(),
            unusable: Vec::new(),
            faults: Vec::new(),
            ignored: BTreeMap::new(),
        }
    }
}

/// Counts the fields of items that this format does not know.
type IgnoredFieldCounter<'a> = RefCell<BTreeMap<&'a str, usize>>;

fn items<'a, T>(
    reader: JsonReader<'_, 'a>,
    item: impl Fn(JsonReader<'_, 'a>, &IgnoredFieldCounter<'a>) -> Option<T>,
) -> ArrayItems<'a, T> {
    let ignored = IgnoredFieldCounter::default();
    let (read, faults) = reader.apart(|list| list.list(|one| Some(item(one, &ignored))));
    let is_array = read.is_some();
    let read = read.unwrap_or_default();
    let unusable = read.iter().enumerate().filter(|(_, one)| one.is_none()).map(|(n, _)| n);
    let unusable = unusable.collect();
    let values = read.into_iter().flatten().collect();
    ArrayItems { is_array, values, unusable, faults, ignored: ignored.into_inner() }
}

fn count_unasked<'a>(fields: JsonFields<'_, 'a>, ignored: &IgnoredFieldCounter<'a>) {
    for name in fields.unasked() {
        *ignored.borrow_mut().entry(name).or_default() += 1;
    }
}

fn candidate<'a>(
    reader: JsonReader<'_, 'a>,
    ignored: &IgnoredFieldCounter<'a>,
) -> Option<SourceCandidate<'a>> {
    let mut fields = reader.object()?;
    let item_id = fields.required("item_id", name);
    let kind = fields.or("kind", "doc", short);
    let source = fields.optional("source", decode::text);
    let source_ref = fields.optional("source_ref", short);
    let title = fields.optional("title", short);
    let summary = fields.optional("summary", decode::text);
    let snippet = fields.optional("snippet", decode::text);
    let snippet_from = fields.optional("snippet_from", decode::text);
    let score = fields.or("score", 0.0, decode::number);
    let score_text = fields.optional("score_text", decode::number);
    let score_vec = fields.optional("score_vec", decode::number);
    let rank_text = fields.optional("rank_text", place);
    let rank_vec = fields.optional("rank_vec", place);
    let metadata = fields.or("metadata", &[][..], decode::object);
    count_unasked(fields, ignored);
    // Part of the contract, not shown.
    let _not_shown = (source?, snippet_from?, score_text?, score_vec?);
    let (rank_text, rank_vec) = (rank_text?, rank_vec?);
    Some(SourceCandidate {
        item_id: item_id?,
        kind: kind?,
        source_ref: source_ref?,
        title: title?,
        summary: summary?,
        snippet: snippet?,
        score: score?,
        rank: [rank_text, rank_vec].into_iter().flatten().min(),
        metadata: metadata?,
    })
}

fn chunk<'a>(
    reader: JsonReader<'_, 'a>,
    ignored: &IgnoredFieldCounter<'a>,
) -> Option<CandidateChunk<'a>> {
    let mut fields = reader.object()?;
    let item_id = fields.required("item_id", name);
    let chunk_id = fields.optional("chunk_id", decode::text);
    let text = fields.required("text", decode::text);
    let score = fields.or("score", 0.0, decode::number);
    let heading_path = fields.or("heading_path", Vec::new(), |path| path.list(decode::text));
    let start = fields.optional("start_idx", place);
    let end = fields.optional("end_idx", place);
    let offsets = fields.optional("offsets", offsets);
    let token_count = fields.optional("token_count", place);
    let score_text = fields.optional("score_text", decode::number);
    let score_vec = fields.optional("score_vec", decode::number);
    let anchors = fields.optional("anchors", decode::object);
    count_unasked(fields, ignored);
    // Part of the contract, not shown.
    let _not_shown = (token_count?, score_text?, score_vec?, anchors?);
    // Where both spellings are given, `offsets` counts.
    let (start, end) = offsets?.map_or((start?, end?), |(start, end)| (Some(start), Some(end)));
    if let (Some(start), Some(end)) = (start, end)
        && end < start
    {
        return reader.refuse("range", bound::an_end_at_or_after_the_start(start));
    }
    Some(CandidateChunk {
        item_id: OwnerName::new(item_id?),
        chunk_id: chunk_id?,
        text: text?,
        score: score?,
        heading_path: heading_path?,
        start,
    })
}

fn options<'a>(
    reader: JsonReader<'_, 'a>,
) -> Option<(SourceOptions<'a>, Option<SourcesEnvelope<'a>>)> {
    let mut fields = reader.object()?;
    let usual = SourceOptions::CONTRACT_DEFAULTS;
    let max_sources = fields.or("max_sources", usual.max_sources, |n| count(n, 0, MAX_INTEGER));
    let prefer = fields.or("prefer_chunk_snippets", usual.prefer_chunk_snippets, decode::flag);
    let max_chars =
        fields.or("max_snippet_chars", usual.max_snippet_chars, |n| count(n, 0, MAX_SHOWN_CHARS));
    let include = fields.optional("include_metadata_keys", names);
    let exclude = fields.optional("exclude_metadata_keys", names);
    let orders =
        [("score", SortOrder::Score), ("rank", SortOrder::Rank), ("input", SortOrder::Input)];
    let order_by = fields.or("order_by", usual.order_by, |word| word.choice(&orders));
    let debug = fields.or("debug", usual.debug, decode::flag);
    let max_snippets = fields.optional("max_snippets", |n| count(n, 1, MAX_SNIPPETS));
    let anchors = fields.or("anchors", usual.anchors, decode::flag);
    let envelope = fields.optional("envelope", envelope);
    fields.done()?;
    let options = SourceOptions {
        max_sources: max_sources?,
        prefer_chunk_snippets: prefer?,
        max_snippet_chars: max_chars?,
        include_metadata_keys: include?,
        exclude_metadata_keys: exclude?,
        order_by: order_by?,
        debug: debug?,
        max_snippets: max_snippets?,
        anchors: anchors?,
    };
    Some((options, envelope?))
}

fn envelope<'a>(reader: JsonReader<'_, 'a>) -> Option<SourcesEnvelope<'a>> {
    let mut fields = reader.object()?;
    let protocol_version = fields.required("protocol_version", name);
    let request_id = fields.required("request_id", name);
    let seq = fields.required("seq", place);
    let ts = fields.required("ts", decode::time);
    fields.done()?;
    Some(SourcesEnvelope {
        protocol_version: protocol_version?,
        request_id: request_id?,
        seq: seq?,
        ts: ts?,
    })
}

/// Text that names something.
fn name<'a>(reader: JsonReader<'_, 'a>) -> Option<&'a str> {
    let text = short(reader)?;
    if text.is_empty() { reader.refuse("empty", expected::a_name()) } else { Some(text) }
}

/// Text that is shown as it is, and so is no content: an id, a kind, a title or an address.
fn short<'a>(reader: JsonReader<'_, 'a>) -> Option<&'a str> {
    let text = decode::text(reader)?;
    // A character has at least one byte, so most texts need no counting.
    let length = if text.len() as u64 <= MAX_SHOWN_CHARS { 0 } else { text.chars().count() };
    if length as u64 <= MAX_SHOWN_CHARS {
        return Some(text);
    }
    let expected = bound::at_most_characters(MAX_SHOWN_CHARS);
    reader.push(Fault::new("length", reader.path(), expected, length))
}

fn names<'a>(reader: JsonReader<'_, 'a>) -> Option<BTreeSet<&'a str>> {
    Some(reader.list(decode::text)?.into_iter().collect())
}

/// A rank, an offset or a count.
fn place(reader: JsonReader<'_, '_>) -> Option<u64> {
    reader.whole(0..=MAX_INTEGER)
}

/// How many, from `least` to `most`.
fn count(reader: JsonReader<'_, '_>, least: u64, most: u64) -> Option<usize> {
    reader.whole(least..=most).map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

/// `[start, end]`, or the same as an object.
fn offsets(reader: JsonReader<'_, '_>) -> Option<(u64, u64)> {
    if let Json::Object(_) = reader.json {
        let mut fields = reader.object()?;
        let (start, end) = (fields.required("start", place), fields.required("end", place));
        fields.done()?;
        return start.zip(end);
    }
    match reader.list(place)?.as_slice() {
        [start, end] => Some((*start, *end)),
        _ => reader.refuse("type", expected::a_start_and_an_end()),
    }
}

/// The most snippets under one source: a list that a person reads.
const MAX_SNIPPETS: u64 = 20;
