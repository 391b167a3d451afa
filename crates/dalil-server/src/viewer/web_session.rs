//! Who looks, in which language and colours, and whether a form is from here.

use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use dalil_core::digest::hex;

use super::error::PageError;
use super::words::ViewerTexts;
use super::{CookieCipher, ViewerState};
use crate::caller::Caller;
use crate::language::ReplyLanguage;
use crate::request_owner::RequestOwner;
use crate::telemetry::{PeerAddress, RequestTelemetry, watched};

#[cfg(test)]
mod tests;

/// Somebody who looks at a page.
#[derive(Clone)]
pub(super) struct WebVisitor {
    pub(super) view: ViewerState,
    pub(super) language: ReplyLanguage,
    pub(super) w: &'static ViewerTexts,
    pub(super) theme: Option<&'static str>,
    /// Who is signed in.
    pub(super) session: Option<WebSession>,
    /// The path and the query of the page.
    pub(super) address: String,
    pub(super) peer: Option<PeerAddress>,
    /// The request that the page answers.
    pub(super) outside: RequestTelemetry,
    /// What names this visit, in its cookie and in the marks of its forms.
    visit: String,
}

/// Somebody who signed in.
#[derive(Clone)]
pub(super) struct WebSession {
    /// The name to show.
    pub(super) who: String,
    /// What was signed in with.
    pub(super) credential: String,
    /// The name of the credential, which is no secret.
    credential_name: String,
    /// When it began, in milliseconds.
    begun: i64,
    /// When it ends unless it is used, in milliseconds.
    ends: i64,
}

impl WebSession {
    /// A session that lasts for one request.
    pub(super) fn of(credential: &str) -> Self {
        let (who, credential_name) = (String::new(), String::new());
        Self { who, credential: credential.to_owned(), credential_name, begun: 0, ends: 0 }
    }
}

impl WebSession {
    /// When it ends however much it is used.
    fn last_end(&self) -> i64 {
        self.begun.saturating_add(MAX_SESSION_MS)
    }
}

impl WebVisitor {
    /// Whoever is signed in, or the way to sign in.
    pub(super) fn signed_in(&self) -> Result<&WebSession, PageError> {
        self.session.as_ref().ok_or(PageError::SignIn)
    }

    /// Whose the requests of this visitor are, by the name that the API has for them.
    pub(super) fn owner(&self) -> RequestOwner {
        match &self.session {
            Some(session) => RequestOwner::Member(session.credential_name.clone()),
            None => RequestOwner::Stranger(self.network()),
        }
    }

    /// The address that the visitor is at, as far as it counts.
    pub(super) fn network(&self) -> String {
        PeerAddress::name(self.peer)
    }

    /// The mark that forms of this visit carry.
    pub(super) fn csrf_token(&self) -> String {
        self.view.app.viewer.csrf_token(&self.visit)
    }

    /// Refuses a form that does not carry the mark of this visit.
    pub(super) fn check_csrf_token(&self, mark: Option<&str>) -> Result<(), PageError> {
        let is_own = mark.is_some_and(|mark| self.view.app.viewer.is_csrf_token(&self.visit, mark));
        if is_own { Ok(()) } else { Err(PageError::Form) }
    }
}

/// Somebody who looks, and what their cookie needs.
pub(super) struct WebVisit {
    visitor: WebVisitor,
    is_new: bool,
    is_secure: bool,
    now: i64,
}

impl WebVisit {
    /// Finds out who looks.
    pub(super) fn of(view: &ViewerState, request: &Request) -> Self {
        let headers = request.headers();
        let now = view.app.now().map_or(0, |now| now.millis());
        let is_secure = is_secure(view, headers);
        let cookie = cookie(headers, session_cookie(is_secure))
            .and_then(|text| opened(&view.app.viewer, text))
            .filter(|(visit, _)| !view.app.ended_visits.has(visit));
        let is_new = cookie.is_none();
        let (visit, session) = cookie.unwrap_or_else(|| (drawn(), None));
        let language = cookie_language(headers).unwrap_or_else(|| ReplyLanguage::of(headers));
        let visitor = WebVisitor {
            language,
            w: ViewerTexts::of_language(language),
            theme: theme(headers),
            address: request.uri().path_and_query().map_or("/".to_owned(), ToString::to_string),
            peer: request.extensions().get::<PeerAddress>().copied(),
            outside: RequestTelemetry::new(headers),
            session: session.filter(|session| session.ends.min(session.last_end()) > now),
            visit,
            view: view.clone(),
        };
        Self { visitor, is_new, is_secure, now }
    }

