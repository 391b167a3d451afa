//! Reading a request for sources.
//!
//! Two kinds of fault. A request that is not what this format says (not JSON,
//! unknown fields, options of the wrong type) is refused, with every fault.
//! Candidates or chunks that cannot be used, all of them or one, give no
//! sources: the reply stays an event, and `options.debug` makes it say why.

use std::collections::BTreeSet;

use dalil_proof::decode::{self, JsonReader};
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::{Json, MAX_INTEGER};

use super::candidate::{CandidateChunk, SourceCandidate};
use super::event::SourcesEnvelope;
use super::options::{SortOrder, SourceOptions};

/// A request for sources.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcesRequest<'a> {
    /// What retrieval found.
    pub input: RetrievalInput<'a>,
    /// What to show.
    pub options: SourceOptions<'a>,
    /// What to put around the event.
    pub envelope: Option<SourcesEnvelope<'a>>,
    /// The answer that the sources stand beside, for citations that have a place in it.
    pub answer: Option<&'a str>,
}

/// What retrieval found, or what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub enum RetrievalInput<'a> {
    /// Every candidate and chunk can be used.
    Sound {
        /// The candidates.
        candidates: Vec<SourceCandidate<'a>>,
        /// The chunks.
        chunks: Vec<CandidateChunk<'a>>,
    },
    /// Something cannot, so nothing is.
    Faulty {
        /// How many candidates there are.
        candidates: usize,
        /// How many chunks there are.
        chunks: usize,
        /// What is wrong. Never empty.
        problems: Vec<Fault>,
    },
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
    let candidates = fields.required("candidates", |list| items(list, candidate));
    let chunks = fields.or("evidence_chunks", ArrayItems::none(), |list| items(list, chunk));
    let options = fields.or("options", (SourceOptions::CONTRACT_DEFAULTS, None), options);
    let answer = fields.optional("answer", decode::text);
    let known = fields.done();
    // Faults of items were kept apart: alone they give an empty event. An unknown field among
    // them, or any fault of the request itself, refuses it, with all faults in one reply.
    let faults =
        [candidates.as_ref().map(ArrayItems::faults), chunks.as_ref().map(ArrayItems::faults)];
    let faults = || faults.iter().flatten().copied().flatten();
    let read = known.and(candidates.as_ref()).and(chunks.as_ref()).and(options.as_ref());
    if read.is_none() || answer.is_none() || faults().any(|fault| fault.rule == "unknown_field") {
        return faults().cloned().fold(None, |_, fault| reader.push(fault));
    }
    let (options, envelope) = options?;
    Some(SourcesRequest { input: input(candidates?, chunks?), options, envelope, answer: answer? })
}

fn input<'a>(
    candidates: ArrayItems<SourceCandidate<'a>>,
    chunks: ArrayItems<CandidateChunk<'a>>,
) -> RetrievalInput<'a> {
    match (candidates.values, chunks.values) {
        (Ok(candidates), Ok(chunks)) => RetrievalInput::Sound { candidates, chunks },
        (candidates_read, chunks_read) => {
            let problems = [candidates_read.err(), chunks_read.err()];
            RetrievalInput::Faulty {
                candidates: candidates.offered,
                chunks: chunks.offered,
                problems: problems.into_iter().flatten().flatten().collect(),
            }
        }
    }
}

/// The items of an array, or what is wrong with them.
struct ArrayItems<T> {
    offered: usize,
    values: Result<Vec<T>, Vec<Fault>>,
}

impl<T> ArrayItems<T> {
    const fn none() -> Self {
        Self { offered: 0, values: Ok(Vec::new()) }
    }

    fn faults(&self) -> &[Fault] {
        match &self.values {
            Ok(_) => &[],
            Err(faults) => faults,
        }
    }
}

fn items<'a, T>(
    reader: JsonReader<'_, 'a>,
    item: impl FnMut(JsonReader<'_, 'a>) -> Option<T>,
) -> Option<ArrayItems<T>> {
    let offered = if let Json::List(list) = reader.json { list.len() } else { 0 };
    let values = reader.apart(|reader| reader.list(item)).map_err(|Refused { refused }| refused);
    Some(ArrayItems { offered, values })
}

fn candidate<'a>(reader: JsonReader<'_, 'a>) -> Option<SourceCandidate<'a>> {
    let mut fields = reader.object()?;
    let item_id = fields.required("item_id", name);
    let kind = fields.or("kind", "doc", decode::text);
    let source = fields.optional("source", decode::text);
    let source_ref = fields.optional("source_ref", decode::text);
    let title = fields.optional("title", decode::text);
    let summary = fields.optional("summary", decode::text);
    let snippet = fields.optional("snippet", decode::text);
    let snippet_from = fields.optional("snippet_from", decode::text);
    let score = fields.or("score", 0.0, decode::number);
    let score_text = fields.optional("score_text", decode::number);
    let score_vec = fields.optional("score_vec", decode::number);
    let rank_text = fields.optional("rank_text", place);
    let rank_vec = fields.optional("rank_vec", place);
    let metadata = fields.or("metadata", &[][..], decode::object);
    fields.done()?;
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

fn chunk<'a>(reader: JsonReader<'_, 'a>) -> Option<CandidateChunk<'a>> {
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
    fields.done()?;
    // Part of the contract, not shown.
    let _not_shown = (token_count?, score_text?, score_vec?, anchors?);
    // Where both spellings are given, `offsets` counts.
    let (start, end) = offsets?.map_or((start?, end?), |(start, end)| (Some(start), Some(end)));
    if let (Some(start), Some(end)) = (start, end)
        && end < start
    {
        return reader.refuse("range", format!("an end at or after the start, {start}"));
    }
    Some(CandidateChunk {
        item_id: item_id?,
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
    let max_sources = fields.or("max_sources", usual.max_sources, |n| count(n, 0));
    let prefer = fields.or("prefer_chunk_snippets", usual.prefer_chunk_snippets, decode::flag);
    let max_chars = fields.or("max_snippet_chars", usual.max_snippet_chars, |n| count(n, 0));
    let include = fields.optional("include_metadata_keys", names);
    let exclude = fields.optional("exclude_metadata_keys", names);
    let orders =
        [("score", SortOrder::Score), ("rank", SortOrder::Rank), ("input", SortOrder::Input)];
    let order_by = fields.or("order_by", usual.order_by, |word| word.choice(&orders));
    let debug = fields.or("debug", usual.debug, decode::flag);
    let max_snippets = fields.optional("max_snippets", |n| count(n, 1));
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
    let text = decode::text(reader)?;
    if text.is_empty() { reader.refuse("empty", "a name") } else { Some(text) }
}

fn names<'a>(reader: JsonReader<'_, 'a>) -> Option<BTreeSet<&'a str>> {
    Some(reader.list(decode::text)?.into_iter().collect())
}

/// A rank, an offset or a count.
fn place(reader: JsonReader<'_, '_>) -> Option<u64> {
    reader.whole(0..=MAX_INTEGER)
}

/// How many, from `least`.
fn count(reader: JsonReader<'_, '_>, least: u64) -> Option<usize> {
    reader.whole(least..=MAX_INTEGER).map(|n| usize::try_from(n).unwrap_or(usize::MAX))
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
        _ => reader.refuse("type", "a start and an end"),
    }
}
