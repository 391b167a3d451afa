//! The contract of bundles and masking.

use dalil_evidence::bundle::{self, BundleRequest, FetchedArtifacts, build};
use dalil_evidence::mask;
use serde_json::{Value, json};

/// Every entry is replayed with the same outcome, or a ruling covers it.
#[test]
fn every_entry_is_the_same_or_ruled_on() {
    for entry in entries() {
        if ruling(&entry).is_none() {
            assert_eq!(replay(&entry), entry["observed"], "{entry}");
        }
    }
}

/// Every entry that was recorded as a fault has a ruling.
#[test]
fn every_deviation_is_ruled_on() {
    for entry in entries() {
        if entry.get("deviate").is_some() {
            assert!(ruling(&entry).is_some(), "{entry}");
        }
    }
}

/// Ruling: sampling keeps original row numbers, `first_last` takes ⌈N/2⌉ and
/// ⌊N/2⌋ rows, never more than N and never fewer. The first implementation lost a row when N
/// is odd, gave all rows when N is 1, and numbered rows by their place in the sample.
#[test]
fn first_last_keeps_n_rows_and_their_own_numbers() {
    let expected = [
        (4, "First 2 and last 2 rows of 10", vec![0, 1, 8, 9]),
        (5, "First 3 and last 2 rows of 10", vec![0, 1, 2, 8, 9]),
        (1, "First 1 and last 0 rows of 10", vec![0]),
    ];
    check_sampling(Ruling::FirstLast, &expected);
}

/// Ruling: `stride` spreads N rows evenly from first to last, with their own
/// numbers. The first implementation took every ⌊T/N⌋th row, so the end was never seen.
#[test]
fn stride_reaches_the_last_row() {
    let expected = [
        (4, "4 rows spread evenly over 10", vec![0, 3, 6, 9]),
        (5, "5 rows spread evenly over 10", vec![0, 2, 4, 6, 9]),
        (1, "1 rows spread evenly over 10", vec![0]),
    ];
    check_sampling(Ruling::Stride, &expected);
}

/// Ruling: there are three strategies and a bad policy is refused, so a fourth never
/// reaches sampling. The first implementation fell back to the first rows.
#[test]
fn an_unknown_strategy_is_refused() {
    for entry in ruled(Ruling::UnknownStrategy) {
        let policy = json!({"sampling_strategy": entry["input"]["strategy"]});
        assert_eq!(policy_faults(&policy), json!(["Invalid sampling_strategy: unknown"]));
    }
}

/// Ruling: the longest prefix of whole characters. The first implementation dropped up to
/// three bytes more than needed when the limit fell inside a character.
#[test]
fn an_item_keeps_every_character_that_fits() {
    let kept: Vec<Value> =
        ruled(Ruling::WholeCharacters).iter().map(|entry| replay(entry)["bytes"].clone()).collect();
    assert_eq!(kept, [100, 99, 100]);
}

/// Ruling: columns are at least 1. The first implementation took 0 for no limit; `null` means that.
#[test]
fn no_columns_at_all_is_refused() {
    for entry in ruled(Ruling::NoColumns) {
        let message = "max_sql_cols must be at least 1 if specified";
        assert_eq!(policy_faults(&entry["input"]), json!([message]));
    }
}

/// Ruling: a payment card passes Luhn's check. These sixteen digits do not;
/// the first implementation masked any sixteen.
#[test]
fn digits_that_fail_luhn_are_not_a_card() {
    for entry in ruled(Ruling::NotACard) {
        assert_eq!(replay(&entry), json!({"text": entry["input"], "records": []}));
    }
}

/// Ruling: US forms of telephone numbers, which the first implementation missed with
/// brackets or spaces.
#[test]
fn telephone_numbers_with_brackets_or_spaces_are_masked() {
    for entry in ruled(Ruling::MissedPhone) {
        assert_eq!(replay(&entry)["text"], "[PHONE_REDACTED]", "{entry}");
    }
}

