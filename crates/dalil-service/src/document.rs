//! Documents: their bytes and their text in the lake, their chunks in the catalog.

use std::fs;
use std::ops::Range;
use std::path::Path;

use dalil::corpus::{Corpus, CorpusChunkSet, CorpusDocument};
use dalil_documents::document::{DocumentFormat, ParsedDocument};
use dalil_documents::quotable_text::ExcerptSpan;
use dalil_evidence::anchor::{Anchor, text_digest};
use dalil_phrasebook::{Phrase, expected, found, hint, precondition};
use dalil_proof::digest::Digest;
use dalil_proof::fault::{Fault, quote};
use dalil_proof::record::RecordKind;
use dalil_store::catalog::{ChunkRow, DocumentRow};
use dalil_store::trail::{StoredFieldState, StoredPayload, StoredRecord};
use dalil_store::{Error, EvidenceRow, IndexedRow, NewRecord, Tenant};
use serde::Serialize;

use crate::artifact::artifact;
use crate::list_range::ListRange;
use crate::operation::{
    OperationFailure, RecordAck, RequestContext, append, bytes as bytes_field, held, held_bytes,
    none, object, retry_on_conflict_of_kinds, text as json_text,
};

mod kept_text;
#[cfg(test)]
mod tests;

pub(super) use self::kept_text::{KeptText, kept_text, kept_text_of_id};

/// A document of the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AddedDocument {
    /// What names it: its digest, short.
    pub document_id: String,
    /// Its file name.
    pub filename: String,
    /// The digest of its bytes.
    pub sha256: String,
    /// How many chunks it has.
    pub chunks: usize,
    /// Whether it was not there before under this name.
    pub is_new: bool,
    /// Its record.
    pub index: u64,
}

/// Keeps every document of a corpus that the store does not have under its name.
///
/// # Errors
/// A file that changed since it was read, and what keeps the store from appending.
pub async fn add(
    tenant: &Tenant,
    corpus: &Corpus,
    context: &RequestContext,
) -> Result<Vec<AddedDocument>, OperationFailure> {
    retry_on_conflict_of_kinds(tenant, &[], async |_| {
        let PreparedDocuments { mut added, drafts } = prepare(tenant, corpus, context).await?;
        if !drafts.is_empty() {
            let request = json_text(&added.iter().map(|one| &one.sha256).collect::<Vec<_>>())?;
            let key = context.idempotency_key("document add", request.as_bytes())?;
            // One entry for all: either every new document is recorded, or none.
            place(&mut added, &append(tenant, drafts, key).await?);
        }
        Ok(added)
    })
    .await
}

/// Documents that are in the lake, and the records that will say so.
pub(super) struct PreparedDocuments {
    /// Every document; a new one has no record yet.
    pub(super) added: Vec<AddedDocument>,
    /// One record for each new one, in their order.
    pub(super) drafts: Vec<NewRecord>,
}

/// Gives the new documents the places of their records, which are the first.
pub(super) fn place(added: &mut [AddedDocument], acks: &[RecordAck]) {
    // Drafts were made for new documents only, in this order, so acks pair with them.
    for (one, ack) in added.iter_mut().filter(|one| one.is_new).zip(acks) {
        one.index = ack.index;
    }
}

/// Puts the new documents of a corpus into the lake.
pub(super) async fn prepare(
    tenant: &Tenant,
    corpus: &Corpus,
    context: &RequestContext,
) -> Result<PreparedDocuments, OperationFailure> {
    let mut prepared = PreparedDocuments::none();
    for held in corpus.held().iter().filter(|held| held.retrieved.is_none()) {
        let about =
            IncomingDocument { name: &held.name, digest: held.document.digest, read: Some(held) };
        prepared.take(tenant, DocumentBytes::File(corpus), &about, context).await?;
    }
    for set in corpus.chunk_sets() {
        prepared.take_chunks(tenant, set, context).await?;
    }
    // A file whose bytes could not be read has the digest of nothing, and nothing to keep.
    for unread in corpus.unread().iter().filter(|one| one.digest != Digest::of(&[])) {
        let about = IncomingDocument { name: &unread.name, digest: unread.digest, read: None };
        prepared.take(tenant, DocumentBytes::File(corpus), &about, context).await?;
    }
    Ok(prepared)
}

/// A document on its way into the store.
struct IncomingDocument<'d> {
    name: &'d str,
    digest: Digest,
    /// Its parsed form, unless it could not be read.
    read: Option<&'d CorpusDocument>,
}

