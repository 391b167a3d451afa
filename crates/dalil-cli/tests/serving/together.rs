//! Several servers on one PostgreSQL: work is done once, and any of them can be asked.

use std::time::Duration;

use serde_json::{Value, json};

use crate::paced_judge::PacedJudge;
use crate::server::{ALL, QUICK, Server, dalil, key, shared};

const POLICY: &str = "All permanent employees shall receive 15 days of paid annual leave. \
    Requests are made two weeks before. Unused days are lost at the end of March.";

/// Two servers over one database, a key, and a document.
fn two(name: &str) -> Option<([Server; 2], String)> {
    two_with(name, QUICK)
}

fn two_with(name: &str, config: &str) -> Option<([Server; 2], String)> {
    let dir = shared(name)?;
    let key = key(&dir, "acme", "person:amal", &ALL);
    let servers = [(); 2].map(|()| Server::start(dir.clone(), config));
    let sections: String = (1..=20).map(|n| format!("\n# Part {n}\n\n{POLICY}\n")).collect();
    let text = [("content-type", "text/markdown")];
    let path = "/api/v1/documents?filename=leave.md";
    servers[0].ask_with(("POST", path), &key, &text, Some(sections.as_bytes())).is(201);
    Some((servers, key))
}

/// Opens a session with an answer of `claims` claims.
fn open(server: &Server, key: &str, id: &str, claims: usize) {
    let claim = |n| format!("Employees of department {n} receive {} days of leave. ", n + 10);
    let answer: String = (0..claims).map(claim).collect();
    let body = serde_json::to_vec(&json!({"session_id": id, "answer": answer})).unwrap();
    server.ask("POST", "/api/v1/sessions", key, Some(&body)).is(201);
}

fn check(server: &Server, key: &str, session: &str, name: &str) -> String {
    let path = format!("/api/v1/sessions/{session}/check");
    let named = [("idempotency-key", name)];
    let job = server.ask_with(("POST", &path), key, &named, Some(b"{}")).is(202);
    job["job_id"].as_str().unwrap().to_owned()
}

fn show(server: &Server, key: &str, job: &str) -> Value {
    server.ask("GET", &format!("/api/v1/jobs/{job}"), key, None).is(200)
}

/// How often a server began a job.
fn begun(server: &Server, job: &str) -> usize {
    server.log().matches(&format!("{job} is begun")).count()
}

/// Waits until something is so.
#[track_caller]
fn until(seconds: u64, what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..seconds * 20 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("expected that {what} within {seconds} s");
}

fn is_judging(server: &Server, key: &str, job: &str) -> bool {
    let shown = show(server, key, job);
    assert_eq!(shown["state"], json!("accepted"), "it ended too early: {shown}");
    shown["progress"]["stage"] == json!("judging") && shown["progress"]["done"] != json!(0)
}

/// Checks the job and its session at the end, at any server.
#[track_caller]
fn is_done_once(server: &Server, key: &str, job: &str, session: &str) {
    assert_eq!(show(server, key, job)["state"], json!("done"));
    let shown = server.ask("GET", &format!("/api/v1/sessions/{session}"), key, None).is(200);
    assert_eq!(shown["ledgers"].as_array().unwrap().len(), 1, "{session}");
    let ended = server.ask("GET", "/api/v1/audit?kind=job.ended", key, None).is(200);
    let of_job = |one: &&Value| one["subject"] == json!(job);
    assert_eq!(ended["items"].as_array().unwrap().iter().filter(of_job).count(), 1, "{ended}");
}

#[test]
fn jobs_are_done_once_whoever_accepted_them_and_whoever_is_asked() {
    let Some((servers, key)) = two("once") else { return };
    let [a, b] = &servers;
    let sessions: Vec<String> = (0..8).map(|n| format!("ses-{n}")).collect();
    let mut jobs = Vec::new();
    for session in &sessions {
        open(a, &key, session, 2);
        // The same request at both servers at once is one job.
        let asked = std::thread::scope(|scope| {
            let key = &key;
            let ask = |server| scope.spawn(move || check(server, key, session, session));
            [ask(a), ask(b)].map(|thread| thread.join().unwrap())
        });
        assert_eq!(asked[0], asked[1]);
        jobs.push(asked[0].clone());
    }
    for (job, session) in jobs.iter().zip(&sessions) {
        for server in &servers {
            let events = server.ask("GET", &format!("/api/v1/jobs/{job}/events"), &key, None);
            assert!(events.text().contains("event: end"), "{}", events.text());
            is_done_once(server, &key, job, session);
        }
        assert_eq!(begun(a, job) + begun(b, job), 1, "{job}");
    }
    // A key is used for one request only, wherever the second comes in.
    let named = [("idempotency-key", "ses-0")];
    let path = "/api/v1/sessions/ses-1/check";
    assert_eq!(b.ask_with(("POST", path), &key, &named, Some(b"{}")).status, 409);
}

