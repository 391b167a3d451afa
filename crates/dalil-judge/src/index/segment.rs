//! Segments: the terms and vectors of one document's chunks.

use dalil_proof::digest::Digest;

use super::embed::{EMBEDDING_DIMENSIONS, Embedder};
use super::outline::ScriptTotals;
use super::passage::{self, IndexPassage};
use super::term::{self, TermHash, TextScript};

#[cfg(test)]
mod tests;
mod wire;

pub use wire::{SegmentDecodeError, analysis_digest};

/// The ranking data of one document.
///
/// Terms are sorted and unique; the postings of term `i` are those
/// from `starts[i]` to `starts[i + 1]`, by chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexSegment {
    digest: Digest,
    /// How many terms each chunk has.
    lengths: Vec<u32>,
    scripts: Vec<TextScript>,
    /// Whether each chunk is nothing but a heading.
    headings: Vec<bool>,
    terms: Vec<TermHash>,
    starts: Vec<u32>,
    /// The chunks of all postings.
    chunks: Vec<u32>,
    /// The frequency of the term in each, at most 127, and [`AROUND_BIT`] where it is in the
    /// context.
    counts: Vec<u8>,
    /// The chunks' vectors, one after the other.
    vectors: Vec<i8>,
}

impl IndexSegment {
    /// Analyses the texts of a document's chunks, with nothing around them. The digest is the
    /// document's.
    ///
    /// No more than [`IndexSegment::MAX_CHUNKS`] chunks are taken.
    pub fn of(digest: Digest, texts: &[&str]) -> Self {
        let passages: Vec<IndexPassage<'_>> =
            texts.iter().map(|text| IndexPassage { text, ..IndexPassage::default() }).collect();
        Self::of_passages(digest, &passages)
    }

