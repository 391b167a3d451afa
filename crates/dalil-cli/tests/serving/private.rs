//! A server's files on the disk beside its store: no other user can read them, and they are
//! removed.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::server::{ALL, QUICK, Server, dalil, folder, key};

/// Every file and folder below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(below(&path));
        }
        all.push(path);
    }
    all
}

/// Whether a file below a folder has these words in it.
fn holds(folder: &Path, words: &str) -> bool {
    let read = |path: &PathBuf| fs::read(path).unwrap_or_default();
    let has = |bytes: Vec<u8>| bytes.windows(words.len()).any(|part| part == words.as_bytes());
    below(folder).iter().map(read).any(has)
}

#[test]
fn what_was_read_is_private_goes_with_an_erasure_and_with_the_server() {
    let dir = folder("private");
    let zahra = ["member", "add", "zahra", "--role", "admin", "--tenant", "acme"];
    dalil(&dir, &[&zahra[..], &["--actor", "person:amal"]].concat());
    let amal = key(&dir, "acme", "person:amal", &ALL);
    let zahra = key(&dir, "acme", "person:zahra", &ALL);
    let left = dir.join("dalil-data/scratch/dalil-serve-0123");
    fs::create_dir_all(left.join("upload-4567")).unwrap();
    fs::File::create(left.join("lock")).unwrap();
    let mut server = Server::start(dir, QUICK);
    let scratch = server.dir().join("dalil-data/scratch");
    assert!(!left.exists(), "what a killed server left");

    let text = b"# Patient\n\nNoura Alghamdi receives 15 days of leave.\n";
    let kind = [("content-type", "text/markdown")];
    let add = ("POST", "/api/v1/documents?filename=patient.md");
    let kept = server.ask_with(add, &amal, &kind, Some(text)).is(201);
    let session = br#"{"session_id":"ses-1","answer":"Noura receives 15 days."}"#;
    server.ask("POST", "/api/v1/sessions", &amal, Some(session)).is(201);
    let job = server.ask("POST", "/api/v1/sessions/ses-1/check", &amal, Some(b"{}")).is(202);
    let events = format!("/api/v1/jobs/{}/events", job["job_id"].as_str().unwrap());
    server.ask("GET", &events, &amal, None);
    assert!(holds(&scratch, "Noura Alghamdi"), "{:?}", below(&scratch));
    for path in &below(&scratch) {
        assert_eq!(fs::metadata(path).unwrap().mode() & 0o077, 0, "{}", path.display());
    }

    let scope = format!("subject:{}", kept["document_id"].as_str().unwrap());
    let erasing = json!({"scope": scope, "legal_basis": "data_subject_request"});
    let mut matter = erasing.clone();
    matter["action"] = json!("erase");
    let post = |path: &str, key: &str, body: &serde_json::Value| {
        server.ask("POST", path, key, Some(body.to_string().as_bytes()))
    };
    post("/api/v1/approvals", &zahra, &matter).is(201);
    post("/api/v1/erasures", &amal, &erasing).is(200);
    assert!(!holds(&scratch, "Noura Alghamdi"), "{:?}", below(&scratch));
    assert_eq!(server.stop(), Some(0));
    assert_eq!(below(&scratch), [""; 0].map(PathBuf::from));
}
