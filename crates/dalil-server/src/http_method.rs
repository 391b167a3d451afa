//! The method of a request, as figures, traces and the log name it.

use axum::http::Method;

#[cfg(test)]
mod tests;

/// The name of a method, or [`OTHER_METHOD`] for one that no standard has: a caller who invents
/// methods adds no time series with each.
pub(crate) fn method_name(method: &Method) -> &str {
    if STANDARD_METHODS.contains(method) { method.as_str() } else { OTHER_METHOD }
}

/// What the conventions of OpenTelemetry call a method that is none of the known ones.
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
