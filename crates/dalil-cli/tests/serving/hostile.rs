//! Hostile uploads: damaged files, bombs and monsters. The server stays up, answers each with its
//! faults, and holds no more memory than its limit.
//!
//! `DALIL_TEST_HOSTILE_SECONDS` sets for how long files are damaged at random; 20 by default.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::bomb::{self, Dice};
use crate::server::{ALL, Answer, Server, folder, key};

const MIB: u64 = 1 << 20;
/// The memory of each process that reads a file.
const READER: u64 = 256 * MIB;
/// How many bytes bodies and files may take in the server, beside its own need.
const ROOM: u64 = 64 * MIB;
/// How many bytes the server itself needs: the program, the model, the store.
const ITSELF: u64 = 192 * MIB;

#[test]
fn hostile_files_are_answered_and_cost_no_more_than_was_agreed() {
    let dir = folder("hostile");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let config = format!(
        r#"{{"limits":{{"rate":100000,"burst":100000,"upload":{},"memory":{ROOM},"reader_memory":{READER},"readers":2}}}}"#,
        32 * MIB
    );
    let server = Server::start(dir, &config);
    let (seeds, monsters) = (bomb::seeds(), bomb::monsters());
    let (faults, over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let (sent, next) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let send = |name: &str, what: &str, bytes: &[u8]| {
        for path in [format!("/api/v1/documents?filename={name}"), "/api/v1/verify".to_owned()] {
            let kind = [("content-type", "application/octet-stream")];
            let answer = server.ask_with(("POST", &path), &key, &kind, Some(bytes));
            sent.fetch_add(1, Ordering::Relaxed);
            if let Some(wrong) = wrong(&answer, &path) {
                faults.lock().unwrap().push(format!("{what} {name} {path}: {wrong}"));
            }
        }
    };
    let seconds = std::env::var_os("DALIL_TEST_HOSTILE_SECONDS");
    let seconds = seconds.and_then(|text| text.to_str()?.parse().ok()).unwrap_or(20);
    let late = AtomicBool::new(false);
    let (most, children) = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(seconds));
            late.store(true, Ordering::Relaxed);
        });
        let watcher = scope.spawn(|| watch(server.pid(), &over));
        let workers: Vec<_> = (0..4_u64)
            .map(|worker| {
                let (send, next, seeds, monsters) = (&send, &next, &seeds, &monsters);
                let late = &late;
                scope.spawn(move || {
                    while let Some((name, bytes)) =
                        monsters.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        send(name, "monster", bytes);
                    }
                    let mut dice = Dice(worker);
                    while !late.load(Ordering::Relaxed) {
                        let (name, what, bytes) = bomb::damaged(seeds, &mut dice);
                        send(name, what, &bytes);
                    }
                })
            })
            .collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        over.store(true, Ordering::Relaxed);
        watcher.join().unwrap()
    });
    let sent = sent.into_inner();
    assert!(sent > 200, "only {sent} were sent");
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} of {sent}:\n{}", faults.len(), faults.join("\n"));

    reads_on(&server, &key, &seeds);
    within(server.pid(), &most, (sent, children));
}

/// The most memory that a server and each of its readers ever held, and how many readers there
/// were at a time.
fn watch(server: u32, over: &AtomicBool) -> (BTreeMap<u32, u64>, usize) {
    let (mut most, mut children) = (BTreeMap::<u32, u64>::new(), 0);
    while !over.load(Ordering::Relaxed) {
        let found = memory(server);
        children = children.max(found.len().saturating_sub(1));
        for (pid, high) in found {
            let known = most.entry(pid).or_default();
            *known = high.max(*known);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    (most, children)
}

/// Checks that it is up, and reads sound files.
fn reads_on(server: &Server, key: &str, seeds: &[(&'static str, Vec<u8>)]) {
    server.ask("GET", "/readyz", "", None).is(200);
    for (name, bytes) in seeds {
        let kind = [("content-type", "application/octet-stream")];
        let path = format!("/api/v1/documents?filename=good-{name}");
        let kept = server.ask_with(("POST", &path), key, &kind, Some(bytes)).is(201);
        assert_eq!((&kept["unread"], kept["chunks"] != 0), (&Value::Null, true), "{name}: {kept}");
    }
}

/// Checks that memory and the number of readers stayed within their limits.
fn within(server: u32, most: &BTreeMap<u32, u64>, (sent, children): (usize, usize)) {
    let (own, readers): (Vec<_>, Vec<_>) = most.iter().partition(|(pid, _)| **pid == server);
    let own = own.first().map_or(0, |(_, high)| **high);
    let reader = readers.iter().map(|(_, high)| **high).max().unwrap_or_default();
    let report = format!(
        "{sent} answered; the server held {} MiB, a reader {} MiB; {children} readers at a time, \
         {} in all",
        own / MIB,
        reader / MIB,
        readers.len()
    );
    assert!(own <= ROOM + ITSELF && reader <= READER, "{report}");
    // Two that read, and one that verifies.
    assert!(children <= 3, "{report}");
}

#[test]
fn bodies_that_find_no_room_are_told_to_come_again() {
    let dir = folder("room");
    let key = key(&dir, "acme", "person:amal", &ALL);
    let config = format!(
        r#"{{"limits":{{"rate":100000,"burst":100000,"upload":{},"memory":{ROOM}}}}}"#,
        32 * MIB
    );
    let server = Server::start(dir, &config);
    let body = vec![b'x'; usize::try_from(30 * MIB).unwrap()];
    let send = || {
        let kind = [("content-type", "application/octet-stream")];
        server.ask_with(("POST", "/api/v1/verify"), &key, &kind, Some(&body))
    };
    let answers = std::thread::scope(|scope| {
        [(); 12].map(|()| scope.spawn(send)).map(|thread| thread.join().unwrap())
    });
    for answer in &answers {
        match answer.status {
            200 => assert_eq!(answer.json()["verdict"], "fail"),
            status => assert_eq!((status, answer.header("retry-after")), (503, "1")),
        }
    }
    assert!(answers.iter().any(|answer| answer.status == 200));
    let (_, high) = memory(server.pid())[0];
    assert!(high <= ROOM + ITSELF, "the server held {} MiB", high / MIB);
    assert_eq!(send().status, 200, "there is room again");
}

/// The fault of an answer to a hostile file, if it has one.
fn wrong(answer: &Answer, path: &str) -> Option<String> {
    let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let names = |value: &Value| value.as_str().is_some_and(|text| text.contains("expected"));
    let fits = match answer.status {
        // Stored: some of it was read, or there is a reason why nothing was.
        200 | 201 if path.contains("documents") => {
            said["chunks"] != 0 || names(&said["unread"]) || said["problems"].is_array()
        }
        200 => said["verdict"] != "pass" && !said["findings"].as_array()?.is_empty(),
        400..500 => said["faults"].as_array().is_some_and(|faults| {
            !faults.is_empty() && faults.iter().all(|fault| fault["expected"].is_string())
        }),
        _ => false,
    };
    (!fits).then(|| format!("{} {}", answer.status, answer.text()))
}

/// The most memory that a process and its children ever held, each by its id.
pub(crate) fn memory(server: u32) -> Vec<(u32, u64)> {
    let status = |pid: u32| {
        let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        Some((field("PPid:")?, field("VmHWM:").unwrap_or_default() * 1024))
    };
    let own = status(server).map(|(_, high)| (server, high));
    let pids = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let children = pids.filter_map(|pid| {
        let (parent, high) = status(pid)?;
        (parent == u64::from(server)).then_some((pid, high))
    });
    own.into_iter().chain(children).collect()
}
