//! Operations over a store: each result is recorded so that it can be proved later.
//!
//! ```text
//! request ─check─▶ objects into the lake ─▶ one entry: records and their rows ─▶ reply
//! ```
//!
//! There is one module for each noun. A verb appends one entry, after every object
//! that the entry needs is durable in the lake; a crash between the two leaves an
//! object that nothing names, and never a name without its object. Every verb is
//! given a tenant and reaches nothing of another. Time, actor and idempotency key
//! come in a [`RequestContext`].

pub mod access;
pub mod apikey;
pub mod approval;
pub mod archive;
pub mod bulk;
pub mod bundle;
pub mod check;
pub mod claim_review;
pub mod decision;
pub mod doctor;
pub mod document;
pub mod document_view;
pub mod erase;
pub mod export;
pub mod fsck;
pub mod hold;
pub mod index;
pub mod invitation;
pub mod job;
pub mod keys;
mod ledger_remark;
mod list_range;
pub mod member;
pub mod obligation;
mod operation;
pub mod pack;
#[cfg(feature = "pdf")]
pub mod print;
pub mod question_reply;
pub mod scratch_dir;
pub mod session;
mod signed_head;
pub mod stored_corpus;
pub mod streamed_check;
pub mod submission;
mod table;
pub mod tenant;
pub mod trail;

mod artifact;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod scratch;
#[cfg(test)]
mod tests;

pub use operation::{OperationFailure, RecordAck, RequestContext};
