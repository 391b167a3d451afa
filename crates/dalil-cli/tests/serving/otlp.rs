//! Traces at a real OpenTelemetry collector, which `suite/servers/otlp` starts.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use dalil_proof::digest::Digest;
use serde_json::{Value, json};

use crate::server::{ALL, Server, dalil, folder, key};

const SEAL: &str = include_str!("../../../../examples/decision/pack.json");

/// The trace in which the decision of a pack was made.
const DECISION: &str = "dalil.decision.trace_id";

/// The spans that the collector understood, each by the names that it gives its parts.
fn spans(log: &str) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(log).unwrap();
    let span = |block: &str| {
        let mut parts = BTreeMap::new();
        for line in block.lines() {
            let line = line.trim();
            let (name, value) = match line.strip_prefix("-> ") {
                Some(attribute) => attribute.split_once(": ").unwrap_or((attribute, "")),
                None => line.split_once(": ").unwrap_or((line, "")),
            };
            parts.entry(name.trim().to_owned()).or_insert_with(|| value.trim().to_owned());
        }
        parts
    };
    text.split("Span #").skip(1).map(span).collect()
}

fn given(name: &str) -> Option<String> {
    std::env::var_os(name)?.into_string().ok()
}

#[test]
fn checks_seals_and_exports_are_spans_with_the_digest_of_their_evidence_and_none_of_it() {
    let (Some(url), Some(log)) = (given("DALIL_TEST_OTLP"), given("DALIL_TEST_OTLP_LOG")) else {
        return;
    };
    let dir = folder("otlp");
    let maha = ["member", "add", "maha", "--role", "approver", "--title", "manager"];
    dalil(&dir, &[&maha[..], &["--tenant", "acme", "--actor", "system"]].concat());
    let approver = key(&dir, "acme", "person:maha", &ALL);
    let key = key(&dir, "acme", "person:amal", &ALL);
    let config = json!({"otlp": url, "limits": {"rate": 10000, "burst": 10000}});
    let server = Server::start(dir, &config.to_string());
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let post = |path: &str, kind: &str, body: &[u8]| {
        let headers = [("content-type", kind), ("traceparent", parent)];
        server.ask_with(("POST", path), &key, &headers, Some(body))
    };
    let text = b"# Leave\n\nAlbatross employees receive 15 days of leave.\n";
    post("/api/v1/documents?filename=albatross.md", "text/markdown", text).is(201);
    let opening =
        br#"{"session_id":"ses-albatross","answer":"Albatross employees receive 15 days."}"#;
    post("/api/v1/sessions", "application/json", opening).is(201);
    let job = post("/api/v1/sessions/ses-albatross/check", "application/json", b"{}").is(202);
    let job = job["job_id"].as_str().unwrap().to_owned();
    server.ask("GET", &format!("/api/v1/jobs/{job}/events"), &key, None);
    let shown = server.ask("GET", "/api/v1/sessions/ses-albatross", &key, None).is(200);
    let pack: Value = serde_json::from_str(&SEAL.replace("barzamar", "acme")).unwrap();
    post("/api/v1/decisions", "application/json", pack["decision"].to_string().as_bytes()).is(201);
    let sealed =
        post("/api/v1/packs/seal", "application/json", SEAL.replace("barzamar", "acme").as_bytes())
            .is(201);
    let payload = BASE64_STANDARD.decode(sealed["envelope"]["payload"].as_str().unwrap()).unwrap();
    let matter = br#"{"action":"export_ledger","object":"ses-albatross","format":"json","reason":"for the albatross"}"#;
    server.ask("POST", "/api/v1/approvals", &approver, Some(matter)).is(201);
    let asked = br#"{"format":"json","reason":"for the albatross"}"#;
    post("/api/v1/sessions/ses-albatross/ledger/export", "application/json", asked).is(200);
    let exports = server.ask("GET", "/api/v1/exports", &key, None).is(200);
    let digest = |value: &Value| value.as_str().unwrap().to_owned();
    let expected = [
        ("check", digest(&shown["ledgers"][0]["sha256"])),
        ("POST /api/v1/packs/seal", Digest::of(&payload).to_string()),
        (
            "POST /api/v1/sessions/{session_id}/ledger/export",
            digest(&exports["items"][0]["sha256"]),
        ),
    ];
    let found = |name: &str, digest: &str| {
        let evidence = format!("Str({digest})");
        spans(&log).into_iter().find(|span| {
            span["Name"] == name && span.get("dalil.evidence.sha256") == Some(&evidence)
        })
    };
    for (name, digest) in &expected {
        let mut tries = 0;
        let span = loop {
            if let Some(span) = found(name, digest) {
                break span;
            }
            tries += 1;
            assert!(tries < 100, "{name} {digest}: {:?}", spans(&log));
            std::thread::sleep(Duration::from_millis(100));
        };
        assert_eq!([&span["dalil.tenant"], &span["Kind"]], ["Str(acme)", "SPAN_KIND_SERVER"]);
        assert_eq!(address_of(&span), name.contains(' ').then_some("Str(http)"), "{name}");
        assert_eq!(span.contains_key(DECISION), name.ends_with("seal"), "{name}: {span:?}");
        // The caller's trace continues here; a job belongs to the trace that asked for it.
        assert_eq!(span["Trace ID"], "0af7651916cd43dd8448eb211c80319c", "{name}");
        assert_eq!(span["Parent ID"], "b7ad6b7169203331", "{name}");
    }
    let all = std::fs::read_to_string(&log).unwrap().to_lowercase();
    for content in ["albatross", key.as_str(), "15 days", "maha"] {
        assert!(!all.contains(&content.to_lowercase()), "{content} is in a trace");
    }
}

/// The scheme of a request's address; a span has it exactly when it has the path.
fn address_of(span: &BTreeMap<String, String>) -> Option<&str> {
    let scheme = span.get("url.scheme").map(String::as_str);
    assert_eq!(span.contains_key("url.path"), scheme.is_some(), "{span:?}");
    scheme
}

#[test]
fn a_collector_that_is_away_costs_spans_and_nothing_else() {
    let dir = folder("otlp-away");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, r#"{"otlp":"http://127.0.0.1:9/v1/traces"}"#);
    for _ in 0..5 {
        server.ask("GET", "/api/v1/tenant", &key, None).is(200);
    }
    let mut tries = 0;
    loop {
        let figures = server.ask("GET", "/metrics", "", None).text();
        let lost = figures.lines().find_map(|line| line.strip_prefix("dalil_lost_spans_total "));
        if lost.is_some_and(|lost| lost.parse::<u64>().unwrap() >= 5) {
            break;
        }
        tries += 1;
        assert!(tries < 100, "{figures}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
