//! A server under pressure: silent and slow clients, costly files, held uploads and long checks.
//! Clients that behave are answered in time.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use dalil_proof::key::SecretKey;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};

use crate::bomb;
use crate::hostile::memory;
use crate::server::{ALL, QUICK, Server, dalil, folder, key, seal, write};
use crate::viewer::{BARE_PACK, PARTS, begun, parts, sign_in, visit};

const MIB: usize = 1 << 20;
/// The time in which an answer counts as prompt.
const SOON: Duration = Duration::from_secs(2);
/// Silent and slow clients have ten seconds.
const STALLED: Duration = Duration::from_secs(14);

#[expect(clippy::disallowed_methods, reason = "the test measures time")]
fn clock() -> Instant {
    Instant::now()
}

/// Does something that must be done soon.
#[track_caller]
fn soon<T>(what: &str, done: impl FnOnce() -> T) -> T {
    let begun = clock();
    let done = done();
    let took = begun.elapsed();
    assert!(took < SOON, "{what} took {took:?}");
    done
}

/// Waits until something is so.
#[track_caller]
fn until(what: &str, most: Duration, is_so: impl Fn() -> bool) {
    let begun = clock();
    while !is_so() {
        assert!(begun.elapsed() < most, "{what}");
        sleep(Duration::from_millis(20));
    }
}

fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.base.trim_start_matches("http://")).unwrap()
}

/// Takes as many open files as the system gives: often a process begins with fewer than the
/// connections that a test opens.
fn allow_open_files() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
}

/// A figure of the server.
fn figure(server: &Server, name: &str) -> u64 {
    let text = server.ask("GET", "/metrics", "", None).text();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("{name} in {text}")).parse().unwrap()
}

/// The processes of a server that verify.
fn verifying(server: &Server) -> Vec<u32> {
    let all = fs::read_dir("/proc").unwrap();
    let pids = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let is_one = |pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let parent = format!("PPid:\t{}\n", server.pid());
        String::from_utf8_lossy(&line).contains("verify\0--wire")
            && status.contains(&parent)
            && !status.contains("State:\tZ")
    };
    pids.filter(is_one).collect()
}

#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    let dir = folder("silent");
    let config = r#"{"limits":{"connections":60,"connections_per_address":50}}"#;
    let server = Server::start(dir, config);
    let silent: Vec<TcpStream> = (0..200)
        .map(|n| {
            let mut stream = connect(&server);
            if n % 2 == 0 {
                // The first byte of a request. One that made way takes none.
                stream.write_all(b"P").unwrap_or_default();
            }
            stream
        })
        .collect();
    for _ in 0..5 {
        assert_eq!(soon("/healthz", || server.ask("GET", "/healthz", "", None).status), 200);
    }
    assert!(figure(&server, "dalil_evicted_connections_total") >= 150);
    let begun = clock();
    for mut stream in silent {
        stream.set_read_timeout(Some(Duration::from_secs(25))).unwrap();
        // The end, or a reset where a byte was never read.
        assert_eq!(stream.read(&mut [0; 1]).unwrap_or(0), 0);
    }
    assert!(begun.elapsed() < Duration::from_secs(22), "{:?}", begun.elapsed());
}

#[test]
fn connections_that_ask_nothing_more_keep_nobody_out() {
    let dir = folder("idle");
    let config = r#"{"limits":{"connections":60,"connections_per_address":50}}"#;
    let server = Server::start(dir, config);
    let idle: Vec<TcpStream> = (0..200)
        .map(|n| {
            let mut stream = connect(&server);
            stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n").unwrap();
            let mut begins = [0; 12];
            stream.read_exact(&mut begins).unwrap_or_else(|error| panic!("{n}: {error}"));
            assert_eq!(&begins, b"HTTP/1.1 200");
            stream
        })
        .collect();
    for _ in 0..5 {
        assert_eq!(soon("/healthz", || server.ask("GET", "/healthz", "", None).status), 200);
    }
    assert!(figure(&server, "dalil_evicted_connections_total") >= 100);
    drop(idle);
}

