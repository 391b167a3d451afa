//! Canonical JSON (RFC 8785): the one form in which bytes are hashed and signed.

use std::fmt;

use dalil_phrasebook::{expected, found};
use serde::Serialize;
use thiserror::Error;

use crate::canon::writer::CanonicalWriter;
use crate::digest::Digest;
use crate::fault::{Fault, Refused};

#[cfg(test)]
mod tests;
mod writer;

/// A value that has no canonical form.
#[derive(Debug, Error)]
#[error("expected a value with a canonical form, found {0}")]
pub struct NotCanonical(String);

/// The canonical bytes of a value.
///
/// # Errors
/// A number that is not finite, a map whose keys are not strings, or a key twice in one object.
pub fn bytes(value: &impl Serialize) -> Result<Vec<u8>, NotCanonical> {
    let mut writer = CanonicalWriter::default();
    value.serialize(&mut writer)?;
    Ok(writer.bytes)
}

/// The digest of a value's canonical bytes.
///
/// # Errors
/// As [`bytes`].
pub fn digest(value: &impl Serialize) -> Result<Digest, NotCanonical> {
    bytes(value).map(|bytes| Digest::of(&bytes))
}

/// A parser of a format refuses text that has no canonical form.
impl From<NotCanonical> for Refused {
    fn from(_: NotCanonical) -> Self {
        Fault::new("canonical", "$", expected::a_canonical_form(), found::none()).into()
    }
}

impl serde::ser::Error for NotCanonical {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}