#[test]
fn a_server_with_nothing_to_do_takes_what_waits_at_another() {
    let judge = PacedJudge::start();
    let Some((servers, key)) = two_with("share", &judge.config()) else { return };
    let [a, b] = &servers;
    let jobs: Vec<String> = (0..3)
        .map(|n| {
            let session = format!("ses-{n}");
            open(a, &key, &session, 90);
            check(a, &key, &session, &session)
        })
        .collect();
    until(60, "both have begun", || {
        [a, b].iter().all(|server| jobs.iter().any(|job| begun(server, job) > 0))
    });
    judge.hurry();
    until(120, "all are done", || {
        jobs.iter().all(|job| show(a, &key, job)["state"] == json!("done"))
    });
    for job in &jobs {
        assert_eq!(begun(a, job) + begun(b, job), 1, "{job}");
    }
}

#[test]
fn what_a_killed_server_did_is_finished_by_the_other_which_told_of_it_before() {
    let judge = PacedJudge::start();
    let Some((mut servers, key)) = two_with("kill", &judge.config()) else { return };
    open(&servers[0], &key, "ses-long", 150);
    let job = check(&servers[0], &key, "ses-long", "k");
    until(30, "somebody begins", || servers.iter().any(|server| begun(server, &job) > 0));
    if begun(&servers[0], &job) == 0 {
        servers.swap(0, 1);
    }
    let [runs, other] = &mut servers;
    // The other server knows the progress, as a reply and as events.
    until(60, "it is judging, as the other says", || is_judging(other, &key, &job));
    let (base, path) = (other.base.clone(), format!("/api/v1/jobs/{job}/events"));
    let events = std::thread::scope(|scope| {
        let heard = scope.spawn(|| {
            let bearer = format!("Bearer {key}");
            let agent = crate::server::agent();
            let sent = agent.get(format!("{base}{path}")).header("authorization", bearer).call();
            crate::server::answer(sent.unwrap()).text()
        });
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(begun(other, &job), 0);
        runs.kill();
        judge.hurry();
        heard.join().unwrap()
    });
    assert!(events.matches("\"stage\":\"judging\"").count() > 1, "{events}");
    assert!(events.contains("event: end"), "{events}");
    assert_eq!(begun(other, &job), 1);
    is_done_once(other, &key, &job, "ses-long");
    let dir = other.dir().clone();
    assert_eq!(other.stop(), Some(0));
    assert_eq!(dalil(&dir, &["fsck"])["verdict"], json!("pass"));
}

#[test]
fn a_server_that_stood_still_and_goes_on_adds_nothing_to_what_was_finished() {
    let judge = PacedJudge::start();
    let Some((mut servers, key)) = two_with("still", &judge.config()) else { return };
    open(&servers[0], &key, "ses-long", 150);
    let job = check(&servers[0], &key, "ses-long", "k");
    until(30, "somebody begins", || servers.iter().any(|server| begun(server, &job) > 0));
    if begun(&servers[0], &job) == 0 {
        servers.swap(0, 1);
    }
    let [runs, other] = &servers;
    until(60, "it is judging", || is_judging(other, &key, &job));
    runs.signal("-STOP");
    judge.hurry();
    until(120, "the other finishes", || show(other, &key, &job)["state"] == json!("done"));
    runs.signal("-CONT");
    let figures = || runs.ask("GET", "/metrics", "", None).text();
    until(120, "it is over", || figures().contains("dalil_jobs 0\n"));
    for server in &servers {
        is_done_once(server, &key, &job, "ses-long");
    }
}

