//! Chunk sets: the chunks that an application retrieved for an answer, under its own ids.
//!
//! A set is kept in its canonical form and recognised by it, so that one file has one digest:
//! bytes that are not exactly what [`ChunkSet::canonical_bytes`] writes are some other file.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use dalil_phrasebook::{bound, expected, found, hint};
use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::decode::{self, JsonReader};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, Refused, quote};
use dalil_proof::json::Json;
use serde::Serialize;

#[cfg(test)]
mod tests;

/// The retrieved chunks for an answer, in the application's order; never empty, each id once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChunkSet {
    chunks: Vec<RetrievedChunk>,
}

/// One retrieved chunk, with the application's metadata.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RetrievedChunk {
    /// The application's id for it.
    pub id: String,
    /// What else the application knows about it, kept as it is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, Json<'static>>,
    /// The page it is on, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Its words.
    pub text: String,
    /// The title of its document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where its document is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

impl ChunkSet {
    /// Reads `{"chunks": [chunk, …]}`.
    ///
    /// # Errors
    /// Every fault in it.
    pub fn parse(json: &[u8]) -> Result<Self, Refused> {
        decode::request(json, |reader| {
            let mut fields = reader.object()?;
            let set = fields.required("chunks", Self::read);
            fields.done()?;
            set
        })
    }

    /// Reads the array of a request.
    pub fn read(reader: JsonReader<'_, '_>) -> Option<Self> {
        if let Json::List(items) = reader.json
            && !(1..=MAX_CHUNKS).contains(&items.len())
        {
            let (expected, found) = (bound::one_to_chunks(MAX_CHUNKS), items.len());
            return reader.push(Fault::new("range", reader.path(), expected, found));
        }
        let mut seen = HashSet::new();
        let chunks = reader.list(|one| {
            let read = chunk(one);
            // Asked of the JSON, so that an id is reported again even if its chunk has other faults.
            match one.json.get("id") {
                Some(Json::Text(id)) if !seen.insert(id.as_ref()) => {
                    let (expected, found) = (expected::each_id_once(), found::again(quote(id)));
                    one.push(Fault::new("duplicate", one.member("id"), expected, found))
                }
                _ => read,
            }
        })?;
        Some(Self { chunks })
    }

    /// The set whose canonical form these bytes are.
    pub fn of_canonical(bytes: &[u8]) -> Option<Self> {
        // Most files are no sets, and are not parsed to find out.
        if !bytes.starts_with(CANONICAL_START) {
            return None;
        }
        let set = Self::parse(bytes).ok()?;
        set.canonical_bytes().is_ok_and(|canonical| canonical == bytes).then_some(set)
    }

    /// The items of a bundle, under the ids of the evidence.
    ///
    /// # Errors
    /// JSON that is no bundle, an item whose content does not have its digest, and a
    /// bundle without items.
    pub fn of_bundle(bundle: &Json<'_>) -> Result<Self, Refused> {
        // A saved bundle has its location beside it.
        let saved = bundle.get("bundle").filter(|_| bundle.get("saved").is_some());
        let bundle = saved.unwrap_or(bundle);
        decode::value(bundle, |reader| {
            let mut fields = reader.object()?;
            let bundle_id = fields.required("bundle_id", decode::filled);
            let items = fields.required("items", |list| list.list(item));
            let (bundle_id, items) = (bundle_id?, items?);
            let named = |mut chunk: RetrievedChunk| {
                chunk.metadata.insert("bundle_id".to_owned(), text(&bundle_id));
                chunk
            };
            // An item without words can support nothing, and no chunk is without words.
            let kept = items.into_iter().filter(|chunk| !chunk.text.trim().is_empty());
            let chunks: Vec<_> = kept.map(named).collect();
            if chunks.is_empty() {
                let path = reader.member("items");
                return reader.push(Fault::new(
                    "empty",
                    path,
                    expected::items_with_text(),
                    found::none(),
                ));
            }
            Some(Self { chunks })
        })?
        .within_limits()
    }

    /// The chunks, in the order of the application.
    pub fn chunks(&self) -> &[RetrievedChunk] {
        &self.chunks
    }

    /// The bytes that are kept, and that the digest of the set is of.
    ///
    /// # Errors
    /// Metadata that has no canonical form.
    pub fn canonical_bytes(&self) -> Result<Vec<u8>, NotCanonical> {
        canon::bytes(self)
    }

    /// This set, if it is one that [`ChunkSet::of_canonical`] takes back.
    fn within_limits(self) -> Result<Self, Refused> {
        let expected = expected::metadata_with_a_canonical_form();
        let bytes = self.canonical_bytes();
        Self::parse(&bytes.map_err(|_| Fault::new("json", "items", expected, found::other()))?)
    }

    /// The texts joined by empty lines, and the byte range of each.
    pub fn joined(&self) -> (String, Vec<Range<usize>>) {
        let mut joined = String::new();
        let mut spans = Vec::with_capacity(self.chunks.len());
        for chunk in &self.chunks {
            if !joined.is_empty() {
                joined.push_str("\n\n");
            }
            let start = joined.len();
            joined.push_str(&chunk.text);
            spans.push(start..joined.len());
        }
        (joined, spans)
    }
}

