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

#[test]
fn a_span_carries_the_digest_of_its_evidence() {
    let span = TraceSpan {
        name: "POST /api/v1/packs".to_owned(),
        context: TraceContext { trace_id: "1".repeat(32), parent: None },
        end: "2026-03-15T09:00:00Z".parse().unwrap(),
        took: Duration::from_millis(5),
        status: Some(201),
        tenant: Some("acme".to_owned()),
        evidence: Some("sha256:00".to_owned()),
    };
    let request = request(&[span]);
    let own = request.pointer("/resourceSpans/0/scopeSpans/0/spans/0").unwrap();
    assert_eq!(own["startTimeUnixNano"], "1773565199995000000");
    assert_eq!(own["endTimeUnixNano"], "1773565200000000000");
    assert_eq!(
        own["attributes"],
        json!([
            {"key": "http.response.status_code", "value": {"intValue": "201"}},
            {"key": "http.request.method", "value": {"stringValue": "POST"}},
            {"key": "http.route", "value": {"stringValue": "/api/v1/packs"}},
            {"key": "dalil.tenant", "value": {"stringValue": "acme"}},
            {"key": "dalil.evidence.sha256", "value": {"stringValue": "sha256:00"}},
        ])
    );
}
