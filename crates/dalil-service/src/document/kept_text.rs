//! Texts of stored documents, to look for quotations in.

use std::ops::Range;

use dalil_documents::document::DocumentFormat;
use dalil_documents::formats::DetectedFormat;
use dalil_documents::quotable_text::{ExcerptPlace, ExcerptSpan, QuotableText};
use dalil_evidence::chunk_set::ChunkSet;
use dalil_proof::digest::Digest;
use dalil_store::Tenant;
use dalil_store::catalog::{ArtifactRow, DocumentRow, IndexedRow};

use super::{CHUNKS_MEDIA_TYPE, read_text};
use crate::operation::OperationFailure;

/// The parts of a document's text that the store has.
pub(crate) struct KeptText(QuotableText<'static>);

impl KeptText {
    /// Whether these words are in the text.
    pub(crate) fn has(&self, excerpt: &str) -> bool {
        self.0.place(excerpt) != ExcerptPlace::Absent
    }

    /// Whether a reader of the text sees these words, whatever white space is between them.
    pub(crate) fn shows_words(&self, words: &str) -> bool {
        self.0.place(words) == ExcerptPlace::Visible || self.0.shows_words(words)
    }
}

/// The text of a document as it was read when it came in; of an object of the lake that is no
/// document, its own bytes where they are plain text. Nothing, where the store has no text.
pub(crate) async fn kept_text(
    tenant: &Tenant,
    digest: &Digest,
) -> Result<Option<KeptText>, OperationFailure> {
    let documents = tenant.select(&DocumentRow::query().sha256(digest)).await?;
    if let Some(newest) = documents.last() {
        return of_row(tenant, newest).await;
    }
    let known = tenant.select(&ArtifactRow::query().sha256(digest)).await?;
    let size = known.first().map(|found| found.row.size);
    let lake = tenant.lake()?;
    if size.is_none_or(|size| size > MAX_RETAINED_TEXT_BYTES) || !lake.has(digest).await? {
        return Ok(None);
    }
    Ok(of_object(lake.get(digest).await?))
}

/// The text of an object without a name.
fn of_object(bytes: Vec<u8>) -> Option<KeptText> {
    let format = match DetectedFormat::of(&bytes, "").ok()?.format {
        DocumentFormat::Chunks => return of_chunks(&bytes),
        // Read as Markdown: text that Markdown hides is not visible to its reader.
        DocumentFormat::Text | DocumentFormat::Markdown => DocumentFormat::Markdown,
        DocumentFormat::Csv => DocumentFormat::Csv,
        DocumentFormat::Pdf
        | DocumentFormat::Docx
        | DocumentFormat::Html
        | DocumentFormat::Xlsx
        | DocumentFormat::Eml => return None,
    };
    let text = String::from_utf8(bytes).ok()?;
    let whole = 0..text.len();
    Some(of_ranges(text, format, [whole]))
}

/// The text of a chunk set, each chunk of which is a text by itself.
fn of_chunks(bytes: &[u8]) -> Option<KeptText> {
    let (text, ranges) = ChunkSet::of_canonical(bytes)?.joined();
    Some(of_ranges(text, DocumentFormat::Chunks, ranges))
}

fn of_ranges(
    text: String,
    format: DocumentFormat,
    ranges: impl IntoIterator<Item = Range<usize>>,
) -> KeptText {
    let span = |range| ExcerptSpan { range, is_hidden: false };
    let spans: Vec<ExcerptSpan> = ranges.into_iter().map(span).collect();
    KeptText(QuotableText::new(text, format, &spans))
}

/// The text of the stored document of this id.
pub(crate) async fn kept_text_of_id(
    tenant: &Tenant,
    id: &str,
) -> Result<Option<KeptText>, OperationFailure> {
    let documents = tenant.select(&DocumentRow::query().id(id)).await?;
    match documents.last() {
        Some(newest) => of_row(tenant, newest).await,
        None => Ok(None),
    }
}

async fn of_row(
    tenant: &Tenant,
    document: &IndexedRow<DocumentRow>,
) -> Result<Option<KeptText>, OperationFailure> {
    let media_type = document.row.media_type.as_str();
    if media_type == CHUNKS_MEDIA_TYPE {
        let lake = tenant.lake()?;
        let digest = &document.row.sha256;
        let bytes = if lake.has(digest).await? { Some(lake.get(digest).await?) } else { None };
        return Ok(bytes.and_then(|bytes| of_chunks(&bytes)));
    }
    // Only Markdown keeps a text in which something is not shown; the others write one, or show
    // it all.
    let is_markdown = media_type == super::media_type(DocumentFormat::Markdown);
    let format = if is_markdown { DocumentFormat::Markdown } else { DocumentFormat::Text };
    let read = read_text(tenant, document).await?;
    Ok(read.map(|(text, spans)| KeptText(QuotableText::new(text, format, &spans))))
}

/// A whole that is larger is left to its digest.
const MAX_RETAINED_TEXT_BYTES: u64 = 16 << 20;
