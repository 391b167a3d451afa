//! The check in one call: an answer and its chunks in, the ledger out.

use serde_json::{Value, json};

use crate::server::{ALL, Answer, QUICK, Server, folder, key, write};
use crate::way::ended;

const ANSWER: &str = "Permanent employees receive 15 days of paid annual leave. \
                      Employees may work from the moon.";

fn chunks() -> Value {
    json!([
        {"id": "kb-42#3", "text": "All permanent employees receive 15 days of paid annual leave per calendar year.",
         "title": "HR leave policy", "uri": "kb://hr/leave", "page": 12, "metadata": {"score": 0.91, "acl": ["hr"]}},
        {"id": "kb-42#4", "text": "Leave requests must be submitted 2 weeks in advance."},
    ])
}

fn check(server: &Server, key: &str, query: &str, body: &Value) -> Answer {
    let body = serde_json::to_vec(body).unwrap();
    server.ask("POST", &format!("/api/v1/check{query}"), key, Some(&body))
}

#[test]
fn an_answer_is_checked_against_its_chunks_in_one_call() {
    let dir = folder("onecall");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let other = key(&dir, "zenith", "person:amal", &ALL);
    let viewer = key(&dir, "acme", "person:sami", &["view"]);
    let server = Server::start(dir, QUICK);
    let body = json!({"answer": ANSWER, "question": "How many days?", "session_id": "ses-1",
        "chunks": chunks()});

    let reply = check(&server, &admin, "?wait=50", &body).is(200);
    assert_eq!(reply["session"], json!({"id": "ses-1", "mode": null, "query": "How many days?"}));
    let ledger = &reply["ledger"];
    let entry = &ledger["entries"][0];
    assert_eq!(entry["verdict"], "supported", "{entry}");
    assert_eq!(entry["evidence_chunk_ids"], json!(["kb-42#3"]));
    let document = json!({"id": "kb://hr/leave", "filename": "HR leave policy", "page_number": 12,
        "uri": "kb://hr/leave", "metadata": {"score": 0.91, "acl": ["hr"]}});
    assert_eq!(entry["source_document"], document);
    assert_eq!(ledger["entries"][1]["verdict"], "not_found");
    // The chunks are evidence that a verifier can see: one document, which the ledger names.
    let set = &ledger["documents"][0];
    assert_eq!((ledger["documents"].as_array().unwrap().len(), &set["chunks"]), (1, &json!(2)));
    let at = format!("/api/v1/documents/{}", set["id"].as_str().unwrap());
    let original = server.ask("GET", &format!("{at}/original"), &admin, None);
    let digest = dalil_proof::digest::Digest::of(&original.body).to_string();
    assert_eq!(set["sha256"], json!(digest));
    assert_eq!(original.json()["chunks"][0], chunks()[0]);
    let text = server.ask("GET", &format!("{at}/text"), &admin, None).text();
    assert!(
        text.ends_with(
            "per calendar year.\n\nLeave requests must be submitted 2 weeks in advance."
        )
    );

    // The same ledger as that of the session, and the newer one of a second check names it.
    let newest = server.ask("GET", "/api/v1/sessions/ses-1/ledger", &admin, None).is(200);
    assert_eq!(newest, reply);
    let job = check(&server, &admin, "", &body).is(202);
    let end = ended(&server, &admin, job["job_id"].as_str().unwrap());
    assert_eq!(end["result"]["supersedes"], ledger["id"]);

    // Another tenant's objects do not exist, and a viewer cannot check.
    for path in [&at, "/api/v1/sessions/ses-1"] {
        assert_eq!(server.ask("GET", path, &other, None).status, 404, "{path}");
    }
    let borrowed = json!({"answer": ANSWER, "documents": [set["id"]]});
    check(&server, &other, "?wait=50", &borrowed).is(404);
    check(&server, &viewer, "", &body).is(403);
    // A check against all documents leaves chunk sets out: here there is nothing else.
    server.ask("POST", "/api/v1/sessions/ses-1/check", &admin, Some(b"{}")).is(202);
}

#[test]
fn a_request_that_is_repeated_under_its_key_is_checked_once() {
    let dir = folder("onecall-again");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let body = serde_json::to_vec(&json!({"answer": ANSWER, "chunks": chunks()})).unwrap();
    let named = [("idempotency-key", "check-1")];
    let ask = || server.ask_with(("POST", "/api/v1/check?wait=50"), &admin, &named, Some(&body));
    let first = ask().is(200);
    assert_eq!(ask().is(200), first);
    let jobs = server.ask("GET", "/api/v1/jobs", &admin, None).is(200);
    assert_eq!(jobs["items"].as_array().unwrap().len(), 1);
}

#[test]
fn the_command_line_gives_the_ledger_of_the_server() {
    let dir = folder("onecall-same");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let body = json!({"answer": ANSWER, "question": "How many days?", "chunks": chunks()});
    let mut ledger = check(&server, &admin, "?wait=50", &body).is(200)["ledger"].clone();
    let (answer, set) = (server.dir().join("answer.md"), server.dir().join("retrieved.json"));
    write(&answer, ANSWER);
    write(&set, &json!({"chunks": chunks()}).to_string());
    let at = ledger["created_at"].as_str().unwrap().to_owned();
    let args = [
        "check",
        answer.to_str().unwrap(),
        "--chunks",
        set.to_str().unwrap(),
        "--question",
        "How many days?",
        "--no-index",
        "--format",
        "ledger",
        "--judge",
        "fast",
        "--at",
        &at,
    ];
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_dalil")).args(args).output().unwrap();
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    // The server has the deep model where one is installed; the ledger names it.
    if ledger["judge"] == told["judge"] {
        assert_eq!(told, ledger.take());
    }
}

