//! Commitments: a digest that binds a field of a payload without showing it.

use std::collections::BTreeMap;

use dalil_phrasebook::expected;
use serde::Serialize;

use crate::decode::{self, JsonReader};
use crate::digest::Digest;

/// A salted digest of one named field.
///
/// Without the salt, which lives beside the payload and is erased with it, the
/// field cannot be guessed back, however small it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Commitment(pub(super) Digest);

impl Commitment {
    /// Commits to `bytes` under `name`.
    ///
    /// Every part is framed by its length, so that no two different inputs are
    /// digested as the same bytes.
    pub fn of(name: &str, salt: &[u8; 32], bytes: &[u8]) -> Self {
        // The domain keeps these digests apart from every other use of SHA-256.
        let parts = [COMMITMENT_DOMAIN, name.as_bytes(), salt.as_slice(), bytes];
        let lengths = parts.map(|part| (part.len() as u64).to_be_bytes());
        let framed = lengths.iter().zip(parts).flat_map(|(length, part)| [length.as_slice(), part]);
        Self(Digest::of_parts(framed))
    }

    /// Whether this is the commitment to `bytes` under `name`.
    pub fn opens(&self, name: &str, salt: &[u8; 32], bytes: &[u8]) -> bool {
        // All of it is in the file that is checked, so the comparison need not be in constant time.
        *self == Self::of(name, salt, bytes)
    }

    /// Whether a field may have this name.
    pub fn is_name(name: &str) -> bool {
        let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.');
        (1..=64).contains(&name.len()) && name.bytes().all(plain)
    }

    /// The digest itself.
    pub fn digest(&self) -> &Digest {
        &self.0
    }
}

/// Reads the commitments of an envelope.
pub(super) fn read_map(reader: JsonReader<'_, '_>) -> Option<BTreeMap<String, Commitment>> {
    let commitments = reader.map(|value| decode::digest(value).map(Commitment))?;
    match commitments.keys().find(|name| !Commitment::is_name(name)) {
        None => Some(commitments),
        Some(_) => reader.refuse("commitment", expected::commitment_names()),
    }
}

const COMMITMENT_DOMAIN: &[u8] = b"dalil commitment v1";
