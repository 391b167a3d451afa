//! The input of the judge: claims and the corpus.

use dalil_documents::document::ParsedDocument;
use dalil_documents::split::DocumentChunk;

use crate::index::{ClaimSearch, CorpusIndex};

/// A document and its chunks.
#[derive(Clone, Copy, Debug)]
pub struct IndexedDocument<'d> {
    /// What the document is called: its file name.
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
    /// What it states, by itself.
    pub statement: String,
    /// What it is looked for and read with: the title, the headings and the sentence before it,
    /// where it leans on them. Never for values.
    pub context: Option<String>,
    /// Words by which the answer names documents, the nearest to the claim first.
    pub named: Vec<String>,
    /// The chunks that it cites.
    pub cited: Vec<ChunkRef>,
}

impl ClaimQuery {
    /// What is looked for in an index.
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