/// Ruling: patterns with validation, not guesses. An area code does not begin
/// with 1, so a time in seconds is not a telephone number.
#[test]
fn a_time_in_seconds_is_not_a_telephone_number() {
    for entry in ruled(Ruling::Timestamp) {
        assert_eq!(replay(&entry), json!({"text": entry["input"], "records": []}));
    }
}

/// Ruling: secrets are masked whole; the first implementation stopped at the first dash.
#[test]
fn a_secret_is_masked_to_its_end() {
    for entry in ruled(Ruling::SecretTail) {
        assert_eq!(replay(&entry)["text"], "[SECRET_REDACTED]");
    }
}

/// Ruling: there are seven kinds of evidence, a closed set: no request can ask for
/// another, so its id cannot be made. The first implementation had a fallback for any word.
#[test]
fn there_is_no_eighth_kind_of_evidence() {
    for entry in ruled(Ruling::OtherKind) {
        let request = json!({
            "evidence_refs": {entry["input"][0].as_str().unwrap(): ["x"]},
            "created_utc": "2024-01-15T10:30:00Z",
        });
        let refused = BundleRequest::parse(request.to_string().as_bytes()).unwrap_err();
        assert_eq!(refused.refused[0].rule, "unknown_field");
    }
}

/// Ruling: an unreadable reference becomes a problem, and a shortened item
/// names the digest of the whole. The first implementation logged the one and had not the other.
#[test]
fn a_missing_reference_leaves_a_trace_and_the_rest_is_the_same() {
    for entry in ruled(Ruling::WholeBundle) {
        let refs = &entry["input"];
        let evidence =
            json!([{"text": "T", "source_uri": "s", "metadata": {"k": 1}}, {"text": "U"}]);
        let text = "N".repeat(12_000);
        let http = json!({"url": "https://e/", "status_code": 200, "reason": "OK", "body": "B"});
        let sql =
            json!({"columns": ["a", "b"], "rows": [[1, "x"], [2, "y"]], "query": "SELECT a,b"});
        let lake =
            [("n.md", text.clone()), ("h.json", http.to_string()), ("r.json", sql.to_string())];
        let mut bundle = built(refs, &evidence, &json!({}), &lake);
        let problem = json!([{
            "path": "evidence_refs.lake_text[1]",
            "lake_uri": "missing.md",
            "reason": "missing",
            "message": "expected an artifact in the lake, found none",
        }]);
        assert_eq!(bundle["problems"], problem);
        let mut observed = entry["observed"].clone();
        // The record abridges the content; its digest is the first implementation's.
        observed["items"][2]["content"] = json!("N".repeat(10_000));
        let whole = dalil_proof::digest::Digest::of(text.as_bytes()).to_string();
        observed["items"][2]["full_ref"]["full_sha256"] = json!(whole);
        let fields = bundle.as_object_mut().unwrap();
        for new in ["bundle_id", "bundle_sha256", "created_utc", "cuts", "problems"] {
            fields.remove(new).unwrap();
        }
        // Anchors came later, too: they follow from the contents.
        for item in fields["items"].as_array_mut().unwrap() {
            item.as_object_mut().unwrap().remove("anchor").unwrap();
        }
        assert_eq!(bundle, observed);
    }
}

/// Why an entry is not repeated as it was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ruling {
    FirstLast,
    Stride,
    UnknownStrategy,
    WholeCharacters,
    NoColumns,
    NotACard,
    MissedPhone,
    Timestamp,
    SecretTail,
    OtherKind,
    WholeBundle,
}

