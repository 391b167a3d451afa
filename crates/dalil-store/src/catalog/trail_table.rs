//! Lines of the tables that hold the trail itself, whole or the columns that are read together.

use dalil_proof::digest::Digest;
use dalil_proof::id::RecordId;
use dalil_proof::record::RecordKind;
use dalil_proof::time::Time;

use super::table::typed_row;

typed_row! {
    /// A record.
    pub(crate) struct RecordLine of "records" {
        idx: u64, id: RecordId, kind: RecordKind, subject: String, sequence: u64, at: Time,
        leaf: [u8; 32], envelope: Vec<u8>,
    }
}

typed_row! {
    /// The position of a record.
    pub(crate) struct PlaceLine of "records" { idx: u64, id: RecordId, leaf: [u8; 32] }
}

typed_row! {
    /// The newest record of a subject.
    pub(crate) struct LineageLine of "records" {
        subject: String, sequence: u64, leaf: [u8; 32], at: Time, idx: u64,
    }
}

typed_row! {
    /// The bytes of a record.
    pub(crate) struct EnvelopeLine of "records" { idx: u64, envelope: Vec<u8> }
}

typed_row! {
    /// A field of a payload. The commitment decides whether salt and digest are right: a wrong one
    /// opens nothing.
    pub(crate) struct PayloadLine of "payloads" {
        idx: u64, name: String, salt: Vec<u8>, bytes: Option<Vec<u8>>, sha256: Option<String>,
    }
}

typed_row! {
    /// A complete tile of the tree.
    pub(crate) struct TileLine of "tiles" { level: u64, tile: u64, hashes: Vec<u8> }
}

typed_row! {
    /// A signed head.
    pub(crate) struct CheckpointLine of "checkpoints" { size: u64, note: String }
}

typed_row! {
    /// Which signed head one follows; 0 for the first.
    pub(crate) struct CheckpointLinkLine of "checkpoint_links" { size: u64, previous: u64 }
}

typed_row! {
    /// Another party's signature on a head.
    pub(crate) struct CosignatureLine of "cosignatures" { size: u64, line: String }
}

typed_row! {
    /// A time-stamping authority's signature on a head.
    pub(crate) struct TimestampLine of "timestamps" { size: u64, line: String }
}

typed_row! {
    /// A request that was answered, and by which records.
    pub(crate) struct RequestLine of "requests" {
        key: String, fingerprint: Digest, first: u64, count: u64,
    }
}

typed_row! {
    /// The sealed seed of a signing key.
    pub(crate) struct SecretLine of "secrets" { key_id: String, sealed: Vec<u8> }
}

typed_row! {
    /// A change of keys, and the sealed seed of the key.
    pub(crate) struct SealedKeyLine of "keys" {
        key_id: String, public_key: String, change: String, sealed: Option<Vec<u8>>, at: Time,
    }
}

typed_row! {
    /// A record that lost its payload, and the record of its erasure.
    pub(crate) struct ErasedByLine of "erasures" { erased: u64, idx: u64 }
}
