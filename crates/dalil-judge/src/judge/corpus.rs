//! The input of the judge: claims and the corpus.

use dalil_documents::document::{HiddenText, ParsedDocument};
use dalil_documents::split::DocumentChunk;

use crate::index::{ClaimSearch, CorpusIndex};

/// A document and its chunks.
#[derive(Clone, Copy, Debug)]
pub struct IndexedDocument<'d> {
    /// The document's file name.
    pub name: &'d str,
    /// The document.
    pub document: &'d ParsedDocument,
    /// Its chunks, in order.
    pub chunks: &'d [DocumentChunk],
}

/// Where claims are looked for: the sources, and an index with a segment for each, in the same
/// order.
#[derive(Clone, Copy, Debug)]
pub struct IndexedCorpus<'d> {
    /// The documents.
    pub sources: &'d [IndexedDocument<'d>],
    /// Their chunks, to be ranked.
    pub index: &'d CorpusIndex,
}

/// A claim to be judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimQuery {
    /// Its statement, by itself.
    pub statement: String,
    /// The context that it is searched and read with: the title, the headings and the sentence
    /// before it, where it leans on them. Never for values.
    pub context: Option<String>,
    /// Words by which the answer names documents, the nearest to the claim first.
    pub named: Vec<String>,
    /// The chunks that it cites.
    pub cited: Vec<ChunkRef>,
}

impl IndexedCorpus<'_> {
    /// Why a reader does not see a chunk, when so.
    pub(super) fn hidden(&self, place: ChunkRef) -> Option<HiddenText> {
        let source = self.sources.get(place.source)?;
        source.document.blocks.get(source.chunks.get(place.chunk)?.block)?.hidden
    }
}

impl ClaimQuery {
    /// The search for this claim in an index.
    pub fn search(&self) -> ClaimSearch<'_> {
        let Self { statement, context, named, cited: _ } = self;
        ClaimSearch { statement, context: context.as_deref(), named }
    }
}

/// A chunk of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChunkRef {
    /// The document, by its place in the corpus.
    pub source: usize,
    /// The chunk, by its place in the document.
    pub chunk: usize,
}

/// The chunks that a claim cites, then those that rank first for it, each once.
pub fn candidates(index: &CorpusIndex, question: &ClaimQuery, limit: usize) -> Vec<ChunkRef> {
    let ranked = index.candidates(&question.search(), limit).into_iter();
    let ranked = ranked.map(|one| ChunkRef { source: one.segment, chunk: one.chunk });
    let mut places: Vec<ChunkRef> = Vec::new();
    for place in question.cited.iter().copied().chain(ranked) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    // The cited chunks are all taken, even if they exceed the limit.
    places.truncate(limit.max(question.cited.len()));
    places
}