#[test]
fn bad_input_is_refused_with_the_path_of_each_fault() {
    let dir = folder("onecall-bad");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let faults = |query: &str, body: &Value, status: u16| -> Vec<String> {
        let problem = check(&server, &admin, query, body).is(status);
        let faults = problem["faults"].as_array().unwrap().iter();
        let text = |fault: &Value, name: &str| fault[name].as_str().unwrap().to_owned();
        faults.map(|one| format!("{} {}", text(one, "rule"), text(one, "path"))).collect()
    };
    let wrong = json!({"answer": "", "chunks": [{"id": "a", "text": "b", "page_content": "c"},
        {"id": "a", "text": "b", "metadata": {"m": "x".repeat(5000)}}]});
    assert_eq!(
        faults("", &wrong, 422),
        [
            "empty answer",
            "unknown_field chunks[0].page_content",
            "length chunks[1].metadata",
            "duplicate chunks[1].id",
        ]
    );
    let right = json!({"answer": "A.", "chunks": [{"id": "a", "text": "b"}]});
    assert_eq!(faults("?wait=601", &right, 400), ["range wait"]);
    assert_eq!(faults("?wait=soon", &right, 400), ["type wait"]);
    let nowhere = json!({"answer": "A.", "bundle_id": "none"});
    assert_eq!(faults("", &nowhere, 404), ["not_found bundle_id"]);
    // Two answers cannot have one name.
    check(
        &server,
        &admin,
        "",
        &json!({"answer": "A.", "session_id": "s", "chunks": [{"id": "a", "text": "b"}]}),
    )
    .is(202);
    let taken = json!({"answer": "B.", "session_id": "s", "chunks": [{"id": "a", "text": "b"}]});
    assert_eq!(faults("", &taken, 409), ["other_answer session"]);
}

#[test]
fn chunks_that_were_erased_are_gone() {
    let dir = folder("onecall-erased");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let mut server = Server::start(dir, QUICK);
    // A ledger keeps its quotations: this answer is about the first chunk alone.
    let answer = "Permanent employees receive 15 days of paid annual leave.";
    let body = json!({"answer": answer, "session_id": "ses-1", "chunks": chunks()});
    let reply = check(&server, &admin, "?wait=50", &body).is(200);
    let set = reply["ledger"]["documents"][0]["id"].as_str().unwrap().to_owned();
    server.stop();
    let kept = walk(server.dir());
    assert!(kept.iter().any(|bytes| has(bytes, b"kb-42#4")), "the set is not in the lake");
    let scope = format!("subject:{set}");
    let args = [
        "erase",
        "--scope",
        &scope,
        "--legal-basis",
        "data_subject_request",
        "--approver",
        "amal",
        "--tenant",
        "acme",
        "--actor",
        "system",
    ];
    crate::server::dalil(server.dir(), &args);
    let lake = walk(server.dir());
    assert!(!lake.iter().any(|bytes| has(bytes, b"kb-42#4")), "the set is in the lake");
    assert!(!lake.iter().any(|bytes| has(bytes, b"2 weeks in advance")), "its text is in the lake");
}

/// The bytes of every object of the lakes under a folder.
fn walk(folder: &std::path::Path) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.components().any(|part| part.as_os_str() == "lake") {
                files.push(std::fs::read(path).unwrap());
            }
        }
    }
    files
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn an_answer_that_cites_a_bundle_is_checked_against_its_items() {
    let dir = folder("onecall-bundle");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let part =
        |n: u64, text: &str| json!({"document_id": "leave.md", "chunk_index": n, "text": text});
    let request = json!({"created_utc": "2026-01-03T14:30:00Z", "evidence_refs": {"doc_chunks": [
        part(0, "# Leave\n\nAll employees receive 15 days of paid annual leave.\n\nIt is recorded in the portal."),
        part(1, "Travel is refunded within 30 days.")]}});
    let request = serde_json::to_vec(&request).unwrap();
    let built = server.ask("POST", "/api/v1/bundles", &admin, Some(&request)).is(201);
    let items = built["bundle"]["items"].as_array().unwrap();
    let [leave, travel] = [0, 1].map(|n| items[n]["anchor"].as_str().unwrap().to_owned());
    let answer = format!(
        "Employees receive 15 days of paid annual leave [cite:{leave}]. \
         Travel is refunded within 30 days [cite:{leave}]. \
         Travel is refunded within 30 days [cite:{travel}]. \
         Travel is refunded within 30 days [cite:deadbeef]."
    );
    let body = json!({"answer": answer, "bundle_id": built["saved"]["bundle_id"]});
    let ledger = check(&server, &admin, "?wait=50", &body).is(200)["ledger"].clone();
    let told: Vec<Value> = ledger["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let findings = entry["findings"].as_array().into_iter().flatten();
            let findings: Vec<&Value> = findings.map(|one| &one["type"]).collect();
            json!([entry["verdict"], entry["evidence_chunk_ids"], findings])
        })
        .collect();
    let [one, two] = [0, 1].map(|n| items[n]["evidence_id"].clone());
    assert_eq!(
        told,
        [
            json!(["supported", [one], []]),
            json!(["supported", [two], ["unrelated_citation"]]),
            json!(["supported", [two], []]),
            json!(["supported", [two], ["unresolved_citation"]]),
        ]
    );
    let metadata = &ledger["entries"][0]["source_document"]["metadata"];
    assert_eq!(metadata["bundle_id"], built["saved"]["bundle_id"]);
}
