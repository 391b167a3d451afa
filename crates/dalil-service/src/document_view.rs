//! Documents as the viewer shows them.

use dalil::corpus::{Corpus, CorpusCache};
use dalil::sandbox::SandboxReader;
use dalil_proof::digest::Digest;
use dalil_store::{Error, Tenant};

use crate::document::{CHUNKS_MEDIA_TYPE, DocumentSummary};
use crate::operation::OperationFailure;

pub use dalil_documents::rendering::{
    DocumentRendering, RenderedPart, RenderedRow, RenderedTable, RenderingQuery, TextMark, TextRun,
};

/// The digest of a document's bytes, if the lake still has them.
///
/// # Errors
/// The store cannot be read.
pub async fn kept_digest(
    tenant: &Tenant,
    one: &DocumentSummary,
) -> Result<Option<Digest>, OperationFailure> {
    let digest: Digest = one.sha256.parse().map_err(|error| {
        Error::damaged("look at a document", &one.document_id).saw("a digest", error)
    })?;
    Ok(tenant.lake()?.has(&digest).await?.then_some(digest))
}

/// The bytes of a document.
///
/// # Errors
/// The lake does not have them.
pub async fn bytes(tenant: &Tenant, digest: &Digest) -> Result<Vec<u8>, OperationFailure> {
    Ok(tenant.lake()?.get(digest).await?)
}

/// A document as headings, text and tables; nothing for one that cannot be read so. Blocks: call
/// it where that is allowed.
pub fn rendered(
    one: &DocumentSummary,
    bytes: Vec<u8>,
    (reader, cache): (&SandboxReader, &CorpusCache),
    wanted: &RenderingQuery<'_>,
) -> Option<DocumentRendering> {
    if one.media_type == CHUNKS_MEDIA_TYPE {
        return None;
    }
    let mut file = std::iter::once((one.filename.clone(), Ok(bytes)));
    let corpus = Corpus::of_kept(&mut file, 1, reader, cache, &|_| ());
    corpus.held().first().map(|held| held.document.rendered(wanted))
}
