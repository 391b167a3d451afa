//! Trail exports: a trail, or the end of one, as a file that a stranger can check.
//!
//! ```text
//! {"trail":{"checkpoint":…,"first":0,…}}           the header: range and signed checkpoint
//! {"envelope":{…},"index":0,"payload":{…}}         a record, with the visible part of its payload
//! …
//! {"end":{"records":6,"sha256":…}}                 the count, and the digest of all lines before
//! ```
//!
//! A [`TrailWriter`] makes the lines and a [`TrailVerifier`] checks them, one at a time: neither keeps the
//! file. In scope: the format and its checks. Out of scope: where records and payloads come from,
//! and where the lines go.

pub mod consistency;
pub mod custody;
mod erasures;
pub mod header;
pub mod keys;
pub mod line;
pub mod lineage;
mod order;
pub mod payloads;
mod redatings;
mod roots;
#[cfg(test)]
mod tests;
mod verify;
mod write;

pub use crate::canon_scan::UnexpectedBytes;
pub use custody::CustodyLink;
pub use header::{PreviousExport, TrailHeader};
pub use keys::KEY_FIELD;
pub use line::{MAX_LINE_BYTES, NotALine, PayloadField, RecordPayload, TrailLine};
pub use payloads::PayloadCounts;
pub use verify::{TrailVerification, TrailVerifier, verify};
pub use write::{TrailWriteError, TrailWriter};

/// How every trail export starts.
pub const TRAIL_EXPORT_PREFIX: &[u8] = b"{\"trail\":{";
