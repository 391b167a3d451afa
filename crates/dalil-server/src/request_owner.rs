//! Whose request it is, for whatever is shared out: memory, and turns at verifying.

use axum::http::Extensions;

/// Whose request it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestOwner {
    /// Somebody with this credential, by its name: the same over the API and in the viewer.
    Member(String),
    /// Nobody who is known, at this address.
    Stranger(String),
}

impl RequestOwner {
    /// Whose request it is, as whoever let it in has noted.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        let noted = extensions.get::<Self>().cloned();
        noted.unwrap_or_else(|| Self::Stranger("unknown".to_owned()))
    }

    /// What names it among its like.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Member(name) | Self::Stranger(name) => name,
        }
    }
}
