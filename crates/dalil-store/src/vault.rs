//! Private keys at rest.
//!
//! An *identity*, 32 random bytes, seals the seeds of the tenants' signing keys
//! with ChaCha20-Poly1305. The seeds are in the catalog; the identity is in a
//! file of its own, for its owner's eyes only, plain or under a passphrase. Who
//! has the catalog has no key; who has the catalog and the identity has all of
//! them. Secrets are wiped from memory when dropped, and nothing prints them.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit as _};
use dalil_proof::fault::quote;
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::error::Error;

mod identity;
#[cfg(test)]
mod tests;

/// What seals and opens the seeds of signing keys.
#[derive(Clone)]
pub struct Vault {
    identity: Arc<SecretBytes>,
}

/// A passphrase: not empty, wiped when dropped, never printed.
pub struct Passphrase(Zeroizing<String>);

/// 32 secret bytes.
type SecretBytes = Zeroizing<[u8; 32]>;

impl Vault {
    /// Makes an identity and keeps it in `path`, which must not exist.
    ///
    /// The file is whole and on the disk when this returns, with mode 0600.
    ///
    /// # Errors
    /// Refused: there is a file. Unavailable: it cannot be written.
    pub fn create(path: &Path, passphrase: Option<&Passphrase>) -> Result<Self, Error> {
        let identity = random(MAKE_IDENTITY)?;
        identity::create(path, &identity, passphrase)?;
        Ok(Self { identity: Arc::new(identity) })
    }

    /// Reads the identity in `path`.
    ///
    /// # Errors
    /// Refused: no passphrase where one is needed, one where none is, a wrong
    /// one, or a file that others may read. Damaged: the file is not as it was
    /// written. Unavailable: it cannot be read.
    pub fn load(path: &Path, passphrase: Option<&Passphrase>) -> Result<Self, Error> {
        Ok(Self { identity: Arc::new(identity::load(path, passphrase)?) })
    }

    /// Keeps the identity in `path` under another passphrase, or under none.
    ///
    /// Sealed keys stay sealed by the same identity. After a crash the file is the old one or the
    /// new one, whole.
    ///
    /// # Errors
    /// As [`Vault::load`] for the old passphrase; unavailable: cannot be written.
    pub fn change(
        path: &Path,
        old: Option<&Passphrase>,
        new: Option<&Passphrase>,
    ) -> Result<(), Error> {
        let identity = identity::load(path, old)?;
        identity::replace(path, &identity, new)
    }

    /// A vault of an identity that is kept elsewhere.
    pub fn of(identity: [u8; 32]) -> Self {
        Self { identity: Arc::new(Zeroizing::new(identity)) }
    }

    /// Seals the seed of a tenant's key.
    ///
    /// # Errors
    /// Unavailable: the system gives no randomness.
    pub fn seal(&self, tenant: &str, key_id: &str, seed: &[u8; 32]) -> Result<Vec<u8>, Error> {
        // 96 random bits: one identity seals few seeds, so none comes twice.
        let nonce = random(SEAL_SIGNING_KEY)?;
        let nonce = nonce.first_chunk::<NONCE_BYTES>().unwrap_or(&[0; NONCE_BYTES]);
        let aad = context(tenant, key_id);
        let sealed = seal(&self.identity, nonce, seed, &aad)?;
        Ok([&[SEALED_SEED_VERSION], nonce.as_slice(), &sealed].concat())
    }

