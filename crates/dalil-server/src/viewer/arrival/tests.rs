use axum::body::Body;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Request};

use super::{Arrival, is_foreign};

#[track_caller]
fn check(method: &str, path: &str, (site, mode): (&str, &str), expected: Arrival) {
    let request = Request::builder().method(method).uri(path).header("host", "dalil.example");
    let request = request.header("sec-fetch-site", site).header("sec-fetch-mode", mode);
    assert_eq!(Arrival::of(&request.body(Body::empty()).unwrap()), expected, "{method} {path}");
}

#[test]
fn only_a_page_that_another_site_leads_to_is_opened_anew() {
    let led = ("cross-site", "navigate");
    check("GET", "/packs/p-1?a=b", led, Arrival::SentOn);
    check("GET", "/packs/p-1", ("same-site", "navigate"), Arrival::SentOn);
    check("GET", "/packs/p-1", ("same-origin", "navigate"), Arrival::Ordinary);
    check("GET", "/packs/p-1", ("none", "navigate"), Arrival::Ordinary);
    check("GET", "/packs/p-1", ("cross-site", "no-cors"), Arrival::Ordinary);
    check("POST", "/signout", led, Arrival::Ordinary);
    check("GET", "/signin?ticket=a", led, Arrival::Ordinary);
    check("GET", "/signin/callback?code=a", led, Arrival::Callback);
}

#[track_caller]
fn check_foreign(headers: &[(HeaderName, &'static str)], expected: bool) {
    let named = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
    let headers: HeaderMap = named.collect();
    assert_eq!(is_foreign(&headers), expected, "{headers:?}");
}

#[test]
fn a_form_is_from_here_when_its_origin_is_the_host_of_the_request() {
    let site = HeaderName::from_static("sec-fetch-site");
    check_foreign(&[(HOST, "dalil.example"), (ORIGIN, "https://dalil.example")], false);
    check_foreign(&[(HOST, "dalil.example"), (ORIGIN, "https://other.example")], true);
    check_foreign(&[(HOST, "dalil.example"), (ORIGIN, "null")], true);
    check_foreign(&[(ORIGIN, "https://dalil.example")], true);
    check_foreign(&[(HOST, "dalil.example"), (site.clone(), "cross-site")], true);
    check_foreign(&[(HOST, "dalil.example"), (site, "same-origin")], false);
    check_foreign(&[(HOST, "dalil.example")], false);
}
