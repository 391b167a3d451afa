//! Signing in at the identity provider: there by a redirect, and back with a code.
//!
//! Between the two, a separate cookie binds the sign-in to the browser. A browser sends
//! strict cookies with no request that another site leads to, so this one is `Lax`, is sealed for
//! this purpose, and lasts for ten minutes. For the same reason the callback shows no page
//! itself: a page redirects from there, and the browser sends its session with that request.

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Deserialize;

use super::arrival::{CALLBACK_PATH, go_on};
use super::error::PageError;
use super::layout::see;
use super::provider_signin_error::ProviderSignInError;
use super::session_cookie::{cookie, is_secure};
use super::signin::{SessionStart, begin, local, no_cookie};
use super::state::ViewerState;
use super::visitor::{WebCredential, WebVisitor};
use crate::app::App;
use crate::guard::limited;
use crate::oidc::code_flow::{PendingSignIn, SignInFailure};

#[cfg(test)]
mod tests;

/// Where to go afterwards.
#[derive(Deserialize)]
pub(super) struct ProviderSignInQuery {
    back: Option<String>,
}

/// Leads to the provider.
pub(super) async fn leave_to(
    State(view): State<ViewerState>,
    Query(query): Query<ProviderSignInQuery>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let app = &view.app;
    let back = local(query.back.as_deref());
    let (Some(provider), Some(redirect_uri)) = (app.authority.signin_provider(), redirect_uri(app))
    else {
        return Err(PageError::Page);
    };
    let pending = PendingSignIn::draw().ok_or_else(no_cookie)?;
    let to = match provider.signin_address(app.now()?, &redirect_uri, &pending).await {
        Ok(to) => to,
        Err(failure) => return Ok(see(&ProviderSignInError::of(app, &failure).address(back))),
    };
    let begun = BegunSignIn { pending, back: back.to_owned(), begun: app.now()?.millis() };
    let cookie = begun.cookie(&view, &headers).ok_or_else(no_cookie)?;
    let mut response = see(&to);
    response.headers_mut().append(SET_COOKIE, cookie);
    Ok(response)
}

