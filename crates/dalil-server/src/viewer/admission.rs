//! Authorises a signed-in person as the API authorises its callers.
//!
//! A screen calls the same functions as a route of the API, in this process, after the same
//! admission: the credential as it is now, its rate, and the permissions of its owner. A refusal is
//! a record.

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use dalil_proof::time::Time;

use super::error::PageError;
use super::visitor::{WebCredential, WebVisitor};
use crate::authentication::identify;
use crate::caller::Caller;
use crate::guard;
use crate::permission::Permission;
use crate::reply::attachment;

impl WebVisitor {
    /// The signed-in user, if they have the permission that a route would need.
    pub(super) async fn admit(&self, need: Permission) -> Result<Caller, PageError> {
        let (app, about) = (&self.view.app, (need, self.asked.as_str()));
        let caller = match &self.signed_in()?.credential {
            WebCredential::Bearer(text) => {
                guard::admit(app, &bearer(text)?, self.peer, about).await?
            }
            WebCredential::Provider(_) => guard::allow(app, self.who().await?, about).await?,
        };
        self.outside.note_caller(&caller);
        self.note_abilities(&caller).await?;
        Ok(caller)
    }

    /// The signed-in user, by the credential as it is now.
    pub(super) async fn who(&self) -> Result<Caller, PageError> {
        let (app, session) = (&self.view.app, self.signed_in()?);
        let known = match &session.credential {
            WebCredential::Bearer(text) => identify(app, &bearer(text)?).await,
            WebCredential::Provider(person) => {
                let ends = Time::from_millis(session.last_end()).ok_or(PageError::SignIn)?;
                app.authority.by_signin(&app.tenants, person, ends).await
            }
        };
        known.map_err(|_| PageError::SignIn)
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
