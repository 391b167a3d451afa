use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};

use super::is_foreign;

#[track_caller]
fn check(headers: &[(HeaderName, &'static str)], expected: bool) {
    let named = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
    let headers: HeaderMap = named.collect();
    assert_eq!(is_foreign(&headers), expected, "{headers:?}");
}

#[test]
fn a_form_is_from_here_when_its_origin_is_the_host_of_the_request() {
    let site = HeaderName::from_static("sec-fetch-site");
    check(&[(HOST, "dalil.example"), (ORIGIN, "https://dalil.example")], false);
    check(&[(HOST, "dalil.example"), (ORIGIN, "https://other.example")], true);
    check(&[(HOST, "dalil.example"), (ORIGIN, "null")], true);
    check(&[(ORIGIN, "https://dalil.example")], true);
    check(&[(HOST, "dalil.example"), (site.clone(), "cross-site")], true);
    check(&[(HOST, "dalil.example"), (site, "same-origin")], false);
    check(&[(HOST, "dalil.example")], false);
}
