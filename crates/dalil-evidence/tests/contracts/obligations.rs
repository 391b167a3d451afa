//! The contract of obligation records: same records for plain cases, a ruling for the others.

use dalil_evidence::obligation::package::package;
use dalil_evidence::obligation::status::change;
use dalil_evidence::obligation::validate::validate;
use dalil_proof::fault::Refused;
use dalil_proof::json::Json;
use serde::Serialize;
use serde_json::{Value, json};

use crate::suite::{cases, floats};

/// Plain cases that are ruled otherwise; each has a test of its own below.
const RULED: [&str; 3] = [
    "create:explicit invalid falls to flag",
    "create:explicit lower-case ignored",
    "against obligations",
];
/// Cases that the file itself marks as faults of the first implementation.
const DEVIATE: [&str; 1] = ["chain with a status change"];

#[test]
fn every_case_is_replayed_or_ruled() {
    for case in cases("obligations") {
        let name = case["name"].as_str().unwrap();
        assert_eq!(case.get("deviate").is_some(), DEVIATE.contains(&name), "{name}");
        if !RULED.contains(&name) && !DEVIATE.contains(&name) {
            replay(name, &case["input"], &case["observed"]);
        }
    }
}

fn replay(name: &str, input: &Value, observed: &Value) {
    match name.split_once(':').map_or(name, |(area, _)| area) {
        "create" => assert_eq!(created(input).unwrap(), floats(observed), "{name}"),
        "confidence" => assert_eq!(confidence(input.as_str().unwrap()), floats(observed), "{name}"),
        "validate gap" => assert_eq!(gaps(input), *observed, "{name}"),
        "status change" | "status change, no doc" => {
            assert_eq!(status(input), floats(observed), "{name}");
        }
        // The input is not recorded; it follows from the name and the two counts.
        "skip" => assert_eq!(skips(), *observed, "{name}"),
        "empty chain" => assert_eq!(validated(&json!({"records": input})), *observed, "{name}"),
        other => panic!("a case without a test: {other}"),
    }
}

/// Ruling: a `result` that is not one of the three is refused, naming it. To fall through to
/// the flag would turn a verifier's `MAYBE` into `CONFIRMED`.
#[test]
fn a_result_that_is_none_of_the_three_is_refused() {
    let refused = created(&case("create:explicit invalid falls to flag")["input"]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`verifications.ob-001.result`: expected one of `CONFIRMED`, `DISPUTED`, `UNVERIFIED`, \
         found `MAYBE`"
    );
}

/// Ruling, as above: a verifier that writes `confirmed` meant something, and dropping it would
/// record the obligation as never verified.
#[test]
fn a_result_in_lower_case_is_refused() {
    let refused = created(&case("create:explicit lower-case ignored")["input"]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`verifications.ob-001.result`: expected one of `CONFIRMED`, `DISPUTED`, `UNVERIFIED`, \
         found `confirmed`"
    );
}

/// Ruling: `missing_evidence` has no repeats, however often an id is expected.
#[test]
fn a_missing_obligation_is_named_once() {
    let case = case("against obligations");
    let mut request = json!({"records": [record(&case["input"]["have"][0])]});
    request["expected_obligation_ids"] = case["input"]["expected"].clone();
    let expected = json!({"valid": false, "missing_evidence": ["ob-002"], "gaps": []});
    assert_eq!(validated(&request), expected);
}

/// Ruling: status changes validate as sound; their one history entry has keys of its own.
#[test]
fn a_chain_with_a_status_change_is_valid() {
    let change = status(&case("status change")["input"]);
    let request = json!({"records": [record(&json!("ob-001")), change]});
    let expected = json!({"valid": true, "missing_evidence": [], "gaps": []});
    assert_eq!(validated(&request), expected);
}

fn case(name: &str) -> Value {
    cases("obligations").into_iter().find(|case| case["name"] == name).unwrap()
}

