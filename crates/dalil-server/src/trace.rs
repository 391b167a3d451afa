//! Traces: spans of requests, checks, seals and exports, sent to an OpenTelemetry collector.
//!
//! A span of evidence carries its digest, `dalil.evidence.sha256`, and never a word of it; that of
//! a pack also the trace that its decision names, `dalil.decision.trace_id`. Spans wait in a
//! bounded queue and are sent by a thread of their own as OTLP in JSON; spans that cannot be sent
//! are counted and dropped.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use axum::http::{HeaderMap, Method};
use dalil_proof::digest::{Digest, hex};
use dalil_proof::json::Json;
use dalil_proof::time::Time;
use serde_json::{Value, json};

use crate::http_client::agent;
use crate::http_method::{OTHER_METHOD, method_name};
use crate::metrics::ServerMetrics;

#[cfg(test)]
mod tests;

/// Where spans go, if they go anywhere.
#[derive(Debug)]
pub(crate) struct SpanExporter {
    queue: Option<SyncSender<TraceSpan>>,
    metrics: Arc<ServerMetrics>,
}

/// Which trace something belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TraceContext {
    pub(crate) trace_id: String,
    pub(crate) parent: Option<String>,
}

/// The evidence that a request was about.
#[derive(Clone, Debug)]
pub(crate) struct TracedEvidence {
    sha256: String,
    /// The trace in which the decision of a pack was made, if it names one.
    decision_trace_id: Option<String>,
}

impl TracedEvidence {
    pub(crate) fn of(digest: &Digest) -> Self {
        Self { sha256: digest.to_string(), decision_trace_id: None }
    }

    /// That of a sealed pack, by its canonical bytes.
    pub(crate) fn of_pack(payload: &[u8]) -> Self {
        let named = match Json::parse(payload).ok().as_ref().and_then(|pack| pack.get("trace_id")) {
            // A field of the caller's may hold anything; only the id of a trace leaves by a trace.
            Some(Json::Text(id)) if is_trace_id(id) => Some(id.to_string()),
            _ => None,
        };
        Self { decision_trace_id: named, ..Self::of(&Digest::of(payload)) }
    }
}

/// A request over HTTP, as its span describes it.
#[derive(Clone, Debug)]
pub(crate) struct TracedRequest {
    pub(crate) method: Method,
    pub(crate) scheme: &'static str,
    /// The route; paths that are none have none.
    pub(crate) route: Option<String>,
    pub(crate) status: u16,
}

impl TracedRequest {
    /// The path with its variable parts taken out. OpenTelemetry requires `url.path`, and asks that
    /// its sensitive parts are scrubbed: a path may hold the token of a link, or the name that a
    /// user gave to a session.
    fn redacted_path(&self) -> String {
        let Some(route) = &self.route else { return format!("/{REDACTED}") };
        let parts =
            route.split('/').map(|part| if part.starts_with('{') { REDACTED } else { part });
        parts.collect::<Vec<_>>().join("/")
    }

    /// The name of its span. The conventions use `HTTP` in place of an unknown method.
    pub(crate) fn span_name(&self, route: &str) -> String {
        match method_name(&self.method) {
            OTHER_METHOD => format!("HTTP {route}"),
            method => format!("{method} {route}"),
        }
    }

    /// The method as it came, if it is none of the known ones.
    fn original_method(&self) -> Option<String> {
        let is_other = method_name(&self.method) == OTHER_METHOD;
        is_other.then(|| self.method.as_str().chars().take(MAX_METHOD_CHARS).collect())
    }

    /// The error type, if the server is at fault: its status, as nothing more is known here.
    fn error_type(&self) -> Option<String> {
        (self.status >= 500).then(|| self.status.to_string())
    }

    /// The attributes that the conventions of OpenTelemetry for HTTP require of a server span.
    fn attributes(&self) -> Vec<Value> {
        let status = json!({"intValue": self.status.to_string()});
        let mut attributes = vec![
            json!({"key": "http.response.status_code", "value": status}),
            text("http.request.method", method_name(&self.method)),
            text("url.path", &self.redacted_path()),
            text("url.scheme", self.scheme),
        ];
        attributes.extend(self.route.iter().map(|route| text("http.route", route)));
        let original = self.original_method();
        attributes.extend(original.map(|name| text("http.request.method_original", &name)));
        attributes.extend(self.error_type().map(|status| text("error.type", &status)));
        attributes
    }
}

/// One thing that took a while.
#[derive(Clone, Debug)]
pub(crate) struct TraceSpan {
    pub(crate) name: String,
    pub(crate) context: TraceContext,
    pub(crate) end: Time,
    pub(crate) took: Duration,
    /// The request that it is, if it is one.
    pub(crate) request: Option<TracedRequest>,
    pub(crate) tenant: Option<String>,
    pub(crate) evidence: Option<TracedEvidence>,
}

