use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::{all_held_back, artifact, ask, broken_off, capped, dropped, within};
use crate::scratch::TestCorpusFolder;

/// A database of one table, `leave`, and its address.
fn database(name: &str) -> (TestCorpusFolder, String) {
    let folder = TestCorpusFolder::with(name, &[]);
    let file = folder.path("hr.db");
    fs::remove_file(&file).unwrap_or_default();
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE leave (id INTEGER PRIMARY KEY, name TEXT, days REAL, photo BLOB, at DATETIME);
             INSERT INTO leave VALUES (9007199254740993, 'نورة \"x\"', 15.5, x'00ff', '2026-01-03 14:30:00'),
             (2, NULL, 1e300, NULL, NULL), (-9223372036854775808, CAST(x'ff' AS TEXT), 3.0, x'', '');
             CREATE TABLE number (n INTEGER);
             INSERT INTO number WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 1000) SELECT n FROM n;",
        )
        .unwrap();
    let address = format!("sqlite:{}", file.display());
    (folder, address)
}

#[test]
fn values_are_kept_as_they_are() {
    let (_folder, address) = database("query-sqlite-values");
    let found =
        artifact(&address, "SELECT * FROM leave WHERE id <> ?1 ORDER BY rowid DESC;", &json!([2]));
    assert_eq!(
        found,
        json!({
            "columns": ["id", "name", "days", "photo", "at"],
            "engine": "sqlite", "more": false, "params": [2],
            "query": "SELECT * FROM leave WHERE id <> ?1 ORDER BY rowid DESC;",
            "row_count": 2,
            "rows": [
                [9_007_199_254_740_993_i64, "نورة \"x\"", 15.5, "base64:AP8=", "2026-01-03 14:30:00"],
                [i64::MIN, "base64:/w==", 3.0, "base64:", ""],
            ],
            "types": ["INTEGER", "TEXT", "REAL", "BLOB", "DATETIME"],
        })
    );
    let params = json!([null, true, 0.5, "x'; DROP TABLE leave; --"]);
    let found = artifact(&address, "SELECT ?1 AS a, ?2 AS a, ?3, ?4", &params);
    assert_eq!(found["rows"], json!([[null, 1, 0.5, "x'; DROP TABLE leave; --"]]));
    assert_eq!(found["columns"][1], "a");
    let none = artifact(&address, "SELECT id FROM leave WHERE 0", &json!([]));
    assert_eq!((&none["columns"], &none["rows"]), (&json!(["id"]), &json!([])));
}

#[test]
fn rows_and_bytes_are_capped() {
    let (_folder, address) = database("query-sqlite-caps");
    let all = "SELECT n FROM number";
    assert_eq!(capped(&address, all, 1000, within(20_000)), (1000, false));
    assert_eq!(capped(&address, all, 999, within(20_000)), (999, true));
    let narrow = super::LiveQueryLimits { bytes: 800, ..within(20_000) };
    assert_eq!(capped(&address, all, 1000, narrow), (100, true));
    let endless = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT n FROM n";
    assert_eq!(capped(&address, endless, 10, within(20_000)), (10, true));
}

#[test]
fn nothing_is_written() {
    let (folder, address) = database("query-sqlite-writes");
    let before = fs::read(folder.path("hr.db")).unwrap();
    let aside = |name: &str| folder.path(name).display().to_string();
    let vacuum = format!("VACUUM INTO '{}'", aside("stolen.db"));
    let twice = format!("SELECT 1; {vacuum}");
    let broken_out = format!("SELECT 1); {vacuum}; SELECT (1");
    let attach = format!("ATTACH '{}' AS other", aside("hr.db"));
    let attach_new = format!("ATTACH 'file:{}?mode=rwc' AS other", aside("new.db"));
    all_held_back(
        &address,
        &[
            ("refused", "INSERT INTO leave (name) VALUES ('x')"),
            ("refused", "INSERT INTO leave (name) VALUES ('x') RETURNING id"),
            ("refused", "WITH x AS (SELECT 1) INSERT INTO leave (id) SELECT * FROM x RETURNING id"),
            ("refused", "UPDATE leave SET days = 0"),
            ("refused", "DELETE FROM leave"),
            ("refused", "REPLACE INTO leave (id) VALUES (2)"),
            ("refused", "CREATE TABLE x (a)"),
            ("refused", "CREATE TEMP TABLE x (a)"),
            ("refused", "CREATE TABLE x AS SELECT * FROM leave"),
            ("refused", "DROP TABLE leave"),
            ("refused", "ALTER TABLE leave ADD COLUMN x"),
            ("refused", "PRAGMA query_only = 0"),
            ("refused", "PRAGMA journal_mode = WAL"),
            ("refused", "PRAGMA user_version"),
            ("refused", "BEGIN IMMEDIATE"),
            ("refused", "SAVEPOINT a"),
            ("refused", "REINDEX"),
            ("refused", "ANALYZE"),
            ("refused", "VACUUM"),
            ("refused", &vacuum),
            ("refused", &attach),
            ("refused", &attach_new),
            ("refused", "DETACH main"),
            ("refused", "SELECT load_extension('x')"),
            ("refused", "SELECT 1; SELECT 2"),
            ("refused", &twice),
            ("failed", &broken_out),
            ("failed", "SELECT writefile('x', 'y')"),
            ("failed", "SELEC 1"),
            ("failed", "SELECT * FROM nothing"),
        ],
    );
    assert_eq!(fs::read(folder.path("hr.db")).unwrap(), before);
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert_eq!(names, [folder.path("hr.db")]);
}

#[test]
fn a_query_that_never_ends_is_broken_off() {
    let (_folder, address) = database("query-sqlite-time");
    let endless =
        "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) FROM n";
    let (failure, took) = broken_off(&address, endless, 300);
    assert_eq!(failure.reason(), "timed_out");
    assert!(took < Duration::from_secs(3), "{took:?}");
    // The thread of a dropped query ends too, or the runtime would wait for it here.
    dropped(&address, endless, 200);
}

#[test]
fn files_that_are_no_database_are_unreachable() {
    let folder = TestCorpusFolder::with(
        "query-sqlite-none",
        &[("text.db", b"this is a text, and a long one".as_slice())],
    );
    for name in ["text.db", "nothing.db", "."] {
        let address = format!("sqlite:{}", folder.path(name).display());
        let failure = ask(&address, "SELECT 1", &json!([])).unwrap_err();
        assert_eq!(failure.reason(), "unreachable", "{name}: {failure:?}");
        assert!(!failure.to_string().contains("query-sqlite-none"), "{failure}");
    }
    assert!(!folder.path("nothing.db").exists());
}
