//! The contract of sources: same items for plain cases, a ruling for the others.

use dalil_evidence::citation_source::event::SourcesEvent;
use dalil_evidence::citation_source::request::SourcesRequest;
use dalil_proof::canon;
use dalil_proof::json::Json;
use serde_json::{Value, json};

use crate::suite::{cases, floats};

/// Cases that are ruled otherwise; each has a test of its own below.
const RULED: [&str; 2] = ["tie keeps input order", "empty chunk text"];

#[test]
fn plain_cases_give_the_sources_of_the_contract() {
    for case in cases("sources") {
        let name = case["name"].as_str().unwrap();
        assert_eq!(case.get("deviate").is_some(), RULED.contains(&name), "{name}");
        if !RULED.contains(&name) {
            assert_eq!(sources(&case["input"]), floats(&case["observed"]), "{name}");
        }
    }
}

/// Ruling: ties break on retrieval rank, then on `item_id`, so that the order in which
/// candidates arrive does not matter.
#[test]
fn ties_break_on_id_and_not_on_input_order() {
    let shown = sources(&case("tie keeps input order")["input"]);
    assert_eq!([&shown[0]["source_id"], &shown[1]["source_id"]], ["a", "b"]);
}

/// Ruling: the snippet is the best *non-empty* chunk, else the summary; an empty snippet beside an
/// answer has no information.
#[test]
fn an_empty_chunk_falls_through_to_the_document() {
    let shown = sources(&case("empty chunk text")["input"]);
    assert_eq!((&shown[0]["snippet"], &shown[0]["snippet_from"]), (&json!("S"), &json!("doc")));
}

fn case(name: &str) -> Value {
    cases("sources").into_iter().find(|case| case["name"] == name).unwrap()
}

fn sources(input: &Value) -> Value {
    let request = json!({
        "candidates": input["candidates"],
        "evidence_chunks": input["chunks"],
        "options": input["options"],
    })
    .to_string();
    let json = Json::parse(request.as_bytes()).unwrap();
    let event = SourcesEvent::of(&SourcesRequest::read(&json).unwrap());
    let reply: Value = serde_json::from_slice(&canon::bytes(&event).unwrap()).unwrap();
    assert_eq!(reply["type"], "rag.sources");
    floats(&reply["payload"]["sources"])
}
