//! Segments: the terms and vectors of one document's chunks.

use dalil_core::digest::Digest;

use super::embed::{DIMENSIONS, Embedder};
use super::term::{self, Term};

#[cfg(test)]
mod tests;
mod wire;

pub use wire::Damaged;

/// What ranking needs of one document.
///
/// Terms are sorted and each stands once; the postings of term `i` are those
/// from `starts[i]` to `starts[i + 1]`, by chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    digest: Digest,
    /// How many terms each chunk has.
    lengths: Vec<u32>,
    terms: Vec<Term>,
    starts: Vec<u32>,
    /// The chunks of all postings.
    chunks: Vec<u32>,
    /// How often the term stands in each, at most 255.
    counts: Vec<u8>,
    /// The chunks' vectors, one after the other.
    vectors: Vec<i8>,
}

impl Segment {
    /// Analyses the texts of a document's chunks. The digest is the document's.
    ///
    /// No more than [`Segment::MAX_CHUNKS`] chunks are taken.
    pub fn of(digest: Digest, texts: &[&str]) -> Self {
        let mut embedder = Embedder::default();
        let mut found = Vec::new();
        let mut lengths = Vec::with_capacity(texts.len());
        let mut vectors = Vec::with_capacity(texts.len() * DIMENSIONS);
        for (chunk, text) in (0..Self::MAX_CHUNKS).zip(texts) {
            let before = found.len();
            found.extend(term::terms(text).into_iter().map(|term| (term, chunk)));
            lengths.push(u32::try_from(found.len() - before).unwrap_or(u32::MAX));
            vectors.extend(embedder.vector(text));
        }
        found.sort_unstable();
        let mut segment = Self { digest, lengths, vectors, ..Self::empty(digest) };
        for run in found.chunk_by(|a, b| a == b) {
            segment.post(run);
        }
        segment.starts.push(segment.posted());
        segment
    }

    /// How many chunks of one document can be ranked.
    pub const MAX_CHUNKS: u32 = 1 << 24;

    /// The digest of the document.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether the document has no chunks.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// How many terms all chunks have.
    pub(super) fn total(&self) -> u64 {
        self.lengths.iter().map(|length| u64::from(*length)).sum()
    }

    /// How many terms a chunk has.
    pub(super) fn length(&self, chunk: usize) -> u32 {
        self.lengths.get(chunk).copied().unwrap_or_default()
    }

    /// How many chunks hold a term.
    pub(super) fn holding(&self, term: Term) -> usize {
        self.range(term).map_or(0, |(start, end)| end - start)
    }

    /// The chunks that hold a term, and how often.
    pub(super) fn postings(&self, term: Term) -> impl Iterator<Item = (usize, u8)> {
        let (start, end) = self.range(term).unwrap_or_default();
        let chunks = self.chunks.get(start..end).unwrap_or_default();
        let counts = self.counts.get(start..end).unwrap_or_default();
        chunks.iter().map(|chunk| *chunk as usize).zip(counts.iter().copied())
    }

    /// The vectors of all chunks, in order.
    pub(super) fn vectors(&self) -> impl Iterator<Item = &[i8]> {
        self.vectors.chunks_exact(DIMENSIONS)
    }

    fn range(&self, term: Term) -> Option<(usize, usize)> {
        let at = self.terms.binary_search(&term).ok()?;
        Some((*self.starts.get(at)? as usize, *self.starts.get(at + 1)? as usize))
    }

    fn empty(digest: Digest) -> Self {
        Self {
            digest,
            lengths: Vec::new(),
            terms: Vec::new(),
            starts: Vec::new(),
            chunks: Vec::new(),
            counts: Vec::new(),
            vectors: Vec::new(),
        }
    }

    /// Adds the posting of a run of one term in one chunk.
    fn post(&mut self, run: &[(Term, u32)]) {
        let Some((term, chunk)) = run.first() else { return };
        if self.terms.last() != Some(term) {
            self.terms.push(*term);
            self.starts.push(self.posted());
        }
        self.chunks.push(*chunk);
        self.counts.push(u8::try_from(run.len()).unwrap_or(u8::MAX));
    }

    fn posted(&self) -> u32 {
        u32::try_from(self.chunks.len()).unwrap_or(u32::MAX)
    }
}
