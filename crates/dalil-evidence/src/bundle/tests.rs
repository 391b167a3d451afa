//! Bundles, whole: what becomes of a request and a lake.

mod chunk;
mod law;
mod live;
mod prompt;
mod request;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{ArtifactReadError, BuiltBundle, BundleRequest, FetchedArtifacts, build};
use crate::mask::MaskKey;

/// Builds a bundle from a request and a lake.
#[track_caller]
fn built(request: &Value, lake: &[(&str, &str)]) -> BuiltBundle {
    let mut request = request.clone();
    request["created_utc"] = json!("2026-01-03T14:30:00Z");
    let request = BundleRequest::parse(request.to_string().as_bytes()).unwrap();
    build(request, &artifacts(lake), None).unwrap()
}

fn artifacts(lake: &[(&str, &str)]) -> FetchedArtifacts {
    let artifact = |(uri, text): &(&str, &str)| {
        (uri.parse().unwrap(), Ok::<_, ArtifactReadError>(text.as_bytes().to_vec()))
    };
    lake.iter().map(artifact).collect()
}

/// The ids, sizes and full references of the items, then cuts, problems and the objects to store.
#[track_caller]
fn check(request: &Value, lake: &[(&str, &str)], expected: &Expect) {
    let BuiltBundle { bundle, keep } = built(request, lake);
    let mut lines = Vec::new();
    for item in &bundle.items {
        let head = &item.head;
        let note = head.metadata.bounding.note.clone().unwrap_or_default();
        let full = head.full_ref.as_ref().map(|full| serde_json::to_string(full).unwrap());
        let full = full.unwrap_or_default();
        lines.push(format!("{} {} {note} {full}", head.evidence_id, head.byte_count));
    }
    for cut in &bundle.cuts {
        lines.push(format!("cut {}", serde_json::to_string(cut).unwrap()));
    }
    for problem in &bundle.problems {
        let super::BundleProblem { path, about, reason, message } = problem;
        lines.push(format!("problem {path} {} {reason}: {message}", about.name()));
    }
    lines.extend(keep.iter().map(|keep| format!("keep {} {}", keep.path, keep.text.len())));
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn items_stand_in_the_order_of_their_kinds() {
    let offsets = json!({"start": 5, "end": 6});
    let request = json!({
        "job_input": {"extra_params": {"evidence": [{"text": "a"}, {"text": "b"}]}},
        "evidence_refs": {
            "transcript_chunks": [{"document_id": "t", "chunk_index": 4, "text": "g"}],
            "doc_chunks": [{"document_id": "d", "chunk_index": 2, "text": "f", "offsets": offsets}],
            "sql_queries": [{"query_key": "q", "query": "SELECT 1"}],
            "sql_results": [{"lake_uri": "r.json"}],
            "lake_http": ["h.json"],
            "lake_text": ["n.md"],
        },
    });
    let headers = json!({"Content-Type": "a\nb", "DATE": "D", "Content-Length": 3});
    let http =
        json!({"status_code": "204", "reason": "No Content", "headers": headers}).to_string();
    let table = json!({"rows": [{"a": 1.5, "b": [1, {"c": "ى"}, true]}]}).to_string();
    let lake = [("n.md", "note"), ("h.json", http.as_str()), ("r.json", table.as_str())];
    check(
        &request,
        &lake,
        &expect![[r#"
            inline:0 1
            inline:1 1
            lake:802788559b7c:0 4
            lake:1821788bf525:0 100  {"full_size":0,"lake_uri":"h.json"}
            sql:f48cc4e5c888:0 125  {"col_count":2,"lake_uri":"r.json","row_count":1}
            sqldef:8e35c2cd3bf6 18
            doc:18ac3e7343f0:2 1
            doc:e3b98a4da31a:4 1"#]],
    );
    let BuiltBundle { bundle, .. } = built(&request, &lake);
    let texts: Vec<&str> = bundle.items.iter().map(|item| item.content.as_str()).collect();
    expect![[r#"
        a
        ====
        b
        ====
        note
        ====
        HTTP 204 No Content
        URL: unknown
        content-type: a b
        content-length: 3
        date: D

        --- Response Body ---

        ====
        SQL Result Set (1 rows, 2 columns)
        Columns: a, b

        Sampling: All rows included

        Row 0: {"a": 1.5, "b": [1, {"c": "ى"}, true]}
        ====
        Query: q

        SELECT 1
        ====
        f
        ====
        g"#]]
    .assert_eq(&texts.join("\n====\n"));
}

#[test]
fn the_second_holder_of_an_id_takes_the_next_number() {
    let part = |index: u64| json!({"document_id": "d", "chunk_index": index, "text": "x"});
    check(
        &json!({
            "evidence_refs": {
                "lake_text": ["a", "a", "a"],
                "lake_http": ["a"],
                "sql_queries": [{"query_key": "q", "query": "1"}, {"query_key": "q", "query": "2"}],
                "doc_chunks": [part(0), part(0), part(1), part(1), part(9), part(3)],
                "transcript_chunks": [part(0)],
            },
        }),
        &[("a", "{}")],
        &expect![[r#"
            lake:ca978112ca1b:0 2
            lake:ca978112ca1b:1 2
            lake:ca978112ca1b:2 2
            lake:ca978112ca1b:3 50  {"full_size":0,"lake_uri":"a"}
            sqldef:8e35c2cd3bf6 11
            sqldef:8e35c2cd3bf6:1 11
            doc:18ac3e7343f0:0 1
            doc:18ac3e7343f0:1 1
            doc:18ac3e7343f0:2 1
            doc:18ac3e7343f0:3 1
            doc:18ac3e7343f0:9 1
            doc:18ac3e7343f0:4 1
            doc:18ac3e7343f0:5 1"#]],
    );
}

#[test]
fn what_is_shortened_names_the_whole_and_is_kept() {
    let long = "ن".repeat(80);
    let rows: Vec<Value> = (0..40).map(|n| json!([n, "x"])).collect();
    let table = json!({"columns": ["n", "x"], "rows": rows, "row_count": 4000}).to_string();
    let http = json!({"url": "https://e/", "body": long}).to_string();
    check(
        &json!({
            "job_input": {"extra_params": {"evidence": [{"text": long}, {"text": "short"}]}},
            "evidence_refs": {
                "lake_text": ["n.md", {"lake_uri": "n.md", "chunk": true}, "short.md"],
                "lake_http": ["h.json"],
                "sql_results": [{"lake_uri": "r.json", "query_key": "q"}],
                "sql_queries": [{"query_key": "q", "query": long}],
                "doc_chunks": [{"document_id": "d", "chunk_index": 0, "text": long}],
            },
            "policy": {
                "max_item_bytes": 101,
                "max_total_bytes": 1000,
                "max_items": 9,
                "max_sql_rows": 3,
                "max_sql_cols": 1,
                "chunk_size": 100,
                "chunk_overlap": 10,
            },
        }),
        &[("n.md", &long), ("short.md", "s"), ("h.json", &http), ("r.json", &table)],
        &expect![[r#"
            inline:0 100 Truncated to 101 byte limit {"full_sha256":"sha256:d1071083a8da2322032a3d438036b69296a4a824334bf7da3bcf8b45e4dc8d62","full_size":160,"lake_uri":"sha256/d1071083a8da2322032a3d438036b69296a4a824334bf7da3bcf8b45e4dc8d62"}
            inline:1 5
            lake:802788559b7c:0 100 Truncated to 101 byte limit {"full_sha256":"sha256:d1071083a8da2322032a3d438036b69296a4a824334bf7da3bcf8b45e4dc8d62","full_size":160,"lake_uri":"n.md"}
            lake:802788559b7c:1 100 Chunk 0 of 2 {"full_sha256":"sha256:d1071083a8da2322032a3d438036b69296a4a824334bf7da3bcf8b45e4dc8d62","full_size":160,"lake_uri":"n.md"}
            lake:802788559b7c:2 70 Chunk 1 of 2 {"full_sha256":"sha256:d1071083a8da2322032a3d438036b69296a4a824334bf7da3bcf8b45e4dc8d62","full_size":160,"lake_uri":"n.md"}
            lake:5869e98ffb76:0 1
            lake:1821788bf525:0 101 Truncated to 101 byte limit {"full_sha256":"sha256:08131e4133becd54460613ea7d51fc0163ba7b0e0c19eb74bff9051514805800","full_size":160,"lake_uri":"h.json"}
            sql:8e35c2cd3bf6:0 101 Truncated to 101 byte limit; Sampled 3 of 40 rows; Showing 1 of 2 columns {"col_count":2,"full_sha256":"sha256:d2913f05ddea591894fb7009ba17c7161f93e1071c852cec4df971668a79e54b","full_size":397,"lake_uri":"r.json","row_count":4000}
            sqldef:8e35c2cd3bf6 100 Truncated to 101 byte limit {"full_sha256":"sha256:73bcfadad601475cc27875579b397d22e1779dba46025adab240eeb637a6ba2f","full_size":170,"lake_uri":"sha256/73bcfadad601475cc27875579b397d22e1779dba46025adab240eeb637a6ba2f"}
            cut {"evidence_id":"doc:18ac3e7343f0:0","byte_count":100,"reason":"max_items"}
            keep job_input.extra_params.evidence[0].text 160
            keep evidence_refs.sql_queries[0].query 170"#]],
    );
}

#[test]
fn a_result_is_split_by_rows_when_the_request_says_so() {
    let rows: Vec<Value> = (0..7).map(|n| json!({"n": n, "text": "x".repeat(20 * n)})).collect();
    let table = json!({"columns": ["n", "text"], "rows": rows}).to_string();
    let refs = |split: bool| {
        let result = json!({"lake_uri": "r.json", "query_key": "q", "split": split});
        json!({
            "evidence_refs": {"sql_results": [result]},
            "policy": {"max_item_bytes": 250, "max_sql_rows": 3},
        })
    };
    check(
        &refs(true),
        &[("r.json", &table)],
        &expect![[r#"
            sql:8e35c2cd3bf6:0:0-2 224 Rows 0 to 2 of 7 {"col_count":2,"full_sha256":"sha256:9d7a341f698d6820dbd1ae4ae6325ab636b9697b037c57412117aa216588ece4","full_size":579,"lake_uri":"r.json","row_count":7}
            sql:8e35c2cd3bf6:1:3-3 168 Rows 3 to 3 of 7 {"col_count":2,"full_sha256":"sha256:9d7a341f698d6820dbd1ae4ae6325ab636b9697b037c57412117aa216588ece4","full_size":579,"lake_uri":"r.json","row_count":7}
            sql:8e35c2cd3bf6:2:4-4 188 Rows 4 to 4 of 7 {"col_count":2,"full_sha256":"sha256:9d7a341f698d6820dbd1ae4ae6325ab636b9697b037c57412117aa216588ece4","full_size":579,"lake_uri":"r.json","row_count":7}
            sql:8e35c2cd3bf6:3:5-5 208 Rows 5 to 5 of 7 {"col_count":2,"full_sha256":"sha256:9d7a341f698d6820dbd1ae4ae6325ab636b9697b037c57412117aa216588ece4","full_size":579,"lake_uri":"r.json","row_count":7}
            sql:8e35c2cd3bf6:4:6-6 228 Rows 6 to 6 of 7 {"col_count":2,"full_sha256":"sha256:9d7a341f698d6820dbd1ae4ae6325ab636b9697b037c57412117aa216588ece4","full_size":579,"lake_uri":"r.json","row_count":7}"#]],
    );
    check(
        &refs(false),
        &[("r.json", &table)],
        &expect![[
            r#"sql:8e35c2cd3bf6:0 250 Truncated to 250 byte limit; Sampled 3 of 7 rows {"col_count":2,"full_sha256":"sha256:9d7a341f698d6820dbd1ae4ae6325ab636b9697b037c57412117aa216588ece4","full_size":579,"lake_uri":"r.json","row_count":7}"#
        ]],
    );
    let BuiltBundle { bundle, .. } = built(&refs(true), &[("r.json", &table)]);
    expect![[r#"
        SQL Result Set (7 rows, 2 columns)
        Columns: n, text

        Sampling: Rows 3 to 3 of 7

        Row 3: {"n": 3, "text": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}"#]]
    .assert_eq(&bundle.items[1].content);
    let small = r#"{"columns":["n"],"rows":[[1]]}"#;
    check(
        &refs(true),
        &[("r.json", small)],
        &expect![[r#"sql:8e35c2cd3bf6:0 91  {"col_count":1,"lake_uri":"r.json","row_count":1}"#]],
    );
}

#[test]
fn what_cannot_be_used_is_a_problem_and_the_rest_is_built() {
    let uris = [
        ("list", "[]"),
        ("open", "{"),
        ("twice", r#"{"body":"a","body":"b"}"#),
        ("number", r#"{"body":7}"#),
        ("headers", r#"{"headers":[]}"#),
        ("rows", r#"{"columns":["a"],"rows":{}}"#),
        ("row", r#"{"columns":["a"],"rows":[[1],7]}"#),
        ("columns", r#"{"columns":[1],"rows":[]}"#),
        ("nameless", r#"{"rows":[[1]]}"#),
        ("large", r#"{"columns":["a"],"rows":[[1e400]]}"#),
        ("surplus", r#"{"columns":["a"],"rows":[[1],[1,2]]}"#),
        ("good", r#"{"columns":["a"],"rows":[[1]]}"#),
    ];
    let sql = ["rows", "row", "columns", "nameless", "large", "surplus", "good"];
    check(
        &json!({
            "evidence_refs": {
                "lake_text": ["none", "list"],
                "lake_http": ["list", "open", "twice", "number", "headers"],
                "sql_results": sql.map(|uri| json!({"lake_uri": uri})),
            },
        }),
        &uris,
        &expect![[r#"
            lake:a330395cc0a5:0 2
            sql:217a693498d6:0 91  {"col_count":1,"lake_uri":"good","row_count":1}
            problem evidence_refs.lake_text[0] none missing: expected an artifact in the lake, found none
            problem evidence_refs.lake_http[0] list malformed: expected an HTTP response, found an array
            problem evidence_refs.lake_http[1] open malformed: `$`: expected one JSON value, found the end of the text at line 1 column 1
            problem evidence_refs.lake_http[2] twice malformed: `body`: expected each key once, found it again
            problem evidence_refs.lake_http[3] number malformed: expected text in `body`, found a number
            problem evidence_refs.lake_http[4] headers malformed: expected an object in `headers`, found an array
            problem evidence_refs.sql_results[0] rows malformed: expected an array in `rows`, found an object
            problem evidence_refs.sql_results[1] row malformed: expected an array or object in `rows[1]`, found a number
            problem evidence_refs.sql_results[2] columns malformed: expected text in `columns[0]`, found a number
            problem evidence_refs.sql_results[3] nameless malformed: expected an SQL result with `columns`, found none
            problem evidence_refs.sql_results[4] large malformed: `$`: expected one JSON value, found a number larger than any double at line 1 column 31
            problem evidence_refs.sql_results[5] surplus malformed: expected at most 1 cells in `rows[1]`, found 2"#]],
    );
}

#[test]
fn what_the_lake_would_not_give_is_a_problem() {
    let request = r#"{"created_utc": "2026-01-03T14:30:00Z",
        "evidence_refs": {"lake_text": ["latin", "out", "locked"]}}"#;
    let mut artifacts = FetchedArtifacts::new();
    artifacts.insert("latin".parse().unwrap(), Ok(vec![b'a', 0xe9]));
    artifacts.insert("out".parse().unwrap(), Err(ArtifactReadError::OutsideLake));
    let locked = ArtifactReadError::Unreadable("permission denied".to_owned());
    artifacts.insert("locked".parse().unwrap(), Err(locked));
    let request = BundleRequest::parse(request.as_bytes()).unwrap();
    let bundle = build(request, &artifacts, None).unwrap().bundle;
    let lines: Vec<String> = bundle
        .problems
        .iter()
        .map(|problem| format!("{}: {}", problem.reason, problem.message))
        .collect();
    expect![[r#"
        not_utf8: expected UTF-8 text, found a byte that is not at offset 1
        outside_lake: expected an artifact inside the lake, found a link that leads out
        unreadable: expected a readable artifact, found permission denied"#]]
    .assert_eq(&lines.join("\n"));
    expect!["`evidence_refs.lake_text[1]`: expected an artifact inside the lake, found a link that leads out"]
        .assert_eq(&bundle.check_inside_lake().unwrap_err().to_string());
}

#[test]
fn masking_is_on_every_path() {
    let secret = "mail user@example.com";
    let inline = json!({
        "text": secret,
        "source_uri": "mailto:user@example.com",
        "metadata": {"by": [{"x": secret}]},
    });
    let request = json!({
        "job_input": {"extra_params": {"evidence": [inline]}},
        "evidence_refs": {
            "lake_text": ["n.md", {"lake_uri": "n.md", "chunk": true}],
            "lake_http": ["h.json", "twice.json"],
            "sql_results": [{"lake_uri": "r.json", "query_key": "q", "metadata": {"m": secret}}],
            "sql_queries": [{"query_key": "q", "query": secret, "description": secret}],
            "doc_chunks": [{
                "document_id": "d",
                "chunk_index": 0,
                "text": secret,
                "source_uri": "u://user@example.com",
            }],
            "transcript_chunks": [{"document_id": "t", "chunk_index": 0, "text": secret}],
        },
        "policy": {
            "enable_redaction": true,
            "redaction_rules": [{"name": "code", "pattern": "PRJ-[0-9]+", "replacement": "[CODE]"}],
        },
        "created_utc": "2026-01-03T14:30:00Z",
    });
    let text = format!("{secret} PRJ-12");
    let http = json!({"url": "https://e/?token=abcd1234", "body": secret, "status_code": secret});
    let http = http.to_string();
    // A key that occurs twice is quoted by the problem.
    let twice = r#"{"user@example.com": 1, "user@example.com": 2}"#;
    let table = json!({"columns": ["a"], "rows": [[secret]], "query": secret}).to_string();
    let lake = [
        ("n.md", text.as_str()),
        ("h.json", http.as_str()),
        ("twice.json", twice),
        ("r.json", table.as_str()),
    ];
    let request = BundleRequest::parse(request.to_string().as_bytes()).unwrap();
    let key = MaskKey::new(b"sixteen bytes or more").unwrap();
    let bundle = build(request, &artifacts(&lake), Some(&key)).unwrap().bundle;
    let json = serde_json::to_string(&bundle).unwrap();
    assert!(!["user@example.com", "abcd1234", "PRJ-12"].iter().any(|value| json.contains(value)));
    let line = |item: &super::BundleItem| {
        let masks = &item.head.metadata.redactions.as_ref().unwrap().redactions;
        let shown = masks.iter().map(|mask| {
            let field = mask.field.as_deref().unwrap_or("content");
            format!(" {field}:{}", mask.mask.rule)
        });
        format!("{}{}", item.head.evidence_id, shown.collect::<String>())
    };
    let lines: Vec<String> = bundle.items.iter().map(line).collect();
    expect![[r#"
        inline:0 content:email source_ref.source_uri:email metadata.by[0].x:email
        lake:802788559b7c:0 content:email content:code
        lake:802788559b7c:1 content:email content:code
        lake:1821788bf525:0 content:email content:secret_marker content:email source_ref.url:secret_marker metadata.http_meta.url:secret_marker metadata.http_meta.status_code:email
        sql:8e35c2cd3bf6:0 content:email source_ref.query:email metadata.m:email
        sqldef:8e35c2cd3bf6 content:email content:email source_ref.description:email
        doc:18ac3e7343f0:0 content:email source_ref.source_uri:email
        doc:e3b98a4da31a:0 content:email"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn equal_requests_have_equal_names_whenever_they_are_made() {
    let bundle = |time: &str, text: &str| {
        let request = json!({
            "job_input": {"extra_params": {"evidence": [{"text": text}]}},
            "created_utc": time,
        });
        let request = BundleRequest::parse(request.to_string().as_bytes()).unwrap();
        build(request, &FetchedArtifacts::new(), None).unwrap().bundle
    };
    let first = bundle("2026-01-03T14:30:00Z", "a");
    let later = bundle("2027-01-03T14:30:00Z", "a");
    let other = bundle("2026-01-03T14:30:00Z", "b");
    assert_eq!((first.bundle_id, first.bundle_sha256), (later.bundle_id, later.bundle_sha256));
    assert_ne!(first.bundle_id, other.bundle_id);
}
