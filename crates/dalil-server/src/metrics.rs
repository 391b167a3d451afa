//! Figures for Prometheus: few, known beforehand, and without names of people.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

#[cfg(test)]
mod tests;

/// The figures of a server since it began.
#[derive(Default)]
pub(crate) struct ServerMetrics {
    requests: Mutex<BTreeMap<(String, String, u16), u64>>,
    times: Mutex<BTreeMap<String, LatencyHistogram>>,
    /// Requests that are being answered.
    pub(crate) in_flight: MetricGauge,
    /// Connections that are open.
    pub(crate) connections: MetricGauge,
    /// Jobs that wait or run here.
    pub(crate) jobs: MetricGauge,
    /// Requests without a credential that opens something.
    pub(crate) unauthenticated: MetricCounter,
    /// Requests without the permission.
    pub(crate) refused: MetricCounter,
    /// Requests beyond the rate.
    pub(crate) limited: MetricCounter,
    /// Connections that were closed to make room, or refused as their address had too many.
    pub(crate) evicted: MetricCounter,
    /// Requests and jobs that failed for no fault of their caller's.
    pub(crate) failures: MetricCounter,
    /// Refusals beyond the rate at which they are records.
    pub(crate) unrecorded_refusals: MetricCounter,
    /// Spans that could not be sent.
    pub(crate) lost_spans: MetricCounter,
    /// Obligations whose evidence was recorded.
    pub(crate) recorded_obligations: MetricCounter,
    /// Obligations without evidence, which were recorded as skipped.
    pub(crate) skipped_obligations: MetricCounter,
}

/// A number that only grows.
#[derive(Default)]
pub(crate) struct MetricCounter(AtomicU64);

/// A number that goes up and down.
#[derive(Default)]
pub(crate) struct MetricGauge(AtomicI64);

#[derive(Default)]
struct LatencyHistogram {
    counts: [u64; LATENCY_BUCKETS.len()],
    count: u64,
    micros: u64,
}

impl std::fmt::Debug for ServerMetrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Metrics")
    }
}

impl MetricCounter {
    pub(crate) fn add(&self) {
        self.add_many(1);
    }

    pub(crate) fn add_many(&self, many: usize) {
        self.0.fetch_add(u64::try_from(many).unwrap_or(0), Ordering::Relaxed);
    }
}

impl MetricGauge {
    pub(crate) fn up(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn down(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ServerMetrics {
    /// Counts a request that was answered.
    pub(crate) fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let key = (method.to_owned(), route.to_owned(), status);
        *self.requests.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        times.entry(route.to_owned()).or_default().add(micros);
    }

    /// Everything in the text format of Prometheus.
    ///
    /// `is_failing`: the last write failed.
    pub(crate) fn text(&self, is_failing: bool) -> String {
        let mut text = String::new();
        head(&mut text, "dalil_writes_failing", "gauge", "1 while the last write failed");
        line(&mut text, &format!("dalil_writes_failing {}", u8::from(is_failing)));
        head(&mut text, "dalil_http_requests_total", "counter", "Requests that were answered");
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for ((method, route, status), count) in requests.iter() {
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            line(&mut text, &format!("dalil_http_requests_total{{{labels}}} {count}"));
        }
        let name = "dalil_http_request_duration_seconds";
        head(&mut text, name, "histogram", "How long answers took");
        for (route, histogram) in self.times.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            histogram.write(&mut text, name, route);
        }
        for (name, what, gauge) in [
            ("dalil_http_requests_in_flight", "Requests being answered", &self.in_flight),
            ("dalil_connections", "Open connections", &self.connections),
            ("dalil_jobs", "Jobs that wait or run here", &self.jobs),
        ] {
            head(&mut text, name, "gauge", what);
            line(&mut text, &format!("{name} {}", gauge.0.load(Ordering::Relaxed)));
        }
        for (name, what, count) in [
            (
                "dalil_unauthenticated_total",
                "Requests without a valid credential",
                &self.unauthenticated,
            ),
            ("dalil_refused_total", "Requests that were not allowed", &self.refused),
            ("dalil_rate_limited_total", "Requests beyond the rate", &self.limited),
            (
                "dalil_evicted_connections_total",
                "Connections closed or refused for want of room",
                &self.evicted,
            ),
            (
                "dalil_failures_total",
                "Requests, jobs and time stamps that failed by no fault of their caller",
                &self.failures,
            ),
            (
                "dalil_unrecorded_refusals_total",
                "Refusals beyond the rate at which they are recorded",
                &self.unrecorded_refusals,
            ),
            ("dalil_lost_spans_total", "Spans that could not be sent", &self.lost_spans),
            (
                "dalil_obligations_recorded_total",
                "Obligations whose evidence was recorded",
                &self.recorded_obligations,
            ),
            (
                "dalil_obligations_skipped_total",
                "Obligations without evidence",
                &self.skipped_obligations,
            ),
        ] {
            head(&mut text, name, "counter", what);
            line(&mut text, &format!("{name} {}", count.0.load(Ordering::Relaxed)));
        }
        text
    }
}

impl LatencyHistogram {
    fn add(&mut self, micros: u64) {
        for (count, (bound, _)) in self.counts.iter_mut().zip(LATENCY_BUCKETS) {
            // Prometheus counts a value in every bucket that it fits in.
            *count += u64::from(micros <= bound);
        }
        self.count += 1;
        self.micros = self.micros.saturating_add(micros);
    }

    fn write(&self, text: &mut String, name: &str, route: &str) {
        for (count, (_, bound)) in self.counts.iter().zip(LATENCY_BUCKETS) {
            line(text, &format!("{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {count}"));
        }
        let (count, micros) = (self.count, self.micros);
        line(text, &format!("{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}"));
        let (whole, rest) = (micros / 1_000_000, micros % 1_000_000);
        line(text, &format!("{name}_sum{{route=\"{route}\"}} {whole}.{rest:06}"));
        line(text, &format!("{name}_count{{route=\"{route}\"}} {count}"));
    }
}

fn head(text: &mut String, name: &str, kind: &str, what: &str) {
    line(text, &format!("# HELP {name} {what}\n# TYPE {name} {kind}"));
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Microseconds, and the same in seconds as it is written.
const LATENCY_BUCKETS: [(u64, &str); 10] = [
    (500, "0.0005"),
    (1_000, "0.001"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (50_000, "0.05"),
    (100_000, "0.1"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (5_000_000, "5"),
    (30_000_000, "30"),
];