/// Every key of a trust file is computed with, and a stranger may send one: a large one is refused
/// before it is read, and no thread that answers others reads any.
#[test]
fn a_trust_file_of_a_stranger_is_bounded_and_keeps_nobody_waiting() {
    let server = Server::start(folder("large-trust"), QUICK);
    let send = |trust: &str| {
        let (cookie, mark) = visit(&server);
        let head = "\r\n--edge\r\ncontent-disposition: form-data; name=\"trust\"; filename=\"t\"";
        let file = format!("{{}}{head}\r\n\r\n{trust}");
        let form = parts(&mark, file.as_bytes());
        let headers = [("cookie", cookie.as_str()), ("content-type", PARTS)];
        server.ask_with(("POST", "/verify"), "", &headers, Some(&form))
    };
    let keys: Vec<String> = (0..2_000_u32)
        .map(|n| {
            let mut seed = [7; 32];
            seed[..4].copy_from_slice(&n.to_be_bytes());
            let key = SecretKey::from_seed("dalil.example/acme", &seed).unwrap();
            key.public().to_string()
        })
        .collect();
    let trust = json!({"origin": "dalil.example/acme", "keys": keys}).to_string();
    // More of them than there are threads that answer, which are as many as cores.
    let count = std::thread::available_parallelism().map_or(4, |cores| cores.get() + 2);
    std::thread::scope(|scope| {
        let sent: Vec<_> = (0..count).map(|_| scope.spawn(|| send(&trust).status)).collect();
        loop {
            assert_eq!(soon("/healthz", || server.ask("GET", "/healthz", "", None).status), 200);
            if sent.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                break;
            }
        }
        for one in sent {
            assert_eq!(one.join().unwrap(), 200);
        }
    });
    // Only the size is refused, for any content; a body of the allowed size is read.
    let told = [MIB + 1, MIB].map(|bytes| soon("an answer", || send(&"x".repeat(bytes)).status));
    assert_eq!(told, [413, 422]);
}

