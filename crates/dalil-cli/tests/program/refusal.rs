//! Bad input: each kind is refused with its path and reason, every fault in one reply.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::run::{dalil, root, unread};

/// Runs a command on bytes it must not accept; compares the exit code and every fault.
#[track_caller]
fn check(args: &[&str], input: &[u8], expected: &Expect) {
    let output = dalil(args, input);
    let mut said = format!("exit {}\n", output.exit);
    let reply: Value = serde_json::from_str(&output.stdout).unwrap();
    for fault in reply["refused"].as_array().unwrap() {
        said += &format!(
            "{} at {}: {}\n",
            text(fault, "rule"),
            text(fault, "path"),
            text(fault, "message")
        );
    }
    expected.assert_eq(&said);
}

fn text(fault: &Value, name: &str) -> String {
    fault[name].as_str().unwrap().to_owned()
}

/// The example's request for a pack, changed.
fn pack(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let path = root().join("examples/decision/pack.json");
    let mut request: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    change(&mut request);
    request.to_string().into_bytes()
}

const PACK: [&str; 3] = ["pack", "assemble", "-"];

#[test]
fn unknown_fields_and_wrong_types_are_all_named() {
    let request = json!({
        "session": {"id": "s", "query": 7, "mode": "answer", "user": "u"},
        "created_at": "yesterday",
        "claims": [{"claim_id": "c", "claim_text": "t", "claim_type": "opinion", "importance": "critical",
            "matches": [{"chunk_id": "k", "document": {"id": "d", "filename": "f", "page_number": "12"},
                "similarity": 1.5, "support": "full", "contradicts": "no", "snippet": "s"}]}],
    });
    check(
        &["ledger", "-"],
        request.to_string().as_bytes(),
        &expect![[r#"
            exit 1
            type at session.query: expected a string, found `7`
            unknown_field at session.user: expected only id, query, mode, found a field it does not know
            time at created_at: expected an RFC 3339 time such as `2026-01-03T14:30:00Z`, found `yesterday`
            choice at claims[0].claim_type: expected one of `fact`, `policy`, `numeric`, `definition`, found `opinion`
            type at claims[0].matches[0].document.page_number: expected a whole number from 1 to 9007199254740991, found the string `12`
            range at claims[0].matches[0].similarity: expected a number from 0 to 1, found `1.5`
            type at claims[0].matches[0].contradicts: expected `true` or `false`, found the string `no`
        "#]],
    );
}

#[test]
fn scores_outside_zero_to_one() {
    for (score, at) in [("-0.1", 0), ("1.5", 1)] {
        let decision = format!(
            r#"{{"approval_class":"A1","reversibility_class":"R1","sensitivity_class":"S1","confidence":{score}}}"#
        );
        let expected = [
            expect![[r#"
            exit 1
            range at confidence: expected a number from 0 to 1, found `-0.1`
        "#]],
            expect![[r#"
            exit 1
            range at confidence: expected a number from 0 to 1, found `1.5`
        "#]],
        ];
        check(&["policy", "-"], decision.as_bytes(), &expected[at]);
    }
}

#[test]
fn text_that_is_not_the_json_we_take() {
    check(
        &["policy", "-"],
        br#"{"confidence":NaN}"#,
        &expect![[r#"
            exit 1
            json at $: expected one JSON value, found something that JSON does not allow at line 1 column 15
        "#]],
    );
    check(
        &["policy", "-"],
        br#"{"approval_class":"A0","approval_class":"A3"}"#,
        &expect![[r#"
        exit 1
        duplicate_key at approval_class: expected each key once, found it again
    "#]],
    );
    check(
        &["policy", "-"],
        br#"{"trace_id":"\ud800"}"#,
        &expect![[r#"
        exit 1
        json at $: expected one JSON value, found half of a surrogate pair at line 1 column 20
    "#]],
    );
    check(
        &["policy", "-"],
        &vec![b'['; 100_000_000],
        &expect![[r#"
        exit 1
        json at $: expected one JSON value, found nesting deeper than 127 levels at line 1 column 128
    "#]],
    );
    check(
        &["policy", "-"],
        b"",
        &expect![[r#"
            exit 1
            json at $: expected one JSON value, found the end of the text at line 1 column 0
        "#]],
    );
}

#[test]
fn an_excerpt_of_five_thousand_characters() {
    let request =
        pack(|request| request["decision"]["evidence"][3]["excerpt"] = "x".repeat(5000).into());
    check(
        &PACK,
        &request,
        &expect![[r#"
        exit 1
        excerpt_length at decision.evidence[3].excerpt: expected at most 2000 characters, found 5000
    "#]],
    );
}

#[test]
fn a_memo_in_one_language() {
    let request = pack(|request| {
        for name in ["title_ar", "body_ar", "executive_summary_ar"] {
            request["memo"].as_object_mut().unwrap().remove(name);
        }
    });
    check(
        &PACK,
        &request,
        &expect![[r#"
        exit 1
        missing_field at memo.title_ar: expected a value, found nothing
        missing_field at memo.body_ar: expected a value, found nothing
        missing_field at memo.executive_summary_ar: expected a value, found nothing
    "#]],
    );
}

#[test]
fn a_contradiction_flag_that_lies() {
    let request = pack(|request| {
        request["tool_calls"][0]["contradiction_flag"] = true.into();
        request["tool_calls"][2]["contradiction_flag"] = false.into();
    });
    check(
        &PACK,
        &request,
        &expect![[r#"
        exit 1
        contradiction_flag at tool_calls[0].contradiction_flag: expected `false`: the actions agree, found `true`
        contradiction_flag at tool_calls[2].contradiction_flag: expected `true`: the actions differ at `state`, found `false`
    "#]],
    );
}

#[test]
fn personal_data_in_a_memo() {
    let request = pack(|request| {
        let body = request["memo"]["body_en"].as_str().unwrap();
        request["memo"]["body_en"] = format!("{body} Call +966 50 123 4567.").into();
    });
    check(
        &PACK,
        &request,
        &expect![[r#"
        exit 1
        personal_data at memo.body_en: expected no personal data or secrets, found `phone` at byte 1591
    "#]],
    );
}

#[test]
fn lake_paths_that_leave_the_lake() {
    let request = json!({
        "evidence_refs": {
            "lake_text": ["../secret.md", "/etc/passwd", "a/../../b", "fine.md"],
            "lake_http": ["..\\secret"],
            "sql_results": [{"lake_uri": "a/..", "query_key": "q"}],
        },
        "created_utc": "2026-01-03T14:30:00Z",
    });
    check(
        &["bundle", "-", "--lake", "examples/corpus"],
        request.to_string().as_bytes(),
        &expect![[r#"
            exit 1
            lake_uri at evidence_refs.lake_text[0]: expected a relative path inside the lake, such as `docs/policy.md`, found `../secret.md`
            lake_uri at evidence_refs.lake_text[1]: expected a relative path inside the lake, such as `docs/policy.md`, found `/etc/passwd`
            lake_uri at evidence_refs.lake_text[2]: expected a relative path inside the lake, such as `docs/policy.md`, found `a/../../b`
            lake_uri at evidence_refs.lake_http[0]: expected a relative path inside the lake, such as `docs/policy.md`, found `..\secret`
            lake_uri at evidence_refs.sql_results[0].lake_uri: expected a relative path inside the lake, such as `docs/policy.md`, found `a/..`
        "#]],
    );
}

#[test]
fn a_policy_with_every_fault() {
    let request = json!({
        "policy": {"max_items": 0, "max_total_bytes": 999, "max_item_bytes": 99, "max_sql_rows": 0,
            "max_sql_cols": 0, "chunk_size": 99, "chunk_overlap": -1, "sampling_strategy": "x", "other": 1},
        "created_utc": "2026-01-03T14:30:00Z",
    });
    check(
        &["bundle", "-"],
        request.to_string().as_bytes(),
        &expect![[r#"
        exit 1
        policy at policy.sampling_strategy: Invalid sampling_strategy: x
        unknown_field at policy.other: expected only max_items, max_total_bytes, max_item_bytes, max_sql_rows, max_sql_cols, chunk_size, chunk_overlap, sampling_strategy, enable_redaction, redaction_rules, version, found a field it does not know
        policy at policy.max_items: max_items must be at least 1
        policy at policy.max_total_bytes: max_total_bytes must be at least 1000 bytes
        policy at policy.max_item_bytes: max_item_bytes must be at least 100 bytes
        policy at policy.max_sql_rows: max_sql_rows must be at least 1
        policy at policy.max_sql_cols: max_sql_cols must be at least 1 if specified
        policy at policy.chunk_size: chunk_size must be at least 100 bytes
        policy at policy.chunk_overlap: chunk_overlap must be non-negative
    "#]],
    );
}

#[test]
fn a_record_whose_result_or_confidence_is_not_one() {
    let request = json!({
        "obligations": [
            {"obligation_id": "a", "doc_id": "d", "source_clause": "c", "extraction_model": "m"},
            {"obligation_id": "b", "doc_id": "d", "source_clause": "c", "extraction_model": "m"},
        ],
        "documents": {"d": {"doc_id": "d", "filename": "f"}},
        "verifications": {
            "a": {"verification_model": "v", "result": "MAYBE", "confidence": -0.1},
            "b": {"verification_model": "v", "verified": true, "confidence": null},
        },
    });
    check(
        &["record", "package", "-"],
        request.to_string().as_bytes(),
        &expect![[r#"
        exit 1
        choice at verifications.a.result: expected one of `CONFIRMED`, `DISPUTED`, `UNVERIFIED`, found `MAYBE`
        range at verifications.a.confidence: expected a number from 0 to 1, found `-0.1`
        type at verifications.b.confidence: expected a number from 0 to 1, found null
    "#]],
    );
}

#[test]
fn files_that_are_not_there_could_not_run() {
    for args in [
        ["ledger", "no-such-file.json"].as_slice(),
        &["bundle", "-", "--lake", "no-such-folder"],
        &["verify", "no-such-file"],
    ] {
        let output = dalil(args, br#"{"created_utc":"2026-01-03T14:30:00Z"}"#);
        assert_eq!((output.exit, output.stdout.as_str()), (2, ""), "{args:?}");
        assert!(output.stderr.contains("\nhint: "), "{args:?}: {}", output.stderr);
    }
}

#[test]
fn garbage_fails_verification_and_never_panics() {
    for garbage in [b"".as_slice(), b"\xff\xfe", b"{}", b"[]", &[0; 4096], &[b'['; 1 << 20]] {
        let output = dalil(&["verify", "-", "--json"], garbage);
        let report: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!((output.exit, report["verdict"].as_str()), (1, Some("fail")), "{garbage:?}");
    }
}

#[test]
fn the_beginning_of_a_file_that_holds_a_pack_fails() {
    for (file, part) in [(b"%PDF-1.7".as_slice(), "attachments"), (b"PK\x03\x04", "archive")] {
        let output = dalil(&["verify", "-", "--json"], file);
        let report: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!((output.exit, report["verdict"].as_str()), (1, Some("fail")), "{part}");
        assert_eq!(text(&report["findings"][0], "part"), part, "{report}");
    }
}

/// Exit 0 means that it holds; a closed pipe must not turn a failure into it.
#[test]
fn a_reply_that_nobody_reads_is_no_yes() {
    assert_eq!(unread(&["verify", "-"], b"forged"), 2);
    assert_eq!(unread(&["policy", "-"], b"[]"), 2);
}

#[test]
fn a_path_cannot_steer_the_terminal() {
    let output = dalil(&["verify", "no\u{1b}[31m\u{202e}file"], b"");
    assert_eq!(output.exit, 2);
    assert!(output.stderr.contains("`no\\u{1b}[31m\\u{202e}file`"), "{}", output.stderr);
}
