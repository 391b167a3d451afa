//! Searching: the chunks that may hold evidence about a claim of an answer.
//!
//! A term of the claim is searched together with its synonyms, as one term; the
//! terms of its context have less weight. In the other language, the search uses
//! translations and words that both languages spell alike. A chunk gets a small
//! bonus from its neighbours, and from its document where the answer names
//! that one.

use super::embed::{Embedder, EmbeddingVector, nearness};
use super::lexicon::LEXICON;
use super::naming;
use super::query::{HEADING_WEIGHT, best};
use super::rarity;
use super::segment::IndexSegment;
use super::term::{self, TermHash, TextScript};
use super::{CorpusIndex, RankedChunk};

#[cfg(test)]
mod tests;

/// The input of a search: a claim with its context.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClaimSearch<'s> {
    /// The statement of the claim.
    pub statement: &'s str,
    /// The context to read it with.
    pub context: Option<&'s str>,
    /// Words by which the answer names documents, the nearest to the claim first.
    pub named: &'s [String],
}

pub(super) fn candidates(
    index: &CorpusIndex,
    search: &ClaimSearch<'_>,
    limit: usize,
) -> Vec<RankedChunk> {
    let own = TextScript::of(search.statement);
    let vector = Embedder::default().vector(search.statement);
    let preferences = naming::preferences(&index.names(), search.named);
    let looks = looks(index, search, &vector);
    let [mut near, mut far] = looks.map(|look| look.ranked(&preferences, limit));
    let share = limit.min(share(index, own, &preferences, limit));
    let is_foreign = share > limit / 2;
    // Places that one language cannot fill go to the other.
    let share = share.max(limit.saturating_sub(near.len())).min(far.len());
    far.truncate(share);
    near.truncate(limit - share);
    let (mut first, second) = if is_foreign { (far, near) } else { (near, far) };
    first.extend(second);
    first
}

/// The search in the script of the claim, and in the other.
pub(super) fn looks<'i, 'v>(
    index: &'i CorpusIndex,
    search: &ClaimSearch<'_>,
    vector: &'v EmbeddingVector,
) -> [ScriptSearch<'i, 'v>; 2] {
    let own = TextScript::of(search.statement);
    let wanted = terms(search);
    // Ranked apart: across languages few terms can meet, so the scores do not compare.
    [
        ScriptSearch::of(index, own, same(&wanted), vector),
        ScriptSearch::of(index, own.other(), across(&wanted, own), vector).translated(),
    ]
}

/// The number of places for chunks in the other language: most where the documents that are named
/// are written in it, one where they are not, a third where there is no preference.
fn share(index: &CorpusIndex, own: TextScript, preferences: &[f32], limit: usize) -> usize {
    let best = |script: TextScript| {
        let named = index.outlines.iter().zip(preferences);
        let named = named.filter(|(one, _)| one.script() == Some(script));
        named.map(|(_, preference)| *preference).fold(0.0, f32::max)
    };
    let (near, far) = (best(own), best(own.other()));
    if far > near + MIN_NAMING_MARGIN {
        limit.saturating_sub(limit / 3)
    } else if near > far + MIN_NAMING_MARGIN {
        limit / 6
    } else {
        limit / 3
    }
}

/// The terms of a search with their weights, those of the claim first, each once.
pub(super) fn terms(search: &ClaimSearch<'_>) -> Vec<(TermHash, f32)> {
    let mut wanted: Vec<(TermHash, f32)> = Vec::new();
    let context = search.context.map(|context| (context, CONTEXT_WEIGHT));
    for (text, weight) in [(search.statement, 1.0)].into_iter().chain(context) {
        let mut terms = term::terms(text);
        terms.sort_unstable();
        terms.dedup();
        // A term of the claim keeps its full weight where the context repeats it.
        let known = wanted.clone();
        let is_new = |term: &TermHash| known.iter().all(|(other, _)| other != term);
        wanted.extend(terms.into_iter().filter(is_new).map(|term| (term, weight)));
    }
    wanted
}

