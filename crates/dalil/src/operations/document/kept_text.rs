//! Texts of stored documents, to look for quotations in.

use dalil_core::digest::Digest;
use dalil_engine::document::{ExcerptPlace, ExcerptSpan, excerpt_place};
use dalil_engine::formats::DetectedFormat;
use dalil_store::{EvidenceTable, Tenant};

use super::super::OperationFailure;
use super::super::catalog_row::{CatalogRow, select_rows_eq};
use super::read_text;

/// What the store has of the text of a document.
pub(in super::super) struct KeptText {
    text: String,
    spans: Vec<ExcerptSpan>,
}

impl KeptText {
    /// Whether these words are in the text.
    pub(in super::super) fn has(&self, excerpt: &str) -> bool {
        excerpt_place(&self.text, &self.spans, excerpt) != ExcerptPlace::Absent
    }

    /// Whether these words are in the text, whatever white space is between them.
    pub(in super::super) fn has_words(&self, words: &str) -> bool {
        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.has(words) || folded(&self.text).contains(&folded(words))
    }
}

/// The text of a document as it was read when it came in; of an object of the lake that is no
/// document, its own bytes where they are plain text. Nothing, where the store has no text.
pub(in super::super) async fn kept_text(
    tenant: &Tenant,
    digest: &Digest,
) -> Result<Option<KeptText>, OperationFailure> {
    let sha256 = digest.to_string();
    let documents = select_rows_eq(tenant, EvidenceTable::Documents, "sha256", &sha256).await?;
    if let Some(line) = documents.last() {
        return of_row(tenant, line).await;
    }
    let known = select_rows_eq(tenant, EvidenceTable::Artifacts, "sha256", &sha256).await?;
    let size = known.first().and_then(|line| line.u64_column("size"));
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
pub(in super::super) async fn kept_text_of_id(
    tenant: &Tenant,
    id: &str,
) -> Result<Option<KeptText>, OperationFailure> {
    let documents = select_rows_eq(tenant, EvidenceTable::Documents, "id", id).await?;
    match documents.last() {
        Some(line) => of_row(tenant, line).await,
        None => Ok(None),
    }
}

async fn of_row(tenant: &Tenant, line: &CatalogRow) -> Result<Option<KeptText>, OperationFailure> {
    let read = read_text(tenant, line).await?;
    Ok(read.map(|(text, ranges)| {
        let spans = ranges.into_iter().map(|range| ExcerptSpan { range, is_hidden: false });
        KeptText { spans: spans.collect(), text }
    }))
}

/// A whole that is larger is left to its digest.
const MAX_RETAINED_TEXT_BYTES: u64 = 16 << 20;