#[test]
fn a_client_that_takes_nothing_of_its_reply_is_cut() {
    let dir = folder("slow-reader");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let config = r#"{"limits":{"rate":100000,"burst":100000,"seconds":600}}"#;
    let server = Server::start(dir, config);
    let text = "Employees receive 30 days of leave.\n\n".repeat(24 * MIB / 37);
    let kind = [("content-type", "text/plain")];
    let add = ("POST", "/api/v1/documents?filename=long.txt");
    let kept = server.ask_with(add, &key, &kind, Some(text.as_bytes())).is(201);
    let path = format!("/api/v1/documents/{}/original", kept["document_id"].as_str().unwrap());
    let before = figure(&server, "dalil_connections");
    let slow: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = connect(&server);
            let head =
                format!("GET {path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    until("they are open", SOON, || figure(&server, "dalil_connections") >= before + 3);
    until("they are cut", STALLED, || figure(&server, "dalil_connections") <= before);
    drop(slow);
}

/// A ledger of `claims` claims, as JSON.
fn ledger(dir: &Path, claims: usize) -> Vec<u8> {
    let claim = |n: usize| {
        json!({"claim_id": format!("c{n}"), "claim_type": "policy", "importance": "critical",
            "claim_text": format!("Claim number {n} says that employees receive {n} days"),
            "matches": [{"chunk_id": "a1b2c3d4", "contradicts": false, "similarity": 0.5,
                "document": {"filename": "HR.pdf", "id": "doc_1", "page_number": 1},
                "snippet": "words words", "support": "partial"}]})
    };
    let claims: Vec<Value> = (0..claims).map(claim).collect();
    let session = json!({"id": "s", "mode": "answer", "query": "q"});
    let request =
        json!({"session": session, "created_at": "2026-01-03T14:30:00Z", "claims": claims});
    write(&dir.join("request.json"), &request.to_string());
    serde_json::to_vec(&dalil(dir, &["ledger", "request.json"])).unwrap()
}

/// Sends a file to the page that verifies, without signing in.
fn send(server: &Server, file: &[u8]) -> TcpStream {
    let (cookie, mark) = visit(server);
    let form = parts(&mark, file);
    let length = form.len();
    let head = format!(
        "POST /verify HTTP/1.1\r\ncookie: {cookie}\r\ncontent-type: {PARTS}\r\n\
         content-length: {length}"
    );
    begun(server, &head, &form)
}

fn reply(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_costly_file_of_a_stranger_is_bounded_and_ends_with_its_caller() {
    let dir = folder("costly");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);

    // More claims than are pressed.
    let many = bomb::with_ledger(&ledger(server.dir(), 2_001));
    let told = reply(send(&server, &many));
    assert!(told.starts_with("HTTP/1.1 200 "), "{told}");
    assert!(told.contains("لأن عدد الادعاءات 2001 أكثر من 2000"), "{told}");

    // Six times as many as are pressed: one after the other, until none waits.
    let slow = bomb::with_ledger(&ledger(server.dir(), 2_000));
    let waiting: Vec<TcpStream> = (0..6).map(|_| send(&server, &slow)).collect();
    until("one is verified", SOON, || verifying(&server).len() == 1);
    let small = br#"{"none":1}"#;
    let kind = [("content-type", "application/octet-stream")];
    let verify = || server.ask_with(("POST", "/api/v1/verify"), &key, &kind, Some(small));
    assert_eq!(soon("a member's file", verify).is(200)["verdict"], "fail");
    assert_eq!(verifying(&server).len(), 1);
    drop(waiting);
    until("none is verified", SOON, || verifying(&server).is_empty());
}

#[test]
fn a_process_that_needs_too_much_memory_ends_alone() {
    let dir = folder("costly-memory");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let config = format!(r#"{{"limits":{{"reader_memory":{}}}}}"#, 256 * MIB);
    let server = Server::start(dir, &config);
    let large = bomb::with_ledger(&ledger(server.dir(), 2_000));
    let kind = [("content-type", "application/pdf")];
    let told = server.ask_with(("POST", "/api/v1/verify"), &key, &kind, Some(&large)).is(422);
    assert_eq!(told["faults"][0]["rule"], "verification", "{told}");
    assert!(told["detail"].as_str().unwrap().contains("256 MiB of memory"), "{told}");
    server.ask("GET", "/readyz", "", None).is(200);
}

/// JSON of a list with `values` values, in fewer bytes than any other.
fn dense(before: &str, values: usize) -> Vec<u8> {
    [before.as_bytes(), "0,".repeat(values).as_bytes(), b"0]}"].concat()
}

/// Of JSON that takes many times its bytes in memory, a request has a bounded number of values, and
/// a large file to verify is read in a process of its own.
#[test]
fn json_that_grows_in_memory_is_bounded() {
    let dir = folder("dense");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, r#"{"limits":{"reader_memory":268435456}}"#);
    let many = dense(r#"{"candidates":["#, 2 * MIB);
    let told = server.ask("POST", "/api/v1/sources", &key, Some(&many)).is(413);
    assert_eq!(told["faults"][0]["rule"], "values", "{told}");
    let text = format!(r#"{{"candidates":[{{"item_id":"{}"}}]}}"#, "[,{\\\",".repeat(MIB));
    server.ask("POST", "/api/v1/sources", &key, Some(text.as_bytes())).is(200);

    let large = dense(r#"{"pack_id":["#, 12 * MIB);
    let kind = [("content-type", "application/octet-stream")];
    let verify =
        |bytes: &[u8]| server.ask_with(("POST", "/api/v1/verify"), &key, &kind, Some(bytes));
    let told = verify(&large).is(422);
    assert_eq!(told["faults"][0]["rule"], "verification", "{told}");
    assert_eq!(verify(&dense(r#"{"pack_id":["#, MIB / 2)).is(200)["verdict"], "fail");
    let (_, own) = memory(server.pid())[0];
    assert!(own < 400 * MIB as u64, "the server held {own} bytes");
}

/// A pattern of the caller's own can take a thousand times the time that a text takes to be read.
#[test]
fn redaction_rules_of_a_caller_keep_nobody_out() {
    let dir = folder("rules");
    let key = key(&dir, "acme", "agent:reader", &["view", "record"]);
    let server = Server::start(dir, QUICK);
    let text = "annual leave of the staff ".repeat(4_000);
    let bundle = |rules: usize| {
        let rule = |n: usize| {
            let pattern = format!("(?:[a-z ]{{1,30}}[a-y]{{1,20}}){{1,3}}[0-9]{{{}}}", n + 1);
            json!({"name": format!("r{n}"), "pattern": pattern, "replacement": "[X]"})
        };
        let rules: Vec<Value> = (0..rules).map(rule).collect();
        let evidence = [json!({"text": text, "source_uri": "a"})];
        let order = json!({"job_input": {"extra_params": {"evidence": evidence}},
            "evidence_refs": {}, "policy": {"enable_redaction": true, "redaction_rules": rules}});
        let order = order.to_string();
        server.ask("POST", "/api/v1/bundles", &key, Some(order.as_bytes()))
    };
    let told = bundle(64).is(422);
    assert_eq!(told["faults"][0]["path"], "policy.redaction_rules", "{told}");
    // More of them than there are threads that answer, which are as many as cores.
    let count = std::thread::available_parallelism().map_or(4, |cores| cores.get() + 2);
    std::thread::scope(|scope| {
        let sent: Vec<_> = (0..count).map(|_| scope.spawn(|| bundle(1).status)).collect();
        loop {
            assert_eq!(soon("/healthz", || server.ask("GET", "/healthz", "", None).status), 200);
            if sent.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                break;
            }
        }
        for one in sent {
            assert_eq!(one.join().unwrap(), 201);
        }
    });
}

/// Four uploads of strangers that do not end.
fn hold_uploads(server: &Server) -> Vec<TcpStream> {
    let (cookie, mark) = visit(server);
    let form = parts(&mark, &vec![b'x'; 15 * MIB]);
    let length = form.len();
    let head = format!(
        "POST /verify HTTP/1.1\r\ncookie: {cookie}\r\ncontent-type: {PARTS}\r\n\
         content-length: {length}"
    );
    (0..4).map(|_| begun(server, &head, &form[..length - 100])).collect()
}

/// Begins a check of `claims` claims; returns a function that asks for its stage.
fn begin_long_check<'s>(
    server: &'s Server,
    key: &'s str,
    claims: usize,
) -> impl Fn() -> Value + 's {
    let kind = [("content-type", "text/markdown")];
    let add = ("POST", "/api/v1/documents?filename=leave.md");
    let text = b"# Leave\n\nEmployees receive 15 days of leave.\n";
    server.ask_with(add, key, &kind, Some(text)).is(201);
    let answer: String = (0..claims)
        .map(|n| format!("Employees of site {n} receive {n} days of leave.\n\n"))
        .collect();
    let session = json!({"session_id": "ses-long", "answer": answer}).to_string();
    server.ask("POST", "/api/v1/sessions", key, Some(session.as_bytes())).is(201);
    let job = server.ask("POST", "/api/v1/sessions/ses-long/check", key, Some(b"{}")).is(202);
    let job = format!("/api/v1/jobs/{}", job["job_id"].as_str().unwrap());
    let stage = move || server.ask("GET", &job, key, None).is(200)["progress"]["stage"].clone();
    until("the check has begun", STALLED, || stage() == "judging");
    stage
}

#[test]
fn uploads_that_strangers_hold_leave_room_for_members_and_for_signing_in() {
    let dir = folder("held");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let held = hold_uploads(&server);
    let (cookie, mark) = visit(&server);
    sleep(Duration::from_millis(300));
    let session = br#"{"session_id":"ses-1","answer":"Employees receive 15 days."}"#;
    let write = || server.ask("POST", "/api/v1/sessions", &key, Some(session));
    soon("a write", write).is(201);
    let signed = format!("csrf={mark}&credential={key}&back=/sessions");
    let headers =
        [("cookie", cookie.as_str()), ("content-type", "application/x-www-form-urlencoded")];
    let signed = || server.ask_with(("POST", "/signin"), "", &headers, Some(signed.as_bytes()));
    let page = soon("signing in", signed);
    assert_eq!(page.status, 200, "{}", page.text());
    drop(held);
}

#[test]
fn a_long_check_keeps_nobody_from_verifying() {
    let dir = folder("long-check");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let stage = begin_long_check(&server, &key, 1_500);
    let head = server.ask("GET", "/api/v1/trail/checkpoint", &key, None).text();
    let kind = [("content-type", "text/plain")];
    let verify =
        |bytes: &[u8]| server.ask_with(("POST", "/api/v1/verify"), &key, &kind, Some(bytes));
    let told = soon("a checkpoint", || verify(head.as_bytes())).is(200);
    assert_eq!(told["verdict"], "pass", "{told}");
    let pages = bomb::with_ledger(&ledger(server.dir(), 3));
    let told = soon("a PDF", || verify(&pages)).is(200);
    assert_eq!(told["verdict"], "incomplete", "{told}");
    assert_eq!(stage(), "judging");
}

#[test]
fn a_server_that_cannot_write_says_so_until_it_can() {
    let dir = folder("unwritable");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start(dir, QUICK);
    let scratch = server.dir().join("dalil-data/scratch");
    let own = fs::read_dir(&scratch).unwrap().next().unwrap().unwrap().path();
    let away = scratch.join("away");
    let upload_of = |text: &[u8]| {
        let kind = [("content-type", "text/plain")];
        let add = ("POST", "/api/v1/documents?filename=a.txt");
        server.ask_with(add, &key, &kind, Some(text))
    };
    let upload = || upload_of(b"Employees receive 15 days.\n");
    server.ask("GET", "/readyz", "", None).is(200);
    fs::rename(&own, &away).unwrap();
    let told = upload();
    assert_eq!((told.status, told.header("retry-after")), (503, "1"), "{}", told.text());
    assert!(!told.text().contains("scratch"), "{}", told.text());
    // The log of the request has the cause; the readiness probe tries to write, and fails too.
    assert!(server.log().contains(r#""event":"error","message":"#), "{}", server.log());
    server.ask("GET", "/readyz", "", None).is(503);
    assert_eq!(figure(&server, "dalil_writes_failing"), 1);
    assert!(figure(&server, "dalil_failures_total") >= 1);
    let cause = r#""event":"error","message":"a file could not be written: No such file"#;
    assert!(server.log().contains(cause), "{}", server.log());
    fs::rename(&away, &own).unwrap();
    let ready = || server.ask("GET", "/readyz", "", None).status == 200;
    until("it is ready again", SOON, ready);
    assert_eq!(figure(&server, "dalil_writes_failing"), 0);
    upload().is(201);

    // A monitor that reads only the figures sees the end of it too.
    fs::rename(&own, &away).unwrap();
    assert_eq!(upload().status, 503);
    assert_eq!(figure(&server, "dalil_writes_failing"), 1);
    fs::rename(&away, &own).unwrap();
    until("figures say so", SOON, || figure(&server, "dalil_writes_failing") == 0);

    // A lake that cannot be written to is seen, though the scratch folder can be.
    let parts = server.dir().join("dalil-data/lake/.part");
    fs::remove_dir_all(&parts).unwrap_or_default();
    write(&parts, "a file in the way");
    assert_eq!(upload_of(b"Employees receive 16 days.\n").status, 503);
    sleep(Duration::from_millis(1_100));
    server.ask("GET", "/readyz", "", None).is(503);
    let cause = r#""event":"error","message":"cannot keep an object: "#;
    assert!(server.log().contains(cause), "{}", server.log());
    fs::remove_file(&parts).unwrap();
    until("it is ready again", SOON, ready);
}

#[test]
fn everything_at_once_keeps_nobody_out() {
    let dir = folder("everything");
    allow_open_files();
    let key = key(&dir, "acme", "person:amal", &ALL);
    let server = Server::start_with_few_files(dir, QUICK);
    seal(&server, &key, BARE_PACK);
    let cookie = sign_in(&server, &key);
    let slow = bomb::with_ledger(&ledger(server.dir(), 2_000));
    let stage = begin_long_check(&server, &key, 10_000);
    let held = hold_uploads(&server);
    let costly: Vec<TcpStream> = (0..6).map(|_| send(&server, &slow)).collect();
    let silent: Vec<TcpStream> = (0..1_024).map(|_| connect(&server)).collect();
    sleep(Duration::from_millis(300));
    for n in 0..3 {
        assert_eq!(soon("/healthz", || server.ask("GET", "/healthz", "", None).status), 200);
        let page = || {
            let headers = [("cookie", cookie.as_str())];
            server.ask_with(("GET", "/packs/pack_00000000000000b1"), "", &headers, None)
        };
        let page = soon("a pack page", page);
        assert!(page.status == 200 && page.text().contains("leave_agent"), "{}", page.text());
        let session = json!({"answer": format!("Employees receive {n} days.")}).to_string();
        let write = || server.ask("POST", "/api/v1/sessions", &key, Some(session.as_bytes()));
        soon("a write", write).is(201);
    }
    assert_eq!(stage(), "judging");
    let (_, own) = memory(server.pid())[0];
    assert!(own < 400 * MIB as u64, "the server held {own} bytes");
    drop((held, costly, silent));
}
