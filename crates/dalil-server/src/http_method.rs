//! The method of a request, as figures, traces and the log name it.

use axum::http::Method;

#[cfg(test)]
mod tests;

/// The name of a method, or [`OTHER_METHOD`] for one that no standard has: invented methods add no
/// time series.
pub(crate) fn method_name(method: &Method) -> &str {
    if STANDARD_METHODS.contains(method) { method.as_str() } else { OTHER_METHOD }
}

/// The name that the conventions of OpenTelemetry give to an unknown method.
pub(crate) const OTHER_METHOD: &str = "_OTHER";
/// Those of RFC 9110, and `PATCH` of RFC 5789.
const STANDARD_METHODS: [Method; 9] = [
    Method::CONNECT,
    Method::DELETE,
    Method::GET,
    Method::HEAD,
    Method::OPTIONS,
    Method::PATCH,
    Method::POST,
    Method::PUT,
    Method::TRACE,
];
