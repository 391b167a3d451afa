//! The rules that every engine must keep, and where they are tried for real.

use std::time::Duration;

use dalil_evidence::bundle::{BundleRequest, LiveQuery};
use serde_json::{Value, json};

use super::{DatabaseAddress, LiveQueryFailure, LiveQueryLimits, LiveResultSet, run};

#[cfg(feature = "live-mssql")]
mod mssql;
mod mysql;
mod postgres;
mod sqlite;

/// The query that a request asks.
#[track_caller]
fn query(query: &str, params: &Value, max_rows: usize) -> LiveQuery {
    let live = json!({"query_key": "k", "connection": "c", "query": query, "params": params,
        "max_rows": max_rows});
    let request =
        json!({"evidence_refs": {"sql_live": [live]}, "created_utc": "2026-01-03T14:30:00Z"});
    let request = BundleRequest::parse(request.to_string().as_bytes()).unwrap();
    request.live_queries()[0].clone()
}

/// Runs something to its end.
fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn within(millis: u64) -> LiveQueryLimits {
    LiveQueryLimits::within(Duration::from_millis(millis))
}

/// The answer of an address to a query.
fn ask(address: &str, text: &str, params: &Value) -> Result<LiveResultSet, LiveQueryFailure> {
    let query = query(text, params, 100);
    wait(run(&DatabaseAddress::parse(address).unwrap(), &query, within(20_000)))
}

/// The artifact of a query, as JSON.
#[track_caller]
fn artifact(address: &str, text: &str, params: &Value) -> Value {
    let asked = query(text, params, 100);
    let table = ask(address, text, params).unwrap();
    let (one, two) =
        (table.artifact(&asked).unwrap(), ask(address, text, params).unwrap().artifact(&asked));
    assert_eq!(one, two.unwrap(), "two runs give the same bytes");
    serde_json::from_str(&one).unwrap()
}

/// How many rows are kept, and whether there are more.
#[track_caller]
fn capped(address: &str, text: &str, max_rows: usize, limits: LiveQueryLimits) -> (usize, bool) {
    let query = query(text, &json!([]), max_rows);
    let table = wait(run(&DatabaseAddress::parse(address).unwrap(), &query, limits)).unwrap();
    (table.rows().len(), table.more())
}

/// Checks that each statement is refused: for this reason where the engine can tell it from a
/// mistake.
#[track_caller]
fn all_held_back(address: &str, statements: &[(&str, &str)]) {
    let outcomes: Vec<String> = statements
        .iter()
        .map(|(reason, text)| match ask(address, text, &json!([])) {
            Err(failure) if failure.reason() == *reason => String::new(),
            other => format!("{text}: expected {reason}, found {other:?}\n"),
        })
        .collect();
    assert_eq!(outcomes.concat(), "");
}

/// How long a query takes that is interrupted after `millis`, and why it ended.
#[expect(clippy::disallowed_methods, reason = "the test measures time")]
fn broken_off(address: &str, text: &str, millis: u64) -> (LiveQueryFailure, Duration) {
    let start = std::time::Instant::now();
    let query = query(text, &json!([]), 100);
    let failure = wait(run(&DatabaseAddress::parse(address).unwrap(), &query, within(millis)));
    (failure.unwrap_err(), start.elapsed())
}

/// Starts a query and walks away from it.
fn dropped(address: &str, text: &str, millis: u64) {
    let query = query(text, &json!([]), 100);
    let connection = DatabaseAddress::parse(address).unwrap();
    let left = wait(async {
        let asked = run(&connection, &query, within(60_000));
        tokio::time::timeout(Duration::from_millis(millis), asked).await
    });
    assert!(left.is_err(), "it was to be broken off: {left:?}");
}

#[test]
fn addresses_are_read_and_never_shown() {
    let server_as_file = "sqlite:postgres://u:s3cret@h/d";
    for address in [
        "",
        "x",
        "sqlite:",
        "http://h/d",
        "postgres:",
        "postgres://",
        "oracle://h/d",
        server_as_file,
    ] {
        assert!(DatabaseAddress::parse(address).is_err(), "{address}");
    }
    for address in ["sqlite:a.db", "postgres://u:s3cret@h/d", "mariadb://h/d", "sqlserver://h/d"] {
        let connection = DatabaseAddress::parse(address).unwrap();
        assert!(!format!("{connection:?}").contains("s3cret"), "{connection:?}");
    }
    let connection = DatabaseAddress::parse("mysql://u:p%40ss@h/d").unwrap();
    assert_eq!(connection.hide("no `p@ss` here".to_owned()), "no `***` here");
    assert_eq!(connection.hide("mysql://u:p%40ss@h/d".to_owned()), "mysql://u:***@h/d");
    let connection = "postgres://h/d?user=u&password=o%40ne&sslpassword=two&PWD=three";
    let connection = DatabaseAddress::parse(connection).unwrap();
    let said = "`o@ne`, `o%40ne`, `two` and `three` of `u`".to_owned();
    assert_eq!(connection.hide(said), "`***`, `***`, `***` and `***` of `u`");
}

#[test]
fn servers_that_are_not_there_are_unreachable() {
    for scheme in ["postgres", "mysql", "sqlserver"] {
        let address = format!("{scheme}://u:s3cret@127.0.0.1:9/d");
        let failure = ask(&address, "SELECT 1", &json!([])).unwrap_err();
        let has_driver = scheme != "sqlserver" || cfg!(feature = "live-mssql");
        let expected = if has_driver { "unreachable" } else { "no_driver" };
        assert_eq!(failure.reason(), expected, "{failure:?}");
        assert!(!format!("{failure:?} {failure}").contains("s3cret"), "{failure:?}");
    }
}