    /// Derives a secret for another purpose, the same for every holder of the identity.
    ///
    /// Who learns it learns nothing about the identity or about another purpose.
    pub fn derive(&self, purpose: &str) -> SecretBytes {
        let mut hasher = Sha256::new();
        for part in [b"dalil/derive/v1".as_slice(), self.identity.as_slice(), purpose.as_bytes()] {
            // Lengths keep the parts apart: no two lists of parts are the same bytes.
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part);
        }
        // Hashed twice, so that no purpose is the beginning of another one's secret.
        let once = Zeroizing::new(<[u8; 32]>::from(hasher.finalize()));
        Zeroizing::new(Sha256::digest(once.as_slice()).into())
    }

    /// Opens the sealed seed of a tenant's key.
    ///
    /// # Errors
    /// Damaged: it was changed, or sealed by another identity, or for another
    /// tenant or key.
    pub fn open(&self, tenant: &str, key_id: &str, sealed: &[u8]) -> Result<SecretBytes, Error> {
        let damaged = |expected: &str, found: String| {
            let place = format!("tenant {}, key {}", quote(tenant), quote(key_id));
            Error::damaged("open the signing key", place)
                .saw(expected, found)
                .hint("give the identity that the key was made with, or restore the catalog")
        };
        let size = sealed.len();
        let parts = sealed.split_first().and_then(|(version, rest)| {
            let (nonce, rest) = rest.split_first_chunk::<NONCE_BYTES>()?;
            (size == SEALED_SEED_BYTES).then_some((*version, nonce, rest))
        });
        let Some((version, nonce, rest)) = parts else {
            return Err(damaged("a sealed seed of 61 bytes", format!("{size} bytes")));
        };
        if version != SEALED_SEED_VERSION {
            return Err(damaged("a sealed seed of version 1", format!("version {version}")));
        }
        open(&self.identity, nonce, rest, &context(tenant, key_id)).ok_or_else(|| {
            damaged(
                "a seed sealed by this identity for this key",
                "another, or a changed one".into(),
            )
        })
    }
}

impl Passphrase {
    /// Takes a passphrase.
    ///
    /// # Errors
    /// Refused: it is empty.
    pub fn new(text: String) -> Result<Self, Error> {
        let text = Zeroizing::new(text);
        if text.is_empty() {
            return Err(Error::refused("take the passphrase", "the passphrase")
                .saw("at least one character", "none"));
        }
        Ok(Self(text))
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vault(…)")
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(…)")
    }
}

/// The context that a sealed seed is bound to, each part after its length.
fn context(tenant: &str, key_id: &str) -> Vec<u8> {
    let mut bytes = b"dalil/secret/v1".to_vec();
    for part in [tenant, key_id] {
        bytes.extend((part.len() as u64).to_be_bytes());
        bytes.extend(part.as_bytes());
    }
    bytes
}

fn seal(
    key: &SecretBytes,
    nonce: &[u8; NONCE_BYTES],
    seed: &[u8],
    aad: &[u8],
) -> Result<Vec<u8>, Error> {
    let cipher = ChaCha20Poly1305::new((&**key).into());
    // It fails only beyond 256 GiB; a seed has 32 bytes.
    cipher.encrypt(nonce.into(), Payload { msg: seed, aad }).map_err(|_| {
        Error::unavailable(SEAL_SIGNING_KEY, "the cipher").saw("at most 256 GiB", "more")
    })
}

fn open(
    key: &SecretBytes,
    nonce: &[u8; NONCE_BYTES],
    sealed: &[u8],
    aad: &[u8],
) -> Option<SecretBytes> {
    let cipher = ChaCha20Poly1305::new((&**key).into());
    let bytes = cipher.decrypt(nonce.into(), Payload { msg: sealed, aad }).ok()?;
    let bytes = Zeroizing::new(bytes);
    bytes.as_slice().try_into().ok().map(Zeroizing::new)
}

fn random(what: &str) -> Result<SecretBytes, Error> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(bytes.as_mut())
        .map_err(|error| Error::unavailable(what, "the system").saw("random bytes", error))?;
    Ok(bytes)
}

const MAKE_IDENTITY: &str = "make an identity";
const SEAL_SIGNING_KEY: &str = "seal a signing key";
const SEALED_SEED_VERSION: u8 = 1;
const NONCE_BYTES: usize = 12;
/// Version, nonce, seed and tag.
const SEALED_SEED_BYTES: usize = 1 + NONCE_BYTES + 32 + 16;
