//! The part that a stranger audits: the bytes of the evidence, and the trail that proves them.
//!
//! ```text
//! payloads ─commitments─▶ record ─▶ tree ─▶ checkpoint ─▶ receipt ─┐
//!                                               │                  ├─trust─▶ report
//!                                             trail ───────────────┘
//! ```
//!
//! A verifier of evidence has to believe this crate and nothing above it. So
//! everything here is a function of its arguments: no file, network, clock,
//! environment, randomness or async. Time, ids, keys and bytes are passed in, and
//! equal inputs give equal bytes on every platform.
//!
//! In scope: JSON with one meaning and one spelling, digests, names, times,
//! signatures, records, Merkle trees, and the reports about them. Out of scope:
//! the content of records, storing them, printing anything.
//!
//! In reading order:
//!
//! 1. Bytes: [`json`], [`fault`], [`decode`], [`canon`], [`digest`], [`score`],
//!    [`time`], [`id`].
//! 2. Signatures: [`key`], [`keyring`], [`note`], [`dsse`].
//! 3. Trails: [`record`], [`tree`], [`checkpoint`], [`witness`], [`timestamp`],
//!    [`receipt`], [`trail`]; [`hold`], [`erasure`].
//! 4. Verification: [`trust`], [`report`].

pub mod canon;
mod canon_scan;
pub mod checkpoint;
pub mod decode;
pub mod digest;
pub mod dsse;
pub mod erasure;
pub mod fault;
pub mod hold;
pub mod id;
pub mod json;
pub mod key;
pub mod keyring;
pub mod note;
pub mod receipt;
pub mod record;
pub mod report;
pub mod score;
mod text_scan;
pub mod time;
pub mod timestamp;
pub mod trail;
pub mod tree;
pub mod trust;
pub mod witness;
