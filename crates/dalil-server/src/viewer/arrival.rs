//! Arrivals by a link on another site.
//!
//! A browser does not send strict cookies with such a request. Answered at once, it would look
//! signed out, and a new cookie would replace the session. A page that reloads the same address
//! by itself makes it a request of our own.

use askama::Template;
use axum::extract::Request;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, Method};
use axum::response::Response;

use super::layout::shown;
use super::visitor::WebVisitor;
use dalil_phrasebook::viewer::ViewerTexts;

#[cfg(test)]
mod tests;

#[derive(Template)]
#[template(path = "arrival.html")]
struct ArrivalPage<'p> {
    w: &'static ViewerTexts,
    to: &'p str,
}

/// How a request that another site led here is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// It is answered as any other: nothing of another site, or a page that is safe without a session.
    Ordinary,
    /// It is sent on to the same address.
    SentOn,
    /// It is answered, but its missing session is no reason for a new cookie.
    Callback,
}

impl Arrival {
    /// How a request without a session is answered.
    pub(super) fn of(request: &Request) -> Self {
        match request.uri().path() {
            CALLBACK_PATH => Self::Callback,
            // A link that signs in by itself needs this to see whether another site chose it.
            "/signin" => Self::Ordinary,
            _ if is_led_here(request.method(), request.headers()) => Self::SentOn,
            _ => Self::Ordinary,
        }
    }
}

/// Whether a page of another site made the browser open this one.
fn is_led_here(method: &Method, headers: &HeaderMap) -> bool {
    let navigates = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    *method == Method::GET && navigates && is_foreign(headers)
}

/// A page that leads on by itself to an address of this server.
pub(super) fn go_on(visitor: &WebVisitor, to: &str) -> Response {
    shown(&ArrivalPage { w: visitor.w, to })
}

/// Whether a browser states that another site sends the request.
pub(super) fn is_foreign(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let site = text(HeaderName::from_static("sec-fetch-site"));
    // `same-site` is another host of the same owner, and foreign too.
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return true;
    }
    let host = text(HOST);
    // `Origin: null`, from a sandboxed frame, has no host and is foreign.
    text(ORIGIN)
        .is_some_and(|origin| origin.split_once("://").is_none_or(|(_, from)| Some(from) != host))
}

/// Where the identity provider leads back to.
pub(super) const CALLBACK_PATH: &str = "/signin/callback";
