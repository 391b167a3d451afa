//! Shortlists: which chunks are worth fetching for a claim, where segments are elsewhere.
//!
//! ```text
//! terms ─▶ postings ─▶ Shortlist ─ vectors of its best chunks, nearest vectors ─▶ documents
//! ```
//!
//! A shortlist only chooses documents. Their segments are then ranked as in a corpus that is here,
//! so a chunk that is fetched has the score that it has there.

use std::collections::BTreeMap;

use super::embed::{Embedder, EmbeddingVector, nearness_of};
use super::lexicon::LEXICON;
use super::naming;
use super::posting::ChunkPosting;
use super::query::{HEADING_WEIGHT, best};
use super::search::{self, ScriptSearch};
use super::term::{TermHash, TextScript};
use super::{ClaimSearch, CorpusIndex, RankedChunk};

#[cfg(test)]
mod tests;

/// The postings of some terms.
pub type TermPostings = BTreeMap<TermHash, Vec<ChunkPosting>>;

/// The chunks of one script that hold terms of a claim.
#[derive(Debug)]
pub struct Shortlist {
    script: TextScript,
    /// The weight of nearness.
    near: f32,
    /// In the order of their places; the segment of each is its document.
    chunks: Vec<RankedChunk>,
    /// How well the answer's words name each document, from 0 to 1.
    preferences: Vec<f32>,
}

/// The place of a chunk, and the product of its vector with that of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearChunk {
    /// The document, by its place in the corpus.
    pub document: u32,
    /// The chunk, by its place in the document.
    pub chunk: u32,
    /// The product.
    pub product: f64,
}

impl ClaimSearch<'_> {
    /// The terms that are looked for in either language, each once.
    pub fn terms(&self) -> Vec<TermHash> {
        let mut terms = Vec::new();
        for (term, _) in search::terms(self) {
            terms.push(term);
            terms.extend(LEXICON.same(term));
            terms.extend(LEXICON.across(term));
        }
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// The vector of the claim's statement.
    pub fn vector(&self) -> EmbeddingVector {
        Embedder::default().vector(self.statement)
    }
}

impl CorpusIndex {
    /// The chunks of each script that hold terms of a claim, by postings of some of its terms.
    pub fn shortlists(&self, search: &ClaimSearch<'_>, postings: &TermPostings) -> [Shortlist; 2] {
        let vector = search.vector();
        let preferences = naming::preferences(&self.names(), search.named);
        search::looks(self, search, &vector).map(|look| Shortlist {
            script: look.script,
            near: look.near,
            chunks: held(&look, postings),
            preferences: preferences.clone(),
        })
    }

    /// The documents that words name most clearly, by their places in the corpus: those that are
    /// elsewhere too, and no more than `limit`.
    pub fn named_anywhere(&self, words: &[String], limit: usize) -> Vec<usize> {
        let mut named = self.clearly_named(words);
        named.truncate(limit);
        named
    }
}

impl Shortlist {
    /// Whether its chunks are in Arabic.
    pub fn is_arabic(&self) -> bool {
        self.script == TextScript::Arabic
    }

    /// The chunks that hold most of the claim's terms, the best first.
    pub fn best_by_terms(&self, limit: usize) -> Vec<RankedChunk> {
        let preferred = self.chunks.iter().map(|one| self.preferred(*one));
        best(preferred.collect(), limit)
    }

    /// The best chunks among those whose vectors are known.
    pub fn best(&self, near: &[NearChunk], limit: usize) -> Vec<RankedChunk> {
        let scored = |one: &NearChunk| {
            let (segment, chunk) = (one.document as usize, one.chunk as usize);
            let by_place =
                |known: &RankedChunk| (known.segment, known.chunk).cmp(&(segment, chunk));
            let at = self.chunks.binary_search_by(by_place).ok();
            let known = at.and_then(|at| self.chunks.get(at)).copied();
            let known = known.unwrap_or(RankedChunk {
                segment,
                chunk,
                score: 0.0,
                lexical: 0.0,
                vector: 0.0,
            });
            let vector = nearness_of(one.product);
            let score = known.score + self.near * vector.max(0.0);
            self.preferred(RankedChunk { score, vector, ..known })
        };
        let mut all: Vec<RankedChunk> = near.iter().map(scored).collect();
        all.sort_unstable_by_key(|one| (one.segment, one.chunk));
        all.dedup_by_key(|one| (one.segment, one.chunk));
        best(all, limit)
    }

    fn preferred(&self, one: RankedChunk) -> RankedChunk {
        let preference = self.preferences.get(one.segment).map_or(0.0, |preference| *preference);
        RankedChunk { score: one.score * (1.0 + preference), ..one }
    }
}

/// The chunks of a script that hold wanted terms, each with the score of its terms.
fn held(look: &ScriptSearch<'_, '_>, postings: &TermPostings) -> Vec<RankedChunk> {
    let mut parts: Vec<(usize, usize, f32)> = Vec::new();
    let mut own: Vec<(ChunkPosting, f32)> = Vec::new();
    for one in &look.wanted {
        own.clear();
        for (term, part) in &one.terms {
            let known = postings.get(term).map_or(&[][..], Vec::as_slice);
            let of_script = known.iter().filter(|posting| posting.script == look.script);
            own.extend(of_script.map(|posting| (*posting, posting.times * part)));
        }
        own.sort_unstable_by(|(a, times), (b, others)| {
            (a.document, a.chunk).cmp(&(b.document, b.chunk)).then(others.total_cmp(times))
        });
        own.dedup_by_key(|(posting, _)| (posting.document, posting.chunk));
        parts.extend(own.iter().map(|(posting, times)| {
            let heading = if posting.is_heading { HEADING_WEIGHT } else { 1.0 };
            let part = look.part(one, *times, posting.length) * heading;
            (posting.document as usize, posting.chunk as usize, part)
        }));
    }
    // Stable, so that the parts of a chunk are added in the order of terms, as in a segment.
    parts.sort_by_key(|(document, chunk, _)| (*document, *chunk));
    let chunks = parts.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    chunks
        .filter_map(|run| {
            let (segment, chunk, _) = *run.first()?;
            let lexical = run.iter().fold(0.0, |sum, (_, _, part)| sum + part);
            let score = search::LEXICAL_WEIGHT * lexical;
            Some(RankedChunk { segment, chunk, score, lexical, vector: 0.0 })
        })
        .collect()
}
