//! Whoever is signed in, let in as the API lets in its callers.
//!
//! A screen calls the same functions as a route of the API, in this process, after the same
//! admission: the credential as it is now, its rate, and what its owner may. A refusal is a record.

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

use super::error::PageError;
use super::visitor::WebVisitor;
use crate::authentication::identify;
use crate::caller::Caller;
use crate::guard;
use crate::permission::Permission;
use crate::reply::attachment;

impl WebVisitor {
    /// Whoever is signed in, if they may do what a route with this permission does.
    pub(super) async fn admit(&self, need: Permission) -> Result<Caller, PageError> {
        let headers = bearer(&self.signed_in()?.credential)?;
        let about = (need, self.asked.as_str());
        let caller = guard::admit(&self.view.app, &headers, self.peer, about).await?;
        self.outside.note_caller(&caller);
        self.note_abilities(&caller).await?;
        Ok(caller)
    }

    /// Whoever is signed in, by the credential as it is now.
    pub(super) async fn who(&self) -> Result<Caller, PageError> {
        let headers = bearer(&self.signed_in()?.credential)?;
        identify(&self.view.app, &headers).await.map_err(|_| PageError::SignIn)
    }
}

/// The headers of a request with a credential; a text that fits into none opens nothing.
fn bearer(credential: &str) -> Result<HeaderMap, PageError> {
    let value = HeaderValue::from_str(&format!("Bearer {credential}"));
    let value = value.map_err(|_| PageError::SignIn)?;
    Ok(HeaderMap::from_iter([(AUTHORIZATION, value)]))
}

/// A reply to be saved as a file.
pub(super) fn saved(mut response: Response, filename: &str) -> Response {
    let name = HeaderName::from_static("content-disposition");
    if let Ok(value) = HeaderValue::from_str(&attachment(filename)) {
        response.headers_mut().insert(name, value);
    }
    response
}