    /// What a screen answered, with what pages need; whatever failed is a page, too.
    pub(super) fn answer(self, mut response: Response, id: &str) -> Response {
        let Self { visitor, is_new, is_secure, now } = self;
        if let Some(wrong) = PageError::of(&mut response) {
            let allow = response.headers_mut().remove(ALLOW);
            response = wrong.page(&visitor, id);
            response.headers_mut().extend(allow.map(|allow| (ALLOW, allow)));
        }
        around(&mut response);
        let ends = visitor.session.as_ref().map(|session| session.ends - now);
        // Renewed in its second half only, so that most replies set no cookie.
        if (is_new || ends.is_some_and(|left| left < MAX_SESSION_IDLE_MS / 2))
            && !sets_session(&response)
        {
            let kept = visitor.session.as_ref();
            let sealed = sealed(&visitor.view.app.viewer, &visitor.visit, kept, now);
            set(&mut response, sealed, is_secure);
        }
        response
    }
}

/// Finds out who looks, and puts around every page what pages need.
pub(super) async fn visit(
    State(view): State<ViewerState>,
    mut request: Request,
    next: Next,
) -> Response {
    let visit = WebVisit::of(&view, &request);
    // Beside the token: it stops a form of another site before its body is read.
    let is_foreign = !is_safe(request.method()) && is_foreign(request.headers());
    let outside = visit.visitor.outside.clone();
    request.extensions_mut().insert(visit.visitor.owner());
    request.extensions_mut().insert(visit.visitor.clone());
    let inside = async |request| {
        if is_foreign { PageError::Form.into_response() } else { next.run(request).await }
    };
    watched(&view.app, outside, request, inside, |answer, id| visit.answer(answer, id)).await
}

