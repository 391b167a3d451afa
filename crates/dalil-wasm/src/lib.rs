//! The verifier of evidence as WebAssembly, for browsers and Node: `@dalil/verify`.
//!
//! ```text
//! host ─dalil_input─▶ request, file, export, list ─dalil_verify─▶ report ─dalil_output─▶ host
//! ```
//!
//! The recipient of a pack verifies it on their own machine: the file is not sent. The rules are
//! those of `dalil-proof` and `dalil-evidence`; documents are parsed in the memory of the module,
//! which is the sandbox here. Checks that need a model or a press are reported as left out, never
//! skipped.
//!
//! In scope: the verdict of `dalil verify` on everything that follows from bytes and keys, and on
//! excerpts. Out of scope: judging a ledger again and comparing the pages of a PDF, for which the
//! program is needed.
//!
//! In reading order: [`request`], [`verification`], [`door`].

pub mod door;
pub mod request;
pub mod verification;