impl RetrievedChunk {
    /// The id of its document: its location, else its title, else the chunk itself.
    pub fn document_id(&self) -> &str {
        self.uri.as_deref().or(self.title.as_deref()).unwrap_or(&self.id)
    }

    /// What people call its document.
    pub fn document_name(&self) -> &str {
        self.title.as_deref().or(self.uri.as_deref()).unwrap_or(&self.id)
    }
}

fn chunk(reader: JsonReader<'_, '_>) -> Option<RetrievedChunk> {
    let mut fields = reader.object()?;
    let id = fields.required("id", decode::label);
    let text = fields.required("text", words);
    let title = fields.optional("title", decode::label);
    let uri = fields.optional("uri", decode::place);
    let page = fields.optional("page", page);
    let metadata = fields.or("metadata", BTreeMap::new(), metadata);
    fields.done()?;
    Some(RetrievedChunk {
        id: id?,
        metadata: metadata?,
        page: page?,
        text: text?,
        title: title?,
        uri: uri?,
    })
}

fn words(reader: JsonReader<'_, '_>) -> Option<String> {
    let text = decode::filled(reader)?;
    // A character has at least one byte, so most texts need no counting.
    let length = if text.len() <= MAX_TEXT_CHARS { 0 } else { text.chars().count() };
    if length <= MAX_TEXT_CHARS {
        return Some(text);
    }
    let expected = bound::at_most_characters(MAX_TEXT_CHARS);
    let fault = Fault::new("length", reader.path(), expected, length);
    reader.push(fault.hint(hint::add_a_longer_text_as_a_document()))
}

fn page(reader: JsonReader<'_, '_>) -> Option<u32> {
    let page = reader.whole(1..=u64::from(u32::MAX))?;
    u32::try_from(page).ok()
}

fn metadata(reader: JsonReader<'_, '_>) -> Option<BTreeMap<String, Json<'static>>> {
    let metadata = reader.map(decode::any)?;
    // Every passage of a ledger repeats it, so metadata that does not fit is refused here.
    let size = canon::bytes(&metadata).map_or(usize::MAX, |bytes| bytes.len());
    if size <= MAX_METADATA_BYTES {
        return Some(metadata);
    }
    let expected = bound::at_most_bytes_as_canonical_json(MAX_METADATA_BYTES);
    let fault = Fault::new("length", reader.path(), expected, size);
    reader.push(fault.hint(hint::leave_out_what_does_not_help_to_find_the_chunk()))
}

/// An item of a bundle as a chunk.
fn item(reader: JsonReader<'_, '_>) -> Option<RetrievedChunk> {
    // Only the fields of a chunk are read, so neither object is asked for `done`.
    let mut fields = reader.object()?;
    let id = fields.required("evidence_id", decode::filled);
    let content = fields.required("content", decode::owned);
    let digest = fields.required("content_sha256", decode::owned);
    let kind = fields.required("evidence_type", decode::filled);
    let (id, content, kind) = (id?, content?, kind?);
    if digest? != Digest::of(content.as_bytes()).hex() {
        let path = reader.member("content");
        let expected = expected::the_content_of_content_sha256();
        return reader.push(Fault::new("digest", path, expected, found::other()));
    }
    let said = |object: &str, name: &str| match reader.json.get(object)?.get(name)? {
        Json::Text(text) if !text.trim().is_empty() => Some(text.to_string()),
        _ => None,
    };
    let given = reader.json.get("metadata");
    let page = match given.and_then(|given| given.get("page_number")) {
        Some(Json::Number(page)) => {
            dalil_proof::json::integer(*page).and_then(|n| u32::try_from(n).ok())
        }
        _ => None,
    };
    let mut metadata = BTreeMap::from([("evidence_type".to_owned(), text(&kind))]);
    if let Some(path) = given.and_then(|given| given.get("heading_path")) {
        metadata.insert("heading_path".to_owned(), path.clone().into_owned());
    }
    let uri = said("source_ref", "source_uri").or_else(|| said("source_ref", "lake_uri"));
    Some(RetrievedChunk {
        id,
        metadata,
        page: page.filter(|page| *page > 0),
        text: content,
        title: said("source_ref", "document_id").or_else(|| said("source_ref", "url")),
        uri,
    })
}

fn text(text: &str) -> Json<'static> {
    Json::Text(text.to_owned().into())
}

/// More chunks than any prompt holds: a larger set is a corpus.
const MAX_CHUNKS: usize = 1_000;
/// About 25,000 words: a longer text is a document.
const MAX_TEXT_CHARS: usize = 100_000;
const MAX_METADATA_BYTES: usize = 4_096;
/// How the canonical form of every set begins.
const CANONICAL_START: &[u8] = b"{\"chunks\":[{\"id\":";