    /// Analyses the chunks of a document with their context.
    ///
    /// No more than [`IndexSegment::MAX_CHUNKS`] chunks are taken.
    pub fn of_passages(digest: Digest, passages: &[IndexPassage<'_>]) -> Self {
        let mut embedder = Embedder::default();
        let mut segment = Self::empty(digest);
        let mut found = Vec::new();
        for (chunk, passage) in (0..Self::MAX_CHUNKS).zip(passages) {
            let text = passage::bare(passage.text);
            let before = found.len();
            found.extend(term::terms(&text).into_iter().map(|term| (term, chunk, true)));
            // Its own terms only: a long heading must not make the chunk long for BM25.
            segment.lengths.push(u32::try_from(found.len() - before).unwrap_or(u32::MAX));
            for around in &passage.around {
                let terms = term::terms(around).into_iter().take(MAX_AROUND_TERMS);
                found.extend(terms.map(|term| (term, chunk, false)));
            }
            segment.scripts.push(TextScript::of(&text));
            segment.headings.push(passage.is_heading);
            segment.vectors.extend(embedder.vector(&text));
        }
        found.sort_unstable();
        for run in found.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            segment.post(run);
        }
        // One start more than terms closes the last list.
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

    /// How many terms a chunk has.
    pub(super) fn length(&self, chunk: usize) -> u32 {
        self.lengths.get(chunk).map_or(0, |length| *length)
    }

    /// How many chunks hold a term.
    pub(super) fn holding(&self, term: TermHash) -> usize {
        self.range(term).map_or(0, |(start, end)| end - start)
    }

    /// How many chunks of a script there are, and how many terms they have.
    pub(super) fn of_script(&self, script: TextScript) -> ScriptTotals {
        let lengths = self.lengths.iter().zip(&self.scripts).filter(|(_, one)| **one == script);
        lengths.fold(ScriptTotals::default(), |totals, (length, _)| {
            totals.and(ScriptTotals { chunks: 1, terms: u64::from(*length) })
        })
    }

    /// The script of a chunk.
    pub(super) fn script(&self, chunk: usize) -> TextScript {
        self.scripts.get(chunk).map_or(TextScript::Other, |script| *script)
    }

    /// The vector of each chunk in order, and whether it is in Arabic.
    pub fn chunk_vectors(&self) -> impl Iterator<Item = (bool, &[i8])> {
        self.vectors().map(|(script, vector)| (script == TextScript::Arabic, vector))
    }

    /// Every posting: the term, the chunk, and how often as [`times`] reads it.
    pub(super) fn all_postings(&self) -> impl Iterator<Item = (TermHash, u32, u8)> {
        self.terms.iter().enumerate().flat_map(|(at, term)| {
            let start = self.starts.get(at).map_or(0, |start| *start as usize);
            let end = self.starts.get(at + 1).map_or(0, |end| *end as usize);
            let chunks = self.chunks.get(start..end).unwrap_or_default();
            let counts = self.counts.get(start..end).unwrap_or_default();
            chunks.iter().zip(counts).map(|(chunk, count)| (*term, *chunk, *count))
        })
    }

    /// Whether a chunk is nothing but a heading.
    pub(super) fn is_heading(&self, chunk: usize) -> bool {
        self.headings.get(chunk) == Some(&true)
    }

    /// The chunks that contain a term, with its frequency; a fraction where it is in the context.
    pub(super) fn postings(&self, term: TermHash) -> impl Iterator<Item = (usize, f32)> {
        let (start, end) = self.range(term).unwrap_or((0, 0));
        let chunks = self.chunks.get(start..end).unwrap_or_default();
        let counts = self.counts.get(start..end).unwrap_or_default();
        chunks.iter().map(|chunk| *chunk as usize).zip(counts.iter().copied().map(times))
    }

    /// The vectors of all chunks, each with the script of its text, in order.
    pub(super) fn vectors(&self) -> impl Iterator<Item = (TextScript, &[i8])> {
        self.scripts.iter().copied().zip(self.vectors.chunks_exact(EMBEDDING_DIMENSIONS))
    }

    fn range(&self, term: TermHash) -> Option<(usize, usize)> {
        let at = self.terms.binary_search(&term).ok()?;
        Some((*self.starts.get(at)? as usize, *self.starts.get(at + 1)? as usize))
    }

    fn empty(digest: Digest) -> Self {
        Self {
            digest,
            lengths: Vec::new(),
            scripts: Vec::new(),
            headings: Vec::new(),
            terms: Vec::new(),
            starts: Vec::new(),
            chunks: Vec::new(),
            counts: Vec::new(),
            vectors: Vec::new(),
        }
    }

    /// Adds the posting of a run of one term in one chunk; the flag of an entry is whether it
    /// is in the chunk's text.
    fn post(&mut self, run: &[(TermHash, u32, bool)]) {
        let Some((term, chunk, _)) = run.first() else { return };
        if self.terms.last() != Some(term) {
            self.terms.push(*term);
            self.starts.push(self.posted());
        }
        let inside = run.iter().filter(|(_, _, inside)| *inside).count();
        // 127 leaves the top bit to the mark; BM25 hardly grows any more at such counts.
        let count = u8::try_from(inside).unwrap_or(u8::MAX).min(!AROUND_BIT);
        self.chunks.push(*chunk);
        self.counts.push(if inside < run.len() { count | AROUND_BIT } else { count });
    }

    fn posted(&self) -> u32 {
        u32::try_from(self.chunks.len()).unwrap_or(u32::MAX)
    }
}

/// The frequency of a term in a chunk, from the byte of its posting.
pub(super) fn times(count: u8) -> f32 {
    let around = if count & AROUND_BIT == 0 { 0.0 } else { AROUND_WEIGHT };
    f32::from(count & !AROUND_BIT) + around
}

/// The bit of a count that marks a term in the context of the chunk.
const AROUND_BIT: u8 = 0x80;
/// The weight of a term in the context beside one in the chunk: enough to find a section by its
/// heading, too little to outrank a chunk with the term. Between 0.25 and 0.8 nothing changed on
/// real documents.
const AROUND_WEIGHT: f32 = 0.4;
/// How many terms of one heading or header are taken.
const MAX_AROUND_TERMS: usize = 60;
