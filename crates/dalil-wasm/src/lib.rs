//! The verifier of evidence as WebAssembly, for browsers and Node: `@dalil/verify`.
//!
//! ```text
//! host ─dalil_input─▶ request, file, export, list ─dalil_verify─▶ report ─dalil_output─▶ host
//! ```
//!
//! Whoever receives a pack verifies it where they are: the file goes nowhere. The rules are those of
//! `dalil-proof` and `dalil-evidence`; documents are read in the memory of the module, which is the
//! sandbox here. What needs a model or a press is said to be left out, never passed over.
//!
//! In scope: the verdict of `dalil verify` on everything that follows from bytes and keys, and on
//! excerpts. Out of scope: judging a ledger again and comparing the pages of a PDF, for which the
//! program is needed.
//!
//! In reading order: [`request`], [`verification`], [`door`].

pub mod door;
pub mod request;
pub mod verification;
