//! `dalil mcp`: messages of an agent on standard input, answers on standard output.

use expect_test::expect;
use serde_json::{Value, json};

use crate::run::{self, Output, dalil_in};

/// Sends messages, each on a line; gives the answers by their ids.
#[track_caller]
fn answers(output: &Output) -> Vec<Value> {
    let lines = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut answers: Vec<Value> = lines.collect();
    // Answers come as they are ready.
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers
}

fn message(id: u64, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string() + "\n"
}

fn submission() -> Value {
    json!({"answer": "Leave is 15 days.", "session_id": "ses-1",
        "chunks": [{"id": "kb-1", "text": "Leave is 15 days."}]})
}

#[test]
fn an_agent_speaks_over_standard_input() {
    let folder = run::folder("mcp/speak");
    let call = |id, name: &str, arguments: Value| {
        message(id, "tools/call", &json!({"name": name, "arguments": arguments}))
    };
    let said = [
        message(1, "initialize", &json!({"protocolVersion": "2025-11-25"})),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string() + "\n\n",
        call(2, "check_answer", submission()),
        call(3, "check_answer", json!({"answer": "", "documents": []})),
        call(4, "erase", json!({})),
        message(5, "resources/templates/list", &json!({})),
        "no message\n".to_owned(),
    ];
    let args = ["mcp", "--actor", "agent:clerk", "--temporary"];
    let output = dalil_in(&folder, &[], &args, said.concat().as_bytes());
    assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
    let mut answers = answers(&output);
    let checked = answers.remove(2);
    let ledger = &checked["result"]["structuredContent"]["ledger"];
    assert_eq!(ledger["entries"][0]["verdict"], "supported", "{checked}");
    // Another one in each run.
    let request = answers.iter_mut().find_map(|answer| {
        answer.pointer_mut("/result/structuredContent")?.as_object_mut()?.remove("request_id")
    });
    assert!(request.is_some_and(|id| id.as_str().is_some_and(|id| id.starts_with("req_"))));
    let told: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
    expect![[r#"
        {"error":{"code":-32700,"data":{"faults":[{"hint":"check it with a JSON linter","message":"expected one JSON value, found something that JSON does not allow at line 1 column 2","path":"$","rule":"json"}]},"message":"The message is not JSON."},"id":null,"jsonrpc":"2.0"}
        {"id":1,"jsonrpc":"2.0","result":{"capabilities":{"resources":{},"tools":{}},"protocolVersion":"2025-11-25","serverInfo":{"name":"dalil","title":"Dalil","version":"0.1.0"}}}
        {"id":3,"jsonrpc":"2.0","result":{"content":[{"text":"Refused\nanswer: expected some text, found ``\ndocuments: expected at least one document, found none","type":"text"}],"isError":true,"structuredContent":{"detail":"The request breaks the rules listed.","faults":[{"message":"expected some text, found ``","path":"answer","rule":"empty"},{"message":"expected at least one document, found none","path":"documents","rule":"empty"}],"status":422,"title":"Refused","type":"urn:dalil:problem:refused"}}}
        {"error":{"code":-32602,"message":"This server has no tool `erase`."},"id":4,"jsonrpc":"2.0"}
        {"id":5,"jsonrpc":"2.0","result":{"resourceTemplates":[{"mimeType":"application/json","name":"ledger","uriTemplate":"dalil://sessions/{session_id}/ledger"},{"mimeType":"application/json","name":"pack","uriTemplate":"dalil://packs/{pack_id}"}]}}
    "#]].assert_eq(&told);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "something was kept");
}

#[test]
fn what_an_agent_records_is_in_the_store_under_its_name() {
    let folder = run::folder("mcp/store");
    let tenant = ["tenant", "create", "acme", "--origin", "dalil.example/acme"];
    assert_eq!(dalil_in(&folder, &[], &tenant, b"").exit, 0);
    let call =
        message(1, "tools/call", &json!({"name": "check_answer", "arguments": submission()}));
    let args = ["mcp", "--actor", "agent:clerk", "--lang", "ar"];
    let output = dalil_in(&folder, &[], &args, call.as_bytes());
    assert_eq!(answers(&output)[0]["result"]["isError"], false, "{}", output.stderr);
    let shown = dalil_in(&folder, &[], &["trail", "show", "--json"], b"");
    let clerk = shown.stdout.matches("agent:clerk").count();
    assert!(clerk >= 3, "{}", shown.stdout);
}

#[test]
fn nobody_but_an_agent_is_acted_for() {
    let folder = run::folder("mcp/person");
    for actor in ["person:amal", "system"] {
        let output = dalil_in(&folder, &[], &["mcp", "--actor", actor, "--temporary"], b"");
        assert_eq!((output.exit, output.stdout.as_str()), (2, ""));
        expect![[r#"
            error: expected an agent to act for, found none
            hint: name it: `--actor agent:NAME`
        "#]]
        .assert_eq(&output.stderr);
    }
}
