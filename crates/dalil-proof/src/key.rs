//! Keys: an Ed25519 key with a name, as signed notes know them.
//!
//! A public key is written as Go's and C2SP's verifier key,
//! `name+hash+base64(type || key)`. Weak and non-canonical keys cannot be held,
//! and verifying is strict, so that every checker agrees on every signature.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{Phrase, error, expected};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Serialize, Serializer};

use crate::digest::{Digest, hex};

#[cfg(test)]
mod tests;

/// The signature algorithm of a key: the type byte of its verifier key and of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignatureScheme {
    /// Ed25519 over the text itself, type `0x01`.
    Plain,
    /// A witness's Ed25519 cosignature with a time, type `0x04`.
    Cosignature,
}

impl SignatureScheme {
    const fn byte(self) -> u8 {
        match self {
            Self::Plain => 0x01,
            Self::Cosignature => 0x04,
        }
    }
}

/// The first four bytes of the digest of a key's name, type and bytes.
///
/// It finds a key; it does not prove one. Anyone can make a key with a given id.
pub type KeyId = [u8; 4];

/// A named public key that is neither weak nor written in a second way.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    name: String,
    scheme: SignatureScheme,
    id: KeyId,
    point: VerifyingKey,
}

impl PublicKey {
    /// The form of a public key, for messages.
    pub const EXPECTED: Phrase = expected::a_verifier_key_name_hash_base64();

    /// Names 32 bytes of an Ed25519 public key.
    ///
    /// # Errors
    /// A name that notes cannot carry; bytes that are no point, a point of small
    /// order, or a point written in a non-canonical way.
    pub fn new(name: &str, scheme: SignatureScheme, bytes: &[u8; 32]) -> Result<Self, NotAKey> {
        if !is_name(name) {
            return Err(NotAKey::Name);
        }
        let point = VerifyingKey::from_bytes(bytes).map_err(|_| NotAKey::Point)?;
        if point.is_weak() {
            return Err(NotAKey::Weak);
        }
        // The curve library reduces the coordinate silently; a second spelling
        // of one key would have a second id.
        if point.to_edwards().compress().as_bytes() != bytes {
            return Err(NotAKey::Point);
        }
        let id = key_id(name, scheme, bytes);
        Ok(Self { name: name.to_owned(), scheme, id, point })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The signature algorithm of the key.
    pub fn scheme(&self) -> SignatureScheme {
        self.scheme
    }

    /// The four bytes that signatures find the key by.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// The 32 bytes of the key.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.point.as_bytes()
    }

    /// Whether `signature` is this key's over `message`, checked strictly.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        // RFC 8032 lets checkers differ about points of small order and the
        // cofactor; the strict check has one answer for every signature.
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.point.verify_strict(message, &signature).is_ok())
    }
}

impl FromStr for PublicKey {
    type Err = NotAKey;

    /// Reads a verifier key; its hash must be the hash of the rest.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // No name has a `+`, but base64 has, so both splits are from the left.
        let (name, rest) = text.split_once('+').ok_or(NotAKey::Form)?;
        let (_, encoded) = rest.split_once('+').ok_or(NotAKey::Form)?;
        let decoded = STANDARD.decode(encoded).map_err(|_| NotAKey::Form)?;
        let (scheme, bytes) = decoded.split_first().ok_or(NotAKey::Form)?;
        let scheme = [SignatureScheme::Plain, SignatureScheme::Cosignature]
            .into_iter()
            .find(|known| known.byte() == *scheme)
            .ok_or(NotAKey::Scheme)?;
        let bytes = bytes.try_into().map_err(|_| NotAKey::Form)?;
        let key = Self::new(name, scheme, bytes)?;
        // The hash in the text was passed over; writing
        // the key again checks it, and every spelling.
        if key.to_string() == text { Ok(key) } else { Err(NotAKey::Hash) }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, scheme, id, point } = self;
        let mut bytes = vec![scheme.byte()];
        bytes.extend(point.as_bytes());
        write!(f, "{name}+{}+{}", hex(id), STANDARD.encode(bytes))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Why something is not a key that may be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAKey {
    /// The text has another form.
    Form,
    /// Notes cannot carry the name.
    Name,
    /// The type byte is neither plain Ed25519 nor a cosignature.
    Scheme,
    /// The bytes are not the one spelling of a point on the curve.
    Point,
    /// The point has small order, so that one signature fits many messages.
    Weak,
    /// The hash in the text is not the hash of its name, type and bytes.
    Hash,
}

impl NotAKey {
    /// Why, as a person reads it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Form => error::another_form_of_key(PublicKey::EXPECTED),
            Self::Name => error::key_name(),
            Self::Scheme => error::key_type(),
            Self::Point => error::key_point(),
            Self::Weak => error::weak_key(),
            Self::Hash => error::key_hash(),
        }
    }
}

dalil_phrasebook::spoken_error!(NotAKey);

/// A named secret key. Its bytes are wiped when it is dropped and never shown.
#[derive(Clone)]
pub struct SecretKey {
    public: PublicKey,
    signing: SigningKey,
}

impl SecretKey {
    /// Makes the plain signing key of a 32-byte seed.
    ///
    /// # Errors
    /// A name that notes cannot carry.
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, NotAKey> {
        Self::with_scheme(name, SignatureScheme::Plain, seed)
    }

    /// Makes a witness's cosigning key of a 32-byte seed.
    ///
    /// # Errors
    /// A name that notes cannot carry.
    pub fn cosigner_from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, NotAKey> {
        Self::with_scheme(name, SignatureScheme::Cosignature, seed)
    }

    fn with_scheme(name: &str, scheme: SignatureScheme, seed: &[u8; 32]) -> Result<Self, NotAKey> {
        let signing = SigningKey::from_bytes(seed);
        let public = PublicKey::new(name, scheme, signing.verifying_key().as_bytes())?;
        Ok(Self { public, signing })
    }

    /// The public key that verifies signatures of this one.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs a message.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.signing.sign(message).to_bytes()
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey({})", self.public)
    }
}

/// Whether a signed note can carry this key name.
pub(crate) fn is_name(name: &str) -> bool {
    // C2SP `signed-note`: a space ends the name on a signature line, a `+` in a verifier key.
    let barred = |ch: char| ch.is_whitespace() || ch.is_control() || ch == '+';
    (1..=MAX_KEY_NAME_BYTES).contains(&name.len()) && !name.contains(barred)
}

fn key_id(name: &str, scheme: SignatureScheme, bytes: &[u8; 32]) -> KeyId {
    // The key id of C2SP `signed-note`. It covers the type, so one key has another id in each role.
    let parts = [name.as_bytes(), b"\n", &[scheme.byte()], bytes];
    let [a, b, c, d, ..] = *Digest::of_parts(parts).as_bytes();
    [a, b, c, d]
}

const MAX_KEY_NAME_BYTES: usize = 200;