/// The expansion of one term of a search.
pub(super) struct ExpandedTerm {
    weight: f32,
    /// Its synonyms and translations, each with its weight.
    pub(super) terms: Vec<(TermHash, f32)>,
}

impl ExpandedTerm {
    /// How many chunks hold it, by the most frequent of its full terms, or else of all.
    fn holding(&self, index: &CorpusIndex) -> u64 {
        let holding = |(term, _): &(TermHash, f32)| index.holding(*term);
        // By the word itself: a frequent synonym must not make a rare word look common.
        let full = self.terms.iter().filter(|(_, part)| *part >= 1.0).map(holding).max();
        let any = || self.terms.iter().map(holding).max();
        full.filter(|count| *count > 0).or_else(any).unwrap_or(0)
    }
}

fn same(wanted: &[(TermHash, f32)]) -> Vec<ExpandedTerm> {
    let widened = |(term, weight): &(TermHash, f32)| {
        let others = LEXICON.same(*term).iter().map(|other| (*other, SYNONYM_WEIGHT));
        ExpandedTerm {
            weight: *weight,
            terms: std::iter::once((*term, 1.0)).chain(others).collect(),
        }
    };
    wanted.iter().map(widened).collect()
}

/// The translations of a claim in `own` script; numbers and names are spelled alike.
fn across(wanted: &[(TermHash, f32)], own: TextScript) -> Vec<ExpandedTerm> {
    let translated = |(term, weight): &(TermHash, f32)| {
        let mut terms: Vec<_> = LEXICON.across(*term).iter().map(|other| (*other, 1.0)).collect();
        // An English word in an Arabic claim is translated the wrong way; it is looked for itself.
        if terms.is_empty() || own == TextScript::Arabic {
            terms.push((*term, 1.0));
        }
        ExpandedTerm { weight: *weight, terms }
    };
    wanted.iter().map(translated).collect()
}

/// A search among the chunks of one script.
pub(super) struct ScriptSearch<'i, 'v> {
    index: &'i CorpusIndex,
    pub(super) script: TextScript,
    /// Each with its weight in this index.
    pub(super) wanted: Vec<ExpandedTerm>,
    /// The weights together.
    weight: f32,
    /// The mean length of a chunk.
    mean: f32,
    vector: &'v EmbeddingVector,
    /// The weight of nearness.
    pub(super) near: f32,
}

impl<'i, 'v> ScriptSearch<'i, 'v> {
    fn of(
        index: &'i CorpusIndex,
        script: TextScript,
        mut wanted: Vec<ExpandedTerm>,
        vector: &'v EmbeddingVector,
    ) -> Self {
        for one in &mut wanted {
            one.weight *= rarity::weight(one.holding(index), index.totals().chunks);
        }
        let weight = wanted.iter().map(|one| one.weight).sum();
        let totals = index.of_script(script);
        // Of this script alone: a full chunk has half as many Arabic words as English ones.
        let mean = (totals.terms as f32 / totals.chunks.max(1) as f32).max(1.0);
        Self { index, script, wanted, weight, mean, vector, near: VECTOR_WEIGHT }
    }

    /// The same search in another language than the claim's: a word without a translation is not
    /// missing there, and nearness counts more.
    fn translated(mut self) -> Self {
        let index = self.index;
        self.wanted.retain(|one| one.holding(index) > 0);
        self.weight = self.wanted.iter().map(|one| one.weight).sum();
        Self { near: CROSS_SCRIPT_VECTOR_WEIGHT, ..self }
    }

    /// The best chunks of the script.
    fn ranked(&self, preferences: &[f32], limit: usize) -> Vec<RankedChunk> {
        let mut all = Vec::new();
        for (place, (segment, document)) in self.index.placed_segments().enumerate() {
            let preference = preferences.get(document).map_or(0.0, |preference| *preference);
            all.extend(self.score(place, segment, preference));
        }
        best(all, limit)
    }

