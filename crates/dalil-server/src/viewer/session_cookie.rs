//! The cookies of the viewer: the session, sealed, and how pages look.

use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use dalil_phrasebook::Language;
use dalil_proof::digest::hex;

use super::seal::CookieCipher;
use super::state::ViewerState;
use super::visitor::{WebCredential, WebSession, WebVisitor};
use crate::caller::Caller;
use crate::oidc::code_flow::ProviderPerson;

/// A session that begins, as a cookie; the visit is another from here on.
pub(super) fn begun(
    view: &ViewerState,
    headers: &HeaderMap,
    caller: &Caller,
    credential: WebCredential,
) -> Option<HeaderValue> {
    let now = view.app.now().ok()?.millis();
    let session = WebSession {
        who: caller.name().to_owned(),
        credential,
        credential_name: caller.credential.clone(),
        begun: now,
        ends: now.saturating_add(MAX_SESSION_IDLE_MS),
    };
    let sealed = sealed(&view.app.viewer, &drawn(), Some(&session), now)?;
    HeaderValue::from_str(&spelled(&sealed, is_secure(view, headers))).ok()
}

/// Ends the session of a visit, wherever a copy of its cookie is.
pub(super) fn end(visitor: &WebVisitor) {
    let app = &visitor.view.app;
    if let (Some(session), Ok(now)) = (&visitor.session, app.now()) {
        app.ended_visits.end(&visitor.visit, session.last_end(), now.millis());
    }
}

/// A visit without a session, as a cookie.
pub(super) fn ended(visitor: &WebVisitor) -> Option<HeaderValue> {
    let app = &visitor.view.app;
    let sealed = sealed(&app.viewer, &drawn(), None, app.now().ok()?.millis())?;
    HeaderValue::from_str(&spelled(&sealed, visitor.is_secure)).ok()
}

pub(super) fn sealed(
    sealer: &CookieCipher,
    visit: &str,
    kept: Option<&WebSession>,
    now: i64,
) -> Option<String> {
    let ends = now.saturating_add(MAX_SESSION_IDLE_MS);
    let (begun, credential, name, who) = match kept {
        Some(WebSession { begun, credential, credential_name, who, .. }) => {
            let credential = match credential {
                WebCredential::Bearer(text) => format!("{BEARER_WORD} {text}"),
                WebCredential::Provider(ProviderPerson { tenant, name }) => {
                    format!("{PROVIDER_WORD} {tenant} {name}")
                }
            };
            (*begun, credential, credential_name.as_str(), who.as_str())
        }
        None => (now, String::new(), "", ""),
    };
    sealer.seal(SESSION_COOKIE, &format!("{visit}\n{ends}\n{begun}\n{credential}\n{name}\n{who}"))
}

pub(super) fn opened(sealer: &CookieCipher, text: &str) -> Option<(String, Option<WebSession>)> {
    let text = sealer.open(SESSION_COOKIE, text)?;
    let mut parts = text.splitn(6, '\n');
    let (visit, ends) = (parts.next()?.to_owned(), parts.next()?.parse().ok()?);
    let begun = parts.next()?.parse().ok()?;
    let (credential, credential_name) = (parts.next()?, parts.next()?.to_owned());
    let who = parts.next()?.to_owned();
    let credential = match credential.split_once(' ') {
        Some((BEARER_WORD, text)) => WebCredential::Bearer(text.to_owned()),
        Some((PROVIDER_WORD, person)) => {
            // The name of a tenant has no space; the name of a person may.
            let (tenant, name) = person.split_once(' ')?;
            let (tenant, name) = (tenant.to_owned(), name.to_owned());
            WebCredential::Provider(ProviderPerson { tenant, name })
        }
        _ => return Some((visit, None)),
    };
    Some((visit, Some(WebSession { who, credential, credential_name, begun, ends })))
}

fn spelled(sealed: &str, is_secure: bool) -> String {
    let (name, secure) = (session_cookie(is_secure), if is_secure { "; Secure" } else { "" });
    format!(
        "{name}={sealed}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{secure}",
        MAX_SESSION_IDLE_MS / 1000
    )
}

pub(super) fn set(response: &mut Response, sealed: Option<String>, is_secure: bool) {
    let value = sealed.and_then(|sealed| HeaderValue::from_str(&spelled(&sealed, is_secure)).ok());
    if let Some(value) = value {
        response.headers_mut().append(SET_COOKIE, value);
    }
}

pub(super) fn sets_session(response: &Response) -> bool {
    let begins = |value: &HeaderValue| {
        let names = [SESSION_COOKIE, SECURE_SESSION_COOKIE];
        names.iter().any(|name| value.as_bytes().starts_with(name.as_bytes()))
    };
    response.headers().get_all(SET_COOKIE).iter().any(begins)
}

/// The value of a cookie.
pub(super) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

pub(super) fn cookie_language(headers: &HeaderMap) -> Option<Language> {
    match cookie(headers, LANGUAGE_COOKIE)? {
        "ar" => Some(Language::Arabic),
        "en" => Some(Language::English),
        _ => None,
    }
}

pub(super) fn theme(headers: &HeaderMap) -> Option<&'static str> {
    match cookie(headers, THEME_COOKIE)? {
        "light" => Some("light"),
        "dark" => Some("dark"),
        _ => None,
    }
}

/// Whether cookies may be marked as `Secure`.
pub(super) fn is_secure(view: &ViewerState, headers: &HeaderMap) -> bool {
    view.app.is_encrypted(headers)
}

/// A name for a visit.
pub(super) fn drawn() -> String {
    let mut bytes = [0; 16];
    match getrandom::fill(&mut bytes) {
        Ok(()) => hex(&bytes),
        Err(_) => "without a name".to_owned(),
    }
}

/// The name of the cookie of a session. Encrypted, it is one that no other host can set.
pub(super) fn session_cookie(is_secure: bool) -> &'static str {
    if is_secure { SECURE_SESSION_COOKIE } else { SESSION_COOKIE }
}

/// The kind of credential that began a session, in its cookie.
const BEARER_WORD: &str = "bearer";
const PROVIDER_WORD: &str = "provider";
const SESSION_COOKIE: &str = "dalil_session";
const SECURE_SESSION_COOKIE: &str = "__Host-dalil_session";
pub(super) const LANGUAGE_COOKIE: &str = "dalil_language";
pub(super) const THEME_COOKIE: &str = "dalil_theme";
/// How long an unused session lasts.
pub(super) const MAX_SESSION_IDLE_MS: i64 = 60 * 60 * 1000;
