//! API keys: the credential by which a program identifies itself.
//!
//! ```text
//! "dalil" "_" tenant "_" key_id "_" secret
//! ```
//!
//! `key_id` is 16 lower-case hex digits, `secret` 32 random bytes in base64url.
//! A store keeps the HMAC-SHA256 of the whole text under a secret of the server,
//! so that neither a catalog nor a backup of it opens anything. The tenant is
//! part of the text and of the MAC, so that only the key decides the tenant.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use dalil_proof::digest::{Digest, hex};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use sha2::Sha256;

#[cfg(test)]
mod tests;

/// The permitted uses of a key, whatever its owner may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ApiKeyScope {
    /// Look.
    View,
    /// Leave evidence: documents, sessions, decisions, calls, packs.
    Record,
    /// Review packs.
    Review,
    /// Let evidence leave the system.
    Export,
    /// Members, keys, holds and erasure.
    Administer,
}

impl ApiKeyScope {
    /// Every scope with the word it is written as.
    pub const WIRE_NAMES: &[(&'static str, Self)] = &[
        ("view", Self::View),
        ("record", Self::Record),
        ("review", Self::Review),
        ("export", Self::Export),
        ("administer", Self::Administer),
    ];

    /// The word it is written as.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Record => "record",
            Self::Review => "review",
            Self::Export => "export",
            Self::Administer => "administer",
        }
    }
}

/// A key as its owner shows it. It is never printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKeyToken {
    tenant: String,
    key_id: String,
    text: String,
}

impl ApiKeyToken {
    /// Makes a key of a tenant from injected randomness.
    pub fn new(tenant: &str, name: [u8; 8], secret: [u8; 32]) -> Self {
        let key_id = hex(&name);
        let text =
            format!("{TOKEN_PREFIX}_{tenant}_{key_id}_{}", BASE64_URL_SAFE_NO_PAD.encode(secret));
        Self { tenant: tenant.to_owned(), key_id, text }
    }

    /// Reads the text of a key; whether it opens anything is for its MAC to say.
    pub fn parse(text: &str) -> Option<Self> {
        // The secret is last and may contain `_`, as base64url does; the parts before it cannot.
        let mut parts = text.splitn(4, '_');
        let (prefix, tenant) = (parts.next()?, parts.next()?);
        let (key_id, secret) = (parts.next()?, parts.next()?);
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_name = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let named = !tenant.is_empty() && tenant.len() <= 63 && tenant.bytes().all(is_name);
        let numbered = key_id.len() == 16 && key_id.bytes().all(is_hex);
        let secret = BASE64_URL_SAFE_NO_PAD.decode(secret).ok()?;
        (prefix == TOKEN_PREFIX && named && numbered && secret.len() == 32).then(|| Self {
            tenant: tenant.to_owned(),
            key_id: key_id.to_owned(),
            text: text.to_owned(),
        })
    }

    /// The tenant that it names.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// The name of the key, which is no secret.
    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// The whole text, to be shown once to its owner.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The MAC that a store keeps of it.
    pub fn mac(&self, pepper: &Pepper) -> Digest {
        // HMAC takes keys of any length, so there always is a MAC. The other branch opens nothing:
        // `opens` has no MAC to compare then, and refuses.
        pepper
            .keyed(&self.text)
            .map_or(Digest::of(&[]), |mac| Digest::from_bytes(mac.finalize().into_bytes().into()))
    }

    /// Whether this is the key that a MAC was made of; takes the same time whatever differs.
    pub fn opens(&self, pepper: &Pepper, mac: &Digest) -> bool {
        pepper.keyed(&self.text).is_some_and(|own| own.verify_slice(mac.as_bytes()).is_ok())
    }
}

impl fmt::Debug for ApiKeyToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({})", self.key_id)
    }
}

/// The secret that keys are kept under. It is never shown.
pub struct Pepper([u8; 32]);

impl Pepper {
    /// Takes 32 secret bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    fn keyed(&self, text: &str) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        // The label keeps the MACs of API keys apart from anything else under the same secret.
        mac.update(b"dalil-apikey/1\n");
        mac.update(text.as_bytes());
        Some(mac)
    }
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper")
    }
}

const TOKEN_PREFIX: &str = "dalil";
