//! The visitor, their language and colours, and whether a form is from here.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::arrival::{Arrival, go_on, is_foreign};
use super::error::PageError;
use super::error_page;
use super::session_cookie::{
    MAX_SESSION_IDLE_MS, cookie, cookie_language, drawn, is_secure, opened, sealed, session_cookie,
    set, sets_session, theme,
};
use super::state::ViewerState;
use super::visitor::WebVisitor;
use crate::guard::asked;
use crate::language::asked_language;
use crate::peer::PeerAddress;
use crate::telemetry::{RequestTelemetry, watched};
use dalil_phrasebook::viewer::ViewerTexts;

/// A visitor, and whether they need a cookie.
pub(super) struct WebVisit {
    visitor: WebVisitor,
    /// Whether the browser has no cookie of a visit, and gets one.
    is_new: bool,
    arrival: Arrival,
    now: i64,
}

impl WebVisit {
    /// Identifies the visitor.
    pub(super) fn of(view: &ViewerState, request: &Request) -> Self {
        let headers = request.headers();
        let now = view.app.now().map_or(0, |now| now.millis());
        let is_secure = is_secure(view, headers);
        let cookie = cookie(headers, session_cookie(is_secure))
            .and_then(|text| opened(&view.app.viewer, text))
            .filter(|(visit, _)| !view.app.ended_visits.has(visit));
        let arrival = if cookie.is_none() { Arrival::of(request) } else { Arrival::Ordinary };
        let is_new = cookie.is_none() && arrival == Arrival::Ordinary;
        let (visit, session) = cookie.unwrap_or_else(|| (drawn(), None));
        let language = cookie_language(headers).unwrap_or_else(|| asked_language(headers));
        let visitor = WebVisitor {
            language,
            w: ViewerTexts::in_language(language),
            theme: theme(headers),
            address: request.uri().path_and_query().map_or("/".to_owned(), ToString::to_string),
            asked: asked(request.method(), request.uri().path(), request.extensions().get()),
            peer: request.extensions().get::<PeerAddress>().copied(),
            is_secure,
            outside: RequestTelemetry::new(headers),
            session: session.filter(|session| session.ends.min(session.last_end()) > now),
            visit,
            abilities: Arc::default(),
            view: view.clone(),
        };
        Self { visitor, is_new, arrival, now }
    }

    /// The answer of a screen, with the headers and the cookie that pages need; a failure is a
    /// page, too.
    pub(super) fn answer(self, mut response: Response, id: &str) -> Response {
        let Self { visitor, is_new, now, .. } = self;
        if let Some(wrong) = PageError::of(&mut response) {
            let allow = response.headers_mut().remove(ALLOW);
            response = error_page::page(wrong, &visitor, id);
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
            set(&mut response, sealed, visitor.is_secure);
        }
        response
    }
}

/// Identifies the visitor, and adds to every page the parts that pages need.
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
    let sent_on =
        (visit.arrival == Arrival::SentOn).then(|| go_on(&visit.visitor, &visit.visitor.address));
    let inside = async |request| match sent_on {
        _ if is_foreign => PageError::Form.into_response(),
        Some(page) => page,
        None => next.run(request).await,
    };
    watched(&view.app, outside, request, inside, |answer, id| visit.answer(answer, id)).await
}

fn is_safe(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::OPTIONS].contains(method)
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
        // Headers that the API set for a saved file stay.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

const CSP_DIRECTIVES: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
