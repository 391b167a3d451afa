//! Bad input: each is answered with a problem, and nothing is half done.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use crate::server::{ALL, QUICK, Server, folder, key, write};
use crate::way::ended;

/// Method, path, headers, body; the status and the kind of the problem.
type Case<'c> = (&'c str, &'c str, &'c [(&'c str, &'c str)], Option<&'c [u8]>, u16, &'c str);

#[test]
fn problems_say_what_was_expected_and_found() {
    let dir = folder("edge");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let config = r#"{"limits":{"rate":100000,"burst":100000,"body":2000,"upload":3000}}"#;
    let server = Server::start(dir, config);
    let long = vec![b' '; 4000];
    let octets = [("content-type", "application/octet-stream")];
    let cases: [Case<'_>; 16] = [
        ("GET", "/api/v1/nothing", &[], None, 404, "not-found"),
        ("PUT", "/api/v1/documents", &[], Some(b"{}"), 405, "method-not-allowed"),
        ("GET", "/api/v1/documents?limit=0", &[], None, 400, "malformed"),
        ("GET", "/api/v1/documents?limit=x", &[], None, 400, "malformed"),
        ("GET", "/api/v1/documents?other=1", &[], None, 400, "malformed"),
        ("GET", "/api/v1/documents?cursor=zzz", &[], None, 400, "malformed"),
        ("GET", "/api/v1/trail/records/x/receipt", &[], None, 400, "malformed"),
        ("GET", "/api/v1/documents/doc_0/original", &[], None, 404, "not-found"),
        (
            "POST",
            "/api/v1/sessions",
            &[("content-type", "text/plain")],
            Some(b"{}"),
            415,
            "media-type",
        ),
        ("POST", "/api/v1/sessions", &[], Some(b"{"), 422, "refused"),
        (
            "POST",
            "/api/v1/sessions",
            &[],
            Some(b"{\"answer\":\"a\",\"answer\":\"b\"}"),
            422,
            "refused",
        ),
        ("POST", "/api/v1/sessions", &[], Some(&long), 413, "too-large"),
        ("POST", "/api/v1/sessions", &[("idempotency-key", "a b")], Some(b"{}"), 400, "malformed"),
        (
            "POST",
            "/api/v1/documents?filename=..%2F..%2Fetc%2Fpasswd",
            &octets,
            Some(b"x"),
            400,
            "malformed",
        ),
        ("POST", "/api/v1/documents?filename=a%0D%0Ab.md", &octets, Some(b"x"), 400, "malformed"),
        ("POST", "/api/v1/documents?filename=a.md", &octets, Some(&long), 413, "too-large"),
    ];
    for (method, path, headers, body, status, kind) in cases {
        let answer = server.ask_with((method, path), &key, headers, body);
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text());
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        let said = answer.json();
        assert_eq!(said["type"], json!(format!("urn:dalil:problem:{kind}")), "{path}");
        assert_eq!(said["status"], json!(status));
        assert_eq!(said["request_id"], json!(answer.header("x-request-id")));
    }
    let allow = server.ask("PUT", "/api/v1/documents", &key, None);
    assert_eq!(allow.header("allow"), "GET,HEAD,POST");
    let records = server.ask("GET", "/api/v1/tenant", &key, None).is(200)["size"].clone();
    let faults = server.ask("POST", "/api/v1/sessions", &key, Some(b"{\"query\":1,\"x\":2}"));
    let rules: Vec<_> = faults.is(422)["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["rule"].clone(), fault["path"].clone()))
        .collect();
    let expected = [("missing_field", "answer"), ("type", "query"), ("unknown_field", "x")];
    assert_eq!(rules, expected.map(|(rule, path)| (json!(rule), json!(path))));
    assert_eq!(server.ask("GET", "/api/v1/tenant", &key, None).is(200)["size"], records);
}

#[test]
fn the_reply_to_head_has_the_length_of_get_and_no_body() {
    let dir = folder("head");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let replies = ["/healthz", "/api/v1/tenant", "/api/v1/openapi.json"];
    let problems = ["/api/v1/nothing", "/api/v1/tenant?other=1", "/tlog/none/checkpoint"];
    for path in [replies, problems].concat() {
        let [get, head] = ["GET", "HEAD"].map(|method| server.ask(method, path, &key, None));
        assert_eq!(get.header("content-length"), get.body.len().to_string(), "{path}");
        assert_eq!(head.header("content-length"), get.header("content-length"), "{path}");
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
    }
}

