//! Why bytes are not a model.

use thiserror::Error;

/// Weights or a vocabulary that are not a model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: expected {expected}, found {found}")]
pub struct ModelFileError {
    place: String,
    expected: String,
    found: String,
}

impl ModelFileError {
    /// An error at `place`, with the expected and the found value.
    pub fn new(
        place: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self { place: place.into(), expected: expected.into(), found: found.into() }
    }
}
