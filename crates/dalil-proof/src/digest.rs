//! SHA-256 digests: always whole inside, shortened only for display.

use std::fmt;
use std::str::FromStr;

use dalil_phrasebook::{Phrase, expected};
use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

#[cfg(test)]
mod tests;

/// A full-width SHA-256 digest.
///
/// Never shortened: a digest is what binds a citation to its bytes, so a
/// collision would let one text replace another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The form of a digest, for messages.
    pub const EXPECTED: Phrase = expected::digest();

    /// Digests bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Digests several byte strings as if they were one.
    pub fn of_parts<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> Self {
        let mut hasher = Sha256::new();
        // Nothing frames the parts: a caller whose parts vary in length frames them itself.
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// Wraps 32 bytes that are a digest already.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The 64 lower-case hex digits without a prefix, for fields that the contracts define so.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// The 64 lower-case hex digits, one after the other.
    pub fn digits(&self) -> impl Iterator<Item = u8> {
        digits(&self.0)
    }

    /// Reads 64 lower-case hex digits without a prefix.
    ///
    /// # Errors
    /// Anything else, upper case included.
    pub fn from_hex(text: &str) -> Result<Self, NotADigest> {
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return Err(NotADigest);
        }
        // Faults are gathered instead of returned, so that the loop has no early end.
        let mut wrong = false;
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let [high, low] = pair else { return Err(NotADigest) };
            let (high, low) = (nibble(*high), nibble(*low));
            wrong |= high > 0xf || low > 0xf;
            *byte = high << 4 | low & 0xf;
        }
        if wrong { Err(NotADigest) } else { Ok(Self(bytes)) }
    }
}

/// A digest in the making, for bytes that do not come at once.
#[derive(Clone, Debug, Default)]
pub struct DigestHasher(Sha256);

impl DigestHasher {
    /// Takes the bytes that come next.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of everything that came.
    pub fn digest(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// Text that is not a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {}", Digest::EXPECTED.english())]
pub struct NotADigest;

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_hex(text.strip_prefix("sha256:").ok_or(NotADigest)?)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Lower-case hex digits of bytes.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    text.extend(digits(bytes).map(char::from));
    text
}

/// The lower-case hex digits of bytes, one after the other.
fn digits(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let digit = |nibble: u8| nibble + if nibble < 10 { b'0' } else { b'a' - 10 };
    bytes.iter().flat_map(move |byte| [digit(byte >> 4), digit(byte & 0xf)])
}

/// The value of a digit; more than 15 when it is none. Without branches, since digests are many.
const fn nibble(digit: u8) -> u8 {
    let (decimal, letter) = (digit.wrapping_sub(b'0'), digit.wrapping_sub(b'a'));
    if decimal < 10 {
        decimal
    } else if letter < 6 {
        letter + 10
    } else {
        0xff
    }
}
