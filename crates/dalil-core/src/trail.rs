//! Trail exports: a trail, or the end of one, as a file that a stranger can check.
//!
//! ```text
//! {"trail":{"checkpoint":…,"first":0,…}}           the header: what is here, and who signed it
//! {"envelope":{…},"index":0,"payload":{…}}         a record, and what of its payload is shown
//! …
//! {"end":{"records":6,"sha256":…}}                 how many, and the digest of all that came before
//! ```
//!
//! A [`Writer`] makes the lines and a [`Verifier`] checks them, one at a time: neither keeps the
//! file. In scope: the format and its checks. Out of scope: where records and payloads come from,
//! and where the lines go.

pub(crate) mod consistency;
pub mod custody;
mod erasures;
pub(crate) mod header;
pub(crate) mod keys;
pub(crate) mod line;
pub(crate) mod lineage;
mod order;
pub(crate) mod payloads;
mod roots;
#[cfg(test)]
mod tests;
mod verify;
mod write;

pub use crate::scan::Unexpected;
pub use custody::Link;
pub use header::{Header, Previous};
pub use line::{Field, Line, NotALine, Payload};
pub use payloads::Counts;
pub use verify::{Outcome, Verifier, verify};
pub use write::{NotWritten, Writer};

/// How every trail export starts.
pub const START: &[u8] = b"{\"trail\":{";

/// The most that one line may take, its line end included; larger fields belong in the lake.
pub const MAX_LINE: usize = 1 << 24;

/// The name of the field that `key.added`, `key.retired` and `key.revoked` commit to: the verifier
/// key as text.
pub const KEY_FIELD: &str = "key";