/// The provider's reply when it leads back (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207).
#[derive(Deserialize)]
pub(super) struct ProviderReplyQuery {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// Takes a visitor back from the provider.
pub(super) async fn come_back(
    State(view): State<ViewerState>,
    Extension(visitor): Extension<WebVisitor>,
    Query(reply): Query<ProviderReplyQuery>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let begun = BegunSignIn::of(&view, &headers);
    let back = begun.as_ref().map_or("/", |begun| local(Some(&begun.back))).to_owned();
    let mut response = match signed_in(&visitor, &headers, begun, reply).await? {
        Ok(cookie) => {
            let mut response = go_on(&visitor, &back);
            response.headers_mut().append(SET_COOKIE, cookie);
            response
        }
        Err(error) => go_on(&visitor, &error.address(&back)),
    };
    // A code and its state are for one use, successful or not.
    if let Some(gone) = gone(is_secure(&view, &headers)) {
        response.headers_mut().append(SET_COOKIE, gone);
    }
    Ok(response)
}

/// The cookie of the user whom the reply signs in, or why the sign-in fails.
async fn signed_in(
    visitor: &WebVisitor,
    headers: &HeaderMap,
    begun: Option<BegunSignIn>,
    reply: ProviderReplyQuery,
) -> Result<Result<HeaderValue, ProviderSignInError>, PageError> {
    let app = &visitor.view.app;
    let (Some(provider), Some(redirect_uri)) = (app.authority.signin_provider(), redirect_uri(app))
    else {
        return Err(PageError::Page);
    };
    let (Some(begun), Some(state)) = (begun, reply.state) else {
        return Ok(Err(ProviderSignInError::Expired));
    };
    // Before any part of the reply is believed, an error included.
    if !begun.pending.is_answered_by(&state) {
        return Ok(Err(ProviderSignInError::Expired));
    }
    if let Some(error) = reply.error {
        let said = dalil_proof::fault::quote(&error);
        app.log.event("signin", &format!("the identity provider signed nobody in: {said}"));
        return Ok(Err(ProviderSignInError::Denied));
    }
    if reply.iss.is_some_and(|issuer| !provider.is_issuer(&issuer)) {
        let failure = SignInFailure::Untrusted("its reply names another issuer".to_owned());
        return Ok(Err(ProviderSignInError::of(app, &failure)));
    }
    // Each reply sends a request to the provider, so their rate is limited.
    limited(app, &visitor.network())?;
    let Some(code) = reply.code else { return Ok(Err(ProviderSignInError::Expired)) };
    let redeemed = provider.redeem(app.now()?, (&redirect_uri, &code), &begun.pending).await;
    let person = match redeemed {
        Ok(person) => person,
        Err(failure) => return Ok(Err(ProviderSignInError::of(app, &failure))),
    };
    match begin(visitor, headers, WebCredential::Provider(person)).await? {
        SessionStart::Admitted(cookie) => Ok(Ok(cookie)),
        SessionStart::Unknown | SessionStart::Refused(_) => Ok(Err(ProviderSignInError::Stranger)),
    }
}

/// Where the provider leads back to: of the configuration, so that no header of a request can make
/// it another place.
fn redirect_uri(app: &App) -> Option<String> {
    Some(format!("{}{CALLBACK_PATH}", app.config.public_url.as_deref()?))
}

/// A sign-in that was begun in this browser.
#[derive(Debug, PartialEq, Eq)]
struct BegunSignIn {
    pending: PendingSignIn,
    back: String,
    /// When, in milliseconds.
    begun: i64,
}

impl BegunSignIn {
    fn cookie(&self, view: &ViewerState, headers: &HeaderMap) -> Option<HeaderValue> {
        let PendingSignIn { state, nonce, verifier } = &self.pending;
        let text = format!("{}\n{state}\n{nonce}\n{verifier}\n{}", self.begun, self.back);
        let sealed = view.app.viewer.seal(SIGNIN_COOKIE, &text)?;
        set(is_secure(view, headers), &sealed, MAX_SIGNIN_MS / 1000)
    }

    fn of(view: &ViewerState, headers: &HeaderMap) -> Option<Self> {
        let sealed = cookie(headers, cookie_name(is_secure(view, headers)))?;
        let begun = Self::read(&view.app.viewer.open(SIGNIN_COOKIE, sealed)?)?;
        let now = view.app.now().ok()?.millis();
        (0..MAX_SIGNIN_MS).contains(&now.saturating_sub(begun.begun)).then_some(begun)
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, '\n').map(str::to_owned);
        let begun = parts.next()?.parse().ok()?;
        let (state, nonce, verifier) = (parts.next()?, parts.next()?, parts.next()?);
        let pending = PendingSignIn { state, nonce, verifier };
        Some(Self { pending, back: parts.next()?, begun })
    }
}

fn gone(is_secure: bool) -> Option<HeaderValue> {
    set(is_secure, "", 0)
}

fn set(is_secure: bool, value: &str, seconds: i64) -> Option<HeaderValue> {
    let (name, secure) = (cookie_name(is_secure), if is_secure { "; Secure" } else { "" });
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).ok()
}

/// The name of the cookie. Encrypted, it is one that no other host can set.
fn cookie_name(is_secure: bool) -> &'static str {
    if is_secure { SECURE_SIGNIN_COOKIE } else { SIGNIN_COOKIE }
}

const SIGNIN_COOKIE: &str = "dalil_signin";
const SECURE_SIGNIN_COOKIE: &str = "__Host-dalil_signin";
/// How long a user may take at the provider: time to find a second factor.
const MAX_SIGNIN_MS: i64 = 10 * 60 * 1000;
