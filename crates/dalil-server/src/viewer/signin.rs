//! Signing in and out, and how pages look.

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::http::header::{AUTHORIZATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Deserialize;

use super::error::PageError;
use super::form::{FormBody, FormFields};
use super::layout::{PageLayout, see, shown};
use super::session_cookie::{LANGUAGE_COOKIE, THEME_COOKIE, begun, end, ended};
use super::state::ViewerState;
use super::visitor::{WebSession, WebVisitor};
use super::web_session::is_foreign;
use crate::authentication::identify;
use crate::permission::Permission;

#[derive(Template)]
#[template(path = "signin.html")]
struct SignInPage {
    page: PageLayout,
    back: String,
    is_wrong: bool,
}

/// Where to go afterwards, and the ticket of a link that signs in by itself.
#[derive(Deserialize)]
pub(super) struct SignInQuery {
    back: Option<String>,
    ticket: Option<String>,
}

/// Asks for a credential, unless the address is a link that signs in by itself.
pub(super) async fn ask(
    State(view): State<ViewerState>,
    Extension(visitor): Extension<WebVisitor>,
    Query(SignInQuery { back, ticket }): Query<SignInQuery>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let Some(ticket) = ticket else { return Ok(asked(&visitor, back.as_deref(), false)) };
    // Another site must not choose as whom somebody is signed in.
    let credential = view.app.signin_links.credential(&ticket).filter(|_| !is_foreign(&headers));
    let Some(credential) = credential else { return Ok(asked(&visitor, back.as_deref(), true)) };
    begin(&visitor, &headers, &credential, back.as_deref()).await
}

fn asked(visitor: &WebVisitor, back: Option<&str>, is_wrong: bool) -> Response {
    let w = visitor.w;
    let page = PageLayout::new(visitor, "signin", w.sign_in);
    let page = if is_wrong { page.saying("bad", w.credential_bad) } else { page };
    shown(&SignInPage { page, back: local(back).to_owned(), is_wrong })
}

/// Takes a credential, and begins a session if it opens something.
pub(super) async fn enter(
    Extension(visitor): Extension<WebVisitor>,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    let fields = FormFields::read(&visitor, &body)?;
    begin(&visitor, &headers, fields.text("credential").trim(), fields.one("back")).await
}

/// Begins a session, and ends the one before it.
async fn begin(
    visitor: &WebVisitor,
    headers: &HeaderMap,
    credential: &str,
    back: Option<&str>,
) -> Result<Response, PageError> {
    let bearer = HeaderValue::from_str(&format!("Bearer {credential}"));
    let Ok(bearer) = bearer else { return Ok(asked(visitor, back, true)) };
    // Tried as any page is, so that it has the same limits and the same record of a refusal.
    let mut tried = visitor.clone();
    tried.session = Some(WebSession::of(credential));
    match tried.admit(Permission::View).await {
        Err(PageError::SignIn) => return Ok(asked(visitor, back, true)),
        Err(wrong) if wrong.is_unknown() => return Ok(asked(visitor, back, true)),
        // A key without the scope to look is still somebody's, who may do other things.
        Err(wrong) if !wrong.is_refusal() => return Err(wrong),
        Ok(_) | Err(_) => {}
    }
    let mut own = HeaderMap::new();
    own.insert(AUTHORIZATION, bearer);
    let Ok(caller) = identify(&visitor.view.app, &own).await else {
        return Ok(asked(visitor, back, true));
    };
    end(visitor);
    let cookie = begun(&visitor.view, headers, &caller, credential).ok_or_else(no_cookie)?;
    let mut response = see(local(back));
    response.headers_mut().append(SET_COOKIE, cookie);
    Ok(response)
}

/// Ends a session.
pub(super) async fn leave(
    State(view): State<ViewerState>,
    Extension(visitor): Extension<WebVisitor>,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<Response, PageError> {
    FormFields::read(&visitor, &body)?;
    end(&visitor);
    let mut response = see("/signin");
    response.headers_mut().append(SET_COOKIE, ended(&view, &headers).ok_or_else(no_cookie)?);
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
fn no_cookie() -> PageError {
    PageError::impossible("viewer: a cookie could not be sealed")
}

/// A path of this server, whatever was asked for.
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