fn ruling(entry: &Value) -> Option<Ruling> {
    let input = &entry["input"];
    let sampled = input["max_rows"].as_u64().is_some_and(|rows| rows < 10);
    match (entry["name"].as_str().unwrap(), input["strategy"].as_str(), input) {
        ("sql_text", Some("first_last"), _) if sampled => Some(Ruling::FirstLast),
        ("sql_text", Some("stride"), _) if sampled => Some(Ruling::Stride),
        ("sql_text", Some("unknown"), _) => Some(Ruling::UnknownStrategy),
        ("item_bounding", ..) if !input["char"].as_str().unwrap().is_ascii() => {
            Some(Ruling::WholeCharacters)
        }
        ("validate_policy", _, input) if input["max_sql_cols"] == 0 => Some(Ruling::NoColumns),
        ("evidence_id", _, input) if input[0] == "other_type" => Some(Ruling::OtherKind),
        ("redact", _, Value::String(text)) => match text.as_str() {
            "1234-5678-9012-3456" | "1234 5678 9012 3456" | "1234567890123456" => {
                Some(Ruling::NotACard)
            }
            "(555) 123-4567" | "555 123 4567" => Some(Ruling::MissedPhone),
            "ts 1700000000" => Some(Ruling::Timestamp),
            "token=abcdefgh-rest" => Some(Ruling::SecretTail),
            _ => None,
        },
        (name, ..) if name.starts_with("whole bundle") => Some(Ruling::WholeBundle),
        _ => None,
    }
}

fn ruled(wanted: Ruling) -> Vec<Value> {
    let found: Vec<Value> =
        entries().into_iter().filter(|entry| ruling(entry) == Some(wanted)).collect();
    assert!(!found.is_empty(), "{wanted:?}");
    found
}

#[track_caller]
fn check_sampling(ruling: Ruling, expected: &[(u64, &str, Vec<u64>)]) {
    let entries = ruled(ruling);
    assert_eq!(entries.len(), expected.len());
    for (entry, (max_rows, note, rows)) in entries.iter().zip(expected) {
        assert_eq!(entry["input"]["max_rows"], *max_rows);
        let lines: Vec<String> =
            rows.iter().map(|n| format!("Row {n}: {{\"id\": {n}, \"name\": \"n{n}\"}}")).collect();
        let head = "SQL Result Set (10 rows, 2 columns)\nColumns: id, name";
        let mut expected = entry["observed"].clone();
        expected["text"] = json!(format!("{head}\n\nSampling: {note}\n\n{}", lines.join("\n")));
        expected["meta"]["sampled_rows"] = json!(rows.len());
        expected["meta"]["sampling_note"] = json!(note);
        assert_eq!(replay(entry), expected);
    }
}

/// The result of this library for the input of an entry.
fn replay(entry: &Value) -> Value {
    let (name, input) = (entry["name"].as_str().unwrap(), &entry["input"]);
    match name {
        "evidence_id" => evidence_id(input),
        "content_sha256" => {
            let item = first_item(&json!({}), &json!([{"text": input}]), &json!({}), &[]);
            item["content_sha256"].clone()
        }
        "sql_text" => {
            let rows: Vec<Value> =
                (0..input["rows"].as_u64().unwrap()).map(|n| json!([n, format!("n{n}")])).collect();
            let policy =
                json!({"max_sql_rows": input["max_rows"], "sampling_strategy": input["strategy"]});
            sql_text(&input["columns"], &json!(rows), &policy)
        }
        "sql_text dict rows, 2 of 3 columns" => {
            sql_text(&input["columns"], &input["rows"], &json!({"max_sql_cols": input["max_cols"]}))
        }
        "sql_text empty" => sql_text(&json!(["a"]), input, &json!({})),
        "sql_text short row" => {
            json!({"text": sql_text(&json!(["a", "b"]), input, &json!({}))["text"]})
        }
        "http_text" | "http_text empty artifact" => {
            let lake = [("h.json", input.to_string())];
            let item = first_item(&json!({"lake_http": ["h.json"]}), &json!([]), &json!({}), &lake);
            json!({"text": item["content"], "meta": item["metadata"]["http_meta"]})
        }
        "item_bounding" => {
            let text = input["char"].as_str().unwrap().repeat(number(&input["n"]));
            let (content, meta) = bundle::bound::item(&text, number(&input["max_bytes"]));
            json!({"bytes": content.len(), "meta": meta})
        }
        "bundle_bounding" => bundle_bounding(input),
        "validate_policy" => policy_faults(input),
        "redact" => {
            let masked = mask::apply(input.as_str().unwrap(), &[], None);
            json!({"text": masked.text, "records": masked.masks})
        }
        other => panic!("no replay for {other}"),
    }
}

