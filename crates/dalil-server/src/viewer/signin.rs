//! Signing in and out, and how pages look.

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Deserialize;

use super::arrival::is_foreign;
use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::provider_signin_error::ProviderSignInError;
use super::session_cookie::{LANGUAGE_COOKIE, THEME_COOKIE, begun, end, ended};
use super::state::ViewerState;
use super::visitor::{WebCredential, WebSession, WebVisitor};
use crate::oidc::OidcProvider;
use crate::permission::Permission;

#[derive(Template)]
#[template(path = "signin.html")]
struct SignInPage {
    page: PageLayout,
    back: String,
    is_wrong: bool,
    /// The host of the identity provider, where people sign in there.
    provider: Option<String>,
    /// Where to sign out of the identity provider, after signing out here.
    signout: Option<String>,
}

/// The page to return to, the ticket of a link that signs in by itself, and the events before.
#[derive(Deserialize)]
pub(super) struct SignInQuery {
    back: Option<String>,
    ticket: Option<String>,
    /// Why the sign-in at the identity provider failed.
    failed: Option<String>,
    /// Present after signing out of a session on the word of the identity provider.
    left: Option<String>,
}

/// The notice on the page that asks for a credential.
enum SignInNotice {
    Nothing,
    /// The credential opens nothing.
    Wrong,
    /// The sign-in at the identity provider failed.
    Failed(ProviderSignInError),
    /// The user signed out, and may still be signed in at the identity provider.
    Left,
}

/// Asks for a credential, unless the address is a link that signs in by itself.
pub(super) async fn ask(
    State(view): State<ViewerState>,
    Extension(visitor): Extension<WebVisitor>,
    Query(query): Query<SignInQuery>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let back = query.back.as_deref();
    let Some(ticket) = query.ticket else {
        let failed = query.failed.as_deref().and_then(ProviderSignInError::of_word);
        let notice = match (failed, query.left) {
            (Some(error), _) => SignInNotice::Failed(error),
            (None, Some(_)) => SignInNotice::Left,
            (None, None) => SignInNotice::Nothing,
        };
        return Ok(asked(&visitor, back, &notice));
    };
    // Another site must not choose the account that a visitor is signed in to.
    let credential = view.app.signin_links.credential(&ticket).filter(|_| !is_foreign(&headers));
    let Some(credential) = credential else {
        return Ok(asked(&visitor, back, &SignInNotice::Wrong));
    };
    enter_with(&visitor, &headers, credential, back).await
}

fn asked(visitor: &WebVisitor, back: Option<&str>, notice: &SignInNotice) -> Response {
    let w = visitor.w;
    let provider = visitor.view.app.authority.signin_provider();
    let page = PageLayout::new(visitor, "signin", w.sign_in);
    let page = match notice {
        SignInNotice::Nothing => page,
        SignInNotice::Wrong => page.saying("bad", w.credential_bad),
        SignInNotice::Failed(error) => page.saying("bad", error.text(w)),
        SignInNotice::Left => page.saying("good", w.signed_out),
    };
    shown(&SignInPage {
        page,
        back: local(back).to_owned(),
        is_wrong: matches!(notice, SignInNotice::Wrong),
        provider: provider.map(|provider| provider.host().to_owned()),
        signout: provider
            .filter(|_| matches!(notice, SignInNotice::Left))
            .and_then(OidcProvider::signout_address),
    })
}

/// Takes a credential, and begins a session if it opens something.
pub(super) async fn enter(
    Extension(visitor): Extension<WebVisitor>,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    let fields = FormFields::read(&visitor, &body)?;
    let credential = fields.text("credential").trim().to_owned();
    enter_with(&visitor, &headers, credential, fields.one("back")).await
}

