//! Canonical JSON (RFC 8785): the one form in which bytes are hashed and signed.

use serde::Serialize;
use thiserror::Error;

use crate::digest::Digest;

#[cfg(test)]
mod tests;

/// A value that has no canonical form.
#[derive(Debug, Error)]
#[error("expected a value with a canonical form, found one without: {0}")]
pub struct NotCanonical(#[from] serde_json::Error);

/// The canonical bytes of a value.
///
/// # Errors
/// A number that is not finite, or a map whose keys are not strings.
pub fn bytes(value: &impl Serialize) -> Result<Vec<u8>, NotCanonical> {
    Ok(serde_json_canonicalizer::to_vec(value)?)
}

/// The digest of a value's canonical bytes.
///
/// # Errors
/// As [`bytes`].
pub fn digest(value: &impl Serialize) -> Result<Digest, NotCanonical> {
    bytes(value).map(|bytes| Digest::of(&bytes))
}
