//! Packs: the sealed, signed evidence of one decision.
//!
//! ```text
//! request ─assemble─▶ PackDraft ─seal─▶ sealed bytes ─parse─▶ UnverifiedPack ─open─▶ Pack
//!                       ▲                                                              │
//!                       └────────────────── review, amend ───────────────────────────┘
//! ```
//!
//! [`PackContent`] is the content of a pack. In a [`PackDraft`] it satisfies every rule
//! of this module; a [`Pack`] has been verified as well. Nothing in a pack is
//! changed: a review or an edit is a new version that names the old one.

pub use crate::pack::assemble::assemble;
pub use crate::pack::draft::{
    Pack, PackContent, PackDraft, PackStatus, SCHEMA_VERSION, can_view_evidence_pack,
};
pub use crate::pack::finding::{FlagAcknowledgement, PackFlag, PackFlagState};
pub use crate::pack::in_toto::{PACK_PREDICATE_TYPE, PackAttestation};
pub use crate::pack::memo::{Memo, MemoTexts};
pub use crate::pack::open::UnverifiedPack;
pub use crate::pack::seal::{PACK_FIELD, PACK_PAYLOAD_TYPE, SealedPack, seal};
pub use crate::pack::source::PackSource;
pub use crate::pack::tool::ToolCall;
pub use crate::pack::version::{
    MAX_REVIEW_HOURS, PackReview, amend, independence, overdue, review, review_until,
};

pub mod concern;
pub mod diff;
pub mod tool;

mod assemble;
mod cite;
mod content;
mod draft;
mod finding;
mod in_toto;
mod ledger;
mod memo;
mod open;
mod seal;
mod source;
mod version;

#[cfg(test)]
mod tests;