/// Where the bytes of a document are.
#[derive(Clone, Copy)]
enum DocumentBytes<'d> {
    /// In a file, which the corpus knows by its name.
    File(&'d Corpus),
    /// Here.
    Bytes(&'d [u8]),
}

impl PreparedDocuments {
    /// No document.
    pub(super) const fn none() -> Self {
        Self { added: Vec::new(), drafts: Vec::new() }
    }

    /// Puts the chunks that an application retrieved into the lake, unless they are there.
    pub(super) async fn take_chunks(
        &mut self,
        tenant: &Tenant,
        set: &CorpusChunkSet,
        context: &RequestContext,
    ) -> Result<(), OperationFailure> {
        let unread = |error| {
            Fault::new(
                "unread",
                "chunks",
                precondition::a_chunk_set_that_can_be_read(),
                Phrase::verbatim(error),
            )
        };
        let whole = set.whole().map_err(unread)?;
        let about = IncomingDocument { name: &set.name, digest: set.digest, read: Some(&whole) };
        self.take(tenant, DocumentBytes::Bytes(&set.bytes), &about, context).await
    }

    async fn take(
        &mut self,
        tenant: &Tenant,
        bytes: DocumentBytes<'_>,
        about: &IncomingDocument<'_>,
        context: &RequestContext,
    ) -> Result<(), OperationFailure> {
        let IncomingDocument { name, digest, read } = about;
        let known = tenant.select(&DocumentRow::query().sha256(digest)).await?;
        let known = known.iter().find(|found| found.row.filename == *name);
        let sha256 = digest.to_string();
        let document_id = dalil::corpus::id(digest);
        let chunks = read.map_or(0, |held| held.chunks.len());
        let (is_new, index) = known.map_or((true, 0), |found| (false, found.index));
        let filename = (*name).to_owned();
        self.added.push(AddedDocument { document_id, filename, sha256, chunks, is_new, index });
        if is_new {
            let size = original(tenant, bytes, about).await?;
            self.drafts.push(draft(tenant, about, size, context).await?);
        }
        Ok(())
    }
}

/// Puts the bytes of a document into the lake, and returns their number.
async fn original(
    tenant: &Tenant,
    bytes: DocumentBytes<'_>,
    about: &IncomingDocument<'_>,
) -> Result<usize, OperationFailure> {
    let bytes = match bytes {
        DocumentBytes::Bytes(bytes) => bytes.to_vec(),
        DocumentBytes::File(corpus) => {
            let path = corpus.path(about.name).unwrap_or(Path::new(about.name));
            fs::read(path).map_err(|error| {
                Error::unavailable("keep a document", quote(about.name))
                    .saw("a readable file", error)
            })?
        }
    };
    // The text and chunks are of the bytes that were read first. Others must not replace them.
    if Digest::of(&bytes) != about.digest {
        let fault = Fault::new(
            "changed",
            about.name,
            precondition::the_file_that_was_read(),
            found::another(),
        );
        return Err(fault.hint(hint::the_file_changed_in_the_meantime_try_again()).into());
    }
    let size = bytes.len();
    // Before the record that names it: a crash must not leave a dangling name.
    tenant.lake()?.put(bytes).await?;
    Ok(size)
}

async fn draft(
    tenant: &Tenant,
    about: &IncomingDocument<'_>,
    size: usize,
    context: &RequestContext,
) -> Result<NewRecord, OperationFailure> {
    let IncomingDocument { name, digest, read } = about;
    let id = dalil::corpus::id(digest);
    let media_type = read.map_or(UNKNOWN_MEDIA_TYPE, |held| media_type(held.document.format));
    let pages = read.and_then(|held| held.document.blocks.iter().filter_map(|one| one.page).max());
    let date = read.and_then(|held| held.document.date.as_ref());
    let row = DocumentRow {
        id: id.clone(),
        filename: (*name).to_owned(),
        media_type: media_type.to_owned(),
        sha256: *digest,
        size: size as u64,
        source_uri: (*name).to_owned(),
        retrieved_at: context.at,
        document_date: date.map(ToString::to_string),
        pages: pages.map(u64::from),
    };
    let mut rows = vec![row.into()];
    let mut fields = vec![object(DOCUMENT_FIELD, *digest)];
    let mut artifacts = vec![artifact(digest, size, media_type, DOCUMENT_FIELD)];
    if let Some(held) = read {
        rows.extend(chunks(&id, held)?);
        // The text as it was read: a later version of a parser may read the file differently.
        let text = held.document.text.as_bytes();
        let digest = tenant.lake()?.put(text.to_vec()).await?;
        fields.push(object(TEXT_FIELD, digest));
        artifacts.push(artifact(&digest, text.len(), "text/plain; charset=utf-8", TEXT_FIELD));
        let hidden = hidden_parts(&held.document);
        if !hidden.is_empty() {
            fields.push(bytes_field(HIDDEN_FIELD, json_text(&hidden)?.into_bytes()));
        }
    }
    rows.extend(artifacts);
    Ok(context.draft(RecordKind::DocumentAdded, &id, fields, rows))
}

/// The parts of the text that a reader of the document does not see: the first byte of each, and
/// the one after the last. Blocks that follow one another are one part.
fn hidden_parts(document: &ParsedDocument) -> Vec<[usize; 2]> {
    let mut parts: Vec<[usize; 2]> = Vec::new();
    let mut goes_on = false;
    for block in &document.blocks {
        if block.hidden.is_some() {
            match parts.last_mut().filter(|_| goes_on) {
                Some([_, end]) => *end = block.end,
                None => parts.push([block.start, block.end]),
            }
        }
        goes_on = block.hidden.is_some();
    }
    parts
}

/// The chunks of a document; their offsets are bytes of its text.
fn chunks(id: &str, held: &CorpusDocument) -> Result<Vec<EvidenceRow>, OperationFailure> {
    let mut rows = Vec::with_capacity(held.chunks.len());
    for (n, chunk) in held.chunks.iter().enumerate() {
        let block = held.document.blocks.get(chunk.block);
        let digest = text_digest(held.words(chunk));
        let headings = block.map(|block| &block.headings).filter(|path| !path.is_empty());
        let row = ChunkRow {
            id: Anchor::shortest(&digest, []).as_str().to_owned(),
            document_id: id.to_owned(),
            chunk_index: n as u64,
            page_number: block.and_then(|block| block.page).map(u64::from),
            heading_path: headings.map(json_text).transpose()?,
            start_offset: chunk.start as u64,
            end_offset: chunk.end as u64,
            anchor: digest.hex(),
        };
        rows.push(row.into());
    }
    Ok(rows)
}

/// A document, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentSummary {
    /// What names it.
    pub document_id: String,
    /// Its file name.
    pub filename: String,
    /// Its media type.
    pub media_type: String,
    /// The digest of its bytes.
    pub sha256: String,
    /// How many bytes it has.
    pub size: u64,
    /// When it was read.
    pub retrieved_at: String,
    /// The date that it gives itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_date: Option<String>,
    /// How many pages it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// Its record.
    pub index: u64,
}