#[test]
fn an_invented_method_is_no_time_series_of_its_own() {
    let dir = folder("methods");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    for method in ["FOOBAR", "BAZ"] {
        assert_eq!(server.ask(method, "/api/v1/tenant", &key, None).status, 405);
    }
    let figures = server.ask("GET", "/metrics", "", None).text();
    let line =
        "dalil_http_requests_total{method=\"_OTHER\",route=\"/api/v1/tenant\",status=\"405\"} 2";
    assert!(figures.lines().any(|own| own == line), "{figures}");
    let all = [figures, server.log()].concat();
    assert!(!all.contains("FOOBAR") && !all.contains("BAZ"), "{all}");
}

#[test]
fn problems_are_in_the_language_asked_for() {
    let dir = folder("language");
    let server = Server::start(dir, "{}");
    let arabic = [("accept-language", "fr, ar;q=0.9, en;q=0.1")];
    let answer = server.ask_with(("GET", "/api/v1/documents"), "", &arabic, None);
    assert_eq!(answer.header("content-language"), "ar");
    assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"dalil\"");
    let said = answer.is(401);
    assert_eq!(said["title"], json!("لم تثبت الهوية"));
    assert_eq!(said["detail"], json!("ليس في الطلب بيان اعتماد صالح."));
    assert_eq!(server.ask("GET", "/api/v1/documents", "", None).header("content-language"), "en");
}

#[test]
fn a_body_without_a_type_is_told_that_there_is_none() {
    let dir = folder("no-type");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, "{}");
    let message = |path: &str, headers: &[(&str, &str)]| {
        let said = server.ask_with(("POST", path), &key, headers, None).is(415);
        said["faults"][0]["message"].as_str().unwrap().to_owned()
    };
    let json = "expected `application/json`, found no content type";
    assert_eq!(message("/api/v1/sessions", &[]), json);
    assert_eq!(
        message("/api/v1/check/stream", &[("accept-language", "ar")]),
        "المتوقع `application/x-ndjson`، والموجود لا نوع محتوى"
    );
    let other = message("/api/v1/sessions", &[("content-type", "Text/Plain; charset=utf-8")]);
    assert_eq!(other, "expected `application/json`, found `text/plain`");
}

#[test]
fn a_job_that_failed_says_why_in_the_language_asked_for() {
    let dir = folder("job-language");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, "{}");
    let octets = [("content-type", "application/octet-stream")];
    let upload = ("POST", "/api/v1/documents?filename=broken.pdf");
    server.ask_with(upload, &key, &octets, Some(b"%PDF-1.7\nnothing of one")).is(201);
    let opening = br#"{"session_id":"ses-1","answer":"Employees receive 15 days."}"#;
    server.ask("POST", "/api/v1/sessions", &key, Some(opening)).is(201);
    let check = "/api/v1/sessions/ses-1/check";
    let job = server.ask("POST", check, &key, Some(b"{}")).is(202)["job_id"].clone();
    let job = job.as_str().unwrap();
    assert_eq!(ended(&server, &key, job)["state"], json!("failed"));
    for (language, message) in [
        ("en", "expected a document with text that can be read, found none"),
        ("ar", "المتوقع وثيقة فيها نص يُقرأ، والموجود لا شيء"),
    ] {
        let asked = [("accept-language", language)];
        let told = |path: &str| server.ask_with(("GET", path), &key, &asked, None).is(200);
        let fault = json!({"rule": "unread", "path": "documents", "message": message});
        let refused = json!({"refused": [fault]});
        assert_eq!(told(&format!("/api/v1/jobs/{job}"))["result"], refused);
        assert_eq!(told("/api/v1/jobs")["items"][0]["result"], refused);
    }
}

