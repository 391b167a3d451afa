//! The page of a document around the words that a verdict rests on.

use dalil_service::document;
use dalil_store::Tenant;

use super::super::error::{PageError, found};
use super::super::highlight::{self, HighlightSegment};
use super::super::layout::is_stored;
use super::claim_view::ClaimView;

/// A part of a document as it was read, with the words marked.
pub(super) struct EvidenceExcerpt {
    pub(super) filename: String,
    pub(super) page: Option<u64>,
    pub(super) pieces: Vec<HighlightSegment>,
}

impl EvidenceExcerpt {
    /// What is around the words of a claim's first passage, where the store has the document.
    pub(super) async fn of(
        tenant: &Tenant,
        claim: Option<&ClaimView<'_>>,
    ) -> Result<Option<Self>, PageError> {
        let Some(passage) = claim.and_then(|claim| claim.evidence_passages.first()) else {
            return Ok(None);
        };
        let source = &passage.document;
        if !is_stored(&source.id) {
            return Ok(None);
        }
        // A document that was erased since is no reason to hide the verdict.
        let Some(text) = found(document::text(tenant, &source.id, source.page_number).await)?
        else {
            return Ok(None);
        };
        let pieces = highlight::pieces(&text, &passage.snippet, MAX_EXCERPT_BYTES);
        let is_found = pieces.iter().any(|piece| piece.is_hit);
        Ok(is_found.then(|| Self {
            filename: source.filename.clone(),
            page: source.page_number,
            pieces: pieces.into_iter().map(HighlightSegment::plain).collect(),
        }))
    }
}

/// How much of a page is shown before the words and after them: a paragraph or two.
const MAX_EXCERPT_BYTES: usize = 500;
