//! Servers that are away for a while, while the program is used: it waits, and nothing is lost.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::burst::{End, Request, burst};
use crate::home::{Home, Output, given};
use crate::server::Server;

/// Does something while a server that was stopped comes back after a while.
fn meanwhile<T>(server: &Server, away: Duration, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(away);
            server.start();
        });
        work()
    })
}

/// Adds a document of its own to a store.
fn add(home: &Home, n: usize) -> Output {
    let (file, text) = (format!("docs/{n}.md"), format!("The fee of part {n} is {n} SAR.\n"));
    home.put(&file, text.as_bytes());
    home.dalil(&["document", "add", &file], b"")
}

#[test]
fn a_database_that_is_away_is_waited_for() {
    if given("DALIL_TEST_POSTGRES").is_none() {
        return;
    }
    let server = Server::new("postgres", "away/server");
    let home = Home::on_server("away/database", &server.start());
    home.tenant("acme");
    server.stop();
    let shown = meanwhile(&server, AWAY, || home.dalil(&["tenant", "show"], b""));
    assert_eq!(shown.done()["size"], 2);
    server.stop();
    let added = meanwhile(&server, AWAY, || add(&home, 1));
    assert_eq!(added.exit, 0, "{added:?}");
    server.stop();
    let refused = home.dalil(&["tenant", "show"], b"");
    let label = home.store.replace("dalil@", "");
    let expected = format!(
        "error: cannot open the store: `{label}`: expected a database that answers within 10 s, \
         found error communicating with database: Connection refused (os error 111)\n\
         hint: see that the server runs and can be reached\n"
    );
    assert_eq!((refused.exit, refused.stderr), (2, expected));
    server.start();
    home.sound();
}

#[test]
fn a_bucket_that_is_away_is_waited_for() {
    if given("DALIL_TEST_POSTGRES").is_none() || given("DALIL_TEST_S3").is_none() {
        return;
    }
    let server = Server::new("s3", "away/s3");
    let lake = server.start();
    let mut home = Home::postgres("away/bucket").unwrap();
    home.lake = Some(lake);
    home.tenant("acme");
    let said = home.dalil(&["doctor"], b"").done();
    let checks = said["checks"].as_array().unwrap().iter();
    let bucket: Vec<&Value> =
        checks.filter(|one| one["part"] == "bucket").map(|one| &one["message"]).collect();
    assert_eq!(bucket, ["object lock Off, default retention none", "versioning Off"]);
    let (documents, requests) = (12, (0..300).map(|n| Request::new("a", n)).collect::<Vec<_>>());
    thread::scope(|scope| {
        let adding = scope.spawn(|| (0..documents).map(|n| add(&home, n)).collect::<Vec<_>>());
        let disturb = || {
            server.stop();
            thread::sleep(AWAY);
            server.start();
        };
        let done = burst(&home, &requests, End::Disturbed(50, &disturb));
        assert_eq!((done.exit, done.acknowledged.len()), (Some(0), requests.len()), "{done:?}");
        for added in adding.join().unwrap() {
            assert_eq!(added.exit, 0, "{added:?}");
        }
    });
    let listed = home.dalil(&["document", "list"], b"").done();
    assert_eq!(listed.as_array().map(Vec::len), Some(documents));
    home.sound();
}

/// How long a server is away.
const AWAY: Duration = Duration::from_secs(2);
