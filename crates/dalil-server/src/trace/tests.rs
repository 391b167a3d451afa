use super::*;

#[test]
fn a_trace_goes_on_if_it_is_named_as_it_should() {
    let of =
        |text: &str| TraceContext::read(text).map(|context| (context.trace_id, context.parent));
    let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
    let named = Some((trace.to_owned(), Some(parent.to_owned())));
    assert_eq!(of(&format!("00-{trace}-{parent}-01")), named);
    for text in [
        format!("ff-{trace}-{parent}-01"),
        format!("00-{}-{parent}-01", "0".repeat(32)),
        format!("00-{trace}-{}-01", "0".repeat(16)),
        format!("00-{}-{parent}-01", trace.to_uppercase()),
        format!("00-{trace}-{parent}"),
        "x".to_owned(),
    ] {
        assert_eq!(of(&text), None, "{text}");
    }
}

/// The span of a request about some evidence, as it is sent.
fn sent(evidence: TracedEvidence) -> Value {
    request(&[span(Some("/api/v1/packs"), Some(evidence))])
}

/// The span of a request.
fn span(route: Option<&str>, evidence: Option<TracedEvidence>) -> TraceSpan {
    TraceSpan {
        name: "POST /api/v1/packs".to_owned(),
        context: TraceContext { trace_id: "1".repeat(32), parent: None },
        end: "2026-03-15T09:00:00Z".parse().unwrap(),
        took: Duration::from_millis(5),
        request: Some(TracedRequest {
            method: Method::POST,
            scheme: "https",
            route: route.map(str::to_owned),
            status: 201,
        }),
        tenant: Some("acme".to_owned()),
        evidence,
    }
}

#[test]
fn a_span_carries_the_digest_of_its_evidence() {
    let request = sent(TracedEvidence::of(&Digest::of(b"")));
    let own = request.pointer("/resourceSpans/0/scopeSpans/0/spans/0").unwrap();
    assert_eq!(own["startTimeUnixNano"], "1773565199995000000");
    assert_eq!(own["endTimeUnixNano"], "1773565200000000000");
    assert_eq!(
        own["attributes"],
        json!([
            {"key": "http.response.status_code", "value": {"intValue": "201"}},
            {"key": "http.request.method", "value": {"stringValue": "POST"}},
            {"key": "url.path", "value": {"stringValue": "/api/v1/packs"}},
            {"key": "url.scheme", "value": {"stringValue": "https"}},
            {"key": "http.route", "value": {"stringValue": "/api/v1/packs"}},
            {"key": "dalil.tenant", "value": {"stringValue": "acme"}},
            {"key": "dalil.evidence.sha256", "value": {"stringValue": Digest::of(b"").to_string()}},
        ])
    );
}

#[test]
fn a_span_of_a_pack_names_the_trace_of_its_decision_and_nothing_else_of_it() {
    let named = |pack: &str| {
        let request = sent(TracedEvidence::of_pack(pack.as_bytes()));
        let attributes = request.pointer("/resourceSpans/0/scopeSpans/0/spans/0/attributes");
        let attributes = attributes.and_then(Value::as_array).unwrap().iter();
        attributes.skip(6).cloned().collect::<Vec<_>>()
    };
    let evidence =
        |pack: &str| text("dalil.evidence.sha256", &Digest::of(pack.as_bytes()).to_string());
    let pack = r#"{"pack_id":"p","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"}"#;
    let trace = text("dalil.decision.trace_id", "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(named(pack), [evidence(pack), trace]);
    for other in [
        r#"{"pack_id":"p","trace_id":null}"#.to_owned(),
        r#"{"pack_id":"p","trace_id":"Noura, 1407925278"}"#.to_owned(),
        format!(r#"{{"trace_id":"{}"}}"#, "0".repeat(32)),
        format!(r#"{{"trace_id":"{}"}}"#, "A".repeat(32)),
    ] {
        assert_eq!(named(&other), [evidence(&other)], "{other}");
    }
}

#[test]
fn the_path_of_a_span_has_nothing_that_a_caller_chose() {
    let sent = |route: Option<&str>| {
        let request = request(&[span(route, None)]);
        let attributes = request.pointer("/resourceSpans/0/scopeSpans/0/spans/0/attributes");
        let attributes = attributes.and_then(Value::as_array).unwrap().clone();
        let value = |key: &str| {
            let found = attributes.iter().find(|attribute| attribute["key"] == key);
            found.map(|attribute| attribute["value"]["stringValue"].as_str().unwrap().to_owned())
        };
        (value("url.path"), value("http.route"))
    };
    let told = |path: &str, route: Option<&str>| (Some(path.to_owned()), route.map(str::to_owned));
    for (route, path) in [
        ("/api/v1/tenant", "/api/v1/tenant"),
        ("/api/v1/downloads/{tenant}/{link}", "/api/v1/downloads/REDACTED/REDACTED"),
        ("/tlog/{tenant}/tile/{*path}", "/tlog/REDACTED/tile/REDACTED"),
    ] {
        assert_eq!(sent(Some(route)), told(path, Some(route)));
    }
    // A path without a route may be a mistyped link: no part of it is sent.
    assert_eq!(sent(None), told("/REDACTED", None));
}

#[test]
fn a_span_of_an_invented_method_or_of_a_failure_says_so_in_words_that_are_known_beforehand() {
    let sent = |method: &str, status: u16| {
        let (method, route) = (method.parse().unwrap(), Some("/api/v1/packs".to_owned()));
        let own = TracedRequest { method, scheme: "http", route, status };
        let name = own.span_name("/api/v1/packs");
        let attributes = own.attributes();
        let value = |key: &str| {
            let found = attributes.iter().find(|attribute| attribute["key"] == key);
            found.map(|attribute| attribute["value"]["stringValue"].as_str().unwrap().to_owned())
        };
        let told = ["http.request.method", "http.request.method_original", "error.type"];
        (name, told.map(value))
    };
    let some = |text: &str| Some(text.to_owned());
    let named = |name: &str| format!("{name} /api/v1/packs");
    assert_eq!(sent("PUT", 405), (named("PUT"), [some("PUT"), None, None]));
    let invented = [some("_OTHER"), some("FOOBAR"), None];
    assert_eq!(sent("FOOBAR", 405), (named("HTTP"), invented));
    let long = [some("_OTHER"), Some("X".repeat(32)), None];
    assert_eq!(sent(&"X".repeat(5_000), 405), (named("HTTP"), long));
    assert_eq!(sent("GET", 503), (named("GET"), [some("GET"), None, some("503")]));
}
