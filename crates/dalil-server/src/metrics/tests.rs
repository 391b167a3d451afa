use super::*;

#[test]
fn figures_are_in_the_text_format() {
    let metrics = ServerMetrics::default();
    metrics.answered("GET", "/healthz", 200, Duration::from_micros(700));
    metrics.answered("GET", "/healthz", 200, Duration::from_secs(2));
    metrics.in_flight.up();
    metrics.refused.add();
    let text = metrics.text(true);
    for line in [
        "# TYPE dalil_http_requests_total counter",
        "dalil_http_requests_total{method=\"GET\",route=\"/healthz\",status=\"200\"} 2",
        "dalil_http_request_duration_seconds_bucket{route=\"/healthz\",le=\"0.0005\"} 0",
        "dalil_http_request_duration_seconds_bucket{route=\"/healthz\",le=\"0.001\"} 1",
        "dalil_http_request_duration_seconds_bucket{route=\"/healthz\",le=\"5\"} 2",
        "dalil_http_request_duration_seconds_bucket{route=\"/healthz\",le=\"+Inf\"} 2",
        "dalil_http_request_duration_seconds_sum{route=\"/healthz\"} 2.000700",
        "dalil_http_requests_in_flight 1",
        "dalil_refused_total 1",
        "dalil_writes_failing 1",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}\n{text}");
    }
}