fn evidence_id(input: &Value) -> Value {
    let (kind, id) = (input[0].as_str().unwrap(), input[1].as_str().unwrap());
    let chunk = || json!([{"document_id": id, "chunk_index": input[2], "text": "x"}]);
    let table = json!({"columns": ["a"], "rows": [[1]]}).to_string();
    let (refs, text) = match kind {
        "inline_text" => {
            let count = number(&input[2]);
            let evidence = vec![json!({"text": "x"}); count + 1];
            let bundle = built(&json!({}), &json!(evidence), &json!({}), &[]);
            return bundle["items"][count]["evidence_id"].clone();
        }
        "lake_text" => (json!({"lake_text": [id]}), "x".to_owned()),
        "lake_http" => (json!({"lake_http": [id]}), "{}".to_owned()),
        "sql_result" => (json!({"sql_results": [{"lake_uri": id, "query_key": id}]}), table),
        "sql_query_def" => {
            (json!({"sql_queries": [{"query_key": id, "query": "x"}]}), String::new())
        }
        "doc_chunk" => (json!({"doc_chunks": chunk()}), String::new()),
        "transcript_chunk" => (json!({"transcript_chunks": chunk()}), String::new()),
        other => panic!("no such kind: {other}"),
    };
    first_item(&refs, &json!([]), &json!({}), &[(id, text)])["evidence_id"].clone()
}

fn sql_text(columns: &Value, rows: &Value, policy: &Value) -> Value {
    let table = json!({"columns": columns, "rows": rows}).to_string();
    let refs = json!({"sql_results": [{"lake_uri": "r.json", "query_key": "q"}]});
    let item = first_item(&refs, &json!([]), policy, &[("r.json", table)]);
    json!({"text": item["content"], "meta": item["metadata"]["sql_meta"]})
}

fn bundle_bounding(input: &Value) -> Value {
    let sizes: Vec<usize> = input["sizes"].as_array().unwrap().iter().map(number).collect();
    let (max_items, max_total) = (number(&input["max_items"]), number(&input["max_total_bytes"]));
    let (fates, meta) = bundle::bound::choose(&sizes, max_items, max_total);
    let kept = fates.iter().enumerate().filter(|(_, fate)| fate.is_ok());
    json!({"kept": kept.map(|(n, _)| format!("i{n}")).collect::<Vec<_>>(), "meta": meta})
}

fn policy_faults(policy: &Value) -> Value {
    let request = json!({"policy": policy, "created_utc": "2024-01-15T10:30:00Z"});
    match BundleRequest::parse(request.to_string().as_bytes()) {
        Ok(_) => json!([]),
        Err(refused) => {
            json!(refused.refused.iter().map(|fault| fault.message.english()).collect::<Vec<_>>())
        }
    }
}

fn first_item(refs: &Value, evidence: &Value, policy: &Value, lake: &[(&str, String)]) -> Value {
    built(refs, evidence, policy, lake)["items"][0].clone()
}

fn built(refs: &Value, evidence: &Value, policy: &Value, lake: &[(&str, String)]) -> Value {
    let request = json!({
        "job_input": {"extra_params": {"evidence": evidence}},
        "evidence_refs": refs,
        "policy": policy,
        "created_utc": "2024-01-15T10:30:00Z",
    });
    let request = BundleRequest::parse(request.to_string().as_bytes()).unwrap();
    let artifacts: FetchedArtifacts = lake
        .iter()
        .map(|(uri, text)| (uri.parse().unwrap(), Ok(text.clone().into_bytes())))
        .collect();
    let built = build(request, &artifacts, None).unwrap();
    serde_json::to_value(&built.bundle).unwrap()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn entries() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/contracts.json");
    let mut file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    match file["bundles"].take() {
        Value::Array(entries) => entries,
        other => panic!("expected entries, found {other}"),
    }
}
