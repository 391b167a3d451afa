//! Documents that were read for a bundle, and their chunks as the bundle shows them.

use std::borrow::Cow;

use dalil_proof::digest::Digest;
use dalil_proof::json::Json;

use crate::bundle::chunk::{self, ChunkSizes, ChunkSpan};
use crate::bundle::draft::MaskingMode;
use crate::bundle::item::{ByteOffsets, FieldRedaction};
use crate::bundle::policy::BundlePolicy;
use crate::bundle::request::CallerMetadata;
use crate::mask::Mask;

#[cfg(test)]
mod tests;

/// Documents that were read for a bundle beside the lake.
#[derive(Clone, Debug, Default)]
pub struct BundleDocumentSet {
    /// The documents.
    pub texts: Vec<BundleDocument>,
    /// The chunks to offer, in the order in which they enter.
    pub chunks: Vec<BundleChunk>,
    /// Documents that could not be read.
    pub losses: Vec<DocumentLoss>,
}

/// A document that was read.
#[derive(Clone, Debug)]
pub struct BundleDocument {
    /// Its id in the bundle.
    pub id: String,
    /// The digest of the file.
    pub sha256: Digest,
    /// Its text.
    pub text: String,
}

/// A chunk of a document.
#[derive(Clone, Debug)]
pub struct BundleChunk {
    /// The document, by its place in [`BundleDocumentSet::texts`].
    pub document: usize,
    /// Its number in the document.
    pub index: u64,
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The page it is on.
    pub page: Option<u32>,
    /// The headings above it.
    pub headings: Vec<String>,
}

/// A document, or a part of one, that could not be read.
#[derive(Clone, Debug)]
pub struct DocumentLoss {
    /// The document, by its place among all that were found.
    pub document: usize,
    /// Its id in the bundle.
    pub id: String,
    /// How much is missing.
    pub extent: LossExtent,
    /// Why.
    pub message: String,
}

/// How much of a document is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossExtent {
    /// All of it.
    Whole,
    /// A part of it.
    Part,
}

impl LossExtent {
    /// The kind of problem: a short, stable name.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Whole => "unreadable",
            Self::Part => "incomplete",
        }
    }
}

impl BundleChunk {
    /// The metadata of an item about the chunk.
    pub(super) fn given(&self, document: &BundleDocument) -> CallerMetadata {
        let text = |text: &str| Json::Text(Cow::Owned(text.to_owned()));
        let mut given = CallerMetadata::new();
        given.insert("document_sha256".to_owned(), text(&document.sha256.to_string()));
        if let Some(page) = self.page {
            given.insert("page_number".to_owned(), Json::Number(f64::from(page)));
        }
        if !self.headings.is_empty() {
            let path = self.headings.iter().map(|heading| text(heading)).collect();
            given.insert("heading_path".to_owned(), Json::List(path));
        }
        given
    }
}

impl From<ChunkSpan> for ByteOffsets {
    fn from(span: ChunkSpan) -> Self {
        Self { start: span.start as u64, end: span.end as u64 }
    }
}

/// A masked text, and the places of its masks.
///
/// The whole is masked before a part is taken, so that nothing escapes across an edge.
pub(super) struct MaskedDocument<'t> {
    pub(super) text: Cow<'t, str>,
    marks: Vec<MaskPlacement>,
}

/// A mask, and the place of its replacement in the masked text.
struct MaskPlacement {
    mask: Mask,
    start: usize,
    end: usize,
}

impl<'t> MaskedDocument<'t> {
    pub(super) fn of(text: &'t str, masking: &MaskingMode<'_>) -> Self {
        let Some((text, masks)) = masking.masks(text) else {
            return Self { text: Cow::Borrowed(text), marks: Vec::new() };
        };
        // Masks come in order and do not overlap (`mask::find`), so no difference is negative.
        let (mut from, mut at) = (0, 0);
        let mark = |mask: Mask| {
            let start = at + (mask.start - from);
            let end = start + mask.replacement.len();
            (from, at) = (mask.end, end);
            MaskPlacement { mask, start, end }
        };
        Self { text: Cow::Owned(text), marks: masks.into_iter().map(mark).collect() }
    }

    /// Where a part of the original is shown; a mask that it touches is in it whole.
    pub(super) fn span(&self, start: usize, end: usize) -> ChunkSpan {
        let start = self.place(start).unwrap_or_else(|mark| mark.start);
        let end = self.place(end).unwrap_or_else(|mark| mark.end);
        ChunkSpan { start, end: end.max(start) }
    }

    /// Where the parts of a part of the original are shown: one, or several where it is longer
    /// than the chunks of the policy.
    pub(super) fn split(&self, start: usize, end: usize, policy: &BundlePolicy) -> Vec<ChunkSpan> {
        let whole = self.span(start, end);
        let words = self.text.get(whole.start..whole.end).unwrap_or_default();
        if words.len() <= policy.chunk_size {
            return vec![whole];
        }
        let parts = chunk::split(words, &ChunkSizes::of(policy)).into_iter();
        let moved = |part: ChunkSpan| ChunkSpan {
            start: whole.start + part.start,
            end: whole.start + part.end,
        };
        parts.map(moved).collect()
    }

    /// Where a place of the original is shown; the mark that covers it, if one does.
    fn place(&self, at: usize) -> Result<usize, &MaskPlacement> {
        let passed = self.marks.partition_point(|mark| mark.mask.end <= at);
        // A place at the very start of a mask is before it: what ends there holds nothing of it.
        if let Some(mark) = self.marks.get(passed).filter(|mark| mark.mask.start < at) {
            return Err(mark);
        }
        let last = passed.checked_sub(1).and_then(|last| self.marks.get(last));
        Ok(last.map_or(at, |mark| mark.end + (at - mark.mask.end)))
    }

    /// The words of a part of the masked text.
    pub(super) fn words<'o>(&self, span: &ChunkSpan) -> Cow<'o, str> {
        Cow::Owned(self.text.get(span.start..span.end).unwrap_or_default().to_owned())
    }

    /// The masks in a part of the masked text.
    pub(super) fn redactions(&self, span: &ChunkSpan) -> Vec<FieldRedaction> {
        let first = self.marks.partition_point(|mark| mark.end <= span.start);
        let inside = self.marks.iter().skip(first).take_while(|mark| mark.start < span.end);
        inside.map(|mark| FieldRedaction { field: None, mask: mark.mask.clone() }).collect()
    }
}
