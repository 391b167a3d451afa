//! The API, asked in this process as whoever is signed in.

use axum::body::{Body, Bytes, to_bytes};
use axum::http::header::{ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use axum::response::Response;
use dalil::store::Tenant;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower::ServiceExt as _;

use super::error::{PageError, ProblemReply};
use super::visitor::WebVisitor;
use crate::authentication::identify;
use crate::caller::Caller;
use crate::percent::seg;

/// A page of a list.
#[derive(Debug, serde::Deserialize)]
pub(super) struct ListReply<T> {
    #[serde(default = "Vec::new")]
    pub(super) items: Vec<T>,
    #[serde(default)]
    pub(super) next_cursor: Option<String>,
}

impl WebVisitor {
    /// What a path of the API says.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, PageError> {
        let bytes = read_reply_body(self.send(Method::GET, path, None).await?).await?;
        serde_json::from_slice(&bytes).map_err(|_| PageError::Internal)
    }

    /// What a path of the API says, unless it says that there is nothing.
    pub(super) async fn find<T: DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<Option<T>, PageError> {
        match self.get(path).await {
            Ok(found) => Ok(Some(found)),
            Err(wrong) if wrong.is_missing() => Ok(None),
            Err(wrong) => Err(wrong),
        }
    }

    /// The text at a path of the API.
    pub(super) async fn text(&self, path: &str) -> Result<String, PageError> {
        let bytes = read_reply_body(self.send(Method::GET, path, None).await?).await?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What the API says to JSON.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        value: &impl Serialize,
    ) -> Result<T, PageError> {
        let body = serde_json::to_vec(value).map_err(|_| PageError::Internal)?;
        self.sent(Method::POST, path, ("application/json", body.into())).await
    }

    /// What the API says to content of any kind.
    pub(super) async fn sent<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        content: (&'static str, Body),
    ) -> Result<T, PageError> {
        let sent = self.send(method, path, Some(content)).await?;
        serde_json::from_slice(&read_reply_body(sent).await?).map_err(|_| PageError::Internal)
    }

    /// Asks the API; what it refuses is a problem.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        content: Option<(&'static str, Body)>,
    ) -> Result<Response, PageError> {
        let (media_type, body) =
            content.map_or((None, Body::empty()), |(media_type, body)| (Some(media_type), body));
        let mut request = Request::builder().method(method).uri(path);
        if let Some(media_type) = media_type {
            request = request.header(CONTENT_TYPE, media_type);
        }
        if let Some(session) = &self.session {
            let bearer = format!("Bearer {}", session.credential);
            let bearer = HeaderValue::from_str(&bearer).map_err(|_| PageError::SignIn)?;
            request = request.header(AUTHORIZATION, bearer);
        }
        let request = request.header(ACCEPT_LANGUAGE, self.language.tag()).body(body);
        let mut request = request.map_err(|_| PageError::Page)?;
        // Marks the request as part of the visitor's own: it is not timed or logged a second time.
        request.extensions_mut().insert(self.outside.clone());
        if let Some(peer) = self.peer {
            request.extensions_mut().insert(peer);
        }
        let answer = self.view.api.clone().oneshot(request).await;
        let answer = answer.unwrap_or_else(|never| match never {});
        if answer.status().is_success() {
            return Ok(answer);
        }
        let status = answer.status().as_u16();
        let retry_after = answer.headers().get(RETRY_AFTER).cloned();
        let bytes = read_reply_body(answer).await?;
        let problem = serde_json::from_slice::<ProblemReply>(&bytes);
        let mut problem = problem.map_err(|_| PageError::Internal)?;
        // The status of the reply counts; the body only repeats it.
        (problem.status, problem.retry_after) = (status, retry_after);
        Err(PageError::Problem(Box::new(problem)))
    }
}

impl WebVisitor {
    /// Whoever is signed in, by the credential as it is now.
    pub(super) async fn who(&self) -> Result<Caller, PageError> {
        let bearer = format!("Bearer {}", self.signed_in()?.credential);
        let mut headers = HeaderMap::new();
        let bearer = HeaderValue::from_str(&bearer).map_err(|_| PageError::SignIn)?;
        headers.insert(AUTHORIZATION, bearer);
        identify(&self.view.app, &headers).await.map_err(|_| PageError::SignIn)
    }

    /// The tenant of whoever is signed in.
    pub(super) async fn tenant(&self) -> Result<Tenant, PageError> {
        Ok(self.who().await?.tenant)
    }
}

/// A reply of the API, to be saved as a file.
pub(super) fn saved(mut response: Response, filename: &str) -> Response {
    let name = HeaderName::from_static("content-disposition");
    if let Ok(value) =
        HeaderValue::from_str(&format!("attachment; filename*=UTF-8''{}", seg(filename)))
    {
        response.headers_mut().insert(name, value);
    }
    response
}

async fn read_reply_body(response: Response) -> Result<Bytes, PageError> {
    to_bytes(response.into_body(), MAX_REPLY_BYTES).await.map_err(|_| PageError::Internal)
}

/// The most bytes of a reply that a page is made of.
const MAX_REPLY_BYTES: usize = 64 << 20;
