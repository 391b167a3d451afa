//! Bundling: chunks of a corpus for a bundle, all of them or those that rank first.

use dalil_evidence::bundle::{
    BundleChunk, BundleDocument, BundleDocumentSet, DocumentLoss, LossExtent,
};
use dalil_judge::judge::{ChunkRef, ClaimQuery};

use crate::corpus::Corpus;

#[cfg(test)]
mod tests;

/// The chunks of a corpus that a model is shown.
#[derive(Clone, Debug)]
pub enum ChunkSelection {
    /// Every chunk, document by document.
    All,
    /// The chunks that rank first for a query, the best first.
    Ranked {
        /// The query.
        query: String,
        /// How many chunks at most.
        top: usize,
    },
}

/// The chunks of a corpus that are wanted, and everything of it that could not be read.
pub fn documents(corpus: &Corpus, wanted: &ChunkSelection) -> BundleDocumentSet {
    let held = corpus.held();
    let text = |one: &crate::corpus::CorpusDocument| BundleDocument {
        id: one.name.clone(),
        sha256: one.document.digest,
        text: one.document.text.clone(),
    };
    let places = match wanted {
        ChunkSelection::All => all(corpus),
        ChunkSelection::Ranked { query, top } => {
            let question = ClaimQuery { statement: query.clone(), ..ClaimQuery::default() };
            corpus.nearest(&question, *top)
        }
    };
    BundleDocumentSet {
        texts: held.iter().map(text).collect(),
        chunks: places.into_iter().filter_map(|place| chunk(corpus, place)).collect(),
        losses: losses(corpus),
    }
}

fn all(corpus: &Corpus) -> Vec<ChunkRef> {
    let places = corpus.held().iter().enumerate().flat_map(|(source, held)| {
        (0..held.chunks.len()).map(move |chunk| ChunkRef { source, chunk })
    });
    places.collect()
}

fn chunk(corpus: &Corpus, place: ChunkRef) -> Option<BundleChunk> {
    let held = corpus.held().get(place.source)?;
    let chunk = held.chunks.get(place.chunk)?;
    let block = held.document.blocks.get(chunk.block);
    Some(BundleChunk {
        document: place.source,
        index: place.chunk as u64,
        start: chunk.start,
        end: chunk.end,
        page: block.and_then(|block| block.page),
        headings: block.map_or_else(Vec::new, |block| block.headings.clone()),
    })
}

/// What could not be read: parts of documents, then whole files.
fn losses(corpus: &Corpus) -> Vec<DocumentLoss> {
    let parts = corpus.held().iter().enumerate().flat_map(|(n, held)| {
        held.document.problems.iter().map(move |problem| DocumentLoss {
            document: n,
            id: held.name.clone(),
            extent: LossExtent::Part,
            message: problem.to_string(),
        })
    });
    // Numbers continue after the documents that were read, so a loss never points at another
    // document.
    let whole = (corpus.held().len()..).zip(corpus.unread()).map(|(n, unread)| DocumentLoss {
        document: n,
        id: unread.name.clone(),
        extent: LossExtent::Whole,
        message: unread.message.clone(),
    });
    parts.chain(whole).collect()
}
