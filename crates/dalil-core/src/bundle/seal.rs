//! The digest of a bundle: everything but the time, with digests for contents.

use serde::Serialize;

use crate::bundle::{Cut, Head, Item, Policy, Problem, Summary};
use crate::canon::{self, NotCanonical};
use crate::digest::Digest;

/// What the digest covers after the cuts and the items, in the order of the names.
#[derive(Serialize)]
pub(super) struct Rest<'b> {
    pub(super) policy: &'b Policy,
    pub(super) problems: &'b [Problem],
    pub(super) summary: &'b Summary,
}

/// The digest of the canonical form of `{"cuts", "items", "policy", "problems",
/// "summary"}`, each item without its content.
pub(super) fn digest(
    items: &[Item],
    cuts: &[Cut],
    rest: &Rest<'_>,
) -> Result<Digest, NotCanonical> {
    let mut bytes = Vec::with_capacity(items.len() * HEAD_SIZE);
    bytes.extend(b"{\"cuts\":");
    bytes.extend(canon::bytes(&cuts)?);
    bytes.extend(b",\"items\":[");
    for (n, item) in items.iter().enumerate() {
        bytes.extend(if n == 0 { b"".as_slice() } else { b"," });
        write(&item.head, &mut bytes)?;
    }
    bytes.extend(b"],");
    bytes.extend(canon::bytes(rest)?.iter().skip(1));
    Ok(Digest::of(&bytes))
}

/// Writes the canonical form of a head. Sorting is most of the work, and is
/// left out where the fields stand in order already.
fn write(head: &Head, bytes: &mut Vec<u8>) -> Result<(), NotCanonical> {
    let metadata = &head.metadata;
    let sorted =
        metadata.given.is_empty() && metadata.http_meta.is_none() && metadata.redactions.is_none();
    if sorted {
        serde_json::to_writer(bytes, head)?;
    } else {
        bytes.extend(canon::bytes(head)?);
    }
    Ok(())
}

/// About as long as a head is.
const HEAD_SIZE: usize = 512;