impl TraceContext {
    /// The trace that a request names (W3C `traceparent`), or one of its own.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let given = headers.get("traceparent").and_then(|value| value.to_str().ok());
        given.and_then(Self::read).unwrap_or_else(Self::draw)
    }

    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (version, trace) = (parts.next()?, parts.next()?);
        let (parent, flags) = (parts.next()?, parts.next()?);
        // W3C Trace Context: ids of zeros and the version `ff` are invalid.
        let holds = is_hex(version, 2) && version != "ff" && is_trace_id(trace);
        (holds && is_hex(parent, 16) && !is_zero(parent) && is_hex(flags, 2))
            .then(|| Self { trace_id: trace.to_owned(), parent: Some(parent.to_owned()) })
    }

    /// A trace that begins here.
    pub(crate) fn draw() -> Self {
        Self { trace_id: drawn::<16>(), parent: None }
    }
}

/// Whether a text is the id of a trace, as W3C Trace Context writes it.
fn is_trace_id(text: &str) -> bool {
    is_hex(text, 32) && !is_zero(text)
}

fn is_hex(part: &str, size: usize) -> bool {
    part.len() == size && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_zero(part: &str) -> bool {
    part.bytes().all(|byte| byte == b'0')
}

impl SpanExporter {
    /// Creates an exporter to a collector, or one that drops its spans.
    pub(crate) fn new(url: Option<&str>, metrics: Arc<ServerMetrics>) -> Result<Self, io::Error> {
        let Some(url) = url.map(str::to_owned) else { return Ok(Self { queue: None, metrics }) };
        let (queue, waiting) = sync_channel(MAX_QUEUED_SPANS);
        let own = Arc::clone(&metrics);
        let thread = std::thread::Builder::new().name("traces".to_owned());
        thread.spawn(move || send(&url, &waiting, &own))?;
        Ok(Self { queue: Some(queue), metrics })
    }

    /// Takes a span; never waits.
    pub(crate) fn take(&self, span: TraceSpan) {
        let Some(queue) = &self.queue else { return };
        if queue.try_send(span).is_err() {
            self.metrics.lost_spans.add();
        }
    }
}

fn send(url: &str, waiting: &Receiver<TraceSpan>, metrics: &ServerMetrics) {
    let agent = agent();
    while let Ok(first) = waiting.recv() {
        // While one request is under way more spans come in: the next one takes them together.
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(MAX_BATCH_SPANS));
        // The text of a `Value` cannot fail.
        let body = request(&batch).to_string();
        let sent = agent.post(url).header("content-type", "application/json").send(body.as_bytes());
        if sent.is_err() {
            batch.iter().for_each(|_| metrics.lost_spans.add());
        }
    }
}

/// Spans as an OTLP request.
fn request(spans: &[TraceSpan]) -> Value {
    let spans: Vec<Value> = spans
        .iter()
        .map(|span| {
            let end = i128::from(span.end.millis()) * 1_000_000;
            let start = end - i128::try_from(span.took.as_nanos()).unwrap_or(0);
            let mut attributes =
                span.request.as_ref().map_or_else(Vec::new, TracedRequest::attributes);
            let is_error = span.request.as_ref().and_then(TracedRequest::error_type).is_some();
            attributes.extend(span.tenant.iter().map(|own| text("dalil.tenant", own)));
            if let Some(TracedEvidence { sha256, decision_trace_id }) = &span.evidence {
                attributes.push(text("dalil.evidence.sha256", sha256));
                let named = decision_trace_id.iter();
                attributes.extend(named.map(|id| text("dalil.decision.trace_id", id)));
            }
            // Kind 2 is `SPAN_KIND_SERVER`, code 2 an error. OTLP in JSON writes 64-bit integers
            // as strings.
            json!({
                "traceId": span.context.trace_id,
                "spanId": drawn::<8>(),
                "parentSpanId": span.context.parent.as_deref().unwrap_or(NO_PARENT_SPAN),
                "name": span.name,
                "kind": 2,
                "startTimeUnixNano": start.to_string(),
                "endTimeUnixNano": end.to_string(),
                "attributes": attributes,
                "status": {"code": if is_error { 2 } else { 0 }},
            })
        })
        .collect();
    let resource = json!({"attributes": [text("service.name", "dalil")]});
    json!({"resourceSpans": [{"resource": resource,
        "scopeSpans": [{"scope": {"name": "dalil"}, "spans": spans}]}]})
}

/// An attribute whose value is a text.
fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

/// A name for a trace or a span; one without randomness is still a name.
fn drawn<const N: usize>() -> String {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => hex(&bytes),
        // W3C Trace Context: ids of zeros are invalid.
        Err(_) => hex(&[1; N]),
    }
}

/// OTLP: the first span of a trace has an empty parent.
const NO_PARENT_SPAN: &str = "";
/// The replacement for a redacted part, in the word of the conventions.
const REDACTED: &str = "REDACTED";
/// How many characters of an invented method a span contains; the longest one of IANA's registry
/// has 17.
const MAX_METHOD_CHARS: usize = 32;
const MAX_QUEUED_SPANS: usize = 4096;
const MAX_BATCH_SPANS: usize = 256;
