//! DSSE envelopes: a payload, its type, and its signatures.
//!
//! The signature is over the pre-authentication encoding, so that bytes of one
//! type can never pass for bytes of another. There is one spelling of an
//! envelope's parts, and everything else is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{bound, expected, found, hint};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::decode::{self, JsonReader};
use crate::digest::hex;
use crate::fault::Fault;
use crate::key::{PublicKey, SecretKey};

#[cfg(test)]
mod tests;

/// Signed bytes and their type. Nothing about the signatures has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DsseEnvelope {
    /// The media type of the payload.
    pub payload_type: &'static str,
    /// The bytes.
    pub payload: Vec<u8>,
    /// The signatures, unverified. Never empty, and each key once.
    pub signatures: Vec<DsseSignature>,
}

/// A signature and the name of the key that it claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DsseSignature {
    /// The key, as `name+hash`. It finds a key; it proves nothing.
    pub keyid: String,
    /// The signature.
    pub bytes: Vec<u8>,
}

impl DsseEnvelope {
    /// Signs bytes of a type.
    pub fn sign(payload_type: &'static str, payload: Vec<u8>, key: &SecretKey) -> Self {
        let bytes = key.sign(&encode(payload_type, &payload)).to_vec();
        let signatures = vec![DsseSignature { keyid: keyid(key.public()), bytes }];
        Self { payload_type, payload, signatures }
    }

    /// Reads an envelope that must be of a type.
    pub fn read(reader: JsonReader<'_, '_>, payload_type: &'static str) -> Option<Self> {
        let mut fields = reader.object()?;
        let payload = fields.required("payload", bytes);
        let found =
            fields.required("payloadType", |found| found.choice(&[(payload_type, payload_type)]));
        let signatures = fields.required("signatures", read_signatures);
        fields.done()?;
        Some(Self { payload_type: found?, payload: payload?, signatures: signatures? })
    }

    /// Whether `key` signed the bytes as this type.
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        let Self { payload_type, payload, signatures } = self;
        let id = keyid(key);
        // The key id only selects the signature to try. An attacker can write any; it proves
        // nothing.
        let mut tried = signatures.iter().filter(|signature| signature.keyid == id).peekable();
        // Keys that signed nothing cost nothing: the bytes may be many, and so may the keys.
        if tried.peek().is_none() {
            return false;
        }
        let encoded = encode(payload_type, payload);
        tried.any(|signature| key.verify(&encoded, &signature.bytes))
    }
}

/// What envelopes call a key: its name and hash, as its verifier key has them.
pub fn keyid(key: &PublicKey) -> String {
    format!("{}+{}", key.name(), hex(&key.id()))
}

/// The pre-authentication encoding: the bytes that are signed instead of the bare payload.
pub fn encode(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    // PAE of DSSE v1. Both lengths are written, so no other type and payload give these bytes.
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

impl Serialize for DsseEnvelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { payload_type, payload, signatures } = self;
        let mut fields = serializer.serialize_struct("Envelope", 3)?;
        fields.serialize_field("payload", &STANDARD.encode(payload))?;
        fields.serialize_field("payloadType", payload_type)?;
        fields.serialize_field("signatures", signatures)?;
        fields.end()
    }
}

impl Serialize for DsseSignature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { keyid, bytes } = self;
        let mut fields = serializer.serialize_struct("Signature", 2)?;
        fields.serialize_field("keyid", keyid)?;
        fields.serialize_field("sig", &STANDARD.encode(bytes))?;
        fields.end()
    }
}

/// Standard base64 in its one spelling: padded, and no bits left over.
fn bytes(reader: JsonReader<'_, '_>) -> Option<Vec<u8>> {
    let text = decode::text(reader)?;
    // This engine refuses missing padding and spare bits that are not zero.
    STANDARD.decode(text).ok().or_else(|| {
        let expected = expected::standard_base64();
        reader.push(Fault::new("base64", reader.path(), expected, found::something_else()))
    })
}

/// Reads the signatures of an envelope: at least one, at most 100, and each key once.
pub fn read_signatures(reader: JsonReader<'_, '_>) -> Option<Vec<DsseSignature>> {
    let signatures = reader.short_list(MAX_SIGNATURES, signature)?;
    if signatures.is_empty() {
        let fault =
            Fault::new("signatures", reader.path(), bound::at_least_one_signature(), found::none());
        return reader.push(fault.hint(hint::an_envelope_without_a_signature_proves_nothing()));
    }
    // Each key once: more lines of one key would be other bytes that say nothing more.
    let mut ids: Vec<&str> = signatures.iter().map(|signature| signature.keyid.as_str()).collect();
    ids.sort_unstable();
    if ids.windows(2).any(|pair| pair.first() == pair.last()) {
        return reader.push(Fault::new(
            "signatures",
            reader.path(),
            expected::each_key_once(),
            found::one_twice(),
        ));
    }
    Some(signatures)
}

fn signature(reader: JsonReader<'_, '_>) -> Option<DsseSignature> {
    let mut fields = reader.object()?;
    let keyid = fields.required("keyid", decode::filled);
    let bytes = fields.required("sig", bytes);
    fields.done()?;
    Some(DsseSignature { keyid: keyid?, bytes: bytes? })
}

/// As many as a note may have. Each costs a verifier all bytes of the payload.
const MAX_SIGNATURES: usize = 100;
