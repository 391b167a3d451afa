//! Chunk sets in a corpus: one file, and a document for each of its chunks.

use dalil_documents::document::ParseProblem;
use dalil_documents::formats::{self, UnreadableFile};
use dalil_documents::split::DocumentChunk;
use dalil_evidence::chunk_set::{ChunkSet, RetrievedChunk};
use dalil_phrasebook::document_place;
use dalil_proof::canon::NotCanonical;
use dalil_proof::digest::Digest;

use super::{CorpusDocument, IndexedFile, OpenedFile, id, indexed};

/// The chunks that an application retrieved, as a file of a corpus.
#[derive(Debug)]
pub struct CorpusChunkSet {
    /// The file name.
    pub name: String,
    /// Its bytes: the canonical form of the set.
    pub bytes: Vec<u8>,
    /// The digest of the bytes.
    pub digest: Digest,
    set: ChunkSet,
    /// The chunks that could not be read, and why.
    problems: Vec<String>,
}

impl CorpusChunkSet {
    /// A set that has no file yet: it is called after its digest, and so the same everywhere.
    ///
    /// # Errors
    /// Metadata without a canonical form.
    pub fn new(set: ChunkSet) -> Result<Self, NotCanonical> {
        let bytes = set.canonical_bytes()?;
        let digest = Digest::of(&bytes);
        let name = format!("chunks-{}.json", digest.hex().get(..8).unwrap_or_default());
        Ok(Self { name, bytes, digest, set, problems: Vec::new() })
    }

    /// The set that a file is, if it is one.
    pub(super) fn of_bytes(name: &str, bytes: &[u8]) -> Option<Self> {
        let set = Self::new(ChunkSet::of_canonical(bytes)?).ok()?;
        Some(Self { name: name.to_owned(), ..set })
    }

    /// What names the file: its digest, short.
    pub fn id(&self) -> String {
        id(&self.digest)
    }

    /// How many chunks it has.
    pub fn len(&self) -> usize {
        self.set.chunks().len()
    }

    /// Whether it has no chunk; no set is so.
    pub fn is_empty(&self) -> bool {
        self.set.chunks().is_empty()
    }

    /// What could not be read, and of which chunk.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// The set as a document that people look something up in; its chunks are the application's.
    ///
    /// # Errors
    /// A set that its own parser gives up on.
    pub fn whole(&self) -> Result<CorpusDocument, UnreadableFile> {
        let document = formats::read(&self.bytes, &self.name)?;
        // The reader makes one block of each chunk.
        let blocks = document.blocks.iter().enumerate();
        let chunks = blocks
            .map(|(block, one)| DocumentChunk { start: one.start, end: one.end, block })
            .collect();
        Ok(CorpusDocument { name: self.name.clone(), document, chunks, retrieved: None })
    }

    /// Reads every chunk on its own.
    pub(super) fn opened(mut self) -> OpenedFile {
        let mut chunks = Vec::with_capacity(self.set.chunks().len());
        for chunk in self.set.chunks() {
            let (document, problems) = read(chunk);
            let place = document_place::chunk(&chunk.id);
            let told = problems.iter().map(|problem| format!("{}: {problem}", place.english()));
            self.problems.extend(told);
            chunks.extend(document);
        }
        OpenedFile::Chunks(self, chunks)
    }
}

/// A chunk as a document, and what could not be read of it.
fn read(chunk: &RetrievedChunk) -> (Option<IndexedFile>, Vec<ParseProblem>) {
    match formats::read_chunk(chunk) {
        Ok(document) => {
            let problems = document.problems.clone();
            let name = chunk.document_name();
            (Some(indexed(name, document, Some(chunk.clone()))), problems)
        }
        Err(unread) => (None, vec![ParseProblem { place: None, message: unread.message }]),
    }
}
