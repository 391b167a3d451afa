//! Examples of bodies and replies, as a running server took and gave them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{OpenApi, RefOr};

/// An example request of one operation, and its replies.
#[derive(Deserialize)]
struct OperationExample {
    request: Option<Value>,
    /// By status.
    #[serde(default)]
    replies: BTreeMap<String, Value>,
}

/// Adds to each operation its example.
pub(crate) fn add(document: &mut OpenApi) {
    // The tests hold the file against the document, so a fault in it does not get this far.
    let Ok(mut examples) = serde_json::from_str::<BTreeMap<String, OperationExample>>(EXAMPLES)
    else {
        return;
    };
    for item in document.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            let id = operation.operation_id.as_ref();
            if let Some(example) = id.and_then(|id| examples.remove(id)) {
                add_to(operation, example);
            }
        }
    }
}

fn add_to(operation: &mut Operation, mut example: OperationExample) {
    if let Some(RefOr::T(body)) = operation.request_body.as_mut() {
        // An operation that takes a file takes any, and has no example.
        let read = ["application/json", "application/x-ndjson"];
        for (kind, content) in &mut body.content {
            if let (true, RefOr::T(content)) = (read.contains(&kind.as_str()), content) {
                content.example = example.request.take();
            }
        }
    }
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && let Some(RefOr::T(content)) = response.content.values_mut().next()
        {
            content.example = example.replies.remove(status);
        }
    }
}

/// Written by the test that calls every operation, with `DALIL_BLESS=1`.
const EXAMPLES: &str = include_str!("examples.json");
