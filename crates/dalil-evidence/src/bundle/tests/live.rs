//! Live queries: how a bundle uses the outcomes that the caller states.

use expect_test::expect;
use serde_json::json;

use super::super::{BundleRequest, UnansweredQuery, build};
use super::{artifacts, check};

const TABLE: &str = r#"{"columns":["n"],"more":true,"query":"SELECT n","rows":[[1],[2]]}"#;

#[test]
fn a_query_that_nobody_ran_is_a_problem() {
    let live = json!([{"query_key": "k", "connection": "hr", "query": "SELECT 1"}]);
    check(
        &json!({"evidence_refs": {"sql_live": live}}),
        &[],
        &expect![
            "problem evidence_refs.sql_live[0] k not_run: expected the result of a query, found that it was not run"
        ],
    );
}

#[test]
fn results_stand_after_those_of_the_request_and_losses_are_masked() {
    let live = |key| json!({"query_key": key, "connection": "hr", "query": "SELECT 1", "description": "d"});
    let request = json!({
        "evidence_refs": {
            "sql_live": [live("a"), live("b")],
            "sql_results": [{"lake_uri": "kept.json", "query_key": "kept"}],
        },
        "policy": {"enable_redaction": true},
        "created_utc": "2026-01-03T14:30:00Z",
    });
    let request = BundleRequest::parse(request.to_string().as_bytes()).unwrap();
    let keys: Vec<&str> =
        request.live_queries().iter().map(|query| query.query_key.as_str()).collect();
    assert_eq!(keys, ["a", "b"]);
    let lost =
        UnansweredQuery { reason: "failed", message: "no mailbox hr@example.com".to_owned() };
    let request = request.with_query_results([Ok("live.json".parse().unwrap()), Err(lost)]);
    let uris: Vec<&str> = request.lake_uris().into_iter().map(|uri| uri.as_str()).collect();
    assert_eq!(uris, ["kept.json", "live.json"]);
    let bundle = build(request, &artifacts(&[("live.json", TABLE), ("kept.json", TABLE)]), None)
        .unwrap()
        .bundle;
    let keys: Vec<&str> =
        bundle.items.iter().filter_map(|item| item.head.metadata.query_key.as_deref()).collect();
    assert_eq!(keys, ["kept", "a"]);
    assert_eq!(
        bundle.items[1].head.metadata.given["description"],
        dalil_proof::json::Json::Text("d".into())
    );
    assert_eq!(bundle.problems[0].message, "no mailbox [EMAIL_REDACTED]");
}

#[test]
fn a_result_that_is_not_all_says_so_wherever_it_is_shown() {
    let result = |split| json!({"lake_uri": "t.json", "query_key": "k", "split": split});
    let request = json!({"evidence_refs": {"sql_results": [result(false), result(true)]},
        "policy": {"max_sql_rows": 1}});
    let built = super::built(&request, &[("t.json", TABLE)]);
    let note = "The query gave more than the 2 rows that were kept";
    assert_eq!(built.bundle.items.len(), 3);
    for item in &built.bundle.items {
        assert!(item.content.contains(&format!("\n(Note: {note})\n\n")), "{}", item.content);
        assert!(item.head.metadata.bounding.note.as_ref().unwrap().ends_with(note));
        assert!(item.head.full_ref.as_ref().unwrap().full_sha256.is_some());
    }
}
