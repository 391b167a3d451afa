//! Tools: operations of the API that agents call, with the schemas of its document.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dalil_phrasebook::{Language, Phrase, expected, mcp};
use dalil_proof::canon;
use dalil_proof::fault::{Fault, Refused};
use dalil_proof::json::Json;
use serde_json::{Map, Value, json};

use super::door::ApiCall;

/// A tool, and the operation that it is.
pub(super) struct ApiTool {
    pub(super) name: &'static str,
    title: fn() -> Phrase,
    description: fn() -> Phrase,
    /// The path of the operation, which is a `POST`.
    path: &'static str,
    query: &'static str,
    input: ToolInput,
    effect: ToolEffect,
}

/// How arguments become a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToolInput {
    /// They are the body.
    Body,
    /// One of them is a file.
    File,
}

/// The effect of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToolEffect {
    /// Nothing.
    Reads,
    /// A record, which nothing takes back.
    Records,
}

/// Every tool, in the order in which an agent needs them.
pub(super) const TOOLS: [ApiTool; 6] = [
    ApiTool {
        name: "build_bundle",
        title: mcp::build_bundle_title,
        description: mcp::build_bundle,
        path: "/api/v1/bundles",
        query: "",
        input: ToolInput::Body,
        effect: ToolEffect::Records,
    },
    ApiTool {
        name: "find_sources",
        title: mcp::find_sources_title,
        description: mcp::find_sources,
        path: "/api/v1/sources",
        query: "",
        input: ToolInput::Body,
        effect: ToolEffect::Reads,
    },
    ApiTool {
        name: "check_answer",
        title: mcp::check_answer_title,
        description: mcp::check_answer,
        path: "/api/v1/check",
        // The operation itself waits no longer than a request may take.
        query: "?wait=600",
        input: ToolInput::Body,
        effect: ToolEffect::Records,
    },
    ApiTool {
        name: "record_decision",
        title: mcp::record_decision_title,
        description: mcp::record_decision,
        path: "/api/v1/decisions",
        query: "",
        input: ToolInput::Body,
        effect: ToolEffect::Records,
    },
    ApiTool {
        name: "record_tool_call",
        title: mcp::record_tool_call_title,
        description: mcp::record_tool_call,
        path: "/api/v1/tool-calls",
        query: "",
        input: ToolInput::Body,
        effect: ToolEffect::Records,
    },
    ApiTool {
        name: "verify_evidence",
        title: mcp::verify_evidence_title,
        description: mcp::verify_evidence,
        path: "/api/v1/verify",
        query: "",
        input: ToolInput::File,
        effect: ToolEffect::Reads,
    },
];

impl ApiTool {
    /// The tool of a name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// The tool as a client lists it.
    pub(super) fn listed(&self, document: &Value, language: Language) -> Value {
        let title = (self.title)();
        json!({
            "name": self.name,
            "title": title.text(language),
            "description": (self.description)().text(language),
            "inputSchema": self.schema(document),
            "annotations": {
                "readOnlyHint": self.effect == ToolEffect::Reads,
                "destructiveHint": false,
                "openWorldHint": false,
            },
        })
    }

    fn schema(&self, document: &Value) -> Value {
        if self.input == ToolInput::File {
            return json!({
                "type": "object",
                "properties": {
                    "evidence": {"type": ["object", "string"],
                        "description": "A pack, a ledger, a receipt or a statement as JSON, or the text of a checkpoint or a trail export."},
                    "base64": {"type": "string", "contentEncoding": "base64",
                        "description": "In place of it, the bytes of a PDF or an archive."},
                },
                "additionalProperties": false,
            });
        }
        let path = self.path.replace('/', "~1");
        let place = format!("/paths/{path}/post/requestBody/content/application~1json/schema");
        let schema = document.pointer(&place).cloned().unwrap_or_default();
        standalone(document, schema)
    }

    /// The request of the API that a call is.
    ///
    /// # Errors
    /// Arguments that are no body.
    pub(super) fn call(&self, arguments: Option<&Json<'_>>) -> Result<ApiCall, Refused> {
        let path = format!("{}{}", self.path, self.query);
        let empty = Json::Object(Vec::new());
        let arguments = arguments.unwrap_or(&empty);
        match self.input {
            // JSON that cannot be written again was not read by the parser.
            ToolInput::Body => {
                let body = canon::bytes(arguments).unwrap_or_default();
                Ok(ApiCall::post(path, "application/json", body))
            }
            ToolInput::File => {
                Ok(ApiCall::post(path, "application/octet-stream", file(arguments)?))
            }
        }
    }
}

/// The bytes of the file in some arguments.
fn file(arguments: &Json<'_>) -> Result<Vec<u8>, Refused> {
    let wrong = |path: &str, found: Phrase| {
        Fault::new("choice", path, expected::evidence_or_base64(), found).into()
    };
    match (arguments.get("evidence"), arguments.get("base64")) {
        (Some(Json::Text(text)), None) => Ok(text.as_bytes().to_vec()),
        (Some(json @ Json::Object(_)), None) => Ok(canon::bytes(json).unwrap_or_default()),
        (None, Some(Json::Text(text))) => match STANDARD.decode(text.as_bytes()) {
            Ok(bytes) => Ok(bytes),
            Err(_) => Err(wrong("base64", dalil_phrasebook::found::another())),
        },
        (Some(_), Some(_)) => Err(wrong("$", dalil_phrasebook::found::both())),
        (None, None) => Err(wrong("$", dalil_phrasebook::found::none())),
        (Some(_), None) => Err(wrong("evidence", dalil_phrasebook::found::another())),
        (None, Some(_)) => Err(wrong("base64", dalil_phrasebook::found::another())),
    }
}

/// A schema of the document with the parts that it refers to.
fn standalone(document: &Value, schema: Value) -> Value {
    let (mut parts, mut open) = (Map::new(), BTreeSet::new());
    // The document is made from our own types, so each schema that it names exists.
    let part = |name: &str| {
        let found = document.pointer(&format!("/components/schemas/{name}"));
        found.cloned().unwrap_or(Value::Bool(true))
    };
    let mut root = schema;
    // A tool's schema must say by itself that it is an object.
    if let Some(name) = root.get("$ref").and_then(Value::as_str).and_then(part_name) {
        root = part(name);
    }
    refer(&mut root, &mut open);
    while let Some(name) = open.pop_first() {
        if parts.contains_key(&name) {
            continue;
        }
        let mut inner = part(&name);
        refer(&mut inner, &mut open);
        parts.insert(name, inner);
    }
    if let Some(fields) = root.as_object_mut() {
        fields.insert("type".to_owned(), json!("object"));
        if !parts.is_empty() {
            fields.insert("$defs".to_owned(), Value::Object(parts));
        }
    }
    root
}

/// Turns references to the document into references to the schema itself, and notes them. Examples
/// are left out: an agent pays for each word of a tool.
fn refer(schema: &mut Value, open: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            fields.remove("example");
            for (name, value) in fields.iter_mut() {
                match value.as_str().and_then(part_name).map(str::to_owned) {
                    Some(part) if name == "$ref" => {
                        *value = json!(format!("#/$defs/{part}"));
                        open.insert(part);
                    }
                    _ => refer(value, open),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| refer(item, open)),
        _ => (),
    }
}

fn part_name(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/components/schemas/")
}
