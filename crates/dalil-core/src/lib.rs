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
//! 1. Bytes: [`json`], [`decode`], [`canon`], [`digest`], [`score`], [`time`],
//!    [`id`], [`anchor`], [`char_offset`], [`fault`], [`language`].
//! 2. What a model may see: [`mask`], [`bundle`].
//! 3. Beside an answer: [`citation_source`].
//! 4. About an answer: [`claim`], [`ledger`].
//! 5. Obligations: [`obligation`].
//! 6. Trails: [`record`], [`tree`], [`key`], [`keyring`], [`note`],
//!    [`checkpoint`], [`witness`], [`trust`], [`receipt`], [`report`];
//!    [`trail`], [`hold`], [`erasure`].
//! 7. Decisions: [`decision_class`], [`decision`], [`policy`], [`pack`], [`dsse`],
//!    [`archive`], [`verify`]; who may see and approve: [`name`], [`access`], [`approval`], [`signed_link`];
//!    who asks: [`apikey`].

pub mod access;
pub mod anchor;
pub mod apikey;
pub mod approval;
pub mod archive;
pub mod bundle;
pub mod canon;
mod canon_scan;
pub mod char_offset;
pub mod checkpoint;
pub mod citation_source;
pub mod claim;
pub mod decision;
pub mod decision_class;
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
pub mod language;
pub mod ledger;
pub mod mask;
pub mod name;
pub mod note;
pub mod obligation;
pub mod pack;
pub mod policy;
pub mod receipt;
pub mod record;
pub mod report;
pub mod score;
pub mod signed_link;
pub mod time;
pub mod trail;
pub mod tree;
pub mod trust;
pub mod verify;
pub mod witness;