/// Every document of a tenant, in the order in which they came.
///
/// # Errors
/// The store cannot be read.
pub async fn list(tenant: &Tenant) -> Result<Vec<DocumentSummary>, OperationFailure> {
    let found = tenant.select(&DocumentRow::query()).await?;
    Ok(found.into_iter().map(listed).collect())
}

fn listed(IndexedRow { index, row }: IndexedRow<DocumentRow>) -> DocumentSummary {
    DocumentSummary {
        document_id: row.id,
        filename: row.filename,
        media_type: row.media_type,
        sha256: row.sha256.to_string(),
        size: row.size,
        retrieved_at: row.retrieved_at.to_string(),
        document_date: row.document_date,
        pages: row.pages,
        index,
    }
}

/// A part of the documents, by when they came.
///
/// # Errors
/// The store cannot be read.
pub async fn page(
    tenant: &Tenant,
    part: ListRange,
) -> Result<Vec<DocumentSummary>, OperationFailure> {
    let found = tenant.select(&part.of(DocumentRow::query())).await?;
    Ok(found.into_iter().map(listed).collect())
}

/// One document, the newest of its id.
///
/// # Errors
/// There is no such document.
pub async fn show(tenant: &Tenant, id: &str) -> Result<DocumentSummary, OperationFailure> {
    let found = tenant.select(&DocumentRow::query().id(id)).await?;
    found
        .into_iter()
        .next_back()
        .map(listed)
        .ok_or_else(|| none(precondition::a_document_of_this_tenant(), "document_id", id))
}

