//! The progress of the records of a subject on the way through a trail.

use dalil_proof::digest::Digest;
use dalil_proof::time::Time;

/// The newest record of a subject on the way.
pub(super) struct FsckLineageHead {
    pub(super) sequence: u64,
    pub(super) leaf: Digest,
    pub(super) at: Time,
}
