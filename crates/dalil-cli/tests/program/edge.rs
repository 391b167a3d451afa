//! `dalil check` where there is little to check, too much, or something that is no document.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::run::{self, Output, dalil_in, put};

const RULE: &str = "All permanent employees receive 15 days of paid annual leave.";

/// A folder with a document and an answer that it supports.
fn folder(name: &str) -> PathBuf {
    let folder = run::folder(&format!("edge/{name}"));
    put(&folder.join("docs/policy.md"), format!("{RULE}\n").as_bytes());
    put(&folder.join("answer.md"), RULE.as_bytes());
    folder
}

#[track_caller]
fn check(folder: &Path, args: &[&str]) -> Output {
    dalil_in(folder, &[], &[&["check"], args].concat(), b"")
}

#[track_caller]
fn refused(folder: &Path, args: &[&str], expected: &Expect) {
    let output = check(folder, args);
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""), "{args:?}");
    expected.assert_eq(&output.stderr);
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&output.stdout).unwrap()
}

fn documents(output: &Output) -> Vec<String> {
    let documents = json(output)["documents"].as_array().unwrap().clone();
    documents.iter().map(|one| one["filename"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn documents_of_which_none_can_be_read_are_nothing_to_check_against() {
    let folder = folder("unread");
    put(&folder.join("scans/a.png"), b"\x89PNG\r\n\x1a\n");
    put(&folder.join("scans/b.txt"), b"\n");
    refused(
        &folder,
        &["answer.md", "--against", "scans", "--gate", "--json"],
        &expect![[r#"
            not read: `a.png`: expected a document, found a picture
            error: expected a document with text that can be read, found none under `scans`
            hint: `dalil read FILE` says why a document cannot be read
        "#]],
    );
    let output = check(&folder, &["answer.md", "--against", "scans", "docs", "--gate", "--json"]);
    assert_eq!(
        (output.exit, documents(&output)),
        (0, vec!["b.txt".into(), "policy.md".into(), "a.png".into()])
    );
}

#[test]
fn an_answer_without_a_claim_does_not_pass_the_gate() {
    let folder = folder("claimless");
    put(&folder.join("empty.md"), b"");
    put(&folder.join("hello.md"), b"Hello! How can I help you?\n");
    for name in ["empty.md", "hello.md"] {
        let plain = check(&folder, &[name, "--against", "docs"]);
        assert_eq!(
            (plain.exit, plain.stderr),
            (0, format!("nothing checked: `{name}` has no checkable claim\n"))
        );
        let quiet = check(&folder, &[name, "--against", "docs", "--quiet"]);
        assert_eq!((quiet.exit, quiet.stderr.as_str()), (0, ""));
    }
    let gated = check(&folder, &["empty.md", "--against", "docs", "--gate", "--json"]);
    expect![[r#"
        nothing checked: `empty.md` has no checkable claim
        gate: evidence_coverage: expected evidence coverage of at least 0.85, found no checkable claim
    "#]]
    .assert_eq(&gated.stderr);
    assert_eq!(gated.exit, 2);
    expect![[r#"{"findings":[{"message":"expected evidence coverage of at least 0.85, found no checkable claim","part":"evidence_coverage","verdict":"incomplete"},{"message":"expected an unsupported rate of at most 0.05, found 0 of 0 critical and material claims not found","part":"unsupported_rate","verdict":"pass"},{"message":"expected at most 0 contradicted critical claims, found 0","part":"contradicted_critical","verdict":"pass"}],"verdict":"incomplete"}"#]]
    .assert_eq(&json(&gated)["gate"].to_string());
    // Beside answers that pass it stays open, and beside one that fails the answer is no.
    put(&folder.join("wrong.md"), RULE.replace("15", "20").as_bytes());
    let gate = |answers: &[&str]| {
        check(&folder, &[answers, &["--against", "docs", "--gate"]].concat()).exit
    };
    assert_eq!(gate(&["answer.md"]), 0);
    assert_eq!(gate(&["empty.md", "answer.md"]), 2);
    assert_eq!(gate(&["wrong.md", "empty.md"]), 1);
    assert_eq!(gate(&["empty.md", "wrong.md"]), 1);
}

#[test]
fn an_answer_among_the_documents_is_no_evidence_for_itself() {
    let folder = folder("itself");
    let claim = "The cafeteria opens at 7 in the morning.";
    put(&folder.join("docs/answer.md"), claim.as_bytes());
    fs::hard_link(folder.join("docs/answer.md"), folder.join("docs/copy.md")).unwrap();
    symlink(folder.join("docs/answer.md"), folder.join("link.md")).unwrap();
    for name in ["docs/answer.md", "link.md", "docs/copy.md", "docs/../docs/answer.md"] {
        let output = check(&folder, &[name, "--against", "docs", "link.md", "--json"]);
        let reply = json(&output);
        assert_eq!(reply["summary"]["by_verdict"]["not_found"], 1, "{name}: {reply}");
        assert_eq!(documents(&output), ["policy.md"], "{name}");
        expect![[r#"
            left out: `answer.md` is an answer, and no evidence for it
            left out: `copy.md` is an answer, and no evidence for it
        "#]]
        .assert_eq(&output.stderr);
    }
    // Also as standard input.
    let piped = Command::new(env!("CARGO_BIN_EXE_dalil"))
        .args(["check", "-", "--against", "docs", "--json"])
        .current_dir(&folder)
        .stdin(File::open(folder.join("docs/copy.md")).unwrap())
        .output()
        .unwrap();
    let reply: Value = serde_json::from_slice(&piped.stdout).unwrap();
    assert_eq!(reply["summary"]["by_verdict"]["not_found"], 1, "{reply}");
    refused(
        &folder,
        &["link.md", "--against", "docs/answer.md"],
        &expect![[r#"
            error: expected documents, found only the answer itself under `docs/answer.md`
            hint: give files or folders to `--against`
        "#]],
    );
}

#[test]
fn pipes_and_devices_are_refused_at_once() {
    let folder = folder("pipe");
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap();
    assert!(made.success());
    refused(
        &folder,
        &["pipe", "--against", "docs"],
        &expect![[r#"
            error: expected a readable file, found `pipe`: a pipe, a device or a socket
            hint: give the path of a file, or `-` for standard input
        "#]],
    );
    refused(
        &folder,
        &["answer.md", "--against", "docs", "pipe"],
        &expect![[r#"
            error: expected a file or folder, found `pipe`: a pipe, a device or a socket
            hint: give files or folders to `--against`
        "#]],
    );
    let said = |args: &[&str]| {
        let output = dalil_in(&folder, &[], args, b"");
        format!("{} {}", output.exit, output.stderr.lines().next().unwrap_or_default())
    };
    expect!["2 error: expected a readable file, found `pipe`: a pipe, a device or a socket"]
        .assert_eq(&said(&["read", "pipe"]));
    expect!["2 error: expected a readable file, found `/dev/zero`: a pipe, a device or a socket"]
        .assert_eq(&said(&["read", "/dev/zero"]));
    expect![
        "2 error: expected a set of labelled pairs, found `pipe`: a pipe, a device or a socket"
    ]
    .assert_eq(&said(&["eval", "pipe"]));
    // In a folder they are passed over.
    fs::rename(folder.join("pipe"), folder.join("docs/pipe")).unwrap();
    let output = check(&folder, &["answer.md", "--against", "docs", "--json"]);
    assert_eq!((output.exit, documents(&output)), (0, vec!["policy.md".to_owned()]));
}

#[test]
fn an_index_that_cannot_be_written_is_said_once_and_changes_no_byte() {
    let folder = folder("index");
    put(&folder.join("docs/other.md"), b"Overtime is paid.\n");
    put(&folder.join("file"), b"");
    let time = ["--at", "2026-01-03T14:30:00Z"];
    let args = [&["answer.md", "--against", "docs", "--json"], time.as_slice()].concat();
    let plain = check(&folder, &[args.as_slice(), &["--no-index"]].concat());
    assert_eq!((plain.exit, plain.stderr.as_str()), (0, ""));
    let unkept = check(&folder, &[args.as_slice(), &["--index", "file"]].concat());
    assert_eq!((unkept.exit, unkept.stdout), (0, plain.stdout));
    expect![[r#"
        warning: what was read could not be kept in `file`: Not a directory (os error 20)
    "#]]
    .assert_eq(&unkept.stderr);
}

#[test]
fn an_answer_that_is_too_long_or_claims_too_much_is_refused() {
    let folder = folder("long");
    put(&folder.join("long.md"), &b"a b ".repeat((1 << 20) + 1));
    refused(
        &folder,
        &["long.md", "--against", "docs"],
        &expect![[r#"
            error: expected an answer of at most 4194304 bytes, found 4194308 in `long.md`
            hint: check it in parts: `dalil check` takes several answers
        "#]],
    );
    let many: String = (0..10_001).map(|n| format!("- Fee {n} is 5 SAR.\n")).collect();
    put(&folder.join("many.md"), many.as_bytes());
    refused(
        &folder,
        &["many.md", "--against", "docs"],
        &expect![[r#"
            error: expected an answer of at most 10000 claims, found 10001
            hint: check it in parts: `dalil check` takes several answers
        "#]],
    );
}

#[test]
fn offsets_of_a_ledger_are_those_that_documents_are_read_with() {
    let folder = folder("offsets");
    let text = format!("# الإجازات 😀\n\nمقدمة قصيرة.\n\n{RULE}\n");
    put(&folder.join("docs/policy.md"), text.as_bytes());
    let ledger = check(&folder, &["answer.md", "--against", "docs", "--format", "ledger"]);
    let offsets = json(&ledger)["entries"][0]["evidence_offsets"].clone();
    let read = dalil_in(&folder, &[], &["read", "docs/policy.md", "--json"], b"");
    let read = json(&read);
    let block = read["blocks"].as_array().unwrap().last().unwrap();
    assert_eq!((&offsets["start"], &offsets["end"]), (&block["start"], &block["end"]));
    let letters: Vec<char> = read["text"].as_str().unwrap().chars().collect();
    let at = |name: &str| usize::try_from(block[name].as_u64().unwrap()).unwrap();
    assert_eq!(letters[at("start")..at("end")].iter().collect::<String>(), RULE);
}
