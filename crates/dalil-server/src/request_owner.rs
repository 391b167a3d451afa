//! The owner of a request, for resources that are shared out: memory, and turns at verifying.

use axum::http::Extensions;

/// Whose request it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestOwner {
    /// The holder of this credential, by its name: the same over the API and in the viewer.
    Member(String),
    /// An anonymous caller at this address.
    Stranger(String),
}

impl RequestOwner {
    /// The owner of a request, as noted when it was authenticated.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        let noted = extensions.get::<Self>().cloned();
        noted.unwrap_or_else(|| Self::Stranger("unknown".to_owned()))
    }

    /// Its name among owners of its kind.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Member(name) | Self::Stranger(name) => name,
        }
    }
}