/// The one record that packaging gives for a case.
fn created(input: &Value) -> Result<Value, Refused> {
    let id = input["obligation"]["obligation_id"].as_str().unwrap();
    let doc = input["document"]["doc_id"].as_str().unwrap();
    let request = json!({
        "obligations": [input["obligation"]],
        "documents": {doc: input["document"]},
        "verifications": {id: input["verification"]},
    });
    let package = packaged(&request.to_string())?;
    assert_eq!(package["skipped"], json!([]));
    Ok(floats(&package["records"][0]))
}

/// The confidence that a record gets, given as Python writes it; refusals are in pydantic's words.
fn confidence(python: &str) -> Value {
    let written = match python {
        "nan" => "NaN".to_owned(),
        "None" => "null".to_owned(),
        text => text.replace('\'', "\""),
    };
    let request = json!({
        "obligations": [{"obligation_id": "ob-001", "doc_id": "d", "source_clause": "c",
            "extraction_model": "x"}],
        "documents": {"d": {"doc_id": "d", "filename": "a.pdf"}},
        "verifications": {"ob-001": {"verification_model": "v", "confidence": "HERE"}},
    });
    let request = request.to_string().replace("\"HERE\"", &written);
    packaged(&request).map_or_else(
        |_| json!("ValidationError"),
        |package| floats(&package["records"][0]["confidence"]),
    )
}

fn skips() -> Value {
    let obligation = json!({"obligation_id": "ob-001", "doc_id": "doc-aaa", "source_clause": "c",
        "extraction_model": "x"});
    let verification = json!({"verification_model": "v", "verified": true});
    let document = json!({"doc_id": "doc-aaa", "filename": "a.pdf"});
    let unknown = json!({"obligations": [obligation], "documents": {},
        "verifications": {"ob-001": verification}});
    let unverified = json!({"obligations": [obligation], "documents": {"doc-aaa": document},
        "verifications": {}});
    let count = |request: Value, reason: &str| {
        let package = packaged(&request.to_string()).unwrap();
        let skipped = json!([{"obligation_id": "ob-001", "reason": reason}]);
        assert_eq!(package["skipped"], skipped);
        package["records"].as_array().unwrap().len()
    };
    json!([count(unknown, "missing document doc-aaa"), count(unverified, "missing verification")])
}

/// The gap of a history, taken apart as the case does.
fn gaps(history: &Value) -> Value {
    let mut record = record(&json!("ob-001"));
    record["amendment_history"] = history.clone();
    let validation = validated(&json!({"records": [record]}));
    let gaps = validation["gaps"].as_array().unwrap();
    let (prefix, keys) = gaps[0].as_str().unwrap().split_once("missing keys ").unwrap();
    json!({
        "valid": validation["valid"],
        "n_gaps": gaps.len(),
        "gap_prefix": format!("{prefix}missing keys "),
        "missing_keys": keys.split(", ").collect::<Vec<_>>(),
    })
}

fn status(input: &Value) -> Value {
    let request = json!({
        "obligation_id": input[0],
        "old_status": input[1],
        "new_status": input[2],
        "reason": input[3],
        "changed_by_doc_id": input[4],
    })
    .to_string();
    let json = Json::parse(request.as_bytes()).unwrap();
    floats(&value(&change(&json).unwrap()))
}

fn record(id: &Value) -> Value {
    json!({"obligation_id": id, "doc_id": "doc-aaa", "doc_filename": "a.pdf", "page_number": null,
        "section_reference": null, "source_clause": "c", "extraction_model": "x",
        "verification_model": "v", "verification_result": "CONFIRMED", "confidence": 0.9,
        "amendment_history": null})
}

fn packaged(request: &str) -> Result<Value, Refused> {
    let json = Json::parse(request.as_bytes())?;
    package(&json).map(|package| value(&package))
}

fn validated(request: &Value) -> Value {
    let request = request.to_string();
    let json = Json::parse(request.as_bytes()).unwrap();
    value(&validate(&json).unwrap())
}

fn value(reply: &impl Serialize) -> Value {
    serde_json::to_value(reply).unwrap()
}
