//! `dalil bundle` with live queries: the result is in the lake, and no address is anywhere.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::run::{self, Output, dalil_in};

/// A lake with a database beside it.
fn setup(name: &str) -> (std::path::PathBuf, String) {
    let folder = run::folder(&format!("live/{name}"));
    fs::create_dir_all(folder.join("lake")).unwrap();
    let made =
        Command::new("python3").args(["-c", MADE]).arg(folder.join("hr.db")).status().unwrap();
    assert!(made.success());
    let address = format!("sqlite:{}", folder.join("hr.db").display());
    (folder, address)
}

const MADE: &str = "
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute('CREATE TABLE leave (id INTEGER, name TEXT)')
db.executemany('INSERT INTO leave VALUES (?, ?)', [(n, f'name {n}') for n in range(500)])
db.commit()
";

fn bundle(folder: &Path, live: &Value, environment: &[(&str, &str)], more: &[&str]) -> Output {
    let request = json!({"evidence_refs": {"sql_live": live}, "policy": {"max_sql_rows": 4},
        "created_utc": "2026-01-03T14:30:00Z"});
    let args = [&["bundle", "-", "--lake", "lake"], more].concat();
    dalil_in(folder, environment, &args, request.to_string().as_bytes())
}

#[test]
fn the_whole_result_is_in_the_lake_and_a_sample_in_the_bundle() {
    let (folder, address) = setup("whole");
    let live = json!([
        {"query_key": "leave", "connection": "hr", "query": "SELECT * FROM leave WHERE id >= ?1",
         "params": [100], "description": "who is on leave"},
        {"query_key": "few", "connection": "hr", "query": "SELECT id FROM leave", "max_rows": 3},
        {"query_key": "write", "connection": "hr", "query": "DELETE FROM leave"},
    ]);
    let output = bundle(&folder, &live, &[("DALIL_CONNECTION_HR", &address)], &[]);
    assert_eq!(output.exit, 0, "{}", output.stderr);
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    let (item, few) = (&reply["items"][0], &reply["items"][1]);
    let content = "SQL Result Set (400 rows, 2 columns)\nColumns: id, name\n\n\
        Sampling: First 2 and last 2 rows of 400\n\nRow 0: {\"id\": 100, \"name\": \"name 100\"}\n\
        Row 1: {\"id\": 101, \"name\": \"name 101\"}\nRow 398: {\"id\": 498, \"name\": \"name 498\"}\n\
        Row 399: {\"id\": 499, \"name\": \"name 499\"}";
    assert_eq!(
        (&item["content"], &item["metadata"]["description"]),
        (&json!(content), &json!("who is on leave"))
    );
    let uri = item["full_ref"]["lake_uri"].as_str().unwrap();
    let artifact: Value =
        serde_json::from_slice(&fs::read(folder.join("lake").join(uri)).unwrap()).unwrap();
    assert_eq!(
        (artifact["rows"].as_array().unwrap().len(), &artifact["more"]),
        (400, &json!(false))
    );
    let note = "The query gave more than the 3 rows that were kept";
    assert_eq!(few["metadata"]["bounding"]["note"], json!(note));
    assert!(few["content"].as_str().unwrap().contains(&format!("(Note: {note})\n")));
    let problem = &reply["problems"][0];
    assert_eq!((&problem["query_key"], &problem["reason"]), (&json!("write"), &json!("refused")));
    assert!(!output.stdout.contains("hr.db"), "{}", output.stdout);
    let again = bundle(&folder, &live, &[], &["--connection", &format!("hr={address}")]);
    assert_eq!(again.stdout, output.stdout);
}

#[test]
fn a_connection_that_is_not_there_is_refused_and_an_address_is_not_shown() {
    let (folder, _) = setup("unknown");
    let live = json!([{"query_key": "a", "connection": "hr", "query": "SELECT 1"},
        {"query_key": "b", "connection": "pay", "query": "SELECT 1"}]);
    let output = bundle(&folder, &live, &[], &["--connection", "pay=sqlite:x.db"]);
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((output.exit, reply["refused"].as_array().unwrap().len()), (1, 1));
    assert_eq!(reply["refused"][0]["path"], "evidence_refs.sql_live[0].connection");
    for given in ["s3cret", "=s3cret", "hr=s3cret", "hr=http://u:s3cret@h/d"] {
        let output = bundle(&folder, &live, &[], &["--connection", given]);
        assert_eq!(output.exit, 2, "{given}");
        assert!(
            !format!("{}{}", output.stdout, output.stderr).contains("s3cret"),
            "{}",
            output.stderr
        );
    }
    let lost = json!([{"query_key": "a", "connection": "hr", "query": "SELECT 1"}]);
    let output = bundle(
        &folder,
        &lost,
        &[("DALIL_CONNECTION_HR", "postgres://u:s3cret@127.0.0.1:9/d")],
        &[],
    );
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((output.exit, &reply["problems"][0]["reason"]), (0, &json!("unreachable")));
    assert!(!format!("{}{}", output.stdout, output.stderr).contains("s3cret"), "{}", output.stderr);
}