#[test]
fn doctor_looks_at_the_configuration() {
    let dir = folder("doctor");
    write(&dir.join("good.json"), r#"{"listen":"127.0.0.1:9"}"#);
    write(&dir.join("bad.json"), r#"{"tls":{"certificate":"none.pem","key":"none.pem"}}"#);
    let run = |file: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dalil"));
        command.current_dir(&dir).args(["doctor", "--json", "--config", file]);
        let done = command.output().unwrap();
        let said: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        let checks = said["checks"].as_array().unwrap().clone();
        let own = checks.into_iter().find(|check| check["part"] == "server").unwrap();
        (done.status.code(), own["mark"].clone(), own["message"].clone())
    };
    assert_eq!(run("good.json"), (Some(0), json!("ok"), json!("it listens on 127.0.0.1:9")));
    let (code, mark, message) = run("bad.json");
    assert_eq!((code, mark), (Some(1), json!("fail")));
    assert!(message.as_str().unwrap().starts_with("expected certificates in PEM"), "{message}");
}

#[test]
fn whoever_asks_too_often_waits() {
    let dir = folder("rate");
    let (one, other) =
        (key(&dir, "acme", "person:amal", &ALL), key(&dir, "acme", "person:noura", &ALL));
    let server = Server::start(dir, r#"{"limits":{"rate":1,"burst":3}}"#);
    let ask = |key: &str| server.ask("GET", "/api/v1/tenant", key, None);
    let statuses: Vec<u16> = (0..8).map(|_| ask(&one).status).collect();
    assert_eq!(statuses[..4], [200; 4]);
    assert!(statuses.contains(&429), "{statuses:?}");
    let limited = (0..8).map(|_| ask(&one)).find(|answer| answer.status == 429).unwrap();
    assert_eq!(limited.header("retry-after"), "1");
    assert_eq!(ask(&other).status, 200);
}

#[test]
fn health_figures_and_the_document_are_open_and_nothing_else_is_said() {
    let dir = folder("health");
    let server = Server::start(dir, "{}");
    assert_eq!(server.ask("GET", "/healthz", "", None).is(200)["status"], json!("ok"));
    assert_eq!(server.ask("GET", "/readyz", "", None).is(200)["status"], json!("ok"));
    let document = server.ask("GET", "/api/v1/openapi.json", "", None).is(200);
    assert_eq!(document["openapi"], json!("3.1.0"));
    let page = server.ask("GET", "/api/v1", "", None);
    assert!(page.text().contains("POST /api/v1/packs"), "{}", page.text());
    assert!(!page.text().contains("//"), "a page that names another host");
    let figures = server.ask("GET", "/metrics", "", None).text();
    let counted = "dalil_http_requests_total{method=\"GET\",route=\"/healthz\",status=\"200\"} 1\n";
    assert!(figures.contains(counted), "{figures}");
}

#[test]
fn a_header_with_two_credentials_or_a_broken_request_opens_nothing() {
    let dir = folder("raw");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, "{}");
    let at = server.base.trim_start_matches("http://");
    let raw = |text: &str| {
        let mut stream = TcpStream::connect(at).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply.lines().next().unwrap_or_default().to_owned()
    };
    let head = "GET /api/v1/tenant HTTP/1.1\r\nhost: a\r\nconnection: close\r\n";
    let own = format!("authorization: Bearer {key}\r\n");
    assert_eq!(raw(&format!("{head}{own}\r\n")), "HTTP/1.1 200 OK");
    assert_eq!(raw(&format!("{head}{own}{own}\r\n")), "HTTP/1.1 401 Unauthorized");
    let both = "content-length: 3\r\ntransfer-encoding: chunked\r\n";
    let smuggled = raw(&format!("{}{own}{both}\r\n0\r\n\r\n", head.replace("GET", "POST")));
    assert!(smuggled.starts_with("HTTP/1.1 4"), "{smuggled}");
}

#[test]
fn a_form_with_a_large_file_is_taken_whole() {
    let dir = folder("large-form");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let head =
        "--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"large.txt\"\r\n\r\n";
    let text = "A line of a large policy.\n".repeat(120_000);
    let body = format!("{head}{text}\r\n--edge--\r\n");
    let headers = [("content-type", "multipart/form-data; boundary=edge")];
    let path = ("POST", "/api/v1/documents");
    server.ask_with(path, &admin, &headers, Some(body.as_bytes())).is(201);
}
