//! Sealing a pack: its canonical bytes in a signed envelope, and later a receipt.

use serde::Serialize;

use crate::canon::{self, NotCanonical};
use crate::digest::hex;
use crate::dsse::Envelope;
use crate::key::SecretKey;
use crate::pack::Draft;
use crate::record::Commitment;

/// A sealed pack as it is stored and handed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sealed {
    /// The pack's canonical bytes, and who signed them.
    pub envelope: Envelope,
    /// The receipt of the record that says it was sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// The salt of that record's commitment, in hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

impl Sealed {
    /// Adds the receipt of the `pack.sealed` record and the salt of its commitment.
    #[must_use]
    pub fn with_receipt(self, receipt: String, salt: &[u8; 32]) -> Self {
        Self { receipt: Some(receipt), salt: Some(hex(salt)), ..self }
    }

    /// The commitment that the `pack.sealed` record carries under [`COMMITMENT`].
    pub fn commitment(&self, salt: &[u8; 32]) -> Commitment {
        Commitment::of(COMMITMENT, salt, &self.envelope.payload)
    }
}

/// Seals a pack with the tenant's key.
///
/// # Errors
/// Never in practice: a draft has a canonical form.
pub fn seal(draft: &Draft, key: &SecretKey) -> Result<Sealed, NotCanonical> {
    let envelope = Envelope::sign(PAYLOAD_TYPE, canon::bytes(draft)?, key);
    Ok(Sealed { envelope, receipt: None, salt: None })
}

/// What a pack's bytes are called in an envelope.
pub const PAYLOAD_TYPE: &str = "application/vnd.dalil.pack+json";
/// The name of a pack's bytes among the commitments of its record.
pub const COMMITMENT: &str = "pack";