/// A session that begins, as a cookie; the visit is another from here on.
pub(super) fn begun(
    view: &ViewerState,
    headers: &HeaderMap,
    caller: &Caller,
    credential: &str,
) -> Option<HeaderValue> {
    let now = view.app.now().ok()?.millis();
    let session = WebSession {
        who: caller.name().to_owned(),
        credential: credential.to_owned(),
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
pub(super) fn ended(view: &ViewerState, headers: &HeaderMap) -> Option<HeaderValue> {
    let now = view.app.now().ok()?.millis();
    let sealed = sealed(&view.app.viewer, &drawn(), None, now)?;
    HeaderValue::from_str(&spelled(&sealed, is_secure(view, headers))).ok()
}

fn sealed(
    sealer: &CookieCipher,
    visit: &str,
    kept: Option<&WebSession>,
    now: i64,
) -> Option<String> {
    let ends = now.saturating_add(MAX_SESSION_IDLE_MS);
    let (begun, [credential, name, who]) = match kept {
        Some(WebSession { begun, credential, credential_name, who, .. }) => {
            (*begun, [credential, credential_name, who].map(String::as_str))
        }
        None => (now, [""; 3]),
    };
    sealer.seal(&format!("{visit}\n{ends}\n{begun}\n{credential}\n{name}\n{who}"))
}

fn opened(sealer: &CookieCipher, text: &str) -> Option<(String, Option<WebSession>)> {
    let text = sealer.open(text)?;
    let mut parts = text.splitn(6, '\n');
    let (visit, ends) = (parts.next()?.to_owned(), parts.next()?.parse().ok()?);
    let begun = parts.next()?.parse().ok()?;
    let (credential, credential_name) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let who = parts.next()?.to_owned();
    let session = WebSession { who, credential, credential_name, begun, ends };
    Some((visit, Some(session).filter(|session| !session.credential.is_empty())))
}

fn spelled(sealed: &str, is_secure: bool) -> String {
    let (name, secure) = (session_cookie(is_secure), if is_secure { "; Secure" } else { "" });
    format!(
        "{name}={sealed}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{secure}",
        MAX_SESSION_IDLE_MS / 1000
    )
}

fn set(response: &mut Response, sealed: Option<String>, is_secure: bool) {
    let value = sealed.and_then(|sealed| HeaderValue::from_str(&spelled(&sealed, is_secure)).ok());
    if let Some(value) = value {
        response.headers_mut().append(SET_COOKIE, value);
    }
}

fn sets_session(response: &Response) -> bool {
    let begins = |value: &HeaderValue| {
        let names = [SESSION_COOKIE, SECURE_SESSION_COOKIE];
        names.iter().any(|name| value.as_bytes().starts_with(name.as_bytes()))
    };
    response.headers().get_all(SET_COOKIE).iter().any(begins)
}

/// The value of a cookie.
fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

fn cookie_language(headers: &HeaderMap) -> Option<ReplyLanguage> {
    match cookie(headers, LANGUAGE_COOKIE)? {
        "ar" => Some(ReplyLanguage::Arabic),
        "en" => Some(ReplyLanguage::English),
        _ => None,
    }
}

fn theme(headers: &HeaderMap) -> Option<&'static str> {
    match cookie(headers, THEME_COOKIE)? {
        "light" => Some("light"),
        "dark" => Some("dark"),
        _ => None,
    }
}

/// Whether cookies may say that they only travel encrypted.
fn is_secure(view: &ViewerState, headers: &HeaderMap) -> bool {
    let config = &view.app.config;
    let public = config.public_url.as_deref().is_some_and(|url| url.starts_with("https://"));
    let forwarded = headers.get("x-forwarded-proto").is_some_and(|proto| proto == "https");
    config.tls.is_some() || public || forwarded
}

fn is_safe(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::OPTIONS].contains(method)
}

/// Whether a browser says that another site sends the request.
fn is_foreign(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let site = text(HeaderName::from_static("sec-fetch-site"));
    // `same-site` is another host of the same owner, and foreign too.
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return true;
    }
    let host = text(HOST).unwrap_or_default();
    // `Origin: null`, from a sandboxed frame, has no host and is foreign.
    text(ORIGIN).is_some_and(|origin| origin.split_once("://").is_none_or(|(_, from)| from != host))
}

fn around(response: &mut Response) {
    let headers = response.headers_mut();
    let said = [
        (CONTENT_SECURITY_POLICY, CSP_DIRECTIVES),
        (REFERRER_POLICY, "same-origin"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "private, no-store"),
        (VARY, "Cookie, Accept-Language"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
    ];
    for (name, value) in said {
        // What the API set for a file that is saved stays.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// A name for a visit.
fn drawn() -> String {
    let mut bytes = [0; 16];
    match getrandom::fill(&mut bytes) {
        Ok(()) => hex(&bytes),
        Err(_) => "without a name".to_owned(),
    }
}

/// The name of the cookie of a session. Encrypted, it is one that no other host can set.
fn session_cookie(is_secure: bool) -> &'static str {
    if is_secure { SECURE_SESSION_COOKIE } else { SESSION_COOKIE }
}

const SESSION_COOKIE: &str = "dalil_session";
const SECURE_SESSION_COOKIE: &str = "__Host-dalil_session";
pub(super) const LANGUAGE_COOKIE: &str = "dalil_language";
pub(super) const THEME_COOKIE: &str = "dalil_theme";
/// How long a session lasts that nobody uses.
const MAX_SESSION_IDLE_MS: i64 = 60 * 60 * 1000;
/// How long a session lasts however much it is used: a working day.
const MAX_SESSION_MS: i64 = 12 * 60 * 60 * 1000;
const CSP_DIRECTIVES: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
