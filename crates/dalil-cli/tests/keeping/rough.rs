//! Killed while it writes objects or makes its tables, without room, and without its server.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::burst::{End, Request, burst};
use crate::home::{Dice, Home, given};
use crate::server::Server;

/// How often it is killed while it writes objects, and while it makes its tables.
const KILLS: u64 = 20;

#[test]
fn objects_that_were_half_written_are_no_evidence() {
    let home = Home::folder("rough/lake");
    home.tenant("acme");
    let mut dice = Dice(7);
    for round in 0..KILLS {
        for n in 0..4 {
            let text =
                format!("The fee of round {round}, part {n}, is {} SAR. ", dice.below(1 << 40));
            home.put(&format!("docs/{round}/{n}.md"), text.repeat(400).as_bytes());
        }
        let docs = format!("docs/{round}");
        let run = format!("run-{round}");
        let add = ["document", "add", &docs];
        let bundle = ["bundle", "request.json", "--against", &docs, "--no-index", "--save"];
        let bundle = [bundle.as_slice(), &["--run", &run, "--model", "m"]].concat();
        home.put(
            "request.json",
            json!({"created_utc": "2026-03-15T09:00:00Z"}).to_string().as_bytes(),
        );
        let args = if round.is_multiple_of(2) { add.as_slice() } else { bundle.as_slice() };
        let objects = files(&home.dir.join("data/lake")) + usize::try_from(dice.below(9)).unwrap();
        let mut child = home.command(args).stdout(Stdio::null()).spawn().unwrap();
        while files(&home.dir.join("data/lake")) <= objects && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(dice.below(3_000)));
        end(&mut child);
        home.sound();
        // The same again is whole, and nothing is there twice.
        assert_eq!(home.dalil(args, b"").exit, 0);
        let listed = home.dalil(&["document", "list"], b"").done();
        assert_eq!(listed.as_array().map(Vec::len), usize::try_from((round + 1) * 4).ok());
    }
    let swept = home.dalil(&["fsck", "--sweep"], b"");
    assert_eq!(swept.exit, 0, "{swept:?}");
    assert_eq!(home.dalil(&["fsck"], b"").done()["verdict"], "pass");
    for document in home.dalil(&["document", "list"], b"").done().as_array().unwrap() {
        let id = document["document_id"].as_str().or(document["id"].as_str()).unwrap();
        let text = home.dalil(&["document", "text", id], b"");
        assert!(text.exit == 0 && text.stdout.starts_with("The fee of round"), "{text:?}");
    }
}

/// Kills it while it makes a store; made again it is whole.
fn begun(home: &Home, dice: &mut Dice) {
    let create = ["tenant", "create", "acme", "--origin", "dalil.example/acme"];
    let mut child = home.command(&create).spawn().unwrap();
    thread::sleep(Duration::from_micros(dice.below(120_000)));
    end(&mut child);
    let again = home.dalil(&create, b"");
    // It may have been done before it was killed.
    assert!(again.exit == 0 || again.stderr.contains("acme"), "{again:?}");
    let shown = home.dalil(&["trail", "show"], b"").done();
    assert_eq!(shown["size"], 2, "{shown}");
    home.sound();
    assert_eq!(burst(home, &[Request::new("b", 1)], End::Never).exit, Some(0));
}

#[test]
fn a_store_that_was_half_made_is_made_to_the_end() {
    let mut dice = Dice(11);
    for round in 0..KILLS {
        begun(&Home::folder(&format!("rough/begun-{round}")), &mut dice);
    }
    for round in 0..KILLS / 4 {
        if let Some(home) = Home::postgres(&format!("rough/made-{round}")) {
            begun(&home, &mut dice);
        }
    }
}

