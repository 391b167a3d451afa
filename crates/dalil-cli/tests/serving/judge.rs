//! The judge of a server: the deep model in a file that `dalil model import` made.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use self::sample::{SampleAdapter, SampleGguf};
use crate::server::{ALL, Server, dalil, folder, key};

#[path = "../../../dalil-judge/src/deep/tests/sample.rs"]
#[expect(dead_code, reason = "the engine's tests use all of it")]
mod sample;

/// A deep model with random weights, made by the program of a base and an adapter.
fn import(dir: &Path) {
    let base = SampleGguf::new().bytes();
    let calibration = r#"{"temperature":1,"bias":[0,0,0,0]}"#;
    let adapter = SampleAdapter::of(&base).metadata("calibration", calibration);
    for (name, bytes) in [("base.gguf", base), ("adapter", adapter.bytes())] {
        File::create(dir.join(name)).unwrap().write_all(&bytes).unwrap();
    }
    dalil(dir, &["model", "import", "base.gguf", "--adapter", "adapter", "--out", "deep.model"]);
}

#[test]
fn a_check_is_judged_by_the_model_that_the_configuration_names() {
    let dir = folder("judge-deep");
    import(&dir);
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, r#"{"judge":{"mode":"deep","model_file":"deep.model"}}"#);
    let text = b"# Leave\n\nEmployees receive 15 days of leave.\n";
    let markdown = [("content-type", "text/markdown")];
    let add = ("POST", "/api/v1/documents?filename=leave.md");
    server.ask_with(add, &key, &markdown, Some(text)).is(201);
    // Enough claims that they are still being judged when the progress is asked for.
    let answer: String = (1..=400).map(|n| format!("Employee {n} receives {n} days. ")).collect();
    let session = json!({"session_id": "ses-1", "answer": answer}).to_string();
    server.ask("POST", "/api/v1/sessions", &key, Some(session.as_bytes())).is(201);
    let job = server.ask("POST", "/api/v1/sessions/ses-1/check", &key, Some(b"{}")).is(202);
    let events = format!("/api/v1/jobs/{}/events", job["job_id"].as_str().unwrap());
    let told = server.ask("GET", &events, &key, None).text();
    assert!(told.contains("judging"), "{told}");
    let ledger = server.ask("GET", "/api/v1/sessions/ses-1/ledger", &key, None).is(200);
    assert_eq!(ledger["ledger"]["judge"]["model"], json!("dalil-deep/1"), "{ledger}");
    assert_eq!(ledger["ledger"]["entries"].as_array().map(Vec::len), Some(400));
}
