//! Requests are refused with every fault.

use expect_test::{Expect, expect};

use crate::bundle::{BundleRequest, FetchedArtifacts, LakeUri, build};

#[track_caller]
fn check(request: &str, expected: &Expect) {
    let refused = BundleRequest::parse(request.as_bytes()).unwrap_err();
    let lines: Vec<_> =
        refused.refused.iter().map(|fault| format!("{} {fault}", fault.rule)).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_request_without_a_time_is_of_when_it_is_read() {
    let now = "2026-03-15T09:30:00Z".parse().unwrap();
    let built = |request: &[u8]| {
        let request = BundleRequest::parse_at(request, now).unwrap();
        build(request, &FetchedArtifacts::new(), None).unwrap().bundle.created_utc.to_string()
    };
    assert_eq!(built(b"{}"), "2026-03-15T09:30:00.000Z");
    let stated = br#"{"created_utc": "2026-01-03T14:30:00Z"}"#;
    assert_eq!(built(stated), "2026-01-03T14:30:00.000Z");
    // Without a clock there is no substitute for it.
    check("{}", &expect!["missing_field `created_utc`: expected a value, found nothing"]);
}

#[test]
fn a_size_that_nobody_gave_is_told() {
    check(
        r#"{"created_utc": "2026-01-03T14:30:00Z", "policy": {"max_total_bytes": 5000}}"#,
        &expect![[r#"
            policy `policy.max_item_bytes`: max_item_bytes cannot exceed max_total_bytes
            hint: without a value `max_item_bytes` is 10000 and `max_total_bytes` 100000"#]],
    );
}

#[test]
fn every_fault_of_a_request_is_reported_at_once() {
    check(
        r#"{
            "job_input": {"free": 1, "extra_params": {"also": 2, "evidence": [{"txt": "a"}, {"text": 7, "metadata": {"bounding": 1}}]}},
            "evidence_refs": {
                "lake_text": ["../x", {"lake_uri": "a", "chunks": true}],
                "lake_http": [7],
                "sql_results": [{"query_key": "q"}],
                "sql_queries": [{"query_key": "q"}],
                "doc_chunks": [{"document_id": " ", "chunk_index": -1, "text": "a", "offsets": {"start": 2, "end": 1}}],
                "docs": []
            },
            "policy": {"max_items": 0, "max_total_bytes": 999, "sampling_strategy": "first_only"},
            "extra": true
        }"#,
        &expect![[r#"
            missing_field `job_input.extra_params.evidence[0].text`: expected a value, found nothing
            unknown_field `job_input.extra_params.evidence[0].txt`: expected only text, source_uri, metadata, found a field it does not know
            hint: remove the field or correct its name
            type `job_input.extra_params.evidence[1].text`: expected a string, found `7`
            reserved_field `job_input.extra_params.evidence[1].metadata.bounding`: expected a name that the bundle does not use itself, found `bounding`
            lake_uri `evidence_refs.lake_text[0]`: expected a relative path inside the lake, such as `docs/policy.md`, found `../x`
            unknown_field `evidence_refs.lake_text[1].chunks`: expected only lake_uri, chunk, metadata, found a field it does not know
            hint: remove the field or correct its name
            type `evidence_refs.lake_http[0]`: expected a relative path inside the lake, such as `docs/policy.md`, found `7`
            missing_field `evidence_refs.sql_results[0].lake_uri`: expected a value, found nothing
            missing_field `evidence_refs.sql_queries[0].query`: expected a value, found nothing
            empty `evidence_refs.doc_chunks[0].document_id`: expected some text, found ` `
            range `evidence_refs.doc_chunks[0].chunk_index`: expected a whole number from 0 to 4294967295, found `-1`
            range `evidence_refs.doc_chunks[0].offsets`: expected `start` not after `end`, found an object
            unknown_field `evidence_refs.docs`: expected only lake_text, lake_http, sql_results, sql_live, sql_queries, doc_chunks, transcript_chunks, found a field it does not know
            hint: remove the field or correct its name
            policy `policy.max_items`: max_items must be at least 1
            policy `policy.max_total_bytes`: max_total_bytes must be at least 1000 bytes
            policy `policy.max_item_bytes`: max_item_bytes cannot exceed max_total_bytes
            hint: without a value `max_item_bytes` is 10000 and `max_total_bytes` 100000
            missing_field `created_utc`: expected a value, found nothing
            unknown_field `extra`: expected only job_input, evidence_refs, policy, created_utc, found a field it does not know
            hint: remove the field or correct its name"#]],
    );
}

#[test]
fn a_bad_policy_is_refused_with_all_its_faults() {
    check(
        r#"{"created_utc": "2026-01-03T14:30:00Z", "policy": {
            "max_items": 0, "max_total_bytes": 10, "max_item_bytes": 11, "max_sql_rows": 0,
            "max_sql_cols": 0, "chunk_size": 50, "chunk_overlap": 60}}"#,
        &expect![[r#"
            policy `policy.max_items`: max_items must be at least 1
            policy `policy.max_total_bytes`: max_total_bytes must be at least 1000 bytes
            policy `policy.max_item_bytes`: max_item_bytes must be at least 100 bytes
            policy `policy.max_item_bytes`: max_item_bytes cannot exceed max_total_bytes
            hint: without a value `max_item_bytes` is 10000 and `max_total_bytes` 100000
            policy `policy.max_sql_rows`: max_sql_rows must be at least 1
            policy `policy.max_sql_cols`: max_sql_cols must be at least 1 if specified
            policy `policy.chunk_size`: chunk_size must be at least 100 bytes
            policy `policy.chunk_overlap`: chunk_overlap must be less than chunk_size"#]],
    );
    check(
        r#"{"created_utc": "2026-01-03T14:30:00Z", "policy": {
            "max_items": 1.5, "max_sql_cols": "2", "max_sql_rows": 0, "sampling_strategy": "x\u202ey", "enable_redaction": 1,
            "version": 2, "max_bytes": 3, "redaction_rules": [{"name": "", "pattern": "(", "replacement": ""}, {}]}}"#,
        &expect![[r#"
            type `policy.max_items`: expected a whole number, found `1.5`
            type `policy.max_sql_cols`: expected a whole number, found the string `2`
            policy `policy.sampling_strategy`: Invalid sampling_strategy: x\u{202e}y
            hint: use `first_only`, `first_last` or `stride`
            type `policy.enable_redaction`: expected `true` or `false`, found `1`
            empty `policy.redaction_rules[0].name`: expected some text, found ``
            pattern `policy.redaction_rules[0].pattern`: expected a regular expression, found `unclosed group`
            hint: the syntax is that of the regex crate: no look-around, no back-references
            replacement `policy.redaction_rules[0].replacement`: expected a replacement that no rule would mask again, found ``
            hint: use a mark such as `[CODE_REDACTED]`
            missing_field `policy.redaction_rules[1].name`: expected a value, found nothing
            missing_field `policy.redaction_rules[1].pattern`: expected a value, found nothing
            type `policy.version`: expected a string, found `2`
            unknown_field `policy.max_bytes`: expected only max_items, max_total_bytes, max_item_bytes, max_sql_rows, max_sql_cols, chunk_size, chunk_overlap, sampling_strategy, enable_redaction, redaction_rules, version, found a field it does not know
            hint: remove the field or correct its name
            policy `policy.max_sql_rows`: max_sql_rows must be at least 1"#]],
    );
}

#[test]
fn paths_that_could_leave_the_lake_are_not_lake_uris() {
    for uri in ["a", "a/b.md", "a..b/c", "...", "وثائق/سياسة.md", "a b", "~"] {
        assert_eq!(uri.parse::<LakeUri>().unwrap().as_str(), uri);
    }
    let bad =
        ["", "/a", "..", "a/../b", "./a", "a//b", "a/", "a\\b", "a\u{0}b", "C:a", "c:/a", "a\nb"];
    for uri in bad {
        assert!(uri.parse::<LakeUri>().is_err(), "{uri:?}");
    }
    assert!("a".repeat(1025).parse::<LakeUri>().is_err());
}

#[test]
fn a_request_names_each_artifact_once() {
    let request = r#"{"created_utc": "2026-01-03T14:30:00Z", "evidence_refs": {
        "lake_text": ["b", "a"], "lake_http": ["a"], "sql_results": [{"lake_uri": "c"}, {"lake_uri": "b"}]}}"#;
    let request = BundleRequest::parse(request.as_bytes()).unwrap();
    let uris: Vec<&str> = request.lake_uris().into_iter().map(LakeUri::as_str).collect();
    assert_eq!(uris, ["a", "b", "c"]);
}
