//! Texts of stored documents, to look for quotations in.

use dalil_documents::document::{ExcerptPlace, ExcerptSpan, excerpt_place};
use dalil_documents::formats::DetectedFormat;
use dalil_proof::digest::Digest;
use dalil_store::Tenant;
use dalil_store::catalog::{ArtifactRow, DocumentRow, IndexedRow};

use super::read_text;
use crate::operation::OperationFailure;

/// What the store has of the text of a document.
pub(crate) struct KeptText {
    text: String,
    spans: Vec<ExcerptSpan>,
}

impl KeptText {
    /// Whether these words are in the text.
    pub(crate) fn has(&self, excerpt: &str) -> bool {
        excerpt_place(&self.text, &self.spans, excerpt) != ExcerptPlace::Absent
    }

    /// Whether these words are in the text, whatever white space is between them.
    pub(crate) fn has_words(&self, words: &str) -> bool {
        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.has(words) || folded(&self.text).contains(&folded(words))
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
    let is_plain = DetectedFormat::of(&bytes, "").is_ok_and(|found| found.format.is_plain());
    let text = String::from_utf8(bytes).ok().filter(|_| is_plain);
    Ok(text.map(|text| {
        let range = 0..text.len();
        KeptText { spans: vec![ExcerptSpan { range, is_hidden: false }], text }
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
    Ok(read.map(|(text, ranges)| {
        let spans = ranges.into_iter().map(|range| ExcerptSpan { range, is_hidden: false });
        KeptText { spans: spans.collect(), text }
    }))
}

/// A whole that is larger is left to its digest.
const MAX_RETAINED_TEXT_BYTES: u64 = 16 << 20;