#[test]
fn links_cookies_and_keys_of_one_server_open_at_the_other() {
    let Some((servers, key)) = two("links") else { return };
    let [a, b] = &servers;
    open(a, &key, "ses-1", 1);
    let job = check(a, &key, "ses-1", "k");
    b.ask("GET", &format!("/api/v1/jobs/{job}/events"), &key, None);
    // The command line works on the same store, and servers see its changes.
    let maha = ["member", "add", "maha", "--role", "approver", "--title", "manager"];
    dalil(a.dir(), &[&maha[..], &["--tenant", "acme", "--actor", "system"]].concat());
    let approver = crate::server::key(a.dir(), "acme", "person:maha", &ALL);
    // An export that is approved at one server leaves at the other.
    let matter = br#"{"action":"export_ledger","object":"ses-1","format":"json","reason":"for the auditor"}"#;
    let approve = || b.ask("POST", "/api/v1/approvals", &approver, Some(matter)).status;
    until(2, "the other server knows the member", || approve() == 201);
    let asked = json!({"format": "json", "reason": "for the auditor"});
    let path = "/api/v1/sessions/ses-1/ledger/export";
    let body = serde_json::to_vec(&asked).unwrap();
    let link = a.ask("POST", path, &key, Some(&body)).is(200);
    let fetched = b.ask("GET", link["download_url"].as_str().unwrap(), "", None);
    assert_eq!((fetched.status, &fetched.json()["session_id"]), (200, &json!("ses-1")));

    // A key that is made at one server is known at the other, and so is its end.
    let order = br#"{"actor":"agent:sami","scopes":["view"]}"#;
    let made = a.ask("POST", "/api/v1/api-keys", &key, Some(order)).is(201);
    let (new, id) = (made["api_key"].as_str().unwrap(), made["key_id"].as_str().unwrap());
    assert_eq!(b.ask("GET", "/api/v1/tenant", new, None).status, 200);
    assert!(b.ask("DELETE", &format!("/api/v1/api-keys/{id}"), &key, None).status < 300);
    let opens = || a.ask("GET", "/api/v1/tenant", new, None).status;
    until(2, "the other server knows it", || opens() == 401);

    // A user who signed in at one is signed in at the other.
    let page = a.ask("GET", "/signin", "", None);
    let cookie = page.header("set-cookie").split(';').next().unwrap().to_owned();
    let text = page.text();
    let mark = text.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let form = format!("csrf={mark}&credential={key}&back=/sessions");
    let still = ureq::Agent::config_builder().max_redirects(0).build().new_agent();
    let entered = still
        .post(format!("{}/signin", b.base))
        .header("cookie", &cookie)
        .header("content-type", "application/x-www-form-urlencoded")
        .send(form.as_bytes());
    let entered = crate::server::answer(entered.unwrap());
    assert_eq!((entered.status, entered.header("location")), (303, "/sessions"));
    let cookie = entered.header("set-cookie").split(';').next().unwrap().to_owned();
    let seen = a.ask_with(("GET", "/sessions"), "", &[("cookie", &cookie)], None);
    assert_eq!(seen.status, 200, "{}", seen.text());
    assert!(seen.text().contains("ses-1"), "{}", seen.text());
}

#[test]
fn what_changes_at_one_server_has_changed_at_the_other() {
    let Some((servers, key)) = two("fresh") else { return };
    let [a, b] = &servers;
    open(a, &key, "ses-1", 1);
    let ledger = |server: &Server| {
        let found = server.ask("GET", "/api/v1/sessions/ses-1/ledger", &key, None).is(200);
        found["ledger"].clone()
    };
    let checked = |server: &Server, name: &str| {
        let job = check(server, &key, "ses-1", name);
        server.ask("GET", &format!("/api/v1/jobs/{job}/events"), &key, None);
    };
    checked(a, "first");
    // Both have it, and may remember it.
    let first = ledger(a);
    assert_eq!((&ledger(b), &ledger(a)), (&first, &first));
    checked(b, "second");
    let second = ledger(a);
    assert_eq!(second["previous_ledger_id"], first["id"]);
    assert_eq!(ledger(b), second);

    let sami = crate::server::key(a.dir(), "acme", "person:sami", &["view"]);
    let looks = |server: &Server| server.ask("GET", "/api/v1/tenant", &sami, None).status;
    assert_eq!([looks(a), looks(b), looks(a)], [200; 3]);
    let gone = b.ask("DELETE", "/api/v1/members/sami", &key, None);
    assert_eq!(gone.status, 200, "{}", gone.text());
    assert_eq!(looks(b), 403);
    until(2, "the other server knows it", || looks(a) == 403);
}
