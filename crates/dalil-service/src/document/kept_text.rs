//! Texts of stored documents, to look for quotations in.

use dalil_documents::document::DocumentFormat;
use dalil_documents::formats::DetectedFormat;
use dalil_documents::quotable_text::{ExcerptPlace, ExcerptSpan, QuotableText};
use dalil_proof::digest::Digest;
use dalil_store::Tenant;
use dalil_store::catalog::{ArtifactRow, DocumentRow, IndexedRow};

use super::{media_type, read_text};
use crate::operation::OperationFailure;

/// What the store has of the text of a document.
pub(crate) struct KeptText(QuotableText<'static>);

impl KeptText {
    /// Whether these words are in the text.
    pub(crate) fn has(&self, excerpt: &str) -> bool {
        self.0.place(excerpt) != ExcerptPlace::Absent
    }

    /// Whether these words are in the text, whatever white space is between them.
    pub(crate) fn has_words(&self, words: &str) -> bool {
        self.has(words) || self.0.has_words(words)
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
    let bytes = lake.get(digest).await?;
    let format = DetectedFormat::of(&bytes, "").ok().map(|found| found.format);
    let format = format.filter(|format| format.is_plain());
    let text = String::from_utf8(bytes).ok();
    Ok(text.zip(format).map(|(text, format)| {
        let span = ExcerptSpan { range: 0..text.len(), is_hidden: false };
        KeptText(QuotableText::new(text, format, &[span]))
    }))
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
    let read = read_text(tenant, document).await?;
    // Only these keep a text in which something is not shown; the others write one, or show it all.
    let marked = [DocumentFormat::Markdown, DocumentFormat::Chunks];
    let format = marked.into_iter().find(|one| media_type(*one) == document.row.media_type);
    let format = format.unwrap_or(DocumentFormat::Text);
    Ok(read.map(|(text, ranges)| {
        let spans = ranges.into_iter().map(|range| ExcerptSpan { range, is_hidden: false });
        KeptText(QuotableText::new(text, format, &spans.collect::<Vec<_>>()))
    }))
}

/// A whole that is larger is left to its digest.
const MAX_RETAINED_TEXT_BYTES: u64 = 16 << 20;
