//! `dalil bundle` and the lake: the input, the stored objects and the limits.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::run::{self, Output, dalil};

const TIME: &str = "2026-01-03T14:30:00Z";

/// An empty folder under the build folder.
fn folder(name: &str) -> PathBuf {
    run::folder(&format!("bundle/{name}"))
}

fn put(path: &Path, text: &str) {
    run::put(path, text.as_bytes());
}

fn bundle(request: &Value, lake: &Path, more: &[&str]) -> Output {
    let args = [&["bundle", "-", "--lake", lake.to_str().unwrap()], more].concat();
    dalil(&args, request.to_string().as_bytes())
}

fn reply(output: &Output) -> Value {
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn links_that_stay_inside_are_followed_and_others_are_refused() {
    let lake = folder("links");
    put(&lake.join("inside/a.md"), "inside");
    put(&lake.with_extension("outside"), "outside");
    symlink("inside/a.md", lake.join("good.md")).unwrap();
    symlink("../links.outside", lake.join("bad.md")).unwrap();
    symlink("..", lake.join("up")).unwrap();
    symlink("loop", lake.join("loop")).unwrap();
    let uris = ["good.md", "bad.md", "up/links.outside"];
    let output =
        bundle(&json!({"evidence_refs": {"lake_text": uris}, "created_utc": TIME}), &lake, &[]);
    let refused = &reply(&output)["refused"];
    let paths = [&refused[0]["path"], &refused[1]["path"], &refused[2]];
    let expected =
        [&json!("evidence_refs.lake_text[1]"), &json!("evidence_refs.lake_text[2]"), &Value::Null];
    assert_eq!((output.exit, paths), (1, expected));
    let uris = ["good.md", "loop", "inside", "inside/a.md/b"];
    let output =
        bundle(&json!({"evidence_refs": {"lake_text": uris}, "created_utc": TIME}), &lake, &[]);
    let reply = reply(&output);
    assert_eq!((output.exit, &reply["items"][0]["content"]), (0, &json!("inside")));
    let problems = reply["problems"].as_array().unwrap();
    let reasons: Vec<&str> =
        problems.iter().map(|problem| problem["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["unreadable", "unreadable", "missing"]);
    assert!(!output.stdout.contains(lake.to_str().unwrap()), "{}", output.stdout);
    assert_eq!(output.stderr.lines().count(), 3);
}

#[test]
fn a_reference_that_failed_is_told_and_decides_when_asked() {
    let lake = folder("strict");
    let request = json!({"evidence_refs": {"lake_text": ["none.md"]}});
    let told =
        "problem: `evidence_refs.lake_text[0]`: expected an artifact in the lake, found none\n";
    for (options, exit) in [(&[][..], 0), (&["--strict"], 1)] {
        let output = bundle(&request, &lake, options);
        assert_eq!((output.exit, output.stderr.as_str()), (exit, told));
        // The time is left out of the request, so it is the clock's.
        assert!(reply(&output)["created_utc"].as_str().unwrap() > "2026-", "{}", output.stdout);
    }
    let sound = json!({"created_utc": TIME});
    assert_eq!(bundle(&sound, &lake, &["--strict"]).exit, 0);
}

#[test]
fn the_whole_of_a_shortened_text_is_in_the_lake_before_the_bundle_is_seen() {
    let lake = folder("keep");
    let text = "ن".repeat(100);
    let request = json!({
        "job_input": {"extra_params": {"evidence": [{"text": text}, {"text": text}]}},
        "policy": {"max_item_bytes": 100},
        "created_utc": TIME,
    });
    for _ in 0..2 {
        let output = bundle(&request, &lake, &[]);
        let full_ref = &reply(&output)["items"][0]["full_ref"];
        let kept = fs::read_to_string(lake.join(full_ref["lake_uri"].as_str().unwrap())).unwrap();
        assert_eq!((output.exit, kept.as_str()), (0, text.as_str()));
        assert_eq!(full_ref["full_size"], text.len());
        assert_eq!(fs::read_dir(lake.join("sha256")).unwrap().count(), 1);
    }
}

#[test]
fn a_masked_text_is_kept_masked() {
    let lake = folder("masked");
    let text = format!("user@example.com {}", "x".repeat(200));
    let request = json!({
        "job_input": {"extra_params": {"evidence": [{"text": text}]}},
        "policy": {"max_item_bytes": 100, "enable_redaction": true},
        "created_utc": TIME,
    });
    let output = bundle(&request, &lake, &[]);
    let uri = reply(&output)["items"][0]["full_ref"]["lake_uri"].clone();
    let kept = fs::read_to_string(lake.join(uri.as_str().unwrap())).unwrap();
    assert!(kept.starts_with("[EMAIL_REDACTED] xxx"), "{kept}");
}

#[test]
fn a_lake_that_sends_its_digests_elsewhere_keeps_nothing() {
    let lake = folder("diverted");
    let elsewhere = folder("elsewhere");
    symlink(&elsewhere, lake.join("sha256")).unwrap();
    let request = json!({
        "job_input": {"extra_params": {"evidence": [{"text": "x".repeat(101)}]}},
        "policy": {"max_item_bytes": 100},
        "created_utc": TIME,
    });
    let output = bundle(&request, &lake, &[]);
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 0);
}

#[test]
fn a_missing_lake_and_a_short_key_cannot_run() {
    let lake = folder("short");
    let request = json!({"created_utc": TIME});
    let output = bundle(&request, &lake.join("none"), &[]);
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
    assert!(output.stderr.contains("expected a folder that is a lake"), "{}", output.stderr);
    put(&lake.join("key"), "short");
    let key = lake.join("key");
    let output = bundle(&request, &lake, &["--mask-key", key.to_str().unwrap()]);
    assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
    assert!(output.stderr.contains("at least 16 bytes, found 5 bytes"), "{}", output.stderr);
}

/// The name of the file that a text is first written to can be guessed.
#[test]
fn a_link_in_place_of_an_unfinished_file_is_not_written_through() {
    let (lake, outside) = (folder("part"), folder("part-outside").join("mine.txt"));
    put(&outside, "mine");
    let text = "a".repeat(20_000);
    let request =
        json!({"job_input": {"extra_params": {"evidence": [{"text": text}]}}, "created_utc": TIME});
    let first = reply(&bundle(&request, &lake, &[]));
    let kept = lake.join(first["items"][0]["full_ref"]["lake_uri"].as_str().unwrap());
    fs::remove_file(&kept).unwrap();
    put(&lake.join("request.json"), &request.to_string());
    // `exec` keeps the number of the process, which is a part of the name.
    let script = r#"ln -s "$2" "$3.$$.part" && exec "$0" bundle "$1/request.json" --lake "$1""#;
    let ran = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_dalil")])
        .args([&lake, &outside, &kept])
        .output()
        .unwrap();
    assert!(ran.status.success());
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    assert_eq!(fs::read_to_string(&kept).unwrap(), text);
}
