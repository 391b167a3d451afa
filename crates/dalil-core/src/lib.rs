//! The words and the rules of Dalil.
//!
//! ```text
//! bytes ─▶ bundle ─▶ (a model answers) ─▶ ledger ─▶ decision ─▶ pack ─▶ record ─▶ checkpoint
//!                                            │                             │
//!                                         sources                       receipt ─▶ report
//! ```
//!
//! Everything here is a function of its arguments: no file, network, clock,
//! environment, randomness or async. Time, ids, keys and bytes are passed in,
//! and equal inputs give equal bytes on every platform.
//!
//! In scope: the published formats, the rules that make and check them, and
//! the reading of JSON requests with every fault reported. Out of scope:
//! reading documents, judging claims with a model, keeping anything, printing
//! anything.
//!
//! In reading order:
//!
//! 1. Bytes: [`json`], [`read`], [`canon`], [`digest`], [`score`], [`time`],
//!    [`id`], [`anchor`], [`fault`].
//! 2. What may be shown: [`mask`], [`bundle`].

pub mod anchor;
pub mod bundle;
pub mod canon;
pub mod digest;
pub mod fault;
pub mod id;
pub mod json;
pub mod mask;
pub mod read;
pub mod score;
pub mod time;
