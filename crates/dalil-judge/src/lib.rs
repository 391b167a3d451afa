//! The judge of Dalil: answers to claims, claims to matches.
//!
//! ```text
//! chunks ─index─▶ CorpusIndex ─rank─┐
//! answer ─extract─▶ claims ─────────┴▶ judge ─▶ matches
//! ```
//!
//! In scope: cutting an answer into claims, finding the chunks about a
//! claim, and judging them with a small model and inspectable rules.
//! Everything is a function of its arguments: files, processes, the network and
//! the clock are the caller's. Equal inputs give equal matches on every
//! processor and with any number of threads.
//!
//! In reading order: [`extract`], [`index`], [`model`], [`deep`], [`rule`],
//! [`judge`].

pub mod deep;
pub mod extract;
pub mod index;
pub mod judge;
pub mod model;
pub mod rule;
