//! Queries: the weighted terms of a claim, and the score of a chunk or a sentence.

use super::CorpusIndex;
use super::embed::{Embedder, EmbeddingVector, nearness};
use super::rarity;
use super::segment::IndexSegment;
use super::term::{self, TermHash, TextScript};

#[cfg(test)]
mod tests;

/// A claim, with the weight that each of its terms has in one index.
#[derive(Clone, Debug)]
pub struct WeightedQuery<'i> {
    index: &'i CorpusIndex,
    /// Sorted by term, each once.
    terms: Vec<(TermHash, f32)>,
    /// The weights together.
    weight: f32,
    script: TextScript,
    vector: EmbeddingVector,
}

/// A chunk and how much it speaks about a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedChunk {
    /// The segment, by its place in the index.
    pub segment: usize,
    /// The chunk, by its place in the segment.
    pub chunk: usize,
    /// The score that chunks are ranked by, from 0 to 1.
    pub score: f32,
    /// The part of the claim's weight that the chunk's terms have, from 0 to 1.
    pub lexical: f32,
    /// How near the chunk's vector is to the claim's, from -1 to 1.
    pub vector: f32,
}

impl<'i> WeightedQuery<'i> {
    /// Weighs the terms of a claim by their rarity in an index.
    pub fn of(claim: &str, index: &'i CorpusIndex) -> Self {
        let mut terms = term::terms(claim);
        terms.sort_unstable();
        terms.dedup();
        let weighed =
            |term: TermHash| (term, rarity::weight(index.holding(term), index.totals().chunks));
        let terms: Vec<_> = terms.into_iter().map(weighed).collect();
        let weight = terms.iter().map(|(_, weight)| weight).sum();
        let vector = Embedder::default().vector(claim);
        Self { index, terms, weight, script: TextScript::of(claim), vector }
    }

    /// The best chunks of the index. Ties go to the first segment, then to the first chunk.
    pub fn rank(&self, limit: usize) -> Vec<RankedChunk> {
        let all = (0..self.index.segments.len()).flat_map(|segment| self.score(segment));
        best(all.collect(), limit)
    }

    /// The part of the claim's weight whose terms a text holds, from 0 to 1.
    ///
    /// A claim without terms overlaps with nothing.
    pub fn overlap(&self, text: &str) -> f32 {
        let mut terms = term::terms(text);
        terms.sort_unstable();
        let holds = |term: &TermHash| terms.binary_search(term).is_ok();
        let held: f32 =
            self.terms.iter().filter(|(term, _)| holds(term)).map(|(_, weight)| weight).sum();
        if self.weight > 0.0 { held / self.weight } else { 0.0 }
    }

    /// Every chunk of a segment that has anything to do with the claim.
    fn score(&self, place: usize) -> Vec<RankedChunk> {
        let Some(segment) = self.index.segments.get(place) else { return Vec::new() };
        let lexical = self.lexical(segment);
        let both = lexical.into_iter().zip(segment.vectors()).enumerate();
        both.map(|(chunk, (lexical, (script, vector)))| {
            let vector = nearness(&self.vector, vector);
            let near =
                if script == self.script { VECTOR_WEIGHT } else { CROSS_SCRIPT_VECTOR_WEIGHT };
            let score = (LEXICAL_WEIGHT * lexical + near * vector.max(0.0)).min(1.0);
            let score = if segment.is_heading(chunk) { score * HEADING_WEIGHT } else { score };
            RankedChunk { segment: place, chunk, score, lexical, vector }
        })
        .filter(|ranked| ranked.score > 0.0)
        .collect()
    }

    /// BM25 of every chunk of a segment, as a part of the most that the claim can reach.
    fn lexical(&self, segment: &IndexSegment) -> Vec<f32> {
        let mut scores = vec![0.0; segment.len()];
        if self.weight <= 0.0 {
            return scores;
        }
        // The mean of the whole index, so that scores of different segments compare.
        let totals = self.index.totals();
        let mean = totals.terms as f32 / totals.chunks.max(1) as f32;
        for (term, weight) in &self.terms {
            for (chunk, count) in segment.postings(*term) {
                let Some(score) = scores.get_mut(chunk) else { continue };
                let length = segment.length(chunk) as f32 / mean;
                let spread = BM25_K1 * (1.0 - BM25_B + BM25_B * length);
                // The last fraction is below 1, so a term adds at most its share of the weight.
                *score += weight / self.weight * count / (count + spread);
            }
        }
        scores
    }
}

pub(super) fn best(mut ranked: Vec<RankedChunk>, limit: usize) -> Vec<RankedChunk> {
    let order = |a: &RankedChunk, b: &RankedChunk| {
        b.score.total_cmp(&a.score).then((a.segment, a.chunk).cmp(&(b.segment, b.chunk)))
    };
    // Selection is linear in the chunks; only those that stay are sorted.
    if limit < ranked.len() {
        ranked.select_nth_unstable_by(limit, order);
        ranked.truncate(limit);
    }
    // No two compare as equal, so an unstable sort has one result.
    ranked.sort_unstable_by(order);
    ranked
}

/// The weight of a chunk that is nothing but a heading: it is shown where nothing else is found.
pub(super) const HEADING_WEIGHT: f32 = 0.1;
/// The weights of the parts of a score, by measurement with `bench/run rank`.
const LEXICAL_WEIGHT: f32 = 0.6;
const VECTOR_WEIGHT: f32 = 0.4;
/// A chunk in the other script can share hardly a term, so its nearness counts more.
const CROSS_SCRIPT_VECTOR_WEIGHT: f32 = 0.6;
/// BM25's `k1`: how soon more of the same term stops adding.
const BM25_K1: f32 = 1.2;
/// BM25's `b`: how much a long chunk must hold more.
const BM25_B: f32 = 0.75;
