//! Envelopes, schemas and addresses.

use axum::http::{HeaderMap, HeaderValue};
use dalil_phrasebook::Language;
use dalil_proof::json::Json;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::envelope::{self, RpcAnswer};
use super::tool::{ApiTool, TOOLS};
use super::{door::ApiCall, resource};
use crate::routes::RouteTable;

/// The refusal of a message, as its sender reads it.
fn refused(message: &Value, headers: Option<&HeaderMap>) -> String {
    let text = message.to_string();
    let json = Json::parse(text.as_bytes()).unwrap();
    let (named, error) = match envelope::request(&json, headers) {
        Ok(request) => return format!("taken: {}", request.map_or("nothing", |one| one.method)),
        Err(refused) => refused,
    };
    let answer = RpcAnswer::error(named, error, Language::English);
    format!("{} {}", answer.status(), answer.body())
}

#[track_caller]
fn check(messages: &[(Value, Option<HeaderMap>)], expected: &Expect) {
    let told = messages.iter().map(|(message, headers)| refused(message, headers.as_ref()) + "\n");
    expected.assert_eq(&told.collect::<String>());
}

fn modern(version: &str) -> Value {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": version});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"_meta": meta, "name": "check_answer"}})
}

fn headers(version: &str, method: &str, name: &str) -> HeaderMap {
    let pairs = [("mcp-protocol-version", version), ("mcp-method", method), ("mcp-name", name)];
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.insert(name, HeaderValue::from_str(value).unwrap());
    }
    headers
}

#[test]
fn a_message_is_one_request_or_a_notification() {
    let message = |id: Value, method: Value| json!({"jsonrpc": "2.0", "id": id, "method": method});
    check(
        &[
            (message(json!(1), json!("ping")), None),
            (json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), None),
            (json!([message(json!(1), json!("ping"))]), None),
            (message(json!(1), json!(2)), None),
            (message(json!({}), json!("ping")), None),
            (message(Value::Null, json!("ping")), None),
        ],
        &expect![[r#"
            taken: ping
            taken: nothing
            200 {"error":{"code":-32600,"message":"A message is one JSON object; batches are not taken."},"id":null,"jsonrpc":"2.0"}
            200 {"error":{"code":-32600,"message":"A message names its method."},"id":null,"jsonrpc":"2.0"}
            200 {"error":{"code":-32600,"message":"The id of a request is a string or a number."},"id":null,"jsonrpc":"2.0"}
            200 {"error":{"code":-32600,"message":"The id of a request is a string or a number."},"id":null,"jsonrpc":"2.0"}
        "#]],
    );
}

#[test]
fn a_request_that_says_its_version_is_held_to_it() {
    let (version, method) = ("2026-07-28", "tools/call");
    check(
        &[
            (modern(version), None),
            (modern(version), Some(headers(version, method, "check_answer"))),
            (modern(version), Some(headers(version, method, "=?base64?Y2hlY2tfYW5zd2Vy?="))),
            (modern(version), Some(headers(version, method, "erase"))),
            (modern(version), Some(headers(version, "tools/list", "check_answer"))),
            (modern(version), Some(HeaderMap::new())),
            (modern("2099-01-01"), None),
        ],
        &expect![[r#"
            taken: tools/call
            taken: tools/call
            taken: tools/call
            400 {"error":{"code":-32020,"message":"The headers of the request say something else than the message."},"id":1,"jsonrpc":"2.0"}
            400 {"error":{"code":-32020,"message":"The headers of the request say something else than the message."},"id":1,"jsonrpc":"2.0"}
            400 {"error":{"code":-32020,"message":"The headers of the request say something else than the message."},"id":1,"jsonrpc":"2.0"}
            400 {"error":{"code":-32022,"data":{"requested":"2099-01-01","supported":["2026-07-28"]},"message":"This server does not speak that version of the protocol."},"id":1,"jsonrpc":"2.0"}
        "#]],
    );
}

/// Every reference of a schema, and the names that it defines.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => (),
    }
}

#[test]
fn the_schema_of_a_tool_stands_by_itself() {
    let document = serde_json::to_value(RouteTable::new().document()).unwrap();
    for tool in &TOOLS {
        for language in [Language::English, Language::Arabic] {
            let listed = tool.listed(&document, language);
            let schema = &listed["inputSchema"];
            assert_eq!(schema["type"], "object", "{}", tool.name);
            let mut found = Vec::new();
            references(schema, &mut found);
            for reference in found {
                let place = reference.strip_prefix('#').unwrap();
                assert!(schema.pointer(place).is_some(), "{}: {reference}", tool.name);
            }
            let has_fields = schema.get("properties").is_some() || schema.get("oneOf").is_some();
            assert!(has_fields, "{}: {schema}", tool.name);
        }
    }
}

#[test]
fn an_address_names_what_the_api_shows() {
    let get = |path: &str| Some(ApiCall::get(path.to_owned()));
    for (uri, expected) in [
        ("dalil://sessions/ses%201/ledger", get("/api/v1/sessions/ses%201/ledger")),
        ("dalil://packs/pack_1", get("/api/v1/packs/pack_1")),
        ("dalil://packs/", None),
        ("dalil://packs/pack_1/../../keys", None),
        ("dalil://packs/a?format=sealed", None),
        ("dalil://sessions/a b/ledger", None),
        ("dalil://keys/k", None),
        ("file:///etc/passwd", None),
    ] {
        assert_eq!(resource::call(uri), expected, "{uri}");
    }
}

#[test]
fn a_file_is_given_as_json_text_or_base64() {
    let tool = ApiTool::named("verify_evidence").unwrap();
    let told = |arguments: &Value| {
        let text = arguments.to_string();
        match tool.call(Some(&Json::parse(text.as_bytes()).unwrap())) {
            Ok(call) => format!("{call:?}"),
            Err(refused) => refused.refused[0].phrase().english().to_owned(),
        }
    };
    let given = [
        json!({"evidence": {"b": 1, "a": 2}}),
        json!({"evidence": "dalil.example/acme\n0\n"}),
        json!({"base64": "JVBERg=="}),
        json!({"base64": "no base64"}),
        json!({"evidence": 7}),
        json!({"evidence": "a", "base64": "Yg=="}),
        json!({}),
    ];
    let told: String = given.iter().map(|one| told(one) + "\n").collect();
    expect![[r#"
        ApiCall { method: POST, path: "/api/v1/verify", media_type: Some("application/octet-stream"), body: [123, 34, 97, 34, 58, 50, 44, 34, 98, 34, 58, 49, 125] }
        ApiCall { method: POST, path: "/api/v1/verify", media_type: Some("application/octet-stream"), body: [100, 97, 108, 105, 108, 46, 101, 120, 97, 109, 112, 108, 101, 47, 97, 99, 109, 101, 10, 48, 10] }
        ApiCall { method: POST, path: "/api/v1/verify", media_type: Some("application/octet-stream"), body: [37, 80, 68, 70] }
        `base64`: expected `evidence` as text or an object, or `base64`, found another
        `evidence`: expected `evidence` as text or an object, or `base64`, found another
        `$`: expected `evidence` as text or an object, or `base64`, found both
        `$`: expected `evidence` as text or an object, or `base64`, found none
    "#]].assert_eq(&told);
}
