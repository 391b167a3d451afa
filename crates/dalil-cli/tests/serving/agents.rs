//! The tools for agents over HTTP: with their own keys, and with nothing that people have.

use serde_json::{Value, json};

use crate::server::{Answer, QUICK, Server, folder, key};

const RECORDER: [&str; 2] = ["view", "record"];

fn send(server: &Server, key: &str, headers: &[(&str, &str)], message: &Value) -> Answer {
    let body = serde_json::to_vec(message).unwrap();
    server.ask_with(("POST", "/mcp"), key, headers, Some(&body))
}

#[track_caller]
fn ask(server: &Server, key: &str, method: &str, params: &Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let answer = send(server, key, &[], &message).is(200);
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
    answer
}

#[track_caller]
fn call(server: &Server, key: &str, name: &str, arguments: &Value) -> Value {
    ask(server, key, "tools/call", &json!({"name": name, "arguments": arguments}))["result"].clone()
}

fn submission(session: &str) -> Value {
    json!({"answer": "Leave is 15 days.", "session_id": session,
        "chunks": [{"id": "kb-1", "text": "Leave is 15 days."}]})
}

#[test]
fn an_agent_checks_records_and_reads_with_its_own_key() {
    let dir = folder("agents");
    let clerk = key(&dir, "acme", "agent:clerk", &RECORDER);
    let other = key(&dir, "zenith", "agent:clerk", &RECORDER);
    let admin = key(&dir, "acme", "person:amal", &["view"]);
    let server = Server::start(dir, QUICK);
    let hello = ask(&server, &clerk, "initialize", &json!({"protocolVersion": "2025-06-18"}));
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    let listed = ask(&server, &clerk, "tools/list", &json!({}));
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let expected = [
        "build_bundle",
        "find_sources",
        "check_answer",
        "record_decision",
        "record_tool_call",
        "verify_evidence",
    ];
    assert_eq!(names, expected);

    let checked = call(&server, &clerk, "check_answer", &submission("ses 1"));
    assert_eq!(checked["isError"], false, "{checked}");
    assert_eq!(checked["structuredContent"]["ledger"]["entries"][0]["verdict"], "supported");
    let link = json!({"type": "resource_link", "uri": "dalil://sessions/ses%201/ledger",
        "name": "ses 1", "mimeType": "application/json"});
    assert_eq!(checked["content"][1], link);
    let uri = json!({"uri": "dalil://sessions/ses%201/ledger"});
    let read = ask(&server, &clerk, "resources/read", &uri)["result"]["contents"][0].clone();
    assert_eq!(read["text"], checked["content"][0]["text"]);
    let all = ask(&server, &clerk, "resources/list", &json!({}))["result"]["resources"].clone();
    assert_eq!(all[0]["uri"], uri["uri"]);
    // The record names the actor.
    let records = server.ask("GET", "/api/v1/trail/records?limit=1000", &admin, None).is(200);
    let by_clerk = records["items"].as_array().unwrap().iter();
    assert!(by_clerk.filter(|one| one["actor"] == "agent:clerk").count() >= 3, "{records}");

    // Another tenant sees nothing of it.
    let hidden = ask(&server, &other, "resources/read", &uri)["error"].clone();
    assert_eq!((&hidden["code"], &hidden["data"]["status"]), (&json!(-32002), &json!(404)));
    let none = ask(&server, &other, "resources/list", &json!({}))["result"]["resources"].clone();
    assert_eq!(none, json!([]));
}

#[test]
fn what_an_agent_may_not_is_a_result_that_says_so() {
    let dir = folder("agents-refused");
    let viewer = key(&dir, "acme", "agent:reader", &["view"]);
    let recorder = key(&dir, "acme", "agent:writer", &["record"]);
    let clerk = key(&dir, "acme", "agent:clerk", &RECORDER);
    let server = Server::start(dir, QUICK);
    let refused = call(&server, &viewer, "check_answer", &submission("ses-1"));
    assert_eq!(refused["isError"], true);
    let problem = &refused["structuredContent"];
    assert_eq!((&problem["status"], &problem["faults"][0]["rule"]), (&json!(403), &json!("scope")));
    // A caller without even the permission to view is not let in.
    send(&server, &recorder, &[], &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).is(403);

    let wrong = json!({"answer": "", "chunks": [{"id": "a"}], "query": "?"});
    let refused = call(&server, &clerk, "check_answer", &wrong);
    assert_eq!(
        refused["content"][0]["text"],
        "Refused\n\
         answer: expected some text, found ``\n\
         chunks[0].text: expected a value, found nothing\n\
         query: expected only answer, question, mode, session_id, language, chunks, bundle_id, \
         documents, found a field it does not know (remove the field or correct its name)"
    );
    // The same faults as over the API, in the language that was asked for.
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "check_answer", "arguments": wrong}});
    let arabic = [("accept-language", "ar")];
    let told = send(&server, &clerk, &arabic, &message).is(200)["result"].clone();
    let body = serde_json::to_vec(&wrong).unwrap();
    let same = server.ask_with(("POST", "/api/v1/check"), &clerk, &arabic, Some(&body)).is(422);
    assert_eq!(told["structuredContent"]["faults"], same["faults"]);
    for name in ["seal_pack", "give_approval", "erase_payloads", ""] {
        let params = json!({"name": name, "arguments": {}});
        let error = ask(&server, &clerk, "tools/call", &params)["error"].clone();
        assert_eq!(error["code"], -32602, "{name}");
    }
}

#[test]
fn a_message_that_is_none_is_an_error_and_a_stranger_hears_nothing() {
    let dir = folder("agents-messages");
    let clerk = key(&dir, "acme", "agent:clerk", &RECORDER);
    let server = Server::start(dir, QUICK);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for stranger in ["", "dalil_acme_0000000000000000_x"] {
        send(&server, stranger, &[], &ping).is(401);
    }
    send(&server, &clerk, &[("origin", "https://elsewhere.example")], &ping).is(403);
    let own = server.base.clone();
    send(&server, &clerk, &[("origin", &own)], &ping).is(200);
    assert_eq!(server.ask("GET", "/mcp", &clerk, None).status, 405);
    assert_eq!(server.ask("DELETE", "/mcp", &clerk, None).status, 405);
    server
        .ask_with(("POST", "/mcp"), &clerk, &[("content-type", "text/plain")], Some(b"{}"))
        .is(415);

    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let heard = send(&server, &clerk, &[], &notification);
    assert_eq!((heard.status, heard.body.len()), (202, 0));
    let broken = server.ask("POST", "/mcp", &clerk, Some(b"{\"id\": 1, \"id\": 2}")).is(200);
    assert_eq!(broken["error"]["code"], -32700, "{broken}");
    let batch = send(&server, &clerk, &[], &json!([ping])).is(200);
    assert_eq!(batch["error"]["code"], -32600);
    let error = ask(&server, &clerk, "prompts/list", &json!({}))["error"].clone();
    assert_eq!(error["code"], -32601);

    // The protocol in which each request states its version, and proxies read it.
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let discover = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover",
        "params": {"_meta": meta}});
    let said = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "server/discover")];
    let found = send(&server, &clerk, &said, &discover).is(200)["result"].clone();
    assert_eq!(found["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!((&found["resultType"], &found["ttlMs"]), (&json!("complete"), &json!(0)));
    let other = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    assert_eq!(send(&server, &clerk, &other, &discover).is(400)["error"]["code"], -32020);
}
