use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Uri};

use super::is_foreign;

#[track_caller]
fn check(headers: &[(HeaderName, &'static str)], uri: &'static str, expected: bool) {
    let named = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
    let headers: HeaderMap = named.collect();
    assert_eq!(is_foreign(&headers, &Uri::from_static(uri)), expected, "{headers:?} {uri}");
}

#[test]
fn a_form_is_from_here_when_its_origin_is_the_host_of_the_request() {
    let site = HeaderName::from_static("sec-fetch-site");
    check(&[(HOST, "dalil.example"), (ORIGIN, "https://dalil.example")], "/sign-in", false);
    check(&[(ORIGIN, "https://dalil.example")], "https://dalil.example/sign-in", false);
    check(&[(ORIGIN, "https://other.example")], "https://dalil.example/sign-in", true);
    check(&[(HOST, "dalil.example"), (ORIGIN, "https://other.example")], "/sign-in", true);
    check(&[(HOST, "dalil.example"), (ORIGIN, "null")], "/sign-in", true);
    check(&[(ORIGIN, "https://dalil.example")], "/sign-in", true);
    check(&[(HOST, "dalil.example"), (site.clone(), "cross-site")], "/sign-in", true);
    check(&[(HOST, "dalil.example"), (site, "same-origin")], "/sign-in", false);
    check(&[(HOST, "dalil.example")], "/sign-in", false);
}