/// Fills the available space: acknowledged records stay, and with more space the work continues.
fn filled(mut home: Home, more: impl FnOnce(&mut Home)) {
    let requests: Vec<_> = (0..3_000).map(|n| Request::new("f", n)).collect();
    let full = burst(&home, &requests, End::Never);
    assert_eq!(full.exit, Some(2), "{:?}", full.stderr);
    let said = full.others.first().unwrap();
    assert_eq!(said["kind"], "unavailable", "{said}");
    assert!(!full.acknowledged.is_empty());
    more(&mut home);
    let trail = |home: &Home| {
        let shown = home.dalil(&["trail", "show", "--limit", "100000"], b"").done();
        let records = shown["records"].as_array().unwrap().clone();
        records.iter().map(|one| one["subject"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let subjects = trail(&home);
    for (key, places) in &full.acknowledged {
        assert_eq!(&subjects[usize::try_from(places[0].0).unwrap()], key);
    }
    home.sound();
    let again = burst(&home, &requests, End::Never);
    assert_eq!((again.exit, again.acknowledged.len()), (Some(0), requests.len()));
    for (key, places) in &full.acknowledged {
        assert_eq!(&again.acknowledged[key], places);
    }
    let expected: usize = requests.iter().map(|one| one.subjects.len()).sum();
    assert_eq!(trail(&home).len(), expected + 2);
    home.sound();
}

#[test]
fn a_full_disk_loses_nothing() {
    let home = Home::folder("rough/full");
    let disk = home.dir.join("data");
    fs::create_dir_all(&disk).unwrap();
    let Some(mount) = Mount::new(&disk) else { return };
    home.tenant("acme");
    filled(home, |_| mount.grow());
}

#[test]
fn files_that_may_not_grow_lose_nothing() {
    let mut home = Home::folder("rough/limit");
    home.tenant("acme");
    home.limit = Some(2_000);
    filled(home, |home| home.limit = None);
}

/// A small file system in memory, gone when dropped.
struct Mount<'d>(&'d Path);

impl<'d> Mount<'d> {
    fn new(dir: &'d Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m", "dalil"]).arg(dir);
        mount.output().is_ok_and(|done| done.status.success()).then_some(Self(dir))
    }

    fn grow(&self) {
        let mut mount = Command::new("mount");
        mount.args(["-o", "remount,size=200m"]).arg(self.0);
        assert!(mount.status().unwrap().success());
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        Command::new("umount").arg("--lazy").arg(self.0).status().unwrap();
    }
}

#[test]
fn a_server_that_crashes_and_comes_back_loses_nothing() {
    if given("DALIL_TEST_POSTGRES").is_none() {
        return;
    }
    let server = Server::new("postgres", "rough/server");
    let home = Home::on_server("rough/restart", &server.start());
    home.tenant("acme");
    let requests: Vec<_> = (0..3_000).map(|n| Request::new("r", n)).collect();
    for some in requests.chunks(1_500) {
        let crash = || {
            server.crash();
            server.start();
        };
        let done = burst(&home, some, End::Disturbed(100, &crash));
        // Lines fail while the server is away for too long, and are sent again.
        let away = done.others.iter().filter(|one| one["kind"] == "unavailable").count();
        assert_eq!(away, done.others.len(), "{:?}", done.others);
        assert_eq!(done.acknowledged.len() + away, some.len(), "{:?}", done.stderr);
        let again = burst(&home, some, End::Never);
        assert_eq!((again.exit, again.acknowledged.len()), (Some(0), some.len()));
        for (key, places) in &done.acknowledged {
            assert_eq!(&again.acknowledged[key], places);
        }
    }
    let expected: usize = requests.iter().map(|one| one.subjects.len()).sum();
    let shown = home.dalil(&["tenant", "show"], b"").done();
    assert_eq!(shown["size"].as_u64(), u64::try_from(expected + 2).ok());
    home.sound();
}

/// Kills a program with SIGKILL, if it is still there, and waits until it is gone.
fn end(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// How many files there are under a folder.
fn files(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    paths.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}
