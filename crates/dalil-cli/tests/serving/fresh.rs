//! The server's caches are dropped when they are out of date; requests that come at once are stored
//! once.

use std::sync::Mutex;
use std::thread;

use serde_json::{Value, json};

use crate::server::{ALL, QUICK, Server, dalil, folder, key};
use crate::way::ended;

fn id_of(key: &str) -> &str {
    key.split('_').nth(2).unwrap()
}

#[test]
fn a_key_that_is_revoked_and_a_member_who_is_removed_are_out_at_once() {
    let dir = folder("fresh-keys");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let noura = key(&dir, "acme", "person:noura", &ALL);
    let agent = key(&dir, "acme", "person:sami", &["view"]);
    let server = Server::start(dir, QUICK);
    let look = |key: &str| server.ask("GET", "/api/v1/tenant", key, None).status;
    for _ in 0..2 {
        assert_eq!([&admin, &noura, &agent].map(|key| look(key)), [200, 200, 200]);
    }
    let gone = format!("/api/v1/api-keys/{}", id_of(&agent));
    assert_eq!(server.ask("DELETE", &gone, &admin, None).status, 200);
    assert_eq!([&admin, &noura, &agent].map(|key| look(key)), [200, 200, 401]);
    assert_eq!(server.ask("DELETE", "/api/v1/members/noura", &admin, None).status, 200);
    assert_eq!([&admin, &noura, &agent].map(|key| look(key)), [200, 403, 401]);
    let back = br#"{"name":"noura","role":"viewer"}"#;
    assert_eq!(server.ask("POST", "/api/v1/members", &admin, Some(back)).status, 201);
    assert_eq!(look(&noura), 200);
}

#[test]
fn a_ledger_is_the_newest_one_and_is_gone_when_it_is_erased() {
    let dir = folder("fresh-ledger");
    let dana =
        ["member", "add", "dana", "--role", "admin", "--tenant", "acme", "--actor", "system"];
    dalil(&dir, &dana);
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let dana = key(&dir, "acme", "person:dana", &ALL);
    let other = key(&dir, "zenith", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let post_as = |key: &str, path: &str, body: &Value| {
        let body = serde_json::to_vec(body).unwrap();
        server.ask("POST", path, key, Some(&body))
    };
    let post = |path: &str, body: &Value| post_as(&admin, path, body);
    let markdown = [("content-type", "text/markdown")];
    let upload = |days: u32| {
        let text = format!("# Leave\n\nEmployees receive {days} days of paid annual leave.\n");
        let path = format!("/api/v1/documents?filename=leave-{days}.md");
        let added = server.ask_with(("POST", &path), &admin, &markdown, Some(text.as_bytes()));
        added.is(201)["document_id"].clone()
    };
    let check = |document: &Value| {
        let order = json!({"documents": [document]});
        let job = post("/api/v1/sessions/ses-1/check", &order).is(202);
        assert_eq!(ended(&server, &admin, job["job_id"].as_str().unwrap())["state"], "done");
    };
    let read = |key: &str| server.ask("GET", "/api/v1/sessions/ses-1/ledger", key, None);
    let verdict = |told: &Value| told["ledger"]["entries"][0]["verdict"].clone();

    let opening = json!({"session_id": "ses-1", "query": "How many \"days\"?",
        "answer": "Employees receive 15 days of paid annual leave."});
    post("/api/v1/sessions", &opening).is(201);
    check(&upload(15));
    let first = read(&admin);
    let again = read(&admin);
    assert_eq!(verdict(&first.is(200)), "supported");
    assert_eq!((&first.body, first.header("etag")), (&again.body, again.header("etag")));
    assert_eq!(first.json()["session"]["query"], "How many \"days\"?");
    let has = [("if-none-match", first.header("etag"))];
    let path = "/api/v1/sessions/ses-1/ledger";
    assert_eq!(server.ask_with(("GET", path), &admin, &has, None).status, 304);
    assert_eq!(read(&other).status, 404);

    check(&upload(20));
    let second = read(&admin);
    assert_eq!(verdict(&second.is(200)), "contradicted");
    assert_eq!(second.json()["ledger"]["previous_ledger_id"], first.json()["ledger"]["id"]);
    assert_eq!(server.ask_with(("GET", path), &admin, &has, None).status, 200);

    let order = json!({"scope": "subject:ses-1", "legal_basis": "court_order"});
    let mut matter = order.clone();
    matter["action"] = json!("erase");
    post_as(&dana, "/api/v1/approvals", &matter).is(201);
    post("/api/v1/erasures", &order).is(200);
    assert_eq!(read(&admin).status, 404);
}

#[test]
fn of_calls_that_come_at_once_each_name_is_taken_once_and_none_waits_for_another() {
    let dir = folder("fresh-calls");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let say = |name: &str, n: usize| {
        let call = json!({"phase": "intended", "tool_call_id": name, "tool_name": "erp",
            "intended_action": format!("pay {n}")});
        let body = serde_json::to_vec(&call).unwrap();
        server.ask("POST", "/api/v1/tool-calls", &admin, Some(&body))
    };
    let together = |name: fn(usize) -> String| {
        let said = Mutex::new(Vec::new());
        let (say, said_by) = (&say, &said);
        thread::scope(|scope| {
            for n in 0..32 {
                scope.spawn(move || {
                    let status = say(&name(n), n).status;
                    said_by.lock().unwrap().push(status);
                });
            }
        });
        let mut said: Vec<u16> = said.into_inner().unwrap();
        said.sort_unstable();
        said
    };
    assert_eq!(together(|n| format!("own-{n}")), [201; 32]);
    let mut one = vec![201];
    one.extend([409; 31]);
    assert_eq!(together(|_| "same".to_owned()), one);
    let reported = json!({"phase": "reported", "tool_call_id": "same", "actual_action": "paid",
        "outcome": "succeeded"});
    let report = || {
        let body = serde_json::to_vec(&reported).unwrap();
        server.ask("POST", "/api/v1/tool-calls", &admin, Some(&body)).status
    };
    assert_eq!((report(), report()), (201, 409));
    let page = server.ask("GET", "/api/v1/trail/records?limit=200", &admin, None).is(200);
    let kinds = |kind: &str| {
        let items = page["items"].as_array().unwrap();
        items.iter().filter(|one| one["kind"] == kind).count()
    };
    assert_eq!((kinds("tool.intended"), kinds("tool.reported")), (33, 1));
}

#[test]
fn sixteen_threads_that_change_one_obligation_are_never_refused_for_their_time() {
    let dir = folder("fresh-obligation");
    let admin = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let said = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for thread in 0..16 {
            let (server, admin, said) = (&server, &admin, &said);
            scope.spawn(move || {
                for n in 0..13 {
                    let change = json!({"obligation_id": "ob-1", "old_status": "ACTIVE",
                        "new_status": "ACTIVE", "reason": format!("{thread}/{n}")});
                    let body = serde_json::to_vec(&change).unwrap();
                    let told = server.ask("POST", "/api/v1/obligations/status", admin, Some(&body));
                    said.lock().unwrap().push((told.status, told.text()));
                }
            });
        }
    });
    let said = said.into_inner().unwrap();
    let refused: Vec<_> = said.iter().filter(|(status, _)| *status != 201).collect();
    assert_eq!((said.len(), refused), (16 * 13, Vec::new()));
}