    fn score(&self, place: usize, segment: &IndexSegment, preference: f32) -> Vec<RankedChunk> {
        let lexical = self.lexical(segment);
        let alone: Vec<RankedChunk> = lexical
            .into_iter()
            .zip(segment.vectors())
            .enumerate()
            .map(|(chunk, (lexical, (script, vector)))| {
                let vector = nearness(self.vector, vector);
                let score = LEXICAL_WEIGHT * lexical + self.near * vector.max(0.0);
                // Chunks of the other script stay, since neighbours are found by number.
                let score = if script == self.script { score } else { 0.0 };
                RankedChunk { segment: place, chunk, score, lexical, vector }
            })
            .collect();
        let at = |chunk: Option<usize>| {
            chunk.and_then(|chunk| alone.get(chunk)).map_or(0.0, |one| one.score)
        };
        // A neighbour adds its own score before any raise, else a run of chunks would lift itself.
        let together = |one: &RankedChunk| {
            let beside = at(one.chunk.checked_sub(1)).max(at(one.chunk.checked_add(1)));
            let heading = if segment.is_heading(one.chunk) { HEADING_WEIGHT } else { 1.0 };
            let score = (one.score + NEIGHBOUR_WEIGHT * beside) * (1.0 + preference) * heading;
            RankedChunk { score: (score / MAX_CHUNK_SCORE).min(1.0), ..*one }
        };
        alone.iter().filter(|one| one.score > 0.0).map(together).collect()
    }

    /// BM25 of every chunk of a segment, as a part of the maximum for the claim. The
    /// synonyms of a term count as the one of them with the most weight.
    fn lexical(&self, segment: &IndexSegment) -> Vec<f32> {
        let mut scores = vec![0.0; segment.len()];
        if self.weight <= 0.0 {
            return scores;
        }
        for one in &self.wanted {
            let mut counts: Vec<(usize, f32)> = Vec::new();
            for (term, part) in &one.terms {
                counts.extend(segment.postings(*term).map(|(chunk, count)| (chunk, count * part)));
            }
            counts.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
            counts.dedup_by_key(|(chunk, _)| *chunk);
            for (chunk, count) in counts {
                let Some(score) = scores.get_mut(chunk) else { continue };
                *score += self.part(one, count, segment.length(chunk));
            }
        }
        scores
    }

    /// The weight of a term with this frequency in a chunk of this length.
    pub(super) fn part(&self, one: &ExpandedTerm, count: f32, length: u32) -> f32 {
        let length = length as f32 / self.mean;
        let spread = BM25_K1 * (1.0 - BM25_B + BM25_B * length);
        one.weight / self.weight * count / (count + spread)
    }
}

// The numbers below were set on 312 labelled claims about 24 real documents, of which none is in
// this repository; the right chunk is among the first six for 92 % of English claims. Some
// of the numbers were varied: English moved by up to two points.

/// The weight of context terms, beside 1 for the claim's own.
const CONTEXT_WEIGHT: f32 = 0.3;
/// The weight of a synonym.
const SYNONYM_WEIGHT: f32 = 0.35;
/// The weights of terms and nearness in a score.
pub(super) const LEXICAL_WEIGHT: f32 = 0.8;
const VECTOR_WEIGHT: f32 = 0.2;
/// Nearness counts more where few words can be the same.
const CROSS_SCRIPT_VECTOR_WEIGHT: f32 = 0.5;
/// The share that the better of the chunks before and after adds.
const NEIGHBOUR_WEIGHT: f32 = 0.15;
/// BM25's `k1` and `b`.
const BM25_K1: f32 = 1.0;
const BM25_B: f32 = 0.4;
/// The most that a chunk of the named document can reach.
const MAX_CHUNK_SCORE: f32 = 2.0 * (1.0 + NEIGHBOUR_WEIGHT);
/// By so much a document must be named more than another to decide about the language.
pub(super) const MIN_NAMING_MARGIN: f32 = 0.05;