async fn enter_with(
    visitor: &WebVisitor,
    headers: &HeaderMap,
    credential: String,
    back: Option<&str>,
) -> Result<Response, PageError> {
    match begin(visitor, headers, WebCredential::Bearer(credential)).await? {
        SessionStart::Unknown => Ok(asked(visitor, back, &SignInNotice::Wrong)),
        // A key without the scope to view is still valid: its owner may do other things.
        SessionStart::Admitted(cookie) | SessionStart::Refused(cookie) => {
            let mut response = see(local(back));
            response.headers_mut().append(SET_COOKIE, cookie);
            Ok(response)
        }
    }
}

/// The result of trying a credential.
pub(super) enum SessionStart {
    /// It opens nothing.
    Unknown,
    /// Its owner may view; the cookie of the session.
    Admitted(HeaderValue),
    /// Its owner may not view, which is recorded; the cookie all the same.
    Refused(HeaderValue),
}

/// Begins a session, and ends the one before it.
pub(super) async fn begin(
    visitor: &WebVisitor,
    headers: &HeaderMap,
    credential: WebCredential,
) -> Result<SessionStart, PageError> {
    // Tried as any page is, so that it has the same limits and the same record of a refusal.
    let mut tried = visitor.clone();
    tried.session = Some(WebSession::of(credential.clone()));
    let is_admitted = match tried.admit(Permission::View).await {
        Ok(_) => true,
        Err(PageError::SignIn) => return Ok(SessionStart::Unknown),
        Err(wrong) if wrong.is_unknown() => return Ok(SessionStart::Unknown),
        Err(wrong) if !wrong.is_refusal() => return Err(wrong),
        Err(_) => false,
    };
    let Ok(caller) = tried.who().await else { return Ok(SessionStart::Unknown) };
    end(visitor);
    let cookie = begun(&visitor.view, headers, &caller, credential).ok_or_else(no_cookie)?;
    Ok(if is_admitted { SessionStart::Admitted(cookie) } else { SessionStart::Refused(cookie) })
}

/// Ends a session.
pub(super) async fn leave(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    FormFields::read(&visitor, &body)?;
    end(&visitor);
    let credential = visitor.session.as_ref().map(|session| &session.credential);
    let mut response = see(match credential {
        Some(WebCredential::Provider(_)) => "/signin?left=1",
        Some(WebCredential::Bearer(_)) | None => "/signin",
    });
    response.headers_mut().append(SET_COOKIE, ended(&visitor).ok_or_else(no_cookie)?);
    Ok(response)
}

/// Remembers a language or colours.
pub(super) async fn prefer(
    Extension(visitor): Extension<WebVisitor>,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    let fields = FormFields::read(&visitor, &body)?;
    let mut response = see(local(fields.one("back")));
    let language = fields.one("lang").filter(|lang| matches!(*lang, "en" | "ar"));
    let theme = fields.one("theme").filter(|theme| matches!(*theme, "auto" | "light" | "dark"));
    for (name, value) in [(LANGUAGE_COOKIE, language), (THEME_COOKIE, theme)] {
        let Some(value) = value else { continue };
        let cookie = format!("{name}={value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
    }
    Ok(response)
}

/// A machine without a clock or without randomness seals no cookie.
pub(super) fn no_cookie() -> PageError {
    PageError::impossible("viewer: a cookie could not be sealed")
}

/// The requested path if it is on this server, otherwise `/`.
pub(super) fn local(back: Option<&str>) -> &str {
    let is_path = |path: &&str| {
        let steers = |ch: char| ch.is_control() || ch == '\\';
        // `//host` and, in browsers, `/\host` lead to another server.
        path.starts_with('/') && !path.starts_with("//") && !path.contains(steers)
    };
    back.filter(is_path).unwrap_or("/")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_way_back_stays_here() {
        let to = |back| super::local(Some(back));
        assert_eq!(to("/packs?cursor=a"), "/packs?cursor=a");
        for elsewhere in
            ["//evil.example", "https://evil.example", "/\\evil.example", "packs", "/a\nb"]
        {
            assert_eq!(to(elsewhere), "/");
        }
    }
}
