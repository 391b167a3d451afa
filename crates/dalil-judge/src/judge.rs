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

pub use self::corpus::{ChunkRef, ClaimQuery, IndexedCorpus, IndexedDocument, candidates};
pub use self::opinion::{
    ChunkJudgement, ChunkOpinion, ConflictingWords, ModelKind, find_conflicting_words,
};
pub use self::reader::PassageJudge;

mod combine;
mod corpus;
mod odds;
mod opinion;
mod passage;
mod passage_model;
mod reader;
mod row;
mod scored_passage;
mod settle;
#[cfg(test)]
mod tests;