/// The text of a document as it was read, or of one of its pages.
///
/// # Errors
/// No such document or page, nothing that could be read of it, or a lake that
/// does not have it any more.
pub async fn text(
    tenant: &Tenant,
    id: &str,
    page: Option<u64>,
) -> Result<String, OperationFailure> {
    let found = tenant.select(&DocumentRow::query().id(id)).await?;
    let index = found.last().map(|found| found.index);
    let index =
        index.ok_or_else(|| none(precondition::a_document_of_this_tenant(), "document_id", id))?;
    let stored = tenant.record(index).await?;
    let digest = match stored.as_ref().and_then(|stored| held(stored, TEXT_FIELD)) {
        Some(StoredFieldState::Present(_, StoredPayload::Lake(digest))) => *digest,
        _ => return Err(none(precondition::a_document_that_could_be_read(), "document_id", id)),
    };
    let bytes = tenant.lake()?.get(&digest).await?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some(page) = page else { return Ok(text) };
    let chunks = chunks_of(tenant, id, index).await?;
    let on = || chunks.iter().filter(|chunk| chunk.page_number == Some(page)).filter_map(span);
    let start = on().map(|span| span.start).min();
    let end = on().map(|span| span.end).max();
    let part = start.zip(end).and_then(|(start, end)| text.get(start..end));
    part.map(str::to_owned)
        .ok_or_else(|| none(expected::a_page_with_text(), "page", &page.to_string()))
}

/// The text of a document as it was read, and the spans of it that are its words; nothing, if
/// none could be read or the lake does not have it any more.
async fn read_text(
    tenant: &Tenant,
    document: &IndexedRow<DocumentRow>,
) -> Result<Option<(String, Vec<ExcerptSpan>)>, OperationFailure> {
    let Some(stored) = tenant.record(document.index).await? else { return Ok(None) };
    let Some(StoredFieldState::Present(_, StoredPayload::Lake(digest))) = held(&stored, TEXT_FIELD)
    else {
        return Ok(None);
    };
    let lake = tenant.lake()?;
    if !lake.has(digest).await? {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&lake.get(digest).await?).into_owned();
    let chunks = chunks_of(tenant, &document.row.id, document.index).await?;
    let hidden = read_hidden(&stored)?;
    let spans = chunks.iter().filter_map(span).map(|range| {
        let first = hidden.partition_point(|[_, end]| *end <= range.start);
        let is_hidden = hidden.get(first).is_some_and(|[start, _]| *start < range.end);
        ExcerptSpan { range, is_hidden }
    });
    Ok(Some((text, spans.collect())))
}

/// The hidden parts of a document, by its record, in order. Older records, without the field, have
/// none.
///
/// A record that commits to them and has lost them is damaged: with none of them a clause that no
/// reader sees would count as a part of the document.
fn read_hidden(stored: &StoredRecord) -> Result<Vec<[usize; 2]>, OperationFailure> {
    if held(stored, HIDDEN_FIELD).is_none() {
        return Ok(Vec::new());
    }
    let parts =
        held_bytes(stored, HIDDEN_FIELD).and_then(|bytes| serde_json::from_slice(bytes).ok());
    parts.ok_or_else(|| {
        Error::damaged("read a document", format!("record {}", stored.index))
            .saw("the hidden parts that it commits to", "none, or others")
            .hint("`dalil fsck` says what else is not as it was")
            .into()
    })
}

/// The chunks that a record of a document has. The same bytes may be recorded under several names,
/// each with chunks of its own.
async fn chunks_of(
    tenant: &Tenant,
    id: &str,
    index: u64,
) -> Result<Vec<ChunkRow>, OperationFailure> {
    let chunks = tenant.select(&ChunkRow::query().document_id(id)).await?;
    let own = chunks.into_iter().filter(|found| found.index == index);
    Ok(own.map(|found| found.row).collect())
}

/// The place of a chunk in the text; `None` if this machine cannot hold such a text.
fn span(chunk: &ChunkRow) -> Option<Range<usize>> {
    let offset = |offset: u64| usize::try_from(offset).ok();
    Some(offset(chunk.start_offset)?..offset(chunk.end_offset)?)
}

const fn media_type(format: DocumentFormat) -> &'static str {
    match format {
        DocumentFormat::Pdf => "application/pdf",
        DocumentFormat::Docx => {
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        }
        DocumentFormat::Html => "text/html",
        DocumentFormat::Markdown => "text/markdown",
        DocumentFormat::Text => "text/plain",
        DocumentFormat::Csv => "text/csv",
        DocumentFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        DocumentFormat::Eml => "message/rfc822",
        DocumentFormat::Chunks => CHUNKS_MEDIA_TYPE,
    }
}

/// The media type of a chunk set; a check of all documents does not take it for one of them.
pub(super) const CHUNKS_MEDIA_TYPE: &str = "application/vnd.dalil.chunks+json";
const UNKNOWN_MEDIA_TYPE: &str = "application/octet-stream";
/// The names of the fields of a document's record.
const DOCUMENT_FIELD: &str = "document";
const TEXT_FIELD: &str = "text";
const HIDDEN_FIELD: &str = "hidden";
