//! The documents of a store, opened as a corpus to judge against.

use std::collections::BTreeSet;
use std::io;

use dalil::corpus::{Corpus, CorpusCache, CorpusProgress};
use dalil::sandbox::SandboxReader;
use dalil_phrasebook::precondition;
use dalil_proof::digest::Digest;
use dalil_store::Tenant;
use tokio::runtime::Handle;

use crate::document::{self, DocumentSummary};
use crate::operation::{OperationFailure, none};

/// The documents of these ids, or every document of the tenant but chunk sets when there are none.
///
/// A document that came in twice under one name is taken as it came last.
///
/// # Errors
/// A document that is not there, or no document at all.
pub async fn choose(
    tenant: &Tenant,
    ids: &[String],
) -> Result<Vec<DocumentSummary>, OperationFailure> {
    let mut chosen = Vec::new();
    for id in ids {
        chosen.push(document::show(tenant, id).await?);
    }
    if ids.is_empty() {
        chosen = document::list(tenant).await?;
        // Chunks were retrieved for one answer, and are parts of documents that may be here whole.
        chosen.retain(|one| one.media_type != document::CHUNKS_MEDIA_TYPE);
    }
    let mut names = BTreeSet::new();
    // Reversed twice: of equal names the last stays, and the order is kept.
    chosen.reverse();
    chosen.retain(|one| names.insert(one.filename.clone()));
    chosen.reverse();
    if chosen.is_empty() {
        return Err(none(precondition::a_document_to_check_against(), "documents", "none"));
    }
    Ok(chosen)
}

/// Reads documents out of the lake and opens them. Blocks: call it where that is allowed.
pub fn open(
    tenant: &Tenant,
    chosen: &[DocumentSummary],
    (reader, cache): (&SandboxReader, &CorpusCache),
    runtime: &Handle,
    progress: &dyn Fn(CorpusProgress),
) -> Corpus {
    // One file at a time, when the batch asks for it: documents together may exceed the memory.
    let mut files =
        chosen.iter().map(|one| (one.filename.clone(), runtime.block_on(bytes(tenant, one))));
    Corpus::of_kept(&mut files, chosen.len(), reader, cache, progress)
}

async fn bytes(tenant: &Tenant, one: &DocumentSummary) -> io::Result<Vec<u8>> {
    let digest: Digest = one.sha256.parse().map_err(io::Error::other)?;
    let lake = tenant.lake().map_err(io::Error::other)?;
    lake.get(&digest).await.map_err(io::Error::other)
}
