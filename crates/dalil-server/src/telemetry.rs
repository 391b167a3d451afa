//! Around every request: its name, its time limit, its line in the log, its figures.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{HeaderName, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use dalil_proof::digest::{Digest, hex};
use futures_util::FutureExt as _;
use tokio::time::{Instant, timeout};

use crate::app::App;
use crate::caller::Caller;
use crate::http_method::method_name;
use crate::language::asked_language;
use crate::log::RequestLogLine;
use crate::problem::{self, ApiProblem, ProblemKind};
use crate::trace::{TraceContext, TraceSpan, TracedEvidence, TracedRequest};

/// The caller of a request, for the log.
#[derive(Clone, Debug)]
pub(crate) struct CallerIdentity {
    tenant: String,
    credential: String,
}

impl CallerIdentity {
    pub(crate) fn of(caller: &Caller) -> Self {
        let tenant = caller.tenant.name().to_owned();
        Self { tenant, credential: caller.credential.clone() }
    }
}

/// A request from outside, and the facts noted while it was answered.
#[derive(Clone, Debug)]
pub(crate) struct RequestTelemetry {
    /// Its name, which is in its reply and in the log.
    id: String,
    context: TraceContext,
    seen: Arc<OnceLock<CallerIdentity>>,
    evidence: Arc<OnceLock<TracedEvidence>>,
}

impl RequestTelemetry {
    pub(crate) fn new(headers: &HeaderMap) -> Self {
        Self {
            id: drawn(),
            context: TraceContext::of(headers),
            seen: Arc::default(),
            evidence: Arc::default(),
        }
    }

    /// Which trace the request belongs to.
    pub(crate) fn context(&self) -> TraceContext {
        self.context.clone()
    }

    /// Remembers the caller, for the log and for traces.
    pub(crate) fn note_caller(&self, caller: &Caller) {
        self.seen.get_or_init(|| CallerIdentity::of(caller));
    }

    /// Remembers the evidence that it is about.
    pub(crate) fn note_evidence(&self, digest: &Digest) {
        self.evidence.get_or_init(|| TracedEvidence::of(digest));
    }

    /// Takes the values for the log and for traces from an answer.
    fn hear(&self, answer: &Response) {
        if let Some(seen) = answer.extensions().get::<CallerIdentity>() {
            self.seen.get_or_init(|| seen.clone());
        }
        if let Some(evidence) = answer.extensions().get::<TracedEvidence>() {
            self.evidence.get_or_init(|| evidence.clone());
        }
    }
}

/// Answers a request of the API, even after a panic.
pub(crate) async fn watch(State(app): State<App>, request: Request, next: Next) -> Response {
    let language = asked_language(request.headers());
    let outside = RequestTelemetry::new(request.headers());
    let said = |answer, id: &str| problem::said(answer, language, id);
    watched(&app, outside, request, async |request| next.run(request).await, said).await
}

/// Answers a request from outside within its time; `said` writes the answers to failures.
pub(crate) async fn watched(
    app: &App,
    outside: RequestTelemetry,
    mut request: Request,
    inside: impl AsyncFnOnce(Request) -> Response,
    said: impl FnOnce(Response, &str) -> Response,
) -> Response {
    let begun = Instant::now();
    let RequestTelemetry { id, context, .. } = outside.clone();
    request.extensions_mut().insert(context.clone());
    let (method, matched) = (request.method().clone(), matched_route(&request));
    let scheme = if app.is_encrypted(request.headers()) { "https" } else { "http" };
    app.metrics.in_flight.up();
    // A panic must be a problem with a request id, and not a connection that breaks. Everything
    // that the request held is dropped with it.
    let answer = AssertUnwindSafe(inside(request)).catch_unwind();
    let answer = match timeout(Duration::from_secs(app.config.limits.seconds), answer).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => ApiProblem::new(ProblemKind::Internal).into_response(),
        Err(_) => ApiProblem::new(ProblemKind::Timeout).into_response(),
    };
    app.metrics.in_flight.down();
    note(app, &answer);
    outside.hear(&answer);
    let (seen, evidence) = (outside.seen.get().cloned(), outside.evidence.get().cloned());
    // The reply to `HEAD` keeps its body here: axum takes it away outside of every layer, after its
    // length was written, which is that of `GET` (RFC 9110, section 9.3.2).
    let mut response = said(answer, &id);
    around(&mut response, &id);
    if app.config.tls.is_some() {
        let always = HeaderValue::from_static("max-age=31536000");
        response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, always);
    }
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    let route = matched.as_deref().unwrap_or(UNMATCHED_ROUTE);
    app.metrics.answered(method_name(&method), route, status, took);
    app.log.line(&RequestLogLine {
        at: app.log.at(),
        event: "request",
        request_id: &id,
        method: method_name(&method),
        route,
        status,
        micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        tenant: seen.as_ref().map(|seen| seen.tenant.as_str()),
        credential: seen.as_ref().map(|seen| seen.credential.as_str()),
        trace_id: Some(&context.trace_id),
    });
    if let Ok(end) = app.now() {
        let request = TracedRequest { method, scheme, route: matched.clone(), status };
        app.traces.take(TraceSpan {
            name: request.span_name(route),
            context,
            end,
            took,
            request: Some(request),
            tenant: seen.map(|seen| seen.tenant),
            evidence,
        });
    }
    response
}

/// Notes why a request failed, if its answer contains a problem.
fn note(app: &App, answer: &Response) {
    if let Some(problem) = answer.extensions().get::<ApiProblem>() {
        app.note(problem);
    }
}

/// The route of a request, if its path has one.
fn matched_route(request: &Request) -> Option<String> {
    request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned())
}

fn around(response: &mut Response, id: &str) {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID_HEADER, id);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers
        // Pages bring their own; other content must not become a page in a browser.
        .entry(HeaderName::from_static("content-security-policy"))
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    headers
        .entry(HeaderName::from_static("referrer-policy"))
        .or_insert(HeaderValue::from_static("no-referrer"));
}

/// The route of paths that have none: otherwise each invented path would add a time series.
const UNMATCHED_ROUTE: &str = "unknown";
/// The header with the name of a request.
pub(crate) const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// A name for a request; one without randomness is still a name.
fn drawn() -> String {
    let mut bytes = [0; 8];
    match getrandom::fill(&mut bytes) {
        Ok(()) => format!("req_{}", hex(&bytes)),
        Err(_) => "req_0000000000000000".to_owned(),
    }
}
