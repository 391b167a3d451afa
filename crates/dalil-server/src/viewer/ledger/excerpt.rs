//! The evidence for a verdict: the quoted words in context, and a link to the page.

use dalil_service::document;
use dalil_store::Tenant;

use super::super::error::{PageError, found};
use super::super::highlight::{self, HighlightSegment};
use super::super::layout::is_stored;
use super::claim_view::ClaimView;
use crate::percent::seg;

/// A part of a document as it was read, with the words marked.
///
/// It is shown at once, and without scripts. The page as it looks takes a moment to draw, so it is
/// asked for when the rest is there.
pub(super) struct EvidenceExcerpt {
    /// Where the view of the page is.
    pub(super) address: String,
    pub(super) filename: String,
    pub(super) page: Option<u64>,
    pub(super) pieces: Vec<HighlightSegment>,
}

impl EvidenceExcerpt {
    /// The text around the words of a claim's first passage, where the store has the document.
    pub(super) async fn of(
        tenant: &Tenant,
        session: &str,
        claim: Option<&ClaimView<'_>>,
    ) -> Result<Option<Self>, PageError> {
        let Some((claim, passage)) =
            claim.and_then(|claim| Some((claim, claim.evidence_passages.first()?)))
        else {
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
        let mut pieces = highlight::pieces(&text, &passage.snippet, MAX_EXCERPT_BYTES);
        // Without the words, the beginning of the page is not about the claim.
        if !pieces.iter().any(|piece| piece.is_hit) {
            pieces.clear();
        }
        let page = source.page_number.map_or_else(String::new, |page| format!("page={page}&"));
        let address = format!(
            "/documents/{}/view?{page}session={}&claim={}&passage=0",
            seg(&source.id),
            seg(session),
            seg(&claim.claim_id)
        );
        Ok(Some(Self {
            address,
            filename: source.filename.clone(),
            page: source.page_number,
            pieces: pieces.into_iter().map(HighlightSegment::plain).collect(),
        }))
    }
}

/// How much of a page is shown before the words and after them: a paragraph or two.
const MAX_EXCERPT_BYTES: usize = 500;
