//! One answer's way through the API: uploaded, asked, checked, read, exported, verified.

use serde_json::{Value, json};

use crate::server::{ALL, QUICK, Server, folder, key};

const POLICY: &[u8] =
    b"# Leave policy\n\nAll permanent employees shall receive 15 days of paid annual leave.\n";

/// Waits for a job through its events, and gives the last one.
pub(crate) fn ended(server: &Server, key: &str, job: &str) -> Value {
    let events = server.ask("GET", &format!("/api/v1/jobs/{job}/events"), key, None);
    assert_eq!(events.header("content-type"), "text/event-stream");
    let text = events.text();
    let last = text.split("event: end\ndata: ").nth(1).unwrap_or_else(|| panic!("{text}"));
    serde_json::from_str(last.trim()).unwrap()
}

fn body(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

/// The ledger of the session leaves in its forms.
fn exported(server: &Server, (noura, admin): (&str, &str), ledger_id: &Value) {
    let export = |value: &Value| {
        let path = "/api/v1/sessions/ses-1/ledger/export";
        server.ask("POST", path, noura, Some(&body(value)))
    };
    // The contract's own body: the form alone. It needs no approval, and is recorded.
    let link = export(&json!({"format": "pdf"})).is(200)["download_url"].clone();
    let pages = server.ask("GET", link.as_str().unwrap(), "", None);
    assert!(pages.body.starts_with(b"%PDF-"), "{}", pages.status);
    let exports = server.ask("GET", "/api/v1/exports", admin, None).is(200);
    assert_eq!(exports["items"][0]["reason"], json!("no reason was given"));
    // `json` is the output of `dalil check --format json`, and `ledger` the whole.
    let form = |form: &str| {
        let link =
            export(&json!({"format": form, "reason": "audit"})).is(200)["download_url"].clone();
        server.ask("GET", link.as_str().unwrap(), "", None).json()
    };
    assert_eq!(form("json")["ledger_id"], *ledger_id);
    assert_eq!(form("ledger")["id"], *ledger_id);
}

#[test]
fn an_answer_is_checked_read_and_exported() {
    let dir = folder("way");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let noura = key(&dir, "acme", "person:noura", &ALL);
    let other = key(&dir, "zenith", "person:amal", &ALL);
    let mut server = Server::start(dir, QUICK);

    let upload = |key: &str, name: &str| {
        let path = format!("/api/v1/documents?filename={name}");
        let bytes = [("content-type", "application/octet-stream")];
        server.ask_with(("POST", &path), key, &bytes, Some(POLICY))
    };
    let added = upload(&admin, "leave.md");
    let document = added.is(201)["document_id"].as_str().unwrap().to_owned();
    assert_eq!(added.header("location"), format!("/api/v1/documents/{document}"));
    assert_eq!(upload(&admin, "leave.md").is(200)["is_new"], json!(false));

    let at = format!("/api/v1/documents/{document}");
    let original = server.ask("GET", &format!("{at}/original"), &admin, None);
    assert_eq!((original.status, original.body.as_slice()), (200, POLICY));
    let tag = original.header("etag").to_owned();
    let again = [("if-none-match", tag.as_str())];
    assert_eq!(
        server.ask_with(("GET", &format!("{at}/original")), &admin, &again, None).status,
        304
    );
    assert!(server.ask("GET", &format!("{at}/text"), &admin, None).text().contains("15 days"));

    let opening = body(&json!({"query": "How many days?", "mode": "answer", "session_id": "ses-1",
        "answer": "Permanent employees receive 15 days of paid annual leave."}));
    let named = [("idempotency-key", "open-1")];
    let open = || server.ask_with(("POST", "/api/v1/sessions"), &admin, &named, Some(&opening));
    let first = open().is(201);
    assert_eq!(open().is(201), first);
    server.ask("GET", "/api/v1/sessions/ses-1/ledger", &admin, None).is(404);

    let check = server.ask("POST", "/api/v1/sessions/ses-1/check", &admin, Some(b"{}"));
    let job = check.is(202)["job_id"].as_str().unwrap().to_owned();
    let end = ended(&server, &admin, &job);
    assert_eq!(end["state"], json!("done"), "{end}");
    let told = server.ask("GET", "/api/v1/sessions/ses-1/ledger", &admin, None).is(200);
    let session = json!({"id": "ses-1", "mode": "answer", "query": "How many days?"});
    assert_eq!(told["session"], session);
    assert_eq!(told["ledger"]["entries"][0]["verdict"], json!("supported"), "{told}");

    // Another tenant's objects do not exist.
    for path in [
        at.as_str(),
        "/api/v1/sessions/ses-1",
        "/api/v1/sessions/ses-1/ledger",
        &format!("/api/v1/jobs/{job}"),
    ] {
        assert_eq!(server.ask("GET", path, &other, None).status, 404, "{path}");
    }

    exported(&server, (&noura, &admin), &told["ledger"]["id"]);
    server.ask("GET", "/api/v1/trail/checkpoint", &admin, None);

    let receipt = server.ask("GET", "/api/v1/trail/records/0/receipt", &admin, None);
    assert_eq!(receipt.status, 200);
    let verify = [("content-type", "application/octet-stream")];
    let report =
        server.ask_with(("POST", "/api/v1/verify"), &admin, &verify, Some(&receipt.body)).is(200);
    assert_eq!(report["verdict"], json!("pass"), "{report}");

    let log = server.log();
    for secret in [admin.as_str(), "15 days", "How many", "ses-1", "leave.md"] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn sources_are_chosen_for_whoever_may_view() {
    let dir = folder("sources");
    let viewer = key(&dir, "acme", "person:sami", &["view"]);
    let server = Server::start(dir, QUICK);
    let asked = json!({
        "candidates": [{"item_id": "a", "score": 0.5, "title": "T"}],
        "evidence_chunks": [{"item_id": "a", "text": "words"}],
    });
    let event = server.ask("POST", "/api/v1/sources", &viewer, Some(&body(&asked))).is(200);
    let source = json!({
        "source_id": "a", "kind": "doc", "title": "T", "url": null, "snippet": "words",
        "snippet_from": "chunk", "score": 0.5, "rank": 1, "metadata": {},
    });
    assert_eq!(event, json!({"type": "rag.sources", "payload": {"sources": [source]}}));
}

#[test]
fn an_export_is_approved_recorded_and_fetched_by_its_link() {
    let dir = folder("export");
    crate::server::dalil(
        &dir,
        &[
            "member", "add", "maha", "--role", "approver", "--title", "manager", "--tenant",
            "acme", "--actor", "system",
        ],
    );
    let noura = key(&dir, "acme", "person:noura", &ALL);
    let maha = key(&dir, "acme", "person:maha", &["review"]);
    let server = Server::start(dir, r#"{"limits":{"rate":10000,"burst":10000},"link_seconds":2}"#);
    let document = [("content-type", "text/markdown")];
    let path = "/api/v1/documents?filename=leave.md";
    server.ask_with(("POST", path), &noura, &document, Some(POLICY)).is(201);
    let opening = json!({"session_id": "ses-2", "answer": "Employees receive 15 days of leave."});
    server.ask("POST", "/api/v1/sessions", &noura, Some(&body(&opening))).is(201);
    let job = server.ask("POST", "/api/v1/sessions/ses-2/check", &noura, Some(b"{}")).is(202);
    ended(&server, &noura, job["job_id"].as_str().unwrap());
    let matter = json!({"action": "export_ledger", "object": "ses-2", "format": "json",
        "reason": "for the auditor"});
    server.ask("POST", "/api/v1/approvals", &maha, Some(&body(&matter))).is(201);
    let asked = json!({"format": "json", "reason": "for the auditor"});
    let path = "/api/v1/sessions/ses-2/ledger/export";
    let link = server.ask("POST", path, &noura, Some(&body(&asked))).is(200);
    let keys: Vec<_> = link.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["download_url", "expires_at"]);
    let url = link["download_url"].as_str().unwrap();
    let fetched = server.ask("GET", url, "", None);
    let exports = server.ask("GET", "/api/v1/exports", &noura, None).is(200);
    let digest = exports["items"][0]["sha256"].as_str().unwrap().to_owned();
    assert_eq!(format!("sha256:{}", fetched.header("etag").trim_matches('"')), digest);
    assert_eq!(fetched.json()["session_id"], json!("ses-2"));
    let forged = url.replace("acme", "zenith");
    assert_eq!(server.ask("GET", &forged, "", None).status, 404);
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert_eq!(server.ask("GET", url, "", None).status, 404);
}
