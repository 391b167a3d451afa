//! Judging: chunks against a claim, by model and by rule.
//!
//! ```text
//! claim ─rank─▶ chunks ─passages─▶ model ─▶ four probabilities ──┐
//!                           └─lines─▶ rules ──▶ findings ────────┴─combine─▶ ChunkOpinion
//! ```
//!
//! A [`passage`] is a chunk with the context that a reader needs. A model,
//! the small one in the program or the large one in a file, estimates the probability
//! that the passage supports the claim, supports a part of it, contradicts it, or does
//! not mention it, and selects the decisive line ([`reader`]). The rules compare
//! values, negation, modality and names with that line; for the small model
//! [`combine`] makes one opinion of both. Everything is batched, and no opinion
//! depends on what else is in the batch.

use dalil_documents::document::HiddenText;

pub use self::corpus::{ChunkRef, ClaimQuery, IndexedCorpus, IndexedDocument};
pub use self::opinion::{ChunkJudgement, ChunkOpinion, ConflictingWords, ModelKind};
pub use self::reader::PassageJudge;
use crate::index::CorpusIndex;
use crate::rule;

mod combine;
mod corpus;
mod opinion;
mod passage;
mod reader;
#[cfg(test)]
mod tests;

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
    // What a claim cites is looked at even where that is more than the limit.
    places.truncate(limit.max(question.cited.len()));
    places
}

/// The pair of words of a claim and a sentence that cannot both be true, where one is found.
pub fn find_conflicting_words(statement: &str, sentence: &str) -> Option<ConflictingWords> {
    let pair = rule::conflicting_words(statement, sentence)?;
    Some(ConflictingWords {
        claim: statement.get(pair.claim)?.to_owned(),
        evidence: sentence.get(pair.evidence)?.to_owned(),
    })
}

/// Why a reader does not see a chunk, when so.
fn hidden(corpus: &IndexedCorpus<'_>, place: ChunkRef) -> Option<HiddenText> {
    let source = corpus.sources.get(place.source)?;
    source.document.blocks.get(source.chunks.get(place.chunk)?.block)?.hidden
}

/// A sentence that holds so much of a claim says it nearly in its words.
const MIN_DIRECT_OVERLAP_SHARE: f32 = 0.8;
