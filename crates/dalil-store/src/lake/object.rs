//! The state of an object, and its retention.

use dalil_proof::digest::Digest;

/// How an object is kept from being deleted until a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetentionEnforcement {
    /// By the server: no account can delete it.
    Locked,
    /// By the trail alone: a folder, or a bucket without object lock.
    Trail,
}

/// The state of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LakeObjectState {
    /// Its bytes have its digest.
    Whole {
        /// How many bytes.
        size: u64,
    },
    /// There is no such object.
    Missing,
    /// There are other bytes under its name.
    Altered {
        /// The digest of those bytes.
        found: Digest,
        /// How many they are.
        size: u64,
    },
    /// Something that is no file has its name.
    Strange,
}

/// The largest object that is put with one request and compared byte by byte.
pub(super) const MAX_SINGLE_PUT_BYTES: u64 = 8 << 20;
