//! The judge of Dalil: documents to chunks, answers to claims, claims to matches.
//!
//! ```text
//! bytes ─read─▶ Document ─split─▶ Chunk ─index─▶ Index ─rank─┐
//! answer ─extract─▶ Claim ───────────────────────────────────┴▶ judge ─▶ Match
//! ```
//!
//! In scope: reading documents of hostile formats into text with places, cutting
//! text into sentences, chunks and claims, finding the chunks that speak about a
//! claim, and judging what they say with a small model and inspectable rules.
//! Everything is a function of its arguments: files, processes, the network and
//! the clock are the caller's. Equal inputs give equal matches on every
//! processor and with any number of threads.
//!
//! In reading order: [`document`], [`formats`], [`sentence`], [`split`],
//! [`extract`], [`index`], [`model`], [`deep`], [`rule`], [`judge`].

pub mod deep;
pub mod document;
pub mod extract;
pub mod formats;
pub mod index;
pub mod judge;
pub mod model;
pub mod rule;
pub mod sentence;
pub mod split;
