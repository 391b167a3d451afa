//! The shapes of others, field by field.

use dalil_proof::json::Json;
use expect_test::{Expect, expect};
use serde_json::Value;

use super::{anthropic, openai, parts};
use crate::citation_source::event::SourcesEvent;
use crate::citation_source::request::SourcesRequest;

const REQUEST: &str = r#"{
    "candidates": [
        {"item_id":"w","score":4,"source_ref":"https://example.com/leave","title":"Leave","summary":"On the web."},
        {"item_id":"d","score":3,"source_ref":"policies/HR Policy.PDF","summary":"A file."},
        {"item_id":"p","score":2,"title":"Handbook","summary":"A page.","metadata":{"page_number":12,"media_type":"application/x-book"}},
        {"item_id":"n","score":1}],
    "evidence_chunks": [{"item_id":"d","text":"15 days of leave","start_idx":40}],
    "answer": "إجازة [cite:ef960e1d] and [cite:00000000]."
}"#;

#[track_caller]
fn check(convert: impl FnOnce(&SourcesRequest<'_>, &SourcesEvent<'_>) -> Value, expected: &Expect) {
    let json = Json::parse(REQUEST.as_bytes()).unwrap();
    let request = SourcesRequest::read(&json).unwrap();
    let converted = convert(&request, &SourcesEvent::of(&request));
    let lines: Vec<String> =
        converted.as_array().unwrap().iter().map(ToString::to_string).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn ai_sdk_parts() {
    check(
        |_, event| serde_json::to_value(parts(event)).unwrap(),
        &expect![[r#"
        {"sourceId":"w","title":"Leave","type":"source-url","url":"https://example.com/leave"}
        {"filename":"HR Policy.PDF","mediaType":"application/pdf","sourceId":"d","title":"d","type":"source-document"}
        {"mediaType":"application/x-book","sourceId":"p","title":"Handbook","type":"source-document"}
        {"mediaType":"application/octet-stream","sourceId":"n","title":"n","type":"source-document"}"#]],
    );
}

#[test]
fn anthropic_citations() {
    check(
        |_, event| serde_json::to_value(anthropic(event)).unwrap(),
        &expect![[r#"
        {"cited_text":"On the web.","end_block_index":1,"search_result_index":0,"source":"https://example.com/leave","start_block_index":0,"title":"Leave","type":"search_result_location"}
        {"cited_text":"15 days of leave","document_index":1,"document_title":null,"end_char_index":56,"start_char_index":40,"type":"char_location"}
        {"cited_text":"A page.","document_index":2,"document_title":"Handbook","end_page_number":13,"start_page_number":12,"type":"page_location"}"#]],
    );
}

#[test]
fn openai_annotations_stand_where_the_answer_cites() {
    check(
        |request, event| serde_json::to_value(openai(request, event)).unwrap(),
        &expect![[
            r#"{"file_id":"d","filename":"HR Policy.PDF","index":6,"type":"file_citation"}"#
        ]],
    );
}

#[test]
fn openai_annotations_without_an_answer_stand_nowhere() {
    let alone = |request: &SourcesRequest<'_>, event: &SourcesEvent<'_>| {
        let request = SourcesRequest { answer: None, ..request.clone() };
        serde_json::to_value(openai(&request, event)).unwrap()
    };
    check(
        alone,
        &expect![[r#"
        {"end_index":0,"start_index":0,"title":"Leave","type":"url_citation","url":"https://example.com/leave"}
        {"file_id":"d","filename":"HR Policy.PDF","index":0,"type":"file_citation"}
        {"file_id":"p","filename":"Handbook","index":0,"type":"file_citation"}
        {"file_id":"n","filename":"n","index":0,"type":"file_citation"}"#]],
    );
}
