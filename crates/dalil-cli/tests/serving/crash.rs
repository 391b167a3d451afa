//! A server that is killed under load loses nothing that it acknowledged.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::server::{ALL, QUICK, Server, agent, folder, key};

#[test]
fn what_was_acknowledged_is_there_after_kill_9() {
    let dir = folder("crash");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let mut server = Server::start(dir.clone(), QUICK);
    let base = server.base.clone();
    let (acknowledged, over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (base, key, acknowledged, over) = (&base, &key, &acknowledged, &over);
            scope.spawn(move || {
                let agent = agent();
                for n in 0.. {
                    let id = format!("ses-{worker}-{n}");
                    let body = json!({"session_id": id, "answer": format!("Answer {worker} {n}.")});
                    let request = agent
                        .post(format!("{base}/api/v1/sessions"))
                        .header("authorization", format!("Bearer {key}"))
                        .header("content-type", "application/json");
                    let sent = request.send(serde_json::to_vec(&body).unwrap());
                    if sent.is_ok_and(|reply| reply.status() == 201) {
                        acknowledged.lock().unwrap().push(id);
                    }
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        std::thread::sleep(Duration::from_secs(3));
        server.kill();
        over.store(true, Ordering::Relaxed);
    });
    let acknowledged = acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() > 10, "{}", acknowledged.len());
    let server = Server::start(dir, QUICK);
    for id in &acknowledged {
        let found = server.ask("GET", &format!("/api/v1/sessions/{id}"), &key, None);
        assert_eq!(found.status, 200, "{id}: {}", found.text());
    }
}

#[test]
fn a_job_that_a_killed_server_accepted_is_done_by_the_next() {
    let dir = folder("resume");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let mut server = Server::start(dir.clone(), QUICK);
    let bytes = [("content-type", "text/markdown")];
    let path = "/api/v1/documents?filename=a.md";
    server.ask_with(("POST", path), &key, &bytes, Some(b"# A\n\nLeave is 15 days.\n")).is(201);
    let opening = br#"{"session_id":"ses-9","answer":"Leave is 15 days."}"#;
    server.ask("POST", "/api/v1/sessions", &key, Some(opening)).is(201);
    let job = server.ask("POST", "/api/v1/sessions/ses-9/check", &key, Some(b"{}")).is(202);
    let job = job["job_id"].as_str().unwrap().to_owned();
    server.kill();
    let server = Server::start(dir, QUICK);
    let events = server.ask("GET", &format!("/api/v1/jobs/{job}/events"), &key, None).text();
    assert!(events.contains("event: end"), "{events}");
    let shown = server.ask("GET", &format!("/api/v1/jobs/{job}"), &key, None).is(200);
    assert_eq!(shown["state"], json!("done"), "{shown}");
    let session = server.ask("GET", "/api/v1/sessions/ses-9", &key, None).is(200);
    assert_eq!(session["ledgers"].as_array().unwrap().len(), 1);
}
