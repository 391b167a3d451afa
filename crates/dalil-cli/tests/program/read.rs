//! `dalil read`, and the processes that read for others.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use dalil::reader::{Limits, Reader, Source};
use expect_test::{Expect, expect};

use crate::run::{dalil, root};

const FILES: &str = "crates/dalil-engine/tests/files";

fn reader(limits: Limits) -> Reader {
    Reader::new(PathBuf::from(env!("CARGO_BIN_EXE_dalil")), limits)
}

/// What reading says in a line.
fn told(reader: &Reader, name: &str, bytes: &[u8]) -> String {
    match reader.read(Source { name, bytes }) {
        Ok(document) => format!("{} blocks", document.blocks.len()),
        Err(unread) => format!("{unread}\nhint: {}", unread.hint().unwrap_or_default()),
    }
}

/// A page of so many paragraphs, each of which costs far more memory than its four bytes.
fn bomb(paragraphs: usize) -> Vec<u8> {
    "<p>a".repeat(paragraphs).into_bytes()
}

#[test]
fn a_page_is_shown_as_it_is_read() {
    let output = dalil(&["read", &format!("{FILES}/page.html")], b"");
    assert_eq!(output.exit, 0);
    expect![""].assert_eq(&output.stdout);
    expect![""].assert_eq(&output.stderr);
}

#[test]
fn a_document_is_a_line_of_json() {
    let output =
        dalil(&["read", "-", "--json"], "# العنوان\n\nOne.\n\n| a | b |\n|---|---|\n".as_bytes());
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    expect![""].assert_eq(&output.stdout);
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_shown() {
    let output = dalil(&["read", "Cargo.lock", &format!("{FILES}/rates.xlsx"), "-"], b"\x89PNG");
    assert_eq!(output.exit, 2);
    assert!(output.stdout.contains("== Cargo.lock · text"), "{}", output.stdout);
    assert!(output.stdout.contains("Item: Crane hour | Rate: 1,250.50 SAR"), "{}", output.stdout);
    expect![""].assert_eq(&output.stderr);
}

#[test]
fn memory_is_limited() {
    let reader = reader(Limits { memory: 400 << 20, ..Limits::usual() });
    let check =
        |bytes: &[u8], expected: &Expect| expected.assert_eq(&told(&reader, "bomb.html", bytes));
    check(b"<p>a<p>b", &expect!["2 blocks"]);
    check(&bomb(6_000_000), &expect![""]);
    check(b"<p>a<p>b", &expect!["2 blocks"]);
}

#[test]
fn time_is_limited() {
    let time = Duration::from_millis(1);
    let reader = reader(Limits { time, time_per_megabyte: Duration::ZERO, ..Limits::usual() });
    expect![""].assert_eq(&told(&reader, "slow.html", &bomb(1_000_000)));
}

#[test]
fn a_reader_that_is_killed_is_replaced() {
    const MEMORY: u64 = (1 << 30) + 4096;
    let reader = reader(Limits { memory: MEMORY, ..Limits::usual() });
    assert_eq!(told(&reader, "a.html", b"<p>a"), "1 blocks");
    kill(MEMORY);
    assert_eq!(told(&reader, "a.html", b"<p>a<p>b"), "2 blocks");
}

#[test]
fn a_reader_that_is_killed_at_work_is_an_error() {
    const MEMORY: u64 = (1 << 30) + 8192;
    let reader = reader(Limits { memory: MEMORY, ..Limits::usual() });
    let killer = thread::spawn(|| {
        while !kill(MEMORY) {
            thread::sleep(Duration::from_millis(5));
        }
    });
    let said = told(&reader, "a.html", &bomb(2_000_000));
    killer.join().unwrap();
    expect![""].assert_eq(&said);
}

/// Kills the children that were given so much memory; whether there were any.
fn kill(memory: u64) -> bool {
    let mut killed = false;
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).ends_with(&format!("read\0--wire\0{memory}\0")) {
            let pid = entry.file_name();
            killed |= Command::new("kill").arg("-9").arg(pid).status().unwrap().success();
        }
    }
    killed
}

#[test]
fn a_program_that_is_not_dalil_is_an_error() {
    let check = |program: &str, expected: &Expect| {
        let reader = Reader::new(PathBuf::from(program), Limits::usual());
        expected.assert_eq(&told(&reader, "a.html", b"<p>a"));
    };
    check("/bin/echo", &expect![""]);
    check("/bin/false", &expect![""]);
    check("/no/such/program", &expect![""]);
}

#[test]
fn many_files_keep_their_order_and_one_bomb_takes_no_other_with_it() {
    let pages: Vec<(String, Vec<u8>)> = (0..40)
        .map(|n| match n {
            17 => ("17.html".to_owned(), bomb(6_000_000)),
            _ if n % 5 == 0 => (format!("{n}.md"), "a\n\n".repeat(n + 1).into_bytes()),
            _ => (format!("{n}.html"), bomb(n + 1)),
        })
        .collect();
    let sources: Vec<_> = pages.iter().map(|(name, bytes)| Source { name, bytes }).collect();
    let two = NonZeroUsize::new(2).unwrap();
    let reader = reader(Limits { memory: 400 << 20, processes: two, ..Limits::usual() });
    let read = reader.read_all(&sources);
    let counts: Vec<usize> =
        read.iter().map(|one| one.as_ref().map_or(0, |document| document.blocks.len())).collect();
    let expected: Vec<usize> = (0..40).map(|n| if n == 17 { 0 } else { n + 1 }).collect();
    assert_eq!(counts, expected);
}

#[test]
fn every_sample_is_read_alike_here_and_in_a_process() {
    for entry in fs::read_dir(root().join(FILES)).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let bytes = fs::read(entry.path()).unwrap();
        let document = reader(Limits::usual()).read(Source { name: &name, bytes: &bytes }).unwrap();
        assert_eq!(document.digest, dalil_core::digest::Digest::of(&bytes), "{name}");
    }
}
