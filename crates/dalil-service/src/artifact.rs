//! The row by which a record names an object of the lake that it needs.

use dalil_proof::digest::Digest;
use dalil_store::EvidenceRow;
use dalil_store::catalog::ArtifactRow;

/// The row that makes a record need an object of the lake.
pub(super) fn artifact(digest: &Digest, size: usize, media_type: &str, role: &str) -> EvidenceRow {
    let (media_type, role) = (media_type.to_owned(), role.to_owned());
    ArtifactRow { sha256: *digest, size: size as u64, media_type, role }.into()
}
