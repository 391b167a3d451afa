//! The evidence: the input of a model, the support of its answer, and the decision.
//!
//! ```text
//! bytes ─▶ bundle ─▶ (a model answers) ─▶ ledger ─▶ decision ─▶ pack ─▶ archive
//!                                            │
//!                                         sources
//! ```
//!
//! Everything here is a function of its arguments, as in `dalil-proof`, which has
//! the bytes and the trails below it.
//!
//! In scope: the published formats of evidence, the rules that make and check
//! them, and the reading of JSON requests with every fault reported. Out of
//! scope: reading documents, judging claims with a model, storing anything,
//! printing anything.
//!
//! In reading order:
//!
//! 1. Places in texts: [`anchor`], [`char_offset`], [`word_boundary`].
//! 2. The model's input: [`mask`], [`bundle`], [`chunk_set`].
//! 3. Beside an answer: [`citation_source`].
//! 4. About an answer: [`claim`], [`ledger`].
//! 5. Obligations: [`obligation`], [`completeness`].
//! 6. Decisions: [`decision_class`], [`decision`], [`policy`], [`pack`],
//!    [`archive`], [`verify`].
//! 7. Permissions: [`name`], [`access`], [`approval`], [`signed_link`];
//!    credentials: [`apikey`], [`invitation`].

pub mod access;
pub mod anchor;
pub mod apikey;
pub mod approval;
pub mod archive;
pub mod bundle;
pub mod char_offset;
pub mod chunk_set;
pub mod citation_source;
pub mod claim;
pub mod completeness;
pub mod decision;
pub mod decision_class;
pub mod invitation;
pub mod ledger;
pub mod mask;
pub mod name;
pub mod obligation;
pub mod pack;
pub mod page_url;
pub mod policy;
pub mod signed_link;
pub mod verify;
pub mod word_boundary;
