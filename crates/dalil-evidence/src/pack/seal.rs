//! Sealing a pack: its canonical bytes in a signed envelope, and later a receipt.

use dalil_proof::canon::{self, NotCanonical};
use dalil_proof::digest::hex;
use dalil_proof::dsse::DsseEnvelope;
use dalil_proof::key::SecretKey;
use dalil_proof::record::Commitment;
use serde::Serialize;

use crate::pack::draft::PackDraft;

/// A sealed pack as it is stored and handed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SealedPack {
    /// The pack's canonical bytes, and who signed them.
    pub envelope: DsseEnvelope,
    /// The receipt of the record that it was sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// The salt of that record's commitment, in hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

impl SealedPack {
    /// Adds the receipt of the `pack.sealed` record and the salt of its commitment.
    #[must_use]
    pub fn with_receipt(self, receipt: String, salt: &[u8; 32]) -> Self {
        Self { receipt: Some(receipt), salt: Some(hex(salt)), ..self }
    }

    /// The commitment that the `pack.sealed` record carries under [`PACK_FIELD`].
    pub fn commitment(&self, salt: &[u8; 32]) -> Commitment {
        Commitment::of(PACK_FIELD, salt, &self.envelope.payload)
    }
}

/// Seals a pack with the tenant's key.
///
/// # Errors
/// Never in practice: a draft has a canonical form.
pub fn seal(draft: &PackDraft, key: &SecretKey) -> Result<SealedPack, NotCanonical> {
    let envelope = DsseEnvelope::sign(PACK_PAYLOAD_TYPE, canon::bytes(draft)?, key);
    Ok(SealedPack { envelope, receipt: None, salt: None })
}

/// The media type of a pack in an envelope.
pub const PACK_PAYLOAD_TYPE: &str = "application/vnd.dalil.pack+json";
/// The name of a pack's bytes among the commitments of its record.
pub const PACK_FIELD: &str = "pack";
